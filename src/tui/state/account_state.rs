//! The state of the account on the screen: its folders, its tasks and its limits.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::account::Account;
use super::comparing::Comparing;
use super::cursor_idle::CursorIdle;
use super::cut::Cut;
use super::folder_names::FolderNames;
use super::folder_totals::{FolderTotal, FolderTotals};
use super::gallery::Gallery;
use super::history::{History, Visit};
use super::limits::LimitsPanel;
use super::listing::Listing;
use super::ops::Ops;
use super::planning::Planning;
use super::previews::{PreviewState, Previews};
use super::service_connection::ServiceConnection;
use super::tasks::Tasks;
use super::tree::Tree;
use super::undo::Undo;
use crate::api::ids::{FileId, FolderId};
use crate::api::model::Folder;
use crate::engine::OpId;
use crate::engine::message::{FolderRef, RequestBudget, Sort};
use crate::engine::preview::Preview;
use crate::tui::denied_actions::DeniedActions;

#[derive(Debug, Clone)]
pub struct AccountState {
    pub account: Account,
    /// Set once its session was closed to make way for another; no request can be sent.
    pub is_closed: bool,
    pub tree: Tree,
    pub folder_names: FolderNames,
    pub listing: Listing,
    pub sort: Sort,
    pub cursor_idle: CursorIdle,
    pub folder_totals: FolderTotals,
    pub previews: Previews,
    pub history: History,
    pub ops: Ops,
    pub tasks: Tasks,
    pub limits: LimitsPanel,
    pub cut: Option<Cut>,
    pub comparing: Option<Comparing>,
    /// The expiry of the last signed URL that was copied, by file.
    pub signed_until: BTreeMap<FileId, Timestamp>,
    pub undo: Undo,
    pub connection: ServiceConnection,
    /// The amount by which the service's clock is ahead of this machine's.
    pub clock_ahead: SignedDuration,
    pub denied_actions: DeniedActions,
    pub gallery: Gallery,
    /// Plans that are being built, until all their rows have arrived.
    pub plans: BTreeMap<OpId, Planning>,
    pub budget: Option<RequestBudget>,
    /// The time until which `budget` can be relied on.
    pub budget_until: Option<Timestamp>,
}

/// The budget covers ten seconds (`guarantees.md#the-request-budget-is-kept`); an older figure says
/// nothing.
const BUDGET_KNOWN_FOR: SignedDuration = SignedDuration::from_secs(10);

impl AccountState {
    /// Creates the state at the root folder of `account`, with nothing read yet. `ops` are those of
    /// its session.
    pub fn new(account: Account, ops: Ops) -> Self {
        Self {
            account,
            is_closed: false,
            tree: Tree::default(),
            folder_names: FolderNames::default(),
            listing: Listing::new(FolderRef::root().into(), Sort::default()),
            sort: Sort::default(),
            cursor_idle: CursorIdle::default(),
            folder_totals: FolderTotals::default(),
            previews: Previews::default(),
            history: History::default(),
            ops,
            tasks: Tasks::default(),
            limits: LimitsPanel::default(),
            cut: None,
            comparing: None,
            gallery: Gallery::default(),
            signed_until: BTreeMap::new(),
            undo: Undo::default(),
            connection: ServiceConnection::default(),
            clock_ahead: SignedDuration::ZERO,
            denied_actions: DeniedActions::default(),
            plans: BTreeMap::new(),
            budget: None,
            budget_until: None,
        }
    }

    /// Drops all pending work of a session that was closed.
    pub fn forget_work(&mut self) {
        self.ops.forget_all();
        self.tasks = Tasks::default();
        self.plans.clear();
    }

    /// Stores the preview of a file or a folder; a folder's preview also gives its entry count.
    pub fn looked(&mut self, op: OpId, preview: Preview, now: Timestamp) {
        if let (Some(folder), Preview::Folder(contents)) =
            (self.previews.asked_folder(op), &preview)
        {
            self.folder_totals
                .count(Some(folder), Some(FolderTotal::of(contents)));
        }
        self.previews.take(op, PreviewState::Seen(preview), now);
    }

    /// Records the entry count of the open folder, as far as it has been read.
    pub fn count_inside(&mut self) {
        let place = self
            .listing
            .of
            .folder()
            .filter(|_| self.listing.loaded_at.is_some());
        if let Some(place) = place {
            let total = FolderTotal {
                seen: self.listing.len(),
                is_all: self.listing.is_whole(),
            };
            self.folder_totals.count(place.id.as_ref(), Some(total));
        }
    }

    pub fn set_subfolders(&mut self, of: Option<&FolderId>, folders: Vec<Folder>) {
        self.tree.set_children(of, folders);
        if let Some(node) = self.tree.find(of) {
            self.folder_names
                .set_subfolders(&node.place.path, &self.tree.subfolders(of));
        }
    }

    pub fn repath_folder(&mut self, id: &FolderId, from: &str, to: &str) {
        self.tree.repath(id, to);
        self.folder_names.repath(from, to);
        self.history.repath(from, to);
    }

    pub fn remove_folder(&mut self, id: &FolderId, path: &str) {
        self.tree.remove(id);
        self.folder_names.remove(path);
    }

    /// Returns `true` if optional requests may be sent: the open list is loaded, and half of the
    /// request budget is left.
    pub fn has_spare_requests(&self) -> bool {
        let is_spare = self
            .budget
            .is_none_or(|budget| budget.remaining >= budget.max / 2);
        is_spare && !self.connection.is_lost() && self.listing.loaded_at.is_some()
    }

    /// The next folder to count among the `rows` on the screen: in the list, then in the tree.
    /// `None` while something is counted or previewed, while folder names are read, and while
    /// requests are scarce.
    pub fn uncounted(&self, rows: usize, shows_tree: bool) -> Option<FolderRef> {
        let Self {
            listing,
            tree,
            folder_totals,
            ..
        } = self;
        let is_busy = folder_totals.asked.is_some()
            || self.previews.asked.is_some()
            || self.folder_names.is_reading();
        if is_busy || !self.has_spare_requests() {
            return None;
        }
        let lacks = |place: &FolderRef| folder_totals.lacks(place.id.as_ref());
        let shown = listing
            .cursor_offset
            .window(listing.cursor, listing.visible().len(), rows);
        let folders = shown
            .filter_map(|at| listing.at(at))
            .filter(|(_, row)| !row.is_file());
        let in_list = folders
            .filter_map(|(_, row)| row.place(listing.of.base()))
            .find(lacks);
        let in_tree = || {
            let nodes = tree.rows();
            let shown = tree
                .cursor_offset
                .window(tree.cursor_among(&nodes), nodes.len(), rows);
            let mut places = nodes
                .get(shown)?
                .iter()
                .filter_map(|at| tree.nodes.get(*at))
                .map(|node| &node.place);
            places.find(|place| lacks(place)).cloned()
        };
        in_list.or_else(|| shows_tree.then(in_tree).flatten())
    }

    pub fn take_budget(&mut self, budget: RequestBudget, now: Timestamp) {
        self.budget = Some(budget);
        self.budget_until = now.checked_add(BUDGET_KNOWN_FOR).ok();
    }

    pub fn expire_budget(&mut self, now: Timestamp) {
        if self.budget_until.is_some_and(|until| until <= now) {
            (self.budget, self.budget_until) = (None, None);
        }
    }

    pub fn visit(&self) -> Visit {
        Visit {
            of: self.listing.of.clone(),
            at: self.listing.current().map(|row| row.target.clone()),
        }
    }
}
