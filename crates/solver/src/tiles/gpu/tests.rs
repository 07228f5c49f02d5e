//! The mirror of the kernel, and the kernel itself compiled as C++, against the threads of a CPU.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use noyes_puzzle::Duplicates;
use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::{Board, Direction, Generator, random_walk};

use super::mirror::Mirror;
use super::self_test;
use super::{Beamed, Device, DeviceError, Flat, Job, Round, SubtreeStates};
use crate::control::{Control, Stop};
use crate::tiles::heuristic::HeuristicName;
use crate::tiles::pdb::Tables;
use crate::tiles::subtrees::{Deepening, Keep, Part, Parts, Run, Walks};
use crate::{Status, tiles::Searched};

fn deepening(heuristic: &str, goal: &Board, tables: &Tables, depth: usize) -> Deepening {
    let heuristic: HeuristicName = heuristic.parse().unwrap();
    let (width, height) = (goal.width(), goal.height());
    let graph = Graph::grid(width, height);
    let walks = Walks::new(&Duplicates::new(&graph, depth), width, height);
    let walks = (depth, Arc::new(walks));
    Deepening::new(&heuristic, goal, tables, walks, &Control::new()).unwrap()
}

/// Boards of all kinds: goal, heuristic, depth of duplicates, and a random walk's length.
fn cases() -> Vec<(Board, &'static str, usize, usize)> {
    let odd: Board = "9 1 2 3/4 0 6 7/8 5 10 11/12 13 15 14".parse().unwrap();
    let first = Board::blank_first;
    vec![
        (first(2, 2), "pdb:3", 2, 9),
        (first(3, 3), "pdb:4-4", 2, 60),
        (first(3, 3), "pdb:4-4+reflect", 8, 60),
        (Board::blank_last(4, 3), "pdb:5-6", 6, 80),
        (first(2, 5), "pdb:5-4", 9, 60),
        (odd.clone(), "pdb:5-5-5+reflect", 10, 50),
        (
            odd,
            "pdb:1,2,3,4,5+6,7,8,9,10+11,12,13,14,15/pdb:1,2,3,4,5+6,7,11,12,13+8,9,10,14,15+reflect",
            8,
            50,
        ),
        (
            Board::blank_last(4, 4),
            "pdb:5-5-5/pdb:4-4-4-3+reflect",
            6,
            50,
        ),
        (first(5, 5), "pdb:4-4-4-4-4-4+reflect", 8, 44),
        (first(5, 5), "pdb:5-5-5-5-4/pdb:1,2+3,4+5,6", 12, 44),
    ]
}

/// Compares the whole limits, the optimum and the plan of threads with those of a device.
fn compare(device: impl Fn(Flat, u32, u32, usize) -> Box<dyn Device>) {
    let tables = Tables::in_memory();
    for (goal, heuristic, depth, walk) in cases() {
        let deepening = deepening(heuristic, &goal, &tables, depth);
        let sizes = [(u32::MAX, u32::MAX, 1), (200, 40, 9), (64, 32, 500)];
        for (i, (most, least, take)) in (0..).zip(sizes) {
            let device = device(deepening.flat(&goal), most, least, take);
            let moves = walk * (2 + i as usize) / 4;
            let board = random_walk(&goal, moves, &mut Generator::new(7, i));
            let control = Control::new();
            let run = |device: Option<&dyn Device>| {
                let run = Run {
                    device,
                    ..Run::new(&control)
                };
                let mut limits: Vec<Searched> = vec![];
                let outcome = deepening.searched(&board, run, &mut |limit| limits.push(limit));
                (limits, outcome.unwrap())
            };
            let (expected, outcome) = run(None);
            let (limits, other) = run(Some(&*device));
            assert_eq!(limits, expected, "{board} to {goal} by {heuristic}");
            assert_eq!(other.bounds, outcome.bounds);
            let plan = other.plan.unwrap();
            let length = noyes_check::board_plan(&board, &goal, &plan).ok();
            assert_eq!(length, outcome.bounds.upper);
        }
    }
}

#[test]
fn the_mirror_counts_what_threads_count() {
    compare(|flat, most, least, take| Box::new(Mirror::new(flat, most, least, take).with_beams()));
}

