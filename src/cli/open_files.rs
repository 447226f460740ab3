//! How many files and connections this process may have open at a time.

/// Asks the system for as many as it allows: what it gives at first is often too few for a service. Where it refuses, the
/// service takes fewer connections.
#[cfg(unix)]
pub fn allow_many() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::debug!(%error, "the limit of open files could not be raised");
    }
}

#[cfg(not(unix))]
pub fn allow_many() {}
