//! Levels for the unit tests of this folder.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Generator;

/// A level of XSB rows.
pub(crate) fn read(rows: &[&str]) -> Level {
    let width = rows.iter().map(|r| r.len()).max().unwrap_or(0);
    let text: Vec<char> = (rows.iter())
        .flat_map(|r| format!("{r:width$}").chars().collect::<Vec<_>>())
        .collect();
    let find = |symbols: &str| -> Vec<u16> {
        let cells = (0..text.len()).filter(|&i| symbols.contains(text[i]));
        cells.map(|i| i as u16).collect()
    };
    let walls: Vec<bool> = text.iter().map(|&c| c == '#').collect();
    let goals: Vec<bool> = text.iter().map(|&c| ".*+".contains(c)).collect();
    Level::new(width, &walls, &goals, &find("$*"), &find("@+")).expect("a level")
}

/// A small level with walls at random, one player and up to three boxes.
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
