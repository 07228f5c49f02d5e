//! Which boxes are dead, and why: so that a page can warn people while they play.
//!
//! There are three reasons, each a proof by itself. Dead square: from this cell a
//! box cannot reach any goal, even if it were alone. Freeze: boxes and walls block
//! one another for good, and not all of these boxes are on goals. Corral: the player
//! cannot get into an area, and even with no boxes but those around it, an
//! exhaustive search finds no way to get these onto goals. Removing boxes only makes
//! a level easier, so what is impossible without them is impossible with them.
//!
//! The last reason needs a search. It gives up after a fixed amount of work, and then
//! nothing is reported. If there are more boxes than goals, a dead box may be
//! one that is not needed. It is still reported, but not as fatal, and there is no
//! search for corrals.

use noyes_puzzle::sokoban::Level;
use rustc_hash::FxHashSet;

use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::packing::Packing;
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;
use crate::sokoban::prune::freeze::Freeze;

/// The most states that the search of a corral may see.
const MOST_STATES: usize = 10_000;

/// The most work of all such searches of a level: each state takes its boxes times the cells of the floor.
const MOST_WORK: usize = 50_000_000;

/// Why boxes are dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadKind {
    /// The box is on a dead square: it cannot reach any goal.
    Square,
    /// The boxes block one another for good.
    Freeze,
    /// The boxes fence off an area that can never be cleared.
    Corral,
}

impl DeadKind {
    /// The name in JSON and in output.
    pub fn name(self) -> &'static str {
        match self {
            DeadKind::Square => "square",
            DeadKind::Freeze => "freeze",
            DeadKind::Corral => "corral",
        }
    }
}

/// Boxes that are dead together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dead {
    /// The cells of the boxes, in ascending order.
    pub cells: Vec<u16>,
    /// The reason.
    pub kind: DeadKind,
    /// The reason as a sentence.
    pub words: String,
    /// Whether the level can no longer be solved. False if there are enough other boxes for the goals.
    pub fatal: bool,
}

/// The dead boxes of a level. If the control stops the search, returns what was found until then.
pub fn explain(level: &Level, control: &Control) -> Vec<Dead> {
    let mut dead = vec![];
    // After a stop, `dead` holds what was found until then.
    let _ = find(level, control, &mut dead);
    dead
}

fn find(level: &Level, control: &Control, dead: &mut Vec<Dead>) -> Result<(), Stop> {
    let field = Field::new(level);
    let mut memory = Memory::new(control);
    let distances = Distances::to_goals(&field, &mut memory)?;
    let position = Position::start(&field);
    let spare = field.boxes.len().saturating_sub(field.goals.len());
    let names = |cells: &[u16]| -> Vec<u16> {
        let mut cells: Vec<u16> = cells
            .iter()
            .map(|&c| field.floor.cells[usize::from(c)])
            .collect();
        cells.sort_unstable();
        cells
    };
    let is_goal = |cell: u16| field.floor.is_goal[usize::from(cell)];
    let mut lost: Vec<u16> = vec![];
    // 1. Dead squares.
    for &cell in &field.boxes {
        let place = distances.place(cell, field.side_of(cell, field.player));
        if distances.is_dead(place) {
            lost.push(cell);
            let cells = names(&[cell]);
            let words = format!("{} can reach no goal", list(level, &cells));
            dead.push(Dead {
                cells,
                kind: DeadKind::Square,
                words,
                fatal: false,
            });
        }
    }
    // 2. Frozen boxes.
    let mut freeze = Freeze::new(&field);
    let mut reported: Vec<u16> = vec![];
    for &cell in &field.boxes {
        if is_goal(cell) || reported.contains(&cell) || lost.contains(&cell) {
            continue;
        }
        let cluster = freeze.cluster(&field, &distances, &position.occupied, cell);
        if !cluster.is_empty() {
            reported.extend_from_slice(cluster);
            let off = cluster.iter().copied().filter(|&c| !is_goal(c));
            lost.extend(off.filter(|c| !lost.contains(c)).collect::<Vec<_>>());
            let cells = names(cluster);
            let words = match cells.len() {
                1 => format!("{} is frozen off a goal", list(level, &cells)),
                _ => format!(
                    "{} are frozen, and not all are on goals",
                    list(level, &cells)
                ),
            };
            dead.push(Dead {
                cells,
                kind: DeadKind::Freeze,
                words,
                fatal: false,
            });
        }
    }
    let fatal = lost.len() > spare;
    for one in dead.iter_mut() {
        one.fatal = fatal;
    }
    // 3. Corrals.
    if spare == 0 && !fatal {
        let mut reported: Vec<Vec<u16>> = vec![];
        let mut work = MOST_WORK;
        for fence in fences(&field, &position) {
            if reported
                .iter()
                .any(|known| known.iter().all(|c| fence.contains(c)))
            {
                continue; // fewer boxes are dead already
            }
            if is_hopeless(&field, &distances, &fence, &mut work, control)? {
                let cells = names(&fence);
                let words = format!(
                    "the area behind {}, which the player cannot reach, can never be cleared",
                    list(level, &cells)
                );
                dead.push(Dead {
                    cells,
                    kind: DeadKind::Corral,
                    words,
                    fatal: true,
                });
                reported.push(fence);
            }
        }
    }
    Ok(())
}

/// Names boxes by their cells, as in "the box at row 2, column 3".
pub(super) fn list(level: &Level, cells: &[u16]) -> String {
    let place = |&cell: &u16| {
        let (row, column) = level.place(cell);
        format!("row {row}, column {column}")
    };
    let places: Vec<String> = cells.iter().map(place).collect();
    match &places[..] {
        [one] => format!("the box at {one}"),
        _ => format!("the boxes at {}", places.join("; ")),
    }
}

