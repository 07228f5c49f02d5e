//! Between two states: a short search for the pushes that lead from one state to another.
//!
//! The greedy search over single pushes begins. If it finds nothing soon, two
//! feature-space searches over macro moves, one from each state, take turns. They see
//! progress by the bound alone, and they have time as long as one of them gets further.
//! They also know what other searches of the whole level know: a state that can be reached
//! from the first one and is known from the goals back is as good as the second state
//! itself.

use noyes_puzzle::sokoban::Level;
use rustc_hash::FxHashSet;

use super::greedy::Greedy;
use super::part::pushes_in_whole;
use super::setup::Setup;
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::large::feature_search::FeatureSearch;
use crate::sokoban::large::filling::Filling;
use crate::sokoban::large::meeting::{Hashes, Push};
use crate::sokoban::large::style;

/// The weight of the bound in the greedy search, in quarters.
const WEIGHT: u32 = 20;
/// The states that the greedy search may expand.
const SINGLE: u64 = 1_000;
/// The states that the others may generate before one of them gets further, and in all.
const STILL: u64 = 15_000;
const MOST: u64 = 240_000;

/// Pushes from the first state, and pushes to the second.
pub(super) struct Bridge {
    pub(super) first: Vec<Push>,
    pub(super) last: Vec<Push>,
    /// If the pushes of this way lead to a state that searches of the whole level know, its hash.
    pub(super) met: Option<(Way, u64)>,
}

/// What the searches of the whole level know, from the start and from the goals.
pub(super) type Known<'a> = [Vec<&'a FxHashSet<u64>>; 2];

/// Searches the part of a level between two states, given the player of the second one if it matters. The budgets are `patience` times those of a first search.
pub(super) fn between(
    whole: &Setup,
    (part, last_player): (&Level, Option<u16>),
    (hashes, known): (&Hashes, &Known),
    patience: u64,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Option<Bridge>, Stop> {
    let mut setup = Setup::new(part, memory)?;
    setup.last_player = last_player;
    let from_start = Distances::from_start(&setup.field, memory)?;
    // 1. Single pushes.
    let mut greedy = Greedy::new(&setup, &from_start, WEIGHT, true);
    match greedy.run(patience * SINGLE, counts, memory, control) {
        Err(Stop::Budget) => {}
        Err(stop) => return Err(stop),
        Ok(None) => return Ok(None),
        Ok(Some(plan)) => {
            return Ok(Some(Bridge {
                first: pushes_in_whole(&setup, &plan, &whole.field),
                last: vec![],
                met: None,
            }));
        }
    }
    // 2. Macro moves. The cells of the part have the same numbers, because its floor is the same.
    if setup.field.floor.cells != whole.field.floor.cells {
        return Ok(None);
    }
    let mut searches = [Way::Push, Way::Pull].map(|way| {
        let style = style::between(way);
        let filling = Filling::none(&setup.field, way);
        FeatureSearch::new(&setup, &from_start, style, filling, hashes, None, 0)
    });
    let most = counts.generated + patience * MOST;
    let mut end = counts.generated + patience * STILL;
    let mut fronts = [u32::MAX; 2];
    while counts.generated < end.min(most) {
        for i in 0..2 {
            let front = searches[i].front();
            if front < fronts[i] {
                fronts[i] = front;
                end = counts.generated + patience * STILL;
            }
            let [one, two] = &mut searches;
            let (own, other) = if i == 0 { (one, two) } else { (two, one) };
            let mut others = vec![&other.known];
            others.extend(&known[1 - i]);
            let found = match own.run(
                style::between(own.way()).turn,
                &others,
                counts,
                memory,
                control,
            ) {
                Ok(Some(found)) => found,
                Ok(None) => return Ok(None),
                Err(Stop::Budget) => continue,
                Err(stop) => return Err(stop),
            };
            let (mut rest, mut met) = (vec![], None);
            if let Some(hash) = found.met {
                if other.known.contains(&hash) {
                    rest = other.pushes_to(hash).unwrap_or_default();
                } else {
                    met = Some((own.way(), hash));
                }
            }
            let (first, last) = if i == 0 {
                (found.pushes, rest)
            } else {
                (rest, found.pushes)
            };
            return Ok(Some(Bridge { first, last, met }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::field::position::Position;
    use crate::sokoban::field::walk::Walk;
    use crate::sokoban::floor::back;
    use crate::sokoban::search::part::part_of;
    use crate::sokoban::search::plan::walked;
    use crate::sokoban::test_levels::pulled_level;

    /// Makes a push if it is possible.
    fn push(setup: &Setup, walk: &mut Walk, position: &mut Position, cell: u16, d: usize) -> bool {
        let field = &setup.field;
        let (behind, to) = (field.step(cell, back(d)), field.step(cell, d));
        walk.from(&field.floor, position.player, &position.occupied);
        let number = position.occupied[usize::from(cell)];
        let is_possible = number != 0
            && behind != field.wall()
            && walk.reaches(behind)
            && position.occupied[usize::from(to)] == 0;
        if is_possible {
            position.shift(usize::from(number) - 1, to);
            position.player = cell;
        }
        is_possible
    }

    #[test]
    fn a_bridge_leads_to_the_boxes_and_the_player_of_the_second_state() {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let (mut found, mut elsewhere) = (0, 0);
        for seed in 0..300 {
            let level = pulled_level(seed);
            let setup = Setup::new(&level, &mut memory).expect("no limits");
            let field = &setup.field;
            if field.boxes.is_empty() {
                continue;
            }
            // 1. A state some pushes away.
            let mut walk = Walk::new(&field.floor);
            let mut last = Position::start(field);
            let mut random = seed + 1;
            for _ in 0..200 {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let number = (random >> 33) as usize % last.boxes.len();
                let cell = last.boxes[number];
                push(
                    &setup,
                    &mut walk,
                    &mut last,
                    cell,
                    (random >> 60) as usize % 4,
                );
            }
            // 2. The pushes that lead there.
            let mut goals = last.boxes.clone();
            goals.sort_unstable();
            let part = part_of(&level, field, &field.boxes, &goals, field.player);
            let hashes = Hashes::new(&setup);
            let known = [vec![], vec![]];
            let bridge = between(
                &setup,
                (&part, Some(last.player)),
                (&hashes, &known),
                100,
                &mut Counts::default(),
                &mut memory,
                &control,
            );
            let Some(bridge) = bridge.expect("no limits") else {
                continue;
            };
            let pushes = [bridge.first, bridge.last].concat();
            assert!(walked(&setup, &pushes).is_some(), "seed {seed}");
            let mut position = Position::start(field);
            for (cell, d) in pushes {
                assert!(
                    push(&setup, &mut walk, &mut position, cell, d),
                    "seed {seed}"
                );
            }
            let mut boxes = position.boxes.clone();
            boxes.sort_unstable();
            assert_eq!(boxes, goals, "seed {seed}");
            walk.from(&field.floor, position.player, &position.occupied);
            assert!(walk.reaches(last.player), "seed {seed}");
            found += 1;
            elsewhere += u32::from(walk.reached().len() + boxes.len() < field.len());
        }
        assert!(
            found > 250 && elsewhere > 20,
            "{found} found, {elsewhere} with two parts"
        );
    }
}
