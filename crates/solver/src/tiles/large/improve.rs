//! Shorter and shorter plans for a large board: beam after beam, each twice as wide.
//!
//! A beam that makes no progress for a while has to look after the next piece of the
//! border more than after all other tiles, until that piece is home. So a narrow
//! beam finds a plan, too. A beam as deep as the best plan is given up.

use noyes_puzzle::tiles::Direction;
use noyes_puzzle::{Cells, Slide, SlideSpace};

use super::guide::{LargeGuide, Memo, Weights};
use crate::control::{Control, Stop};
use crate::counts::Counts;
use crate::puzzle::BoardPuzzle;
use crate::search::{Beam, Layer};

/// Boards of at most this size are left to engines with tables.
const SMALL: usize = 25;
/// Larger boards keep their first plan: the tables of the guide grow with the square of the number of cells.
const MOST_CELLS: usize = 1024;
/// Boards of more cells than this are very large.
const VERY_LARGE: usize = 256;
/// The widths of the first and the last beam.
const NARROW: usize = 32;
const WIDE: usize = 1 << 16;
/// Beams in a row without a better plan before other engines get their turn. On an easy board these are narrow ones.
const GIVE_UP: u32 = 4;
/// Layers without a better value before a beam counts as stuck.
const PATIENCE: u32 = 20;
/// The weight of a piece that has to move whatever it costs.
const MOST_PIECE: f64 = 256.0;

/// Whether a board has the size for this method.
pub(crate) fn fits(board: &BoardPuzzle) -> bool {
    let goal = &board.goal;
    (SMALL + 1..=MOST_CELLS).contains(&goal.tiles().len()) && goal.width() > 1 && goal.height() > 1
}

/// The best plan found within the limits, at most as long as the first one, and what was counted.
pub(crate) fn improve(
    board: &BoardPuzzle,
    first: Vec<Direction>,
    control: &Control,
) -> (Vec<Direction>, Counts) {
    assert!(fits(board), "a large board");
    match board.goal.tiles().len() {
        0..=64 => improve_in::<[u8; 64]>(board, first, control),
        65..=256 => improve_in::<[u8; 256]>(board, first, control),
        _ => improve_in::<Box<[u16]>>(board, first, control),
    }
}

fn improve_in<C: Cells>(
    board: &BoardPuzzle,
    first: Vec<Direction>,
    control: &Control,
) -> (Vec<Direction>, Counts) {
    let BoardPuzzle { start, goal } = board;
    let space = SlideSpace::<C>::on_board(start, goal);
    let mut best = first;
    let mut counts = Counts::default();
    control.reduce_upper(best.len() as u32);
    let Ok(mut guide) = LargeGuide::new(goal, control) else {
        return (best, counts);
    };
    let (mut width, mut fruitless) = (NARROW, 0);
    while width <= WIDE && fruitless < GIVE_UP && best.len() as u32 > control.bounds().lower {
        let weights = weights(goal.tiles().len(), width);
        guide.weigh(weights);
        let here = control.after(counts);
        let (found, done) = run(&space, &mut guide, weights, width, best.len(), &here);
        counts = done.after(counts);
        match found {
            Ok(Some(plan)) => {
                fruitless = 0;
                let direction =
                    |s: Slide| Direction::between(s.from.into(), s.to.into(), start.width());
                best = plan.into_iter().map(direction).collect();
                control.reduce_upper(best.len() as u32);
            }
            Ok(None) => fruitless += 1,
            Err(_) => break,
        }
        width *= 2;
    }
    (best, counts)
}

/// The weights that gave the shortest plans. A wide beam sorts all tiles at once, and looks after the border only when
/// it is stuck. A narrow one, or one on a very large board, would be stuck too often.
fn weights(cells: usize, width: usize) -> Weights {
    if cells > VERY_LARGE {
        return Weights {
            power: 1.25,
            border: 3.0,
            conflict: 2.0,
            piece: if width < 128 { 12.0 } else { 4.0 },
        };
    }
    let is_wide = width >= 16 * cells;
    Weights {
        power: 1.5,
        border: if is_wide { 0.0 } else { 1.0 },
        conflict: 4.0,
        piece: match width {
            _ if is_wide => 0.0,
            256.. => 1.0,
            _ => 2.0,
        },
    }
}

