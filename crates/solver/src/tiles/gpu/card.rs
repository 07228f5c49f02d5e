//! A card: an NVIDIA GPU with the tables of one heuristic, searching pieces with the kernel of `search.cu`.
//!
//! A round is one launch. The pieces are a stack; a round takes some from its top, and what it gives back is put on top
//! again. So the stack stays small, and the card always has work for all threads. A round ends when its pieces are
//! used up, or when the host raises a flag in the card's memory, which it does after a second.

#![allow(unsafe_code, reason = "launches kernels and shares memory with them")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cudarc::driver::sys::{CUdevice_attribute, CUfunction_attribute};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr,
    DriverError, LaunchConfig, PushKernelArg, ValidAsZeroBits, result,
};
use cudarc::nvrtc::Ptx;

use super::card_beam::BeamKernels;
use super::device::{Beamed, Device, DeviceError, Job, Round, SubtreeStates};
use super::driver::{failed, first_card, ptx};
use super::flat::{Flat, FlatPart};
use super::params::Params;
use super::piece::{PATH_WORDS, PLACE, moves, stride};
use crate::clock::Instant;

/// The kernels, compressed.
const PTX: &[u8] = include_bytes!("search.ptx.gz");
/// The most sums of a bound.
const MOST_STAGES: usize = 6;
/// Nodes on the stack of a thread, as in `search.cu`.
const MOST_KEPT: usize = 256;
/// Bytes in a block that the threads share: steps, parts, tiles, as `Shared` in `search.cu` has them, then sights and products.
fn shared_bytes(threads: usize, flat: &Flat) -> usize {
    let fixed = MOST_STAGES * (32 * 4 * 4 + 32 * 2) + 16 * size_of::<FlatPart>();
    let fixed = (fixed + 7 * 4 * threads).next_multiple_of(8);
    fixed + 8 * flat.parts.len() * threads + flat.products.len()
}
/// How long a round takes at most, so that counts and checkpoints are not old.
const LONGEST_ROUND: Duration = Duration::from_secs(1);
/// Bytes of the card that are left to others.
const SPARE_BYTES: usize = 300 << 20;

/// A beam has one node in a layer for this number of states expanded in the limit before. So beams take about a tenth of the
/// time of the limit, and those before the optimum's are in vain.
const STATES_PER_NODE: u64 = 400;
/// The narrowest beam: with a smaller one, starting its kernels takes longer than the limit.
const LEAST_WIDTH: usize = 16_384;

/// About what a search needs beside its tables for each multiprocessor: the stacks and the pieces of 1,024 threads, with eight parts.
const SEARCH_BYTES: usize = 1024 * (MOST_KEPT * 16 * 8 + 8 * LEAST_PIECES * stride(8));
/// The pieces for each thread that there has to be room for.
const LEAST_PIECES: usize = 40;
/// Pieces leave this much to beams if they can.
const BEAM_BYTES: usize = 2 << 30;

/// When a thread gives work back.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// After this number of states.
    pub most: u32,
    /// After this number, if nothing is left to take.
    pub least: u32,
    /// How many pieces for each thread a round takes.
    pub take: u32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            most: 1 << 20,
            least: 16,
            take: 64,
        }
    }
}

/// What a round begins with and ends with, as in `search.cu`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Control {
    next: u32,
    out: u32,
    stop: u32,
    found: u32,
    expanded: u64,
    generated: u64,
    length: u32,
    full: u32,
    path: [u64; PATH_WORDS],
}

// SAFETY: numbers only, laid out as in C.
unsafe impl DeviceRepr for Control {}
// SAFETY: zero is a number.
unsafe impl ValidAsZeroBits for Control {}
// SAFETY: numbers only, laid out as in C.
unsafe impl DeviceRepr for FlatPart {}

