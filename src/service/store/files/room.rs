//! Who holds a name in a folder, and the next name that nobody holds.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::read::{file_named, is_expired};
use crate::service::names::{FileName, fold};
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileRecord, FolderKey};

/// The file that holds this name. One whose time is over makes room at once: it takes a numbered name until it is
/// erased, so that nothing is lost should the clock prove wrong (`reliability.md` D7).
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
pub(super) async fn next_free_name(
    connection: &mut SqliteConnection,
    folder: Option<FolderKey>,
    name: &FileName,
) -> Result<FileName, StoreError> {
    // '.' is the character after '-', so the range holds exactly the names that start with the stem and a '-'.
    let taken: Vec<String> = sqlx::query_scalar(
        "SELECT stem FROM files
         WHERE COALESCE(folder_id, 0) = $1 AND full_name >= $2 AND full_name < $3 AND extension = $4 AND deleted_at IS NULL",
    )
    .bind(folder.map_or(0, |folder| folder.0))
    .bind(format!("{}-", name.stem()))
    .bind(format!("{}.", name.stem()))
    .bind(name.extension())
    .fetch_all(connection)
    .await?;
    let number_of = |stem: &String| stem.strip_prefix(name.stem())?.strip_prefix('-')?.parse::<u64>().ok();
    let next = taken.iter().filter_map(number_of).max().map_or(policy::FIRST_NAME_SUFFIX, |highest| highest + 1);
    Ok(FileName::from_parts(&format!("{}-{next}", name.stem()), name.extension())?)
}
