//! The driver: the first card of a machine, and the kernels that the program brings along.
//!
//! Kernels are PTX, which every driver since CUDA 12.0 compiles for its card when they are loaded. So a user needs a driver and no
//! toolkit, and the kernel that was tested is the kernel that runs. The driver's library is opened at run time: a machine
//! without one can run the same program. `ptx.py` makes the PTX from the sources.

#![allow(unsafe_code, reason = "opens the library of the driver")]

use std::io::Read;
use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, sys};

use super::device::DeviceError;

/// The error of a call to the driver.
pub fn failed(what: &str) -> impl Fn(DriverError) -> DeviceError {
    move |error| DeviceError(format!("{what}: {error}"))
}

/// The first card of this machine.
pub fn first_card() -> Result<Arc<CudaContext>, DeviceError> {
    // SAFETY: opens a library that is safe to open.
    if !unsafe { sys::is_culib_present() } {
        let why = "no NVIDIA driver was found on this machine (libcuda cannot be opened)";
        return Err(DeviceError(why.into()));
    }
    let context = CudaContext::new(0);
    context.map_err(failed("the driver has no card to offer"))
}

/// The kernels as text.
pub fn ptx(compressed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(compressed)
        .read_to_string(&mut text)
        .expect("the program brings its kernels along");
    text
}
