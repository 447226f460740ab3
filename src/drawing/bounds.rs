//! Bounds that a process which draws sets for itself: memory, time of a processor, files, the network. From then on the
//! system ends what takes too much, and refuses the rest.

use std::io;

#[cfg(unix)]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Bounds the memory, and takes files and the network away where the kernel can.
#[cfg(unix)]
pub(super) fn set() -> io::Result<()> {
    /// Of memory, the program itself included.
    #[cfg(target_os = "linux")]
    const MEMORY: u64 = 512 * 1024 * 1024;
    for_good(Resource::Core, 0)?;
    // Other systems refuse less than what the process has mapped already.
    #[cfg(target_os = "linux")]
    {
        for_good(Resource::As, MEMORY)?;
        confine().map_err(io::Error::other)?;
    }
    Ok(())
}

#[cfg(unix)]
fn for_good(resource: Resource, most: u64) -> io::Result<()> {
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// Bounds the time of a processor that the next drawing takes. The system counts whole seconds.
#[cfg(unix)]
pub(super) fn allow_one_drawing() -> io::Result<()> {
    use rustix::time::{ClockId, clock_gettime};
    const SECONDS: u64 = 4;
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0);
    let maximum = getrlimit(Resource::Cpu).maximum;
    let most = used + 1 + SECONDS;
    let current = maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(Resource::Cpu, Rlimit { current: Some(current), maximum })?)
}

/// Leaves this thread, and those that it starts, the fonts of the system to read, and no way to more rights.
#[cfg(target_os = "linux")]
fn confine() -> Result<landlock::RestrictionStatus, landlock::RulesetError> {
    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _};
    /// Fonts, and what says where they are.
    const READABLE: [&str; 4] = ["/etc/fonts", "/usr/share", "/usr/local/share", "/nix/store"];
    const NEWEST: ABI = ABI::V5;
    let rules = landlock::path_beneath_rules(READABLE, AccessFs::from_read(NEWEST));
    // An older kernel takes away what it can, which may be nothing.
    let ruleset =
        Ruleset::default().handle_access(AccessFs::from_all(NEWEST))?.handle_access(AccessNet::from_all(NEWEST))?;
    ruleset.create()?.add_rules(rules)?.restrict_self()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(super) fn set() -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(super) fn allow_one_drawing() -> io::Result<()> {
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
    fn who_draws_reads_no_files_and_opens_no_connections() {
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
