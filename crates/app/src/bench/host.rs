//! This machine, and this build of the program.

use std::fs;
use std::thread::available_parallelism;

use anyhow::{Context, Result};

use super::record::Host;

impl Host {
    /// This machine, as far as it can be found out.
    pub fn here() -> Host {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| -> Option<String> {
            let line = text.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_string())
        };
        let kib = field(&read("/proc/meminfo"), "MemTotal")
            .and_then(|kib| kib.trim_end_matches(" kB").parse::<u64>().ok());
        let release = read("/proc/sys/kernel/osrelease");
        Host {
            processor: field(&read("/proc/cpuinfo"), "model name")
                .unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: available_parallelism().map_or(1, |n| n.get() as u32),
            memory_bytes: kib.unwrap_or(0) * 1024,
            system: format!("{} {}", std::env::consts::OS, release.trim())
                .trim()
                .into(),
        }
    }
}

/// The version of this program with a mark of its build: times of two builds cannot be compared.
pub fn version() -> Result<String> {
    let exe = std::env::current_exe().context("the program cannot find itself")?;
    let mut hasher = blake3::Hasher::new();
    let file = fs::File::open(exe).context("the program cannot read itself")?;
    hasher
        .update_reader(file)
        .context("the program cannot read itself")?;
    let build = &hasher.finalize().to_hex()[..8];
    Ok(format!("{}+{build}", env!("CARGO_PKG_VERSION")))
}
