//! Joint moves: what all players may do in one step, forward and backward in time.
//!
//! The rules apply to the position after the step: no two players in one cell, no
//! two boxes, no player with a box. Two players must not change places. A player
//! pushes a box by moving into its cell, so the pusher always takes the cell that a
//! pushed box leaves. Nobody else enters that cell, no box is pushed into it, and
//! two players never push the same box. That leaves the cells that players leave:
//! others may enter them, and boxes may be pushed into them.
//!
//! Backward, a player steps back and may pull a box along into the cell that it
//! leaves. The player may come from a cell where a box is now, if that box was
//! pushed there in this very step.
//!
//! A player who waits and then moves could just as well move first and then wait, if
//! nothing was in the way. So for a player who waited in the last step, we try only
//! what was impossible then: to enter a cell where somebody stands (who leaves it
//! now), to push a box into such a cell, or to push a box that has only just arrived.
//! Nothing is lost. The state that a pruned joint move leads to is reached in as many
//! steps through the state in which this player moved first, and then waits. If that
//! path prunes the move of another player who waited, the same argument applies to
//! both of them, and so on. Backward it is the same, with the two steps exchanged.
//! This halves the number of joint moves for two players and for three.
//!
//! The choices of each player are listed first and then combined player by player. A
//! choice that collides with an earlier one is pruned at once.

use crate::sokoban::floor::{Floor, back};

/// Stands for the box of a player who moves none.
pub(super) const NO_BOX: u16 = u16::MAX;

/// What one player does: the cell it goes to, and the box that it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) to: u16,
    /// The cell that the box leaves, or `NO_BOX`.
    pub(super) box_from: u16,
    pub(super) box_to: u16,
}

/// The last step: which players waited, as bits in the players' order, and where the boxes were before it.
#[derive(Clone, Copy, Default)]
pub(super) struct Last<'a> {
    pub(super) waited: u32,
    pub(super) boxes: &'a [u16],
}

impl Last<'_> {
    fn has_waited(self, player: usize) -> bool {
        self.waited.checked_shr(player as u32).unwrap_or(0) & 1 == 1
    }
}

/// A player will be there.
const PLAYER: u8 = 1;
/// A moved box will be there.
const BOX: u8 = 2;
/// A box is there and will leave.
const LEFT: u8 = 4;

/// Buffers for joint moves, reused from state to state.
#[derive(Default)]
pub(super) struct Joint {
    /// Whether each cell has a box.
    has_box: Vec<bool>,
    /// For each cell, what the choices made so far do there.
    marks: Vec<u8>,
    /// The choices of each player.
    options: Vec<Vec<Choice>>,
    chosen: Vec<Choice>,
    wait: bool,
}

impl Joint {
    pub(super) fn new(floor: &Floor, players: usize, wait: bool) -> Joint {
        Joint {
            has_box: vec![false; floor.len()],
            marks: vec![0; floor.len()],
            options: vec![vec![]; players],
            chosen: vec![],
            wait,
        }
    }

    /// Calls `visit` with each joint move of a state until it returns false.
    pub(super) fn forward(
        &mut self,
        floor: &Floor,
        boxes: &[u16],
        players: &[u16],
        last: Last,
        visit: &mut impl FnMut(&[Choice]) -> bool,
    ) -> bool {
        let front = |c: &Choice| if c.box_to == NO_BOX { c.to } else { c.box_to };
        self.list(boxes, players, last, front, |has_box, player, options| {
            for d in 0..4 {
                let to = floor.step(player, d);
                if to == floor.wall() {
                    continue;
                }
                if !has_box[usize::from(to)] {
                    options.push(Choice {
                        to,
                        box_from: NO_BOX,
                        box_to: NO_BOX,
                    });
                    continue;
                }
                let box_to = floor.step(to, d);
                if box_to != floor.wall() && !has_box[usize::from(box_to)] {
                    options.push(Choice {
                        to,
                        box_from: to,
                        box_to,
                    });
                }
            }
        });
        let wanted = self.combine(players, visit);
        self.clear(boxes);
        wanted
    }

