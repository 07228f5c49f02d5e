//! A search for good shapes of patterns: partitions of a board into connected patterns, judged by the values of their
//! tables.
//!
//! `cargo bench -p noyes-solver --bench shapes -- SIZE PARTITIONS [BASE [SECONDS [SEED]]]`, where PARTITIONS are like
//! `6-6-6-6`, or several of the same sizes, separated by slashes. The goal has the blank in the first cell. Every
//! partition is judged; then, for at most SECONDS (0 by default), a local search begins with the best, and a second
//! search looks for the partition whose maximum with the first is best.
//!
//! IDA* to the depth d expands b^d · E[b^-h] states in the mean over all boards, where b = 2.27 is the branching factor
//! without duplicates (Korf, Reid, Edelkamp: Time complexity of iterative-deepening-A*. Artificial Intelligence 129,
//! 2001). That mean is made of rare boards, with h ≈ 32 on 5×5, and a search from a hard board to its optimum meets them
//! less often than a search from any board to the same depth. So partitions are judged by E[c^-h] with a smaller c: the
//! root of b, 1.507, with its weight on h ≈ 60. With WORTH = 2.27 it is the formula itself.
//!
//! Such boards, too, are rare among uniformly random ones. Therefore boards are drawn by a Markov chain with probability
//! ∝ c^-h₀, where h₀ is the heuristic of BASE: the mean of c^(h₀-h) over them, the cost, is the ratio of E[c^-h] to
//! E[c^-h₀]. One half of the boards guides the search, and the other half judges what it found. The mean value is over
//! uniformly random boards.
//!
//! h is the larger one of the board and its mirror image (`+reflect`) if the board has a mirror. A table is built once
//! for each pattern, and only its values on the boards are kept.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use noyes_puzzle::tiles::{Board, Direction, Generator, random_board};
use noyes_puzzle::{Position, SlideSpace, Space};
use noyes_solver::Control;
use noyes_solver::search::Heuristic;
use noyes_solver::tiles::pdb::{Databases, Partition, Tables};

type Tiles = SlideSpace<[u8; 32]>;
type State = Position<[u8; 32]>;

/// What a move of the heuristic is worth: the root of the branching factor without duplicates.
const WORTH: f64 = 1.507;
/// Boards that guide the search, boards that judge its result, and uniformly random boards.
const BOARDS: [usize; 3] = [5_000, 5_000, 2_000];
/// Steps of the chain between two boards.
const STEPS: usize = 25;
/// The most partitions that are put together from known patterns at a time.
const MOST_COVERS: usize = 100_000;

