//! The chosen account: its proxy, its service, the clock, and what the token may do.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::SignedDuration;

use super::diagnosis::{Diagnosis, fail, ok, warn};
use crate::api::search::{FileSearch, Filter};
use crate::api::{
    AdvicePlace, Client, Error, GrantedScopes, Kind, Observation, Observer, is_proxy,
};
use crate::cli::session::Session;
use crate::cli::setup::Setup;
use crate::cli::stderr::say;
use crate::config::{AccountSource, accounts};
use crate::engine::limits::Report;
use crate::engine::ops::limits;

/// The tolerated error of the clock; a larger one breaks signed addresses and ages.
const MOST_OFF: SignedDuration = SignedDuration::from_secs(60);

/// The facts that a service reveals with its answers.
#[derive(Debug, Clone, Copy, Default)]
struct Revealed {
    /// The lead of its clock, if it sends the date.
    ahead: Option<SignedDuration>,
    /// The permissions of the token, if they are listed.
    granted: Option<GrantedScopes>,
}

/// Opens the account and queries its service.
pub(super) async fn checks(setup: &Setup) -> Vec<Diagnosis> {
    let chosen = accounts::choose(&setup.config, &setup.environment, setup.account.as_deref());
    let store = setup.paths.local_store();
    if matches!(chosen, Ok(AccountSource::LocalStore)) && !store.exists() {
        return vec![ok(
            "store",
            "there is no built-in store yet; the first start makes one",
        )];
    }
    let session = match Session::open(setup, &say).await {
        Ok(session) => session,
        Err(error) => return vec![fail("account", format!("{error:#}"))],
    };
    let mut findings = vec![ok(
        "account",
        format!(
            "'{}' at {}",
            session.source.name(),
            session.client.base_url()
        ),
    )];
    if session.source == AccountSource::LocalStore {
        findings.push(ok(
            "store",
            format!(
                "{} opens; 'filedeck store verify' checks every byte",
                store.display()
            ),
        ));
    }
    findings.extend(proxy(&session.client));
    findings.extend(service(&session).await);
    match session.journal().await {
        Ok(journal) => findings.push(match journal.has_unfinished().await {
            Ok(true) => warn(
                "journal",
                "tasks have not ended: 'filedeck tasks' lists them",
            ),
            Ok(false) => ok("journal", "no task is unfinished"),
            Err(error) => fail("journal", error.message),
        }),
        Err(error) => findings.push(fail("journal", error.message)),
    }
    session.close().await;
    findings
}

/// Diagnoses the proxies of the environment.
fn proxy(client: &Client) -> Vec<Diagnosis> {
    let variables = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let ignored = variables.into_iter().filter(|name| {
        let value = std::env::var(name).unwrap_or_default();
        !value.is_empty() && !is_proxy(&value)
    });
    let mut findings: Vec<Diagnosis> = ignored
        .map(|name| {
            let says =
                format!("{name} is no address of a proxy, and is ignored: correct or unset it");
            fail("proxy", says)
        })
        .collect();
    let says = match client.proxy() {
        Some(proxy) => format!("requests go through {proxy}"),
        None => "requests go through none".to_owned(),
    };
    findings.push(ok("proxy", says));
    findings
}

