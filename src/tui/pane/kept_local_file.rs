//! Says where the local file of a failed replacement is.

use std::path::Path;

use crate::api::text::visible;
use crate::engine::Job;
use crate::engine::source::FileSource;
use crate::engine::text_file::{KEPT_DAYS, is_kept};
use crate::tui::keymap::Action;
use crate::tui::state::State;

/// The local file of a replacement; it may be an edited text that exists nowhere else.
pub(crate) fn left(job: &Job) -> Option<&Path> {
    if let Job::Replace {
        source: FileSource::Local(local),
        ..
    } = job
    {
        Some(local)
    } else {
        None
    }
}

/// Appends the location of such a file to a failure message.
pub(crate) fn behind(what: &str, stays: &str) -> String {
    format!("{what}. The local file {}", stays.trim_end_matches('.'))
}

/// Says where a local file is, as the end of a sentence; for an edited text also how long it is
/// kept and which key shows it.
pub(crate) fn stays_at(state: &State, path: &Path) -> String {
    if !is_kept(path) || state.is_in_background() {
        return stays_somewhere(path);
    }
    let key = state
        .keymap
        .key_of(state.context(), Action::UnsavedEdits)
        .unwrap_or_default();
    let until = if state.session.account.is_kept() {
        format!("for {KEPT_DAYS} days")
    } else {
        "until the demo ends".to_owned()
    };
    format!(
        "is at {}. It stays {until}, {key} shows it.",
        visible(&path.to_string_lossy())
    )
}

/// Like `stays_at`, for a text of any account.
pub(crate) fn stays_somewhere(path: &Path) -> String {
    format!("stays at {}.", visible(&path.to_string_lossy()))
}
