//! The screen's work on accounts besides opening them: tries one out before saving it, saves it,
//! and removes it. Refuses changes that would leave unfinished tasks behind at an old address, or
//! without an account.

use std::io;
use std::time::Duration;

use anyhow::bail;
use url::Url;

use super::oauth;
use super::session::{JournalAt, client_of};
use super::setup::Setup;
use crate::api::search::{Filter, FolderSearch};
use crate::api::{Client, Error, Kind, Timing};
use crate::config::saved_accounts::Undone;
use crate::config::{AccountChange, AccountSource, Changed, Draft, accounts};
use crate::engine::{CompletionNames, ThumbnailCache};

/// The longest that someone who has typed a token waits for a response.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends, with the token that the account would have, the request that the screen sends first.
/// Refuses a new address while tasks are waiting at the old one.
pub async fn try_out(setup: &Setup, draft: &Draft) -> Result<(), Error> {
    let refused = |why: String| Error::new(Kind::Refused, why);
    let setup = setup.with_own_accounts();
    let account = super::session::drafted(&setup, draft)
        .await
        .map_err(|error| refused(format!("{error:#}")))?;
    if let Some(old) = address_of(&setup, &draft.name).filter(|old| *old != account.base_url)
        && has_tasks(&setup, &draft.name, &old).await?
    {
        let why = "Unfinished tasks use the old address. Switch to this account and wait for them, or cancel them first.";
        return Err(Error::new(Kind::Conflict, why));
    }
    let timing = setup.timing();
    let timing = Timing {
        stall: timing.stall.min(PATIENCE),
        ..timing
    };
    let client = client_of(&setup, &draft.name, &account, timing)
        .map_err(|error| refused(format!("{error:#}")))?;
    ask(&client).await
}

/// Sends a small request, which shows that the token works.
pub async fn ask(client: &Client) -> Result<(), Error> {
    let filter = Filter {
        limit: Some(1),
        ..Filter::default()
    };
    let search = FolderSearch {
        filter,
        ..FolderSearch::default()
    };
    client.folders().search(&search).await.map(drop)
}

/// Saves an account, or removes it unless it has unfinished tasks. Takes as long as the disk and
/// the keyring do.
pub async fn change(setup: &Setup, change: &AccountChange) -> anyhow::Result<Changed> {
    if let AccountChange::Forget(name) = change
        && let Some(address) = address_of(&setup.with_own_accounts(), name)
        && has_tasks(setup, name, &address).await?
    {
        bail!("it has unfinished tasks. Switch to it and wait for them, or cancel them first");
    }
    let (setup, change) = (setup.clone(), change.clone());
    tokio::task::spawn_blocking(move || write(&setup, &change)).await?
}

fn write(setup: &Setup, change: &AccountChange) -> anyhow::Result<Changed> {
    let now = match change {
        AccountChange::Keep(draft) if draft.token.is_some() => Some(accounts::drafted(
            &setup.config,
            &setup.paths,
            setup.keyring,
            draft,
        )?),
        AccountChange::Keep(_) | AccountChange::Forget(_) => None,
    };
    forget_kept(setup, change)?;
    let Undone { refused, left } = setup.own_accounts().change(change)?;
    let setup = setup.with_own_accounts();
    // Drops access tokens that were obtained with other credentials.
    if let Some(name) = name_of_changed(change)
        && let Err(error) = oauth::forget(
            &setup,
            name,
            now.as_ref().map(|now| (&now.credentials, &now.base_url)),
        )
    {
        tracing::warn!(%error, "access tokens of {name} are still on the disk");
    }
    let known = accounts::known(&setup.config, &setup.paths, &setup.environment);
    Ok(Changed {
        known,
        refused,
        left: left.map(|error| error.to_string()),
    })
}

/// Removes what this machine keeps of an account to be removed, and the thumbnails of one to be
/// changed. Runs before the change, so that the account stays if this fails.
fn forget_kept(setup: &Setup, change: &AccountChange) -> io::Result<()> {
    let state = &setup.paths.state;
    let name = match change {
        AccountChange::Keep(draft) => &draft.name,
        AccountChange::Forget(name) => {
            CompletionNames::new(state).forget()?;
            name
        }
    };
    if let Some(address) = address_of(&setup.with_own_accounts(), name) {
        ThumbnailCache::new(state, JournalAt::of(setup, name, &address).account()).clear()?;
    }
    Ok(())
}

fn name_of_changed(change: &AccountChange) -> Option<&str> {
    match change {
        AccountChange::Keep(draft) => draft.token.is_some().then_some(&draft.name),
        AccountChange::Forget(name) => Some(name),
    }
}

/// Returns `true` if the account has unfinished tasks, even while it is not open.
async fn has_tasks(setup: &Setup, name: &str, address: &Url) -> Result<bool, Error> {
    JournalAt::of(setup, name, address)
        .open()
        .await?
        .has_unfinished()
        .await
}

fn address_of(setup: &Setup, name: &str) -> Option<Url> {
    let entry = accounts::entry_of(&setup.config, &AccountSource::Configured(name.to_owned()))?;
    Url::parse(entry.base_url.trim()).ok()
}
