//! Everything that is drawn, and what `update` needs to decide. Plain data: no I/O, no clock, no channel.

mod account;
mod account_state;
mod activity;
mod background_session;
mod busy;
mod cursor_idle;
mod cut;
mod details;
mod duplicate_counts;
mod duplicate_groups;
mod failures;
mod filter;
mod folder_totals;
mod full_read;
mod full_read_rows;
mod history;
mod last_status;
pub mod limits;
mod listing;
mod marking;
mod marks;
mod ops;
mod order;
mod pages;
mod panes;
mod planning;
mod pointing;
mod previews;
mod reads;
mod row;
mod rows;
mod service_connection;
mod speed;
mod stage;
mod status;
mod switch;
mod tally;
mod tasks;
mod tree;
mod trend;
mod undo;
mod watched_task;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::clocks::Clocks;
use super::dialog::Dialog;
use super::input::local_paths::LocalPaths;
use super::keymap::{Action, Context, Key, Keymap, spell};
use super::widget::scroll::{self, CursorOffset};
use crate::api::ids::FileId;
use crate::api::text::visible;
use crate::api::{Error, ServiceTime};
use crate::config::{AccountSummary, Column, Dates, InForce};
use crate::engine::SessionId;
use crate::engine::limits::Report;
use crate::engine::message::FolderRef;

pub use account::Account;
pub use account_state::AccountState;
pub use activity::{Activity, ActivityEntry};
pub use background_session::BackgroundSession;
pub use busy::BusyTargets;
pub use cursor_idle::CursorIdle;
pub use cut::Cut;

pub use duplicate_groups::DuplicateGroup;
pub use failures::Failures;
pub use filter::ListFilter;
pub use folder_totals::{FolderTotal, FolderTotals};
pub use history::{History, Visit};
pub use last_status::LastStatus;
pub use limits::LimitsPanel;
pub use listing::{AHEAD, Listing, MarkedRange};
pub use marks::Marks;
pub use ops::{Ops, ReadProgress};
pub use panes::{Pane, Panes, Splitter, TREE_COLUMN_FROM, View, shows_limits_pane};
pub use planning::Planning;
pub use pointing::{Drag, Pointing, Scrolled};
pub use previews::{PictureSupport, PreviewKey, PreviewState, Previews};
pub(in crate::tui) use reads::reads;
pub use reads::*;
pub use row::{Row, last_part, moved, parent_path};
pub use rows::{Rows, Slot};
pub use service_connection::{ConnectionLoss, ServiceConnection};
pub use speed::Speed;
pub use stage::{ListPurpose, ListRead, ListStage, Pending};
pub use status::{Message, MessageLevel, Status};
pub use switch::Switch;
pub use tally::BatchTally;
pub use tasks::{TaskRow, Tasks};
pub use tree::{Children, Node, Tree};
pub use undo::{KeyPress, Undo, UndoStep};
pub use watched_task::WatchedTask;

/// The whole screen as data: what belongs to the program, and the account state of one account.
#[derive(Debug, Clone)]
pub struct State {
    pub current: AccountState,
    /// Sessions that were left and still have live tasks.
    pub background_sessions: Vec<BackgroundSession>,
    pub switch: Option<Switch>,
    /// All accounts that there are to choose from.
    pub accounts: Vec<AccountSummary>,
    last_session: SessionId,
    /// The time of the message that is being handled.
    pub now: Timestamp,
    /// Where the user is; times of day are shown in it.
    pub zone: TimeZone,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    pub local: LocalPaths,
    pub view: View,
    pub focus: Pane,
    pub panes: Panes,
    /// As they are in this run, for their page.
    pub settings: Vec<InForce>,
    /// Of the list, beside the name.
    pub columns: Vec<Column>,
    pub dates: Dates,
    /// Whether the end of long work is told to a user who looks elsewhere.
    pub notify: bool,
    /// How often the limits are read while they are on the screen.
    pub limits_every: SignedDuration,
    pub pointing: Pointing,
    /// Where pictures are shown, and how finely.
    pub picture_support: PictureSupport,
    pub activity: Activity,
    pub status: Status,
    /// The last one is on top and has the keys.
    pub dialogs: Vec<Dialog>,
    /// Keys of a sequence pressed so far.
    pub pending: Vec<Key>,
    /// When the first of them was pressed.
    pub pending_since: Option<Timestamp>,
    pub keymap: Keymap,
    /// The user's editor has the terminal, or is about to.
    pub at_editor: bool,
    /// When Ctrl-C last asked to quit.
    pub interrupted_at: Option<Timestamp>,
    /// Nothing was pressed yet at the first start on this machine.
    pub is_first_run: bool,
}

