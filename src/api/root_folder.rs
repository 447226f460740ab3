//! The direct content of a folder. The root folder has no id, and its entries have no parent
//! (`contract.md#folders`).

use super::ids::FolderId;
use super::model::{File, Folder};
use super::paths::split;

/// The id that represents the root folder in filters and as a parent (`contract.md#search`,
/// `contract.md#folders`).
const STAND_IN: &str = "0";

pub(crate) fn stand_in() -> FolderId {
    FolderId::new(STAND_IN)
}

impl File {
    /// Returns `true` if it is directly in a folder; `None` is the root folder.
    pub(crate) fn is_in(&self, folder: Option<&FolderId>) -> bool {
        let (parent, path) = (self.parent_folder_id.as_ref(), self.path.as_deref());
        is_in(folder, parent, path, || self.full_name())
    }
}

impl Folder {
    /// Returns `true` if it is directly in a folder; `None` is the root folder.
    pub(crate) fn is_in(&self, folder: Option<&FolderId>) -> bool {
        let (parent, path) = (self.parent_folder_id.as_ref(), self.path.as_deref());
        is_in(folder, parent, path, || self.full_name())
    }
}

/// Returns `true` if an entry with this parent, path and name is directly in `folder`; `None` is
/// the root folder. Entries there have no parent, and only slashes before the name, which may
/// itself contain slashes.
fn is_in(
    folder: Option<&FolderId>,
    parent: Option<&FolderId>,
    path: Option<&str>,
    name: impl FnOnce() -> String,
) -> bool {
    if folder.is_some() {
        return parent == folder;
    }
    let is_top = |path: &str| {
        let above = || path.strip_suffix(name().as_str());
        split(path).count() <= 1
            || above().is_some_and(|above| above.bytes().all(|byte| byte == b'/'))
    };
    parent.is_none_or(|id| id.as_str() == STAND_IN) && path.is_none_or(is_top)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("/logo.png", "logo.png", true)]
    #[case::doubled_slash("//logo.png", "logo.png", true)]
    #[case::slashes_in_the_name("/a//b.png", "a//b.png", true)]
    #[case::deeper("/a/logo.png", "logo.png", false)]
    fn the_root_folder_holds_what_has_nothing_above_it(
        #[case] path: &str,
        #[case] name: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(is_in(None, None, Some(path), || name.to_owned()), expected);
    }
}
