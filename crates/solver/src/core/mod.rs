//! What engines that remember are made of: states stored once, open lists, and one limit on the bytes of both.

pub(crate) mod memory;
pub(crate) mod queue;
pub(crate) mod store;
