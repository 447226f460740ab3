//! A row of the list: what panes show of a file or folder and what actions need, in few bytes,
//! because a folder may have a hundred thousand. The service's other data is in `Details` while the
//! row is on the screen.

use std::borrow::Cow;
use std::num::NonZeroI64;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Map;

use crate::api::ids::{FileId, FolderId};
use crate::api::model::{Access, File, FileKind, Folder};
use crate::api::paths::join;
use crate::api::text::visible;
use crate::engine::Item;
use crate::engine::message::{Entry, FolderRef, Target};

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub target: Target,
    /// Safe to show; a file's name with its extension, a folder's without a slash.
    pub name: Box<str>,
    /// The size in bytes.
    pub size: Option<u64>,
    pub access: Option<Access>,
    pub kind: Option<FileKind>,
    pub is_usable: Option<bool>,
    /// The end of the stem in `name`.
    stem: u32,
    created: CompactTime,
    updated: CompactTime,
    expires: CompactTime,
    md5: Option<[u8; 16]>,
    address: Option<CompactAddress>,
    odd: Option<Box<RowExtras>>,
}

/// Data that cannot be derived from the shown name and the open folder.
#[derive(Debug, Clone, PartialEq)]
struct RowExtras {
    name: Option<String>,
    extension: Option<String>,
    path: Option<String>,
    /// The folder that `path` is in.
    parent: Option<FolderId>,
}

/// A file's plain URL. Those of one folder mostly differ only in the last part, which is the file's
/// name.
#[derive(Debug, Clone, PartialEq)]
struct CompactAddress {
    /// The part before the last slash.
    base: Arc<str>,
    /// The part after it, if that is not the name.
    end: Option<Box<str>>,
}

/// A time in milliseconds, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CompactTime(Option<NonZeroI64>);

impl Row {
    /// Creates the row of an entry; `inside` is the open folder, whose path is not repeated in each
    /// row.
    pub fn new(entry: &Entry, inside: &FolderRef) -> Self {
        match entry {
            Entry::Folder(folder) => Self::of_folder(folder, inside),
            Entry::File(file) => Self::of_file(file, inside),
        }
    }

    fn of_folder(folder: &Folder, inside: &FolderRef) -> Self {
        let full = folder.full_name();
        let shown = visible(&full);
        let path = folder
            .path
            .as_ref()
            .filter(|path| **path != join(&inside.path, &full));
        let is_plain = path.is_none() && shown == full && folder.name.is_some();
        let parent = folder.parent_folder_id.clone().filter(|_| path.is_some());
        let odd = RowExtras {
            name: folder.name.clone(),
            extension: None,
            path: path.cloned(),
            parent,
        };
        Self {
            target: Target::Folder(folder.id.clone()),
            stem: u32::try_from(shown.len()).unwrap_or(u32::MAX),
            odd: (!is_plain).then(|| Box::new(odd)),
            name: shown.into(),
            size: None,
            access: None,
            kind: None,
            is_usable: None,
            created: CompactTime::new(folder.created_at),
            updated: CompactTime::new(folder.updated_at),
            expires: CompactTime(None),
            md5: None,
            address: None,
        }
    }

    fn of_file(file: &File, inside: &FolderRef) -> Self {
        let full = file.full_name();
        let shown = visible(&full);
        let stem = file.name.as_deref().map(visible);
        let stem = stem
            .filter(|stem| shown.starts_with(&**stem))
            .map_or(shown.len(), |stem| stem.len());
        let extension = file.extension.as_deref().unwrap_or_default();
        let path = file
            .path
            .as_ref()
            .filter(|path| **path != join(&inside.path, &full));
        let rest = full.get(stem..).unwrap_or_default();
        let is_plain = path.is_none()
            && shown == full
            && file.name.as_ref().is_some_and(|name| name.len() == stem)
            && rest.strip_prefix('.').unwrap_or_default() == extension;
        let parent = file.parent_folder_id.clone().filter(|_| path.is_some());
        let odd = RowExtras {
            name: file.name.clone(),
            extension: file.extension.clone(),
            path: path.cloned(),
            parent,
        };
        Self {
            target: Target::File(file.id.clone()),
            stem: u32::try_from(stem).unwrap_or(u32::MAX),
            size: file.size,
            access: file.access.clone(),
            kind: file.kind.clone(),
            is_usable: file.is_usable_in_content,
            created: CompactTime::new(file.created_at),
            updated: CompactTime::new(file.updated_at),
            expires: CompactTime::new(file.expires_at),
            md5: file.file_md5.as_deref().and_then(md5),
            address: file
                .url
                .as_deref()
                .map(|url| CompactAddress::new(url, &full)),
            odd: (!is_plain).then(|| Box::new(odd)),
            name: shown.into(),
        }
    }

    /// Shares the URL's base with another row's, if they are equal.
    pub(super) fn share(&mut self, base: &mut Option<Arc<str>>) {
        if let Some(address) = &mut self.address {
            match base {
                Some(base) if *base == address.base => address.base = base.clone(),
                _ => *base = Some(address.base.clone()),
            }
        }
    }

