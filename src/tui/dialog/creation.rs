//! What every dialog that creates files asks: access level, life time, what to do with duplicates; and which names
//! can be stored.

use super::field::{Field, FieldChoice, PathKind};
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy};
use crate::engine::sending::check_charset;

/// What becomes of a file that is made, in the order of choice: nothing becomes public without being asked for.
const LEVELS: [Access; 3] = [Access::Private, Access::PublicNotIndexable, Access::PublicIndexable];
const ACCESS: [FieldChoice; 3] = [
    FieldChoice { word: "private", then: "signed links only" },
    FieldChoice { word: "unlisted", then: "anyone with the link" },
    FieldChoice { word: "public", then: "search engines index it, too" },
];
const STRATEGY: [FieldChoice; 3] = [
    FieldChoice { word: "keep both", then: "an existing name gets a number" },
    FieldChoice { word: "refuse", then: "nothing is uploaded" },
    FieldChoice { word: "use existing", then: "the existing file is used" },
];
const SCOPE: [FieldChoice; 2] =
    [FieldChoice { word: "the whole account", then: "" }, FieldChoice { word: "this folder", then: "" }];

pub(super) fn access_field() -> Field {
    Field::choice("Access", &ACCESS, 0)
}

pub(super) fn ttl_field() -> Field {
    let help = "Then it is deleted permanently. 1 day to 1 year: 30d, 2w, 3m, 1y.";
    Field::text("Expires", "", help).hinting("never")
}

pub(super) fn duplicates_field() -> Field {
    Field::choice("Same bytes", &STRATEGY, 0).rarely()
}

pub(super) fn scope_field() -> Field {
    Field::choice("Search in", &SCOPE, 0).rarely()
}

pub(super) fn charset_field() -> Field {
    let help = "Encoding of a text: utf-8, windows-1252, shift_jis.";
    Field::text("Encoding", "", help).hinting("detected from the bytes").rarely()
}

/// Where new files go; missing folders are made.
pub(super) fn folder_field(path: &str) -> Field {
    let help = "Absolute path of the folder; missing folders are created.";
    Field::path("Folder", path, help, PathKind::FolderThere)
}

/// A folder's path as it was typed, without a slash at its end.
pub(super) fn folder(typed: &str) -> Result<&str, String> {
    if !typed.starts_with('/') {
        return Err("Type an absolute folder path: /, /marketing.".to_owned());
    }
    let path = typed.trim_end_matches('/');
    Ok(if path.is_empty() { "/" } else { path })
}

/// What was typed as the encoding of a text, if anything was.
pub(super) fn charset(typed: Option<String>) -> Result<Option<String>, String> {
    typed.map(|label| check_charset(&label).map(|()| label)).transpose()
}

pub(super) fn access(chosen: usize) -> Access {
    LEVELS.get(chosen).cloned().unwrap_or(Access::Private)
}

/// None where no check is wanted.
pub(super) fn strategy(chosen: usize) -> Option<DuplicateStrategy> {
    match chosen {
        1 => Some(DuplicateStrategy::Reject),
        2 => Some(DuplicateStrategy::ReturnExisting),
        _ => None,
    }
}

pub(super) fn scope(chosen: usize) -> DuplicateScope {
    if chosen == 0 { DuplicateScope::DEFAULT } else { DuplicateScope::ExactFolder }
}

/// Refuses what cannot be a name: empty, dots alone, a slash, control characters.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() {
        Err("Type a name.".to_owned())
    } else if matches!(name, "." | "..") {
        Err("\".\" and \"..\" cannot be names.".to_owned())
    } else if name.contains('/') {
        Err("A name cannot hold a slash.".to_owned())
    } else if name.contains('\\') {
        Err("A name cannot hold a backslash.".to_owned())
    } else if name.chars().any(char::is_control) {
        Err("A name cannot hold control characters.".to_owned())
    } else {
        Ok(())
    }
}
