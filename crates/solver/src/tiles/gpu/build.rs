//! The bits of a table, built on a card by the method of `pdb/build.rs`: the same bytes.

#![allow(unsafe_code, reason = "launches kernels and shares memory with them")]

use cudarc::driver::{DeviceRepr, DriverError, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;

use super::device::DeviceError;
use super::driver::{failed, first_card, ptx};
use crate::control::Control;
use crate::tiles::pdb::Ground;

const PTX: &[u8] = include_bytes!("build.ptx.gz");
/// Bytes of the card that are left to others.
const SPARE_BYTES: usize = 500 << 20;

/// Turns of words.
const TURNS: usize = 128;

/// A permutation of lanes, as in `build.cu`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Lanes([u64; 16]);

// SAFETY: numbers only, laid out as in C.
unsafe impl DeviceRepr for Lanes {}

/// Builds the bits of a table; `None` if it is stopped.
///
/// # Errors
/// If the card fails, or its memory does not suffice.
pub fn build(
    ground: &Ground,
    control: &Control,
    progress: &dyn Fn(u64),
) -> Result<Option<Vec<u8>>, DeviceError> {
    let context = first_card()?;
    let (free, _) = context.mem_get_info().map_err(failed("its memory"))?;
    if ground.build_bytes() + SPARE_BYTES > free {
        return Err(DeviceError("too little memory to build a table".into()));
    }
    let work = || -> Result<Option<Vec<u8>>, DriverError> {
        let (blocks, words) = (&ground.blocks, &ground.words);
        let (count, groups, lanes) = (blocks.count(), words.groups(), words.lanes());
        let stream = context.new_stream()?;
        let module = context.load_module(Ptx::from_src(ptx(PTX)))?;
        let gather = module.load_function("gather")?;
        let rows = module.load_function("rows")?;
        // 1. Blocks, words, and the goal.
        let (starts, edges, turns) = moves(ground);
        let turned: Vec<u16> = (0..TURNS)
            .flat_map(|turn| words.turned(turn).iter().map(|code| code.bits()))
            .collect();
        let permutations: Vec<Lanes> = ground.lanes().into_iter().map(Lanes).collect();
        let (goal, code) = ground.goal_at();
        let mut levels = vec![u32::MAX; count];
        levels[goal] = 0;
        let mut counts = vec![0u32; count];
        counts[goal] = 1;
        let starts = stream.clone_htod(&starts)?;
        let edges = stream.clone_htod(&edges)?;
        let turns = stream.clone_htod(&turns)?;
        let turned = stream.clone_htod(&turned)?;
        let permutations = stream.clone_htod(&permutations)?;
        let mut levels = stream.clone_htod(&levels)?;
        let mut on_card = stream.clone_htod(&counts)?;
        let mut reached = stream.alloc_zeros::<u64>(count * groups)?;
        let mut second = stream.alloc_zeros::<u64>(count * groups)?;
        let at = goal * groups + code.group();
        let mut first = reached.slice_mut(at..=at);
        stream.memcpy_htod(&[1u64 << code.lane()], &mut first)?;
        // 2. Level after level: from blocks of one colour to those of the other.
        let mut total = 1;
        for level in 1u32.. {
            if control.poll_stop().is_err() {
                return Ok(None);
            }
            let writes_odd = (goal >= blocks.even()) != (level % 2 == 1);
            let (from, size) = if writes_odd {
                (blocks.even(), count - blocks.even())
            } else {
                (0, blocks.even())
            };
            let config = LaunchConfig {
                grid_dim: (size as u32, 1, 1),
                block_dim: (groups.next_multiple_of(32).min(256) as u32, 1, 1),
                shared_mem_bytes: 0,
            };
            let (groups, all, from) = (groups as u32, (groups * lanes) as u32, from as u32);
            let mut launch = stream.launch_builder(&gather);
            launch
                .arg(&starts)
                .arg(&edges)
                .arg(&turns)
                .arg(&turned)
                .arg(&permutations);
            launch
                .arg(&mut reached)
                .arg(&mut second)
                .arg(&mut levels)
                .arg(&mut on_card);
            launch.arg(&groups).arg(&all).arg(&level).arg(&from);
            // SAFETY: the arguments are those of the kernel.
            unsafe { launch.launch(config)? };
            stream.memcpy_dtoh(&on_card, &mut counts)?;
            stream.synchronize()?;
            let now: u64 = counts.iter().map(|&n| u64::from(n)).sum();
            if now == total {
                break;
            }
            total = now;
            progress(total);
        }
        drop(reached);
        // 3. Rows.
        let order = stream.clone_htod(&blocks.order())?;
        let mut bits = stream.alloc_zeros::<u8>(ground.table_bytes())?;
        let config = LaunchConfig {
            grid_dim: (count.div_ceil(64) as u32, groups.div_ceil(128) as u32, 1),
            block_dim: (128, 1, 1),
            shared_mem_bytes: 0,
        };
        let (count, groups, lanes) = (count as u32, groups as u32, lanes as u32);
        let row_bytes = ground.row_bytes() as u64;
        let mut launch = stream.launch_builder(&rows);
        launch.arg(&order).arg(&second).arg(&mut bits);
        launch.arg(&count).arg(&groups).arg(&lanes).arg(&row_bytes);
        // SAFETY: the arguments are those of the kernel.
        unsafe { launch.launch(config)? };
        let mut all = vec![0; ground.table_bytes()];
        stream.memcpy_dtoh(&bits, &mut all)?;
        stream.synchronize()?;
        Ok(Some(all))
    };
    work().map_err(failed("building a table"))
}

/// The moves of all blocks: where those of each begin, where they lead, and how they turn the word.
fn moves(ground: &Ground) -> (Vec<u32>, Vec<u32>, Vec<u8>) {
    let (mut starts, mut edges, mut turns) = (vec![0], vec![], vec![]);
    for block in 0..ground.blocks.count() {
        for edge in ground.blocks.edges(block) {
            edges.push(edge.to);
            turns.push(edge.turn.index() as u8);
        }
        starts.push(edges.len() as u32);
    }
    (starts, edges, turns)
}
