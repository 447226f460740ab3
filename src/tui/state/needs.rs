//! The requests and timers that need no key press: what to request from the service, and when to
//! wake up.

use jiff::{SignedDuration, Timestamp};

use super::limits;
use super::mode::Mode;
use super::panes::{Pane, View, shows_limits_pane};
use super::previews::PreviewKey;
use super::program::State;
use super::which_key::WHICH_KEY_AFTER;
use crate::api::ids::FileId;
use crate::engine::limits::Report;
use crate::engine::message::FolderRef;

/// The time until the next minute. Ages are shown to the minute, so one redraw a minute is enough.
fn until_the_minute(now: Timestamp) -> SignedDuration {
    const MINUTE: i64 = 60_000;
    SignedDuration::from_millis(MINUTE - now.as_millisecond().rem_euclid(MINUTE))
}

const FRAME: SignedDuration = SignedDuration::from_millis(250);

impl State {
    /// The time of the next `Msg::Clock`; `None` while nothing on the screen changes by itself.
    pub fn next_wake(&self) -> Option<Timestamp> {
        let after = |from: Timestamp, by| from.saturating_add(by).unwrap_or(from);
        let which_key = self
            .pending_since
            .map(|since| after(since, WHICH_KEY_AFTER))
            .filter(|at| *at > self.now);
        let frame = (self.is_moving() && !self.panes.plain).then(|| after(self.now, FRAME));
        let age = self
            .shows_ages()
            .then(|| after(self.now, until_the_minute(self.now)));
        let (news, budget) = (self.status.next_change(self.now), self.session.budget_until);
        [which_key, frame, age, self.next_ask(), news, budget]
            .into_iter()
            .flatten()
            .min()
    }

    /// The time of the next request that no key triggers; `None` for a closed session.
    fn next_ask(&self) -> Option<Timestamp> {
        if self.session.is_closed {
            return None;
        }
        let line = self
            .session
            .connection
            .next_try()
            .filter(|_| !self.session.ops.is_busy());
        let rest = self
            .needs_details()
            .and_then(|_| self.files.cursor_idle.due());
        let preview = self
            .needs_preview()
            .and_then(|_| self.preview_rest())
            .filter(|at| *at > self.now);
        let total = self
            .needs_total()
            .and_then(|_| self.files.cursor_idle.at_rest())
            .filter(|at| *at > self.now);
        let limits = self.limits_due();
        let task = self
            .session
            .tasks
            .watched_task
            .as_ref()
            .map(|task| task.next)
            .filter(|at| *at > self.now);
        let inside = self
            .needs_limits()
            .and_then(|_| self.session.limits.rest.at_rest())
            .filter(|at| *at > self.now);
        let grid = self
            .files
            .gallery
            .due()
            .filter(|at| *at > self.now && self.view == View::Files);
        let comparing = self.mode.comparing();
        let sum = comparing.filter(|comparing| comparing.lacks_sum().is_some());
        let sum = sum
            .and_then(|comparing| comparing.cursor_idle.at_rest())
            .filter(|at| *at > self.now);
        [line, rest, sum, preview, grid, total, limits, inside, task]
            .into_iter()
            .flatten()
            .min()
    }

    fn shows_ages(&self) -> bool {
        self.files.listing.loaded_at.is_some() || self.session.limits.book.asked_at.is_some()
    }

    /// The time of the next automatic read of the limits; seldom off the screen, `None` while the
    /// connection is lost.
    pub fn limits_due(&self) -> Option<Timestamp> {
        let every = if self.view == View::Limits {
            self.limits_every
        } else {
            limits::IN_BACKGROUND
        };
        self.session
            .limits
            .due(every)
            .filter(|_| !self.session.connection.is_lost())
    }

    /// The next report missing for the associations on the screen.
    pub fn needs_limits(&self) -> Option<Report> {
        let is_shown = self.session.limits.inside.is_some()
            || shows_limits_pane(self.size.width, self.panes.plain);
        let is_wanted = self.view == View::Limits && is_shown && !self.session.connection.is_lost();
        is_wanted.then(|| self.session.limits.lacks()).flatten()
    }

    /// Returns `true` while something on the screen changes by itself: running tasks, or a pending
    /// answer.
    pub fn is_moving(&self) -> bool {
        self.session.ops.is_busy()
            || self.session.tasks.is_running()
            || self
                .background_sessions
                .iter()
                .any(|away| away.tasks.is_running())
    }

    /// Returns `true` if the details pane is not covered by a comparison or a choice of files.
    fn shows_details(&self) -> bool {
        self.view == View::Files && matches!(self.mode, Mode::Browse | Mode::TwoPanes)
    }

    /// The file under the cursor if its visible details are incomplete; `None` for one that a job
    /// is about to change.
    pub fn needs_details(&self) -> Option<&FileId> {
        let is_shown = self.shows_details() && self.panes.details;
        let row = self.files.listing.current().filter(|_| is_shown)?;
        let is_known = self.files.listing.details.of(&row.target).is_some();
        row.target
            .file()
            .filter(|_| !is_known && !self.session.tasks.busy.holds(&row.target))
    }

    /// The row under the cursor, if its preview has room; `None` if it is never opened or a job
    /// works on it.
    pub fn previewed(&self) -> Option<PreviewKey> {
        let is_shown = self.shows_details() && self.panes.preview && self.shows_all_details();
        if let Some(row) = self.local_in_details() {
            let list = &self.local_side;
            let key = || PreviewKey::local(list.path(row), row.entry.updated_at);
            let is_opened = is_shown && self.picture_support.opens_local(row);
            return is_opened.then(|| self.files.previews.at_its_page(key()));
        }
        let row = self
            .files
            .listing
            .current()
            .filter(|_| is_shown && !self.has_local_details())?;
        let is_opened =
            self.picture_support.opens(row) && !self.session.tasks.busy.holds(&row.target);
        is_opened.then(|| self.files.previews.at_its_page(PreviewKey::of(row)))
    }

    /// The time at which the cursor counts as resting on the previewed row.
    pub fn preview_rest(&self) -> Option<Timestamp> {
        if self.has_local_details() {
            self.local_side.cursor_idle.at_rest()
        } else {
            self.files.cursor_idle.at_rest()
        }
    }

    /// The next preview to request for the cursor: of the row, then the pictures of a folder.
    pub fn needs_preview(&self) -> Option<PreviewKey> {
        let thumbnails = self.picture_support.thumbnails(self.panes, self.size);
        self.previewed()
            .and_then(|key| self.files.previews.lacks(&key, thumbnails))
    }

    /// The next folder on the screen to count.
    pub fn needs_total(&self) -> Option<FolderRef> {
        let is_wanted = self.panes.folder_counts && self.view == View::Files;
        let shows_tree = self.shown_panes().contains(&Pane::Tree);
        is_wanted
            .then(|| self.uncounted(usize::from(self.size.height), shows_tree))
            .flatten()
    }
}
