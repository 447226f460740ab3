//! Looks up entries of a folder by name, whatever the form of their accents. The folder is listed
//! once; where that would take more requests than there are names, the remaining names are
//! requested one by one.

use std::collections::{HashMap, HashSet};

use super::case_fold::FoldedNames;
use super::list::{self, ListMemory};
use super::placement::{FOLDER, TargetFolder, TargetSide};
use crate::api::model::{File, Folder};
use crate::api::paths::join;
use crate::api::{Client, Error, Kind};
use crate::engine::folder_comparison::RemoteEntry;
use crate::engine::message::{Entry, FolderRef, Sort};
use crate::engine::name_form::fold;
use crate::engine::plan::{Existing, ExistingFile};
use crate::engine::query::asked_part;

/// A folder of an account that files go into.
pub(super) struct AccountFolder<'a> {
    pub client: &'a Client,
    pub memory: &'a ListMemory,
    pub place: &'a FolderRef,
}

#[derive(Debug, Default)]
pub(super) struct FolderLookup {
    files: HashMap<String, File>,
    folders: HashMap<String, Folder>,
    /// The names of both, including those that only look like a requested one.
    names: FoldedNames,
}

impl FolderLookup {
    pub(super) async fn look(
        client: &Client,
        memory: &ListMemory,
        place: &FolderRef,
        names: &HashSet<&str>,
    ) -> Result<Self, Error> {
        let (own, of) = (ListMemory::with_root_of(memory), place.clone().into());
        let folded: HashSet<String> = names.iter().map(|name| fold(name)).collect();
        let (mut lookup, mut after) = (Self::default(), None);
        for _page in 0..names.len() {
            let listing = list::page(client, &own, &of, Sort::default(), after).await?;
            for entry in listing.entries {
                lookup.take(entry, &folded);
            }
            after = listing.next;
            if after.is_none() {
                memory.take_root_of(&own);
                return Ok(lookup);
            }
        }
        for name in names {
            if !lookup.holds(name) {
                lookup.ask(client, place, name, &folded).await?;
            }
        }
        Ok(lookup)
    }

    fn take(&mut self, entry: Entry, wanted: &HashSet<String>) {
        let name = entry.full_name();
        if !wanted.contains(&fold(&name)) {
            return;
        }
        self.names.add(name.clone());
        match entry {
            Entry::File(file) => drop(self.files.insert(name, file)),
            Entry::Folder(folder) => drop(self.folders.insert(name, folder)),
        }
    }

    async fn ask(
        &mut self,
        client: &Client,
        place: &FolderRef,
        name: &str,
        wanted: &HashSet<String>,
    ) -> Result<(), Error> {
        match client.files().stat(&join(&place.path, name)).await {
            Ok(stat) => {
                let entries = [stat.file.map(Entry::File), stat.folder.map(Entry::Folder)];
                entries
                    .into_iter()
                    .flatten()
                    .for_each(|entry| self.take(entry, wanted));
                Ok(())
            }
            Err(error) if error.kind == Kind::NotFound && name.is_ascii() => Ok(()),
            Err(error) if error.kind == Kind::NotFound => {
                let own = ListMemory::default();
                list::named(client, &own, place, asked_part(name), |entry| {
                    self.take(entry, wanted);
                })
                .await
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn file(&self, name: &str) -> Option<&File> {
        self.files.get(self.names.form_of(name).ok()??)
    }

    pub(super) fn folder(&self, name: &str) -> Option<&Folder> {
        self.folders.get(self.names.form_of(name).ok()??)
    }

    pub(super) fn holds(&self, name: &str) -> bool {
        self.file(name).is_some() || self.folder(name).is_some()
    }
}

impl TargetSide for AccountFolder<'_> {
    type Folder = FolderLookup;

    async fn look(
        &self,
        above: Option<&FolderLookup>,
        path: &str,
        names: &HashSet<&str>,
    ) -> Result<FolderLookup, Error> {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let folder = above.and_then(|above| above.folder(name));
        let place = folder.map_or_else(
            || self.place.clone(),
            |folder| FolderRef {
                id: Some(folder.id.clone()),
                path: join(&self.place.path, path),
            },
        );
        FolderLookup::look(self.client, self.memory, &place, names).await
    }
}

impl TargetFolder for FolderLookup {
    const KEEPS_TWINS: bool = false;

    fn names(&self) -> &FoldedNames {
        &self.names
    }

    fn existing(&self, name: &str) -> Option<Existing> {
        let Some(file) = self.file(name) else {
            return self.folder(name).map(|_| Existing::Blocked(FOLDER));
        };
        let file = Box::new(RemoteEntry::of_file(file));
        Some(Existing::Other(ExistingFile::Remote(file)))
    }

    fn has_folder(&self, name: &str) -> bool {
        self.folder(name).is_some()
    }
}
