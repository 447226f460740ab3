//! The state of the program: the current account, background sessions, panes, dialogs, settings and
//! messages.

use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;

use super::account::Account;
use super::account_session::AccountSession;
use super::activity::{Activity, ActivityEntry};
use super::background_account::BackgroundAccount;
use super::beside::Beside;
use super::effect::Effect;
use super::files_pane::FilesPane;
use super::listing::ListShape;
use super::local_side::{LocalRow, LocalSide};
use super::mode::{LeftChoice, Mode};
use super::panes::{Pane, Panes, View};
use super::pointing::Pointing;
use super::previews::PictureSupport;
use super::run_settings::RunSettings;
use super::status::{MessageLevel, MessageTopic, Status};
use super::switch::Switch;
use crate::api::text::visible;
use crate::api::{AdvicePlace, Error, Kind, ServiceTime};
use crate::config::{AccountSource, AccountSummary, Column, Dates};
use crate::engine::SessionId;
use crate::tui::clocks::Clocks;
use crate::tui::dialog::Dialog;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::keymap::{Action, Context, DESKTOP_KEYS, Key, KeyLookup, Keymap};
use crate::tui::widget::scroll::ListCursor;

/// The whole screen as data: the program's own state, and that of the current account.
#[derive(Debug, Clone)]
pub struct State {
    /// The session on the screen.
    pub session: AccountSession,
    pub files: FilesPane,
    /// The accounts that were left and would lose something if they were closed.
    pub background_accounts: Vec<BackgroundAccount>,
    /// The session on the screen, while one in the background has its place.
    pub(super) displaced_session: Option<SessionId>,
    pub switch: Option<Switch>,
    pub accounts: Vec<AccountSummary>,
    last_session: SessionId,
    /// The time of the message being handled.
    pub now: Timestamp,
    pub zone: TimeZone,
    /// The terminal's columns and rows.
    pub size: Size,
    pub local: LocalPaths,
    /// The local list, open or not.
    pub local_side: LocalSide,
    pub mode: Mode,
    /// The last choice of files for the dialog on top.
    pub left_choice: Option<LeftChoice>,
    pub view: View,
    pub focus: Pane,
    pub panes: Panes,
    pub settings: RunSettings,
    /// The list's columns beside the name.
    pub columns: Vec<Column>,
    pub dates: Dates,
    /// Set if the end of long tasks is announced to a user who looks elsewhere.
    pub notify: bool,
    /// The refresh interval of the limits while they are on the screen.
    pub limits_every: SignedDuration,
    pub pointing: Pointing,
    pub picture_support: PictureSupport,
    pub activity: Activity,
    pub status: Status,
    /// The open dialogs; the last one is on top and receives the keys.
    pub dialogs: Vec<Dialog>,
    /// The keys of a sequence pressed so far.
    pub pending: Vec<Key>,
    /// The time of its first key.
    pub pending_since: Option<Timestamp>,
    pub keymap: Keymap,
    /// Set while the user's editor has the terminal, or is about to get it.
    pub at_editor: bool,
    /// The time of the last Ctrl-C that asked to quit.
    pub interrupted_at: Option<Timestamp>,
    /// Set until the first key press of the first run on this machine.
    pub is_first_run: bool,
    /// Effects of the message that is being handled, in order; empty in between, since `update`
    /// takes them all.
    pub(in crate::tui) effects: Vec<Effect>,
}

#[derive(Debug, Clone)]
pub struct Start {
    pub now: Timestamp,
    pub size: (u16, u16),
    /// The account of the first session.
    pub account: Account,
    pub accounts: Vec<AccountSummary>,
    pub local: LocalPaths,
    pub keymap: Keymap,
}

impl State {
    pub fn new(start: Start) -> Self {
        Self {
            session: AccountSession::new(start.account, SessionId::FIRST),
            files: FilesPane::default(),
            background_accounts: Vec::new(),
            displaced_session: None,
            switch: None,
            accounts: start.accounts,
            last_session: SessionId::FIRST,
            now: start.now,
            zone: TimeZone::UTC,
            size: start.size.into(),
            local_side: LocalSide::new(start.local.dir.clone()),
            mode: Mode::default(),
            left_choice: None,
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
            effects: Vec::new(),
        }
    }

    /// The pane that receives the keys.
    pub fn pane(&self) -> Pane {
        match (self.view, &self.mode) {
            (View::Files, Mode::Comparing(_)) => Pane::Comparison,
            (View::Files, Mode::Choosing(_)) => Pane::Local,
            (View::Files, Mode::Lists(_)) => self.focus,
            (View::Tasks, _) => Pane::Tasks,
            (View::Limits, _) => Pane::Limits,
            (View::Activity, _) => Pane::Activity,
        }
    }