#[test]
fn parts_that_are_searched_together_count_what_each_counts_alone() {
    let goal = Board::blank_first(4, 4);
    let deepening = Arc::new(deepening(
        "pdb:5-5-5+reflect",
        &goal,
        &Tables::in_memory(),
        8,
    ));
    let mirror = Mirror::new(deepening.flat(&goal), 200, 40, 9);
    // Korf's first, 57 moves.
    let board = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3".parse().unwrap();
    let control = Control::new();
    let parts = Parts::new(deepening, board);
    let (mut limit, mut compared) = (parts.open(1_000, &control).limit, 0);
    while compared < 20_000 {
        let cut = parts.cut(limit, 60);
        let part = |first| Part {
            limit,
            depth: cut.depth,
            subtrees: cut.subtrees,
            check: cut.check,
            first,
            step: 7,
        };
        // Not in order, and not all of them.
        let some = [3, 0, 5, 6].map(part);
        let together = parts.search_on(&mirror, &some, &control).unwrap();
        let alone = some.map(|part| parts.search(&part, 1, &control).unwrap());
        assert_eq!(together, alone, "limit {limit}");
        compared += alone.iter().map(|end| end.counts.0).sum::<u64>();
        // A part of another limit does not fit.
        let other = Part {
            limit: limit + 2,
            ..some[1]
        };
        let mixed = [some[0], other];
        assert!(parts.search_on(&mirror, &mixed, &control).is_err());
        limit += 2;
    }
}

#[test]
fn the_kernels_count_what_threads_and_the_mirror_count() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("kernel");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tiles/gpu/host.cpp");
    let compiled = Command::new("c++")
        .args(["-O1", "-std=c++17", "-w", "-o"])
        .args([&program, &source])
        .status();
    let Ok(compiled) = compiled else {
        eprintln!("without a C++ compiler the kernels are not tested");
        return;
    };
    assert!(compiled.success());
    let kernel = |flat, most, least, take| -> Box<dyn Device> {
        Box::new(Kernel {
            flat,
            sizes: [u64::from(most), u64::from(least), 2000, take as u64],
            program: program.clone(),
            job: Mutex::default(),
        })
    };
    compare(kernel);
    let by_kernel = beams(|flat| kernel(flat, 1, 1, 1));
    let by_mirror = beams(|flat| Box::new(Mirror::new(flat, 1, 1, 1)));
    assert_eq!(by_kernel, by_mirror);
}

/// Beams of these widths on boards of all kinds, each within the length of an optimal plan.
fn beams(device: impl Fn(Flat) -> Box<dyn Device>) -> Vec<Beamed> {
    let tables = Tables::in_memory();
    let mut all = vec![];
    for (goal, heuristic, depth, walk) in cases() {
        let deepening = deepening(heuristic, &goal, &tables, depth);
        let device = device(deepening.flat(&goal));
        let board = random_walk(&goal, walk, &mut Generator::new(8, 0));
        let control = Control::new();
        let outcome = deepening.solve(&board, Run::new(&control)).unwrap();
        let optimum = outcome.bounds.lower;
        if optimum == 0 {
            continue;
        }
        for width in [2, 60, 3_000] {
            let beamed = deepening.beam_on(&board, optimum, width, &*device, &control);
            let beamed = beamed.unwrap();
            if let Some(path) = &beamed.found {
                let plan: Vec<_> = path
                    .iter()
                    .map(|&d| Direction::ALL[usize::from(d)])
                    .collect();
                let length = noyes_check::board_plan(&board, &goal, &plan).ok();
                assert_eq!(length, Some(optimum), "{board} to {goal} by {heuristic}");
            }
            // Nothing is found within a limit that is too small, even if no node is left out.
            if optimum > 2 {
                let short = deepening.beam_on(&board, optimum - 2, width, &*device, &control);
                assert_eq!(
                    short.unwrap().found,
                    None,
                    "{board} to {goal} by {heuristic}"
                );
            }
            all.push(beamed);
        }
    }
    all
}

#[test]
fn wide_beams_find_optimal_plans() {
    let all = beams(|flat| Box::new(Mirror::new(flat, 1, 1, 1)));
    let found = |i: usize| {
        all.iter()
            .skip(i)
            .step_by(3)
            .filter(|b| b.found.is_some())
            .count()
    };
    let cases = all.len() / 3;
    assert!(found(0) < found(2), "a narrow beam misses some plans");
    assert_eq!(found(2), cases, "{all:?}");
}

