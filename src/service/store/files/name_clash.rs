//! The holder of a name in a folder, and the next free name.

use jiff::Timestamp;

use super::read::is_expired;
use crate::service::domain::names::FileName;
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileRecord, FolderKey};
use crate::service::store::sql::Tables;

/// Returns the file that holds this name. An expired file gives the name up at once: it gets a
/// numbered name until it is erased, so that nothing is lost if the clock was wrong
/// (`guarantees.md#a-wrong-clock-deletes-nothing`).
pub(super) fn holder(
    tables: &dyn Tables,
    folder: Option<FolderKey>,
    name: &FileName,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    let held = tables.file_named(folder, &name.full())?;
    let Some(expired) = held.as_ref().filter(|file| is_expired(file, now)) else {
        return Ok(held);
    };
    tables.rename_file(expired.key, &next_free_name(tables, folder, name)?)?;
    Ok(None)
}

/// Returns `stem-N.extension`, with N one above the highest number in use.
pub(crate) fn next_free_name(
    tables: &dyn Tables,
    folder: Option<FolderKey>,
    name: &FileName,
) -> Result<FileName, StoreError> {
    let before = format!("{}-", name.stem());
    let behind = name.full().split_off(name.stem().len());
    let number_after = |taken: &str| {
        taken
            .strip_prefix(&before)?
            .strip_suffix(&behind)?
            .parse::<u64>()
            .ok()?
            .checked_add(1)
    };
    let mut next = None;
    tables.see_numbered_names(folder, name.stem(), &mut |taken| {
        next = next.max(number_after(taken));
    })?;
    let next = next.unwrap_or(policy::FIRST_NAME_SUFFIX);
    Ok(FileName::from_parts(
        &format!("{}-{next}", name.stem()),
        name.extension(),
    )?)
}
