//! What the worker calls: bytes in, a status, bytes out. The worker brings the clock.
//!
//! The worker writes a path and a body to `input`, calls `answer`, and reads `output`. While `answer` runs, the solver asks
//! for the time every millisecond or so. The worker may then call `progress`, and read it from `output` as well.
#![allow(unsafe_code, reason = "WebAssembly names its imports and exports so")]

use std::cell::RefCell;
use std::time::Duration;

use noyes_solver::{Control, set_clock};

use crate::{Desk, Reply};

#[link(wasm_import_module = "worker")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now_ms() -> f64;
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
    static CONTROL: RefCell<Control> = RefCell::default();
    static INPUT: RefCell<Vec<u8>> = RefCell::default();
    static OUTPUT: RefCell<Vec<u8>> = RefCell::default();
}

/// Room for this number of bytes: a path, then a body.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; bytes];
        input.as_mut_ptr()
    })
}

/// Answers the question in the input, whose first bytes are the path, and returns the status.
#[unsafe(no_mangle)]
pub extern "C" fn answer(path_bytes: usize) -> u32 {
    set_clock(|| Duration::from_secs_f64(now_ms().max(0.0) / 1e3));
    let input = INPUT.take();
    let (path, body) = input.split_at(path_bytes.min(input.len()));
    let path = String::from_utf8_lossy(path);
    let Reply { status, json } = DESK.with_borrow_mut(|desk| {
        CONTROL.replace(desk.control());
        desk.answer(&path, body)
    });
    OUTPUT.replace(json);
    status.into()
}

/// Writes how far the search is after some time.
#[unsafe(no_mangle)]
pub extern "C" fn progress(elapsed_s: f64) {
    let json = CONTROL.with_borrow(|control| Desk::progress(control, elapsed_s));
    OUTPUT.replace(json);
}

/// Where the output is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

/// Its length.
#[unsafe(no_mangle)]
pub extern "C" fn output_bytes() -> usize {
    OUTPUT.with_borrow(Vec::len)
}
