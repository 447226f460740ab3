//! The state of the program: the account on the screen, those in the background, panes, dialogs and settings; and the
//! messages that it shows.

use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::account::Account;
use super::account_state::AccountState;
use super::activity::{Activity, ActivityEntry};
use super::background_session::BackgroundSession;
use super::choosing::Choosing;
use super::listing::ListShape;
use super::local_side::{LocalRow, LocalSide};
use super::ops::Ops;
use super::panes::{LocalPane, Pane, Panes, TREE_COLUMN_FROM, View, WIDE_FROM};
use super::pointing::Pointing;
use super::previews::PictureSupport;
use super::run_settings::RunSettings;
use super::status::{MessageLevel, Status};
use super::switch::Switch;
use crate::api::text::visible;
use crate::api::{Error, Kind, ServiceTime};
use crate::config::{AccountSummary, Column, Dates};
use crate::engine::SessionId;
use crate::tui::clocks::Clocks;
use crate::tui::dialog::Dialog;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::keymap::{Action, Context, Key, Keymap};
use crate::tui::widget::scroll::{self, CursorOffset};

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
    /// The list of this machine, open or not.
    pub local_side: LocalSide,
    /// What waits while files are chosen in it.
    pub choosing: Option<Choosing>,
    pub view: View,
    pub focus: Pane,
    pub panes: Panes,
    pub settings: RunSettings,
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
            local_side: LocalSide::new(start.local.dir.clone()),
            choosing: None,
            local: start.local,
            view: View::default(),
            focus: Pane::default(),
            panes: Panes::default(),
            settings: RunSettings::default(),
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
            (View::Files, _) if self.choosing.is_some() => Context::Choose,
            (View::Files, _) if self.current.comparing.is_some() => Context::Compare,
            (View::Files, _) if self.is_on_local() => Context::Local,
            (View::Files, Pane::Tree) => Context::Tree,
            (View::Files, Pane::List) if self.shows_grid() => Context::Grid,
            (View::Files, Pane::List) => Context::List,
            (View::Files, Pane::Local | Pane::Details) => Context::Details,
            (View::Tasks, _) => Context::Tasks,
            (View::Limits, _) => Context::Limits,
            (View::Activity, _) => Context::Activity,
        }
    }

    /// Whether the list of copies has the room of the tree's column at this width: copies lie all over the account, and
    /// have more to say. The focus brings the tree back.
    pub fn copies_cover_tree(&self, cols: u16) -> bool {
        let is_middle = (TREE_COLUMN_FROM..WIDE_FROM).contains(&cols);
        is_middle && self.focus != Pane::Tree && self.current.listing.duplicate_groups() > 0
    }

    /// Whether the list is a grid of pictures: not where it is read aloud, or where there are no pictures.
    pub fn shows_grid(&self) -> bool {
        self.current.listing.shape == ListShape::Grid
            && !self.panes.plain
            && self.picture_support != PictureSupport::None
    }

    /// Whether letters are typed rather than obeyed.
    pub fn is_typing(&self) -> bool {
        let is_in_list = self.current.listing.is_typing() || self.is_typing_local();
        self.dialogs.is_empty() && self.view == View::Files && is_in_list
    }

    /// Whether keys are for the list of this machine, or for the details of its row.
    pub fn is_on_local(&self) -> bool {
        let is_focused = match self.focus {
            Pane::Local => true,
            Pane::Details => self.local_side.has_details,
            Pane::Tree | Pane::List => false,
        };
        let is_compared = self.current.comparing.is_some();
        self.view == View::Files && (self.choosing.is_some() || is_focused && !is_compared)
    }

    /// Whether the details are those of a row of this machine's list.
    pub fn has_local_details(&self) -> bool {
        self.panes.local == LocalPane::Beside && self.local_side.has_details
    }

    /// That row.
    pub fn local_in_details(&self) -> Option<&LocalRow> {
        self.local_side.current().filter(|_| self.has_local_details())
    }

    /// Whether letters go into the filter of this machine's list.
    pub fn is_typing_local(&self) -> bool {
        self.panes.local != LocalPane::Closed && self.local_side.is_typing()
    }

    /// The local folder that downloads go into: the one that is shown, else the one that filedeck was started in.
    pub fn download_folder(&self) -> &Path {
        if self.panes.local == LocalPane::Closed { &self.local.dir } else { &self.local_side.folder }
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

    /// Whether keys would work on the folder under the cursor.
    pub fn is_on_folder(&self) -> bool {
        matches!(self.context(), Context::List | Context::Grid | Context::Details)
            && self.current.listing.is_on_folder()
    }

    /// Says something: a message that goes away, and an entry in the activity log.
    pub fn say(&mut self, level: MessageLevel, text: impl Into<String>) {
        let text = text.into();
        self.status.say(level, text.clone(), self.now);
        self.activity.push(ActivityEntry::new(self.now, level, text));
    }

    /// The same with what to do next.
    pub fn say_then(&mut self, level: MessageLevel, text: impl Into<String>, next: impl Into<String>) {
        let (text, next) = (text.into(), next.into());
        self.activity.push(ActivityEntry::new(self.now, level, format!("{text} {next}")));
        self.status.say_then(level, text, next, self.now);
    }

    /// The same of what the program says by itself: it does not hide what the last key has brought while that is news.
    pub fn mention(&mut self, level: MessageLevel, text: impl Into<String>) {
        let shown = self.status.clone();
        self.say(level, text);
        if shown.is_news(self.now) {
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
            self.activity.push(ActivityEntry::new(self.now, MessageLevel::Warn, text));
        }
    }

    /// Says that something failed, and what to do next; the log keeps the error for its details.
    pub fn say_failed(&mut self, what: &str, error: &Error) {
        self.say_failed_then(what, error, String::new());
    }

    /// Says that a task of this account failed, and which keys retry it. Why it failed is in its row where that is shown.
    pub fn say_task_failed(&mut self, what: &str, error: &Error) {
        let tasks = self.keymap.key_of(Context::Global, Action::ViewTasks);
        let retry = self.keymap.key_of(Context::Tasks, Action::RetryTask);
        let next = match tasks.zip(retry) {
            Some((_, retry)) if self.view == View::Tasks => format!("Press {retry} to retry it."),
            Some((tasks, retry)) => format!("To retry it, press {tasks}, then {retry}."),
            None => String::new(),
        };
        if self.view == View::Tasks {
            self.status.say_then(MessageLevel::Error, format!("{what}."), next.clone(), self.now);
            let text = format!("{what}: {}", visible(&error.message));
            self.activity.push(ActivityEntry { next, ..ActivityEntry::failed(self.now, text, error) });
        } else {
            self.say_failed_then(what, error, next);
            self.status.was_of_task();
        }
    }

    fn say_failed_then(&mut self, what: &str, error: &Error, next: String) {
        let text = format!("{what}: {}", visible(&error.message));
        let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
        // Of a task that the service ended, there is nothing to advise but that.
        let advice = if next.is_empty() || error.kind != Kind::TaskFailed { error.advice() } else { (&*next).into() };
        self.status.say_then(MessageLevel::Error, format!("{text}{end}"), advice.into_owned(), self.now);
        self.activity.push(ActivityEntry { next, ..ActivityEntry::failed(self.now, text, error) });
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
