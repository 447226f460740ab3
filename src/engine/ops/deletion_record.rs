//! Records the files in a folder before it is deleted: the deletion is one call, and its response
//! names none of them.

use jiff::Timestamp;

use super::perform::{OpContext, Perform};
use super::walk::Walk;
use crate::api::ids::{FileId, FolderId};
use crate::api::{Client, Error, Kind};
use crate::engine::deletion::{DeletedContents, Deletion};
use crate::engine::item::{Entry, Item};
use crate::engine::journal::Journal;
use crate::engine::question::{ListDeletedWith, ListDeletions};
use crate::engine::seen_state::{changed_since, file_state, folder_state};

/// The most requests for a listing that only the record needs.
const MOST_REQUESTS: usize = 100;

#[derive(Debug, Clone, Copy)]
pub struct FolderDeletion<'a> {
    pub folder: &'a FolderId,
    pub path: &'a str,
    /// The state in which it was shown; `None` if it may be deleted in any.
    pub state: Option<&'a str>,
    /// Set if an earlier run may have deleted it: if it is gone, the notes of that run remain.
    pub in_doubt: bool,
}

/// Notes the files in a folder, at any depth, and returns the record of its deletion. Fails only if
/// the deletion would fail as well, or if the folder may have left the state that was shown; any
/// other error leaves files unknown, and is no reason not to delete.
pub async fn note(
    client: &Client,
    journal: &Journal,
    deletion: FolderDeletion<'_>,
) -> Result<Deletion, Error> {
    let FolderDeletion {
        folder,
        path,
        state,
        in_doubt,
    } = deletion;
    let mut contents = DeletedContents::default();
    if let Err(error) = note_files(client, journal, deletion, &mut contents).await {
        // Deleting may be allowed where searching is not; and a full disk of this machine is no
        // reason not to delete.
        if state.is_some()
            || error.meets_all() && !matches!(error.kind, Kind::Forbidden | Kind::DiskFull)
        {
            return Err(Error { in_doubt, ..error });
        }
        contents.missing = Some(error.message);
    }
    let deletion = Deletion::of_folder(folder, path, Timestamp::now(), contents);
    Journal::log_failure(journal.note_folder(folder, &deletion).await);
    Ok(deletion)
}

async fn note_files(
    client: &Client,
    journal: &Journal,
    FolderDeletion {
        folder,
        path,
        state,
        in_doubt,
    }: FolderDeletion<'_>,
    contents: &mut DeletedContents,
) -> Result<(), Error> {
    if in_doubt {
        match client.folders().get(folder).await {
            Err(error) if error.kind == Kind::NotFound => {
                if !journal.is_noted(folder).await? {
                    contents.missing = Some("listing them was interrupted".to_owned());
                }
                return Ok(());
            }
            // Files may have come and gone since.
            there => drop(there?),
        }
    }
    journal.forget_noted(folder).await?;
    let most_requests = if state.is_some() {
        usize::MAX
    } else {
        MOST_REQUESTS
    };
    let mut walk = Walk::new(client, std::slice::from_ref(folder), most_requests);
    let mut within = Vec::new();
    while let Some(entries) = walk.next().await? {
        within.extend(entries.iter().map(|entry| match entry {
            Entry::File(file) => file_state(file),
            Entry::Folder(folder) => folder.id.to_string(),
        }));
        let file = |entry| {
            if let Entry::File(file) = entry {
                Some(Item::of(&file))
            } else {
                None
            }
        };
        let files: Vec<Item> = entries.into_iter().filter_map(file).collect();
        if !files.is_empty() {
            journal.note_files(folder, &files, Timestamp::now()).await?;
            contents.files += files.len();
        }
    }
    if !walk.sizes().values().all(|size| size.is_all) {
        contents.missing = Some(format!(
            "it takes more than {MOST_REQUESTS} requests to list them"
        ));
    }
    if state.is_some_and(|state| folder_state(within) != state) {
        return Err(changed_since(path));
    }
    Ok(())
}

/// Refuses the permanent deletion of a file that is listed as deleted with a folder but was not: it
/// was moved out before, or restored since. Removes it from the list.
pub async fn check_gone(client: &Client, journal: &Journal, file: &FileId) -> Result<(), Error> {
    if !journal.went_with_folder(file).await? {
        return Ok(());
    }
    let found = match client.files().get(file).await {
        Err(error) if error.kind == Kind::NotFound => return Ok(()),
        found => found?,
    };
    if found.archived {
        return Ok(());
    }
    journal.forget_deletion(file).await?;
    let place = found.path.unwrap_or_default();
    Err(Error::new(
        Kind::Refused,
        format!("It was not deleted with its folder: it is now {place}. Delete it there"),
    ))
}

/// Returns a file to be deleted permanently with the content that its first deletion recorded, if
/// the caller does not know it.
pub async fn with_content(journal: &Journal, item: &Item, file: &FileId) -> Item {
    let mut item = item.clone();
    if item.md5.is_none()
        && let Ok(Some((size, md5))) = journal.deleted_content(file).await
    {
        item.size = item.size.or(size);
        item.md5 = md5;
    }
    item
}

impl Perform for ListDeletions {
    async fn perform(self, context: &OpContext) -> Result<Vec<Deletion>, Error> {
        context.journal.deletions().await
    }
}

impl Perform for ListDeletedWith {
    async fn perform(self, context: &OpContext) -> Result<Vec<Deletion>, Error> {
        context.journal.deleted_with(&self.0).await
    }
}
