//! Turns requested jobs into the form in which they are recorded.

use std::collections::HashMap;

use super::source_path;
use crate::api::{Error, Kind, sendable};
use crate::engine::job::Job;
use crate::engine::journal::StoredJob;
use crate::regular_file::Links;

/// Returns the jobs as recorded, with the bytes that they move; and the original ones where that
/// lacks something.
pub(super) async fn written(jobs: Vec<Job>) -> Result<(Vec<StoredJob>, HashMap<u32, Job>), Error> {
    let (mut written, mut whole) = (Vec::with_capacity(jobs.len()), HashMap::new());
    for (number, mut job) in (0..).zip(jobs) {
        source_path::resolve(&mut job).await;
        let bytes = match &job {
            Job::Upload { local, .. } | Job::Replace { local, .. } => {
                sendable(local, Links::Followed)
                    .await
                    .ok()
                    .map(|metadata| metadata.len())
            }
            job => job
                .item()
                .filter(|_| job.kind().is_transfer())
                .and_then(|item| item.size),
        };
        let bare = job.without_secrets();
        let text = serde_json::to_string(bare.as_ref().unwrap_or(&job));
        let text = text.map_err(|error| {
            Error::new(
                Kind::Internal,
                format!("A job cannot be written down: {error}"),
            )
        })?;
        written.push((text, bare.is_some(), bytes, job.upload_path()));
        if bare.is_some() {
            whole.insert(number, job);
        }
    }
    Ok((written, whole))
}
