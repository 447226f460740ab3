//! `filedeck doctor`: checks what a run needs, and reports for each check that all is well, or what
//! to do.

mod diagnosis;
mod disk;
mod terminal;

use std::sync::{Arc, OnceLock};

use jiff::{SignedDuration, Timestamp};

use self::diagnosis::{Diagnosis, Health, finding};
use crate::api::search::{FileSearch, Filter};
use crate::api::{Client, Error, GrantedScopes, Kind, Observation, Observer};
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::global_options::GlobalOptions;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::output::Output;
use crate::cli::session::Session;
use crate::cli::setup::Setup;
use crate::cli::stderr::say;
use crate::config::{
    AccountEntry, AccountError, AccountSource, CredentialKind, OauthCache, OauthFile,
    TokenLocation, accounts,
};
use crate::secret_file;

const EXAMPLES: &str = "\
Examples:
  filedeck doctor
  filedeck doctor --account acme --json";

/// Check terminal, configuration, disk, account and service
///
/// Each line has ok, warn or fail, what was checked, and what to do. Nothing in the account is
/// changed. Exits with 1 if a check fails.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub format: Format,

    #[command(flatten)]
    pub options: GlobalOptions,
}

/// The tolerated error of the clock; a larger one breaks signed addresses and ages.
const MOST_OFF: SignedDuration = SignedDuration::from_secs(60);

impl LocalCommand for Args {
    fn format(&self) -> Format {
        self.format
    }

    /// Prints each line as soon as it is known.
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let LocalContext {
            setup, listener, ..
        } = context;
        let mut output = Output::new(self.format);
        let mut failed = false;
        let mut tell = |finding: Diagnosis| {
            failed |= finding.state == Health::Fail;
            output.item(&finding, || {
                format!(
                    "{:<5} {:<10} {}",
                    finding.state.to_string(),
                    finding.check,
                    finding.says
                )
            })?;
            output.flush()
        };
        let version = format!("filedeck {}", env!("CARGO_PKG_VERSION"));
        tell(Diagnosis {
            state: Health::Ok,
            check: "version",
            says: version,
        })?;
        terminal::checks(setup)
            .into_iter()
            .try_for_each(&mut tell)?;
        configuration(setup).into_iter().try_for_each(&mut tell)?;
        token_files(setup).into_iter().try_for_each(&mut tell)?;
        disk::checks(setup).into_iter().try_for_each(&mut tell)?;
        match listener
            .attend()
            .unless_one_comes(Box::pin(account(setup)))
            .await
        {
            Ok(findings) => findings.into_iter().try_for_each(&mut tell)?,
            Err(signal) => return Ok(signal.into()),
        }
        Ok(if failed { Exit::Failed } else { Exit::Ok })
    }
}

fn configuration(setup: &Setup) -> Vec<Diagnosis> {
    let file = setup.paths.config_file();
    if setup.warnings.is_empty() {
        let says = if file.exists() {
            format!("{} is right", file.display())
        } else {
            "there is no config.toml, so all is as shipped".to_owned()
        };
        return vec![finding(Health::Ok, "config", says)];
    }
    setup
        .warnings
        .iter()
        .map(|warning| {
            finding(
                Health::Warn,
                "config",
                format!("{warning}; correct that line"),
            )
        })
        .collect()
}

fn token_files(setup: &Setup) -> Vec<Diagnosis> {
    let check = |(name, entry): (&String, &AccountEntry)| {
        let TokenLocation::File(file) = &entry.token else {
            return None;
        };
        let file = setup.paths.config.join(file);
        let (read, what) = match entry.kind {
            CredentialKind::Token => (secret_file::read(&file).map(|_| true), "the token file"),
            CredentialKind::Oauth => {
                let whole = |text| OauthFile::parse(&text).is_some();
                (
                    secret_file::read_text(&file).map(whole),
                    "the file with the OAuth credentials",
                )
            }
        };
        Some(match read {
            Ok(true) => finding(
                Health::Ok,
                "token",
                format!(
                    "{what} of '{name}' is private{}",
                    end_of(setup, name, entry)
                ),
            ),
            Ok(false) => finding(
                Health::Fail,
                "token",
                AccountError::NotOauth(name.clone()).to_string(),
            ),
            Err(error) => finding(Health::Fail, "token", format!("account '{name}': {error}")),
        })
    };
    setup.config.accounts.iter().filter_map(check).collect()
}

fn end_of(setup: &Setup, name: &str, entry: &AccountEntry) -> String {
    let ends =
        OauthCache::end_of(&setup.paths, name).filter(|_| entry.kind == CredentialKind::Oauth);
    ends.map(|ends| format!("; its access token ends at {ends}"))
        .unwrap_or_default()
}

