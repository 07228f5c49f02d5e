//! The linear program of a potential: the best numbers for some states.
//!
//! There is a variable for each duo. For each step of the player, at most 1 may be lost. That
//! has to hold wherever the other boxes are, which would be one row for every choice of cells. The
//! sum of the k largest of some losses is the least value of k·l plus all excesses over l, so
//! a variable l for each step and one for each excess say the same in a few rows. A push shares
//! them with the walk over the same two cells.
//!
//! The objective is the mean of the bounds of the samples. An interior-point method needs some
//! tens of iterations for that, whatever the size.

use super::distance::Way;
use super::duos::{Duos, Step};
use crate::control::{Control, Stop};
use crate::core::memory::Memory;

/// The largest number of a duo.
pub(super) const MOST: f64 = 4_096.0;
/// About how many bytes the method needs for each entry of the matrix (measured).
const BYTES: usize = 400;

/// A state: its boxes and its player.
pub(crate) type Sample = (Vec<u16>, u16);

/// About the best number for each duo; none if the method gives no numbers. Whether it came to its end does not matter, because a
/// potential is right with any numbers.
pub(super) fn solve(
    duos: &Duos,
    way: Way,
    samples: &[Sample],
    memory: &mut Memory,
) -> Result<Option<Vec<f64>>, Stop> {
    memory.poll_stop()?;
    let program = Program::new(duos, way, samples);
    let bytes = BYTES * program.entries.0.len();
    memory.claim(bytes)?;
    let solution = optimum(program, memory.control().clone());
    memory.release(bytes);
    memory.poll_stop()?;
    let numbers = solution.map(|mut x| {
        x.truncate(duos.count);
        x
    });
    Ok(numbers.filter(|x| x.iter().all(|number| number.is_finite())))
}

/// Rows of entries, each with an upper limit on its sum, and costs to be minimised.
struct Program {
    costs: Vec<f64>,
    rows: usize,
    most: Vec<f64>,
    /// Row, variable and factor of each entry.
    entries: (Vec<usize>, Vec<usize>, Vec<f64>),
}

impl Program {
    fn new(duos: &Duos, way: Way, samples: &[Sample]) -> Program {
        let mut program = Program {
            costs: vec![0.0; duos.count],
            rows: 0,
            most: vec![],
            entries: Default::default(),
        };
        for duo in 0..duos.count {
            program.row(&[(duo, 1.0)], MOST);
            program.row(&[(duo, -1.0)], MOST);
        }
        for step in duos.steps() {
            program.add_step(duos, &step);
        }
        program.aim(duos, way, samples);
        program
    }

    fn variable(&mut self) -> usize {
        self.costs.push(0.0);
        self.costs.len() - 1
    }

    fn row(&mut self, entries: &[(usize, f64)], most: f64) {
        for &(variable, factor) in entries {
            self.entries.0.push(self.rows);
            self.entries.1.push(variable);
            self.entries.2.push(factor);
        }
        self.most.push(most);
        self.rows += 1;
    }

    /// No step loses more than 1.
    fn add_step(&mut self, duos: &Duos, step: &Step) {
        let Step { from, to, .. } = *step;
        let count = duos.field.boxes.len();
        let boxes = count as f64;
        let duo = |player: u16, cell: u16| duos.number(player, cell).expect("a duo") as usize;
        let level = self.variable();
        let mut walk = vec![(level, boxes)];
        let mut push = vec![(level, boxes - 1.0)];
        for &cell in &step.others {
            let excess = self.variable();
            self.row(&[(excess, -1.0)], 0.0);
            let loss = [(duo(from, cell), 1.0), (duo(to, cell), -1.0)];
            self.row(&[loss[0], loss[1], (level, -1.0), (excess, -1.0)], 0.0);
            walk.push((excess, 1.0));
            if Some(cell) != step.pushed {
                push.push((excess, 1.0));
            }
        }
        self.row(&walk, 1.0);
        if let Some(pushed) = step.pushed {
            if count == 1 {
                push.clear(); // there is no other box
            }
            push.push((duo(from, to), 1.0));
            push.push((duo(to, pushed), -1.0));
            self.row(&push, 1.0);
        }
    }

    /// The bounds of the samples are as high as possible.
    fn aim(&mut self, duos: &Duos, way: Way, samples: &[Sample]) {
        let duos_of = |boxes: &[u16], player: u16| -> Option<Vec<usize>> {
            let duo = |&cell: &u16| Some(duos.number(player, cell)? as usize);
            boxes.iter().map(duo).collect()
        };
        let sampled: Vec<Vec<usize>> = samples
            .iter()
            .filter_map(|(boxes, player)| duos_of(boxes, *player))
            .collect();
        let (sign, share) = match way {
            Way::Push => (-1.0, 1.0 / sampled.len() as f64),
            Way::Pull => (1.0, 1.0 / sampled.len() as f64),
        };
        for duo in sampled.into_iter().flatten() {
            self.costs[duo] += sign * share;
        }
        match way {
            Way::Push => {
                let end = self.variable();
                self.costs[end] = 1.0;
                for player in duos.ends() {
                    let ends = duos_of(&duos.field.goals, player).unwrap_or_default();
                    let mut row: Vec<_> = ends.into_iter().map(|duo| (duo, 1.0)).collect();
                    row.push((end, -1.0));
                    self.row(&row, 0.0);
                }
            }
            Way::Pull => {
                let start = duos_of(&duos.field.boxes, duos.field.player);
                for duo in start.unwrap_or_default() {
                    self.costs[duo] -= 1.0;
                }
            }
        }
    }
}

/// About the best values of all variables.
#[cfg(feature = "potentials")]
fn optimum(program: Program, control: Control) -> Option<Vec<f64>> {
    use clarabel::algebra::CscMatrix;
    use clarabel::solver::{
        DefaultSettings, DefaultSolver, IPSolver, SupportedConeT::NonnegativeConeT,
    };
    /// How near to the best they have to be.
    const PRECISE: f64 = 1e-4;
    let Program {
        costs,
        rows,
        most,
        entries: (at, of, by),
    } = program;
    let none = CscMatrix::zeros((costs.len(), costs.len()));
    let matrix = CscMatrix::new_from_triplets(rows, costs.len(), at, of, by);
    let settings = DefaultSettings {
        verbose: false,
        max_threads: 1,
        tol_gap_abs: PRECISE,
        tol_gap_rel: PRECISE,
        tol_feas: PRECISE,
        ..DefaultSettings::default()
    };
    let cones = [NonnegativeConeT(rows)];
    let mut solver = DefaultSolver::new(&none, &costs, &matrix, &most, &cones, settings).ok()?;
    solver.set_termination_callback(move |_| control.poll_stop().is_err());
    solver.solve();
    Some(solver.solution.x)
}

/// This build has no method.
#[cfg(not(feature = "potentials"))]
fn optimum(_: Program, _: Control) -> Option<Vec<f64>> {
    None
}
