//! Plain search over boxes and players, for one player and for crews. The tests
//! judge the other engines by it.
//!
//! It tries every joint move of all players in every state, cheapest state first.
//! If the cost is steps, this is breadth-first search. If the cost is pushes, moves
//! without a push cost nothing and ties are broken by moves, so it is Dijkstra's
//! algorithm with pairs as costs. At any time, no plan is cheaper than the state
//! that it expands.

use noyes_puzzle::sokoban::{Level, State, step};
use noyes_puzzle::tiles::Direction;

use crate::answer::{Outcome, Status};
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Key, Pool};
use crate::core::store::{Id, Reached, Store, chain};
use crate::counts::{Bounds, Counts};
use crate::names::Objective;
use crate::sokoban::joint_step::JointStep;

/// Finds a plan of least cost and, among those, of least second cost. With `any`, returns the first plan that it meets.
pub fn bfs(
    level: &Level,
    objective: Objective,
    wait: bool,
    any: bool,
    control: &Control,
) -> Outcome<JointStep> {
    let crew = level.players().len();
    let state_bytes = size_of::<Box<[u16]>>() + 2 * (level.boxes().len() + crew);
    let mut search = PlainSearch {
        level,
        counts_pushes: crew == 1 && objective == Objective::Pushes,
        // A single player never gains anything by waiting.
        actions: if wait && crew > 1 { 5 } else { 4 },
        wait,
        any,
        control,
        memory: Memory::new(control),
        seen: Store::new(state_bytes),
        pool: Pool::new(),
        open: Buckets::new(),
        lower: 0,
        expanded: 0,
        generated: 1,
        pace: Pace::new(state_bytes),
    };
    match search.run() {
        Ok(Some((goal, cost))) if search.any && cost > search.lower => Outcome {
            status: Status::Solved,
            bounds: Bounds {
                lower: search.lower,
                upper: Some(cost),
            },
            plan: Some(search.plan_to(goal)),
            counts: search.counts(),
        },
        Ok(Some((goal, cost))) => Outcome::optimal(search.plan_to(goal), cost, search.counts()),
        Ok(None) => Outcome::unsolvable(search.lower, search.counts()),
        Err(stop) => Outcome::stopped(stop, search.lower, search.counts()),
    }
}

struct PlainSearch<'a> {
    level: &'a Level,
    counts_pushes: bool,
    /// The number of things that one player can do: go in four directions, and perhaps wait.
    actions: usize,
    wait: bool,
    any: bool,
    control: &'a Control,
    memory: Memory<'a>,
    /// States, as the cells of the boxes and then of the players.
    seen: Store<Box<[u16]>, Reached<Key>>,
    pool: Pool,
    open: Buckets,
    lower: u32,
    expanded: u64,
    generated: u64,
    pace: Pace,
}

impl PlainSearch<'_> {
    /// The first solved state that is taken from the queue, and its cost; `None` if no state is left.
    fn run(&mut self) -> Result<Option<(Id, u32)>, Stop> {
        let start = packed(&State::start(self.level));
        let root = Reached {
            parent: 0,
            g: (0, 0),
        };
        let (id, _) = self.seen.find_or_insert(&start, root, &mut self.memory)?;
        self.pool
            .push(&mut self.open, (0, 0), id, &mut self.memory)?;
        while let Some((key, id)) = self.pool.pop(&mut self.open, &mut self.memory) {
            if key != self.seen.value(id).g {
                continue; // a cheaper path was found since
            }
            if key.0 > self.lower {
                self.lower = key.0;
                self.control.raise_lower(key.0);
            }
            let state = unpacked(self.level, self.seen.state(id));
            if state.is_solved(self.level) {
                return Ok(Some((id, key.0)));
            }
            self.expanded += 1;
            if let Some(goal) = self.expand(id, key, &state)? {
                return Ok(Some((goal, self.seen.value(goal).g.0)));
            }
        }
        Ok(None)
    }

    /// Makes every joint move of a state. If the first plan will do, returns a solved state as soon as it meets one.
    fn expand(&mut self, parent: Id, g: Key, state: &State) -> Result<Option<Id>, Stop> {
        let mut moves = first_moves(state.players.len());
        loop {
            self.generated += 1;
            if self.pace.is_due() {
                self.control.poll(&self.counts())?;
            }
            let mut next = state.clone();
            if let Ok(pushes) = step(self.level, &mut next, &moves, self.wait) {
                let pushes = pushes as u32;
                let g = if self.counts_pushes {
                    (g.0 + pushes, g.1 + 1)
                } else {
                    (g.0 + 1, g.1 + pushes)
                };
                let reached = Reached { parent, g };
                let memory = &mut self.memory;
                let (id, new) = self.seen.find_or_insert(&packed(&next), reached, memory)?;
                if new || g < self.seen.value(id).g {
                    *self.seen.value_mut(id) = reached;
                    self.pool.push(&mut self.open, g, id, memory)?;
                    if self.any && next.is_solved(self.level) {
                        return Ok(Some(id));
                    }
                }
            }
            if !next_moves(&mut moves, self.actions) {
                return Ok(None);
            }
        }
    }

    /// The plan that leads to a state: what all players do in each step.
    fn plan_to(&self, goal: Id) -> Vec<JointStep> {
        let ids = chain(goal, |id| self.seen.value(id).parent);
        let mut plan = vec![];
        for (&from, &to) in ids.iter().zip(&ids[1..]) {
            let state = unpacked(self.level, self.seen.state(from));
            let mut moves = first_moves(state.players.len());
            loop {
                let mut next = state.clone();
                if step(self.level, &mut next, &moves, self.wait).is_ok()
                    && packed(&next) == *self.seen.state(to)
                {
                    break;
                }
                assert!(
                    next_moves(&mut moves, self.actions),
                    "some joint move leads from a parent to its child"
                );
            }
            plan.push(moves.into());
        }
        plan
    }

    fn counts(&self) -> Counts {
        Counts {
            expanded: self.expanded,
            generated: self.generated,
            peak_bytes: self.memory.peak(),
            ..Counts::default()
        }
    }
}