/// What a run starts with.
#[derive(Debug, Clone)]
pub struct Start {
    pub now: Timestamp,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Its session is the first one.
    pub account: Account,
    pub accounts: Vec<AccountSummary>,
    pub local: LocalPaths,
    pub keymap: Keymap,
}

/// What may follow the keys pressed so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhichKey {
    /// The keys pressed so far.
    pub pressed: String,
    /// The rest of the keys, and what they do.
    pub rows: Vec<(String, Action)>,
}

/// Rests of a sequence are shown after this long.
const WHICH_KEY_AFTER: SignedDuration = SignedDuration::from_millis(300);
/// Ages are shown in minutes at the finest, so that they need no more than one look a minute.
fn until_the_minute(now: Timestamp) -> SignedDuration {
    const MINUTE: i64 = 60_000;
    SignedDuration::from_millis(MINUTE - now.as_millisecond().rem_euclid(MINUTE))
}

/// How often something that moves is drawn again.
const FRAME: SignedDuration = SignedDuration::from_millis(250);

impl State {
    pub fn new(start: Start) -> Self {
        Self {
            current: AccountState::new(start.account, Ops::new(SessionId::FIRST)),
            background_sessions: Vec::new(),
            switch: None,
            accounts: start.accounts,
            last_session: SessionId::FIRST,
            now: start.now,
            zone: TimeZone::UTC,
            size: start.size,
            local: start.local,
            view: View::default(),
            focus: Pane::default(),
            panes: Panes::default(),
            settings: Vec::new(),
            columns: Column::USUAL.to_vec(),
            dates: Dates::default(),
            notify: false,
            limits_every: SignedDuration::from_mins(1),
            pointing: Pointing::default(),
            picture_support: PictureSupport::default(),
            activity: Activity::default(),
            status: Status::default(),
            dialogs: Vec::new(),
            pending: Vec::new(),
            pending_since: None,
            keymap: start.keymap,
            at_editor: false,
            interrupted_at: None,
            is_first_run: false,
        }
    }

    /// Where keys go while no dialog and no text field is open.
    pub fn context(&self) -> Context {
        match (self.view, self.focus) {
            (View::Files, Pane::Tree) => Context::Tree,
            (View::Files, Pane::List) => Context::List,
            (View::Files, Pane::Details) => Context::Details,
            (View::Tasks, _) => Context::Tasks,
            (View::Limits, _) => Context::Limits,
            (View::Activity, _) => Context::Activity,
        }
    }

    /// Whether letters are typed rather than obeyed.
    pub fn is_typing(&self) -> bool {
        self.dialogs.is_empty() && self.view == View::Files && self.current.listing.is_typing()
    }

    /// Whether the account that is being opened is the one on the screen: there is nothing to stay on meanwhile.
    pub fn is_anew(&self) -> bool {
        self.switch.as_ref().is_some_and(|switch| switch.source == self.current.account.source)
    }

    /// What time it is, for dialogs.
    pub fn clocks(&self) -> Clocks {
        Clocks::new(self.now, self.current.clock_ahead)
    }

    /// What time it is for files: that of the service's own clock.
    pub fn service_now(&self) -> ServiceTime {
        self.clocks().service
    }

    /// Names a session that was not there before.
    pub fn mint_session(&mut self) -> SessionId {
        self.last_session.0 += 1;
        self.last_session
    }

