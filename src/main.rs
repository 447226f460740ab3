//! Starts the command line and hands its exit code to the system.

use std::process::ExitCode;

/// The allocator of glibc keeps what a thread has freed, tens of MiB for each thread that has decoded a picture.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    filedeck::cli::main()
}
