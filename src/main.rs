//! Starts the command line and hands its exit code to the system.

use std::process::ExitCode;

fn main() -> ExitCode {
    filedeck::cli::main()
}
