//! The program; see [`noyes::main`].

use std::process::ExitCode;

fn main() -> ExitCode {
    noyes::main()
}
