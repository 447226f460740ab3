//! The fields of every dialog that creates files: access level, lifetime, rule for duplicates; and
//! the check of names.

use super::field::{Field, FieldChoice, PathKind};
use super::form::Form;
use crate::api::ServiceTime;
use crate::api::ids::FolderId;
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy, UploadOptions};
use crate::engine::item::FolderRef;
use crate::engine::sending::{IntoFolder, check_charset};
use crate::tui::input::expiry::read_lifetime;

/// The access levels in the order of choice: nothing becomes public unless the user asks for it.
pub(super) const LEVELS: [Access; 3] = [
    Access::Private,
    Access::PublicNotIndexable,
    Access::PublicIndexable,
];
pub(super) const ACCESS: [FieldChoice; 3] = [
    FieldChoice {
        word: "private",
        then: "Only signed links open it.",
    },
    FieldChoice {
        word: "unlisted",
        then: "Anyone with the link can open it.",
    },
    FieldChoice {
        word: "public",
        then: "Anyone can open it, and search engines index it.",
    },
];
const STRATEGY: [FieldChoice; 3] = [
    FieldChoice {
        word: "keep both",
        then: "Stored even if the account has the same content.",
    },
    FieldChoice {
        word: "refuse",
        then: "Not stored if the account has the same content.",
    },
    FieldChoice {
        word: "use existing",
        then: "If the account has the same content, that file is used.",
    },
];
const SCOPE: [FieldChoice; 2] = [
    FieldChoice {
        word: "the whole account",
        then: "The same content counts wherever it is.",
    },
    FieldChoice {
        word: "its folder",
        then: "The same content counts only in that folder.",
    },
];

pub(super) fn access_field() -> Field {
    Field::choice("Access", &ACCESS, 0)
}

pub(super) fn ttl_field() -> Field {
    let help = "Deleted permanently then. 1 day to 1 year: 30d, 2w, 3m.";
    Field::text("Expires", "", help).hinting("never")
}

pub(super) fn duplicates_field() -> Field {
    Field::choice("Duplicates", &STRATEGY, 0).rarely()
}

pub(super) fn scope_field() -> Field {
    Field::choice("Compare with", &SCOPE, 0).rarely()
}

pub(super) fn charset_field() -> Field {
    let help = "Encoding of a text: utf-8, windows-1252, shift_jis.";
    Field::text("Encoding", "", help)
        .hinting("detected from the bytes")
        .rarely()
}

pub(super) fn folder_field(path: &str) -> Field {
    let help = "Absolute path, or id:123. Missing folders are created.";
    Field::path("Folder", path, help, PathKind::FolderThere)
}

/// Parses a folder, typed as a path or as `id:…`; `here` is the one that the dialog was opened for.
pub(super) fn folder(typed: &str, here: &FolderRef) -> Result<IntoFolder, String> {
    if let Some(id) = typed.strip_prefix("id:") {
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        return if is_id {
            Ok(IntoFolder::Id(FolderId::new(id)))
        } else {
            Err("An id has digits only.".to_owned())
        };
    }
    if !typed.starts_with('/') {
        return Err("Type an absolute folder path, or an id: /marketing, id:123.".to_owned());
    }
    let path = match typed.trim_end_matches('/') {
        "" => "/",
        path => path,
    };
    Ok(if path == here.path {
        IntoFolder::Place(here.clone())
    } else {
        IntoFolder::Path(path.to_owned())
    })
}

/// Checks the typed encoding of a text, if there is one.
pub(super) fn charset(typed: Option<String>) -> Result<Option<String>, String> {
    typed
        .map(|label| check_charset(&label).map(|()| label))
        .transpose()
}

pub(super) fn access(chosen: usize) -> Access {
    LEVELS.get(chosen).cloned().unwrap_or(Access::Private)
}

/// Returns the options in these fields; an error names the field with the wrong value.
pub(super) fn options(
    form: &Form,
    [access_at, ttl_at, duplicates_at, scope_at]: [usize; 4],
    now: ServiceTime,
) -> Result<UploadOptions, (usize, String)> {
    let mut options = UploadOptions::new(access(form.chosen(access_at)));
    if let Some(ttl) = form.filled(ttl_at) {
        let ttl = read_lifetime(&ttl, now).map_err(|problem| (ttl_at, problem))?;
        options.ttl = Some(ttl);
    }
    options.duplicate_validation_strategy = match form.chosen(duplicates_at) {
        1 => Some(DuplicateStrategy::Reject),
        2 => Some(DuplicateStrategy::ReturnExisting),
        _ => return Ok(options),
    };
    options.duplicate_validation_scope = Some(match form.chosen(scope_at) {
        0 => DuplicateScope::DEFAULT,
        _ => DuplicateScope::ExactFolder,
    });
    Ok(options)
}

/// Refuses what cannot be a name: empty, `.` and `..`, slashes, backslashes, control characters.
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
