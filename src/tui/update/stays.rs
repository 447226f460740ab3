//! Where a local file lies that was to be put in the place of another: what is said when that came to nothing.

use std::path::Path;

use crate::api::text::visible;
use crate::engine::Job;

/// Says behind a failure where the file lies that was to be put in the place of another: it may be a text that was edited
/// and is nowhere else.
pub(super) fn stays(job: &Job) -> String {
    match job {
        Job::Replace { local, .. } => format!(". The local file {}", stays_at(local).trim_end_matches('.')),
        _ => String::new(),
    }
}

/// Says where a local file lies, as the end of a sentence.
pub(super) fn stays_at(path: &Path) -> String {
    format!("stays at {}.", visible(&path.to_string_lossy()))
}