/// A card with the tables of a heuristic.
pub struct Card {
    stream: Arc<CudaStream>,
    /// For the flag that ends a round.
    signals: Arc<CudaStream>,
    kernel: CudaFunction,
    name: String,
    blocks: u32,
    /// Threads in a block.
    threads: u32,
    shared_bytes: u32,
    pace: Pace,
    /// Everything but what changes with a limit.
    params: Params,
    /// Pieces that fit on the stack.
    capacity: usize,
    beams: BeamKernels,
    state: Mutex<State>,
    failure: Mutex<Option<DeviceError>>,
    /// What the addresses in `params` point to.
    _kept: Kept,
}

struct State {
    pieces: CudaSlice<u64>,
    out: CudaSlice<u64>,
    out_capacity: usize,
    control: CudaSlice<Control>,
    open: CudaSlice<u32>,
    counts: CudaSlice<u64>,
    /// Pieces on the stack.
    count: usize,
}

#[derive(Default)]
struct Kept {
    bytes: Vec<CudaSlice<u8>>,
    quarters: Vec<CudaSlice<u16>>,
    halves: Vec<CudaSlice<u32>>,
    words: Vec<CudaSlice<u64>>,
    parts: Vec<CudaSlice<FlatPart>>,
}

fn processors(context: &CudaContext) -> Result<usize, DeviceError> {
    let count = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    let count = context.attribute(count).map_err(failed("its processors"))?;
    Ok(count as usize)
}

impl Card {
    /// The bytes of tables that the first card of this machine has room for now.
    ///
    /// # Errors
    /// Without a driver or a card.
    pub fn room() -> Result<usize, DeviceError> {
        let context = first_card()?;
        let (free, _) = context.mem_get_info().map_err(failed("its memory"))?;
        let needed = processors(&context)? * SEARCH_BYTES + SPARE_BYTES;
        Ok(free.saturating_sub(needed))
    }

    /// Takes the tables to the first card of this machine.
    ///
    /// # Errors
    /// Without a driver or a card, or if its memory does not suffice.
    pub fn new(flat: &Flat) -> Result<Card, DeviceError> {
        Card::with(flat, Pace::default(), None)
    }

