//! Turns requested jobs into the form in which they are recorded.

use super::source_path;
use crate::api::sendable;
use crate::engine::job::Job;
use crate::engine::journal::PendingJob;
use crate::engine::source::FileSource;
use crate::regular_file::Links;

/// Returns the jobs with the bytes that they move, and with the paths of local files resolved.
pub(super) async fn pending(jobs: Vec<Job>) -> Vec<PendingJob> {
    let mut pending = Vec::with_capacity(jobs.len());
    for (number, mut job) in (0..).zip(jobs) {
        source_path::resolve(&mut job).await;
        let bytes = match &job {
            Job::Upload { source, .. } | Job::Replace { source, .. } => match source {
                FileSource::Local(local) => sendable(local, Links::Followed)
                    .await
                    .ok()
                    .map(|metadata| metadata.len()),
                FileSource::Remote(remote) => remote.file.size,
            },
            job => job
                .item()
                .filter(|_| job.kind().is_transfer())
                .and_then(|item| item.size),
        };
        pending.push(PendingJob::new(number, job, bytes));
    }
    pending
}