async fn service(session: &Session) -> Vec<Diagnosis> {
    let revealed = Arc::new(Mutex::new(Revealed::default()));
    let observer = Observer::new(Arc::new({
        let revealed = revealed.clone();
        move |seen| {
            let mut revealed = revealed.lock().unwrap_or_else(PoisonError::into_inner);
            match seen {
                Observation::Clock { ahead } => revealed.ahead = Some(ahead),
                Observation::Granted(granted) => revealed.granted = Some(granted),
                _ => {}
            }
        }
    }));
    let filter = Filter {
        limit: Some(1),
        ..Filter::default()
    };
    let search = FileSearch {
        filter,
        ..FileSearch::default()
    };
    let files = session
        .client
        .with_observer(observer)
        .files()
        .search(&search)
        .await;
    let revealed = *revealed.lock().unwrap_or_else(PoisonError::into_inner);
    let read = match files {
        Ok(_) => ok("read", "yes: the token may read files"),
        Err(error) if matches!(error.kind, Kind::Forbidden) => failure("read", &error),
        Err(error) => return vec![failure("service", &error)],
    };
    let mut findings = vec![
        ok("service", "it answers, and takes the token"),
        clock(revealed.ahead),
        read,
    ];
    let may = |granted: fn(GrantedScopes) -> bool| revealed.granted.map(granted);
    let features = [
        ("change", "files.write", may(|granted| granted.write)),
        ("delete", "files.delete", may(|granted| granted.delete)),
    ];
    let refusal = session.check_writable().err();
    findings.extend(features.map(|(feature, scope, may)| match &refusal {
        Some(refusal) => ok(feature, format!("no: {}", refusal.message)),
        None => change(feature, scope, may),
    }));
    for (check, report) in [
        ("limits", Report::Records),
        ("types", Report::CustomObjectTypes),
    ] {
        findings.push(limit(
            check,
            limits::read(&session.client, &report).await.map(drop),
        ));
    }
    findings
}

fn clock(ahead: Option<SignedDuration>) -> Diagnosis {
    let Some(ahead) = ahead else {
        let says = "not known: the service sends no date";
        return ok("clock", says);
    };
    let side = match ahead.as_secs() {
        0 => return ok("clock", "this clock agrees with the service's"),
        1.. => "behind",
        _ => "ahead of",
    };
    let says = format!(
        "this clock is {} s {side} the service's",
        ahead.abs().as_secs()
    );
    if ahead.abs() > MOST_OFF {
        return warn("clock", format!("{says}; set it"));
    }
    ok("clock", says)
}

/// Diagnoses a permission that is not tried, because that would change the account.
fn change(feature: &'static str, scope: &str, may: Option<bool>) -> Diagnosis {
    match may {
        Some(true) => ok(feature, format!("yes: the token may {feature} files")),
        Some(false) => warn(
            feature,
            format!(
                "no: the token may not {feature} files; install the app with the scope {scope}"
            ),
        ),
        None => ok(
            feature,
            "not known until tried: the token does not list its scopes",
        ),
    }
}

/// Diagnoses a report on limits, which not every account has.
fn limit(check: &'static str, read: Result<(), Error>) -> Diagnosis {
    let what = match check {
        "types" => "the limits of custom object types",
        _ => "the CRM limits",
    };
    match read {
        Ok(()) => ok(check, format!("yes: the token may read {what}")),
        Err(error) if matches!(error.kind, Kind::Forbidden) => warn(
            check,
            format!(
                "no: {}; give the token the scope to see {what}",
                error.message
            ),
        ),
        Err(error) => failure(check, &error),
    }
}

fn failure(check: &'static str, error: &Error) -> Diagnosis {
    let message = error.message.trim_end_matches('.');
    let says = match error.advice(AdvicePlace::Command) {
        Some(advice) => format!("{message}. {advice}"),
        None => message.to_owned(),
    };
    fail(check, says)
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::Health;
    use super::*;

    #[test]
    fn the_clocks_are_compared_by_the_second() {
        let of = |seconds| clock(Some(SignedDuration::from_secs(seconds)));
        for (seconds, health, says) in [
            (0, Health::Ok, "this clock agrees with the service's"),
            (40, Health::Ok, "this clock is 40 s behind the service's"),
            (
                -61,
                Health::Warn,
                "this clock is 61 s ahead of the service's; set it",
            ),
        ] {
            assert_eq!(
                (of(seconds).state, of(seconds).says.as_str()),
                (health, says)
            );
        }
        assert!(clock(None).says.starts_with("not known"));
    }
}
