//! The beam search on a card (`beam.rs`): two kernels for each layer, and the host picks the cut between them.
//!
//! Its memory is taken when it begins and given back when it ends, so a beam is as wide as what is free allows.

#![allow(unsafe_code, reason = "launches kernels and shares memory with them")]

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError,
    LaunchConfig, PushKernelArg, ValidAsZeroBits,
};
use cudarc::nvrtc::Ptx;

use super::beam::{SCORES, cut};
use super::device::{Beamed, DeviceError};
use super::driver::{failed, ptx};
use super::params::Params;
use super::piece::{PATH_WORDS, moves};

const PTX: &[u8] = include_bytes!("beam.ptx.gz");
/// Threads in a block, as in `beam.cu`, and blocks for each multiprocessor.
const THREADS: u32 = 256;
const BLOCKS: u32 = 8;
/// Bytes of the card that are left to others.
const SPARE_BYTES: usize = 1 << 30;
/// A node has at most this number of children that do not go straight back.
const MOST_CHILDREN: usize = 3;
/// Places in which positions are remembered, for each node of a layer.
const SEEN: usize = 16;

/// What a layer begins with and ends with, as in `beam.cu`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Layer {
    children: u32,
    kept: u32,
    ties: u32,
    found: u32,
    length: u32,
    more: u32,
    path: [u64; PATH_WORDS],
    scores: [u32; SCORES],
}

// SAFETY: numbers only, laid out as in C.
unsafe impl DeviceRepr for Layer {}
// SAFETY: zero is a number.
unsafe impl ValidAsZeroBits for Layer {}

/// The second argument of the kernels, as in `beam.cu`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Beam {
    nodes: u64,
    next: u64,
    children: u64,
    seen: u64,
    layer: u64,
    stages: u32,
    node_count: u32,
    capacity: u32,
    shift: u32,
    cut: u32,
    room: u32,
}

// SAFETY: numbers and addresses of the card's memory, laid out as in C.
unsafe impl DeviceRepr for Beam {}

/// The kernels.
pub struct BeamKernels {
    children: CudaFunction,
    next: CudaFunction,
    blocks: u32,
    stages: usize,
}

/// The memory of a beam.
struct Memory {
    nodes: [CudaSlice<u64>; 2],
    children: CudaSlice<u64>,
    seen: CudaSlice<u32>,
    layer: CudaSlice<Layer>,
}

impl Memory {
    fn bytes(width: usize, stride: usize) -> usize {
        8 * width * (2 * stride + MOST_CHILDREN) + 4 * (SEEN * width).next_power_of_two()
    }

    fn new(stream: &Arc<CudaStream>, width: usize, stride: usize) -> Result<Memory, DriverError> {
        // SAFETY: what the kernels and the host read, they have written before.
        unsafe {
            let nodes = [stream.alloc(width * stride)?, stream.alloc(width * stride)?];
            Ok(Memory {
                nodes,
                children: stream.alloc(MOST_CHILDREN * width + 1)?,
                seen: stream.alloc_zeros((SEEN * width).next_power_of_two())?,
                layer: stream.alloc_zeros(1)?,
            })
        }
    }
}

impl BeamKernels {
    pub fn new(
        context: &Arc<CudaContext>,
        processors: u32,
        stages: usize,
    ) -> Result<BeamKernels, DeviceError> {
        let load = || {
            let module = context.load_module(Ptx::from_src(ptx(PTX)))?;
            Ok(BeamKernels {
                children: module.load_function("beam_children")?,
                next: module.load_function("beam_next")?,
                blocks: BLOCKS * processors,
                stages,
            })
        };
        load().map_err(failed("the driver does not take the kernels"))
    }

    /// Looks for a plan within the limit of a node, with as many nodes in a layer as there is memory for.
    pub fn search(
        &self,
        stream: &Arc<CudaStream>,
        params: &Params,
        root: &[u64],
        width: usize,
        ends: &dyn Fn() -> bool,
    ) -> Result<Beamed, DriverError> {
        let stride = params.stride as usize;
        let (free, _) = stream.context().mem_get_info()?;
        let mut width = width.min(1 << 28);
        while Memory::bytes(width, stride) + SPARE_BYTES > free {
            width /= 2;
            if width == 0 {
                return Ok(Beamed::default());
            }
        }
        let mut memory = Memory::new(stream, width, stride)?;
        stream.memcpy_htod(root, &mut memory.nodes[0].slice_mut(..root.len()))?;
        let config = LaunchConfig {
            grid_dim: (self.blocks, 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut beam = Beam {
            nodes: memory.nodes[0].device_ptr(stream).0,
            next: memory.nodes[1].device_ptr(stream).0,
            children: memory.children.device_ptr(stream).0,
            seen: memory.seen.device_ptr(stream).0,
            layer: memory.layer.device_ptr(stream).0,
            stages: self.stages as u32,
            node_count: 1,
            capacity: (MOST_CHILDREN * width + 1) as u32,
            shift: 64 - (memory.seen.len() as u64).trailing_zeros(),
            ..Beam::default()
        };
        let mut beamed = Beamed::default();
        while beam.node_count > 0 && !ends() {
            stream.memset_zeros(&mut memory.layer)?;
            // SAFETY: the arguments are those of the kernel, and its memory is there until it has ended.
            unsafe {
                let mut launch = stream.launch_builder(&self.children);
                launch.arg(params).arg(&beam).launch(config)?;
            }
            let layer = &stream.clone_dtoh(&memory.layer)?[0];
            stream.synchronize()?;
            beamed.expanded += u64::from(beam.node_count);
            beamed.generated += u64::from(layer.children);
            if layer.found == 1 {
                beamed.found = Some(moves(&layer.path, layer.length as usize));
                break;
            }
            (beam.cut, beam.room) = cut(&layer.scores, width);
            // SAFETY: as above.
            unsafe {
                let mut launch = stream.launch_builder(&self.next);
                launch.arg(params).arg(&beam).launch(config)?;
            }
            let layer = &stream.clone_dtoh(&memory.layer)?[0];
            stream.synchronize()?;
            beam.node_count = layer.kept;
            (beam.nodes, beam.next) = (beam.next, beam.nodes);
        }
        Ok(beamed)
    }
}