    pub fn is_file(&self) -> bool {
        matches!(self.target, Target::File(_))
    }

    /// The name without its extension; safe to show.
    pub fn stem(&self) -> &str {
        self.name.get(..self.stem as usize).unwrap_or(&self.name)
    }

    /// The extension without its dot, safe to show; empty if there is none.
    pub fn extension(&self) -> &str {
        let rest = self.name.get(self.stem as usize..).unwrap_or_default();
        rest.strip_prefix('.').unwrap_or_default()
    }

    pub fn created(&self) -> Option<Timestamp> {
        self.created.get()
    }

    pub fn updated(&self) -> Option<Timestamp> {
        self.updated.get()
    }

    pub fn expires(&self) -> Option<Timestamp> {
        self.expires.get()
    }

    /// The name as the service has it; not safe to show.
    pub fn full_name(&self) -> Cow<'_, str> {
        let Some(odd) = &self.odd else {
            return Cow::Borrowed(&self.name);
        };
        match &self.target {
            Target::Folder(id) => Cow::Owned(odd.name.clone().unwrap_or_else(|| id.to_string())),
            Target::File(id) => Cow::Owned(self.as_file(id, &FolderRef::root()).full_name()),
        }
    }

    /// The folder that a folder's row leads to; `inside` is the folder of the row.
    pub fn place(&self, inside: &FolderRef) -> Option<FolderRef> {
        match &self.target {
            Target::Folder(id) => Some(FolderRef {
                id: Some(id.clone()),
                path: self.path(inside),
            }),
            Target::File(_) => None,
        }
    }

    /// The absolute path as the service writes it; not safe to show.
    pub fn path(&self, inside: &FolderRef) -> String {
        let path = self.odd.as_ref().and_then(|odd| odd.path.clone());
        path.unwrap_or_else(|| join(&inside.path, &self.full_name()))
    }

    pub fn parent(&self, inside: &FolderRef) -> FolderRef {
        let elsewhere = self.odd.as_ref().filter(|odd| odd.path.is_some());
        let Some(odd) = elsewhere else {
            return inside.clone();
        };
        let path = parent_path(&self.path(inside)).unwrap_or_else(|| "/".to_owned());
        FolderRef {
            id: odd.parent.clone(),
            path,
        }
    }

    pub fn md5(&self) -> Option<[u8; 16]> {
        self.md5
    }

    /// The row as an item for jobs; `inside` is its folder.
    pub fn item(&self, inside: &FolderRef) -> Item {
        let (path, name) = (self.path(inside), self.full_name().into_owned());
        Item {
            target: self.target.clone(),
            path,
            name,
            size: self.size,
            md5: self.md5.map(hex::encode),
        }
    }

    /// The file as far as the row holds it; `None` for a folder.
    pub fn file(&self, inside: &FolderRef) -> Option<File> {
        match self.entry(inside) {
            Entry::File(file) => Some(file),
            Entry::Folder(_) => None,
        }
    }

    /// The file or folder as far as the row holds it.
    pub fn entry(&self, inside: &FolderRef) -> Entry {
        match &self.target {
            Target::Folder(id) => Entry::Folder(self.as_folder(id, inside)),
            Target::File(id) => Entry::File(self.as_file(id, inside)),
        }
    }

    fn as_file(&self, id: &FileId, inside: &FolderRef) -> File {
        let (name, extension) = match &self.odd {
            Some(odd) => (odd.name.clone(), odd.extension.clone()),
            None => (
                Some(self.stem().to_owned()),
                Some(self.extension().to_owned()).filter(|text| !text.is_empty()),
            ),
        };
        let mut file = File {
            id: id.clone(),
            created_at: self.created(),
            updated_at: self.updated(),
            archived_at: None,
            archived: false,
            parent_folder_id: self.parent(inside).id,
            name,
            path: None,
            size: self.size,
            height: None,
            width: None,
            encoding: None,
            kind: self.kind.clone(),
            extension,
            default_hosting_url: None,
            url: None,
            is_usable_in_content: self.is_usable,
            access: self.access.clone(),
            file_md5: self.md5.map(hex::encode),
            expires_at: self.expires(),
            source_group: None,
            extra: Map::new(),
        };
        let full = file.full_name();
        let path = self.odd.as_ref().and_then(|odd| odd.path.clone());
        file.url = self.address.as_ref().map(|address| address.spelled(&full));
        file.path = Some(path.unwrap_or_else(|| join(&inside.path, &full)));
        file
    }

    fn as_folder(&self, id: &FolderId, inside: &FolderRef) -> Folder {
        Folder {
            id: id.clone(),
            created_at: self.created(),
            updated_at: self.updated(),
            archived_at: None,
            archived: false,
            parent_folder_id: self.parent(inside).id,
            name: Some(self.full_name().into_owned()),
            path: Some(self.path(inside)),
            extra: Map::new(),
        }
    }
}

