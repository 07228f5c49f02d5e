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
/// The widths of the first and the last beam.
const NARROW: usize = 32;
const WIDE: usize = 1 << 16;
/// Layers without a better value before a beam counts as stuck.
const PATIENCE: u32 = 60;
/// The weight of a piece that has to move whatever it costs.
const MOST_PIECE: f64 = 256.0;

/// Whether a board has the size for this method.
pub(crate) fn fits(board: &BoardPuzzle) -> bool {
    let goal = &board.goal;
    goal.tiles().len() > SMALL && goal.width() > 1 && goal.height() > 1
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
    let mut guide = LargeGuide::new(goal);
    let mut best = first;
    let mut counts = Counts::default();
    control.reduce_upper(best.len() as u32);
    let mut width = NARROW;
    while width <= WIDE {
        let weights = weights(width);
        guide.weigh(weights);
        let here = control.after(counts);
        let (found, done) = run(&space, &mut guide, weights, width, best.len(), &here);
        counts = done.after(counts);
        match found {
            Ok(Some(plan)) => {
                let direction =
                    |s: Slide| Direction::between(s.from.into(), s.to.into(), start.width());
                best = plan.into_iter().map(direction).collect();
                control.reduce_upper(best.len() as u32);
            }
            Ok(None) => {}
            Err(_) => break,
        }
        width *= 2;
    }
    (best, counts)
}

/// The weights that suit a beam of this width: a wide one finds its way out of a dead end alone.
fn weights(_width: usize) -> Weights {
    let get = |name: &str, or: f64| {
        std::env::var(name)
            .ok()
            .and_then(|s| s.parse().ok())
            .unwrap_or(or)
    };
    Weights {
        power: get("PW", 1.5),
        border: get("FALL", 1.0),
        conflict: get("LAM", 4.0),
        piece: get("G", 2.0),
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
        let is_free = piece > weights.piece && beam.memos().any(|memo: Memo| memo.fixed() > stuck_at);
        if is_stuck && (piece >= MOST_PIECE || waited == u32::MAX) {
            break;
        }
        if is_stuck || is_free {
            if is_stuck {
                piece *= 2.0;
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