/// Opens the account and queries its service.
async fn account(setup: &Setup) -> Vec<Diagnosis> {
    let chosen = accounts::choose(
        &setup.config,
        &setup.paths,
        &setup.environment,
        setup.account.as_deref(),
    );
    let store = setup.paths.local_store();
    if matches!(chosen, Ok(AccountSource::LocalStore)) && !store.exists() {
        return vec![finding(
            Health::Ok,
            "store",
            "there is no built-in store yet; the first start makes one",
        )];
    }
    let session = match Session::open(setup, &say).await {
        Ok(session) => session,
        Err(error) => return vec![finding(Health::Fail, "account", format!("{error:#}"))],
    };
    let mut findings = vec![finding(
        Health::Ok,
        "account",
        format!(
            "'{}' at {}",
            session.source.name(),
            session.client.base_url()
        ),
    )];
    if session.source == AccountSource::LocalStore {
        findings.push(finding(
            Health::Ok,
            "store",
            format!(
                "{} opens; 'filedeck store verify' checks every byte",
                store.display()
            ),
        ));
    }
    findings.extend(service(&session.client).await);
    match session.journal().await {
        Ok(journal) => findings.push(match journal.has_unfinished().await {
            Ok(true) => finding(
                Health::Warn,
                "journal",
                "tasks have not ended: 'filedeck tasks' lists them",
            ),
            Ok(false) => finding(Health::Ok, "journal", "no task is unfinished"),
            Err(error) => finding(Health::Fail, "journal", error.message),
        }),
        Err(error) => findings.push(finding(Health::Fail, "journal", error.message)),
    }
    session.close().await;
    findings
}

async fn service(client: &Client) -> Vec<Diagnosis> {
    let time = match client.service_time().await {
        Ok(time) => time,
        Err(error) => return vec![failure("service", &error)],
    };
    let mut findings = vec![finding(
        Health::Ok,
        "service",
        "it answers, and takes the token",
    )];
    let ahead = time.timestamp().duration_since(Timestamp::now());
    findings.push(if ahead.abs() > MOST_OFF {
        let says = format!(
            "this clock and the service's differ by {} s; set this one",
            ahead.abs().as_secs()
        );
        finding(Health::Warn, "clock", says)
    } else {
        finding(Health::Ok, "clock", "this clock agrees with the service's")
    });
    let filter = Filter {
        limit: Some(1),
        ..Filter::default()
    };
    let granted = Arc::new(OnceLock::new());
    let observer = Observer::new(Arc::new({
        let granted = granted.clone();
        move |seen| {
            if let Observation::Granted(grant) = seen {
                let _ = granted.set(grant);
            }
        }
    }));
    let files = client
        .observed(observer)
        .search_files(&FileSearch {
            filter,
            ..FileSearch::default()
        })
        .await;
    findings.push(match files {
        Ok(_) => scopes(granted.get().copied()),
        Err(error) => failure("files", &error),
    });
    findings.push(match client.custom_object_type_limits().await {
        Ok(_) => finding(Health::Ok, "limits", "the token may read the CRM limits"),
        Err(error) if matches!(error.kind, Kind::Forbidden) => finding(
            Health::Warn,
            "limits",
            format!("{}; give the token the scope to see limits", error.message),
        ),
        Err(error) => failure("limits", &error),
    });
    findings
}

/// Diagnoses a token that may read files.
fn scopes(granted: Option<GrantedScopes>) -> Diagnosis {
    let (health, says) = match granted {
        None => (
            Health::Ok,
            "the token may read files; whether it may change them is seen when it does",
        ),
        Some(GrantedScopes {
            write: true,
            delete: true,
        }) => (Health::Ok, "the token may read, change and delete files"),
        Some(GrantedScopes {
            write: true,
            delete: false,
        }) => (
            Health::Warn,
            "the token may not delete files; install the app with the scope files.delete",
        ),
        Some(GrantedScopes {
            write: false,
            delete: true,
        }) => (
            Health::Warn,
            "the token may not change files; install the app with the scope files.write",
        ),
        Some(GrantedScopes {
            write: false,
            delete: false,
        }) => (
            Health::Warn,
            "the token may only read files; install the app with the scopes files.write and files.delete",
        ),
    };
    finding(health, "files", says)
}

fn failure(check: &'static str, error: &Error) -> Diagnosis {
    finding(
        Health::Fail,
        check,
        format!(
            "{}. {}",
            error.message.trim_end_matches('.'),
            error.advice()
        ),
    )
}
