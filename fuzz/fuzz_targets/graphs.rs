//! Graphs by name and as files, and arrangements of labels on them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noyes_puzzle::graph::{Arrangement, Graph};

fuzz_target!(|text: &str| {
    let _ = Graph::named(text);
    if let Ok(file) = Graph::parse(text) {
        assert_eq!(Graph::parse(&file.to_string()), Ok(file));
    }
    let graph = Graph::named("petersen").expect("a known graph");
    if let Ok(state) = Arrangement::parse(&graph, text) {
        assert_eq!(Arrangement::parse(&graph, &state.to_string()), Ok(state));
    }
});
