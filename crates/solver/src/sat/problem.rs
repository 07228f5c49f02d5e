//! Constraint problems to look at: the variables, domains and constraints behind the encodings `edixhoven` and `tamura`,
//! numbered as in Edixhoven's thesis, and the values that a plan gives to the variables.
//!
//! The constraints printed are those that are written as clauses. A solution is found the way the thesis finds its
//! own: a solver answers the clauses, here together with the moves of the plan, and its model is read back as integers.
//! They are then tested with every constraint. Where a plan leaves a variable free (how a player's walk is numbered,
//! say), the solver's value is printed: batsat, like MiniSat, tries the greatest value first.

use std::sync::Arc;

use noyes_puzzle::sokoban::{Level, Walks};
use noyes_puzzle::tiles::{Board, Direction};

use super::backend::{Backend, BackendName, Order, Shared, Verdict, Watch};
use super::cnf::{Lit, Sink};
use super::csp::{Csp, Posted, Variable};
use super::encoding::{Encoding, Size, unroll};
use super::level::boxes::Push;
use super::level::name::Blocks;
use super::level::tamura::Tamura;
use super::tiles::edixhoven::Edixhoven;
use super::tiles::name::Extras;
use crate::control::{Control, Stop};

/// The constraint problem of a puzzle and a number of steps.
pub struct Problem {
    made: Made,
    steps: u32,
    solver: Box<dyn Backend>,
    shared: Arc<Shared>,
}

enum Made {
    Board(Box<Edixhoven>),
    Level(Box<Tamura>),
}

impl Problem {
    /// Edixhoven's problem: a board in at most this many moves, at least one.
    pub fn of_board(start: &Board, goal: &Board, extras: Extras, steps: u32) -> Problem {
        let mut made = Edixhoven::new(start, goal, extras).kept();
        Problem::new(steps, |sink| {
            unroll(&mut made, steps, sink);
            Made::Board(made.into())
        })
    }

    /// Tamura's problem: a level for one player in at most this many pushes, at least one.
    ///
    /// # Panics
    /// If there are several players.
    pub fn of_level(level: &Level, blocks: Blocks, steps: u32) -> Problem {
        let mut made = Tamura::new(level, blocks).kept();
        Problem::new(steps, |sink| {
            unroll(&mut made, steps, sink);
            Made::Level(made.into())
        })
    }

    fn new(steps: u32, write: impl FnOnce(&mut dyn Sink) -> Made) -> Problem {
        assert!(steps > 0, "the start comes with the first step");
        let shared = Arc::new(Shared::new(0, 0));
        let mut solver = BackendName::Batsat.fresh(0, Order::Free, &shared);
        let made = write(&mut solver);
        Problem {
            made,
            steps,
            solver,
            shared,
        }
    }

    fn csp(&self) -> &Csp {
        match &self.made {
            Made::Board(made) => made.csp(),
            Made::Level(made) => made.csp(),
        }
    }

    /// Its size as the thesis counts it.
    pub fn size(&self) -> Size {
        let size = match &self.made {
            Made::Board(made) => made.size(),
            Made::Level(made) => made.size(),
        };
        size.expect("both are counted")
    }

    /// Its variables.
    pub fn variables(&self) -> Vec<Variable> {
        self.csp().variables().collect()
    }

    /// Its constraints.
    pub fn constraints(&self) -> Vec<Posted> {
        self.csp().constraints().collect()
    }

    /// The values of its variables for the plan of a board; none if the plan violates a constraint or has too many moves.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn values_of_moves(
        &mut self,
        plan: &[Direction],
        control: &Control,
    ) -> Result<Option<Vec<i32>>, Stop> {
        let Made::Board(made) = &self.made else {
            return Ok(None);
        };
        if plan.len() > self.steps as usize {
            return Ok(None);
        }
        let lits = [made.literals(plan), self.counted(plan.len())].concat();
        self.values(&lits, control)
    }

    /// The values of its variables for the plan of a level, which can be made; none if the plan violates a constraint or
    /// has too many pushes.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn values_of_walks(
        &mut self,
        level: &Level,
        walks: &Walks,
        control: &Control,
    ) -> Result<Option<Vec<i32>>, Stop> {
        let Made::Level(made) = &self.made else {
            return Ok(None);
        };
        let plan = pushes(level, walks);
        if plan.len() > self.steps as usize {
            return Ok(None);
        }
        let lits = [made.literals(&plan), self.counted(plan.len())].concat();
        self.values(&lits, control)
    }

    /// The literals that say that this many steps are used.
    fn counted(&self, steps: usize) -> Vec<Lit> {
        let by = |k: usize| match &self.made {
            Made::Board(made) => made.solved_by(k as u32),
            Made::Level(made) => made.solved_by(k as u32),
        };
        let before = steps.checked_sub(1).map(|k| -by(k));
        before.into_iter().chain([by(steps)]).collect()
    }

    fn values(&mut self, lits: &[Lit], control: &Control) -> Result<Option<Vec<i32>>, Stop> {
        let watch = Watch::new(control, self.shared.clone(), 0);
        match self.solver.solve(lits, &watch) {
            Ok(Verdict::Satisfiable) => {}
            Ok(Verdict::Stopped(stop)) => return Err(stop),
            _ => return Ok(None),
        }
        let solver = std::cell::RefCell::new(&mut self.solver);
        let holds = |lit: Lit| solver.borrow_mut().holds(lit);
        let csp = match &self.made {
            Made::Board(made) => made.csp(),
            Made::Level(made) => made.csp(),
        };
        let values = csp.values(&holds);
        let violated = csp.violated(&values);
        assert_eq!(violated, None, "a model satisfies every constraint");
        Ok(Some(values))
    }
}

