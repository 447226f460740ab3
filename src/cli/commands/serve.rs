//! `filedeck serve`: the embedded service for other programs. Its first line on standard output is
//! its address.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bytesize::ByteSize;
use futures::future::OptionFuture;
#[cfg(any(feature = "postgres", feature = "s3"))]
use jiff::SignedDuration;
use tokio::net::TcpListener;
use url::Url;

use crate::cli::authorities::{self, Authorities};
use crate::cli::connection_options::ConnectionOptions;
use crate::cli::exit::Exit;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::logging::{LogFormat, Logs};
use crate::cli::open_files;
use crate::cli::parent_process::ParentProcess;
use crate::cli::ready_file::ReadyPlace;
use crate::cli::stderr::InvalidUsage;
#[cfg(any(feature = "postgres", feature = "s3"))]
use crate::cli::store_access::StoreAccess;
use crate::cli::store_claim::{Claim, ServiceToken, StoreHolder, published};
#[cfg(any(feature = "postgres", feature = "s3"))]
use crate::cli::store_place::StorePlace;
use crate::config::typed_file;
use crate::drawing::Drawer;
use crate::service::crm::Usage;
use crate::service::faults::{FaultRule, Faults};
use crate::service::network::Network;
use crate::service::rate_limit::Quota;
use crate::service::{self, Lock, ServiceOptions, TokenSource};

const EXAMPLES: &str = "\
Examples:
  filedeck serve --sample
  filedeck serve --listen 127.0.0.1:0 --ready-file ready.json --exit-with-parent --test-api --fault status=503,every=5";

/// Serve a directory over the API, for other programs
///
/// The first line on standard output is the base address, printed once connections are accepted.
/// Logs go to standard error. SIGTERM, SIGINT, SIGHUP and SIGQUIT stop the service: it finishes the
/// requests that it has begun and exits with 0. A second signal stops it at once, and so does a
/// signal before the address is printed.
#[cfg_attr(
    feature = "otlp",
    doc = "\n\nWith `OTEL_EXPORTER_OTLP_ENDPOINT`, each request is a span that goes to that collector of OpenTelemetry."
)]
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches that do not depend on each other"
)]
pub struct Args {
    /// Address and port; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787", value_parser = socket)]
    pub listen: SocketAddr,

    /// Listen on an address that other machines can reach; --base-url names it. The traffic is not
    /// encrypted
    #[arg(long)]
    pub allow_remote: bool,

    /// Address that clients use if it differs from the one listened on, as in
    /// `http://files.test:8787`. Links in responses begin with it, and requests may name its host.
    /// Without it, requests may name a loopback host or the address at which they arrived
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub base_url: Option<Url>,

    /// Directory of the store; created if it does not exist [default: the built-in store]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    #[cfg(any(feature = "postgres", feature = "s3"))]
    #[command(flatten)]
    pub place: StorePlace,

    /// File (yours, mode 0600) with the token on one line, or a list of tokens with their scopes.
    /// Without it, the token comes from the environment, or from the directory of the store, where
    /// the first start creates one
    ///
    /// The file is read again every five seconds. A list is TOML, or JSON of the same form. Each
    /// token is a `[[tokens]]` with `name`, `token` (or `sha256`, the digest of the token in
    /// hexadecimal digits), `scopes`, where `*` is all of them, and `expires_at` if it expires.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Fill a new store with the sample library
    #[arg(long)]
    pub sample: bool,

    /// JSON file with the CRM usage that the limits reports are computed from
    #[arg(long, value_name = "FILE")]
    pub crm_usage: Option<PathBuf>,

    /// Let imports fetch from this network, as in 10.0.0.0/8; public addresses are always allowed
    #[arg(long, value_name = "CIDR")]
    pub import_allow: Vec<Network>,

    /// Largest file to accept, uploaded or imported, as in 20MB [default: 2GiB]
    #[arg(long, value_name = "SIZE")]
    pub max_file_size: Option<ByteSize>,

    /// Answer 429 after this many requests, as in 100/10s (per token) or 250000/day (for all tokens
    /// together); can be repeated with other periods
    #[arg(long, value_name = "COUNT/PERIOD")]
    pub rate_limit: Vec<Quota>,

    #[command(flatten)]
    pub connections: ConnectionOptions,

    /// Inject a fault, as in status=503,every=5; can be repeated
    ///
    /// A fault is delay=TIME, status=STATUS, lock=TIME (423 for that time), rate-limit=SECONDLY (or
    /// another policy), portal (the sign-in page of a network instead of the answer), cut=BYTES
    /// (end the answer there) or slow=BYTES (per second). Status 477, for an account that is being
    /// moved, sends Retry-After of an hour by default.
    ///
    /// Commas add conditions on the requests: every=N (each n-th), times=N (the first n),
    /// method=METHOD, path=START; and retry-after=TIME for refusals. Requests are counted; nothing
    /// is random.
    #[arg(long, value_name = "FAULT")]
    pub fault: Vec<FaultRule>,

