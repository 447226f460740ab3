//! Fills a new store once with the sample library and the sample CRM usage; continues where a start
//! was interrupted.

mod library;

use futures::future::try_join_all;

use self::library::{SampleFile, library};
use super::answer::error::ApiError;
use super::crm::Usage;
use super::domain::lifetime;
use super::domain::names::{FileName, FilePath, FolderPath};
use super::ingest::{self, ReceivedBytes, Spool};
use super::state::AppState;
use super::store::{DuplicateRule, NewFileRow, Placement, ServiceFlag, StoreError};

const FILES_AT_ONCE: usize = 32;

/// Adds the sample library to the store if it `is_wanted`, unless an earlier start has decided
/// that.
pub(super) async fn fill_library(state: &AppState, is_wanted: bool) -> Result<(), ApiError> {
    if state
        .store
        .mark(ServiceFlag::SampleLibrary)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let (folders, files) = if is_wanted {
        library()?
    } else {
        Default::default()
    };
    // Stored like any upload.
    for chunk in files.chunks(FILES_AT_ONCE) {
        let arrived = try_join_all(chunk.iter().map(|file| arrive(state, file))).await?;
        ingest::create_files(state, arrived.into_iter().flatten().collect()).await?;
    }
    for folder in &folders {
        let path = FolderPath::parse(folder).map_err(StoreError::from)?;
        let Some((parent, name)) = path.split_last() else {
            continue;
        };
        match state
            .store
            .create_folder(&Placement::Path(parent), name, state.clock.now())
            .await
        {
            Ok(_) | Err(StoreError::NameTaken(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(state
        .store
        .set_mark(ServiceFlag::SampleLibrary, state.clock.now())
        .await?)
}

/// Returns `None` for a file that already exists, since an interrupted start has added it.
async fn arrive(state: &AppState, file: &SampleFile) -> Result<Option<ReceivedBytes>, ApiError> {
    let path =
        FilePath::parse(&format!("{}/{}", file.folder, file.name)).map_err(StoreError::from)?;
    let now = state.clock.now();
    if state.store.file_at(&path, now).await?.is_some() {
        return Ok(None);
    }
    let bytes = file.bytes()?;
    let mut spool = Spool::open(state, bytes.len() as u64).await?;
    spool.write(bytes).await?;
    let new = NewFileRow {
        placement: Placement::Path(path.folder),
        name: FileName::parse(&file.name).map_err(StoreError::from)?,
        access: file.access.clone(),
        expires_at: lifetime::expiry(file.ttl.as_deref(), None, now)?,
        overwrite: false,
        duplicates: DuplicateRule::default(),
    };
    let at = now.saturating_sub(file.age).unwrap_or(now);
    Ok(Some(ReceivedBytes {
        spooled: spool.finish().await?,
        new,
        at,
    }))
}

/// Stores the given CRM usage; without one, stores the sample if the store has none.
pub(super) async fn fill_crm_usage(
    state: &AppState,
    given: Option<&Usage>,
) -> Result<(), ApiError> {
    if let Some(usage) = given {
        return Ok(state.store.replace_crm_usage(usage).await?);
    }
    if state.store.crm_usage().await?.is_some() {
        return Ok(());
    }
    let sample =
        Usage::sample().map_err(|error| ApiError::internal("read the sample CRM usage", &error))?;
    Ok(state.store.replace_crm_usage(&sample).await?)
}
