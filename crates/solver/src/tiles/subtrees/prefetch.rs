//! Prefetching: a hint to the processor that some bytes will be read soon.

/// Asks for the cache line of an element. Out of range is no error, since nothing is read.
#[inline(always)]
#[allow(unsafe_code, reason = "a hint that reads nothing")]
pub fn prefetch<T>(of: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch does not access memory, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(of.as_ptr().wrapping_add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (of, at);
}
