//! Levels for the unit tests of this folder.

use noyes_puzzle::sokoban::{Level, parse_level};
use noyes_puzzle::tiles::Generator;

/// Reads a level from rows in XSB.
pub(crate) fn read(rows: &[&str]) -> Level {
    parse_level(&rows.join("\n")).expect("a level")
}

/// A small random level with one player and up to three boxes. It may have no plan.
pub(crate) fn random_level(seed: u64) -> Level {
    let mut generator = Generator::new(77, seed);
    let mut below = |n: u64| generator.below(n as usize);
    loop {
        let (width, height) = (5 + below(3), 5 + below(3));
        let inside = |i: usize| {
            let (row, column) = (i / width, i % width);
            row > 0 && row + 1 < height && column > 0 && column + 1 < width
        };
        let walls: Vec<bool> = (0..width * height)
            .map(|i| !inside(i) || below(4) == 0)
            .collect();
        let mut floor: Vec<u16> = (0..walls.len())
            .filter(|&i| !walls[i])
            .map(|i| i as u16)
            .collect();
        let boxes = 1 + below(3);
        if floor.len() < boxes + 2 {
            continue;
        }
        let mut take = || floor.swap_remove(below(floor.len() as u64));
        let player = take();
        let all: Vec<u16> = (0..boxes).map(|_| take()).collect();
        let mut goals = vec![false; walls.len()];
        let targets = 1 + below(boxes as u64);
        for _ in 0..targets {
            loop {
                let at = below(walls.len() as u64);
                if !walls[at] && !goals[at] {
                    goals[at] = true;
                    break;
                }
            }
        }
        return Level::new(width, &walls, &goals, &all, &[player]).expect("a level");
    }
}

/// A random level with a plan: four boxes, pulled from their goals at random.
pub(crate) fn pulled_level(seed: u64) -> Level {
    pulled(Generator::new(78, seed), 8, 4)
}

/// The same with five boxes in a small room.
pub(crate) fn crowded_level(seed: u64) -> Level {
    pulled(Generator::new(79, seed), 6, 5)
}

fn pulled(mut generator: Generator, height: usize, count: usize) -> Level {
    let width = height + generator.below(3);
    let inside = |i: usize| {
        let (row, column) = (i / width, i % width);
        row > 0 && row + 1 < height && column > 0 && column + 1 < width
    };
    let walls: Vec<bool> = (0..width * height)
        .map(|i| !inside(i) || generator.below(4) == 0)
        .collect();
    let mut floor: Vec<usize> = (0..walls.len()).filter(|&i| !walls[i]).collect();
    if floor.len() <= count {
        return pulled(generator, height, count);
    }
    generator.shuffle(&mut floor);
    let (mut boxes, mut player) = (floor[..count].to_vec(), floor[count]);
    let mut goals = vec![false; walls.len()];
    for &goal in &boxes {
        goals[goal] = true;
    }
    for _ in 0..500 {
        let d = generator.below(4);
        let step = [width, 1, 1, width][d];
        let (ahead, behind) = if d < 2 {
            (player - step, player + step)
        } else {
            (player + step, player - step)
        };
        if walls[ahead] || boxes.contains(&ahead) {
            continue;
        }
        if let Some(pulled) = boxes.iter_mut().find(|b| **b == behind) {
            *pulled = player;
        }
        player = ahead;
    }
    let boxes: Vec<u16> = boxes.iter().map(|&b| b as u16).collect();
    Level::new(width, &walls, &goals, &boxes, &[player as u16]).expect("a level")
}
