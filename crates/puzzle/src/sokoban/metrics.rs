//! What a plan is measured by: the six numbers that Sokoban players compare.
//!
//! - *moves*: steps of players, including pushes, without waits;
//! - *pushes*: moves that push a box;
//! - *box lines*: runs of pushes in one direction, with no other move between;
//! - *box changes*: how often a player starts to push a different box, including
//!   the first;
//! - *pushing sessions*: runs of pushes in any direction, with no other move
//!   between;
//! - *player lines*: runs of moves in one direction, pushes or not.
//!
//! For a crew each of them is counted for each player and added up; *steps* are
//! those of all together, and a wait ends a run.

use super::{Blocked, Level, State, Walks, step};
use crate::tiles::Direction;

/// The measures of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Metrics {
    /// Steps of all players together: the length of the plan.
    pub steps: usize,
    /// Moves, without waits.
    pub moves: usize,
    /// Moves that push a box.
    pub pushes: usize,
    /// Runs of pushes in one direction.
    pub box_lines: usize,
    /// How often a different box is pushed than before, including the first.
    pub box_changes: usize,
    /// Runs of pushes.
    pub pushing_sessions: usize,
    /// Runs of moves in one direction.
    pub player_lines: usize,
}

impl Metrics {
    /// The measures of a plan, whether it solves the level or not.
    ///
    /// # Errors
    /// The first step that is not legal, counted from 0, and why.
    ///
    /// # Panics
    /// If there is not a walk for each player.
    pub fn of(level: &Level, walks: &Walks) -> Result<Metrics, (usize, Blocked)> {
        let mut state = State::start(level);
        let mut metrics = Metrics {
            steps: walks.len(),
            ..Metrics::default()
        };
        // What each player did in the step before, and where the box is that it pushed last.
        let mut last: Vec<Option<(Direction, bool)>> = vec![None; walks.players()];
        let mut pushed: Vec<Option<u16>> = vec![None; walks.players()];
        for at in 0..walks.len() {
            let moves = walks.step(at);
            let before = state.clone();
            step(level, &mut state, &moves, true).map_err(|blocked| (at, blocked))?;
            for (player, &direction) in moves.iter().enumerate() {
                let Some(direction) = direction else {
                    last[player] = None;
                    continue;
                };
                let here = state.players[player];
                let is_push = before.boxes.binary_search(&here).is_ok();
                let (same_way, pushing) = match last[player] {
                    Some((way, push)) => (way == direction, push),
                    None => (false, false),
                };
                metrics.moves += 1;
                metrics.player_lines += usize::from(!same_way);
                if is_push {
                    metrics.pushes += 1;
                    metrics.pushing_sessions += usize::from(!pushing);
                    metrics.box_lines += usize::from(!(pushing && same_way));
                    metrics.box_changes += usize::from(pushed[player] != Some(here));
                    let to = level.neighbour(here, direction);
                    // Others of a crew may push this box on; then it is another one for this player.
                    pushed[player] = to;
                }
                last[player] = Some((direction, is_push));
            }
        }
        Ok(metrics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::parse_level;

    fn measured(level: &str, plan: &str) -> [usize; 7] {
        let level = parse_level(level).unwrap();
        let walks = Walks::parse(plan, level.players().len()).unwrap();
        let m = Metrics::of(&level, &walks).unwrap();
        [
            m.steps,
            m.moves,
            m.pushes,
            m.box_lines,
            m.box_changes,
            m.pushing_sessions,
            m.player_lines,
        ]
    }

    #[test]
    fn runs_end_by_turns_by_walks_and_by_other_boxes() {
        let level = "########|#      #|#@ $   #|#      #|#  $   #|#  ..  #|########";
        // A walk into a push goes on in its line.
        assert_eq!(measured(level, "rRR"), [3, 3, 2, 1, 1, 1, 1]);
        // Twice the same box, round the corner.
        assert_eq!(measured(level, "rRurD"), [5, 5, 2, 2, 1, 2, 4]);
        // A turn within one session comes with another box.
        let level = "########|#      #|#@ $   #|#  $   #|#      #|#  ..  #|########";
        assert_eq!(measured(level, "rRD"), [3, 3, 2, 2, 2, 1, 2]);
    }

    #[test]
    fn a_crew_counts_each_player() {
        let level = "#########|#@$ . $@#|#   .   #|#########";
        assert_eq!(measured(level, "R.R/L.."), [3, 3, 3, 3, 2, 3, 3]);
    }

    #[test]
    fn an_illegal_step_is_told() {
        let level = parse_level("#####|#@$.#|#####").unwrap();
        let walks = Walks::parse("RR", 1).unwrap();
        assert_eq!(
            Metrics::of(&level, &walks),
            Err((1, Blocked::BoxWall { player: 0 }))
        );
    }

    #[test]
    fn a_run_of_pushes_ends_with_a_walk_a_turn_or_a_wait() {
        //  steps, moves, pushes, box lines, box changes, sessions, player lines
        let level = "#########|#       #|#@$     #|#    $  #|#       #|#   ..  #|#########";
        assert_eq!(measured(level, ""), [0; 7]);
        assert_eq!(measured(level, "RRR"), [3, 3, 3, 1, 1, 1, 1]);
        assert_eq!(measured(level, "R.R"), [3, 2, 2, 2, 1, 2, 2]);
        assert_eq!(measured(level, "RlrR"), [4, 4, 2, 2, 1, 2, 3]);
        assert_eq!(measured(level, "uddur"), [5, 5, 1, 1, 1, 1, 4]);
        // Down from one box to the next: a turn is a new line in the same session.
        let level = "######|#    #|#@$  #|# $  #|#    #|# .. #|######";
        assert_eq!(measured(level, "RDD"), [3, 3, 3, 2, 2, 1, 2]);
        // Back to the first box: a change again.
        assert_eq!(measured(level, "RDuR"), [4, 4, 3, 3, 3, 2, 4]);
    }
}
