//! Who holds a name in a folder, and the next name that nobody holds.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::read::{file_named, is_expired};
use crate::service::domain::names::{FileName, fold};
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileRecord, FolderKey};
use crate::service::store::sqlite::statements::{all, execute};

/// The file that holds this name. One whose time is over makes room at once: it takes a numbered name until it is
/// erased, so that nothing is lost should the clock prove wrong (`guarantees.md#a-wrong-clock-deletes-nothing`).
pub(super) fn holder(
    connection: &Connection,
    folder: Option<FolderKey>,
    name: &FileName,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    let held = file_named(connection, folder, &name.full())?;
    let Some(expired) = held.as_ref().filter(|file| is_expired(file, now)) else { return Ok(held) };
    let aside = next_free_name(connection, folder, name)?;
    let rename = "UPDATE files SET stem = ?1, stem_folded = ?2, full_name = ?3 WHERE id = ?4";
    execute(connection, rename, params![aside.stem(), fold(aside.stem()), aside.full(), expired.key])?;
    Ok(None)
}

/// `stem-N.extension`, one past the highest number there is.
pub(crate) fn next_free_name(
    connection: &Connection,
    folder: Option<FolderKey>,
    name: &FileName,
) -> Result<FileName, StoreError> {
    let before = format!("{}-", name.stem());
    let behind = name.full().split_off(name.stem().len());
    let number_after =
        |taken: &str| taken.strip_prefix(&before)?.strip_suffix(&behind)?.parse::<u64>().ok()?.checked_add(1);
    // '.' is the character after '-', so the range holds exactly the names that start with the stem and a '-'.
    let taken = all(
        connection,
        "SELECT full_name FROM files
         WHERE COALESCE(folder_id, 0) = ?1 AND full_name >= ?2 AND full_name < ?3 AND deleted_at IS NULL",
        params![folder.map_or(0, |folder| folder.0), before, format!("{}.", name.stem())],
        |row| Ok(number_after(row.get_ref(0)?.as_str()?)),
    )?;
    let next = taken.into_iter().flatten().max().unwrap_or(policy::FIRST_NAME_SUFFIX);
    Ok(FileName::from_parts(&format!("{}-{next}", name.stem()), name.extension())?)
}
