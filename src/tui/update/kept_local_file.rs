//! Where the local file of a failed replacement is: what is said of it.

use std::path::Path;

use crate::api::text::visible;
use crate::engine::Job;
use crate::engine::text_file::{KEPT_DAYS, is_kept};
use crate::tui::keymap::Action;
use crate::tui::state::State;

/// The local file that a job was to put in place of another: it may be a text that was edited and is nowhere else.
pub(super) fn left(job: &Job) -> Option<&Path> {
    if let Job::Replace { local, .. } = job { Some(local) } else { None }
}

/// Says behind a failure where such a file lies.
pub(super) fn behind(what: &str, stays: &str) -> String {
    format!("{what}. The local file {}", stays.trim_end_matches('.'))
}

/// Says where a local file lies, as the end of a sentence; of an edited text of the account on the screen, until when and
/// what shows it.
pub(super) fn stays_at(state: &State, path: &Path) -> String {
    if !is_kept(path) {
        return stays_somewhere(path);
    }
    let key = state.keymap.key_of(state.context(), Action::UnsavedEdits).unwrap_or_default();
    let until = if state.current.account.is_kept() {
        format!("for {KEPT_DAYS} days")
    } else {
        "until the demo ends".to_owned()
    };
    format!("stays {until}, {key} shows it; it is at {}.", visible(&path.to_string_lossy()))
}

/// The same of a text of whatever account.
pub(super) fn stays_somewhere(path: &Path) -> String {
    format!("stays at {}.", visible(&path.to_string_lossy()))
}