    /// Returns `true` while something on the screen changes by itself: running tasks, or a pending
    /// answer.
    pub fn is_moving(&self) -> bool {
        self.session.ops.is_busy()
            || self.session.tasks.is_running()
            || self
                .background_accounts
                .iter()
                .any(|other| other.session.tasks.is_running())
    }

    /// The key context while no dialog and no text field is open.
    pub fn context(&self) -> Context {
        match self.pane() {
            Pane::Tasks => Context::Tasks,
            Pane::Limits => Context::Limits,
            Pane::Activity => Context::Activity,
            Pane::Comparison => Context::Compare,
            _ if self.mode.is_choosing() => Context::Choose,
            _ if self.is_on_local() => Context::Local,
            Pane::Tree => Context::Tree,
            Pane::List if self.shows_grid() => Context::Grid,
            Pane::List => Context::List,
            Pane::Local | Pane::Details => Context::Details,
        }
    }

    /// Returns `true` if the list is a grid of pictures; never for screen readers or where there
    /// are no pictures.
    pub fn shows_grid(&self) -> bool {
        self.files.listing.shape == ListShape::Grid
            && !self.panes.plain
            && self.picture_support != PictureSupport::None
    }

    /// Returns `true` if letters are typed into a filter instead of running actions.
    pub fn is_typing(&self) -> bool {
        let is_in_list = self.files.listing.list.is_typing() || self.is_typing_local();
        self.dialogs.is_empty() && self.view == View::Files && is_in_list
    }

    /// Returns `true` if keys apply to the local list, or to the details of its row.
    pub fn is_on_local(&self) -> bool {
        match self.pane() {
            Pane::Local => true,
            Pane::Details => self.local_side.has_details,
            _ => false,
        }
    }

    pub fn has_local_details(&self) -> bool {
        matches!(self.mode, Mode::Lists(Beside::ThisMachine)) && self.local_side.has_details
    }

    pub fn local_in_details(&self) -> Option<&LocalRow> {
        self.local_side
            .current()
            .filter(|_| self.has_local_details())
    }

    pub fn is_typing_local(&self) -> bool {
        self.mode.has_local_list() && self.local_side.list.is_typing()
    }

    /// The destination of downloads: the local folder on the screen, else the one filedeck was
    /// started in.
    pub fn download_folder(&self) -> &Path {
        if self.mode.has_local_list() {
            &self.local_side.folder
        } else {
            &self.local.dir
        }
    }

    /// Returns `true` if the account being opened is the one on the screen: there is nothing to
    /// stay on meanwhile.
    pub fn is_anew(&self) -> bool {
        self.switch
            .as_ref()
            .is_some_and(|switch| switch.source == self.session.account.source)
    }

    pub fn clocks(&self) -> Clocks {
        Clocks::new(self.now, self.session.clock_ahead)
    }

    /// The time on the service's clock, which applies to files.
    pub fn service_now(&self) -> ServiceTime {
        self.clocks().service
    }