fn main() {
    let words: Vec<String> = (std::env::args().skip(1))
        .filter(|word| word != "--bench")
        .collect();
    let word = |i: usize, default: &str| words.get(i).cloned().unwrap_or(default.into());
    let size = word(0, "5x5");
    let (width, height) = size.split_once('x').expect("a size like 5x5");
    let number = |text: &str| -> usize { text.parse().expect("a number") };
    let goal = Board::blank_first(number(width), number(height));
    let partitions: Vec<Vec<u32>> = word(1, "6-6-6-6")
        .split('/')
        .map(|text| patterns(text, &goal))
        .collect();
    let base = word(2, word(1, "6-6-6-6").split('/').next().expect("one"));
    let seconds = number(&word(3, "0")) as u64;
    let mut generator = Generator::new(number(&word(4, "1")) as u64, 0);
    let begun = Instant::now();
    let mut judge = Judge::new(&goal, &patterns(&base, &goal), &mut generator);
    println!(
        "base {base}: {} boards after {:.0} s, h {:.2} on them",
        BOARDS[0] + BOARDS[1],
        begun.elapsed().as_secs_f64(),
        judge.mean_base()
    );
    for partition in &partitions {
        judge.report("judged", partition, &[]);
    }
    if seconds == 0 {
        return;
    }
    let nothing = vec![0; BOARDS.iter().sum()];
    let best = |judge: &mut Judge, given: &[u8], partitions: &[Vec<u32>]| {
        let costs: Vec<f64> = (partitions.iter())
            .map(|partition| judge.cost(partition, given))
            .collect();
        let least = (0..costs.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        partitions[least.expect("one at least")].clone()
    };
    let limit = Duration::from_secs(seconds);
    let start = best(&mut judge, &nothing, &partitions);
    let first = search(&mut judge, &nothing, start, limit, &mut generator);
    judge.report("best", &first, &[]);
    let given = judge.bounds(&first);
    let sizes: Vec<u32> = first.iter().map(|p| p.count_ones()).collect();
    let covers = judge.covers(&sizes);
    let start = best(&mut judge, &given, &covers);
    let second = search(&mut judge, &given, start, limit / 2, &mut generator);
    judge.report("second", &second, &[]);
    judge.report("both", &second, &given);
    println!(
        "{} tables, {:.0} s",
        judge.built,
        begun.elapsed().as_secs_f64()
    );
}

/// The patterns of a partition, as sets of cells.
fn patterns(text: &str, goal: &Board) -> Vec<u32> {
    let partition: Partition = text.parse().expect("a partition");
    let keys = partition.keys(goal).expect("a partition of the board");
    let set = |cells: &Vec<u8>| cells.iter().map(|&cell| 1 << cell).sum();
    keys.iter().map(|key| set(&key.cells)).collect()
}

/// Local search: exchanges single cells while that helps, puts known patterns together anew, and begins again from
/// partitions like the best one until the time is over.
fn search(
    judge: &mut Judge,
    given: &[u8],
    start: Vec<u32>,
    limit: Duration,
    generator: &mut Generator,
) -> Vec<u32> {
    let begun = Instant::now();
    let sizes: Vec<u32> = start.iter().map(|p| p.count_ones()).collect();
    let mut best = (judge.cost(&start, given), start);
    let mut current = best.clone();
    while begun.elapsed() < limit {
        // 1. The first exchange that helps. Those with known patterns come first, then compact ones.
        let mut exchanges = judge.exchanges(&current.1);
        exchanges.sort_by_key(|partition| (judge.unknown(partition), judge.spread(partition)));
        let better = exchanges.into_iter().find_map(|partition| {
            if begun.elapsed() > limit {
                return None;
            }
            let cost = judge.cost(&partition, given);
            (cost < current.0).then_some((cost, partition))
        });
        if let Some(better) = better {
            current = better;
            continue;
        }
        // 2. The best partition of known patterns.
        for partition in judge.covers(&sizes) {
            let cost = judge.cost(&partition, given);
            if cost < current.0 {
                current = (cost, partition);
            }
        }
        if current.0 < best.0 {
            best = current.clone();
            judge.report("so far", &best.1, &[]);
            continue;
        }
        // 3. A few random exchanges away from the best.
        current = best.clone();
        for _ in 0..2 {
            let mut exchanges = judge.exchanges(&current.1);
            current.1 = exchanges.swap_remove(generator.below(exchanges.len()));
        }
        current.0 = judge.cost(&current.1, given);
    }
    best.1
}

/// The values of a pattern on the boards and on their mirror images.
#[derive(Clone)]
struct Values {
    board: Rc<[u8]>,
    mirrored: Rc<[u8]>,
}

/// Judges partitions by their values on drawn boards.
struct Judge {
    goal: Board,
    /// The boards, and their mirror images.
    boards: Vec<State>,
    mirrored: Vec<State>,
    /// The bound of the base on each of them.
    base: Vec<u8>,
    known: HashMap<u32, Values>,
    built: usize,
    /// By difference of two bounds, plus 128.
    powers: Vec<f64>,
}

impl Judge {
    fn new(goal: &Board, base: &[u32], generator: &mut Generator) -> Judge {
        let mut judge = Judge {
            goal: goal.clone(),
            boards: vec![],
            mirrored: vec![],
            base: vec![],
            known: HashMap::new(),
            built: 0,
            powers: (-128..128).map(|d| WORTH.powi(d)).collect(),
        };
        let drawn = judge.drawn(base, generator);
        let random = (0..BOARDS[2]).map(|_| random_board(goal, generator));
        let boards: Vec<Board> = drawn.into_iter().chain(random).collect();
        judge.boards = boards.iter().map(|board| judge.state(board)).collect();
        judge.mirrored = (boards.iter())
            .map(|board| judge.state(&judge.mirror_image(board)))
            .collect();
        judge.base = judge.bounds(base);
        judge
    }

    /// Boards with probability ∝ c^-h of the base. A step turns three random tiles round or slides a tile, and is
    /// accepted as Metropolis has it.
    fn drawn(&self, base: &[u32], generator: &mut Generator) -> Vec<Board> {
        let parts: Vec<String> = base.iter().map(|&pattern| names(pattern)).collect();
        let reflect = if self.is_square() { "+reflect" } else { "" };
        let databases = self.databases(&format!("{}{reflect}", parts.join("+")));
        let bound = |board: &Board| {
            Heuristic::<Tiles>::bound(
                &databases,
                Heuristic::<Tiles>::start(&databases, &self.state(board)),
            )
        };
        let cells = self.goal.tiles().len();
        let mut board = self.goal.clone();
        let mut h = bound(&board);
        let mut drawn = vec![];
        let wanted = BOARDS[0] + BOARDS[1];
        for step in 0.. {
            let mut next = board.clone();
            if generator.below(2) == 0 {
                let ways = [
                    Direction::Up,
                    Direction::Down,
                    Direction::Left,
                    Direction::Right,
                ];
                next.step(ways[generator.below(4)]);
            } else {
                let mut tiles = board.tiles().to_vec();
                let [a, b, c] = std::array::from_fn(|_| generator.below(cells));
                if a != b && b != c && c != a && [a, b, c].iter().all(|&i| tiles[i] != 0) {
                    (tiles[a], tiles[b], tiles[c]) = (tiles[b], tiles[c], tiles[a]);
                }
                next = Board::new(board.width(), tiles).expect("a board");
            }
            let after = bound(&next);
            let chance = WORTH.powi(h as i32 - after as i32);
            if chance >= 1.0 || (generator.below(1 << 30) as f64) < chance * f64::from(1 << 30) {
                (board, h) = (next, after);
            }
            // The first boards are still near the goal.
            if step % STEPS == 0 && step >= 200 * STEPS {
                drawn.push(board.clone());
            }
            if drawn.len() == wanted {
                break;
            }
        }
        // Neighbours in the chain are alike, so each half gets every second board.
        let (even, odd): (Vec<_>, Vec<_>) =
            (drawn.into_iter().enumerate()).partition(|(i, _)| i % 2 == 0);
        even.into_iter()
            .chain(odd)
            .map(|(_, board)| board)
            .collect()
    }

    fn is_square(&self) -> bool {
        self.goal.width() == self.goal.height()
    }

    /// The cell on the other side of the diagonal.
    fn mirror(&self, cell: usize) -> usize {
        let width = self.goal.width();
        if self.is_square() {
            cell % width * width + cell / width
        } else {
            cell
        }
    }

    fn mirror_image(&self, board: &Board) -> Board {
        let mut tiles = vec![0; board.tiles().len()];
        for (cell, &tile) in board.tiles().iter().enumerate() {
            tiles[self.mirror(cell)] = self.mirror(tile.into()) as u16;
        }
        Board::new(board.width(), tiles).expect("a board")
    }

    fn mirrored_pattern(&self, pattern: u32) -> u32 {
        cells(pattern).map(|cell| 1 << self.mirror(cell)).sum()
    }

    fn state(&self, board: &Board) -> State {
        Tiles::on_board(board, &self.goal).start()
    }

    fn databases(&self, partition: &str) -> Databases {
        let partition: Partition = partition.parse().expect("a partition");
        Databases::new(
            &partition,
            &self.goal,
            &Tables::in_memory(),
            &Control::new(),
        )
        .expect("no limit")
    }

    /// The values of a pattern, from its table if they are not known yet.
    fn values(&mut self, pattern: u32) -> Values {
        if let Some(values) = self.known.get(&pattern) {
            return values.clone();
        }
        self.built += 1;
        let databases = self.databases(&names(pattern));
        let look = |states: &[State]| {
            let value = |state| {
                Heuristic::<Tiles>::bound(&databases, Heuristic::<Tiles>::start(&databases, state))
                    as u8
            };
            states.iter().map(value).collect()
        };
        let values = Values {
            board: look(&self.boards),
            mirrored: look(&self.mirrored),
        };
        let swapped = Values {
            board: values.mirrored.clone(),
            mirrored: values.board.clone(),
        };
        self.known.insert(self.mirrored_pattern(pattern), swapped);
        self.known.insert(pattern, values.clone());
        values
    }

    /// The bound of a partition on each board.
    fn bounds(&mut self, partition: &[u32]) -> Vec<u8> {
        let all = self.boards.len();
        let (mut board, mut mirrored) = (vec![0u8; all], vec![0u8; all]);
        for &pattern in partition {
            let values = self.values(pattern);
            for i in 0..all {
                board[i] += values.board[i];
                mirrored[i] += values.mirrored[i];
            }
        }
        board
            .iter()
            .zip(&mirrored)
            .map(|(&a, &b)| a.max(b))
            .collect()
    }

    /// The mean of c^-h relative to the base, of the maximum with bounds that are given.
    fn cost(&mut self, partition: &[u32], given: &[u8]) -> f64 {
        let bounds = self.bounds(partition);
        self.ratio(&bounds, given, 0..BOARDS[0])
    }

    fn ratio(&self, bounds: &[u8], given: &[u8], boards: std::ops::Range<usize>) -> f64 {
        let mut sum = 0.0;
        for i in boards.clone() {
            let h = bounds[i].max(given[i]);
            sum += self.powers[128 + usize::from(self.base[i]) - usize::from(h)];
        }
        sum / boards.len() as f64
    }

    /// Prints a partition, alone or as a maximum with given bounds, with its figures on the boards that did not guide
    /// the search.
    fn report(&mut self, what: &str, partition: &[u32], given: &[u8]) {
        let bounds = self.bounds(partition);
        let nothing = vec![0; bounds.len()];
        let given = if given.is_empty() { &nothing } else { given };
        let (guides, judges) = (BOARDS[0], BOARDS[0] + BOARDS[1]);
        let random = bounds[judges..].iter().zip(&given[judges..]);
        let sum: f64 = random.map(|(&a, &b)| f64::from(a.max(b))).sum();
        let parts: Vec<String> = partition.iter().map(|&pattern| names(pattern)).collect();
        println!(
            "{what}: {}: cost {:.4} (guided {:.4}), mean h {:.3}; {} tables",
            parts.join("+"),
            self.ratio(&bounds, given, guides..judges),
            self.ratio(&bounds, given, 0..guides),
            sum / BOARDS[2] as f64,
            self.built
        );
    }

    /// The mean bound of the base on the drawn boards.
    fn mean_base(&self) -> f64 {
        let drawn = &self.base[..BOARDS[0] + BOARDS[1]];
        drawn.iter().map(|&h| f64::from(h)).sum::<f64>() / drawn.len() as f64
    }

    /// The number of patterns whose values are not known.
    fn unknown(&self, partition: &[u32]) -> usize {
        let new = |pattern: &&u32| !self.known.contains_key(*pattern);
        partition.iter().filter(new).count()
    }

    /// How far the cells of each pattern are from each other: the sum of squares.
    fn spread(&self, partition: &[u32]) -> usize {
        let width = self.goal.width();
        let apart = |a: usize, b: usize| {
            (a / width).abs_diff(b / width).pow(2) + (a % width).abs_diff(b % width).pow(2)
        };
        let pairs = |&pattern: &u32| -> usize {
            (cells(pattern).flat_map(|a| cells(pattern).map(move |b| (a, b))))
                .map(|(a, b)| apart(a, b))
                .sum()
        };
        partition.iter().map(pairs).sum()
    }

    /// All partitions of connected patterns in which two cells have changed places.
    fn exchanges(&self, partition: &[u32]) -> Vec<Vec<u32>> {
        let mut found = vec![];
        for (i, &one) in partition.iter().enumerate() {
            for (j, &other) in partition.iter().enumerate().skip(i + 1) {
                for (a, b) in cells(one).flat_map(|a| cells(other).map(move |b| (a, b))) {
                    let both = 1 << a | 1 << b;
                    if self.is_connected(one ^ both) && self.is_connected(other ^ both) {
                        let mut next = partition.to_vec();
                        (next[i], next[j]) = (one ^ both, other ^ both);
                        found.push(next);
                    }
                }
            }
        }
        found
    }

    fn is_connected(&self, pattern: u32) -> bool {
        let width = self.goal.width();
        let mut reached = 1 << pattern.trailing_zeros();
        loop {
            let mut next: u32 = reached;
            for cell in cells(reached) {
                next |= 1 << cell << width | (1 << cell) >> width;
                next |= if cell % width > 0 { 1 << (cell - 1) } else { 0 };
                next |= if cell % width + 1 < width {
                    1 << (cell + 1)
                } else {
                    0
                };
            }
            next &= pattern;
            if next == reached {
                return reached == pattern;
            }
            reached = next;
        }
    }

    /// The partitions of known patterns with these sizes, the largest first.
    fn covers(&self, sizes: &[u32]) -> Vec<Vec<u32>> {
        let mut by_first: HashMap<u32, Vec<u32>> = HashMap::new();
        for &pattern in self.known.keys() {
            by_first
                .entry(pattern.trailing_zeros())
                .or_default()
                .push(pattern);
        }
        // The order of a hash map is not the same in every run.
        for list in by_first.values_mut() {
            list.sort_unstable();
        }
        let mut found = vec![];
        let all = (1 << self.goal.tiles().len()) - 2;
        let mut sizes = sizes.to_vec();
        cover(all, &mut vec![], &mut sizes, &by_first, &mut found);
        for partition in &mut found {
            partition.sort_by_key(|p| (std::cmp::Reverse(p.count_ones()), p.trailing_zeros()));
        }
        found
    }
}

/// Adds all partitions of the cells that are left.
fn cover(
    left: u32,
    chosen: &mut Vec<u32>,
    sizes: &mut Vec<u32>,
    by_first: &HashMap<u32, Vec<u32>>,
    found: &mut Vec<Vec<u32>>,
) {
    if left == 0 {
        found.push(chosen.clone());
    }
    let Some(candidates) = by_first.get(&left.trailing_zeros()) else {
        return;
    };
    for &pattern in candidates {
        if pattern & !left != 0 || found.len() >= MOST_COVERS {
            continue;
        }
        let Some(at) = sizes.iter().position(|&size| size == pattern.count_ones()) else {
            continue;
        };
        let size = sizes.swap_remove(at);
        chosen.push(pattern);
        cover(left & !pattern, chosen, sizes, by_first, found);
        chosen.pop();
        sizes.push(size);
    }
}

/// The cells of a pattern.
fn cells(pattern: u32) -> impl Iterator<Item = usize> + Clone {
    (0..32).filter(move |cell| pattern >> cell & 1 == 1)
}

/// The tiles of a pattern, as a partition has them: with the blank first, each has the number of its cell.
fn names(pattern: u32) -> String {
    let tiles: Vec<String> = cells(pattern).map(|cell| cell.to_string()).collect();
    tiles.join(",")
}
