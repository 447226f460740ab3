//! The logs of `serve` and of the commands, on standard error; those of the screen are in `log_files`.
//! `FILEDECK_LOG` sets what is logged, as in `filedeck=debug`.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;

/// What a command logs to standard error, and in which form.
#[derive(Debug, Clone, Copy)]
pub struct Logs {
    /// The level where `FILEDECK_LOG` names none.
    pub level: &'static str,
    pub format: LogFormat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// A line for a person
    #[default]
    Text,
    /// A JSON object per line
    Json,
}

impl Logs {
    pub const OFF: Self = Self { level: "off", format: LogFormat::Text };
}

/// Logs to standard error.
pub fn to_stderr(logs: Logs) {
    let builder = tracing_subscriber::fmt().with_env_filter(filter(logs.level)).with_writer(io::stderr);
    match logs.format {
        LogFormat::Text => builder.with_ansi(io::stderr().is_terminal()).init(),
        // The request is the only span: a list would repeat it.
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(true).with_span_list(false).init(),
    }
}

/// What is logged; `default` where `FILEDECK_LOG` names nothing.
pub(super) fn filter(default: &str) -> EnvFilter {
    let directives = std::env::var("FILEDECK_LOG").unwrap_or_else(|_| default.to_owned());
    EnvFilter::builder().parse_lossy(directives)
}
