//! Numbers from the literature, each with its source.

use noyes_puzzle::tiles::{Board, Goal};
use noyes_puzzle::{Nibbles, SlideSpace};
use noyes_solver::search::layers;
use noyes_solver::{Control, Engine, Request, Status, solve};

/// Number, board, optimum and IDA*-Manhattan nodes of each instance in `data/korf15.csv`.
fn korf() -> Vec<(u32, Board, u32, u64)> {
    let text = include_str!("../../../data/korf15.csv");
    let rows = text.lines().filter(|l| !l.starts_with('#')).skip(1);
    rows.map(|row| {
        let fields: Vec<&str> = row.split(',').collect();
        let number = |i: usize| fields[i].parse::<u64>().unwrap();
        (
            number(0) as u32,
            fields[1].parse().unwrap(),
            number(2) as u32,
            number(3),
        )
    })
    .collect()
}

fn assert_korf(instances: Vec<(u32, Board, u32, u64)>) {
    for (number, board, optimal, nodes) in instances {
        let request = Request::board(board, &Goal::BlankFirst)
            .unwrap()
            .engine(Engine::IdaStar);
        let answer = solve(&request, &Control::new()).unwrap();
        assert_eq!(
            (answer.status, answer.bounds.upper),
            (Status::Optimal, Some(optimal)),
            "instance {number}"
        );
        assert_eq!(answer.counts.generated, nodes, "instance {number}");
    }
}

#[test]
fn the_ten_easiest_of_korf_take_exactly_the_published_nodes() {
    let mut instances = korf();
    instances.sort_by_key(|(.., nodes)| *nodes);
    instances.truncate(10);
    assert_korf(instances);
}

#[test]
#[ignore = "all of Korf's 100 with Manhattan distance: 4 to 10 minutes with --release"]
fn all_of_korf_takes_exactly_the_published_nodes() {
    assert_eq!(
        korf().iter().map(|(.., nodes)| nodes).sum::<u64>(),
        36_302_808_031
    );
    assert_korf(korf());
}

fn layers_of(width: usize, height: usize) -> Vec<u64> {
    let goal = Board::blank_last(width, height);
    layers(
        &SlideSpace::<Nibbles>::on_board(&goal, &goal),
        &Control::new(),
    )
    .unwrap()
}

/// Schofield: Complete solution of the eight-puzzle, 1967; Reinefeld: Complete solution of the eight-puzzle
/// and the benefit of node ordering in IDA*, 1993.
#[test]
fn the_whole_eight_puzzle() {
    let layers = layers_of(3, 3);
    assert_eq!(layers.iter().sum::<u64>(), 181_440);
    assert_eq!(layers[..7], [1, 2, 4, 8, 16, 20, 39]);
    assert_eq!((layers.len() - 1, layers[31]), (31, 2));
}

/// Radii as listed by the SlidingTilesSolver project.
#[test]
fn radii_of_small_sizes() {
    for (width, height, radius) in [
        (2, 2, 6),
        (3, 2, 21),
        (2, 3, 21),
        (4, 2, 36),
        (2, 4, 36),
        (5, 2, 55),
    ] {
        let layers = layers_of(width, height);
        let states: u64 = (1..=(width * height) as u64).product::<u64>() / 2;
        assert_eq!(
            (layers.len() - 1, layers.iter().sum::<u64>()),
            (radius, states),
            "{width}x{height}"
        );
    }
}
