//! The folder tree: the part that was opened, in the order it is drawn.

use crate::api::Error;
use crate::api::ids::FolderId;
use crate::api::model::Folder;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::message::{FolderRef, Target};

use super::row::last_part;
use crate::api::paths::join;
use crate::tui::widget::scroll::ListCursor;

/// The known folders. The first node is the root folder; a node's children follow it, one level
/// deeper.
#[derive(Debug, Clone)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// The folder under the cursor; `None` is the root folder.
    pub cursor: Option<FolderId>,
    /// The cursor among the drawn rows, where it was last moved.
    row: ListCursor,
    /// The folder that the cursor goes to once it is known.
    pub seek: Option<FolderRef>,
}

#[derive(Debug, Clone)]
pub struct Node {
    pub place: FolderRef,
    /// Safe to show; `/` for the root folder.
    pub name: String,
    pub depth: usize,
    pub open: bool,
    pub children: Children,
}

/// The load state of a folder's subfolders.
#[derive(Debug, Clone, PartialEq)]
pub enum Children {
    Unknown,
    Loading(OpId),
    Loaded,
    Failed(Error),
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: vec![Node::new(FolderRef::root(), "/", 0)],
            cursor: None,
            row: ListCursor::default(),
            seek: None,
        }
    }
}

impl Node {
    fn new(place: FolderRef, name: &str, depth: usize) -> Self {
        let name = visible(name).into_owned();
        Self {
            place,
            name,
            depth,
            open: false,
            children: Children::Unknown,
        }
    }

    /// The folder as a target for jobs; `None` for the root folder.
    pub fn target(&self) -> Option<Target> {
        self.place.id.clone().map(Target::Folder)
    }

    /// Returns `true` unless the subfolders are loaded; the caller then checks whether there are
    /// any.
    fn takes_children(&self) -> bool {
        self.children != Children::Loaded
    }
}

impl Tree {
    /// The indices of the drawn nodes, top to bottom: those whose ancestors are all open.
    pub fn rows(&self) -> Vec<usize> {
        let mut rows = Vec::new();
        let mut hidden_below = None;
        for (index, node) in self.nodes.iter().enumerate() {
            if hidden_below.is_some_and(|depth| node.depth > depth) {
                continue;
            }
            hidden_below = (!node.open).then_some(node.depth);
            rows.push(index);
        }
        rows
    }

    /// The cursor among the drawn rows.
    pub fn cursor_among(&self, rows: &[usize]) -> ListCursor {
        let is_here = |index: &usize| {
            let node = self.nodes.get(*index);
            node.is_some_and(|node| node.place.id == self.cursor)
        };
        let at = rows.iter().position(is_here).unwrap_or(0);
        self.row.on(at, rows.len())
    }

