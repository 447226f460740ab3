//! What belongs to the account on the screen: its folders, its work, its figures.

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

/// One account as data.
#[derive(Debug, Clone)]
pub struct AccountState {
    pub account: Account,
    /// Its session was closed for one that is to take its place: nothing can be asked of it.
    pub is_closed: bool,
    pub tree: Tree,
    pub folder_names: FolderNames,
    pub listing: Listing,
    /// How folders are ordered.
    pub sort: Sort,
    pub cursor_idle: CursorIdle,
    /// How much is in folders that were read.
    pub folder_totals: FolderTotals,
    pub previews: Previews,
    pub history: History,
    pub ops: Ops,
    pub tasks: Tasks,
    pub limits: LimitsPanel,
    pub cut: Option<Cut>,
    /// Its folder that is compared with one of this machine.
    pub comparing: Option<Comparing>,
    /// Until when the last signed address works that was copied of a file.
    pub signed_until: BTreeMap<FileId, Timestamp>,
    pub undo: Undo,
    pub connection: ServiceConnection,
    /// How far the service's clock is ahead of this machine's.
    pub clock_ahead: SignedDuration,
    /// What the token may not do.
    pub denied_actions: DeniedActions,
    /// What is asked for of the grid.
    pub gallery: Gallery,
    /// Plans that are being made, until all their rows are there.
    pub plans: BTreeMap<OpId, Planning>,
    pub budget: Option<RequestBudget>,
    /// Until when that can be relied on.
    pub budget_until: Option<Timestamp>,
}

/// The budget is that of ten seconds (`guarantees.md#the-request-budget-is-kept`); an older figure says nothing.
const BUDGET_KNOWN_FOR: SignedDuration = SignedDuration::from_secs(10);

impl AccountState {
    /// At the root folder of `account`, of which nothing has been read. `ops` are those of its session.
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

    /// Nothing is under way anymore of what was asked of a session that is closed.
    pub fn forget_work(&mut self) {
        self.ops.forget_all();
        self.tasks = Tasks::default();
        self.plans.clear();
    }

    /// Takes a look into a file or a folder; that into a folder tells how much is in it.
    pub fn looked(&mut self, op: OpId, preview: Preview, now: Timestamp) {
        if let (Some(folder), Preview::Folder(contents)) = (self.previews.asked_folder(op), &preview) {
            self.folder_totals.count(Some(folder), Some(FolderTotal::of(contents)));
        }
        self.previews.take(op, PreviewState::Seen(preview), now);
    }

    /// Remembers how much is in the open folder, as far as it is read.
    pub fn count_inside(&mut self) {
        let place = self.listing.of.folder().filter(|_| self.listing.loaded_at.is_some());
        if let Some(place) = place {
            let total = FolderTotal { seen: self.listing.len(), is_all: self.listing.is_whole() };
            self.folder_totals.count(place.id.as_ref(), Some(total));
        }
    }

    /// Takes the subfolders of a folder as they are now.
    pub fn set_subfolders(&mut self, of: Option<&FolderId>, folders: Vec<Folder>) {
        self.tree.set_children(of, folders);
        if let Some(node) = self.tree.find(of) {
            self.folder_names.set_subfolders(&node.place.path, &self.tree.subfolders(of));
        }
    }

    /// A folder, and all in it, has another path.
    pub fn repath_folder(&mut self, id: &FolderId, from: &str, to: &str) {
        self.tree.repath(id, to);
        self.folder_names.repath(from, to);
        self.history.repath(from, to);
    }

    /// A folder, and all in it, is gone.
    pub fn remove_folder(&mut self, id: &FolderId, path: &str) {
        self.tree.remove(id);
        self.folder_names.remove(path);
    }

    /// Whether the service may be asked for what nobody waits for: what the user has opened is there, and at least half of
    /// the request budget is left.
    pub fn has_spare_requests(&self) -> bool {
        let is_spare = self.budget.is_none_or(|budget| budget.remaining >= budget.max / 2);
        is_spare && !self.connection.is_lost() && self.listing.loaded_at.is_some()
    }

    /// The next folder to be counted of about `rows` that are shown: in the list, else in the tree. None while something is
    /// counted or looked into or somebody looks for a folder, and while no requests are to spare.
    pub fn uncounted(&self, rows: usize, shows_tree: bool) -> Option<FolderRef> {
        let Self { listing, tree, folder_totals, .. } = self;
        let is_busy = folder_totals.asked.is_some() || self.previews.asked.is_some() || self.folder_names.is_reading();
        if is_busy || !self.has_spare_requests() {
            return None;
        }
        let lacks = |place: &FolderRef| folder_totals.lacks(place.id.as_ref());
        let shown = listing.cursor_offset.window(listing.cursor, listing.visible().len(), rows);
        let folders = shown.filter_map(|at| listing.at(at)).filter(|(_, row)| !row.is_file());
        let in_list = folders.filter_map(|(_, row)| row.place(listing.of.base())).find(lacks);
        let in_tree = || {
            let nodes = tree.rows();
            let shown = tree.cursor_offset.window(tree.cursor_among(&nodes), nodes.len(), rows);
            let mut places = nodes.get(shown)?.iter().filter_map(|at| tree.nodes.get(*at)).map(|node| &node.place);
            places.find(|place| lacks(place)).cloned()
        };
        in_list.or_else(|| shows_tree.then(in_tree).flatten())
    }

    /// Takes the request budget from an answer.
    pub fn take_budget(&mut self, budget: RequestBudget, now: Timestamp) {
        self.budget = Some(budget);
        self.budget_until = now.checked_add(BUDGET_KNOWN_FOR).ok();
    }

    /// Forgets a budget that has been given back in the meantime.
    pub fn expire_budget(&mut self, now: Timestamp) {
        if self.budget_until.is_some_and(|until| until <= now) {
            (self.budget, self.budget_until) = (None, None);
        }
    }

    /// The visit to what is open, for the history.
    pub fn visit(&self) -> Visit {
        Visit { of: self.listing.of.clone(), at: self.listing.current().map(|row| row.target.clone()) }
    }
}
