//! Generates levels that are solvable, have a known optimum, and are worth playing.
//!
//! A level starts as a random room. Goals are placed in it, in a heap or scattered,
//! and boxes are pulled off the goals as far as they go (`pull`). Among the farthest
//! positions, the best is the one whose plan switches most between boxes and turns
//! them most. Positions in which some box is never pushed do not count, nor do those
//! in which several boxes are simply pushed home one after the other. The best of
//! several rooms is taken.
//!
//! The pull search gives the fewest pushes for one player. For a crew, players are
//! placed around the boxes and a search finds the fewest steps; in its plan every
//! player has to push something. Finally, dead ends that the plan does not use are
//! walled up: with less floor no plan gets shorter, and this one still works.
//!
//! The same wish and the same random numbers give the same level on every machine,
//! because all limits inside are counts.

use noyes_puzzle::sokoban::{Level, crop};
use noyes_puzzle::tiles::Generator;

use super::pull::{Pulled, Push};
use super::room::Room;
use super::wish::{GenerateError, Generated, MOST_SIDE, ROOMS, Wish};
use crate::answer::{Outcome, Status};
use crate::control::{Control, Stop};
use crate::sokoban::crew::search::fewest_steps;
use crate::sokoban::floor::Floor;
use crate::sokoban::joint_step::JointStep;

/// How many more rooms are tried after the first good level, for a better one.
const ROOMS_MORE: usize = 30;
/// The most positions that are expanded in one room.
const POSITIONS: usize = 100_000;
/// How many of the farthest positions of a room are rated.
const LOOKED_AT: usize = 150;
/// The most joint moves that are tried for a plan of a crew.
const JOINT_MOVES: u64 = 3_000_000;

/// Makes a level from the random numbers of `generator`.
///
/// ```
/// use noyes_puzzle::tiles::Generator;
/// use noyes_solver::{Control, sokoban::{Wish, generate}};
/// let wish = Wish { width: 7, height: 7, boxes: 2, players: 1, least: 10 };
/// let made = generate(&wish, &mut Generator::new(1, 0), &Control::new())?;
/// assert!(made.optimum >= 10);
/// # Ok::<(), noyes_solver::sokoban::GenerateError>(())
/// ```
///
/// # Errors
/// If the wish is impossible, no such level was found, or a limit was reached first.
pub fn generate(
    wish: &Wish,
    generator: &mut Generator,
    control: &Control,
) -> Result<Generated, GenerateError> {
    let Wish {
        width,
        height,
        boxes,
        players,
        ..
    } = *wish;
    if !(5..=MOST_SIDE).contains(&width) || !(5..=MOST_SIDE).contains(&height) {
        return Err(GenerateError::Size { width, height });
    }
    let most = (width - 2) * (height - 2);
    if boxes == 0 || players == 0 || boxes > most || players > most || 2 * boxes + players > most {
        return Err(GenerateError::Crowd {
            boxes,
            players,
            width,
            height,
        });
    }
    let (mut found, mut longest): (Option<(u32, Generated)>, _) = (None, None);
    let mut rooms = 0..ROOMS;
    while rooms.next().is_some() {
        let made = draw(wish, generator, control, &mut longest);
        let made = made.map_err(|stop| GenerateError::Stopped {
            stop,
            best: longest,
        })?;
        if let Some((score, level)) = made {
            if found.is_none() {
                rooms.end = rooms.end.min(rooms.start + ROOMS_MORE);
            }
            if found.as_ref().is_none_or(|(best, _)| score > *best) {
                found = Some((score, level));
            }
        }
    }
    let none = GenerateError::NotFound { best: longest };
    found.map(|(_, level)| level).ok_or(none)
}

