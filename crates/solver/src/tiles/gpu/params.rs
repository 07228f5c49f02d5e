//! What every kernel gets: where the tables and the buffers of a card are, and their sizes.

#![allow(unsafe_code, reason = "is passed to kernels")]

use cudarc::driver::DeviceRepr;

/// The arguments of the kernel, as in `tables.cuh`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Params {
    pub parts: u64,
    pub steps: u64,
    pub part_of: u64,
    pub turned: u64,
    pub products: u64,
    pub upper: u64,
    pub lower: u64,
    pub entries: u64,
    pub many: u64,
    pub walks: u64,
    pub pieces: u64,
    pub out: u64,
    pub stack: u64,
    pub open: u64,
    pub counts: u64,
    pub control: u64,
    pub part_count: u32,
    pub product_bytes: u32,
    pub upper_count: u32,
    pub lower_count: u32,
    pub kept_size: u32,
    pub stages: u32,
    pub stride: u32,
    pub piece_count: u32,
    pub take: u32,
    pub capacity: u32,
    pub most: u32,
    pub least: u32,
}

// SAFETY: numbers and addresses of the card's memory, laid out as in C.
unsafe impl DeviceRepr for Params {}
