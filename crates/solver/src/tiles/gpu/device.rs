//! What a card does for a limit of IDA*, so that the mirror can stand in for it.

/// The cells of the largest boards that a device searches; the kernels have room for 28.
pub const MOST_CELLS: usize = 25;

/// A device that failed: lost, out of memory, or wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("GPU: {0}")]
pub struct DeviceError(pub String);

impl DeviceError {
    /// The program cannot use any.
    #[cfg(not(feature = "gpu"))]
    pub(crate) fn no_support() -> DeviceError {
        let why = "this program was built without support for GPUs (build it with the feature gpu)";
        DeviceError(why.into())
    }
}

/// The work of a limit.
pub struct Job {
    /// One piece after the other; `piece.rs` says what they look like.
    pub pieces: Vec<u64>,
    /// The number of subtrees.
    pub subtrees: usize,
}

/// How far the work is after a round.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Pieces that are left.
    pub left: usize,
    /// States expanded so far.
    pub expanded: u64,
    /// States generated so far.
    pub generated: u64,
    /// The moves to the goal.
    pub found: Option<Vec<u8>>,
}

/// The subtrees of a limit.
#[derive(Clone, Debug, Default)]
pub struct SubtreeStates {
    /// Pieces that are not done, by subtree.
    pub open: Vec<u32>,
    /// States expanded and generated, by subtree.
    pub counts: Vec<[u64; 2]>,
}

/// How a beam search ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beamed {
    /// The moves to the goal.
    pub found: Option<Vec<u8>>,
    /// States expanded.
    pub expanded: u64,
    /// States generated within the limit that it does not remember.
    pub generated: u64,
}

/// Searches pieces, in rounds.
pub trait Device: Sync {
    /// How many nodes a layer of a beam may have before a limit, after one with this number of states expanded. Zero if the
    /// limit is too small for it.
    fn beam_width(&self, expanded: u64) -> usize;

    /// Looks for a plan within the limit of a node by beam search. `ends` is asked now and then whether it should end.
    ///
    /// # Errors
    /// If the device fails.
    fn beam(
        &self,
        root: &[u64],
        width: usize,
        ends: &dyn Fn() -> bool,
    ) -> Result<Beamed, DeviceError>;

    /// Takes up a limit.
    ///
    /// # Errors
    /// If the device fails.
    fn begin(&self, job: &Job) -> Result<(), DeviceError>;

    /// Searches for a while. `ends` is asked now and then whether the round should end early.
    ///
    /// # Errors
    /// If the device fails.
    fn round(&self, ends: &dyn Fn() -> bool) -> Result<Round, DeviceError>;

    /// Which subtrees are done, between two rounds.
    ///
    /// # Errors
    /// If the device fails.
    fn subtrees(&self) -> Result<SubtreeStates, DeviceError>;

    /// Remembers why the search could not go on.
    fn fail(&self, error: DeviceError);

    /// Why the last search could not go on, and forgets it.
    fn failure(&self) -> Option<DeviceError>;
}