    /// The address of the web application that restores deleted files, if the account has one.
    pub fn trash(&self) -> Option<&'static str> {
        let source = &self.session.account.source;
        let known = self.accounts.iter().find(|known| known.source == *source)?;
        known.trash()
    }

    pub fn mint_session(&mut self) -> SessionId {
        self.last_session.0 += 1;
        self.last_session
    }

    /// The range of list rows on the screen.
    pub fn window(&self, cursor: ListCursor, height: usize) -> std::ops::Range<usize> {
        if self.panes.plain {
            cursor.page(height)
        } else {
            cursor.window(height)
        }
    }

    /// The number of unfinished tasks on all accounts.
    pub fn live_tasks(&self) -> usize {
        let others = self.background_accounts.iter();
        let others = others.map(|other| &other.session.tasks);
        others
            .chain([&self.session.tasks])
            .map(|tasks| tasks.totals().unfinished)
            .sum()
    }

    /// Returns `true` if quitting now would interrupt or lose something.
    pub fn would_cut_short(&self) -> bool {
        let AccountSession { account, tasks, .. } = &self.session;
        let is_lost = !account.is_kept() && tasks.totals().unfinished > 0;
        is_lost || self.session.goes_on() || self.background_work().next().is_some()
    }

    /// Returns `true` if the first start offers the keys of desktop programs.
    pub fn offers_desktop_keys(&self) -> bool {
        self.is_first_run
            && self.dialogs.is_empty()
            && !self.panes.plain
            && self.session.account.source != AccountSource::Demo
            && self.settings.has_default_keys()
            && self.keymap.lookup(self.context(), &[], DESKTOP_KEYS) == KeyLookup::None
    }

    /// Returns `true` if keys would act on the folder under the cursor.
    pub fn is_on_folder(&self) -> bool {
        matches!(
            self.context(),
            Context::List | Context::Grid | Context::Details
        ) && self.files.listing.is_on_folder()
    }

    /// Shows a message that goes away, and adds it to the activity log.
    pub fn say(&mut self, level: MessageLevel, text: impl Into<String>) {
        let text = self.with_account(text.into());
        self.status.say(level, text.clone(), self.now);
        self.activity
            .push(ActivityEntry::new(self.now, level, text));
    }

    /// A message, with the name of the account in front if that is not on the screen.
    pub fn with_account(&self, text: String) -> String {
        if self.is_in_background() {
            format!("{}: {text}", visible(self.session.account.name()))
        } else {
            text
        }
    }

    /// Like `say`, with advice on what to do next; no key acts on an account in the background.
    pub fn say_then(
        &mut self,
        level: MessageLevel,
        text: impl Into<String>,
        next: impl Into<String>,
    ) {
        if self.is_in_background() {
            return self.say(level, text);
        }
        let (text, next) = (text.into(), next.into());
        self.activity.push(ActivityEntry::new(
            self.now,
            level,
            format!("{text} {next}"),
        ));
        self.status.say_then(level, text, next, self.now);
    }

    /// Like `say`, for a message that no key caused: does not replace the last key's message while
    /// that is news.
    pub fn mention(&mut self, level: MessageLevel, text: impl Into<String>) {
        let shown = self.status.clone();
        self.say(level, text);
        if shown.is_news(self.now) {
            self.status = shown;
        }
    }

    /// Reports startup warnings: all of them in the log, the first on the screen.
    pub fn warn_at_start(&mut self, warnings: &[String]) {
        let warnings: Vec<String> = warnings
            .iter()
            .map(|warning| visible(warning).into_owned())
            .collect();
        if let Some(first) = warnings.first() {
            let text = match warnings.len() {
                1 => first.clone(),
                count => format!("1 of {count} warnings: {first}"),
            };
            self.status.warn_at_start(text, self.now);
        }
        // The log lists the newest first.
        for text in warnings.into_iter().rev() {
            self.activity
                .push(ActivityEntry::new(self.now, MessageLevel::Warn, text));
        }
    }

    /// Reports a failure with advice; the log keeps the error for its details.
    pub fn say_failed(&mut self, what: &str, error: &Error) {
        self.say_failed_then(what, error, String::new());
    }

    /// Reports that a task failed, and the keys that retry it if that can help. The reason is left
    /// out where the task's row shows it.
    pub fn say_task_failed(&mut self, what: &str, error: &Error) {
        if self.is_in_background() {
            return self.say_failed(what, error);
        }
        let tasks = self.keymap.key_of(Context::Global, Action::ViewTasks);
        let retry = self
            .keymap
            .key_of(Context::Tasks, Action::RetryTask)
            .filter(|_| !error.is_final());
        let next = match tasks.zip(retry) {
            Some((_, retry)) if self.view == View::Tasks => format!("Press {retry} to retry it."),
            Some((tasks, retry)) => format!("{tasks}, then {retry} retries it."),
            None => String::new(),
        };
        if self.view == View::Tasks {
            let advice = if next.is_empty() {
                error.advice(AdvicePlace::Screen).unwrap_or_default()
            } else {
                next.clone()
            };
            self.status
                .say_then(MessageLevel::Error, format!("{what}."), advice, self.now);
            let text = format!("{what}: {}", error.reason());
            self.activity.push(ActivityEntry {
                next,
                ..ActivityEntry::failed(self.now, text, error)
            });
        } else {
            self.say_failed_then(what, error, next);
            self.status.is_about(MessageTopic::Task);
        }
    }

    fn say_failed_then(&mut self, what: &str, error: &Error, next: String) {
        let text = self.with_account(format!("{what}: {}", error.reason()));
        let end = if text.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        // When the service itself ended a task, a retry is the only advice.
        let advice = match error.kind {
            Kind::TaskFailed if !next.is_empty() => Some(next.clone()),
            Kind::Unauthorized => self.token_advice(error),
            _ => None,
        };
        let advice = advice.or_else(|| error.advice(AdvicePlace::Screen));
        self.status.say_then(
            MessageLevel::Error,
            format!("{text}{end}"),
            advice.unwrap_or_default(),
            self.now,
        );
        self.activity.push(ActivityEntry {
            next,
            ..ActivityEntry::failed(self.now, text, error)
        });
    }

    /// Reports a failure, in the log alone if its pane shows it.
    pub fn note_failed(&mut self, is_shown: bool, what: &str, error: &Error) {
        if is_shown {
            self.log_failed(format!("{what}: {}", error.reason()), error);
        } else {
            self.say_failed(what, error);
        }
    }

    fn log_failed(&mut self, text: String, error: &Error) {
        let text = self.with_account(text);
        self.activity
            .push(ActivityEntry::failed(self.now, text, error));
    }
}
