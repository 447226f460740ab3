//! The logs of `serve` and of the commands, on standard error; those of the screen are in `log_files`.
//! `FILEDECK_LOG` sets what is logged, as in `filedeck=debug`.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;

/// Logs to standard error; `default` is the level where `FILEDECK_LOG` names none.
pub fn to_stderr(default: &str) {
    tracing_subscriber::fmt()
        .with_env_filter(filter(default))
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .init();
}

/// What is logged; `default` where `FILEDECK_LOG` names nothing.
pub(super) fn filter(default: &str) -> EnvFilter {
    let directives = std::env::var("FILEDECK_LOG").unwrap_or_else(|_| default.to_owned());
    EnvFilter::builder().parse_lossy(directives)
}