    /// The same with another pace, or a kernel from elsewhere.
    ///
    /// # Errors
    /// Without a driver or a card, or if its memory does not suffice.
    pub fn with(flat: &Flat, pace: Pace, kernel: Option<&str>) -> Result<Card, DeviceError> {
        let context = first_card()?;
        // One stream does everything in order; the other one only raises a flag.
        // SAFETY: no memory is freed while it is in use, since each round is waited for.
        unsafe { context.disable_event_tracking() };
        let name = context.name().map_err(failed("its name"))?;
        let source = kernel.map_or_else(|| ptx(PTX), str::to_owned);
        let module = context.load_module(Ptx::from_src(source));
        let module = module.map_err(failed("the driver does not take the kernel"))?;
        let fitting = fitting_kernel(&module, flat).map_err(failed("the kernel"))?;
        let threads_each = fitting.threads;
        let processors = processors(&context)?;
        let blocks = fitting.blocks.max(1) * processors as u32;
        let beams = BeamKernels::new(&context, processors as u32, flat.stages)?;
        let threads = (blocks * threads_each) as usize;
        // What has to fit: tables, stacks, and pieces for every thread.
        let stride = stride(flat.parts.len());
        // In words of 128 bits.
        let kept_size = 4 + flat.parts.len() / 2;
        let stack_bytes = threads * MOST_KEPT * kept_size * 16;
        let needed = flat.table_bytes() + flat.other_bytes() + stack_bytes;
        let least_pieces = LEAST_PIECES * threads * stride * 8;
        let (free, _) = context.mem_get_info().map_err(failed("its memory"))?;
        if needed + least_pieces + SPARE_BYTES > free {
            let gb = |bytes: usize| format!("{:.1} GB", bytes as f64 / 1e9);
            return Err(DeviceError(format!(
                "{name} has {} free, and the search needs {} for tables and {} for itself",
                gb(free),
                gb(flat.table_bytes()),
                gb(stack_bytes + least_pieces + SPARE_BYTES),
            )));
        }
        let room = free - needed - SPARE_BYTES;
        let room = room.saturating_sub(BEAM_BYTES).max(least_pieces);
        let room = (room / (8 * stride)).min(40_000_000);
        let (capacity, out_capacity) = (room / 4 * 3, room / 4);
        let streams = || context.new_stream().map_err(failed("a stream"));
        let (stream, signals) = (streams()?, streams()?);
        let mut kept = Kept::default();
        let params = upload(&stream, flat, &mut kept).map_err(failed("its memory"))?;
        let allocate = || -> Result<_, DriverError> {
            // SAFETY: what the kernel and the host read, they have written before.
            unsafe {
                let stack = stream.alloc::<u64>(stack_bytes / 8)?;
                let state = State {
                    pieces: stream.alloc(capacity * stride)?,
                    out: stream.alloc(out_capacity * stride)?,
                    out_capacity,
                    control: stream.alloc_zeros(1)?,
                    open: stream.alloc_zeros(1)?,
                    counts: stream.alloc_zeros(2)?,
                    count: 0,
                };
                stream.synchronize()?;
                Ok((stack, state))
            }
        };
        let (stack, state) = allocate().map_err(failed("its memory"))?;
        let params = Params {
            stack: stack.device_ptr(&stream).0,
            part_count: flat.parts.len() as u32,
            product_bytes: flat.products.len() as u32,
            upper_count: flat.upper.len() as u32,
            lower_count: flat.lower.len() as u32,
            kept_size: kept_size as u32,
            stages: flat.stages as u32,
            stride: stride as u32,
            most: pace.most,
            least: pace.least,
            ..params
        };
        kept.words.push(stack);
        Ok(Card {
            stream,
            signals,
            kernel: fitting.kernel,
            name,
            blocks,
            threads: threads_each,
            shared_bytes: fitting.shared_bytes as u32,
            pace,
            params,
            capacity,
            beams,
            state: Mutex::new(state),
            failure: Mutex::default(),
            _kept: kept,
        })
    }

    /// The name of the card, its threads, and the registers of each.
    pub fn describe(&self) -> String {
        let threads = self.blocks * self.threads;
        let registers = self.kernel.num_regs().unwrap_or(0);
        format!("{}, {threads} threads of {registers} registers", self.name)
    }

    fn launch(&self, state: &mut State, ends: &dyn Fn() -> bool) -> Result<Control, DriverError> {
        let take = (self.blocks * self.threads * self.pace.take) as usize;
        let take = take.min(state.count);
        let control = Control {
            next: 0,
            out: 0,
            stop: 0,
            full: u32::MAX,
            ..self.stream.clone_dtoh(&state.control)?[0]
        };
        self.stream.memcpy_htod(&[control], &mut state.control)?;
        let address = state.control.device_ptr(&self.stream).0;
        let params = Params {
            pieces: state.pieces.device_ptr(&self.stream).0,
            out: state.out.device_ptr(&self.stream).0,
            open: state.open.device_ptr(&self.stream).0,
            counts: state.counts.device_ptr(&self.stream).0,
            control: address,
            piece_count: state.count as u32,
            take: take as u32,
            // Also if a round ends before it has taken anything, everything fits on the stack.
            capacity: state.out_capacity.min(self.capacity - state.count) as u32,
            ..self.params
        };
        let config = LaunchConfig {
            grid_dim: (self.blocks, 1, 1),
            block_dim: (self.threads, 1, 1),
            shared_mem_bytes: self.shared_bytes,
        };
        // SAFETY: the arguments are those of the kernel, and its memory is there until it has ended.
        unsafe {
            self.stream
                .launch_builder(&self.kernel)
                .arg(&params)
                .launch(config)?
        };
        let event = self.stream.record_event(None)?;
        let begun = Instant::now();
        let mut raised = 0;
        while !event.try_is_complete()? {
            let elapsed = begun.elapsed();
            let wanted = if ends() {
                2
            } else {
                u32::from(elapsed > LONGEST_ROUND)
            };
            if wanted > raised {
                raised = wanted;
                let flag = address + std::mem::offset_of!(Control, stop) as u64;
                // SAFETY: a number in the control block, which the kernel reads anew each time.
                unsafe { result::memcpy_htod_async(flag, &[wanted], self.signals.cu_stream())? };
                self.signals.synchronize()?;
            }
            if elapsed > Duration::from_millis(5) {
                std::thread::sleep(Duration::from_micros(500));
            } else {
                std::thread::yield_now();
            }
        }
        let control = self.stream.clone_dtoh(&state.control)?[0];
        let given = if control.out <= params.capacity {
            control.out
        } else {
            control.full
        };
        let stride = self.params.stride as usize;
        state.count -= take.min(control.next as usize);
        let given = given as usize;
        if given > 0 {
            let from = state.out.slice(..given * stride);
            let mut to = state
                .pieces
                .slice_mut(state.count * stride..(state.count + given) * stride);
            self.stream.memcpy_dtod(&from, &mut to)?;
        }
        state.count += given;
        self.stream.synchronize()?;
        Ok(control)
    }
}

