//! The account's folders by path, for dialogs that ask for one: those that the tree has shown, and
//! all others once wanted. Read page by page in order of id.

use std::collections::BTreeMap;
use std::ops::Range;

use super::row::moved;
use crate::api::ids::FolderId;
use crate::engine::message::FolderRef;
use crate::engine::question::FolderNamesPage;

/// The known folders, except the root folder.
#[derive(Debug, Clone, Default)]
pub struct FolderNames {
    ids: BTreeMap<Box<str>, FolderId>,
    stage: NamesStage,
    /// The first id of the next page.
    from: Option<u64>,
    /// Set once a read has reached the end: whatever is left to read is new.
    was_read: bool,
    is_asked: bool,
    /// Set when a folder changed after the current page was requested; the page may not reflect the
    /// change.
    is_stale: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum NamesStage {
    #[default]
    Unwanted,
    Reading,
    Read,
    Failed,
}

impl FolderNames {
    pub fn places(&self) -> impl Iterator<Item = FolderRef> {
        self.ids.iter().map(|(path, id)| FolderRef {
            id: Some(id.clone()),
            path: path.to_string(),
        })
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(AsRef::as_ref)
    }

    /// Starts reading the remaining folders, or those created since the last read.
    pub fn want(&mut self) {
        self.stage = NamesStage::Reading;
    }

    pub fn is_reading(&self) -> bool {
        self.stage == NamesStage::Reading
    }

    pub fn lacks_page(&self) -> bool {
        self.is_reading() && !self.is_asked
    }

    pub fn next_page(&self) -> Option<u64> {
        self.from
    }

    pub fn asked(&mut self) {
        (self.is_asked, self.is_stale) = (true, false);
    }

    /// Adds a page and returns the new folders. If a folder changed meanwhile, drops the page; it
    /// is requested again.
    pub fn add_page(&mut self, page: FolderNamesPage) -> Vec<FolderRef> {
        self.is_asked = false;
        if self.is_stale {
            return Vec::new();
        }
        self.from = page.next;
        if page.is_last {
            (self.stage, self.was_read) = (NamesStage::Read, true);
        }
        page.folders
            .into_iter()
            .filter(|place| self.put(place))
            .collect()
    }

    /// Records that a page could not be read. It is requested again when the service is back if the
    /// connection is lost, else when the names are wanted again.
    pub fn fail(&mut self, is_lost: bool) {
        self.is_asked = false;
        if !is_lost {
            self.stage = NamesStage::Failed;
        }
    }

    /// The note about folders that are not known yet; empty if only newly created ones may be
    /// missing.
    pub fn lack(&self) -> &'static str {
        match self.stage {
            NamesStage::Reading if !self.was_read => "reading folders …",
            NamesStage::Failed => "some folders could not be read",
            NamesStage::Reading | NamesStage::Read | NamesStage::Unwanted => "",
        }
    }

    pub fn insert(&mut self, place: &FolderRef) {
        self.is_stale = true;
        self.put(place);
    }

    pub fn set_subfolders(&mut self, of: &str, subfolders: &[FolderRef]) {
        let slash = Some(of.trim_end_matches('/').len());
        let known = self
            .ids
            .range(below(of))
            .filter(|(path, _)| path.rfind('/') == slash);
        let known: Vec<_> = known.map(|(path, id)| (path.clone(), id.clone())).collect();
        for (path, id) in known {
            match subfolders
                .iter()
                .find(|place| place.id.as_ref() == Some(&id))
            {
                Some(place) if *place.path != *path => self.repath(&path, &place.path),
                Some(_) => {}
                None => self.remove(&path),
            }
        }
        for place in subfolders {
            self.put(place);
        }
    }

    pub fn repath(&mut self, from: &str, to: &str) {
        for (path, id) in self.take_away(from) {
            self.ids
                .extend(moved(&path, from, to).map(|path| (path.into(), id)));
        }
    }

    pub fn remove(&mut self, path: &str) {
        self.take_away(path);
    }

    fn take_away(&mut self, path: &str) -> Vec<(Box<str>, FolderId)> {
        self.is_stale = true;
        let itself = self.ids.remove_entry(path);
        itself
            .into_iter()
            .chain(self.ids.extract_if(below(path), |_, _| true))
            .collect()
    }

    /// Returns `true` if the folder was not known.
    fn put(&mut self, FolderRef { id, path }: &FolderRef) -> bool {
        let Some(id) = id else { return false };
        self.ids.insert(path.as_str().into(), id.clone()).is_none()
    }
}

/// The range of paths below a folder: `0` is the character after the slash.
fn below(path: &str) -> Range<Box<str>> {
    let path = path.trim_end_matches('/');
    format!("{path}/").into()..format!("{path}0").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(id: &str, path: &str) -> FolderRef {
        FolderRef {
            id: Some(FolderId::new(id)),
            path: path.to_owned(),
        }
    }

    fn known() -> FolderNames {
        let mut names = FolderNames::default();
        let paths = ["/a", "/a/b", "/a/b/c", "/a-b", "/a.b", "/a0", "/ab", "/d"];
        for (id, path) in (1..).zip(paths) {
            names.insert(&place(&id.to_string(), path));
        }
        names
    }

    fn paths(names: &FolderNames) -> Vec<&str> {
        names.paths().collect()
    }

    #[test]
    fn what_is_below_a_folder_goes_and_moves_with_it_and_nothing_else_does() {
        let mut names = known();
        names.repath("/a", "/d/x");
        assert_eq!(
            paths(&names),
            [
                "/a-b", "/a.b", "/a0", "/ab", "/d", "/d/x", "/d/x/b", "/d/x/b/c"
            ]
        );
        names.remove("/d/x/b");
        assert_eq!(paths(&names), ["/a-b", "/a.b", "/a0", "/ab", "/d", "/d/x"]);
    }

    #[test]
    fn subfolders_as_they_are_now_replace_those_that_were_known() {
        let mut names = known();
        names.set_subfolders("/a", &[place("2", "/a/new"), place("9", "/a/other")]);
        assert_eq!(paths(&names)[..4], ["/a", "/a-b", "/a.b", "/a/new"]);
        assert_eq!(paths(&names)[4..6], ["/a/new/c", "/a/other"]);
        names.set_subfolders("/", &[place("1", "/a")]);
        assert_eq!(paths(&names), ["/a", "/a/new", "/a/new/c", "/a/other"]);
    }

    #[test]
    fn a_page_that_may_not_know_of_a_change_is_read_again() {
        let mut names = known();
        names.want();
        names.asked();
        names.repath("/d", "/e");
        let page = FolderNamesPage {
            folders: vec![place("8", "/d")],
            next: Some(9),
            is_last: true,
        };
        assert_eq!(names.add_page(page), []);
        assert!(names.lacks_page() && !paths(&names).contains(&"/d"));
        assert_eq!(names.next_page(), None);
        names.asked();
        let page = FolderNamesPage {
            folders: vec![place("8", "/e"), place("9", "/f")],
            next: Some(10),
            is_last: true,
        };
        assert_eq!(names.add_page(page), [place("9", "/f")]);
        assert!(!names.lacks_page());
        names.want();
        assert_eq!(
            (names.lacks_page(), names.next_page(), names.lack()),
            (true, Some(10), ""),
            "what is new since"
        );
    }
}
