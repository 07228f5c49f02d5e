//! Plain Sokoban for tests: levels from rows, random levels, and the rules for crews as the NTU report states them.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::{HashMap, HashSet, VecDeque};

use noyes_puzzle::sokoban::{Level, parse_level};
use noyes_puzzle::tiles::{Direction, Generator};

/// Reads a level from rows in XSB.
pub fn level(rows: &[&str]) -> Level {
    parse_level(&rows.join("\n")).unwrap()
}

/// A random level with this many boxes and players. It may have one box more than goals.
pub fn random_level(seed: u64, instance: u64, boxes: usize, players: usize) -> Level {
    let generator = &mut Generator::new(seed, instance);
    loop {
        let (width, height) = (5 + generator.below(3), 5 + generator.below(2));
        let mut walls = vec![true; width * height];
        let mut floor = vec![];
        for (cell, wall) in walls.iter_mut().enumerate() {
            let (x, y) = (cell % width, cell / width);
            if x > 0 && y > 0 && x + 1 < width && y + 1 < height && generator.below(5) > 0 {
                *wall = false;
                floor.push(cell as u16);
            }
        }
        let goals = boxes - usize::from(boxes > 1 && generator.below(4) == 0);
        if floor.len() < boxes + players {
            continue;
        }
        let mut is_goal = vec![false; walls.len()];
        generator.shuffle(&mut floor);
        for &cell in &floor[..goals] {
            is_goal[usize::from(cell)] = true;
        }
        generator.shuffle(&mut floor);
        let (boxes, rest) = floor.split_at(boxes);
        return Level::new(width, &walls, &is_goal, boxes, &rest[..players]).unwrap();
    }
}

/// The players in the order of the level, and the boxes in ascending order.
pub type Position = (Vec<u16>, Vec<u16>);

/// The position after a joint move, if the move is legal. Only the position after the step decides.
pub fn step(level: &Level, position: &Position, moves: &[Option<Direction>]) -> Option<Position> {
    let (players, boxes) = position;
    let mut players_after = vec![];
    let mut boxes_after = boxes.clone();
    for (&player, &way) in players.iter().zip(moves) {
        let Some(way) = way else {
            players_after.push(player);
            continue;
        };
        let to = level.neighbour(player, way)?;
        players_after.push(to);
        if let Some(i) = boxes.iter().position(|&b| b == to) {
            if boxes_after[i] != to {
                return None; // two players push it
            }
            boxes_after[i] = level.neighbour(to, way)?;
        }
    }
    for (i, a) in players_after.iter().enumerate() {
        let alone = !players_after[..i].contains(a) && !boxes_after.contains(a);
        let swaps = |j: usize| *a == players[j] && players_after[j] == players[i];
        if !alone || (0..i).any(swaps) {
            return None;
        }
    }
    boxes_after.sort_unstable();
    let crowded = boxes_after.windows(2).any(|w| w[0] == w[1]);
    (!crowded).then_some((players_after, boxes_after))
}

pub fn start(level: &Level) -> Position {
    (level.players().to_vec(), level.boxes().to_vec())
}

pub fn is_solved(level: &Level, position: &Position) -> bool {
    level.goals().all(|goal| position.1.contains(&goal))
}

/// All joint moves that a crew might try in one step.
pub fn all_moves(players: usize, wait: bool) -> Vec<Vec<Option<Direction>>> {
    let mut all = vec![vec![]];
    for _ in 0..players {
        let with = |head: &Vec<Option<Direction>>| {
            let ways = Direction::ALL
                .into_iter()
                .map(Some)
                .chain(wait.then_some(None));
            let longer = |way| [head.as_slice(), &[way]].concat();
            ways.map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// The fewest steps, by breadth-first search; none if there is no plan.
pub fn fewest_steps(level: &Level, wait: bool) -> Option<u32> {
    let moves = all_moves(level.players().len(), wait);
    let mut seen = HashMap::from([(start(level), 0)]);
    let mut layer = vec![start(level)];
    for depth in 0.. {
        if layer.iter().any(|p| is_solved(level, p)) {
            return Some(depth);
        }
        let mut next = vec![];
        for position in &layer {
            for after in moves.iter().filter_map(|m| step(level, position, m)) {
                let mut known = after.clone();
                known.0.sort_unstable(); // players are interchangeable
                if seen.insert(known, depth).is_none() {
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    unreachable!("there are finitely many layers")
}

/// The level, mirrored if wanted and then rotated by a quarter turn `times` times.
pub fn turned(level: &Level, times: usize, mirrored: bool) -> Level {
    let (width, height) = (level.width(), level.height());
    let place = |cell: u16| -> u16 {
        let (mut x, mut y) = (usize::from(cell) % width, usize::from(cell) / width);
        let (mut w, mut h) = (width, height);
        if mirrored {
            x = w - 1 - x;
        }
        for _ in 0..times {
            (x, y, w, h) = (h - 1 - y, x, h, w);
        }
        (y * w + x) as u16
    };
    let mut walls = vec![true; level.cells()];
    let mut goals = vec![false; level.cells()];
    for cell in 0..level.cells() as u16 {
        walls[usize::from(place(cell))] = !level.is_floor(cell);
        goals[usize::from(place(cell))] = level.is_goal(cell);
    }
    let all = |cells: &[u16]| cells.iter().map(|&c| place(c)).collect::<Vec<_>>();
    let width = if times.is_multiple_of(2) {
        width
    } else {
        height
    };
    Level::new(
        width,
        &walls,
        &goals,
        &all(level.boxes()),
        &all(level.players()),
    )
    .unwrap()
}

/// The fewest pushes of one player, by exhaustive search in which pushes cost one and other moves nothing.
pub fn fewest_pushes(level: &Level) -> Option<u32> {
    let mut seen = HashSet::new();
    let mut line = VecDeque::from([(start(level), 0)]);
    while let Some((position, pushes)) = line.pop_front() {
        if !seen.insert(position.clone()) {
            continue;
        }
        if is_solved(level, &position) {
            return Some(pushes);
        }
        for way in Direction::ALL {
            let Some(after) = step(level, &position, &[Some(way)]) else {
                continue;
            };
            if after.1 == position.1 {
                line.push_front((after, pushes));
            } else {
                line.push_back((after, pushes + 1));
            }
        }
    }
    None
}