/// Draws one room and makes the best level from it, with its score; none if no level is good enough.
fn draw(
    wish: &Wish,
    generator: &mut Generator,
    control: &Control,
    longest: &mut Option<u32>,
) -> Result<Option<(u32, Generated)>, Stop> {
    control.poll_stop()?;
    let Some(room) = Room::draw(wish.width, wish.height, generator) else {
        return Ok(None);
    };
    let Some(goals) = place_goals(&room, wish, generator) else {
        return Ok(None);
    };
    // 1. All solvable positions, and the best of the farthest.
    let level = room.level(&goals, &goals, &[]);
    let floor = Floor::new(&level);
    let at = floor.numbers(goals.iter().map(|&goal| goal as u16));
    let mut pulled = Pulled::new(&floor, &at, POSITIONS, control)?;
    let most = pulled.pushes(pulled.len() - 1);
    if wish.players == 1 {
        *longest = (*longest).max(Some(most));
    }
    let least = if wish.players == 1 { wish.least } else { 1 };
    let Some((score, id)) = choose(&pulled, &at, most, least, generator) else {
        return Ok(None);
    };
    // 2. Players, and the plan.
    let (boxes, _) = pulled.position(id);
    let boxes: Vec<u16> = boxes.to_vec();
    let reachable = pulled.reachable(id);
    let mut players = vec![reachable[generator.below(reachable.len())]];
    if wish.players == 1 {
        let used = walked(&floor, &boxes, players[0], &pulled.plan(id));
        let level = finished(room, &goals, &floor, &boxes, &players, &used);
        let optimum = pulled.pushes(id);
        return Ok(Some((score, Generated { level, optimum })));
    }
    let cells = 0..floor.len() as u16;
    let mut free: Vec<u16> = cells
        .filter(|c| !boxes.contains(c) && *c != players[0])
        .collect();
    generator.shuffle(&mut free);
    players.extend(&free[..wish.players - 1]);
    let in_level = |cells: &[u16]| -> Vec<usize> {
        cells
            .iter()
            .map(|&c| usize::from(floor.cells[usize::from(c)]))
            .collect()
    };
    let level = room.level(&goals, &in_level(&boxes), &in_level(&players));
    let outcome = fewest_steps(&level, true, &control.within(JOINT_MOVES)).outcome;
    if let Status::Limit(stop @ (Stop::Time | Stop::Interrupted | Stop::Memory)) = outcome.status {
        return Err(stop);
    }
    let Some((used, score)) = work_of_all(&floor, &boxes, &players, &outcome) else {
        return Ok(None);
    };
    let optimum = outcome.bounds.lower;
    *longest = (*longest).max(Some(optimum));
    if optimum < wish.least {
        return Ok(None);
    }
    let level = finished(room, &goals, &floor, &boxes, &players, &used);
    Ok(Some((score, Generated { level, optimum })))
}

/// Places the goals: in two cases of five scattered, otherwise in a heap.
fn place_goals(room: &Room, wish: &Wish, generator: &mut Generator) -> Option<Vec<usize>> {
    let mut floor: Vec<usize> = (0..room.walls.len()).filter(|&c| !room.walls[c]).collect();
    if floor.len() < 3 * wish.boxes + wish.players + 2 {
        return None;
    }
    generator.shuffle(&mut floor);
    let mut goals = vec![];
    if generator.below(5) < 2 {
        goals.extend(&floor[..wish.boxes]);
    } else {
        goals.push(floor[0]);
        while goals.len() < wish.boxes {
            let beside = |&&cell: &&usize| {
                let around = [cell - room.width, cell - 1, cell + 1, cell + room.width];
                !goals.contains(&cell) && around.iter().any(|c| goals.contains(c))
            };
            let next: Vec<usize> = floor.iter().filter(beside).copied().collect();
            goals.push(next[generator.below(next.len())]); // never empty, as the floor is connected
        }
    }
    goals.sort_unstable();
    Some(goals)
}

/// The best of the farthest positions, with its score.
fn choose(
    pulled: &Pulled,
    goals: &[u16],
    most: u32,
    least: u32,
    generator: &mut Generator,
) -> Option<(u32, u32)> {
    let far = least.max(most - most / 5).max(1);
    let first = (0..pulled.len())
        .rev()
        .take_while(|&id| pulled.pushes(id) >= far)
        .last()?;
    let draw = |_| first + generator.below((pulled.len() - first) as usize) as u32;
    let looked_at: Vec<u32> = (0..LOOKED_AT).map(draw).collect();
    let rated = looked_at.into_iter().filter_map(|id| {
        let home = pulled
            .position(id)
            .0
            .iter()
            .filter(|b| goals.contains(b))
            .count();
        Some((rate(goals.len(), home, &pulled.plan(id))?, id))
    });
    rated.max_by_key(|&(score, id)| (score, std::cmp::Reverse(id)))
}

