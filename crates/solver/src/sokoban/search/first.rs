//! The first plan: several searches take turns and look for each other's states.
//!
//! The greedy search finds most plans alone and at once. After tens of thousands of
//! states, feature-space searches over macro moves take turns with it; see `large`. So
//! one bad guess does not cost the level. A search that gets further in its turn has
//! another one, and one that takes long begins anew with other luck. All searches know by
//! hashes which states the searches from the other end know, and when two of them meet,
//! there is a plan; see `large::meeting`. After each turn, a short search tries to join a
//! state of one end with a state of the other; see `stages`. Now and then the level is tried room by
//! room; see `rooms`. Other threads do the same with other luck; see `team`.

use std::cell::RefCell;
use std::rc::Rc;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;
use rustc_hash::FxHashSet;

use super::between::between;
use super::greedy::Greedy;
use super::rooms::Rooms;
use super::setup::Setup;
use super::stages::{Open, Stage, Stages};
use super::team::together;
use crate::control::{Control, Pace, Stop};
use crate::core::blocks::Id;
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::large::feature_search::{FeatureSearch, Part};
use crate::sokoban::large::filling::Filling;
use crate::sokoban::large::meeting::{Hashes, Push, joined};
use crate::sokoban::large::style::{STYLES, Style};
use crate::sokoban::large::technique::Technique;
use crate::sokoban::prune::learned::Learned;

/// The weight of the bound in the greedy search, in quarters.
const WEIGHT: u32 = 20;
/// After this many states, feature-space searches take turns with the greedy one.
const ALONE: u64 = 50_000;
/// Turns of the greedy search, in states, and after how many turns of others it has one; theirs are in `STYLES`.
const TURN: u64 = 2_000;
const GREEDY_EVERY: usize = 3;
/// The turns that a search may have one after the other as long as it gets further.
const MORE_TURNS: usize = 4;
/// The turns after which a search begins anew. They double each second time.
const ANEW: u32 = 40;
/// Rooms have one of this many states.
const SHARE: u64 = 6;
/// After this many states of their own they have had a fair chance, because they find a plan soon or never. From then on they
/// have one of this many.
const FAIR: u64 = 2_000_000;
const LATER_SHARE: u64 = 40;
/// With more boxes times cells than this, a state takes long, and the greedy search expands fewer of them.
const SIZE: u64 = 1_000;

