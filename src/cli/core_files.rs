//! Core files, which would contain the token: disables them, and keeps other processes of the same
//! user from reading this process's memory.

use std::io;

/// Disables core files for the rest of this process, and keeps out debuggers that are not attached
/// yet.
#[cfg(unix)]
pub fn rule_out() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    )?;
    // The limit does not apply to a core that the system pipes to a program.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

#[cfg(not(unix))]
pub fn rule_out() -> io::Result<()> {
    Ok(())
}
