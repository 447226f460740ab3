//! Listings as streams, fetched page by page on demand, even past offset 10,000
//! (`contract.md#search`). An error ends the stream.

use std::collections::HashSet;
use std::pin::Pin;

use futures::stream::{self, Stream, StreamExt, TryStreamExt};

use super::client::Client;
use super::error::{Error, Kind};
use super::ids::FolderId;
use super::model::{File, Folder, Page};
use super::position::{FIRST_ID, PageEnd, Position, check_empty_pages};
use super::root_folder;
use super::search::{FileSearch, Filter, FolderSearch};
use super::text::visible;

/// A stream of the entries of a listing. Sends no request until polled, or after it is dropped.
pub type ListingStream<T> = Pin<Box<dyn Stream<Item = Result<T, Error>> + Send>>;

impl Client {
    /// Streams all files that a search finds, however many there are.
    ///
    /// They come in the order of `filter.sort`, and in order of id from the 10,000th on. Without
    /// `filter.sort` all come in order of id, which suits a list that changes while it is read.
    /// `filter.after` is ignored. The service may ignore filters: check each result.
    pub fn all_files(&self, search: FileSearch) -> ListingStream<File> {
        listing(self, search)
    }

    /// Streams all folders that a search finds, like [`all_files`](Self::all_files).
    pub fn all_folders(&self, search: FolderSearch) -> ListingStream<Folder> {
        listing(self, search)
    }

    /// Streams the files directly in a folder, in order of id; `None` is the root folder.
    pub fn files_in(&self, folder: Option<&FolderId>) -> ListingStream<File> {
        content(self, folder)
    }

    /// Streams the folders directly in a folder, in order of id; `None` is the root folder.
    pub fn folders_in(&self, folder: Option<&FolderId>) -> ListingStream<Folder> {
        content(self, folder)
    }
}

trait Listable: Sized + Send + 'static {
    type Search: Default + Clone + Send + Sync + 'static;

    fn filter(search: &mut Self::Search) -> &mut Filter;

    fn page(
        client: &Client,
        search: &Self::Search,
    ) -> impl Future<Output = Result<Page<Self>, Error>> + Send;

    fn id(&self) -> &str;

    fn is_in(&self, folder: Option<&FolderId>) -> bool;
}

impl Listable for File {
    type Search = FileSearch;

    fn filter(search: &mut FileSearch) -> &mut Filter {
        &mut search.filter
    }

    async fn page(client: &Client, search: &FileSearch) -> Result<Page<Self>, Error> {
        client.search_files(search).await
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn is_in(&self, folder: Option<&FolderId>) -> bool {
        root_folder::is_in(
            folder,
            self.parent_folder_id.as_ref(),
            self.path.as_deref(),
            || self.full_name(),
        )
    }
}

impl Listable for Folder {
    type Search = FolderSearch;

    fn filter(search: &mut FolderSearch) -> &mut Filter {
        &mut search.filter
    }

    async fn page(client: &Client, search: &FolderSearch) -> Result<Page<Self>, Error> {
        client.search_folders(search).await
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn is_in(&self, folder: Option<&FolderId>) -> bool {
        root_folder::is_in(
            folder,
            self.parent_folder_id.as_ref(),
            self.path.as_deref(),
            || self.full_name(),
        )
    }
}

struct ListingReader<T: Listable> {
    client: Client,
    search: T::Search,
    /// The position of the next page; `None` at the end.
    position: Option<Position>,
    /// The first id of a listing in order of id; an error if it is not a number.
    lowest: Result<u64, Error>,
    /// The ids already returned, if some may come again.
    given: HashSet<String>,
    empty_pages: u32,
}

impl<T: Listable> ListingReader<T> {
    fn new(client: &Client, mut search: T::Search) -> Self {
        let filter = T::filter(&mut search);
        let lowest = filter
            .id_from
            .as_ref()
            .map_or(Ok(FIRST_ID), |id| id.parse().map_err(|_| no_id(id)));
        let position = match &lowest {
            Ok(lowest) if filter.sort.is_empty() => Position::from_id(*lowest),
            _ => Position::default(),
        };
        let (client, position) = (client.clone(), Some(position));
        Self {
            client,
            search,
            position,
            lowest,
            given: HashSet::new(),
            empty_pages: 0,
        }
    }

    /// Fetches the next page, without entries already returned; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<T>>, Error> {
        let Some(position) = self.position.take() else {
            return Ok(None);
        };
        let lowest = self.lowest.clone()?;
        let mut search = self.search.clone();
        let filter = T::filter(&mut search);
        let order = filter.sort.clone();
        let is_in_order_of_id = order.is_empty();
        *filter = position.applied(std::mem::take(filter), order);
        let page = T::page(&self.client, &search).await?;
        let next = page.next_after().map(str::to_owned);
        let mut found = page.results;
        let is_empty = found.is_empty();
        self.empty_pages = if is_empty { self.empty_pages + 1 } else { 0 };
        if next.is_some() {
            check_empty_pages(self.empty_pages)?;
        }
        let end = PageEnd::of(found.iter().map(T::id), next);
        if !is_in_order_of_id {
            found.retain(|entry| self.given.insert(entry.id().to_owned()));
        }
        self.position = position.after(end.only_repeats(!is_empty && found.is_empty()), lowest)?;
        Ok(Some(found))
    }
}

fn no_id(text: &str) -> Error {
    Error::new(
        Kind::Invalid,
        format!("{} is not the id of a file or folder", visible(text)),
    )
}

fn pages<T: Listable>(
    client: &Client,
    search: T::Search,
) -> impl Stream<Item = Result<Vec<T>, Error>> + Send + use<T> {
    stream::try_unfold(
        ListingReader::<T>::new(client, search),
        |mut reading| async move { Ok(reading.next().await?.map(|page| (page, reading))) },
    )
}

fn listing<T: Listable>(client: &Client, search: T::Search) -> ListingStream<T> {
    flat(pages(client, search))
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
    let found = pages::<T>(client, search);
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
            pages::<T>(&client, T::Search::default()).boxed()
        } else {
            stream::iter([Ok(first)]).chain(found).boxed()
        })
    });
    flat(found.try_flatten().map_ok(belongs))
}
