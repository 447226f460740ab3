//! Who holds a name in a folder, and the next name that nobody holds.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::read::{file_named, is_expired};
use crate::service::domain::names::{FileName, fold};
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileRecord, FolderKey};

/// The file that holds this name. One whose time is over makes room at once: it takes a numbered name until it is
/// erased, so that nothing is lost should the clock prove wrong (`guarantees.md#a-wrong-clock-deletes-nothing`).
pub(super) async fn holder(
    connection: &mut SqliteConnection,
    folder: Option<FolderKey>,
    name: &FileName,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    let held = file_named(&mut *connection, folder, &name.full()).await?;
    let Some(expired) = held.as_ref().filter(|file| is_expired(file, now)) else { return Ok(held) };
    let aside = next_free_name(&mut *connection, folder, name).await?;
    sqlx::query("UPDATE files SET stem = $1, stem_folded = $2, full_name = $3 WHERE id = $4")
        .bind(aside.stem())
        .bind(fold(aside.stem()))
        .bind(aside.full())
        .bind(expired.key.0)
        .execute(connection)
        .await?;
    Ok(None)
}

/// `stem-N.extension`, one past the highest number there is.
pub(crate) async fn next_free_name(
    connection: &mut SqliteConnection,
    folder: Option<FolderKey>,
    name: &FileName,
) -> Result<FileName, StoreError> {
    // '.' is the character after '-', so the range holds exactly the names that start with the stem and a '-'.
    let taken: Vec<String> = sqlx::query_scalar(
        "SELECT full_name FROM files
         WHERE COALESCE(folder_id, 0) = $1 AND full_name >= $2 AND full_name < $3 AND deleted_at IS NULL",
    )
    .bind(folder.map_or(0, |folder| folder.0))
    .bind(format!("{}-", name.stem()))
    .bind(format!("{}.", name.stem()))
    .fetch_all(connection)
    .await?;
    let before = format!("{}-", name.stem());
    let behind = name.full().split_off(name.stem().len());
    let after =
        |taken: &String| taken.strip_prefix(&before)?.strip_suffix(&behind)?.parse::<u64>().ok()?.checked_add(1);
    let next = taken.iter().filter_map(after).max().unwrap_or(policy::FIRST_NAME_SUFFIX);
    Ok(FileName::from_parts(&format!("{}-{next}", name.stem()), name.extension())?)
}
