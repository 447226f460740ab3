//! Starts the command line and hands its exit code to the system.

fn main() {}
