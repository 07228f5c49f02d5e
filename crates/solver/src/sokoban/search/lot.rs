//! Lots: numbers for choices that are made by lot, the same in every run.

/// Draws lots.
pub(super) struct Lots(u64);

impl Lots {
    pub(super) fn new() -> Lots {
        Lots::of(0)
    }

    /// Lots that differ with luck.
    pub(super) fn of(luck: u32) -> Lots {
        Lots(0x9e37_79b9_7f4a_7c15 ^ u64::from(luck))
    }

    /// Any number below 2⁵³.
    pub(super) fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// A number below `end`; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.number() % end.max(1) as u64) as usize
    }
}
