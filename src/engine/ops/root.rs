//! The root folder has no id, so nothing can ask for its contents outright: which way of asking works is found out once
//! a session (`contract.md#search`).

use std::sync::atomic::{AtomicU8, Ordering};

use crate::api::ids::FolderId;
use crate::api::model::File;
use crate::api::paths::split;
use crate::engine::message::FolderRef;

/// What a parent filter of 0 gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootFilter {
    /// Not known yet.
    Untried,
    /// What is in the root folder.
    Honored,
    /// Something else: everything is searched, and what lies deeper is left out.
    Ignored,
}

/// Remembers what the filter gives; shared by all listings of an account.
#[derive(Debug, Default)]
pub struct RootMemory(AtomicU8);

impl RootMemory {
    pub fn get(&self) -> RootFilter {
        match self.0.load(Ordering::Relaxed) {
            0 => RootFilter::Untried,
            1 => RootFilter::Honored,
            _ => RootFilter::Ignored,
        }
    }

    pub fn set(&self, filter: RootFilter) {
        let value = match filter {
            RootFilter::Untried => 0,
            RootFilter::Honored => 1,
            RootFilter::Ignored => 2,
        };
        self.0.store(value, Ordering::Relaxed);
    }
}

/// The id that stands for the root folder, in filters and as a parent (`contract.md#search`, `contract.md#folders`).
pub fn stand_in() -> FolderId {
    FolderId::new("0")
}

/// Whether a file lies directly in a folder.
pub fn holds_file(place: &FolderRef, file: &File) -> bool {
    is_in(place, file.parent_folder_id.as_ref(), file.path.as_deref(), || file.full_name())
}

/// Whether something with this parent, path and name lies directly in a folder. In the root folder nothing has a
/// parent, and nothing but slashes stands before the name; a name may have slashes of its own.
pub fn is_in(place: &FolderRef, parent: Option<&FolderId>, path: Option<&str>, name: impl FnOnce() -> String) -> bool {
    if let Some(id) = &place.id {
        return parent == Some(id);
    }
    let is_top = |path: &str| {
        let above = || path.strip_suffix(name().as_str());
        split(path).count() <= 1 || above().is_some_and(|above| above.bytes().all(|byte| byte == b'/'))
    };
    parent.is_none_or(|id| id.as_str() == "0") && path.is_none_or(is_top)
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
    fn the_root_folder_holds_what_has_nothing_above_it(#[case] path: &str, #[case] name: &str, #[case] expected: bool) {
        assert_eq!(is_in(&FolderRef::root(), None, Some(path), || name.to_owned()), expected);
    }
}
