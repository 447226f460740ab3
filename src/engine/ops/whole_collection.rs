//! Lists a folder, a search, or the duplicates: one page, or everything.

use super::locate::with_paths_there;
use super::perform::{OpContext, Perform};
use super::{duplicates, list, list_all};
use crate::api::Error;
use crate::engine::message::{Collection, Entry};
use crate::engine::question::{List, ListAll, ListPage};

impl Perform for List {
    async fn perform(self, context: &OpContext) -> Result<ListPage, Error> {
        let (is_first, changes) = (self.after.is_none(), context.journal.changes());
        let of = with_paths_there(&context.client, self.of).await?;
        let listing =
            list::page(&context.client, &context.lists, &of, self.sort, self.after).await?;
        if let Collection::Folder(place) = of
            && is_first
            && listing.next.is_none()
        {
            // For shell completion: this is everything in the folder.
            let names = listing.entries.iter().map(Entry::name_in_path).collect();
            let journal = context.journal.clone();
            let keep = move || journal.keep_names(place.path, names, changes);
            // Names that cannot be kept are not missed.
            let _ = tokio::task::spawn_blocking(keep).await;
        }
        Ok(listing)
    }
}

impl Perform for ListAll {
    async fn perform(self, context: &OpContext) -> Result<(), Error> {
        let OpContext {
            client,
            lists,
            parts,
            report,
            ..
        } = context;
        let of = with_paths_there(client, self.of).await?;
        if of.is_read_whole() {
            duplicates::read(client, lists, &of, parts, report).await
        } else {
            list_all::read(client, lists, &of, parts).await
        }
    }
}
