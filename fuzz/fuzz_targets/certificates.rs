//! Certificates: whatever the bytes are, they are refused or right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_check::{Case, Certificate, Store, verify};

fuzz_target!(|bytes: &[u8]| {
    let Ok(certificate) = Certificate::read(&mut &*bytes) else {
        return;
    };
    // The formula of a large puzzle is large, which is no fault.
    let small = match &certificate.case {
        Case::Tiles(case) => {
            case.start.tiles().len() <= 9 && case.tables.iter().map(Vec::len).sum::<usize>() <= 5
        }
        Case::Level(case) => case.level.cells() <= 60 && case.level.boxes().len() <= 3,
    };
    if small && certificate.refutes.is_none_or(|bound| bound <= 40) {
        let _ = verify(bytes, &mut Store::new(None, 1));
    }
});
