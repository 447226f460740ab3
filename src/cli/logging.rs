//! The logs of `serve` and of the commands, on standard error; those of the screen are in
//! `log_files`. `FILEDECK_LOG` sets what is logged, as in `filedeck=debug`.

use std::io::{self, IsTerminal as _};

use tracing::Metadata;
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

#[cfg(feature = "otlp")]
use super::traces::Traces;
use crate::api::request_events::REQUESTS;
use crate::config::Environment;

#[derive(Debug, Clone, Copy)]
pub struct Logs {
    /// The level if `FILEDECK_LOG` sets none.
    pub level: &'static str,
    pub format: LogFormat,
    /// Set to send spans to the collector that the environment names, if any.
    pub traces: bool,
    /// Set to print each request of the client in a line of its own (`--verbose`).
    pub requests: bool,
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
    pub const OFF: Self = Self {
        level: "off",
        format: LogFormat::Text,
        traces: false,
        requests: false,
    };
}

/// Logs to standard error. Spans that wait for the collector are sent when the result is dropped.
#[cfg_attr(
    not(feature = "otlp"),
    expect(unused_variables, reason = "spans are for nobody then")
)]
pub fn to_stderr(logs: Logs, environment: &Environment) -> anyhow::Result<impl Sized + use<>> {
    let lines = fmt::layer().with_writer(io::stderr);
    let lines = match logs.format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        // The request or the job is the only span, so a list would repeat it.
        LogFormat::Json => lines
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .boxed(),
    };
    // Spans below these, of calls to the database and the bucket, are for the collector alone.
    let is_shown = filter_fn(|metadata| !metadata.is_span() || is_root(metadata));
    let is_shown = filter(logs.level).and(is_shown.with_max_level_hint(LevelFilter::TRACE));
    let requests = fmt::layer()
        .with_writer(io::stderr)
        .without_time()
        .with_level(false)
        .with_target(false)
        .with_ansi(false);
    let requests = logs
        .requests
        .then(|| requests.with_filter(Targets::new().with_target(REQUESTS, LevelFilter::DEBUG)));
    let subscriber = registry().with(lines.with_filter(is_shown)).with(requests);
    #[cfg(feature = "otlp")]
    let traces = if logs.traces {
        Traces::start(environment)?
    } else {
        None
    };
    #[cfg(feature = "otlp")]
    let subscriber = subscriber.with(traces.as_ref().map(|traces| traces.layer(is_root)));
    subscriber.init();
    #[cfg(feature = "otlp")]
    return Ok(traces);
    #[cfg(not(feature = "otlp"))]
    Ok(())
}

/// Returns `true` if requests are printed, which would tear bars apart.
#[cfg(feature = "tui")]
pub fn shows_requests() -> bool {
    tracing::enabled!(target: REQUESTS, tracing::Level::DEBUG)
}

/// Returns `true` for the span of a whole request, or of a job that the service does by itself.
fn is_root(metadata: &Metadata<'_>) -> bool {
    ["request", "job"].contains(&metadata.name())
}

/// Returns the filter for the log; `default` applies if `FILEDECK_LOG` is not set. Invalid parts
/// are ignored.
pub(super) fn filter(default: &str) -> Targets {
    filter_of(&std::env::var("FILEDECK_LOG").unwrap_or_else(|_| default.to_owned()))
}

fn filter_of(directives: &str) -> Targets {
    let parts = directives
        .split(',')
        .filter_map(|part| part.trim().parse::<Targets>().ok());
    let all = parts.fold(Targets::new(), |all, part| match part.default_level() {
        Some(level) => all.with_default(level),
        None => all.with_targets(part),
    });
    // Parameters of statements and paths of requests have names of files
    // (`troubleshooting.md#logs`).
    let most = all
        .default_level()
        .unwrap_or(LevelFilter::OFF)
        .min(LevelFilter::INFO);
    all.with_target("tokio_postgres", most)
        .with_target(REQUESTS, LevelFilter::OFF)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use tracing::Level;

    use super::*;

    #[rstest]
    #[case::everything("trace", true)]
    #[case::by_name("info,tokio_postgres=trace", true)]
    #[case::filedeck_alone("filedeck=debug", false)]
    fn parameters_of_statements_are_never_logged(#[case] directives: &str, #[case] notices: bool) {
        let filter = filter_of(directives);
        assert!(!filter.would_enable("tokio_postgres::query", &Level::DEBUG));
        assert_eq!(
            filter.would_enable("tokio_postgres::connection", &Level::INFO),
            notices
        );
    }
}