    /// Which rows of a list are on the screen, of so many.
    pub fn window(
        &self,
        cursor_offset: CursorOffset,
        cursor: usize,
        len: usize,
        height: usize,
    ) -> std::ops::Range<usize> {
        if self.panes.plain { scroll::page(cursor, len, height) } else { cursor_offset.window(cursor, len, height) }
    }

    /// How many tasks continue, on all accounts.
    pub fn live_tasks(&self) -> usize {
        let away = self.background_sessions.iter().map(|away| &away.tasks);
        away.chain([&self.current.tasks]).map(|tasks| tasks.totals().unfinished).sum()
    }

    /// Whether quitting now cuts something short, or loses it.
    pub fn would_cut_short(&self) -> bool {
        let AccountState { account, ops, tasks, .. } = &self.current;
        let is_lost = !account.is_kept() && tasks.totals().unfinished > 0;
        is_lost || ops.is_queueing() || tasks.is_at_work() || !self.background_sessions.is_empty()
    }

    /// The box of what may follow, once the user has waited for it.
    pub fn which_key(&self) -> Option<WhichKey> {
        let since = self.pending_since.filter(|_| !self.pending.is_empty())?;
        if self.now.duration_since(since) < WHICH_KEY_AFTER {
            return None;
        }
        let mut rows = self.keymap.continuations(self.context(), &self.pending);
        let is_on_folder = self.context() == Context::List && self.current.listing.is_on_folder();
        rows.retain(|(_, action)| !is_on_folder || !action.is_for_files());
        Some(WhichKey { pressed: spell(&self.pending), rows })
    }

    /// When `Msg::Clock` should come next; none while nothing on the screen moves by itself.
    pub fn next_wake(&self) -> Option<Timestamp> {
        let after = |from: Timestamp, by| from.saturating_add(by).unwrap_or(from);
        let which_key = self.pending_since.map(|since| after(since, WHICH_KEY_AFTER)).filter(|at| *at > self.now);
        let frame = (self.is_moving() && !self.panes.plain).then(|| after(self.now, FRAME));
        let age = self.shows_ages().then(|| after(self.now, until_the_minute(self.now)));
        let (news, budget) = (self.status.next_change(self.now), self.current.budget_until);
        [which_key, frame, age, self.next_ask(), news, budget].into_iter().flatten().min()
    }

    /// When something is to be asked of the service that no key asks for; nothing of a session that is closed.
    fn next_ask(&self) -> Option<Timestamp> {
        if self.current.is_closed {
            return None;
        }
        let line = self.current.connection.next_try().filter(|_| !self.current.ops.is_busy());
        let rest = self.needs_details().and_then(|_| self.current.cursor_idle.due());
        let preview = self.needs_preview().and_then(|_| self.current.cursor_idle.at_rest()).filter(|at| *at > self.now);
        let total = self.needs_total().and_then(|_| self.current.cursor_idle.at_rest()).filter(|at| *at > self.now);
        let limits = self.limits_due();
        let task = self.current.tasks.watched_task.as_ref().map(|task| task.next).filter(|at| *at > self.now);
        let inside = self.needs_limits().and_then(|_| self.current.limits.rest.at_rest()).filter(|at| *at > self.now);
        [line, rest, preview, total, limits, inside, task].into_iter().flatten().min()
    }

    /// Whether there are ages on the screen, which grow.
    fn shows_ages(&self) -> bool {
        self.current.listing.loaded_at.is_some() || self.current.limits.book.asked_at.is_some()
    }

    /// When the reports on limits are read again by themselves: while nobody looks at them, seldom. Without a line to the
    /// service its return is waited for.
    pub fn limits_due(&self) -> Option<Timestamp> {
        let every = if self.view == View::Limits { self.limits_every } else { limits::IN_BACKGROUND };
        self.current.limits.due(every).filter(|_| !self.current.connection.is_lost())
    }

    /// What is lacking of the associations that are on the screen.
    pub fn needs_limits(&self) -> Option<Report> {
        let is_shown = self.current.limits.inside.is_some() || shows_limits_pane(self.size, self.panes.plain);
        let is_wanted = self.view == View::Limits && is_shown && !self.current.connection.is_lost();
        is_wanted.then(|| self.current.limits.lacks()).flatten()
    }