    /// Moves the cursor; a folder that is still to come is no longer sought.
    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        let rows = self.rows();
        self.seek = None;
        self.row = self.cursor_among(&rows);
        change(&mut self.row);
        let index = rows.get(self.row.at());
        if let Some(node) = index.and_then(|index| self.nodes.get(*index)) {
            self.cursor = node.place.id.clone();
        }
    }

    pub fn find(&self, id: Option<&FolderId>) -> Option<&Node> {
        self.nodes.iter().find(|node| node.place.id.as_ref() == id)
    }

    pub fn find_mut(&mut self, id: Option<&FolderId>) -> Option<&mut Node> {
        self.nodes
            .iter_mut()
            .find(|node| node.place.id.as_ref() == id)
    }

    pub fn selected(&self) -> Option<&Node> {
        self.find(self.cursor.as_ref())
    }

    /// Returns `true` if a node has or may have subfolders.
    pub fn can_open(&self, index: usize) -> bool {
        let Some(node) = self.nodes.get(index) else {
            return false;
        };
        node.takes_children()
            || self
                .nodes
                .get(index + 1)
                .is_some_and(|next| next.depth > node.depth)
    }

    /// The parent of a folder; `None` for one that is not in the tree.
    pub fn parent(&self, id: &FolderId) -> Option<&Node> {
        let index = self
            .nodes
            .iter()
            .position(|node| node.place.id.as_ref() == Some(id))?;
        let depth = self.nodes.get(index)?.depth;
        self.nodes
            .get(..index)?
            .iter()
            .rev()
            .find(|node| node.depth < depth)
    }

    /// Replaces a folder's subfolders: removes missing ones with all below them, and keeps what is
    /// known of others.
    pub fn set_children(&mut self, of: Option<&FolderId>, folders: Vec<Folder>) {
        let Some(index) = self
            .nodes
            .iter()
            .position(|node| node.place.id.as_ref() == of)
        else {
            return;
        };
        let end = self.end_of(index);
        let mut old: Vec<Node> = self.nodes.splice(index + 1..end, []).collect();
        let Some(parent) = self.nodes.get_mut(index) else {
            return;
        };
        parent.children = Children::Loaded;
        let (depth, parent_path) = (parent.depth + 1, parent.place.path.clone());
        let mut children = Vec::new();
        for folder in folders {
            let name = folder.full_name();
            let path = folder
                .path
                .clone()
                .unwrap_or_else(|| join(&parent_path, &name));
            let place = FolderRef {
                id: Some(folder.id),
                path,
            };
            match old
                .iter()
                .position(|node| node.depth == depth && node.place.id == place.id)
            {
                Some(start) => {
                    let length = old
                        .get(start + 1..)
                        .unwrap_or_default()
                        .iter()
                        .take_while(|node| node.depth > depth);
                    let length = 1 + length.count();
                    let mut known: Vec<Node> = old.drain(start..start + length).collect();
                    rename(&mut known, &place.path, &name);
                    children.extend(known);
                }
                None => children.push(Node::new(place, &name, depth)),
            }
        }
        self.nodes.splice(index + 1..=index, children);
        if self.find(self.cursor.as_ref()).is_none() {
            self.cursor = of.cloned();
        }
    }

    pub fn subfolders(&self, of: Option<&FolderId>) -> Vec<FolderRef> {
        let Some(index) = self
            .nodes
            .iter()
            .position(|node| node.place.id.as_ref() == of)
        else {
            return Vec::new();
        };
        let Some(below) = self.nodes.get(index..self.end_of(index)) else {
            return Vec::new();
        };
        let depth = below.first().map_or(0, |node| node.depth) + 1;
        below
            .iter()
            .filter(|node| node.depth == depth)
            .map(|node| node.place.clone())
            .collect()
    }

    pub fn remove(&mut self, id: &FolderId) {
        let Some(index) = self
            .nodes
            .iter()
            .position(|node| node.place.id.as_ref() == Some(id))
        else {
            return;
        };
        let parent = self.parent(id).and_then(|node| node.place.id.clone());
        let end = self.end_of(index);
        self.nodes.drain(index..end);
        if self.find(self.cursor.as_ref()).is_none() {
            self.cursor = parent;
        }
    }

    pub fn repath(&mut self, id: &FolderId, path: &str) {
        let Some(index) = self
            .nodes
            .iter()
            .position(|node| node.place.id.as_ref() == Some(id))
        else {
            return;
        };
        let end = self.end_of(index);
        if let Some(nodes) = self.nodes.get_mut(index..end) {
            rename(nodes, path, last_part(path));
        }
    }

    /// The index after the last node below this one.
    fn end_of(&self, index: usize) -> usize {
        let Some(node) = self.nodes.get(index) else {
            return index;
        };
        let below = self
            .nodes
            .get(index + 1..)
            .unwrap_or_default()
            .iter()
            .take_while(|next| next.depth > node.depth);
        index + 1 + below.count()
    }
}

/// Renames the first node of a subtree and updates the paths below it.
fn rename(subtree: &mut [Node], path: &str, name: &str) {
    let Some((top, below)) = subtree.split_first_mut() else {
        return;
    };
    for node in below {
        if let Some(rest) = node.place.path.strip_prefix(&top.place.path) {
            node.place.path = format!("{path}{rest}");
        }
    }
    path.clone_into(&mut top.place.path);
    top.name = visible(name).into_owned();
}