/// The pushes among the moves of one player.
fn pushes(level: &Level, walks: &Walks) -> Vec<Push> {
    let mut boxes = level.boxes().to_vec();
    let mut player = level.players()[0];
    let mut pushes = vec![];
    for direction in walks.walks()[0].iter().flatten().copied() {
        let Some(cell) = level.neighbour(player, direction) else {
            break;
        };
        if let Some(pushed) = boxes.iter_mut().find(|b| **b == cell) {
            pushes.push(Push { cell, direction });
            match level.neighbour(cell, direction) {
                Some(to) => *pushed = to,
                None => break,
            }
        }
        player = cell;
    }
    pushes
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::parse_level;

    fn figure_5_2() -> Level {
        parse_level("#####\n#@$.#\n#####").unwrap()
    }

    /// The lines of a table, each as often as a quantifier says.
    fn sorted(mut lines: Vec<String>) -> Vec<String> {
        lines.sort();
        lines
    }

    /// Table 5.1, its quantifiers written out. Where it differs from the text of section 5.2, the text is followed, and
    /// a comment says so.
    #[test]
    fn the_smallest_level_has_the_variables_of_table_5_1() {
        let mut expected = vec!["1 steps ∈ [0, 1]".to_string()];
        let mut say = |line: String| expected.push(line);
        for s in 0..2 {
            say(format!("2 pi({s}) ∈ [0, 2]"));
            say(format!("3 pj({s}) ∈ [0, 4]"));
            say(format!("6 g({s}) ∈ {{0, 1}}"));
            for i in 0..3 {
                (0..5).for_each(|j| say(format!("4 p({s},{i},{j}) ∈ {{0, 1}}")));
            }
            (1..4).for_each(|j| say(format!("5 b({s},1,{j}) ∈ {{0, 1}}")));
        }
        for j in 1..4 {
            say(format!("8 r(0,1,{j}) ∈ {{0, 1}}"));
            say(format!("9 x(0,1,{j}) ∈ [0, 3]"));
            say(format!("11 in(0,1,{j}) ∈ {{0, 1}}"));
        }
        for (k, j) in [(2, 1), (1, 2), (3, 2), (2, 3)] {
            say(format!("10 e(0,1,{k},1,{j}) ∈ {{0, 1}}"));
        }
        for d in ["di", "dj"] {
            say(format!("7 {d}(0) ∈ [-1, 1]"));
        }
        assert_eq!(expected.len(), 58);
        let problem = Problem::of_level(&figure_5_2(), Blocks::default(), 1);
        let found = problem.variables().into_iter();
        let found = found.map(|x| format!("{} {x}", x.number)).collect();
        assert_eq!(sorted(found), sorted(expected));
    }

    #[test]
    fn the_smallest_level_has_the_constraints_of_table_5_1() {
        let mut expected = vec![];
        let mut say = |line: String| expected.push(line);
        for s in 0..2 {
            for i in 0..3 {
                for j in 0..5 {
                    say(format!(
                        "1a p({s},{i},{j}) = 1 ⇔ pi({s}) = {i} ∧ pj({s}) = {j}"
                    ));
                    if i != 1 || j == 0 || j == 4 {
                        say(format!("1b p({s},{i},{j}) = 0"));
                    }
                }
            }
            say(format!("1c g({s}) = 1 ⇔ b({s},1,3) = 1"));
            say(format!("1d steps ≤ {s} → g({s}) = 1"));
        }
        for j in 1..4 {
            say(format!("2a p(0,1,{j}) = {}", i32::from(j == 1)));
            say(format!("2b b(0,1,{j}) = {}", i32::from(j == 2)));
            say(format!("3c p(0,1,{j}) = 1 → in(0,1,{j}) = 0"));
            say(format!(
                "3d p(0,1,{j}) = 0 → in(0,1,{j}) = 1 ∨ x(0,1,{j}) = 0"
            ));
            say(format!("3e b(0,1,{j}) = 1 → in(0,1,{j}) = 0"));
            say(format!(
                "3f r(0,1,{j}) = 1 ⇔ p(0,1,{j}) = 1 ∨ in(0,1,{j}) > 0"
            ));
        }
        // Missing in the table, which has the sums of the first two cells only; 91 counts all three.
        say("3a in(0,1,3) = e(0,1,2,1,3)".into());
        say("3a in(0,1,1) = e(0,1,2,1,1)".into());
        say("3a in(0,1,2) = e(0,1,1,1,2) + e(0,1,3,1,2)".into());
        for (k, j) in [(2, 1), (1, 2), (3, 2), (2, 3)] {
            say(format!("3b e(0,1,{k},1,{j}) = 1 → x(0,1,{k}) > x(0,1,{j})"));
        }
        say("4a g(0) = 1 ⇔ di(0) = 0 ∧ dj(0) = 0".into());
        // The table has → here, the text ⇔.
        say("4b di(0) = 0 ∧ dj(0) = 0 ⇔ pi(0) = pi(1) ∧ pj(0) = pj(1)".into());
        // The table leaves out that no box can be pushed from the ends of the row: an empty disjunction.
        for j in [1, 3] {
            say(format!(
                "4c p(1,1,{j}) = 1 → (p(0,1,{j}) = 1 ∧ g(0) = 1) ∨ (b(0,1,{j}) = 1 ∧ false)"
            ));
        }
        say(
            "4c p(1,1,2) = 1 → (p(0,1,2) = 1 ∧ g(0) = 1) ∨ (b(0,1,2) = 1 ∧ \
             ((di(0) = 0 ∧ dj(0) = 1 ∧ r(0,1,1) = 1 ∧ b(0,1,3) = 0) ∨ \
             (di(0) = 0 ∧ dj(0) = -1 ∧ r(0,1,3) = 1 ∧ b(0,1,1) = 0)))"
                .into(),
        );
        // The table has b(0,0,0) for b(0,1,1). Here what is pushed comes before what stays.
        let stays = |j| format!("(b(0,1,{j}) = 1 ∧ p(1,1,{j}) = 0)");
        let pushed =
            |dj, j| format!("(di(0) = 0 ∧ dj(0) = {dj} ∧ b(0,1,{j}) = 1 ∧ p(1,1,{j}) = 1)");
        say(format!(
            "4d b(1,1,1) = 1 ⇔ {} ∨ {}",
            pushed(-1, 2),
            stays(1)
        ));
        say(format!("4d b(1,1,3) = 1 ⇔ {} ∨ {}", pushed(1, 2), stays(3)));
        let (right, left) = (pushed(1, 1), pushed(-1, 3));
        say(format!("4d b(1,1,2) = 1 ⇔ {right} ∨ {left} ∨ {}", stays(2)));
        assert_eq!(expected.len(), 91);
        let problem = Problem::of_level(&figure_5_2(), Blocks::default(), 1);
        let found = problem.constraints().into_iter();
        let found = found.map(|c| format!("{} {}", c.number, c.text)).collect();
        assert_eq!(sorted(found), sorted(expected));
    }

    #[test]
    fn its_plan_has_the_values_of_table_5_2() {
        let level = figure_5_2();
        let mut problem = Problem::of_level(&level, Blocks::default(), 1);
        let walks = Walks::of_one(&[Direction::Right]);
        let values = problem.values_of_walks(&level, &walks, &Control::new());
        let values = values.unwrap().expect("a solution");
        let ones =
            "steps pi(0) pi(1) pj(0) p(0,1,1) p(1,1,2) b(0,1,2) b(1,1,3) dj(0) r(0,1,1) g(1)";
        let ones: Vec<&str> = ones.split(' ').collect();
        for (variable, value) in problem.variables().iter().zip(values) {
            let expected = match variable.name.as_str() {
                "pj(1)" => 2,
                "x(0,1,1)" => 3,
                name => i32::from(ones.contains(&name)),
            };
            assert_eq!(value, expected, "{}", variable.name);
        }
    }

    #[test]
    fn plans_of_boards_are_solutions_and_others_are_not() {
        let (start, goal) = (
            "1 2 3/4 0 6/7 5 8".parse().unwrap(),
            Board::blank_last(3, 3),
        );
        let all = Extras {
            no_undo: true,
            manhattan: true,
            blocks: true,
        };
        for extras in [Extras::default(), all] {
            let mut problem = Problem::of_board(&start, &goal, extras, 4);
            let (size, control) = (problem.size(), Control::new());
            let all = size.essential + size.additional + size.manhattan;
            assert_eq!(problem.constraints().len() as u64, all);
            let all = size.variables + size.manhattan_variables;
            assert_eq!(problem.variables().len() as u64, all);
            let plan = [Direction::Down, Direction::Right];
            let values = problem.values_of_moves(&plan, &control).unwrap().unwrap();
            let variables = problem.variables();
            let value = |name: &str| values[variables.iter().position(|x| x.name == name).unwrap()];
            assert_eq!(
                ["steps", "d_i(0)", "d_j(1)", "goal(1)", "goal(2)"].map(value),
                [2, 1, 1, 0, 1]
            );
            assert_eq!(
                ["num(0,1,1)", "num(1,1,1)", "num(4,2,2)"].map(value),
                [0, 5, 0]
            );
            let astray = [Direction::Right, Direction::Down];
            assert_eq!(problem.values_of_moves(&astray, &control), Ok(None));
        }
    }
}
