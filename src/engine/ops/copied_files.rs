//! Reads the old and the new addresses of the files that a batch has copied from an account.

use super::files_by_id::files_by_id;
use super::perform::{OpContext, Perform};
use crate::api::ids::FileId;
use crate::api::{Error, Kind};
use crate::engine::address_map::{AddressRow, FileAddress};
use crate::engine::question::ReadAddressMap;

impl Perform for ReadAddressMap {
    async fn perform(self, context: &OpContext) -> Result<Vec<AddressRow>, Error> {
        let done = context.journal.copied_files(self.batch).await?;
        let copied = done
            .iter()
            .filter_map(|(job, stored)| Some((job.remote_source()?, stored)));
        let copied: Vec<_> = copied.collect();
        let Some((first, _)) = copied.first() else {
            let message = "Nothing of this task is known to be copied; a map has what was copied";
            return Err(Error::new(Kind::NotFound, message));
        };
        let client = context.sources.client(&first.account).await?;
        let ids = copied
            .iter()
            .filter_map(|(source, _)| source.file.target.file());
        let sources = files_by_id(&client, ids).await?;
        let ids = copied.iter().map(|(_, stored)| &stored.file);
        let targets = files_by_id(&context.client, ids).await?;
        let rows = copied.iter().filter_map(|(source, stored)| {
            let id = source.file.target.file()?;
            let gone = |account: &str, id: &FileId, path: &str| FileAddress {
                account: account.to_owned(),
                id: id.to_string(),
                path: path.to_owned(),
                address: None,
            };
            let (from, to) = (source.account_name(), &*self.account);
            Some(AddressRow {
                source: sources.get(id).map_or_else(
                    || gone(from, id, &source.file.path),
                    |file| FileAddress::of(from, file),
                ),
                target: targets.get(&stored.file).map_or_else(
                    || gone(to, &stored.file, ""),
                    |file| FileAddress::of(to, file),
                ),
                state: stored.state,
                compared_by: stored.compared_by,
            })
        });
        Ok(rows.collect())
    }
}
