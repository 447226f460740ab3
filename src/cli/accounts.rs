//! What the screen does with accounts besides opening them: tries one out before it is kept, keeps and removes it.

use std::time::Duration;

use url::Url;

use super::session::{JournalAt, client_of};
use super::setup::Setup;
use crate::api::search::{Filter, FolderSearch};
use crate::api::{Error, Kind, Timing};
use crate::config::own_accounts::Undone;
use crate::config::{AccountChange, Changed, Draft, Source, accounts};

/// How long somebody who has typed a token waits for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Asks the service once, with the token that the account would have, for what the screen reads first. Refuses another
/// address while tasks wait at the one that it has.
pub async fn try_out(setup: &Setup, draft: &Draft) -> Result<(), Error> {
    let refused = |why: String| Error::new(Kind::Refused, why);
    let setup = setup.with_own_accounts();
    let account = super::session::drafted(&setup, draft).await.map_err(|error| refused(format!("{error:#}")))?;
    check_left(&setup, &draft.name, &account.base_url).await?;
    let timing = setup.timing();
    let timing = Timing { stall: timing.stall.min(PATIENCE), ..timing };
    let client = client_of(&draft.name, &account, timing).map_err(|error| refused(format!("{error:#}")))?;
    let one = FolderSearch { filter: Filter { limit: Some(1), ..Filter::default() }, ..FolderSearch::default() };
    client.search_folders(&one).await.map(drop)
}

/// What is not done at an account's old address would be out of sight at another, also while the account is not open.
async fn check_left(setup: &Setup, name: &str, new: &Url) -> Result<(), Error> {
    let entry = accounts::entry_of(&setup.config, &Source::Configured(name.to_owned()));
    let old = entry.and_then(|entry| Url::parse(entry.base_url.trim()).ok());
    let Some(old) = old.filter(|old| old != new) else { return Ok(()) };
    if JournalAt::of(setup, name, &old).open().await?.has_unfinished().await? {
        let why = "Tasks wait at the old address: go to this account, and let them end, or cancel them first.";
        return Err(Error::new(Kind::Conflict, why));
    }
    Ok(())
}

/// Writes an account down or removes it. Takes as long as the disk and the keyring do.
pub fn change(setup: &Setup, change: &AccountChange) -> anyhow::Result<Changed> {
    let Undone { refused, left } = setup.own_accounts().change(change)?;
    let setup = setup.with_own_accounts();
    let known = accounts::known(&setup.config, &setup.paths, &setup.environment);
    Ok(Changed { known, refused, left: left.map(|error| error.to_string()) })
}