/// One beam: a plan of fewer than `upper` moves, if it finds one.
fn run<C: Cells>(
    space: &SlideSpace<C>,
    guide: &mut LargeGuide,
    weights: Weights,
    width: usize,
    upper: usize,
    control: &Control,
) -> (Result<Option<Vec<Slide>>, Stop>, Counts) {
    let mut beam = match Beam::new(space, guide, width, control) {
        Ok(beam) => beam,
        Err(stop) => return (Err(stop), Counts::default()),
    };
    let mut piece = weights.piece;
    let mut stuck_at = 0;
    let (mut best, mut waited) = (i64::MAX, 0);
    for _ in 1..upper {
        match beam.step(guide) {
            Ok(Layer::Goal(plan)) => return (Ok(Some(plan)), beam.counts()),
            Ok(Layer::Best(value)) if value < best => (best, waited) = (value, 0),
            Ok(Layer::Best(_)) => waited += 1,
            Ok(Layer::Empty) => waited = u32::MAX,
            Err(stop) => return (Err(stop), beam.counts()),
        }
        let is_stuck = waited > PATIENCE;
        let is_free =
            piece > weights.piece && beam.memos().any(|memo: Memo| memo.fixed() > stuck_at);
        if is_stuck && (piece >= MOST_PIECE || waited == u32::MAX) {
            break;
        }
        if is_stuck || is_free {
            if is_stuck {
                piece = f64::max(1.0, 2.0 * piece);
                stuck_at = beam.memos().map(|memo| memo.fixed()).max().unwrap_or(0);
            } else {
                piece = weights.piece;
            }
            guide.set_piece(piece);
            beam.revalue(guide);
            (best, waited) = (i64::MAX, 0);
        }
    }
    (Ok(None), beam.counts())
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::tiles::{Board, Generator, random_board};

    /// What the row-by-row plan would be: longer than any plan here.
    fn long_plan() -> Vec<Direction> {
        vec![Direction::Up; 20_000]
    }

    fn puzzle(goal: Board, seed: u64) -> BoardPuzzle {
        let start = random_board(&goal, &mut Generator::new(seed, 0));
        BoardPuzzle { start, goal }
    }

    fn end(board: &BoardPuzzle, plan: &[Direction]) -> Board {
        let mut at = board.start.clone();
        assert!(plan.iter().all(|&direction| at.step(direction)));
        at
    }

    #[test]
    fn plans_reach_the_goal_on_boards_of_all_shapes() {
        let sizes = [
            (6, 6),
            (5, 6),
            (3, 9),
            (13, 2),
            (2, 14),
            (7, 4),
            (8, 8),
            (12, 7),
        ];
        for (seed, (width, height)) in sizes.into_iter().enumerate() {
            let anywhere = random_board(
                &Board::blank_first(width, height),
                &mut Generator::new(9, seed as u64),
            );
            let goals = [
                Board::blank_first(width, height),
                Board::blank_last(width, height),
                anywhere,
            ];
            for goal in goals {
                let board = puzzle(goal, seed as u64);
                let control = Control::new().within(150_000);
                let (plan, _) = improve(&board, long_plan(), &control);
                assert!(plan.len() < 20_000, "{width}x{height}");
                assert_eq!(end(&board, &plan), board.goal, "{width}x{height}");
            }
        }
    }

    #[test]
    fn equal_budgets_give_equal_plans_and_larger_ones_no_longer_plans() {
        let board = puzzle(Board::blank_first(7, 7), 1);
        let plan = |budget| improve(&board, long_plan(), &Control::new().within(budget)).0;
        let (short, long) = (plan(100_000), plan(200_000));
        assert_eq!(short, plan(100_000));
        assert!(long.len() <= short.len());
    }

    #[test]
    fn a_board_without_memory_or_time_keeps_its_first_plan() {
        let board = puzzle(Board::blank_last(8, 8), 1);
        let tight = Control::new().memory_limit(1 << 10);
        assert_eq!(improve(&board, long_plan(), &tight).0, long_plan());
        let late = Control::new().time_limit(std::time::Duration::ZERO);
        assert_eq!(improve(&board, long_plan(), &late).0, long_plan());
        let some = Control::new().memory_limit(1 << 20).within(2_000_000);
        let (plan, counts) = improve(&board, long_plan(), &some);
        assert!(plan.len() < 20_000 && counts.peak_bytes <= 1 << 20);
    }

    #[test]
    fn single_rows_small_boards_and_huge_ones_are_left_to_others() {
        for (width, height) in [(30, 1), (1, 30), (2, 2), (5, 5), (40, 40)] {
            assert!(!fits(&puzzle(Board::blank_first(width, height), 1)));
        }
    }
}
