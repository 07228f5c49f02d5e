//! Numbers from the literature, each with its source.

use noyes_puzzle::tiles::{Board, Goal};
use noyes_puzzle::{Nibbles, SlideSpace};
use noyes_solver::search::layers;
use noyes_solver::{Control, Engine, Request, Status, solve};

/// Number, board, optimum and IDA*-Manhattan nodes of each instance in `data/korf15.csv`; the nodes were measured anew
/// for that list, since printed copies of Korf's table carry errors.
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
fn the_ten_easiest_of_korf_take_exactly_the_nodes_of_the_list() {
    let mut instances = korf();
    instances.sort_by_key(|(.., nodes)| *nodes);
    instances.truncate(10);
    assert_korf(instances);
}

#[test]
#[ignore = "all of Korf's 100 with Manhattan distance: 5 minutes with --release"]
fn all_of_korf_takes_exactly_the_nodes_of_the_list() {
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

/// Radii as listed by the `SlidingTilesSolver` project.
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

/// All 239,500,800 states of 4×3, one bit each: the order of the tiles is ranked, and sideways moves keep it.
#[test]
#[ignore = "the radius of 4x3: 21 s with --release"]
fn radius_of_4x3() {
    const CELLS: usize = 12;
    /// The rank of the order of the 11 tiles, the last two left out: their order follows from parity.
    fn rank(order: &[u8; CELLS - 1]) -> usize {
        let mut left = (1u32 << CELLS) - 2; // the tiles not met yet
        order[..CELLS - 3]
            .iter()
            .enumerate()
            .fold(0, |rank, (i, &tile)| {
                let smaller = (left & ((1 << tile) - 1)).count_ones() as usize;
                left &= !(1 << tile);
                rank * (CELLS - 1 - i) + smaller
            })
    }
    /// The even or odd order of a rank.
    fn unrank(mut rank: usize, odd: bool) -> [u8; CELLS - 1] {
        let mut digits = [0; CELLS - 3];
        for i in (0..CELLS - 3).rev() {
            digits[i] = rank % (CELLS - 1 - i);
            rank /= CELLS - 1 - i;
        }
        let mut left: Vec<u8> = (1..CELLS as u8).collect();
        let mut order = [0; CELLS - 1];
        let mut parity = 0;
        for (i, &digit) in digits.iter().enumerate() {
            order[i] = left.remove(digit);
            parity += digit;
        }
        (order[CELLS - 3], order[CELLS - 2]) = if (parity % 2 == 1) == odd {
            (left[0], left[1])
        } else {
            (left[1], left[0])
        };
        order
    }
    // A vertical move takes a tile past three others: it turns the parity of the order. So the parity
    // follows from the blank's row, and the rank alone tells the rest.
    let (width, orders) = (4, 19_958_400); // 11!/2
    let mut seen = vec![0u64; (CELLS * orders).div_ceil(64)];
    let mut layer = vec![0u64; seen.len()];
    let goal: [u8; CELLS - 1] = std::array::from_fn(|i| i as u8 + 1);
    let start = (CELLS - 1) * orders + rank(&goal);
    layer[start / 64] |= 1 << (start % 64);
    let (mut states, mut depth) = (0u64, 0);
    let mut sizes = vec![];
    loop {
        let mut next = vec![0u64; seen.len()];
        let mut size = 0;
        for word in 0..layer.len() {
            seen[word] |= layer[word];
            let mut bits = layer[word];
            while bits != 0 {
                let state = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                size += 1;
                let (blank, number) = (state / orders, state % orders);
                let mut reach = |cell: usize, number: usize| {
                    let child = cell * orders + number;
                    next[child / 64] |= 1 << (child % 64);
                };
                if blank % width > 0 {
                    reach(blank - 1, number);
                }
                if blank % width < width - 1 {
                    reach(blank + 1, number);
                }
                let odd = (CELLS / width - 1 - blank / width) % 2 == 1;
                let order = unrank(number, odd);
                if blank >= width {
                    // The tile above goes down past the three behind it.
                    let mut after = order;
                    after[blank - width..blank].rotate_left(1);
                    reach(blank - width, rank(&after));
                }
                if blank + width < CELLS {
                    let mut after = order;
                    after[blank..blank + width].rotate_right(1);
                    reach(blank + width, rank(&after));
                }
            }
        }
        if size == 0 {
            break;
        }
        states += size;
        sizes.push(size);
        for (word, seen) in seen.iter().enumerate() {
            next[word] &= !seen;
        }
        layer = next;
        depth += 1;
    }
    assert_eq!(states, 239_500_800);
    assert_eq!(depth - 1, 53);
    assert_eq!(sizes[..6], [1, 2, 4, 9, 20, 37]);
}