/// A kernel, and how it fills a multiprocessor.
struct Fitting {
    kernel: CudaFunction,
    /// Threads in a block, blocks at a time, and the bytes that a block shares.
    threads: u32,
    blocks: u32,
    shared_bytes: usize,
}

/// The kernel with the most threads; of several, the one that has the most in shared memory.
fn fitting_kernel(module: &Arc<CudaModule>, flat: &Flat) -> Result<Fitting, DriverError> {
    let ranks = size_of_val(&*flat.upper) + size_of_val(&*flat.lower);
    let mut best: Option<Fitting> = None;
    for (name, near_bytes) in [("wide", ranks), ("ranks", ranks), ("search", 0)] {
        let fitting = || -> Result<Fitting, DriverError> {
            let kernel = module.load_function(name)?;
            let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
            let threads = kernel.get_attribute(most)? as u32;
            let shared_bytes = shared_bytes(threads as usize, flat) + near_bytes;
            let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            kernel.set_attribute(most, shared_bytes as i32)?;
            let blocks = kernel.occupancy_max_active_blocks_per_multiprocessor(
                threads,
                shared_bytes,
                None,
            )?;
            Ok(Fitting {
                kernel,
                threads,
                blocks,
                shared_bytes,
            })
        };
        // Not every card has the memory for each of them.
        match fitting() {
            Ok(new) => {
                let is_better = |old: &Fitting| new.blocks * new.threads > old.blocks * old.threads;
                if best.as_ref().is_none_or(is_better) {
                    best = Some(new);
                }
            }
            Err(error) if name == "search" && best.is_none() => return Err(error),
            Err(_) => {}
        }
    }
    Ok(best.expect("a kernel or an error"))
}

/// Copies everything that a limit does not change.
fn upload(stream: &Arc<CudaStream>, flat: &Flat, kept: &mut Kept) -> Result<Params, DriverError> {
    let mut tables = vec![];
    for table in &flat.tables {
        let bits = stream.clone_htod(table.bits())?;
        tables.push(bits.device_ptr(stream).0);
        kept.bytes.push(bits);
    }
    let parts = flat.parts.iter().map(|part| FlatPart {
        bits: tables[part.bits as usize],
        ..*part
    });
    let parts: Vec<FlatPart> = parts.collect();
    let walks = flat.walks.as_flattened();
    Ok(Params {
        parts: send(stream, &parts, &mut kept.parts)?,
        steps: send(stream, &flat.steps, &mut kept.halves)?,
        part_of: send(stream, &flat.part_of, &mut kept.quarters)?,
        turned: send(stream, &flat.turned, &mut kept.quarters)?,
        products: send(stream, &flat.products, &mut kept.bytes)?,
        upper: send(stream, &flat.upper, &mut kept.halves)?,
        lower: send(stream, &flat.lower, &mut kept.quarters)?,
        entries: send(stream, &flat.entries, &mut kept.words)?,
        many: send(stream, &flat.many, &mut kept.halves)?,
        walks: send(stream, walks, &mut kept.halves)?,
        ..Params::default()
    })
}

