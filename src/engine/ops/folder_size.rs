//! Measures folders, at any depth, for the question before a deletion.

use super::perform::{OpContext, Perform};
use super::walk::Walk;
use crate::api::ids::FolderId;
use crate::api::{Client, Error};
use crate::engine::folder_size::FolderSizes;
use crate::engine::message::Progress;
use crate::engine::question::MeasureFolders;

/// The most requests for measuring folders while a question waits for the result.
pub const MOST_REQUESTS: usize = 50;

/// Counts the contents of folders, none of which lies in another, and reports the counts so far.
pub async fn folder_size(
    client: &Client,
    folders: &[FolderId],
    most_requests: usize,
    mut tell: impl FnMut(&FolderSizes),
) -> Result<FolderSizes, Error> {
    let mut walk = Walk::new(client, folders, most_requests);
    while walk.next().await?.is_some() {
        tell(walk.sizes());
    }
    Ok(walk.sizes().clone())
}

impl Perform for MeasureFolders {
    async fn perform(self, context: &OpContext) -> Result<FolderSizes, Error> {
        let report =
            |sizes: &FolderSizes| context.report.report(Progress::FolderSizes(sizes.clone()));
        folder_size(&context.client, &self.folders, MOST_REQUESTS, report).await
    }
}
