//! Looks up entries of a folder of this machine by name, whatever the form of their accents.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::case_fold::FoldedNames;
use super::local_place::joined;
use super::placement::{FOLDER, TargetFolder, TargetSide};
use crate::api::{Error, Kind};
use crate::engine::name_form::fold;
use crate::engine::plan::{Existing, ExistingFile};
use crate::engine::seen_state::LocalState;

#[derive(Debug, Default)]
pub(super) struct LocalLookup {
    entries: HashMap<String, Metadata>,
    names: FoldedNames,
}

impl LocalLookup {
    /// Looks for names in a folder; a missing one has none.
    pub(super) async fn look(folder: &Path, names: &HashSet<&str>) -> Result<Self, Error> {
        let folder = folder.to_owned();
        let (exact, any_form): (Vec<String>, Vec<String>) = names
            .iter()
            .map(|name| (*name).to_owned())
            .partition(|name| name.is_ascii());
        let look = move || {
            let mut lookup = Self::default();
            for name in exact {
                lookup.add(&folder, name)?;
            }
            if !any_form.is_empty() {
                let wanted: HashSet<String> = any_form.iter().map(|name| fold(name)).collect();
                for name in names_in(&folder)? {
                    if wanted.contains(&fold(&name)) {
                        lookup.add(&folder, name)?;
                    }
                }
            }
            Ok(lookup)
        };
        let looked = tokio::task::spawn_blocking(look).await;
        looked.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "Looking for local files failed")))
    }

    fn add(&mut self, folder: &Path, name: String) -> Result<(), Error> {
        let path = folder.join(&name);
        match fs::symlink_metadata(&path) {
            Ok(metadata) => {
                self.names.add(name.clone());
                self.entries.insert(name, metadata);
                Ok(())
            }
            Err(error) if is_missing(&error) => Ok(()),
            Err(error) => Err(unreadable(&path, &error)),
        }
    }
}

impl TargetSide for &Path {
    type Folder = LocalLookup;

    async fn look(
        &self,
        _: Option<&LocalLookup>,
        path: &str,
        names: &HashSet<&str>,
    ) -> Result<LocalLookup, Error> {
        LocalLookup::look(&joined(self, path), names).await
    }
}

impl TargetFolder for LocalLookup {
    const KEEPS_TWINS: bool = true;

    fn names(&self) -> &FoldedNames {
        &self.names
    }

    fn existing(&self, name: &str) -> Option<Existing> {
        let metadata = self.entries.get(name)?;
        Some(match metadata.file_type() {
            kind if kind.is_file() => {
                Existing::Other(ExistingFile::Local(LocalState::of(metadata)))
            }
            kind if kind.is_dir() => Existing::Blocked(FOLDER),
            kind if kind.is_symlink() => Existing::Blocked("a link has this name"),
            _ => Existing::Blocked("a pipe or a device has this name"),
        })
    }

    fn has_folder(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(Metadata::is_dir)
    }
}

fn names_in(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        entries => entries.map_err(|error| unreadable(folder, &error))?,
    };
    entries
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<_>>()
        .map_err(|error| unreadable(folder, &error))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::local(&format!("Cannot read {}", path.to_string_lossy()), error)
}
