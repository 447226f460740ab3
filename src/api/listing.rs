//! Listings as streams, fetched page by page on demand, even past offset 10,000
//! (`contract.md#search`). An error ends the stream.

use std::pin::Pin;

use futures::stream::{self, Stream, StreamExt, TryStreamExt};

use super::client::Client;
use super::error::{Error, Kind};
use super::files::FilesApi;
use super::folders::FoldersApi;
use super::ids::FolderId;
use super::model::{File, Folder};
use super::pager::{Listable, Pager};
use super::root_folder;
use super::search::{FileSearch, FolderSearch};

/// A stream of the entries of a listing. Sends no request until polled, or after it is dropped.
pub type ListingStream<T> = Pin<Box<dyn Stream<Item = Result<T, Error>> + Send>>;

impl FilesApi<'_> {
    /// Streams all files that a search finds, like [`pages`](Self::pages).
    pub fn all(self, search: FileSearch) -> ListingStream<File> {
        flat(pages(self.pages(search)))
    }

    /// Streams the files directly in a folder, in order of id; `None` is the root folder.
    pub fn in_folder(self, folder: Option<&FolderId>) -> ListingStream<File> {
        content(self.client, folder)
    }
}

impl FoldersApi<'_> {
    /// Streams all folders that a search finds, like [`pages`](Self::pages).
    pub fn all(self, search: FolderSearch) -> ListingStream<Folder> {
        flat(pages(self.pages(search)))
    }

    /// Streams the folders directly in a folder, in order of id; `None` is the root folder.
    pub fn in_folder(self, folder: Option<&FolderId>) -> ListingStream<Folder> {
        content(self.client, folder)
    }
}

fn pages<T: Listable>(pager: Pager<T>) -> impl Stream<Item = Result<Vec<T>, Error>> + Send {
    stream::try_unfold(pager, |mut pager| async move {
        Ok(pager.next().await?.map(|page| (page, pager)))
    })
}

fn flat<T: Send + 'static>(
    pages: impl Stream<Item = Result<Vec<T>, Error>> + Send + 'static,
) -> ListingStream<T> {
    pages
        .map_ok(|page| stream::iter(page.into_iter().map(Ok::<T, Error>)))
        .try_flatten()
        .boxed()
}

/// Streams the entries directly in a folder. The first page shows how the service lists the root
/// folder: if it refuses the stand-in id, or finds nothing, everything is listed and filtered.
fn content<T: Listable>(client: &Client, folder: Option<&FolderId>) -> ListingStream<T> {
    let mut search = T::Search::default();
    T::filter(&mut search).parents = vec![folder.cloned().unwrap_or_else(root_folder::stand_in)];
    let found = pages::<T>(Pager::new(client, search));
    let folder = folder.cloned();
    let belongs = {
        let folder = folder.clone();
        move |page: Vec<T>| {
            page.into_iter()
                .filter(|entry| entry.is_in(folder.as_ref()))
                .collect::<Vec<T>>()
        }
    };
    if folder.is_some() {
        return flat(found.map_ok(belongs));
    }
    let client = client.clone();
    let found = stream::once(async move {
        let mut found = Box::pin(found);
        let first = match found.try_next().await {
            Err(error) if error.kind == Kind::Invalid => Vec::new(),
            first => first?.unwrap_or_default(),
        };
        Ok::<ListingStream<Vec<T>>, Error>(if first.is_empty() {
            pages::<T>(Pager::new(&client, T::Search::default())).boxed()
        } else {
            stream::iter([Ok(first)]).chain(found).boxed()
        })
    });
    flat(found.try_flatten().map_ok(belongs))
}
