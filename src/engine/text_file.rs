//! Files that can be edited as text, the records of such edits, and the folders that the texts lie
//! in.

use std::path::{Path, PathBuf};
use std::{fs, io};

use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use super::item::Item;

/// The largest text that is edited, in bytes.
pub const LARGEST: u64 = 1 << 20;

/// The number of days for which a text is kept that no run puts in its place.
pub const KEPT_DAYS: i64 = 7;

pub const KEPT_FOR: SignedDuration = SignedDuration::from_hours(KEPT_DAYS * 24);

/// The folder beside the journal that texts are kept in.
pub(super) const KEPT_IN: &str = "edits";

/// The start of the names of the folders in which texts are edited.
const EDIT_FOLDER: &str = "filedeck-edit-";

/// Types that are text, although their names do not say so.
const TEXTS: [&str; 12] = [
    "application/graphql",
    "application/javascript",
    "application/json",
    "application/rtf",
    "application/sql",
    "application/toml",
    "application/x-httpd-php",
    "application/x-javascript",
    "application/x-sh",
    "application/x-tex",
    "application/x-yaml",
    "application/xml",
];

/// A text of the service on this machine that is being edited, or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedText {
    pub file: Item,
    pub path: PathBuf,
    /// The MD5 of the text when it was fetched, in lowercase hex.
    pub seen: String,
    /// The time at which it was last given to an editor, or saved by one.
    pub at: Timestamp,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnsavedEdits {
    /// Newest first.
    pub texts: Vec<EditedText>,
    /// Those that were just removed, because nobody has asked for them for so long.
    pub removed: Vec<EditedText>,
}

/// Returns `true` if a file of this name may be a text. One without a known extension may be; its
/// content decides.
pub fn may_be_text(name: &str) -> bool {
    let Some(kind) = mime_guess::from_path(name).first() else {
        return true;
    };
    let essence = kind.essence_str();
    kind.type_() == "text"
        || kind
            .suffix()
            .is_some_and(|suffix| matches!(suffix.as_str(), "xml" | "json"))
        || TEXTS.contains(&essence)
}

/// Returns the MD5 of a text, in lowercase hex.
pub fn md5(text: &[u8]) -> String {
    hex::encode(fast_md5::digest(text))
}

/// Creates a folder in `parent` for texts being edited, which only its owner can look into.
pub fn private_folder(parent: &Path) -> io::Result<TempDir> {
    let mut folder = tempfile::Builder::new();
    folder.prefix(EDIT_FOLDER);
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    folder.tempdir_in(parent)
}

/// Returns `true` if the local file of a replacement is a text that an editor gave back. One that
/// the user has named has no `seen`, or lies elsewhere.
pub fn is_edited_text(local: &Path, seen: Option<&str>) -> bool {
    seen.is_some() && is_in_private_folder(local)
}

pub fn is_in_private_folder(path: &Path) -> bool {
    path.parent().is_some_and(is_private_folder)
}

pub(super) fn is_private_folder(folder: &Path) -> bool {
    folder
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with(EDIT_FOLDER))
}

/// Returns `true` if a text lies where the next run finds it.
pub fn is_kept(path: &Path) -> bool {
    let above = path
        .parent()
        .and_then(Path::parent)
        .and_then(Path::file_name);
    is_in_private_folder(path) && above.is_some_and(|name| name == KEPT_IN)
}

/// Returns the path of a text's record: beside the folder that the text lies in.
pub(super) fn record_of(folder: &Path) -> PathBuf {
    folder.with_added_extension("json")
}

/// Removes the folder of an edited text, with an editor's leftovers, and its record. Any other file
/// stays.
pub fn discard(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent().filter(|folder| is_private_folder(folder)) else {
        return Ok(());
    };
    fs::remove_dir_all(folder)?;
    match fs::remove_file(record_of(folder)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn only_a_folder_that_was_made_for_a_text_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let other = dir.path().join("notes.txt");
        fs::write(&other, "mine").unwrap();
        discard(&other).unwrap();
        assert!(other.exists());
        let ours = private_folder(dir.path()).unwrap().keep();
        fs::write(ours.join("notes.txt~"), "left by an editor").unwrap();
        fs::write(record_of(&ours), "{}").unwrap();
        discard(&ours.join("notes.txt")).unwrap();
        assert!(!ours.exists() && !record_of(&ours).exists());
    }

    #[rstest]
    #[case::plain("notes.txt", true)]
    #[case::markdown("a.md", true)]
    #[case::style("site.css", true)]
    #[case::data("settings.json", true)]
    #[case::drawing("logo.svg", true)]
    #[case::configuration("a.toml", true)]
    #[case::table("prices.csv", true)]
    #[case::no_ending("README", true)]
    #[case::unknown_ending("a.zz9", true)]
    #[case::picture("a.png", false)]
    #[case::document("a.pdf", false)]
    #[case::archive("a.zip", false)]
    fn texts_are_known_by_their_ending(#[case] name: &str, #[case] expected: bool) {
        assert_eq!(may_be_text(name), expected);
    }
}
