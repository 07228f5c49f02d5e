//! Huge pages: tables are read at random, and the fewer pages they have, the less often the processor has to look up one.

/// Asks the system to back memory that has not been written yet by huge pages. Without an effect where it cannot.
#[allow(
    unsafe_code,
    reason = "advice that does not change what the memory holds"
)]
pub fn advise<T>(memory: &mut [T]) {
    #[cfg(all(target_os = "linux", feature = "files"))]
    {
        const PAGE: usize = 4096;
        let first = memory.as_ptr().addr().next_multiple_of(PAGE);
        let end = (memory.as_ptr().addr() + size_of_val(memory)) / PAGE * PAGE;
        if end > first {
            let at = memory.as_mut_ptr().with_addr(first).cast();
            // SAFETY: whole pages within the memory; this advice neither frees nor changes them.
            let _ =
                unsafe { rustix::mm::madvise(at, end - first, rustix::mm::Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(all(target_os = "linux", feature = "files")))]
    let _ = memory;
}