/// The first joint move: every player goes in the first direction.
fn first_moves(players: usize) -> Vec<Option<Direction>> {
    vec![Some(Direction::ALL[0]); players]
}

/// Counts up to the next joint move, with one digit for each player; false after the last one. In the last one all
/// players wait, if waiting is allowed.
fn next_moves(moves: &mut [Option<Direction>], actions: usize) -> bool {
    for action in moves {
        let digit = action.map_or(4, |d| d as usize);
        let next = digit + 1;
        if next < actions {
            *action = Direction::ALL.get(next).copied();
            return true;
        }
        *action = Some(Direction::ALL[0]);
    }
    false
}

fn packed(state: &State) -> Box<[u16]> {
    [&state.boxes[..], &state.players[..]].concat().into()
}

fn unpacked(level: &Level, cells: &[u16]) -> State {
    let (boxes, players) = cells.split_at(level.boxes().len());
    State {
        boxes: boxes.to_vec(),
        players: players.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::{Metrics, Walks, parse_level};

    fn solved(text: &str, objective: Objective, wait: bool) -> Option<(usize, usize, usize)> {
        let level = parse_level(text).unwrap();
        let outcome = bfs(&level, objective, wait, false, &Control::new());
        let walks = Walks::of_steps(level.players().len(), &outcome.plan?);
        noyes_check::sokoban_plan(&level, &walks, wait).unwrap();
        let metrics = Metrics::of(&level, &walks).unwrap();
        Some((metrics.steps, metrics.moves, metrics.pushes))
    }

    #[test]
    fn every_joint_move_is_tried_once() {
        for (players, actions) in [(1, 4), (1, 5), (2, 4), (2, 5), (3, 5)] {
            let mut moves = first_moves(players);
            let mut all = vec![moves.clone()];
            while next_moves(&mut moves, actions) {
                all.push(moves.clone());
            }
            assert_eq!(all.len(), actions.pow(players as u32));
            all.sort();
            all.dedup();
            assert_eq!(all.len(), actions.pow(players as u32));
        }
    }

    #[test]
    fn map1_of_the_ntu_report_needs_31_moves_or_10_pushes() {
        let level = data("map1");
        assert_eq!(solved(&level, Objective::Moves, true).unwrap().1, 31);
        assert_eq!(solved(&level, Objective::Pushes, true).unwrap().2, 10);
    }

    #[test]
    fn there_may_be_more_boxes_than_goals_and_an_unsolvable_level_has_no_plan() {
        let many = "#######|#@$.$ #|#  $  #|#######";
        assert_eq!(solved(many, Objective::Pushes, true), Some((1, 1, 1)));
        assert_eq!(
            solved("#####|#@ .#|#$  #|#####", Objective::Moves, true),
            None
        );
    }

    #[test]
    fn a_crew_shares_the_work() {
        let level = "##########|#@$ .. $@#|#        #|##########";
        let one = level.replacen('@', " ", 1);
        assert_eq!(solved(level, Objective::Pushes, true).unwrap().0, 2);
        assert_eq!(solved(&one, Objective::Moves, true).unwrap().0, 11);
    }

    #[test]
    #[ignore = "a minute"]
    fn a_crew_of_two_needs_16_steps_on_map1_of_the_ntu_report() {
        let crew = data("map1").replacen("WWWXXX", "WWWPXX", 1);
        for wait in [true, false] {
            assert_eq!(solved(&crew, Objective::Pushes, wait).unwrap().0, 16);
        }
    }

    fn data(name: &str) -> String {
        let path = format!(
            "{}/../../data/sokoban/{name}.txt",
            env!("CARGO_MANIFEST_DIR")
        );
        std::fs::read_to_string(path).unwrap()
    }
}
