//! The reference formula that counts pushes, and the facts about rooms that its proofs use.

use noyes_check::formula::{Pushes, least_pushes};
use noyes_check::{Counts, Lit, Step};
use noyes_puzzle::sokoban::Level;
use noyes_solver::prove::Prover;

use crate::certificates::{checked, level_case, made, small_levels, solved_level};
use crate::forgeries::{joined, parts};
use crate::plain_sokoban::{fewest_pushes, level, random_level};

/// Whether the formula with all its rooms has a solution. A room here is all that the player cannot walk to,
/// and not the part of it that the prover takes.
fn has_solution(formula: &Pushes) -> bool {
    let mut solver = cadical_sys::CaDiCal::new();
    let add = |solver: &mut cadical_sys::CaDiCal, clause: &[Lit]| {
        for &lit in clause {
            solver.add(lit);
        }
        solver.add(0);
    };
    for clause in formula.clauses.iter() {
        add(&mut solver, clause);
    }
    loop {
        if solver.solve() != cadical_sys::Status::SATISFIABLE {
            return false;
        }
        let mut more = vec![];
        for time in 0..formula.bound {
            let Some(moment) = formula.moment(time, &mut |lit| solver.val(lit) > 0) else {
                break;
            };
            let mut walked = vec![moment.player];
            let mut next = 0;
            while let Some(&cell) = walked.get(next) {
                next += 1;
                for &beside in formula.neighbours(cell) {
                    if !moment.boxes[beside] && !walked.contains(&beside) {
                        walked.push(beside);
                    }
                }
            }
            if !walked.contains(&moment.pushes_from) {
                let room: Vec<usize> = (0..moment.boxes.len())
                    .filter(|cell| !moment.boxes[*cell] && !walked.contains(cell))
                    .collect();
                for time in 0..formula.bound {
                    let clause = formula.room(time, moment.pushes_from, &room);
                    formula.check_room(&clause).unwrap();
                    more.push(clause);
                }
            }
        }
        if more.is_empty() {
            return true;
        }
        for clause in more {
            add(&mut solver, &clause);
        }
    }
}

#[test]
fn the_formula_of_a_level_by_pushes_agrees_with_search() {
    let mut levels = small_levels();
    levels.extend((0..30).map(|i| random_level(9, i, 2 + i as usize % 2, 1)));
    levels.push(two_rooms());
    for level in levels {
        let pushes = fewest_pushes(&level).map(|pushes| pushes as usize);
        let least = least_pushes(&level);
        for bound in least..pushes.unwrap_or(least + 6) + 3 {
            let Some(formula) = Pushes::new(&level, bound) else {
                assert!(pushes.is_none(), "{level:?}");
                continue;
            };
            let expected = pushes.is_some_and(|pushes| bound >= pushes);
            assert_eq!(has_solution(&formula), expected, "{level:?} {bound}");
        }
    }
}

/// The box in the door is in the way: a player who could be on either side of it would
/// need one push, a real one needs five.
fn two_rooms() -> Level {
    level(&[
        "#########",
        "#   #   #",
        "#   $.@ #",
        "#   #   #",
        "#########",
    ])
}

/// A certificate with facts about rooms.
pub fn with_rooms() -> Vec<u8> {
    let level = two_rooms();
    let (plan, _) = solved_level(&level, Counts::Pushes);
    made(level_case(&level, Counts::Pushes, plan), Prover::Search).unwrap()
}

#[test]
fn a_proof_about_rooms_is_verified_and_forged_rooms_are_refused() {
    let bytes = with_rooms();
    let verdict = checked(&bytes).unwrap();
    assert!(verdict.facts > 0);
    assert!(
        verdict
            .because
            .iter()
            .any(|why| why.contains("facts about rooms"))
    );
    let (lines, steps) = parts(&bytes);
    let at = steps.iter().position(|step| step.is_fact).unwrap();
    let refused = |change: &dyn Fn(&mut Step), reason: &str| {
        let mut steps = steps.clone();
        change(&mut steps[at]);
        let why = checked(&joined(&lines, &steps)).unwrap_err().to_string();
        assert!(why.contains(reason), "{why}");
    };
    // A way in that is left out would shut the player out of a room that has one.
    refused(
        &|step| step.literals.truncate(step.literals.len() - 1),
        "does not name each cell",
    );
    refused(&|step| step.literals.swap(0, 1), "does not begin with");
    refused(&|step| step.literals.truncate(1), "is not in the room");
    refused(&|step| step.literals.clear(), "does not begin with");
    refused(
        &|step| step.literals[1] = i32::MIN + 1,
        "does not name each cell",
    );
    let time = |step: &mut Step, by: i32| step.literals[0] -= by;
    refused(
        &|step| step.literals.insert(1, step.literals[1]),
        "do not ascend",
    );
    refused(&|step| time(step, 1), "");
    refused(&|step| time(step, 1 << 20), "does not begin with");
}
