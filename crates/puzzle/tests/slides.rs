//! Sliding tiles as a space, rule by rule, in each of its stores.
//!
//! Nothing here is random: each test fails for certain if the rule it names is
//! broken (docs/mutants.md).

use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::Board;
use noyes_puzzle::{Cells, Duplicates, Nibbles, Position, Reverse, Slide, SlideSpace, Space};

/// Twelve cells in three rows, the tiles in order and the blank last.
const TILES: [u16; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0];

fn all<C: Cells>(cells: &C, count: u16) -> Vec<u16> {
    (0..count).map(|cell| cells.tile(cell)).collect()
}

fn tiles<C: Cells>(position: &Position<C>, count: u16) -> Vec<u16> {
    (0..count).map(|cell| position.tile(cell)).collect()
}

fn ends(slides: impl Iterator<Item = Slide>) -> Vec<(u16, u16)> {
    slides.map(|slide| (slide.from, slide.to)).collect()
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn stores_slide_tiles<C: Cells>() {
    let mut cells = C::store(&TILES);
    assert_eq!(all(&cells, 12), TILES);
    cells.slide(7, 11); // the 8 from cell 7 down to the blank
    assert_eq!(all(&cells, 12), [1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 8]);
    cells.slide(6, 7);
    assert_eq!(all(&cells, 12), [1, 2, 3, 4, 5, 6, 0, 7, 9, 10, 11, 8]);
    cells.slide(2, 6);
    cells.slide(0, 2); // cells need not touch here: that is the graph's business
    assert_eq!(all(&cells, 12), [0, 2, 1, 4, 5, 6, 3, 7, 9, 10, 11, 8]);
    // Back, one by one: the same as never having left.
    for (from, blank) in [(2, 0), (6, 2), (7, 6), (11, 7)] {
        cells.slide(from, blank);
    }
    assert_eq!(cells, C::store(&TILES));
}

#[test]
fn every_store_keeps_the_tiles_and_slides_them() {
    stores_slide_tiles::<Nibbles>();
    stores_slide_tiles::<[u8; 16]>();
    stores_slide_tiles::<[u8; 32]>();
    stores_slide_tiles::<Box<[u16]>>();
}

#[test]
fn every_store_is_full_at_its_most_cells() {
    let full: Vec<u16> = (0..16).rev().collect();
    assert_eq!(all(&Nibbles::store(&full), 16), full);
    assert_eq!(all(&<[u8; 16]>::store(&full), 16), full);
    assert_eq!(
        (Nibbles::MOST, <[u8; 32]>::MOST, <Box<[u16]>>::MOST),
        (16, 32, 65536)
    );
    // A tile that needs more than a byte.
    let large: Vec<u16> = (0..1000).collect();
    assert_eq!(all(&<Box<[u16]>>::store(&large), 1000), large);
}

#[test]
#[should_panic(expected = "at most 16 cells here")]
fn more_cells_than_fit_are_refused() {
    let large = Board::blank_last(17, 1);
    let _ = SlideSpace::<Nibbles>::on_board(&large, &large);
}

#[test]
#[should_panic(expected = "a tile for every cell")]
fn a_graph_needs_a_tile_for_every_vertex() {
    let graph = Graph::named("cycle:4").unwrap();
    let _ = SlideSpace::<Nibbles>::on_graph(&graph, &[0, 1, 2], &[0, 1, 2]);
}

#[test]
#[should_panic(expected = "one size")]
fn start_and_goal_are_boards_of_one_size() {
    let (wide, tall) = (Board::blank_last(3, 2), Board::blank_last(2, 3));
    let _ = SlideSpace::<Nibbles>::on_board(&wide, &tall);
}

#[test]
fn the_bytes_of_a_state_are_its_own_and_what_an_allocator_adds() {
    let heap = |cells: usize| <Box<[u16]>>::store(&vec![0; cells]).heap_bytes();
    // Two bytes a cell and a word, in steps of 16, 32 at least.
    assert_eq!([4, 12, 13, 20, 21, 25].map(heap), [32, 32, 48, 48, 64, 64]);
    assert_eq!(Nibbles::store(&TILES).heap_bytes(), 0);
    assert_eq!(<[u8; 32]>::store(&TILES).heap_bytes(), 0);
    let goal = Board::blank_last(5, 4);
    let boxed = SlideSpace::<Box<[u16]>>::on_board(&goal, &goal);
    assert_eq!(boxed.state_bytes(), size_of::<Position<Box<[u16]>>>() + 48);
    let bytes = SlideSpace::<[u8; 32]>::on_board(&goal, &goal);
    assert_eq!(bytes.state_bytes(), size_of::<Position<[u8; 32]>>());
}

fn board_space_follows_the_board<C: Cells>() {
    let (start, goal) = (board("1 2 3/4 0 5"), board("1 2 3/4 5 0"));
    let space = SlideSpace::<C>::on_board(&start, &goal);
    assert_eq!(space.cells(), 6);
    let state = space.start();
    assert_eq!(
        (tiles(&state, 6), state.blank()),
        (start.tiles().to_vec(), 4)
    );
    assert_eq!(tiles(space.goal(), 6), goal.tiles());
    assert_eq!(space.goal().blank(), 5);
    // Up, left, right, down, as far as there are cells.
    assert_eq!(ends(space.moves(&state)), [(4, 1), (4, 3), (4, 5)]);
    assert!(!space.is_goal(&state));
    for (slide, after) in space
        .moves(&state)
        .zip(["1 0 3/4 2 5", "1 2 3/0 4 5", "1 2 3/4 5 0"])
    {
        let mut next = state.clone();
        space.apply(&mut next, slide);
        assert_eq!(tiles(&next, 6), board(after).tiles());
        assert_eq!(next.blank(), slide.to);
        assert_eq!(space.is_goal(&next), slide.to == 5);
        assert_eq!(space.cost(slide), 1);
        space.undo(&mut next, slide);
        assert_eq!(next, state);
    }
}

#[test]
fn a_space_of_a_board_moves_as_the_board_does() {
    board_space_follows_the_board::<Nibbles>();
    board_space_follows_the_board::<[u8; 32]>();
    board_space_follows_the_board::<Box<[u16]>>();
}

#[test]
fn the_goal_is_every_tile_and_not_the_place_of_the_blank() {
    let (start, goal) = (board("2 1 3/4 5 0"), board("1 2 3/4 5 0"));
    let space = SlideSpace::<Nibbles>::on_board(&start, &goal);
    assert_eq!(space.start().blank(), space.goal().blank());
    assert!(!space.is_goal(&space.start()));
    assert!(space.is_goal(space.goal()));
}

#[test]
fn slides_are_numbered_by_cell_and_found_by_their_ends() {
    let goal = Board::blank_last(2, 2);
    let space = SlideSpace::<Nibbles>::on_board(&goal, &goal);
    let expected = [
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 3),
        (2, 0),
        (2, 3),
        (3, 1),
        (3, 2),
    ];
    assert_eq!(ends(space.slides().iter().copied()), expected);
    for (index, slide) in space.slides().iter().enumerate() {
        assert_eq!(slide.index as usize, index);
        assert_eq!(space.slide(slide.from, slide.to), *slide);
        let back = space.turned(*slide);
        assert_eq!((back.from, back.to), (slide.to, slide.from));
    }
    assert_eq!(space.least_cost(), 1);
}