/// Copies an array and returns its address.
fn send<T: DeviceRepr>(
    stream: &Arc<CudaStream>,
    array: &[T],
    kept: &mut Vec<CudaSlice<T>>,
) -> Result<u64, DriverError> {
    if array.is_empty() {
        return Ok(0);
    }
    let copy = stream.clone_htod(array)?;
    let address = copy.device_ptr(stream).0;
    kept.push(copy);
    Ok(address)
}

impl Device for Card {
    fn beam_width(&self, expanded: u64) -> usize {
        let width = (expanded / STATES_PER_NODE) as usize;
        if width < LEAST_WIDTH { 0 } else { width }
    }

    fn beam(
        &self,
        root: &[u64],
        width: usize,
        ends: &dyn Fn() -> bool,
    ) -> Result<Beamed, DeviceError> {
        let _state = self.state.lock().expect("no thread panics");
        self.beams
            .search(&self.stream, &self.params, root, width, ends)
            .map_err(failed(&self.name))
    }

    fn begin(&self, job: &Job) -> Result<(), DeviceError> {
        let mut state = self.state.lock().expect("no thread panics");
        let stride = self.params.stride as usize;
        let count = job.pieces.len() / stride;
        if count > self.capacity {
            let (name, capacity) = (&self.name, self.capacity);
            return Err(DeviceError(format!(
                "{name} has room for {capacity} subtrees, and the limit has {count}"
            )));
        }
        let mut open = vec![0u32; job.subtrees.max(1)];
        for piece in job.pieces.chunks(stride) {
            open[piece[PLACE + 1] as u32 as usize] += 1;
        }
        let mut begin = || -> Result<(), DriverError> {
            state.open = self.stream.clone_htod(&open)?;
            state.counts = self.stream.alloc_zeros(2 * open.len())?;
            state.control = self.stream.alloc_zeros(1)?;
            if count > 0 {
                let mut to = state.pieces.slice_mut(..job.pieces.len());
                self.stream.memcpy_htod(&job.pieces, &mut to)?;
            }
            state.count = count;
            self.stream.synchronize()
        };
        begin().map_err(failed(&self.name))
    }

    fn round(&self, ends: &dyn Fn() -> bool) -> Result<Round, DeviceError> {
        let mut state = self.state.lock().expect("no thread panics");
        let control = self.launch(&mut state, ends).map_err(failed(&self.name))?;
        let found = control.found == 1;
        Ok(Round {
            left: state.count,
            expanded: control.expanded,
            generated: control.generated,
            found: found.then(|| moves(&control.path, control.length as usize)),
        })
    }

    fn subtrees(&self) -> Result<SubtreeStates, DeviceError> {
        let state = self.state.lock().expect("no thread panics");
        let read = || -> Result<_, DriverError> {
            let open = self.stream.clone_dtoh(&state.open)?;
            let counts = self.stream.clone_dtoh(&state.counts)?;
            self.stream.synchronize()?;
            Ok((open, counts))
        };
        let (open, counts) = read().map_err(failed(&self.name))?;
        let counts = counts.as_chunks::<2>().0.to_vec();
        Ok(SubtreeStates { open, counts })
    }

    fn fail(&self, error: DeviceError) {
        *self.failure.lock().expect("no thread panics") = Some(error);
    }

    fn failure(&self) -> Option<DeviceError> {
        self.failure.lock().expect("no thread panics").take()
    }
}
