//! All that is in a folder, in a search or among the duplicates.

use super::perform::{OpContext, Perform};
use super::{duplicates, list_all};
use crate::api::Error;
use crate::engine::question::ListAll;

impl Perform for ListAll {
    async fn perform(self, context: &OpContext) -> Result<(), Error> {
        let OpContext { client, lists, parts, report, .. } = context;
        if self.of.is_read_whole() {
            duplicates::read(client, lists, &self.of, parts, report).await
        } else {
            list_all::read(client, lists, &self.of, parts).await
        }
    }
}