#[test]
#[should_panic(expected = "cells that touch")]
fn there_is_no_slide_between_cells_that_do_not_touch() {
    let goal = Board::blank_last(2, 2);
    let _ = SlideSpace::<Nibbles>::on_board(&goal, &goal).slide(0, 3);
}

#[test]
fn after_a_slide_all_follow_but_the_one_straight_back() {
    // A triangle with a tail: cells of one, two and three neighbours, in the order of the edges.
    let names = ["a", "b", "c", "d"].map(String::from).to_vec();
    let graph = Graph::new(names, &[(0, 1), (2, 1), (2, 3), (3, 1)]).unwrap();
    let space = SlideSpace::<Nibbles>::on_graph(&graph, &[1, 0, 2, 3], &[0, 1, 2, 3]);
    let mut state = space.start();
    assert_eq!(ends(space.moves(&state)), [(1, 0), (1, 2), (1, 3)]);
    let after = |state: &Position<Nibbles>, from: u16, to: u16| {
        ends(space.moves_after(state, space.slide(from, to)))
    };
    space.apply(&mut state, space.slide(1, 2));
    assert_eq!(after(&state, 1, 2), [(2, 3)]);
    space.apply(&mut state, space.slide(2, 3));
    assert_eq!(after(&state, 2, 3), [(3, 1)]);
    space.apply(&mut state, space.slide(3, 1));
    assert_eq!(after(&state, 3, 1), [(1, 0), (1, 2)]);
    space.apply(&mut state, space.slide(1, 0));
    assert_eq!(after(&state, 1, 0), []);
}

