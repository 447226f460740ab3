//! The number of files and connections that this process may have open at a time.

/// Raises the limit to the system's maximum: the initial one is often too low for a service. If
/// that fails, the service accepts fewer connections.
#[cfg(unix)]
pub fn allow_many() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: maximum,
            maximum,
        },
    ) {
        tracing::debug!(%error, "the limit of open files could not be raised");
    }
}

#[cfg(not(unix))]
pub fn allow_many() {}