/// For each area that the player does not reach, the boxes around it.
fn fences(field: &Field, position: &Position) -> Vec<Vec<u16>> {
    let mut walk = Walk::new(&field.floor);
    let mut seen = vec![false; field.len()];
    walk.from(&field.floor, position.player, &position.occupied);
    for &cell in walk.reached() {
        seen[usize::from(cell)] = true;
    }
    let mut fences = vec![];
    for start in 0..field.wall() {
        if seen[usize::from(start)] || position.occupied[usize::from(start)] != 0 {
            continue;
        }
        walk.from(&field.floor, start, &position.occupied);
        let mut fence: Vec<u16> = vec![];
        for &cell in walk.reached() {
            seen[usize::from(cell)] = true;
            for other in field.floor.next[usize::from(cell)] {
                let is_box = other != field.wall() && position.occupied[usize::from(other)] != 0;
                if is_box && !fence.contains(&other) {
                    fence.push(other);
                }
            }
        }
        fence.sort_unstable();
        fences.push(fence);
    }
    fences
}

/// Whether these boxes, alone on the level, can never all get onto goals. False if that takes too long to find out.
fn is_hopeless(
    field: &Field,
    distances: &Distances,
    boxes: &[u16],
    work: &mut usize,
    control: &Control,
) -> Result<bool, Stop> {
    let may_hold: Vec<bool> = (0..field.wall())
        .map(|c| distances.is_live(c) || boxes.contains(&c))
        .collect();
    let packing = Packing::new(boxes.len(), &may_hold);
    let mut position = Position::start(field);
    let (mut walk, mut after) = (Walk::new(&field.floor), Walk::new(&field.floor));
    let mut freeze = Freeze::strict(field);
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    let mut key = vec![0; packing.words];
    position.set(boxes, field.player);
    packing.pack(boxes, field.player, &mut key);
    let mut open = vec![key.clone()];
    while let Some(state) = open.pop() {
        control.poll_stop()?;
        let Some(left) = work.checked_sub(boxes.len() * field.len()) else {
            return Ok(false);
        };
        *work = left;
        position.unpack(&packing, &state);
        if (position.boxes.iter()).all(|&c| field.floor.is_goal[usize::from(c)]) {
            return Ok(false);
        }
        walk.from(&field.floor, position.player, &position.occupied);
        for number in 0..position.boxes.len() {
            let cell = position.boxes[number];
            for d in 0..4 {
                let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
                if position.occupied[usize::from(to)] != 0
                    || !walk.reaches(from)
                    || distances.is_dead(distances.place(to, field.side(to, back(d))))
                {
                    continue;
                }
                position.shift(number, to);
                let frozen = freeze.cluster(field, distances, &position.occupied, to);
                if frozen.iter().all(|&c| field.floor.is_goal[usize::from(c)]) {
                    after.from(&field.floor, cell, &position.occupied);
                    let least = after
                        .reached()
                        .iter()
                        .min()
                        .expect("the player is somewhere");
                    packing.pack(&position.boxes, *least, &mut key);
                    if seen.insert(key.clone()) {
                        open.push(key.clone());
                    }
                }
                position.shift(number, cell);
                if seen.len() > MOST_STATES {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::read;

    fn kinds(rows: &[&str]) -> Vec<(DeadKind, bool, usize)> {
        let dead = explain(&read(rows), &Control::new());
        dead.iter()
            .map(|d| (d.kind, d.fatal, d.cells.len()))
            .collect()
    }

    #[test]
    fn a_box_in_a_corner_is_on_a_dead_square() {
        let rows = ["#####", "#$ .#", "# @ #", "#####"];
        assert_eq!(kinds(&rows), [(DeadKind::Square, true, 1)]);
        let words = &explain(&read(&rows), &Control::new())[0].words;
        assert_eq!(words, "the box at row 2, column 2 can reach no goal");
    }

    #[test]
    fn a_box_that_is_not_needed_may_be_dead() {
        let rows = ["######", "#$ . #", "# @$ #", "#    #", "######"];
        assert_eq!(kinds(&rows), [(DeadKind::Square, false, 1)]);
    }

    #[test]
    fn two_boxes_along_a_wall_freeze_each_other() {
        let rows = ["########", "#  $$..#", "#  @   #", "#      #", "########"];
        assert_eq!(kinds(&rows), [(DeadKind::Freeze, true, 2)]);
    }

    #[test]
    fn an_area_that_can_never_be_cleared_is_a_corral() {
        let mut count = 0;
        for seed in 0..3000 {
            let level = crate::sokoban::test_levels::random_level(seed);
            let dead = explain(&level, &Control::new());
            if dead.iter().any(|d| d.kind == DeadKind::Corral) {
                count += 1;
                let solved = crate::sokoban::fewest_moves(&level, &Control::new());
                assert!(solved.outcome.plan.is_none(), "seed {seed}");
            }
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn nothing_is_dead_at_the_start_of_a_level_with_a_plan() {
        for seed in 0..400 {
            let level = crate::sokoban::test_levels::random_level(seed);
            let solved = crate::sokoban::fewest_pushes(&level, &Control::new());
            let dead = explain(&level, &Control::new());
            assert!(
                solved.outcome.plan.is_none() || dead.iter().all(|d| !d.fatal),
                "seed {seed}: {dead:?}"
            );
        }
    }
}