    /// Answer /metrics, /readyz and /healthz on a listener of their own, such as 127.0.0.1:9090
    ///
    /// They need no token, and show numbers but no names. Without it, /readyz is answered on the
    /// listener of the API, and so is /metrics if only this machine can reach it: on a loopback
    /// address, without a --base-url that names another host.
    #[arg(long, value_name = "ADDR:PORT", value_parser = socket)]
    pub metrics_addr: Option<SocketAddr>,

    /// Time that a start waits for a database or a bucket that does not answer
    #[cfg(any(feature = "postgres", feature = "s3"))]
    #[arg(long, value_name = "TIME", default_value = "1m")]
    pub start_patience: SignedDuration,

    /// Append a line of JSON for each request to this file: time, client, name of the token,
    /// method, path, status, bytes, correlation id, and the file or folder that was changed or
    /// deleted. It has names; the other log has none
    #[arg(long, value_name = "FILE")]
    pub access_log: Option<PathBuf>,

    /// Form of the logs on standard error
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub log_format: LogFormat,

    /// Refuse what the real service ignores: parameters, form fields and JSON keys that a call does
    /// not take. The response is 400 and names the nearest right name
    #[arg(long)]
    pub strict: bool,

    /// Write a file once requests are answered, and remove it at the end
    ///
    /// It is JSON with `baseUrl`, `token`, `pid` and, with --test-api, `testApi`. It appears
    /// complete, and only its owner can read it. One left over from an earlier start is removed
    /// first; any other file is refused.
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,

    /// Stop, as on a signal, when the process that started this one has ended
    #[cfg(unix)]
    #[arg(long)]
    pub exit_with_parent: bool,

    /// Serve a new store with the sample library, removed at the end, and accept calls that control
    /// it
    ///
    /// Tests can reset the store, move the clock, set faults and read the requests so far, below
    /// /__filedeck and with the service's own token. --data-dir cannot be used with it, because a
    /// reset deletes everything in the store.
    #[arg(long, conflicts_with = "data_dir")]
    pub test_api: bool,

    #[command(flatten)]
    pub authorities: Authorities,
}

impl Args {
    /// Returns the process with which this one is to end.
    #[cfg_attr(
        not(unix),
        expect(clippy::unused_self, reason = "only Unix has the option")
    )]
    fn parent(&self) -> Option<ParentProcess> {
        #[cfg(unix)]
        let ends_with_parent = self.exit_with_parent;
        #[cfg(not(unix))]
        let ends_with_parent = false;
        ends_with_parent.then(ParentProcess::now)
    }
}

impl LocalCommand for Args {
    fn logs(&self) -> Logs {
        Logs {
            requests: false,
            level: "filedeck=info,warn",
            format: self.log_format,
            traces: true,
        }
    }

    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        Box::pin(run(self, context)).await
    }
}

/// Serves until a signal ends it; a graceful end is a success.
async fn run(args: Args, context: LocalContext<'_>) -> anyhow::Result<Exit> {
    let LocalContext {
        environment,
        paths,
        ca_cert,
        listener,
        ..
    } = context;
    let parent = args.parent();
    open_files::allow_many();
    check(&args)?;
    let crm_usage = args.crm_usage.as_deref().map(read_usage).transpose()?;
    let temporary_dir = args
        .test_api
        .then(|| tempfile::Builder::new().prefix("filedeck-test-").tempdir())
        .transpose();
    let temporary_dir = temporary_dir.context("cannot make a directory for the store")?;
    let dir = match &temporary_dir {
        Some(dir) => dir.path().to_owned(),
        None => args.data_dir.unwrap_or_else(|| paths.local_store()),
    };
    let claim = claim(&dir).await?;
    // After the claim, because whoever has the store may have written the existing file.
    let ready_place = args.ready_file.map(ReadyPlace::prepare).transpose()?;
    let defaults = ServiceOptions::new(&dir);
    #[cfg_attr(
        not(any(feature = "postgres", feature = "s3")),
        expect(unused_mut, reason = "there is no other place")
    )]
    let mut options = ServiceOptions {
        base_url: args.base_url,
        token: environment
            .service_token
            .clone()
            .map_or(TokenSource::DataDir, TokenSource::Given),
        token_file: args.token_file,
        refuse_weak_tokens: args.allow_remote && !args.test_api,
        sample: args.sample || args.test_api,
        crm_usage,
        connections: args.connections.limits(),
        import_allow: args.import_allow,
        import_roots: authorities::read(ca_cert)?,
        faults: Faults::new(args.fault),
        rate_limits: args.rate_limit,
        strict: args.strict,
        test_api: args.test_api,
        access_log: args.access_log,
        metrics_addr: args.metrics_addr,
        drawer: Drawer::this_program(),
        max_file_bytes: args
            .max_file_size
            .map_or(defaults.max_file_bytes, |size| size.as_u64()),
        ..defaults
    };
    #[cfg(any(feature = "postgres", feature = "s3"))]
    {
        options.start_patience = args.start_patience.unsigned_abs();
    }
    #[cfg(any(feature = "postgres", feature = "s3"))]
    args.place.apply(
        &mut options,
        StoreAccess {
            environment,
            paths,
            ca_cert,
        },
    )?;
    let mut signals = listener.attend();
    let starting = async {
        let tcp = TcpListener::bind(args.listen)
            .await
            .with_context(|| format!("cannot listen on {}", args.listen))?;
        service::serve_locked(tcp, options, claim.lock())
            .await
            .with_context(|| format!("cannot serve {}", dir.display()))
    };
    let running = match signals.unless_one_comes(starting).await {
        Ok(running) => running?,
        Err(signal) => return Ok(signal.into()),
    };
    let holder = StoreHolder {
        base_url: running.local_url(),
        token: ServiceToken::of(running.token_source()),
        is_ending: false,
    };
    let test_api = args.test_api.then_some(service::TEST_API_PREFIX);
    let written = claim
        .publish(&holder)
        .map_err(anyhow::Error::from)
        .and_then(|()| {
            ready_place
                .map(|place| place.write(&running.base_url(), running.token(), test_api))
                .transpose()
        });
    let ready = match written {
        Ok(ready) => ready,
        Err(error) => {
            // The store must not be removed while the service uses it.
            running.shutdown().await;
            return Err(error);
        }
    };
    if let Some(address) = running.metrics_addr() {
        tracing::info!(%address, "metrics and probes are answered");
    }
    announce(&running.base_url());
    tokio::select! {
        signal = signals.next_end() => tracing::info!(?signal, "stopping"),
        Some(()) = OptionFuture::from(parent.map(ParentProcess::ended)) => {
            tracing::info!("stopping: the process that started this one has ended");
        }
    }
    drop(ready);
    claim.announce_end();
    match signals.unless_one_comes(running.shutdown()).await {
        Ok(()) => Ok(Exit::Ok),
        Err(signal) => {
            tracing::warn!(?signal, "stopped before all requests were finished");
            Ok(signal.into())
        }
    }
}

