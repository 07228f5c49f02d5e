//! Benchmark suites: TOML files, and the runs they expand to.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| noyes::read_suite(text));
