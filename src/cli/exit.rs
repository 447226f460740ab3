//! Exit codes: stable, documented in the help, and the same for every command.

use std::process::ExitCode;

use crate::api::Kind;
use crate::signals::EndSignal;
#[cfg(feature = "tui")]
use crate::tui::app::exit::ScreenExit;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Ok,
    Failed,
    /// The command line or the configuration has to be corrected.
    Usage,
    NotAuthorized,
    NotFound,
    SomeFailed,
    RateLimited,
    Conflict,
    /// A limit has reached the given percentage.
    LimitReached,
    /// The two sides differ (`diff`).
    Differences,
    Signalled(EndSignal),
}

/// The section of `--help` on exit codes.
pub const HELP: &str = "\
Exit codes:
  0                   ok
  1                   error
  2                   usage or configuration
  3                   not authorized
  4                   not found
  5                   some items failed
  6                   gave up on the rate limit
  7                   conflict
  8                   a limit is reached
  9                   differences
  129, 130, 131, 143  ended by SIGHUP, SIGINT, SIGQUIT, SIGTERM";

impl From<Kind> for Exit {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Unauthorized | Kind::Forbidden => Self::NotAuthorized,
            Kind::NotFound => Self::NotFound,
            Kind::RateLimited | Kind::DaySpent => Self::RateLimited,
            Kind::Conflict => Self::Conflict,
            Kind::Invalid
            | Kind::Server
            | Kind::Unreachable
            | Kind::Network
            | Kind::Timeout
            | Kind::Decode
            | Kind::Portal
            | Kind::Local
            | Kind::DiskFull
            | Kind::TaskFailed
            | Kind::Refused
            | Kind::Internal => Self::Failed,
        }
    }
}

impl From<EndSignal> for Exit {
    fn from(signal: EndSignal) -> Self {
        Self::Signalled(signal)
    }
}

#[cfg(feature = "tui")]
impl From<ScreenExit> for Exit {
    fn from(exit: ScreenExit) -> Self {
        match exit {
            ScreenExit::Quit => Self::Ok,
            ScreenExit::Signalled(signal) => Self::Signalled(signal),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ok => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NotAuthorized => 3,
            Exit::NotFound => 4,
            Exit::SomeFailed => 5,
            Exit::RateLimited => 6,
            Exit::Conflict => 7,
            Exit::LimitReached => 8,
            Exit::Differences => 9,
            Exit::Signalled(signal) => signal as u8,
        })
    }
}
