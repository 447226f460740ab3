//! A model of the library in memory: the effects of each request by the contract, and the resulting
//! responses. It knows nothing of HTTP.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// `None` is the root.
pub(super) type Parent = Option<String>;

#[derive(Debug, Clone)]
pub(super) struct Folder {
    pub(super) name: String,
    pub(super) parent: Parent,
    pub(super) created: Timestamp,
    pub(super) updated: Timestamp,
}

#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) stem: String,
    /// Empty if there is none.
    pub(super) extension: String,
    pub(super) parent: Parent,
    pub(super) bytes: &'static str,
    pub(super) access: &'static str,
    pub(super) usable: bool,
    pub(super) expires: Option<Timestamp>,
    pub(super) created: Timestamp,
    pub(super) updated: Timestamp,
}

impl File {
    pub(super) fn full_name(&self) -> String {
        full_name(&self.stem, &self.extension)
    }

    pub(super) fn is_public(&self) -> bool {
        self.access != "PRIVATE"
    }
}

pub(super) fn full_name(stem: &str, extension: &str) -> String {
    if extension.is_empty() {
        stem.to_owned()
    } else {
        format!("{stem}.{extension}")
    }
}

pub(super) struct Library {
    pub(super) now: Timestamp,
    pub(super) folders: BTreeMap<String, Folder>,
    pub(super) files: BTreeMap<String, File>,
    pub(super) gone_folders: BTreeSet<String>,
    /// Deleted files, with their expiry: not visible, but their bytes are kept.
    pub(super) deleted: BTreeMap<String, Option<Timestamp>>,
    /// Files that were erased or have expired: nothing of them is kept.
    pub(super) erased: BTreeSet<String>,
    /// Every path that anything ever had.
    pub(super) paths: BTreeSet<String>,
}

impl Library {
    pub(super) fn new(now: Timestamp) -> Self {
        Self {
            now,
            folders: BTreeMap::new(),
            files: BTreeMap::new(),
            gone_folders: BTreeSet::new(),
            deleted: BTreeMap::new(),
            erased: BTreeSet::new(),
            paths: BTreeSet::new(),
        }
    }

    pub(super) fn folder_path(&self, folder: &Parent) -> String {
        match folder.as_ref().map(|id| &self.folders[id]) {
            Some(folder) => format!("{}/{}", self.folder_path(&folder.parent), folder.name),
            None => String::new(),
        }
    }

    pub(super) fn file_path(&self, file: &File) -> String {
        format!("{}/{}", self.folder_path(&file.parent), file.full_name())
    }

    /// The folder at a path; the inner `None` is the root.
    pub(super) fn folder_at(&self, path: &str) -> Option<Parent> {
        path.split('/')
            .filter(|name| !name.is_empty())
            .try_fold(None, |parent, name| self.folder_in(&parent, name).map(Some))
    }

    pub(super) fn folder_in(&self, parent: &Parent, name: &str) -> Option<String> {
        self.folders
            .iter()
            .find(|(_, folder)| folder.parent == *parent && folder.name == name)
            .map(|(id, _)| id.clone())
    }

    pub(super) fn file_in(&self, parent: &Parent, full_name: &str) -> Option<String> {
        let found = self
            .files
            .iter()
            .find(|(_, file)| file.parent == *parent && file.full_name() == full_name);
        found.map(|(id, _)| id.clone())
    }

    pub(super) fn duplicate_of(&self, bytes: &str, within: Option<&Parent>) -> Option<String> {
        let is_same =
            |file: &File| file.bytes == bytes && within.is_none_or(|parent| file.parent == *parent);
        self.files
            .iter()
            .find(|(_, file)| is_same(file))
            .map(|(id, _)| id.clone())
    }

    /// `stem-N`, one above the highest existing number.
    pub(super) fn numbered_stem(&self, parent: &Parent, stem: &str, extension: &str) -> String {
        let siblings = self
            .files
            .values()
            .filter(|file| file.parent == *parent && file.extension == extension);
        let numbers = siblings.filter_map(|file| {
            file.stem
                .strip_prefix(stem)?
                .strip_prefix('-')?
                .parse::<u32>()
                .ok()
        });
        format!("{stem}-{}", numbers.max().unwrap_or(0) + 1)
    }

    pub(super) fn is_within(&self, folder: &Parent, other: &str) -> bool {
        folder
            .as_ref()
            .is_some_and(|id| id == other || self.is_within(&self.folders[id].parent, other))
    }