    /// Whether something on the screen moves by itself: what is under way, or an answer that is waited for.
    pub fn is_moving(&self) -> bool {
        self.current.ops.is_busy()
            || self.current.tasks.is_running()
            || self.background_sessions.iter().any(|away| away.tasks.is_running())
    }

    /// The file under the cursor, if the details that are shown of it are no more than its row. One that a job works on
    /// is about to change.
    pub fn needs_details(&self) -> Option<&FileId> {
        let is_shown = self.view == View::Files && self.panes.details;
        let row = self.current.listing.current().filter(|_| is_shown)?;
        let is_known = self.current.listing.details.of(&row.target).is_some();
        row.target.file().filter(|_| !is_known && !self.current.tasks.busy.holds(&row.target))
    }

    /// What is to be looked into: the row under the cursor, while there is room to show what is inside. None for a file that
    /// is never opened, and for one that a job works on.
    pub fn previewed(&self) -> Option<PreviewKey> {
        let is_shown =
            self.view == View::Files && self.panes.preview && self.panes.shows_all_details(self.size.0, self.focus);
        let row = self.current.listing.current().filter(|_| is_shown)?;
        (self.picture_support.opens(row) && !self.current.tasks.busy.holds(&row.target)).then(|| PreviewKey::of(row))
    }

    /// What is to be looked into, has not been, and was not asked for.
    pub fn needs_preview(&self) -> Option<PreviewKey> {
        self.previewed().filter(|key| self.current.previews.of(key).is_none() && self.current.previews.asked.is_none())
    }

    /// A folder on the screen whose entries are to be counted.
    pub fn needs_total(&self) -> Option<FolderRef> {
        let is_wanted = self.panes.folder_counts && self.view == View::Files;
        let shows_tree = self.panes.shown(self.size.0).contains(&Pane::Tree);
        is_wanted.then(|| self.current.uncounted(usize::from(self.size.1), shows_tree)).flatten()
    }

    /// Says something: a message that goes away, and an entry in the activity log.
    pub fn say(&mut self, level: MessageLevel, text: impl Into<String>) {
        let text = text.into();
        self.status.say(level, text.clone(), self.now);
        self.activity.push(ActivityEntry { at: self.now, level, text, error: None });
    }

    /// The same of what the program says by itself: an error or a warning of the start that is news stays.
    pub fn mention(&mut self, level: MessageLevel, text: impl Into<String>) {
        let shown = self.status.clone();
        self.say(level, text);
        if shown.stays(self.now) {
            self.status = shown;
        }
    }

    /// Says what was odd about the start: all of it in the log, the first on the screen.
    pub fn warn_at_start(&mut self, warnings: &[String]) {
        let warnings: Vec<String> = warnings.iter().map(|warning| visible(warning).into_owned()).collect();
        if let Some(first) = warnings.first() {
            let text = match warnings.len() {
                1 => first.clone(),
                count => format!("1 of {count} warnings: {first}"),
            };
            self.status.warn_at_start(text, self.now);
        }
        // The log has the newest on top.
        for text in warnings.into_iter().rev() {
            self.activity.push(ActivityEntry { at: self.now, level: MessageLevel::Warn, text, error: None });
        }
    }

    /// Says that something failed, and what to do next; the log keeps the error for its details.
    pub fn say_failed(&mut self, what: &str, error: &Error) {
        let text = format!("{what}: {}", visible(&error.message));
        let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
        self.status.say(MessageLevel::Error, format!("{text}{end} {}", error.advice()), self.now);
        self.log_failed(text, error);
    }

    /// Says that something failed, unless the pane that it belongs to shows it.
    pub fn note_failed(&mut self, is_shown: bool, what: &str, error: &Error) {
        if is_shown {
            self.log_failed(format!("{what}: {}", visible(&error.message)), error);
        } else {
            self.say_failed(what, error);
        }
    }

    /// Keeps a failure in the log alone, where the pane that it belongs to shows it.
    fn log_failed(&mut self, text: String, error: &Error) {
        self.activity.push(ActivityEntry::failed(self.now, text, error));
    }
}
