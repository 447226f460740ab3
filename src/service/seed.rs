//! The sample library and the sample CRM usage, built into the binary and put into a new store once.
//! A start that was cut short is carried on by the next one.

use serde::Deserialize;

use super::crm::Usage;
use super::error::ApiError;
use super::intake::{self, Spool};
use super::lifetime;
use super::names::{FileName, FilePath, FolderPath};
use super::state::AppState;
use super::store::{DuplicateRule, Mark, NewFile, Placement, StoreError};
use crate::api::model::Access;

const MANIFEST: &str = include_str!("../../assets/sample/library.json");
const CRM_USAGE: &[u8] = include_bytes!("../../assets/sample/crm.json");

/// The files of the sample library by their name below `assets/sample/library/`.
macro_rules! sources {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../assets/sample/library/", $name)))),+]
    };
}

const SOURCES: &[(&str, &[u8])] = sources![
    "agenda.md",
    "brand-guide.pdf",
    "budget.csv",
    "customer-interviews.md",
    "harbour.jpg",
    "hero-banner.jpg",
    "launch-plan.md",
    "logo-mono.png",
    "logo.png",
    "orders-chart.png",
    "orders-export.csv",
    "portrait.png",
    "press-release.txt",
    "settings.json",
    "site.css",
    "skyscraper.png",
    "social-card.jpg",
    "spinner.gif",
    "supplier-contract.pdf",
    "venue.jpg",
    "welcome.txt",
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// Folders without files, each after the one that it is in.
    folders: Vec<String>,
    files: Vec<SampleFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleFile {
    source: String,
    folder: String,
    name: String,
    access: Access,
    #[serde(default)]
    ttl: Option<String>,
}

/// Puts the sample library into the store, unless it was put there before.
pub(super) async fn fill_library(state: &AppState) -> Result<(), ApiError> {
    if state.store.mark(Mark::SampleLibrary).await?.is_some() {
        return Ok(());
    }
    let manifest: Manifest =
        serde_json::from_str(MANIFEST).map_err(|error| ApiError::internal("read the sample library", &error))?;
    for file in &manifest.files {
        add(state, file).await?;
    }
    for folder in &manifest.folders {
        let path = FolderPath::parse(folder).map_err(StoreError::from)?;
        let Some((parent, name)) = path.split_last() else { continue };
        match state.store.create_folder(&Placement::Path(parent), name, state.clock.now()).await {
            Ok(_) | Err(StoreError::NameTaken(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(state.store.set_mark(Mark::SampleLibrary, state.clock.now()).await?)
}

/// Settles that a store which was begun without the sample library stays without.
pub(super) async fn leave_out_library(state: &AppState) -> Result<(), ApiError> {
    if state.store.mark(Mark::SampleLibrary).await?.is_none() {
        state.store.set_mark(Mark::SampleLibrary, state.clock.now()).await?;
    }
    Ok(())
}

/// Goes the way of every upload. A file that is at its place was put there by a start that was cut short.
async fn add(state: &AppState, file: &SampleFile) -> Result<(), ApiError> {
    let folder = FolderPath::parse(&file.folder).map_err(StoreError::from)?;
    let path = FilePath::parse(&format!("{folder}/{}", file.name)).map_err(StoreError::from)?;
    let now = state.clock.now();
    if state.store.file_at(&path, now).await?.is_some() {
        return Ok(());
    }
    let bytes = SOURCES.iter().find(|(name, _)| *name == file.source).map(|(_, bytes)| *bytes);
    let bytes = bytes.ok_or_else(ApiError::defect)?;
    let mut spool = Spool::open(&state.blobs, bytes.len() as u64).await?;
    spool.write(bytes::Bytes::from_static(bytes)).await?;
    let spooled = spool.finish().await?;
    let new = NewFile {
        placement: Placement::Path(folder),
        name: FileName::parse(&file.name).map_err(StoreError::from)?,
        access: file.access.clone(),
        expires_at: lifetime::expiry(file.ttl.as_deref(), None, now)?,
        overwrite: false,
        duplicates: DuplicateRule::default(),
    };
    intake::create_file(state, spooled, new, None).await?;
    Ok(())
}

/// Puts the given CRM usage into the store; without one, the sample into a store that has none.
pub(super) async fn fill_crm_usage(state: &AppState, given: Option<&Usage>) -> Result<(), ApiError> {
    if let Some(usage) = given {
        return Ok(state.store.replace_crm_usage(usage).await?);
    }
    if state.store.crm_usage().await?.is_some() {
        return Ok(());
    }
    let sample = Usage::parse(CRM_USAGE).map_err(|error| ApiError::internal("read the sample CRM usage", &error))?;
    Ok(state.store.replace_crm_usage(&sample).await?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_manifest_the_sources_and_the_directory_name_the_same_files() {
        let manifest: Manifest = serde_json::from_str(MANIFEST).unwrap();
        let listed: BTreeSet<_> = manifest.files.iter().map(|file| file.source.clone()).collect();
        let built_in: BTreeSet<_> = SOURCES.iter().map(|(name, _)| (*name).to_owned()).collect();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/library");
        let on_disk: BTreeSet<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(listed, built_in);
        assert_eq!(built_in, on_disk);
    }
}