#[test]
fn a_device_that_counts_wrong_does_not_pass_the_self_test() {
    let goal = Board::blank_first(4, 4);
    let deepening = deepening("pdb:5-5-5+reflect", &goal, &Tables::in_memory(), 8);
    let good = Mirror::new(deepening.flat(&goal), 100, 50, 40);
    assert_eq!(self_test(&deepening, &goal, &good), Ok(()));
    let mut flat = deepening.flat(&goal);
    for steps in flat.walks.iter_mut().step_by(9) {
        steps[0] = u32::MAX;
    }
    let broken = Mirror::new(flat, 100, 50, 40);
    let error = self_test(&deepening, &goal, &broken).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("GPU: the self-test failed: on "),
        "{error}"
    );
    // A card that is lost meanwhile says so.
    let lost = Lost {
        card: good,
        rounds: 0.into(),
        error: None.into(),
    };
    let error = self_test(&deepening, &goal, &lost).unwrap_err();
    assert_eq!(error.to_string(), "GPU: it is lost");
}

#[test]
fn the_ptx_is_that_of_the_source() {
    let sources = [
        (
            "search",
            &include_bytes!("search.cu")[..],
            &include_bytes!("search.ptx.gz")[..],
        ),
        (
            "beam",
            include_bytes!("beam.cu"),
            include_bytes!("beam.ptx.gz"),
        ),
        (
            "build",
            include_bytes!("build.cu"),
            include_bytes!("build.ptx.gz"),
        ),
    ];
    for (name, source, ptx) in sources {
        let mut text = String::new();
        let mut decoder = flate2::read::GzDecoder::new(ptx);
        decoder.read_to_string(&mut text).unwrap();
        let source = std::str::from_utf8(source).unwrap();
        let source = source.replace("#include \"tables.cuh\"\n", include_str!("tables.cuh"));
        // FNV-1a, as in ptx.py.
        let hash = source
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        let expected = format!("// {name}.cu {hash:016x}");
        assert_eq!(text.lines().next(), Some(&*expected), "run ptx.py");
    }
}

/// The kernel as a program for the CPU.
struct Kernel {
    flat: Flat,
    /// Most and least states of a piece, room for pieces, pieces in a round.
    sizes: [u64; 4],
    program: PathBuf,
    job: Mutex<(Vec<u64>, usize)>,
}

impl Kernel {
    /// Runs the program: a beam of this width, or a search if it is zero.
    fn run(&self, pieces: &[u64], subtrees: usize, width: usize) -> (u64, u64, Option<Vec<u8>>) {
        let Kernel { flat, .. } = self;
        let mut numbers = [flat.stages, flat.tables.len(), subtrees]
            .map(|n| n as u64)
            .to_vec();
        numbers.extend(self.sizes);
        numbers.push(width as u64);
        let words = |words: &[u64]| words.iter().flat_map(|n| n.to_le_bytes()).collect();
        let halves = |halves: &[u32]| halves.iter().flat_map(|n| n.to_le_bytes()).collect();
        let quarters = |quarters: &[u16]| quarters.iter().flat_map(|n| n.to_le_bytes()).collect();
        let mut parts: Vec<u8> = vec![];
        for part in &flat.parts {
            parts.extend(part.bits.to_le_bytes());
            parts.extend(part.row_bits.to_le_bytes());
            for number in [
                part.lanes,
                part.turned,
                part.turns,
                part.product,
                part.half,
                part.base_bits,
                part.upper,
                part.lower,
                part.entries,
                part.many,
            ] {
                parts.extend(number.to_le_bytes());
            }
        }
        let mut buffers: Vec<Vec<u8>> = vec![
            words(&numbers),
            parts,
            halves(&flat.steps),
            quarters(&flat.part_of),
            quarters(&flat.turned),
            flat.products.clone(),
            halves(&flat.upper),
            quarters(&flat.lower),
            words(&flat.entries),
            halves(&flat.many),
            halves(flat.walks.as_flattened()),
            words(pieces),
        ];
        buffers.extend(flat.tables.iter().map(|table| table.bits().to_vec()));
        let mut bytes = vec![];
        for buffer in buffers {
            bytes.extend((buffer.len() as u64).to_le_bytes());
            bytes.extend(buffer);
        }
        let file = self.program.with_extension("buffers");
        std::fs::write(&file, bytes).unwrap();
        let output = Command::new(&self.program).arg(file).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let numbers: Vec<u64> = text.split(' ').map(|n| n.parse().unwrap()).collect();
        let moves: Vec<u8> = numbers[2..].iter().map(|&n| n as u8).collect();
        (numbers[0], numbers[1], (!moves.is_empty()).then_some(moves))
    }
}

