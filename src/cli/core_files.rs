//! Core files, which would hold the token: there are none, and no other process of the same user reads this one's memory.

use std::io;

/// Rules core files out for the rest of this process, and tracers that are not there yet with them.
#[cfg(unix)]
pub fn rule_out() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    // The limit does not hold for a core that the system hands to a program.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

#[cfg(not(unix))]
pub fn rule_out() -> io::Result<()> {
    Ok(())
}