/// Reads an address, in which `localhost` is 127.0.0.1.
fn socket(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:");
    let address = port.map_or_else(|| text.to_owned(), |port| format!("127.0.0.1:{port}"));
    address
        .parse()
        .map_err(|_| "give an address and a port, as in 127.0.0.1:8787".to_owned())
}

fn parse_base_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text)
        .map_err(|error| format!("{error}; write it like http://files.test:8787"))?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_anonymous = url.username().is_empty() && url.password().is_none();
    if matches!(url.scheme(), "http" | "https") && is_bare && is_anonymous {
        return Ok(url);
    }
    Err("it must be http or https, a host and perhaps a port, and nothing more".to_owned())
}

/// Refuses options that do not go together.
fn check(args: &Args) -> Result<(), InvalidUsage> {
    if !args.listen.ip().is_loopback() && !args.allow_remote {
        return Err(InvalidUsage(format!(
            "{} can be reached from other machines, and the traffic is not encrypted; listen on 127.0.0.1, or use --allow-remote",
            args.listen
        )));
    }
    if args.listen.ip().is_unspecified() && args.base_url.is_none() {
        tracing::warn!(
            "links in answers use a loopback address; --base-url sets the address that others use"
        );
    }
    #[cfg(any(feature = "postgres", feature = "s3"))]
    if args.test_api && args.place.is_elsewhere() {
        let message = "--test-api cannot be used with --objects or --database: a reset takes everything in the store";
        return Err(InvalidUsage(message.to_owned()));
    }
    check_distinct(&args.rate_limit)
}

/// Refuses two limits under one policy, which would be sent in the same headers.
fn check_distinct(limits: &[Quota]) -> Result<(), InvalidUsage> {
    let policies: HashSet<_> = limits.iter().map(Quota::policy).collect();
    if policies.len() == limits.len() {
        return Ok(());
    }
    Err(InvalidUsage(
        "--rate-limit takes one limit per second, one for a longer window and one per day"
            .to_owned(),
    ))
}

async fn claim(dir: &Path) -> anyhow::Result<Claim> {
    let claim = Claim::take_soon(dir).await;
    if let Some(claim) = claim.with_context(|| format!("cannot use {}", dir.display()))? {
        return Ok(claim);
    }
    let (shown, holder) = (dir.display(), Lock::holder_in_words(dir));
    match published(dir).ok().flatten() {
        Some(StoreHolder {
            is_ending: true, ..
        }) => bail!("{shown} is being closed by {holder}; try again when it has stopped"),
        Some(StoreHolder { base_url, .. }) => bail!("{shown} is served by {holder} at {base_url}"),
        None => bail!("{shown} is in use by {holder}"),
    }
}

fn read_usage(path: &Path) -> anyhow::Result<Usage> {
    let wrong = |error: &dyn Display| InvalidUsage(format!("{}: {error}", path.display()));
    let json = typed_file::read(path).map_err(|error| wrong(&error))?;
    Ok(Usage::parse(json.as_bytes()).map_err(|error| wrong(&error))?)
}

/// Prints the address on a line of its own, without a trailing slash. Serving continues even if no
/// one reads it.
fn announce(base_url: &Url) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", base_url.as_str().trim_end_matches('/')).and_then(|()| out.flush());
}