impl Device for Kernel {
    fn beam_width(&self, expanded: u64) -> usize {
        expanded as usize / 5
    }

    fn beam(
        &self,
        root: &[u64],
        width: usize,
        _: &dyn Fn() -> bool,
    ) -> Result<Beamed, DeviceError> {
        let (expanded, generated, found) = self.run(root, 0, width);
        Ok(Beamed {
            found,
            expanded,
            generated,
        })
    }

    fn begin(&self, job: &Job) -> Result<(), DeviceError> {
        *self.job.lock().unwrap() = (job.pieces.clone(), job.subtrees);
        Ok(())
    }

    fn round(&self, _: &dyn Fn() -> bool) -> Result<Round, DeviceError> {
        let (pieces, subtrees) = &*self.job.lock().unwrap();
        let (expanded, generated, found) = self.run(pieces, *subtrees, 0);
        Ok(Round {
            left: 0,
            expanded,
            generated,
            found,
        })
    }

    fn subtrees(&self) -> Result<SubtreeStates, DeviceError> {
        let subtrees = self.job.lock().unwrap().1;
        Ok(SubtreeStates {
            open: vec![0; subtrees],
            counts: vec![[0; 2]; subtrees],
        })
    }

    fn fail(&self, error: DeviceError) {
        panic!("{error}");
    }

    fn failure(&self) -> Option<DeviceError> {
        None
    }
}

#[test]
fn a_search_goes_to_and_fro_between_threads_and_device() {
    let goal = Board::blank_first(5, 5);
    let pairs = "pdb:2-2-2-2-2-2-2-2-2-2-2-2";
    let deepening = deepening(pairs, &goal, &Tables::in_memory(), 6);
    let board = "1 2 12 6 16/10 5 17 18 7/13 21 8 19 3/15 23 4 0 9/20 14 11 22 24";
    let board: Board = board.parse().unwrap();
    let control = Control::new();
    let mut expected = vec![];
    let whole = deepening.searched(&board, Run::new(&control), &mut |limit| {
        expected.push(limit);
    });
    let folder = tempfile::tempdir().unwrap();
    let keep = Keep::File(folder.path().join("checkpoint.txt"));
    let mirror = Mirror::new(deepening.flat(&goal), 500, 50, 60);
    let mut generator = Generator::new(3, 0);
    let mut limits = vec![];
    for runs in 0.. {
        assert!(runs < 300, "every run brings the search forward");
        let budget = control.within(400_000 + generator.below(400_000) as u64);
        let run = Run {
            device: (runs % 2 == 0).then_some(&mirror as _),
            checkpoints: Some(&keep),
            ..Run::new(&budget)
        };
        let outcome = deepening.searched(&board, run, &mut |limit| limits.push(limit));
        let outcome = outcome.unwrap();
        if outcome.status == Status::Optimal {
            assert!(runs > 3, "{runs} runs");
            assert_eq!(outcome.bounds, whole.unwrap().bounds);
            break;
        }
        assert_eq!(outcome.status, Status::Limit(Stop::Budget));
    }
    assert_eq!(limits, expected);
}

