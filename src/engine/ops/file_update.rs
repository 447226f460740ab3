//! Changes a file in place: its name, folder, access level, expiry, and use in content.

use jiff::Timestamp;

use super::upload::at_its_path;
use crate::api::model::{File, FileUpdate};
use crate::api::paths::join;
use crate::api::{Client, Error, Kind};
use crate::engine::item::{Item, Target};
use crate::engine::seen_state::changed_since;
use crate::engine::sending::Sending;

/// Sets what no upload takes on a file that it has just stored.
pub async fn complete(client: &Client, stored: File, sending: &Sending) -> Result<File, Error> {
    if !sending.unusable_in_content || stored.is_usable_in_content == Some(false) {
        return Ok(stored);
    }
    let update = FileUpdate {
        is_usable_in_content: Some(false),
        ..FileUpdate::default()
    };
    let updated = client.files().update(&stored.id, &update).await;
    updated.map_err(|error| {
        // In doubt, so that the next attempt finds the file as its own.
        let error = Error {
            in_doubt: true,
            ..error
        };
        error.or_it("is stored, but pages can use it: make it unusable in content")
    })
}

/// Changes a file. Refused if it was changed after `seen`, where that is given.
pub async fn update(
    client: &Client,
    file: &Item,
    update: &FileUpdate,
    seen: Option<Timestamp>,
) -> Result<File, Error> {
    let Target::File(id) = &file.target else {
        return Err(Error::new(
            Kind::Refused,
            "It is a folder; this works for files only",
        ));
    };
    if seen.is_some() && client.files().get(id).await?.updated_at != seen {
        return Err(changed_since(&file.path));
    }
    let updated = client.files().update(id, update).await?;
    let Some(stem) = &update.name else {
        return Ok(updated);
    };
    let name = updated
        .extension
        .as_ref()
        .filter(|extension| !extension.is_empty());
    let name = name.map_or_else(|| stem.clone(), |extension| format!("{stem}.{extension}"));
    let folder = updated
        .path
        .as_deref()
        .and_then(|path| path.rsplit_once('/'))
        .map_or("", |(folder, _)| folder);
    let path = join(folder, &name);
    at_its_path(client, updated, &path).await
}
