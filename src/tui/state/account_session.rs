//! A session: an engine on one account, and what the screen knows of the account whichever folder is
//! open. A session that the user leaves goes on in the background while it has tasks.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::account::Account;
use super::cut::Cut;
use super::folder_names::FolderNames;
use super::folder_totals::FolderTotals;
use super::limits::LimitsPanel;
use super::ops::Ops;
use super::planning::Planning;
use super::service_connection::ServiceConnection;
use super::tasks::Tasks;
use super::undo::Undo;
use crate::api::ids::FileId;
use crate::engine::message::RequestBudget;
use crate::engine::{OpId, SessionId};
use crate::tui::denied_actions::DeniedActions;

#[derive(Debug, Clone)]
pub struct AccountSession {
    pub account: Account,
    /// Set once it was closed to make way for another; no request can be sent.
    pub is_closed: bool,
    pub ops: Ops,
    pub tasks: Tasks,
    pub limits: LimitsPanel,
    pub folder_names: FolderNames,
    pub folder_totals: FolderTotals,
    pub cut: Option<Cut>,
    /// The expiry of the last signed URL that was copied, by file.
    pub signed_until: BTreeMap<FileId, Timestamp>,
    pub undo: Undo,
    pub connection: ServiceConnection,
    /// The amount by which the service's clock is ahead of this machine's.
    pub clock_ahead: SignedDuration,
    pub denied_actions: DeniedActions,
    /// Plans that are being built, until all their rows have arrived.
    pub plans: BTreeMap<OpId, Planning>,
    pub budget: Option<RequestBudget>,
    /// The time until which `budget` can be relied on.
    pub budget_until: Option<Timestamp>,
}

/// The budget covers ten seconds (`guarantees.md#the-request-budget-is-kept`); an older figure says
/// nothing.
const BUDGET_KNOWN_FOR: SignedDuration = SignedDuration::from_secs(10);

impl AccountSession {
    /// Creates a session of which nothing is known yet.
    pub fn new(account: Account, id: SessionId) -> Self {
        Self {
            account,
            is_closed: false,
            ops: Ops::new(id),
            tasks: Tasks::default(),
            limits: LimitsPanel::default(),
            folder_names: FolderNames::default(),
            folder_totals: FolderTotals::default(),
            cut: None,
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

    pub fn id(&self) -> SessionId {
        self.ops.session()
    }

    /// Returns `true` if something is running or will start on its own.
    pub fn goes_on(&self) -> bool {
        self.tasks.is_at_work() || self.ops.is_queueing()
    }

    /// Returns `true` if closing the session would lose something: work, changes that can be undone,
    /// or the files of the demo.
    pub fn is_worth_keeping(&self) -> bool {
        self.goes_on() || self.undo.last().is_some() || !self.account.is_kept()
    }

    /// Returns the session as it goes on in the background: with its tasks and what follows them.
    /// The caller has dropped its reads.
    #[must_use]
    pub fn into_background(mut self) -> Self {
        self.tasks.leave();
        self.denied_actions.forget_refusals();
        let id = self.id();
        Self {
            ops: self.ops,
            tasks: self.tasks,
            cut: self.cut,
            signed_until: self.signed_until,
            undo: self.undo,
            clock_ahead: self.clock_ahead,
            denied_actions: self.denied_actions,
            ..Self::new(self.account, id)
        }
    }

    /// Drops all pending work of a session that was closed.
    pub fn forget_work(&mut self) {
        self.ops.forget_all();
        self.tasks = Tasks::default();
        self.plans.clear();
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
}