/// Finds some plan; none if no plan exists. All searches of a thread together expand about `most` states.
pub(super) fn first(
    level: &Level,
    setup: &Setup,
    most: u64,
    threads: usize,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Option<Vec<Direction>>, Stop> {
    let from_start = Distances::from_start(&setup.field, memory)?;
    let hashes = Hashes::new(setup);
    let mut searches = Searches::new(level, setup, &from_start, &hashes, 0);
    let end = counts.expanded.saturating_add(most);
    match searches.begin_alone(most, counts, memory, control) {
        Err(Stop::Budget) if setup.surplus == 0 => {}
        found => return found,
    }
    if threads == 1 {
        return searches.take_turns(end, counts, memory, control);
    }
    let own = |counts: &mut Counts, memory: &mut Memory, control: &Control| {
        searches.take_turns(end, counts, memory, control)
    };
    let help = |luck, counts: &mut Counts, memory: &mut Memory, control: &Control| {
        help(level, luck, counts, memory, control)
    };
    together(threads, counts, memory, control, own, help)
}

/// Finds some plan by the greedy search alone, in a fraction of a second; none if no plan exists.
pub(super) fn soon(
    level: &Level,
    setup: &Setup,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Option<Vec<Direction>>, Stop> {
    let from_start = Distances::from_start(&setup.field, memory)?;
    let hashes = Hashes::new(setup);
    let mut searches = Searches::new(level, setup, &from_start, &hashes, 0);
    searches.begin_alone(ALONE, counts, memory, control)
}

/// The same as `first` by a thread that helps: with luck of its own, and without the greedy search and rooms, which have no luck.
fn help(
    level: &Level,
    luck: u32,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Option<Vec<Direction>>, Stop> {
    let setup = Setup::new(level, memory)?;
    let from_start = Distances::from_start(&setup.field, memory)?;
    let hashes = Hashes::new(&setup);
    let mut searches = Searches::new(level, &setup, &from_start, &hashes, luck);
    searches.take_turns(u64::MAX, counts, memory, control)
}

/// The greedy search and the feature-space searches.
struct Searches<'a> {
    setup: &'a Setup,
    from_start: &'a Distances,
    hashes: &'a Hashes<'a>,
    greedy: Greedy<'a>,
    /// The hashes of the states that each end of the greedy search has seen, by number, and as a set.
    hashed: [Vec<u64>; 2],
    known: [FxHashSet<u64>; 2],
    claimed: usize,
    /// One for each style, once it has begun.
    feature: Vec<Option<FeatureSearch<'a>>>,
    /// The number of the thread; 0 is the one that does all.
    luck: u32,
    /// For each style the turns until it begins anew, and how often it has begun.
    turns: Vec<(u32, u32)>,
    stages: Stages<'a>,
    rooms: Rooms<'a>,
    /// The states generated in turns, and in stages.
    generated: [u64; 2],
    /// Dead groups, which all forward searches share.
    learned: Rc<RefCell<Learned>>,
    /// The filling plans forward and backward.
    fillings: [Option<Filling<'a>>; 2],
    position: Position,
    walk: Walk,
    pace: Pace,
}

impl<'a> Searches<'a> {
    fn new(
        level: &'a Level,
        setup: &'a Setup,
        from_start: &'a Distances,
        hashes: &'a Hashes<'a>,
        luck: u32,
    ) -> Searches<'a> {
        Searches {
            setup,
            from_start,
            hashes,
            greedy: Greedy::new(setup, from_start, WEIGHT, true),
            hashed: [vec![], vec![]],
            known: [FxHashSet::default(), FxHashSet::default()],
            claimed: 0,
            feature: STYLES.iter().map(|_| None).collect(),
            luck,
            turns: vec![(0, 0); STYLES.len()],
            stages: Stages::new(level, setup, luck),
            rooms: Rooms::new(level, setup),
            generated: [0; 2],
            learned: Rc::new(RefCell::new(Learned::new(&setup.field))),
            fillings: [None, None],
            position: Position::start(&setup.field),
            walk: Walk::new(&setup.field.floor),
            pace: setup.field.pace(),
        }
    }

    /// The greedy search alone, for a while.
    fn begin_alone(
        &mut self,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        let alone = match self.setup.surplus {
            0 => self.scaled(ALONE).min(most),
            _ => most,
        };
        self.greedy.run(alone, counts, memory, control)
    }

    /// Fewer states if each takes long.
    fn scaled(&self, states: u64) -> u64 {
        let field = &self.setup.field;
        let size = (field.boxes.len() * field.len()) as u64;
        (states * SIZE / size.max(SIZE)).max(1)
    }

    /// All searches in turns, until this number of states has been expanded.
    fn take_turns(
        &mut self,
        end: u64,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        let does_all = self.luck == 0;
        let greedy_turn = self.scaled(TURN);
        loop {
            for i in (0..STYLES.len()).filter(|&i| STYLES[i].is_on()) {
                let before = counts.generated;
                // 1. A turn of a feature-space search, and more of them as long as it gets further.
                for _ in 0..MORE_TURNS {
                    if counts.expanded >= end {
                        return Err(Stop::Budget);
                    }
                    let (plan, is_further) = self.turn(i, counts, memory, control)?;
                    if plan.is_some() {
                        return Ok(plan);
                    }
                    if !is_further {
                        break;
                    }
                }
                // 2. Now and then a turn of the greedy search.
                if does_all && i.is_multiple_of(GREEDY_EVERY) {
                    match self.greedy.run(greedy_turn, counts, memory, control) {
                        Err(Stop::Budget) => {}
                        found => return found,
                    }
                }
                if let Some(plan) = self.compare(memory)? {
                    return Ok(Some(plan));
                }
                self.generated[0] += counts.generated - before;
                // 3. A round of rooms.
                let share = if self.rooms.cost < FAIR {
                    SHARE
                } else {
                    LATER_SHARE
                };
                let is_due = self.rooms.cost * share <= self.generated[0];
                if does_all && is_due && Technique::Rooms.is_on() {
                    let pushes = self.rooms.run(counts, memory, control)?;
                    let plan = pushes.and_then(|pushes| joined(self.setup, &pushes, &[]));
                    if plan.is_some() {
                        return Ok(plan);
                    }
                }
                // 4. An attempt to join the two ends, in half of the time.
                if self.generated[1] > self.generated[0] || !Technique::Stages.is_on() {
                    continue;
                }
                let before = counts.generated;
                if let Some(plan) = self.stage(counts, memory, control)? {
                    return Ok(Some(plan));
                }
                self.generated[1] += counts.generated - before;
            }
        }
    }

    /// Tries to get from an open state of a search from the start to one of a search from the goals.
    fn stage(
        &mut self,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        let bytes = memory.bytes();
        let picked = self.stages.pick(&mut self.feature, memory)?;
        let Some(Stage {
            ends,
            part,
            last_player,
            patience,
        }) = picked
        else {
            return Ok(None);
        };
        let known = [self.others(Way::Pull), self.others(Way::Push)];
        let found = between(
            self.setup,
            (&part, last_player),
            (self.hashes, &known),
            patience,
            counts,
            memory,
            control,
        );
        memory.release(memory.bytes() - bytes);
        let Some(bridge) = found? else {
            return Ok(None);
        };
        let [mut first, mut last] = ends.map(|end| self.pushes_of(end));
        first.extend(bridge.first);
        last.splice(0..0, bridge.last);
        if let Some((way, hash)) = bridge.met {
            let Some(rest) = self.pushes_to(way.opposite(), hash) else {
                return Ok(None);
            };
            match way {
                Way::Push => last = rest,
                Way::Pull => first = rest,
            }
        }
        Ok(joined(self.setup, &first, &last))
    }

    /// The pushes between an end of the level and an open state.
    fn pushes_of(&mut self, open: Option<Open>) -> Vec<Push> {
        open.map_or(vec![], |Open { style, id }| {
            let search = self.feature[style].as_mut().expect("it has begun");
            search.plan(id)
        })
    }

    /// A turn of the search of a style. Whether it got further.
    fn turn(
        &mut self,
        style: usize,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<(Option<Vec<Direction>>, bool), Stop> {
        let (turns, begun) = &mut self.turns[style];
        if *turns == 0 {
            *begun += 1;
            *turns = ANEW << (*begun / 2).min(16);
            if let Some(ended) = self.feature[style].take() {
                memory.release(ended.claimed);
            }
            self.feature[style] = Some(self.begin(style, memory)?);
        }
        self.turns[style].0 -= 1;
        let Style { way, turn, .. } = STYLES[style];
        let mut search = self.feature[style].take().expect("it has begun");
        let front = search.front();
        let others = self.others(way);
        let found = search.run(turn, &others, counts, memory, control);
        let is_further = search.front() < front;
        self.feature[style] = Some(search);
        match found {
            Ok(Some(part)) => Ok((self.plan(way, &part), is_further)),
            Ok(None) | Err(Stop::Budget) => Ok((None, is_further)),
            Err(stop) => Err(stop),
        }
    }

    /// A search that has not begun.
    fn begin(&mut self, style: usize, memory: &mut Memory) -> Result<FeatureSearch<'a>, Stop> {
        let seed = u64::from(self.turns[style].1 - 1) + (u64::from(self.luck) << 32);
        let style = STYLES[style];
        let filling = &mut self.fillings[end_of(style.way)];
        if filling.is_none() {
            let Setup {
                field, distances, ..
            } = self.setup;
            *filling = Some(if Technique::FillingPlan.is_on() {
                Filling::new(field, distances, style.way, memory)?
            } else {
                Filling::none(field, style.way)
            });
        }
        let filling = filling.clone().expect("it is there");
        let (from_start, hashes) = (self.from_start, self.hashes);
        let may_learn = style.way == Way::Push && Technique::LearnedGroups.is_on();
        let learned = may_learn.then(|| self.learned.clone());
        Ok(FeatureSearch::new(
            self.setup, from_start, style, filling, hashes, learned, seed,
        ))
    }

    /// What the searches from the other end know.
    fn others(&self, way: Way) -> Vec<&FxHashSet<u64>> {
        if !Technique::Meetings.is_on() {
            return vec![];
        }
        let feature = self.feature.iter().flatten();
        let feature = feature.filter(|other| other.way() != way);
        let greedy = &self.known[end_of(way.opposite())];
        feature.map(|other| &other.known).chain([greedy]).collect()
    }

    /// The plan through what a search has found.
    fn plan(&mut self, way: Way, part: &Part) -> Option<Vec<Direction>> {
        let rest = match part.met {
            None => vec![],
            Some(hash) => self.pushes_to(way.opposite(), hash)?,
        };
        match way {
            Way::Push => joined(self.setup, &part.pushes, &rest),
            Way::Pull => joined(self.setup, &rest, &part.pushes),
        }
    }

    /// The pushes between an end and a state that a search from there knows.
    fn pushes_to(&mut self, way: Way, hash: u64) -> Option<Vec<Push>> {
        let side = end_of(way);
        if let Some(id) = self.hashed[side].iter().position(|&h| h == hash) {
            return Some(self.greedy.pushes_to(side, id as Id));
        }
        let mut feature = self.feature.iter_mut().flatten();
        feature.find_map(|search| {
            let knows = search.way() == way && search.known.contains(&hash);
            knows.then(|| search.pushes_to(hash)).flatten()
        })
    }

    /// Hashes the states that the greedy search has seen since the last time. Returns a plan if a search from the other end
    /// knows one of them.
    fn compare(&mut self, memory: &mut Memory) -> Result<Option<Vec<Direction>>, Stop> {
        let Setup { field, packing, .. } = self.setup;
        for (side, way) in [Way::Push, Way::Pull].into_iter().enumerate() {
            let seen = &self.greedy.ends[side].seen;
            let mut met = None;
            for id in self.hashed[side].len()..seen.len() {
                if self.pace.is_due() {
                    memory.poll_stop()?;
                }
                self.position.unpack(packing, seen.state(id as Id));
                let Position {
                    boxes,
                    occupied,
                    player,
                } = &self.position;
                self.walk.from(&field.floor, *player, occupied);
                let hash = self.hashes.of(boxes, self.walk.reached());
                self.hashed[side].push(hash);
                self.known[side].insert(hash);
                let feature = self.feature.iter().flatten();
                let mut others = feature.filter(|other| other.way() != way);
                if Technique::Meetings.is_on() && others.any(|other| other.known.contains(&hash)) {
                    met = Some((id, hash));
                    break;
                }
            }
            if let Some((id, hash)) = met {
                let pushes = self.greedy.pushes_to(side, id as Id);
                let part = Part {
                    pushes,
                    met: Some(hash),
                };
                if let Some(plan) = self.plan(way, &part) {
                    return Ok(Some(plan));
                }
            }
        }
        let states = self.hashed.iter().map(Vec::capacity).sum::<usize>();
        let sets = self.known.iter().map(FxHashSet::capacity).sum::<usize>();
        let bytes = 8 * states + 10 * sets + self.learned.borrow().bytes();
        memory.claim(bytes.saturating_sub(self.claimed))?;
        self.claimed = self.claimed.max(bytes);
        Ok(None)
    }
}

/// The number of the end at which searches of this way begin.
fn end_of(way: Way) -> usize {
    match way {
        Way::Push => 0,
        Way::Pull => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::search::plan::pushes_of;
    use crate::sokoban::test_levels::{pulled_level, read};
    use noyes_puzzle::sokoban::Level;

    /// Whether the plan of searches that meet puts a box on every goal. All searches have short turns.
    fn is_solved_together(level: &Level, way: Option<Way>) -> bool {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let setup = Setup::new(level, &mut memory).expect("no limits");
        let from_start = Distances::from_start(&setup.field, &mut memory).expect("no limits");
        let hashes = Hashes::new(&setup);
        let mut searches = Searches::new(level, &setup, &from_start, &hashes, 0);
        let mut counts = Counts::default();
        // The greedy search knows a few states of both ends.
        let greedy = searches.greedy.run(3, &mut counts, &mut memory, &control);
        let mut plan = greedy.ok().flatten();
        let styles = (0..STYLES.len()).filter(|&i| way.is_none_or(|way| STYLES[i].way == way));
        for style in styles.cycle().take(1000) {
            if plan.is_none() {
                plan = searches.compare(&mut memory).expect("no limits");
            }
            if plan.is_some() {
                break;
            }
            let turn = searches.turn(style, &mut counts, &mut memory, &control);
            plan = turn.expect("no limits").0;
        }
        solves(&setup, &plan.expect("there is a plan"))
    }

    fn solves(setup: &Setup, plan: &[Direction]) -> bool {
        let mut boxes = setup.field.boxes.clone();
        for (cell, d) in pushes_of(setup, plan) {
            let moved = boxes.iter_mut().find(|b| **b == cell);
            *moved.expect("a box") = setup.field.step(cell, d);
        }
        boxes
            .iter()
            .all(|&b| setup.field.floor.is_goal[usize::from(b)])
    }

    #[test]
    fn stages_join_the_two_ends() {
        let control = Control::new();
        let mut joined = 0;
        for seed in 0..100 {
            let level = pulled_level(seed);
            let mut memory = Memory::new(&control);
            let setup = Setup::new(&level, &mut memory).expect("no limits");
            if setup.field.boxes.is_empty() {
                continue;
            }
            let from_start = Distances::from_start(&setup.field, &mut memory).expect("no limits");
            let hashes = Hashes::new(&setup);
            let mut searches = Searches::new(&level, &setup, &from_start, &hashes, 0);
            let mut counts = Counts::default();
            // Each search knows a few states, and none of the others.
            for style in 0..STYLES.len() {
                searches.turns[style].1 = 1;
                let mut search = searches.begin(style, &mut memory).expect("no limits");
                let _ = search.run(20, &[], &mut counts, &mut memory, &control);
                searches.feature[style] = Some(search);
            }
            let bytes = memory.bytes();
            for _ in 0..10 {
                let plan = searches.stage(&mut counts, &mut memory, &control);
                if let Some(plan) = plan.expect("no limits") {
                    assert!(solves(&setup, &plan), "seed {seed}");
                    joined += 1;
                }
                assert_eq!(memory.bytes(), bytes, "a stage keeps nothing");
            }
        }
        assert!(joined > 500, "{joined}");
    }

    #[test]
    fn searches_that_meet_have_a_plan() {
        for way in [None, Some(Way::Push), Some(Way::Pull)] {
            for seed in 0..150 {
                assert!(is_solved_together(&pulled_level(seed), way), "{seed}");
            }
        }
    }

    #[test]
    fn a_thread_that_helps_finds_plans_with_any_luck() {
        let control = Control::new();
        for seed in 0..60 {
            let level = pulled_level(seed);
            let mut memory = Memory::new(&control);
            let setup = Setup::new(&level, &mut memory).expect("no limits");
            for luck in [1, 2, 77] {
                let found = help(&level, luck, &mut Counts::default(), &mut memory, &control);
                let plan = found.expect("no limits").expect("a plan");
                assert!(solves(&setup, &plan), "seed {seed}, luck {luck}");
            }
        }
    }

    #[test]
    fn on_symmetric_levels_the_parts_are_turned() {
        let level = read(&[
            "#########",
            "#.  #  .#",
            "# $   $ #",
            "#   @   #",
            "##  #  ##",
            "#   $   #",
            "#. $ $ .#",
            "#   .   #",
            "#########",
        ]);
        for way in [None, Some(Way::Push), Some(Way::Pull)] {
            assert!(is_solved_together(&level, way), "{way:?}");
        }
        let control = Control::new();
        let setup = Setup::new(&level, &mut Memory::new(&control));
        assert!(!setup.expect("no limits").symmetries.is_empty());
    }
}
