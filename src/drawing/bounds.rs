//! Limits that a child process sets for itself: memory, CPU time, files, the network. The system
//! enforces them.

use std::io;

#[cfg(unix)]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Limits the memory, and denies access to files and the network where the kernel supports that.
#[cfg(unix)]
pub(super) fn set() -> io::Result<()> {
    /// The limit in bytes, including the program itself.
    #[cfg(target_os = "linux")]
    const MEMORY: u64 = 512 * 1024 * 1024;
    limit(Resource::Core, 0)?;
    // Other systems refuse a limit below what the process has already mapped.
    #[cfg(target_os = "linux")]
    {
        limit(Resource::As, MEMORY)?;
        confine().map_err(io::Error::other)?;
    }
    Ok(())
}

#[cfg(unix)]
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let most = getrlimit(resource)
        .maximum
        .map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(
        resource,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )?)
}

/// Limits the CPU time of the next request. The system counts whole seconds.
#[cfg(unix)]
pub(super) fn allow_one_request() -> io::Result<()> {
    use rustix::time::{ClockId, clock_gettime};
    const SECONDS: u64 = 4;
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0);
    let maximum = getrlimit(Resource::Cpu).maximum;
    let most = used + 1 + SECONDS;
    let current = maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(
        Resource::Cpu,
        Rlimit {
            current: Some(current),
            maximum,
        },
    )?)
}

/// Denies this thread, and those that it starts, the network, new privileges, and all files but the
/// system's fonts.
#[cfg(target_os = "linux")]
fn confine() -> Result<landlock::RestrictionStatus, landlock::RulesetError> {
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
    };
    const READABLE: [&str; 4] = ["/etc/fonts", "/usr/share", "/usr/local/share", "/nix/store"];
    const NEWEST: ABI = ABI::V5;
    let rules = landlock::path_beneath_rules(READABLE, AccessFs::from_read(NEWEST));
    // An older kernel enforces the part that it supports, which may be nothing.
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?;
    ruleset.create()?.add_rules(rules)?.restrict_self()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(super) fn set() -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(super) fn allow_one_request() -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, File};
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;

    use landlock::RulesetStatus;

    use super::*;

    #[test]
    fn a_child_process_reads_no_files_and_opens_no_connections() {
        let confined = thread::spawn(|| {
            let program = std::env::current_exe().unwrap();
            assert!(File::open(&program).is_ok());
            let status = confine().unwrap();
            assert!(status.no_new_privs);
            if status.ruleset == RulesetStatus::NotEnforced {
                return;
            }
            assert!(File::open(&program).is_err());
            assert!(fs::read_dir("/").is_err() && fs::read_dir("/usr/share").is_ok());
            if status.ruleset == RulesetStatus::FullyEnforced {
                assert!(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).is_err());
            }
        });
        confined.join().unwrap();
    }
}
