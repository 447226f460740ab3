//! Which files can be edited as text, and where texts lie meanwhile.

use std::io;
use std::path::Path;

use tempfile::TempDir;

/// The largest text that is edited, in bytes.
pub const LARGEST: u64 = 1 << 20;

/// How the names of folders begin in which texts are edited.
const EDIT_FOLDER: &str = "filedeck-edit-";

/// Types that are text although they are not called so.
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

/// Whether a file of this name may be a text. What has no known ending may be; its content decides.
pub fn may_be_text(name: &str) -> bool {
    let Some(kind) = mime_guess::from_path(name).first() else { return true };
    let essence = kind.essence_str();
    kind.type_() == "text"
        || kind.suffix().is_some_and(|suffix| matches!(suffix.as_str(), "xml" | "json"))
        || TEXTS.contains(&essence)
}

/// The MD5 of a text, lower-case hex.
pub fn md5(text: &[u8]) -> String {
    hex::encode(fast_md5::digest(text))
}

/// A new folder for temporary files that only its owner can look into.
pub fn private_folder() -> io::Result<TempDir> {
    let mut folder = tempfile::Builder::new();
    folder.prefix(EDIT_FOLDER);
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    folder.tempdir()
}

/// Whether the local file of a replacement is a text that an editor gave back. One that the user has named has no `seen`,
/// or lies elsewhere.
pub fn is_edited_text(local: &Path, seen: Option<&str>) -> bool {
    seen.is_some() && is_in_private_folder(local)
}

/// Whether a file lies in such a folder.
pub fn is_in_private_folder(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|name| name.to_string_lossy().starts_with(EDIT_FOLDER))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

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
