//! Exit codes: stable, documented in the help, and the same for every verb.

use std::process::ExitCode;

use crate::api::Kind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    Ok = 0,
    Failed = 1,
    /// The command line or the configuration has to be corrected.
    Usage = 2,
    NotAuthorised = 3,
    NotFound = 4,
    /// Several items were asked for and at least one failed.
    SomeFailed = 5,
    RateLimited = 6,
    Conflict = 7,
    /// SIGHUP, or the terminal went away.
    HungUp = 129,
    /// SIGINT.
    Interrupted = 130,
    /// SIGQUIT, to the screen.
    Aborted = 131,
    /// SIGTERM.
    Terminated = 143,
}

/// What `--help` says of them.
pub const HELP: &str = "\
Exit codes:
  0 ok                3 not authorised      6 gave up on the rate limit
  1 error             4 not found           7 conflict
  2 usage or          5 some items failed   129, 130, 131, 143 ended by
    configuration                             SIGHUP, SIGINT, SIGQUIT, SIGTERM";

impl From<Kind> for Exit {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Unauthorized | Kind::Forbidden => Self::NotAuthorised,
            Kind::NotFound => Self::NotFound,
            Kind::RateLimited => Self::RateLimited,
            Kind::Conflict => Self::Conflict,
            Kind::Invalid
            | Kind::Server
            | Kind::Network
            | Kind::Timeout
            | Kind::Decode
            | Kind::Local
            | Kind::TaskFailed
            | Kind::Refused
            | Kind::Internal => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
