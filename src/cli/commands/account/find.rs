//! The existing accounts, by name.

use crate::cli::setup::Setup;
use crate::cli::stderr::InvalidUsage;
use crate::config::{AccountSource, AccountSummary, accounts};

/// Returns all accounts except the demo.
pub(super) fn all(setup: &Setup) -> Vec<AccountSummary> {
    let mut known = accounts::known(&setup.config, &setup.paths, &setup.environment);
    known.retain(|account| account.source != AccountSource::Demo);
    known
}

pub(super) fn one(setup: &Setup, name: &str) -> Result<AccountSummary, InvalidUsage> {
    let known = all(setup);
    let names: Vec<&str> = known.iter().map(|account| account.source.name()).collect();
    let message = format!(
        "there is no account '{name}'; there are: {}",
        names.join(", ")
    );
    known
        .into_iter()
        .find(|account| account.source.name() == name)
        .ok_or(InvalidUsage(message))
}
