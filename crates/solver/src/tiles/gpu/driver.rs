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

/// The oldest version of CUDA whose drivers take the kernels, as they write it, and the first generation of cards.
const OLDEST_CUDA: i32 = 12_000;
const OLDEST_CARD: (i32, i32) = (7, 0);

/// The error of a call to the driver.
pub fn failed(what: &str) -> impl Fn(DriverError) -> DeviceError {
    move |error| {
        let words = match error.error_string() {
            Ok(words) => words.to_string_lossy().into_owned(),
            Err(_) => format!("error {}", error.0 as u32),
        };
        DeviceError(format!("{what}: {words}"))
    }
}

/// The first card of this machine.
pub fn first_card() -> Result<Arc<CudaContext>, DeviceError> {
    // SAFETY: opens a library that is safe to open.
    if !unsafe { sys::is_culib_present() } {
        let why = "no NVIDIA driver was found on this machine (libcuda cannot be opened)";
        return Err(DeviceError(why.into()));
    }
    let mut version = 0;
    // SAFETY: writes a number. All drivers have this function; older ones lack others, which must not be called.
    let asked = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    asked
        .result()
        .map_err(failed("the driver does not tell its version"))?;
    if version < OLDEST_CUDA {
        let (major, minor) = (version / 1000, version % 1000 / 10);
        return Err(DeviceError(format!(
            "the NVIDIA driver is too old: it knows CUDA {major}.{minor} (expected 12.0 or later: driver 525 or later)"
        )));
    }
    let context = CudaContext::new(0).map_err(failed("the driver has no card to offer"))?;
    let generation = context
        .compute_capability()
        .map_err(failed("its generation"))?;
    if generation < OLDEST_CARD {
        let name = context.name().map_err(failed("its name"))?;
        let (major, minor) = generation;
        return Err(DeviceError(format!(
            "{name} is too old: compute capability {major}.{minor} (expected 7.0 or later: Volta, 2017)"
        )));
    }
    Ok(context)
}

/// The kernels as text.
pub fn ptx(compressed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(compressed)
        .read_to_string(&mut text)
        .expect("the program brings its kernels along");
    text
}