    pub(super) fn add_folder(&mut self, id: String, name: &str, parent: Parent) {
        let folder = Folder {
            name: name.to_owned(),
            parent,
            created: self.now,
            updated: self.now,
        };
        self.folders.insert(id, folder);
        self.note_paths();
    }

    pub(super) fn change_folder(&mut self, id: &str, name: Option<&str>, parent: Option<Parent>) {
        let now = self.now;
        let folder = self.folders.get_mut(id).unwrap();
        folder.name = name.map_or_else(|| folder.name.clone(), str::to_owned);
        folder.parent = parent.unwrap_or_else(|| folder.parent.clone());
        folder.updated = now;
        self.note_paths();
    }

    pub(super) fn delete_folder(&mut self, id: &str) {
        let tree: Vec<String> = self
            .folders
            .keys()
            .filter(|other| self.is_within(&Some((*other).clone()), id))
            .cloned()
            .collect();
        let is_inside = |file: &File| {
            file.parent
                .as_ref()
                .is_some_and(|parent| tree.contains(parent))
        };
        let files: Vec<String> = self
            .files
            .iter()
            .filter(|(_, file)| is_inside(file))
            .map(|(id, _)| id.clone())
            .collect();
        for file in files {
            self.delete_file(&file);
        }
        for folder in tree {
            self.folders.remove(&folder);
            self.gone_folders.insert(folder);
        }
    }

    pub(super) fn put_file(&mut self, id: String, file: File) {
        self.files.insert(id, file);
        self.note_paths();
    }

    pub(super) fn delete_file(&mut self, id: &str) {
        let file = self.files.remove(id).unwrap();
        self.deleted.insert(id.to_owned(), file.expires);
    }

    pub(super) fn erase_file(&mut self, id: &str) {
        self.files.remove(id);
        self.deleted.remove(id);
        self.erased.insert(id.to_owned());
    }

    /// Advances the time; returns the files, including deleted ones, that expire.
    pub(super) fn wait(&mut self, time: SignedDuration) -> Vec<String> {
        self.now += time;
        let ends = self.files.iter().map(|(id, file)| (id, file.expires));
        let ends = ends.chain(self.deleted.iter().map(|(id, expires)| (id, *expires)));
        let over: Vec<String> = ends
            .filter(|(_, due)| due.is_some_and(|due| due <= self.now))
            .map(|(id, _)| id.clone())
            .collect();
        for id in &over {
            self.erase_file(id);
        }
        over
    }

    fn note_paths(&mut self) {
        let folders = self
            .folders
            .keys()
            .map(|id| self.folder_path(&Some(id.clone())));
        let paths: Vec<String> = folders
            .chain(self.files.values().map(|file| self.file_path(file)))
            .collect();
        self.paths.extend(paths);
    }

    /// The expected fields of a file; null is a field that must be absent.
    pub(super) fn file_json(&self, id: &str) -> Value {
        let file = &self.files[id];
        json!({
            "id": id,
            "name": file.stem,
            "extension": if file.extension.is_empty() { Value::Null } else { json!(file.extension) },
            "path": self.file_path(file),
            "parentFolderId": file.parent,
            "size": file.bytes.len(),
            "fileMd5": md5_of(file.bytes),
            "access": file.access,
            "isUsableInContent": file.usable,
            "expiresAt": file.expires.map(Timestamp::as_millisecond),
            "createdAt": format!("{:.3}", file.created),
            "updatedAt": format!("{:.3}", file.updated),
            "archived": false,
            "archivedAt": null,
        })
    }

    pub(super) fn folder_json(&self, id: &str) -> Value {
        let folder = &self.folders[id];
        json!({
            "id": id,
            "name": folder.name,
            "path": self.folder_path(&Some(id.to_owned())),
            "parentFolderId": folder.parent,
            "createdAt": format!("{:.3}", folder.created),
            "updatedAt": format!("{:.3}", folder.updated),
            "archived": false,
            "archivedAt": null,
        })
    }
}

/// The output of `md5sum`.
fn md5_of(bytes: &str) -> &'static str {
    match bytes {
        "one" => "f97c5d29941bfb1b2fdab0874906ab82",
        "two" => "b8a9f715dbb64fd5c56e7783c6820a61",
        "three" => "35d6d33467aae9a2e3dccb4b6b027878",
        other => panic!("no checksum is known of {other:?}"),
    }
}
