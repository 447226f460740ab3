//! Where the logs go: standard error for `serve` and the verbs, a file in the state directory for the screen.
//! `FILEDECK_LOG` sets what is logged, as in `filedeck=debug`.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;

use crate::config::create_private_dir;

const DAYS_KEPT: usize = 7;

/// Logs to standard error; `default` is the level where `FILEDECK_LOG` names none.
pub fn to_stderr(default: &str) {
    tracing_subscriber::fmt()
        .with_env_filter(filter(default))
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .init();
}

/// Logs to a file a day in `folder`, which is made if it is not there; keeps a week of them. What is logged last is written when the guard drops.
pub fn to_files(folder: &Path) -> anyhow::Result<WorkerGuard> {
    create_private_dir(folder)?;
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("filedeck")
        .filename_suffix("log")
        .max_log_files(DAYS_KEPT)
        .build(folder)?;
    let (writer, guard) = tracing_appender::non_blocking(files);
    tracing_subscriber::fmt().with_env_filter(filter("info")).with_writer(writer).with_ansi(false).init();
    Ok(guard)
}

fn filter(default: &str) -> EnvFilter {
    let directives = std::env::var("FILEDECK_LOG").unwrap_or_else(|_| default.to_owned());
    EnvFilter::builder().parse_lossy(directives)
}
