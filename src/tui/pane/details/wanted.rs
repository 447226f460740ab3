//! The facts that the details pane shows, and lacks, of the row under the cursor.

use jiff::Timestamp;

use crate::api::ids::FileId;
use crate::tui::state::{Mode, PreviewKey, State, View};

impl State {
    /// Returns `true` if the details pane is not covered by a comparison or a choice of files.
    fn shows_details(&self) -> bool {
        self.view == View::Files && matches!(self.mode, Mode::Lists(_))
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
}
