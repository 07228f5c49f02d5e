//! The memory of an engine, claimed before it is allocated.
//!
//! Everything that grows with the search is claimed here in bytes, so that one
//! limit holds for all parts of an engine together and its peak is known.

use crate::control::{Control, Stop};

/// The bytes that the parts of one engine have taken.
pub(crate) struct Memory<'a> {
    control: &'a Control,
    bytes: usize,
    peak: usize,
}

impl<'a> Memory<'a> {
    /// Nothing taken yet.
    pub(crate) fn new(control: &'a Control) -> Self {
        Memory {
            control,
            bytes: 0,
            peak: 0,
        }
    }

    /// Claims this many more bytes, if the limit allows.
    pub(crate) fn claim(&mut self, bytes: usize) -> Result<(), Stop> {
        self.control.allow_bytes(self.bytes + bytes)?;
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
        Ok(())
    }

    /// An error if these bytes of others and the claimed ones together exceed the limit.
    pub(crate) fn allow_beside(&mut self, bytes: usize) -> Result<(), Stop> {
        let all = self.bytes + bytes;
        self.peak = self.peak.max(all.min(self.control.most_bytes()));
        self.control.allow_bytes(all)
    }

    /// An error if the work has to end, for reasons other than memory.
    pub(crate) fn poll_stop(&self) -> Result<(), Stop> {
        self.control.poll_stop()
    }

    /// The limits.
    pub(crate) fn control(&self) -> &Control {
        self.control
    }

    /// Gives this many bytes back.
    pub(crate) fn release(&mut self, bytes: usize) {
        self.bytes -= bytes;
    }

    /// The same bytes with other limits, for a part of the work.
    pub(crate) fn under<'b>(&self, control: &'b Control) -> Memory<'b> {
        Memory { control, ..*self }
    }

    /// Goes on with the bytes of a part of the work that is over.
    pub(crate) fn go_on_from(&mut self, part: &Memory) {
        self.bytes = part.bytes;
        self.peak = self.peak.max(part.peak);
    }

    /// The bytes that may still be taken.
    pub(crate) fn left(&self) -> usize {
        self.control.most_bytes().saturating_sub(self.bytes)
    }

    /// The bytes taken now.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The most bytes taken at any time.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }
}
