//! Removes an account's cached thumbnails, and the names for completion, from this machine.

use super::perform::{OpContext, Perform};
use crate::api::Error;
use crate::engine::question::ClearThumbnails;

impl Perform for ClearThumbnails {
    async fn perform(self, context: &OpContext) -> Result<u64, Error> {
        let (journal, thumbnails) = (context.journal.clone(), context.thumbnails.clone());
        let clear = move || {
            let names = journal.forget_names()?;
            Ok(names + thumbnails.map_or(Ok(0), |thumbnails| thumbnails.clear())?)
        };
        let cleared = tokio::task::spawn_blocking(clear)
            .await
            .unwrap_or_else(|error| Err(std::io::Error::other(error)));
        cleared.map_err(|error| Error::local("Some of it is still on the disk", &error))
    }
}
