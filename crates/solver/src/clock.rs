//! The clocks: wall time everywhere, processor time where the system has it.
//!
//! `std::time::Instant` panics in a browser. There, the program around the solver sets the clock (`set_clock`).

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;

#[cfg(target_family = "wasm")]
pub(crate) use given::Instant;
#[cfg(target_family = "wasm")]
pub use given::set_clock;

#[cfg(not(any(unix, windows)))]
pub(crate) use Instant as ThreadClock;
/// The processor time of this thread; wall time where the system does not know it.
#[cfg(any(unix, windows))]
pub(crate) use cpu_time::ThreadTime as ThreadClock;

#[cfg(target_family = "wasm")]
mod given {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock, once: a function that returns the time since some fixed moment. Without one, no time passes, and
    /// time limits have no effect.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment, with the methods of `std::time::Instant` that the solver uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        pub(crate) fn elapsed(self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        pub(crate) fn saturating_duration_since(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        pub(crate) fn checked_add(self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }
}