/// The score of a plan: higher if it is long, with many turns of boxes and many switches between them. None if some box
/// is never pushed, or if several boxes are simply pushed home one after the other.
fn rate(boxes: usize, home: usize, plan: &[Push]) -> Option<u32> {
    let mut heads: Vec<u16> = vec![]; // the current cell of each box that was pushed
    let (mut lines, mut changes) = (0, 0);
    let mut last: Option<Push> = None;
    for push in plan {
        match heads.iter_mut().find(|head| **head == push.from) {
            Some(head) => *head = push.to,
            None => heads.push(push.to),
        }
        let same = last.is_some_and(|last| last.to == push.from);
        let straight = same && last.is_some_and(|last| last.from == push.player);
        changes += u32::from(!same);
        lines += u32::from(!straight);
        last = Some(*push);
    }
    let is_mixed = changes as usize > boxes && lines > changes;
    let is_good = heads.len() == boxes && (is_mixed || boxes == 1);
    is_good.then_some((plan.len() as u32 + 4 * changes + 2 * lines).saturating_sub(6 * home as u32))
}

/// The cells that one player's plan needs, with shortest walks.
fn walked(floor: &Floor, boxes: &[u16], player: u16, plan: &[Push]) -> Vec<bool> {
    let mut used = vec![false; floor.len()];
    let (mut boxes, mut player) = (boxes.to_vec(), player);
    for &at in boxes.iter().chain([&player]) {
        used[usize::from(at)] = true;
    }
    for push in plan {
        for cell in walk(floor, &boxes, player, push.player) {
            used[usize::from(cell)] = true;
        }
        let moved = boxes.iter_mut().find(|b| **b == push.from);
        *moved.expect("the box that is pushed") = push.to;
        player = push.from;
        used[usize::from(push.to)] = true;
    }
    used
}

/// A shortest walk among the boxes, both ends included.
fn walk(floor: &Floor, boxes: &[u16], from: u16, to: u16) -> Vec<u16> {
    let mut before = vec![floor.wall(); floor.len()];
    before[usize::from(from)] = from;
    let mut line = vec![from];
    let mut at = 0;
    while before[usize::from(to)] == floor.wall() {
        let cell = line[at]; // never past the end, because the plan uses such a walk
        at += 1;
        for next in floor.next[usize::from(cell)] {
            if next != floor.wall()
                && before[usize::from(next)] == floor.wall()
                && !boxes.contains(&next)
            {
                before[usize::from(next)] = cell;
                line.push(next);
            }
        }
    }
    let mut cells = vec![to];
    while cells[cells.len() - 1] != from {
        cells.push(before[usize::from(cells[cells.len() - 1])]);
    }
    cells
}

/// The cells that a crew's plan needs, and its score; none if there is no plan or some player never pushes.
fn work_of_all(
    floor: &Floor,
    boxes: &[u16],
    players: &[u16],
    outcome: &Outcome<JointStep>,
) -> Option<(Vec<bool>, u32)> {
    let plan = outcome.plan.as_ref()?;
    let mut used = vec![false; floor.len()];
    let (mut boxes, mut players) = (boxes.to_vec(), players.to_vec());
    let mut pushes = vec![0; players.len()];
    for &at in boxes.iter().chain(&players) {
        used[usize::from(at)] = true;
    }
    for joint in plan {
        let before = boxes.clone();
        for (i, way) in joint.iter().enumerate() {
            let Some(way) = way else { continue };
            players[i] = floor.step(players[i], *way as usize);
            used[usize::from(players[i])] = true;
            if let Some(pushed) = before.iter().position(|&b| b == players[i]) {
                boxes[pushed] = floor.step(boxes[pushed], *way as usize);
                used[usize::from(boxes[pushed])] = true;
                pushes[i] += 1;
            }
        }
    }
    let least = pushes.iter().min().copied().unwrap_or(0);
    (least > 0).then_some((used, plan.len() as u32 + 4 * least))
}

/// The finished level, without the dead ends that the plan does not need.
fn finished(
    mut room: Room,
    goals: &[usize],
    floor: &Floor,
    boxes: &[u16],
    players: &[u16],
    used: &[bool],
) -> Level {
    let cell = |&c: &u16| usize::from(floor.cells[usize::from(c)]);
    let needed: Vec<usize> = (0..floor.len())
        .filter(|&c| used[c])
        .map(|c| floor.cells[c].into())
        .collect();
    room.fill_dead_ends(|c| goals.contains(&c) || needed.contains(&c));
    let boxes: Vec<usize> = boxes.iter().map(cell).collect();
    let players: Vec<usize> = players.iter().map(cell).collect();
    crop(&room.level(goals, &boxes, &players))
}
