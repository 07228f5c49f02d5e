//! Who went where: the search does not distinguish players, so this assigns each step of a plan to its player.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::joint::{Joint, Last, NO_BOX};
use crate::sokoban::floor::Floor;
use crate::sokoban::joint_step::JointStep;

/// The joint moves that lead from each state to the next, with the players in the order of the level.
pub(super) fn retrace(
    level: &Level,
    floor: &Floor,
    boxes: usize,
    states: &[Vec<u16>],
    wait: bool,
) -> Vec<JointStep> {
    let mut players = floor.numbers(level.players().iter().copied());
    let mut joint = Joint::new(floor, players.len(), wait);
    let mut plan = vec![];
    for pair in states.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        let mut made = None;
        joint.forward(
            floor,
            &from[..boxes],
            &players,
            Last::default(),
            &mut |choices| {
                let mut after: Vec<u16> = from[..boxes].to_vec();
                for choice in choices.iter().filter(|c| c.box_to != NO_BOX) {
                    after[from[..boxes]
                        .binary_search(&choice.box_from)
                        .expect("a box")] = choice.box_to;
                }
                after.sort_unstable();
                let mut stand: Vec<u16> = choices.iter().map(|c| c.to).collect();
                stand.sort_unstable();
                after.extend(stand);
                if after == *to {
                    made = Some(choices.iter().map(|c| c.to).collect::<Vec<_>>());
                }
                made.is_none()
            },
        );
        let made = made.expect("a joint move from one state to the next");
        let direction = |(&from, &to): (&u16, &u16)| {
            let next = floor.next[usize::from(from)].iter().position(|&n| n == to);
            next.map(|d| Direction::ALL[d])
        };
        plan.push(players.iter().zip(&made).map(direction).collect());
        players = made;
    }
    plan
}
