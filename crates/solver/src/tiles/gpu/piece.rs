//! A piece of work: a node with what is left of its children, as words of 64 bits.
//!
//! | word | what it holds |
//! |---|---|
//! | 0-3 | the tiles by cell, a byte each |
//! | 4-11 | the moves from the start, two bits each |
//! | 12 | the state of the automaton, and above it (32 bits) the pending children |
//! | 13 | the subtree (32 bits), the blank's cell, the moves left, the moves so far, 1 if the node is not expanded (8 each) |
//! | 14 | the sum of each stage, a byte each |
//! | from 15 on | the sight of each part |
//!
//! Pending children: a bit for each of up to four (bits 0-3); and from bit 8 on, four for each stage, whether the move to the child raises the distance.

use crate::tiles::subtrees::Node;

pub const PATH: usize = 4;
#[cfg(any(feature = "gpu", test))]
pub const PATH_WORDS: usize = 8;
pub const PLACE: usize = 12;
pub const SUMS: usize = 14;
pub const SIGHTS: usize = 15;

/// The words of a piece.
pub const fn stride(parts: usize) -> usize {
    (SIGHTS + parts).next_multiple_of(2)
}

/// Appends a node that is not expanded.
pub fn push<const PARTS: usize>(
    pieces: &mut Vec<u64>,
    node: &Node<PARTS>,
    path: &[u8],
    subtree: usize,
    parts: usize,
) {
    let first = pieces.len();
    pieces.resize(first + stride(parts), 0);
    let piece = &mut pieces[first..];
    for (cell, &tile) in node.tiles().iter().enumerate() {
        piece[cell / 8] |= u64::from(tile) << (8 * (cell % 8));
    }
    for (i, &direction) in path.iter().enumerate() {
        piece[PATH + i / 32] |= u64::from(direction) << (2 * (i % 32));
    }
    piece[PLACE] = node.walk().into();
    piece[PLACE + 1] = subtree as u64
        | (node.blank() as u64) << 32
        | u64::from(node.left()) << 40
        | u64::from(node.depth()) << 48
        | 1 << 56;
    for stage in 0..6 {
        piece[SUMS] |= u64::from(node.sum(stage)) << (8 * stage);
    }
    for (word, sight) in piece[SIGHTS..].iter_mut().zip(&node.sights()[..parts]) {
        *word = sight.bits();
    }
}

/// The moves of a path.
#[cfg(any(feature = "gpu", test))]
pub fn moves(path: &[u64; PATH_WORDS], length: usize) -> Vec<u8> {
    let direction = |i: usize| (path[i / 32] >> (2 * (i % 32)) & 3) as u8;
    (0..length).map(direction).collect()
}