#[test]
fn a_search_that_is_stopped_has_a_plan() {
    let mut open = 0;
    let tables = Tables::in_memory();
    for (goal, heuristic, depth, walk) in cases() {
        let deepening = deepening(heuristic, &goal, &tables, depth);
        let mirror = Mirror::new(deepening.flat(&goal), 200, 40, 9).with_beams();
        for i in 0..12 {
            let board = random_walk(&goal, walk, &mut Generator::new(11, i));
            let control = Control::new();
            let optimum = deepening.solve(&board, Run::new(&control)).unwrap();
            let optimum = optimum.bounds.upper.unwrap();
            for budget in [300, 1_000, 3_000, 10_000, 30_000, u64::MAX] {
                let control = control.within(budget);
                let run = Run {
                    device: Some(&mirror),
                    ..Run::new(&control)
                };
                let outcome = deepening.solve(&board, run).unwrap();
                let upper = outcome.bounds.upper;
                assert!(outcome.bounds.lower <= optimum);
                assert!(upper.is_none_or(|upper| upper >= optimum), "{board}");
                if let Some(plan) = &outcome.plan {
                    let length = noyes_check::board_plan(&board, &goal, plan).unwrap();
                    assert_eq!(Some(length), upper);
                }
                if outcome.status == Status::Optimal {
                    assert_eq!((outcome.bounds.lower, upper), (optimum, Some(optimum)));
                } else {
                    assert_eq!(outcome.status, Status::Limit(Stop::Budget));
                    open += usize::from(upper.is_some());
                }
            }
        }
    }
    assert!(open > 10, "{open} have a plan that is not proven");
}

/// A card that is lost after some rounds.
struct Lost {
    card: Mirror,
    rounds: Mutex<usize>,
    error: Mutex<Option<DeviceError>>,
}

impl Device for Lost {
    fn beam_width(&self, expanded: u64) -> usize {
        self.card.beam_width(expanded)
    }

    fn beam(
        &self,
        root: &[u64],
        width: usize,
        ends: &dyn Fn() -> bool,
    ) -> Result<Beamed, DeviceError> {
        self.card.beam(root, width, ends)
    }

    fn begin(&self, job: &Job) -> Result<(), DeviceError> {
        self.card.begin(job)
    }

    fn round(&self, ends: &dyn Fn() -> bool) -> Result<Round, DeviceError> {
        let mut rounds = self.rounds.lock().unwrap();
        *rounds = rounds
            .checked_sub(1)
            .ok_or(DeviceError("it is lost".into()))?;
        self.card.round(ends)
    }

    fn subtrees(&self) -> Result<SubtreeStates, DeviceError> {
        self.card.subtrees()
    }

    fn fail(&self, error: DeviceError) {
        *self.error.lock().unwrap() = Some(error);
    }

    fn failure(&self) -> Option<DeviceError> {
        self.error.lock().unwrap().take()
    }
}

#[test]
fn threads_go_on_from_the_checkpoint_of_a_card_that_is_lost() {
    let goal = Board::blank_first(5, 5);
    let pairs = "pdb:2-2-2-2-2-2-2-2-2-2-2-2";
    let deepening = deepening(pairs, &goal, &Tables::in_memory(), 6);
    let board = "1 2 12 6 16/10 5 17 18 7/13 21 8 19 3/15 23 4 0 9/20 14 11 22 24";
    let board: Board = board.parse().unwrap();
    let control = Control::new();
    let mut expected = vec![];
    let whole = deepening.searched(&board, Run::new(&control), &mut |limit| {
        expected.push(limit);
    });
    let whole = whole.unwrap();
    for rounds in [0, 1, 5, 20, 60, 100] {
        let folder = tempfile::tempdir().unwrap();
        let keep = Keep::File(folder.path().join("checkpoint.txt"));
        let lost = Lost {
            card: Mirror::new(deepening.flat(&goal), 500, 50, 60),
            rounds: Mutex::new(rounds),
            error: Mutex::default(),
        };
        let mut limits = vec![];
        let run = Run {
            device: Some(&lost),
            checkpoints: Some(&keep),
            ..Run::new(&control)
        };
        let outcome = deepening.searched(&board, run, &mut |limit| limits.push(limit));
        let outcome = outcome.unwrap();
        let lost_after = format!("lost after {rounds} rounds");
        assert_eq!(
            outcome.status,
            Status::Limit(Stop::Interrupted),
            "{lost_after}"
        );
        assert!(outcome.plan.is_none());
        assert!(outcome.bounds.lower <= whole.bounds.lower);
        assert!(lost.error.lock().unwrap().is_some());
        let run = Run {
            checkpoints: Some(&keep),
            ..Run::new(&control)
        };
        let outcome = deepening.searched(&board, run, &mut |limit| limits.push(limit));
        assert_eq!(outcome.unwrap().bounds, whole.bounds);
        assert_eq!(limits, expected, "{lost_after}");
    }
}
