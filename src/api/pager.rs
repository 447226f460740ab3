//! The pages of a listing, one after another, even past offset 10,000 (`contract.md#search`).

use std::collections::HashSet;

use super::client::Client;
use super::error::{Error, Kind};
use super::files::FilesApi;
use super::folders::FoldersApi;
use super::ids::FolderId;
use super::model::{File, Folder, Page};
use super::position::{FIRST_ID, PageEnd, Position, check_empty_pages};
use super::search::{FileSearch, Filter, FolderSearch};
use super::text::visible;

impl FilesApi<'_> {
    /// Reads all files that a search finds page by page, however many there are.
    ///
    /// They come in the order of `filter.sort`, and in order of id from the 10,000th on. Without
    /// `filter.sort` all come in order of id, which suits a list that changes while it is read.
    /// `filter.after` is ignored. The service may ignore filters: check each result.
    pub fn pages(self, search: FileSearch) -> Pager<File> {
        Pager::new(self.client, search)
    }
}

impl FoldersApi<'_> {
    /// Reads all folders that a search finds page by page, like [`FilesApi::pages`].
    pub fn pages(self, search: FolderSearch) -> Pager<Folder> {
        Pager::new(self.client, search)
    }
}

/// A file or a folder.
pub trait Listable: Sized + Send + 'static {
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
        client.files().search(search).await
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn is_in(&self, folder: Option<&FolderId>) -> bool {
        self.is_in(folder)
    }
}

impl Listable for Folder {
    type Search = FolderSearch;

    fn filter(search: &mut FolderSearch) -> &mut Filter {
        &mut search.filter
    }

    async fn page(client: &Client, search: &FolderSearch) -> Result<Page<Self>, Error> {
        client.folders().search(search).await
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn is_in(&self, folder: Option<&FolderId>) -> bool {
        self.is_in(folder)
    }
}

/// A listing that is read page by page. Sends a request only when a page is asked for.
#[derive(Debug)]
pub struct Pager<T: Listable> {
    client: Client,
    search: T::Search,
    position: Option<Position>,
    /// The first id of a listing in order of id; an error if it is not a number.
    lowest: Result<u64, Error>,
    /// The ids already returned, if some may come again.
    given: HashSet<String>,
    empty_pages: u32,
}

impl<T: Listable> Pager<T> {
    pub(super) fn new(client: &Client, mut search: T::Search) -> Self {
        let filter = T::filter(&mut search);
        let lowest = filter
            .id_from
            .as_ref()
            .map_or(Ok(FIRST_ID), |id| id.parse().map_err(|_| no_id(id)));
        let position = match &lowest {
            Ok(lowest) if filter.sort.is_empty() => Position::from_id(*lowest),
            _ => Position::default(),
        };
        Self {
            client: client.clone(),
            search,
            position: Some(position),
            lowest,
            given: HashSet::new(),
            empty_pages: 0,
        }
    }

    /// Continues at another position of the listing, without the entries that this pager has already
    /// returned; `None` is the end.
    #[must_use]
    pub fn at(self, position: Option<Position>) -> Self {
        Self { position, ..self }
    }

    /// Returns the position of the next page; `None` at the end.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// Requests the next page, and returns the entries that were not returned before; `None` at the
    /// end. After an error, the same page is next.
    ///
    /// # Errors
    ///
    /// [`Kind::Decode`] if the listing makes no progress, or any failure of the call.
    pub async fn next(&mut self) -> Result<Option<Vec<T>>, Error> {
        let Some(position) = self.position else {
            return Ok(None);
        };
        let lowest = self.lowest.clone()?;
        let mut search = self.search.clone();
        let filter = T::filter(&mut search);
        let order = std::mem::take(&mut filter.sort);
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
        if !T::filter(&mut self.search).sort.is_empty() {
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