#[test]
fn reversed_a_space_leads_from_its_goal_to_its_start() {
    let (start, goal) = (board("1 2 3/4 0 5"), board("1 2 3/4 5 0"));
    let space = SlideSpace::<Nibbles>::on_board(&start, &goal);
    let back = space.reversed();
    assert_eq!(back.start(), *space.goal());
    assert_eq!(*back.goal(), space.start());
    let mut state = back.start();
    let slide = back.slide(5, 4);
    back.apply(&mut state, slide);
    assert!(back.is_goal(&state));
    assert_eq!(space.turned(slide), space.slide(4, 5));
}

/// Follows every walk from a cell and holds what may follow each slide against the automaton.
fn follow(
    space: &SlideSpace<Nibbles>,
    duplicates: &Duplicates,
    graph: &Graph,
    last: Slide,
    (state, depth): (u32, usize),
    seen: &mut usize,
) {
    let mut expected = vec![];
    for (number, &to) in graph.neighbours(last.to).iter().enumerate() {
        if let Some(next) = duplicates.next(state, number) {
            expected.push((to, next));
        }
    }
    let found: Vec<Slide> = space.moves_after(&space.start(), last).collect();
    let expected_ends: Vec<_> = expected.iter().map(|&(to, _)| (last.to, to)).collect();
    assert_eq!(ends(found.iter().copied()), expected_ends);
    *seen += 1;
    for (slide, (_, next)) in found.into_iter().zip(expected) {
        assert_eq!(slide.index, space.slide(slide.from, slide.to).index);
        if depth > 1 {
            follow(space, duplicates, graph, slide, (next, depth - 1), seen);
        }
    }
}

#[test]
fn without_duplicates_what_follows_a_walk_is_what_the_automaton_allows() {
    for (name, depth, fewer) in [
        ("grid:3x2", 2, false),
        ("grid:3x2", 8, true),
        ("complete:4", 6, true),
        ("theta0", 6, false),
    ] {
        let graph = Graph::named(name).unwrap();
        let goal: Vec<u16> = (0..graph.len() as u16).collect();
        let plain = SlideSpace::<Nibbles>::on_graph(&graph, &goal, &goal);
        let duplicates = Duplicates::new(&graph, depth);
        let space = plain.clone().without_duplicates(&duplicates);
        // All slides are still there, from every cell.
        assert_eq!(
            ends(space.slides().iter().copied()),
            ends(plain.slides().iter().copied())
        );
        let straight_back = Duplicates::new(&graph, 2);
        let count = |space: &SlideSpace<Nibbles>, automaton: &Duplicates| {
            let mut seen = 0;
            for &first in space.slides() {
                let number = graph
                    .neighbours(first.from)
                    .iter()
                    .position(|&v| v == first.to);
                let start = automaton.start(first.from);
                let state = automaton.next(start, number.unwrap()).unwrap();
                follow(space, automaton, &graph, first, (state, 9), &mut seen);
            }
            seen
        };
        let (few, many) = (count(&space, &duplicates), count(&plain, &straight_back));
        assert_eq!(few < many, fewer, "{name} {depth}: {few} of {many}");
    }
}

#[test]
fn what_follows_is_listed_up_to_four_million_pairs_and_not_one_more() {
    // A complete graph of 162, and a tree beside it, make 2^22 pairs of slides that follow each other.
    let mut edges: Vec<(u16, u16)> = (0..162).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
    let mut next = 161;
    let mut last = 0;
    for leaves in [1, 143, 15, 5] {
        edges.extend((1..=leaves).map(|i| (last, next + i)));
        next += leaves;
        last = next;
    }
    let inner = last - 5; // the vertex with the last five leaves
    for more in [false, true] {
        if more {
            next += 1;
            edges.push((inner, next));
        }
        let names = (0..=next).map(|v| v.to_string()).collect();
        let graph = Graph::new(names, &edges).unwrap();
        let degree = |v: u16| graph.neighbours(v).len();
        let pairs: usize = (0..=next).map(|v| degree(v) * (degree(v) - 1)).sum();
        assert_eq!(pairs > 1 << 22, more);
        assert!(more || pairs == 1 << 22);
        let goal: Vec<u16> = (0..=next).collect();
        let space = SlideSpace::<Box<[u16]>>::on_graph(&graph, &goal, &goal);
        let after = space.moves_after(&space.start(), space.slide(1, 2));
        let back = ends(after).contains(&(2, 1));
        assert_eq!(
            back, more,
            "the slide straight back is there only without a list"
        );
    }
}
