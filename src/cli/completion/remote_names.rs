//! The names in a folder of the account, from the last minute or from a new listing. Starts no
//! service, and asks no keyring, which may ask for a password.

use futures::TryStreamExt as _;
use jiff::Timestamp;

use crate::api::{Client, Error};
use crate::cli::local_store;
use crate::cli::place;
use crate::cli::remote::RemotePath;
use crate::cli::session::{JournalAt, client_at, client_of};
use crate::cli::setup::Setup;
use crate::config::{AccountSource, CredentialKind, accounts, create_private_dir};
use crate::engine::completion_names::{CompletionNames, MOST_NAMES};
use crate::engine::message::{Entry, Sort};
use crate::engine::ops::list;

/// Returns the names in a folder, those of folders with a trailing slash; `None` if they cannot be
/// determined.
pub(super) fn of_folder(
    setup: &Setup,
    account: Option<&str>,
    folder: &RemotePath,
) -> Option<Vec<String>> {
    let source = accounts::choose(&setup.config, &setup.environment, account).ok()?;
    let account = name_in_journal(setup, &source)?;
    let kept = CompletionNames::new(&setup.paths.state);
    let path = folder.as_str();
    if let Some(names) = kept.read(&account, path, Timestamp::now()) {
        return Some(names);
    }
    let client = client(setup, &source)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .ok()?;
    let names = runtime.block_on(read(&client, folder)).ok()??;
    // Without the file, the next completion lists the folder again.
    let read = vec![(path.to_owned(), names.clone())];
    let _ = create_private_dir(&setup.paths.state)
        .and_then(|()| kept.keep(&account, read, Timestamp::now()));
    Some(names)
}

fn name_in_journal(setup: &Setup, source: &AccountSource) -> Option<String> {
    let address = match source {
        AccountSource::Configured(_) => {
            let entry = accounts::entry_of(&setup.config, source)?;
            accounts::parse_base_url("base_url", &entry.base_url).ok()?
        }
        AccountSource::Environment => accounts::of_environment(&setup.environment).ok()?.base_url,
        AccountSource::LocalStore | AccountSource::Demo => return Some(source.name().to_owned()),
    };
    Some(
        JournalAt::of(setup, source.name(), &address)
            .account()
            .to_owned(),
    )
}

fn client(setup: &Setup, source: &AccountSource) -> Option<Client> {
    let account = match source {
        AccountSource::Configured(name) => {
            let entry = accounts::entry_of(&setup.config, source)?;
            // A renewal that the deadline cuts off could lose a new refresh token.
            if entry.token.is_keyring() || entry.kind == CredentialKind::Oauth {
                return None;
            }
            accounts::configured(&setup.config, &setup.paths, setup.keyring, name).ok()?
        }
        AccountSource::Environment => accounts::of_environment(&setup.environment).ok()?,
        AccountSource::LocalStore => {
            let token = setup.environment.service_token.as_ref();
            let address = local_store::address_in_use(&setup.paths.local_store(), token)?;
            return client_at(&address, setup.timing()).ok();
        }
        AccountSource::Demo => return None,
    };
    client_of(setup, source.name(), &account, setup.timing()).ok()
}

/// Reads the names in a folder; `None` if it is too large.
async fn read(client: &Client, folder: &RemotePath) -> Result<Option<Vec<String>>, Error> {
    let of = place::find(client, folder.as_str()).await?.into();
    let (mut pages, mut names) = (list::pages(client, &of, Sort::default()), Vec::new());
    while let Some(entries) = pages.try_next().await? {
        names.extend(entries.iter().map(Entry::name_in_path));
        if names.len() > MOST_NAMES {
            return Ok(None);
        }
    }
    Ok(Some(names))
}
