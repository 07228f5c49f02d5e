//! Levels of Sokoban: every level that is read survives a round trip through each format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_puzzle::sokoban::{Format, normalise, parse_level, read_levels};

fuzz_target!(|text: &str| {
    let _ = read_levels(text);
    let Ok(level) = parse_level(text) else {
        return;
    };
    let level = level.titled(None);
    for format in [Format::Xsb, Format::Rle, Format::Letters] {
        let written = format.write(&level);
        match parse_level(&written) {
            Ok(read) => assert_eq!(read.titled(None), level, "{written}"),
            Err(error) => panic!("{error}\n{written}"),
        }
    }
    let normal = normalise(&level);
    assert_eq!(normalise(&normal), normal);
});