    /// Calls `visit` with each joint move that leads to a state, until it returns false. The choices undo the move.
    pub(super) fn backward(
        &mut self,
        floor: &Floor,
        boxes: &[u16],
        players: &[u16],
        last: Last,
        visit: &mut impl FnMut(&[Choice]) -> bool,
    ) -> bool {
        self.list(
            boxes,
            players,
            last,
            |c| c.to,
            |has_box, player, options| {
                for d in 0..4 {
                    let to = floor.step(player, back(d));
                    if to == floor.wall() {
                        continue;
                    }
                    options.push(Choice {
                        to,
                        box_from: NO_BOX,
                        box_to: NO_BOX,
                    });
                    let front = floor.step(player, d);
                    if front != floor.wall() && has_box[usize::from(front)] {
                        options.push(Choice {
                            to,
                            box_from: front,
                            box_to: player,
                        });
                    }
                }
            },
        );
        let wanted = self.combine(players, visit);
        self.clear(boxes);
        wanted
    }

    /// Lists the choices of each player; `front` is the cell that a choice needs to be free.
    fn list(
        &mut self,
        boxes: &[u16],
        players: &[u16],
        last: Last,
        front: impl Fn(&Choice) -> u16,
        add: impl Fn(&[bool], u16, &mut Vec<Choice>),
    ) {
        for &at in boxes {
            self.has_box[usize::from(at)] = true;
        }
        for (i, (options, &player)) in self.options.iter_mut().zip(players).enumerate() {
            options.clear();
            add(&self.has_box, player, options);
            if last.has_waited(i) {
                let is_taken =
                    |cell: u16| self.has_box[usize::from(cell)] || players.contains(&cell);
                options.retain(|choice| {
                    let has_come =
                        choice.box_from != NO_BOX && !last.boxes.contains(&choice.box_from);
                    has_come || is_taken(front(choice))
                });
            }
            if self.wait {
                options.push(Choice {
                    to: player,
                    box_from: NO_BOX,
                    box_to: NO_BOX,
                });
            }
        }
    }

    fn clear(&mut self, boxes: &[u16]) {
        for &at in boxes {
            self.has_box[usize::from(at)] = false;
        }
    }

    fn combine(&mut self, players: &[u16], visit: &mut impl FnMut(&[Choice]) -> bool) -> bool {
        let who = self.chosen.len();
        if who == players.len() {
            // Backward: a box on a cell that a player came from has to leave that cell.
            let is_free = |c: &Choice| {
                let to = usize::from(c.to);
                !self.has_box[to] || self.marks[to] & LEFT != 0
            };
            return !self.chosen.iter().all(is_free) || visit(&self.chosen);
        }
        for i in 0..self.options[who].len() {
            let choice = self.options[who][i];
            if self.collides(choice, players) {
                continue;
            }
            self.mark(choice);
            self.chosen.push(choice);
            let wanted = self.combine(players, visit);
            self.chosen.pop();
            self.mark(choice);
            if !wanted {
                return false;
            }
        }
        true
    }

    fn collides(&self, choice: Choice, players: &[u16]) -> bool {
        let who = self.chosen.len();
        let marked = |cell: u16, marks: u8| self.marks[usize::from(cell)] & marks != 0;
        let swaps = |(other, chosen): (usize, &Choice)| {
            chosen.to == players[who] && choice.to == players[other]
        };
        marked(choice.to, PLAYER | BOX)
            || choice.box_to != NO_BOX
                && (marked(choice.box_to, PLAYER | BOX) || marked(choice.box_from, LEFT))
            || self.chosen.iter().enumerate().any(swaps)
    }

    /// Sets the marks of a choice, or removes them again.
    fn mark(&mut self, choice: Choice) {
        self.marks[usize::from(choice.to)] ^= PLAYER;
        if choice.box_to != NO_BOX {
            self.marks[usize::from(choice.box_to)] ^= BOX;
            self.marks[usize::from(choice.box_from)] ^= LEFT;
        }
    }
}