impl CompactAddress {
    fn new(url: &str, name: &str) -> Self {
        let (base, end) = url.rsplit_once('/').unwrap_or(("", url));
        Self {
            base: base.into(),
            end: (end != name || base.is_empty()).then(|| end.into()),
        }
    }

    fn spelled(&self, name: &str) -> String {
        let end = self.end.as_deref().unwrap_or(name);
        if self.base.is_empty() {
            end.to_owned()
        } else {
            format!("{}/{end}", self.base)
        }
    }
}

impl CompactTime {
    fn new(time: Option<Timestamp>) -> Self {
        // Counted from `i64::MIN`, which is no valid time, so that 0 can mean none.
        Self(time.and_then(|time| NonZeroI64::new(time.as_millisecond().wrapping_sub(i64::MIN))))
    }

    fn get(self) -> Option<Timestamp> {
        Timestamp::from_millisecond(self.0?.get().wrapping_add(i64::MIN)).ok()
    }
}

fn md5(text: &str) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}

/// The path of the parent folder; `/` for entries of the root folder, `None` for the root folder
/// itself.
pub fn parent_path(path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    let (parent, _) = path.rsplit_once('/')?;
    Some(if parent.is_empty() {
        "/".to_owned()
    } else {
        parent.to_owned()
    })
}

/// The last part of a path; empty for the root folder.
pub fn last_part(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default()
}

/// The new path of an entry at or below `from`, which has moved to `to`; `None` for other paths.
pub fn moved(path: &str, from: &str, to: &str) -> Option<String> {
    let rest = path
        .strip_prefix(from)
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some(format!("{to}{rest}"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    /// A file in `/in`; `fields` override the defaults.
    fn file(fields: &serde_json::Value) -> File {
        let mut value = json!({
            "id": "7", "name": "logo", "extension": "png", "path": "/in/logo.png", "size": 12, "access": "PRIVATE",
            "type": "IMG", "parentFolderId": "5", "url": "https://h/f/in/logo.png", "isUsableInContent": true,
            "createdAt": "2026-11-21T08:30:00.123Z", "fileMd5": "9f2c41c0e1b2a3948576d0c1b2a39485",
            "expiresAt": 1_795_250_000_000_i64,
        });
        value
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        serde_json::from_value(value).unwrap()
    }

    #[rstest]
    #[case::plain(json!({}))]
    #[case::before_1970(json!({ "createdAt": "1969-12-31T23:59:59.999Z" }))]
    #[case::at_1970(json!({ "createdAt": "1970-01-01T00:00:00.000Z" }))]
    #[case::no_extension(json!({ "name": "README", "extension": null, "path": "/in/README" }))]
    #[case::a_dot_in_the_stem(json!({ "name": "a.b", "path": "/in/a.b.png" }))]
    #[case::hostile(json!({ "name": "a\u{202e}b", "path": "/in/a\u{202e}b.png" }))]
    #[case::dotted_extension(json!({ "extension": ".png" }))]
    #[case::elsewhere(json!({ "path": "/other/logo.png" }))]
    #[case::escaped_address(json!({ "name": "a b", "path": "/in/a b.png", "url": "https://h/f/in/a%20b.png" }))]
    #[case::odd_address(json!({ "url": "logo.png" }))]
    #[case::new_words(json!({ "access": "SECRET", "type": "HOLOGRAM" }))]
    fn a_row_gives_its_file_back(#[case] fields: serde_json::Value) {
        let file = file(&fields);
        let inside = FolderRef {
            id: Some(FolderId::new("5")),
            path: "/in".to_owned(),
        };
        let row = Row::new(&Entry::File(file.clone()), &inside);
        assert_eq!(row.file(&inside), Some(file.clone()));
        assert_eq!(row.full_name(), file.full_name());
        assert_eq!(row.name.as_ref(), visible(&file.full_name()));
    }

    #[test]
    fn a_row_of_a_search_knows_its_folder() {
        let row = Row::new(&Entry::File(file(&json!({}))), &FolderRef::root());
        assert_eq!(
            row.parent(&FolderRef::root()),
            FolderRef {
                id: Some(FolderId::new("5")),
                path: "/in".to_owned()
            }
        );
        assert_eq!(row.file(&FolderRef::root()), Some(file(&json!({}))));
        let row = Row::new(
            &Entry::File(file(
                &json!({ "path": "/logo.png", "parentFolderId": null }),
            )),
            &FolderRef::root(),
        );
        assert_eq!(row.parent(&FolderRef::root()), FolderRef::root());
    }

    #[test]
    fn a_file_without_a_name_is_called_by_its_id() {
        let inside = FolderRef {
            id: Some(FolderId::new("5")),
            path: "/in".to_owned(),
        };
        let row = Row::new(
            &Entry::File(file(&json!({ "name": null, "path": null }))),
            &inside,
        );
        assert_eq!(
            (row.name.as_ref(), row.full_name().as_ref()),
            ("7.png", "7.png")
        );
        assert_eq!(row.path(&inside), "/in/7.png");
        assert_eq!(row.file(&inside).unwrap().name, None);
    }
}
