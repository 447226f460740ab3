//! Knowledge of folders that a pane and its session share: subfolders, moves, entry counts.

use jiff::Timestamp;

use super::files_pane::FilesPane;
use super::folder_totals::FolderTotal;
use super::panes::Pane;
use super::previews::PreviewState;
use super::program::State;
use super::row::last_part;
use crate::api::ids::FolderId;
use crate::api::model::Folder;
use crate::engine::message::{FolderRef, Target};
use crate::engine::preview::Preview;
use crate::engine::{Item, OpId};

impl State {
    /// The folder that receives new items: the one under the tree's cursor if the tree has the
    /// focus, else the open one; `None` for a search.
    pub fn destination(&self) -> Option<FolderRef> {
        match (self.focus, self.files.tree.selected()) {
            (Pane::Tree, Some(node)) => Some(node.place.clone()),
            _ => self.files.listing.of.folder().cloned(),
        }
    }

    /// The folder under the tree's cursor; `None` for the root.
    pub fn folder_in_tree(&self) -> Option<Item> {
        let place = &self.files.tree.selected()?.place;
        Some(Item {
            target: Target::Folder(place.id.clone()?),
            name: last_part(&place.path).to_owned(),
            path: place.path.clone(),
            size: None,
            md5: None,
        })
    }

    /// Stores the preview of a file or a folder; a folder's preview also gives its entry count.
    pub fn store_preview(&mut self, op: OpId, preview: Preview, now: Timestamp) {
        if let (Some(folder), Preview::Folder(contents)) =
            (self.files.previews.asked_folder(op), &preview)
        {
            self.session
                .folder_totals
                .count(Some(folder), Some(FolderTotal::of(contents)));
        }
        self.files
            .previews
            .store_answer(op, PreviewState::Seen(preview), now);
    }

    /// Records the entry count of the open folder, as far as it has been read.
    pub fn count_inside(&mut self) {
        let place = self
            .files
            .listing
            .of
            .folder()
            .filter(|_| self.files.listing.loaded_at.is_some());
        if let Some(place) = place {
            let total = FolderTotal {
                seen: self.files.listing.len(),
                is_all: self.files.listing.is_whole(),
            };
            self.session
                .folder_totals
                .count(place.id.as_ref(), Some(total));
        }
    }

    pub fn set_subfolders(&mut self, of: Option<&FolderId>, folders: Vec<Folder>) {
        self.files.tree.set_children(of, folders);
        if let Some(node) = self.files.tree.find(of) {
            self.session
                .folder_names
                .set_subfolders(&node.place.path, &self.files.tree.subfolders(of));
        }
    }

    pub fn repath_folder(&mut self, id: &FolderId, from: &str, to: &str) {
        self.files.tree.repath(id, to);
        self.session.folder_names.repath(from, to);
        self.files.history.repath(from, to);
    }

    pub fn remove_folder(&mut self, id: &FolderId, path: &str) {
        self.files.tree.remove(id);
        self.session.folder_names.remove(path);
    }

    /// Returns `true` if optional requests may be sent: the open list is loaded, and half of the
    /// request budget is left.
    pub fn has_spare_requests(&self) -> bool {
        let is_spare = self
            .session
            .budget
            .is_none_or(|budget| budget.remaining >= budget.max / 2);
        is_spare && !self.session.connection.is_lost() && self.files.listing.loaded_at.is_some()
    }

    /// The next folder to count among the `rows` on the screen: in the list, then in the tree.
    /// `None` while something is counted or previewed, while folder names are read, and while
    /// requests are scarce.
    pub fn uncounted(&self, rows: usize, shows_tree: bool) -> Option<FolderRef> {
        let FilesPane { listing, tree, .. } = &self.files;
        let folder_totals = &self.session.folder_totals;
        let is_busy = folder_totals.asked.is_some()
            || self.files.previews.asked.is_some()
            || self.session.folder_names.is_reading();
        if is_busy || !self.has_spare_requests() {
            return None;
        }
        let lacks = |place: &FolderRef| folder_totals.lacks(place.id.as_ref());
        let shown = listing.list.cursor().window(rows);
        let folders = shown
            .filter_map(|at| listing.at(at))
            .filter(|(_, row)| !row.is_file());
        let in_list = folders
            .filter_map(|(_, row)| row.place(listing.of.base()))
            .find(lacks);
        let in_tree = || {
            let nodes = tree.rows();
            let shown = tree.cursor_among(&nodes).window(rows);
            let mut places = nodes
                .get(shown)?
                .iter()
                .filter_map(|at| tree.nodes.get(*at))
                .map(|node| &node.place);
            places.find(|place| lacks(place)).cloned()
        };
        in_list.or_else(|| shows_tree.then(in_tree).flatten())
    }
}
