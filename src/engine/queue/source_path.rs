//! The local file that a job sends, by its path without links: a link that takes the place of a
//! folder in the meantime would lead to a file that nobody named. On Windows such paths have a form
//! that is not for people, and links are rare.

use std::path::{Path, PathBuf};

use crate::api::Error;
use crate::engine::job::Job;
use crate::engine::seen_state::changed_since;
use crate::engine::source::FileSource;
use crate::engine::text_file::is_edited_text;

/// Resolves the links in the path. The file keeps the name that it was given with.
pub(super) async fn resolve(job: &mut Job) {
    let Some(resolved) = resolved(job).await else {
        return;
    };
    match job {
        Job::Upload {
            source: FileSource::Local(local),
            name,
            ..
        } => {
            if name.is_none() && local.file_name() != resolved.file_name() {
                *name = local
                    .file_name()
                    .and_then(|own| own.to_str())
                    .map(str::to_owned);
            }
            *local = resolved;
        }
        Job::Replace {
            source: FileSource::Local(local),
            ..
        } => *local = resolved,
        _ => {}
    }
}

/// Fails if the path leads through a link by now.
pub(super) async fn check(job: &Job) -> Result<(), Error> {
    match (source(job), resolved(job).await) {
        (Some(local), Some(resolved)) if *local != *resolved => {
            Err(changed_since(&local.to_string_lossy()))
        }
        _ => Ok(()),
    }
}

async fn resolved(job: &Job) -> Option<PathBuf> {
    let local = source(job).filter(|_| cfg!(unix))?;
    tokio::fs::canonicalize(local).await.ok()
}

fn source(job: &Job) -> Option<&Path> {
    match job {
        Job::Upload {
            source: FileSource::Local(local),
            ..
        } => Some(local),
        // An edited text is opened through no link, wherever the state folder lies.
        Job::Replace {
            source: FileSource::Local(local),
            seen,
            ..
        } if !is_edited_text(local, seen.as_deref()) => Some(local),
        _ => None,
    }
}
