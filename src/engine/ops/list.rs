//! Lists folders and searches page by page: first the folders, then the files. Every result is
//! checked, since a service may ignore a filter (`contract.md#conventions`). Past offset 10,000 a
//! stage continues in order of id, leaving out what was returned before.

use futures::stream::{self, BoxStream, StreamExt as _};

use super::list_memory::ListScope;
use super::root::{self, RootFilter};
use crate::api::model::{File, Folder, Page};
use crate::api::position::{FIRST_ID, PageEnd, check_empty_pages, stands_still};
use crate::api::search::{Bounds, FileSearch, Filter, FolderSearch, SortBy};
use crate::api::{Client, Error, Kind, root_folder};
use crate::engine::message::{Collection, Cursor, Entry, FolderRef, Sort, SortKey, Stage};
use crate::engine::query::Query;

pub use super::list_memory::ListMemory;
use super::perform::{OpContext, Perform};
use crate::engine::question::{ListFolders, ListPage};

/// Returns one page. The first one also holds the first page of files, if the folders fit into one
/// page. A page of a search may be empty and still continue: what the service cannot filter by is
/// filtered here.
pub async fn page(
    client: &Client,
    memory: &ListMemory,
    of: &Collection,
    sort: Sort,
    after: Option<Cursor>,
) -> Result<ListPage, Error> {
    let asked = ListRequest {
        sort,
        ..ListRequest::new(client, memory, of)
    };
    let Some(cursor) = after else {
        memory.start(of);
        return Box::pin(asked.opening()).await;
    };
    let stage = cursor.stage;
    let mut listing = asked.next_entries(cursor).await?;
    if stage == Stage::Folders && listing.next.is_none() {
        listing.next = Some(Cursor::start(Stage::Files));
    }
    Ok(listing)
}

/// Returns all pages of a listing, with a memory of its own.
pub fn pages<'a>(
    client: &'a Client,
    of: &'a Collection,
    sort: Sort,
) -> BoxStream<'a, Result<Vec<Entry>, Error>> {
    let start = (ListMemory::default(), Some(None));
    let next_page = move |(memory, cursor)| async move {
        let Some(after) = cursor else { return Ok(None) };
        let ListPage { entries, next } = page(client, &memory, of, sort, after).await?;
        Ok(Some((entries, (memory, next.map(Some)))))
    };
    stream::try_unfold(start, next_page).boxed()
}

/// Returns the first page of a folder that is not being listed.
pub async fn glance(
    client: &Client,
    memory: &ListMemory,
    place: &FolderRef,
) -> Result<ListPage, Error> {
    let own = ListMemory::with_root_of(memory);
    let listing = page(client, &own, &place.clone().into(), Sort::default(), None).await?;
    memory.take_root_of(&own);
    Ok(listing)
}

/// Returns all subfolders of a folder, by name.
pub async fn folders(
    client: &Client,
    memory: &ListMemory,
    place: &FolderRef,
) -> Result<Vec<Folder>, Error> {
    // A memory of its own, so that it does not disturb a listing of the same folder.
    let (own, of) = (ListMemory::with_root_of(memory), place.clone().into());
    let mut folders = Vec::new();
    let keep_folder = |entry| {
        if let Entry::Folder(folder) = entry {
            folders.push(folder);
        }
    };
    ListRequest::new(client, &own, &of)
        .each(Stage::Folders, keep_folder)
        .await?;
    memory.take_root_of(&own);
    Ok(folders)
}

/// Calls `give` with everything in a folder whose name may contain `part`; with all of it if that
/// is `None`.
pub(super) async fn named(
    client: &Client,
    memory: &ListMemory,
    place: &FolderRef,
    part: Option<String>,
    mut give: impl FnMut(Entry),
) -> Result<(), Error> {
    let of = place.clone().into();
    let asked = ListRequest {
        part,
        ..ListRequest::new(client, memory, &of)
    };
    asked.each(Stage::Folders, &mut give).await?;
    asked.each(Stage::Files, &mut give).await
}

/// Calls `give` with each file of a folder whose size, in bytes, is within `size`. Files without a
/// size are left out.
pub async fn files_of_size(
    client: &Client,
    memory: &ListMemory,
    place: &FolderRef,
    size: Bounds<u64>,
    mut give: impl FnMut(&File),
) -> Result<(), Error> {
    let (own, of) = (ListMemory::with_root_of(memory), place.clone().into());
    let asked = ListRequest {
        size,
        ..ListRequest::new(client, &own, &of)
    };
    let give_file = |entry| match entry {
        Entry::File(file) if file.size.is_some_and(|found| size.holds(&found)) => give(&file),
        _ => {}
    };
    asked.each(Stage::Files, give_file).await?;
    memory.take_root_of(&own);
    Ok(())
}

pub(super) struct ListRequest<'a> {
    client: &'a Client,
    memory: &'a ListMemory,
    of: &'a Collection,
    sort: Sort,
    /// In bytes; of files only.
    size: Bounds<u64>,
    part: Option<String>,
}

impl<'a> ListRequest<'a> {
    pub(super) fn new(client: &'a Client, memory: &'a ListMemory, of: &'a Collection) -> Self {
        Self {
            client,
            memory,
            of,
            sort: Sort::default(),
            size: Bounds::default(),
            part: None,
        }
    }

    async fn each(&self, stage: Stage, mut give: impl FnMut(Entry)) -> Result<(), Error> {
        let mut cursor = Some(Cursor::start(stage));
        while let Some(at) = cursor {
            let listing = self.next_entries(at).await?;
            cursor = listing.next;
            listing.entries.into_iter().for_each(&mut give);
        }
        Ok(())
    }

    /// Returns the first page of a stage; finds out how to request the root folder.
    pub(super) async fn first_page(&self, stage: Stage) -> Result<ListPage, Error> {
        self.one_page(&Cursor::start(stage)).await
    }

    /// Returns the entries that belong to the collection and are new. Fails if there are only
    /// repeats, and more pages.
    pub(super) fn new_of(&self, stage: Stage, found: ServicePage) -> Result<Vec<Entry>, Error> {
        self.check_goes_on(stage, &found)?;
        let (new, is_any) = self.sift(stage, found.entries);
        if is_any && new.is_empty() && found.next.is_some() {
            Err(stands_still())
        } else {
            Ok(new)
        }
    }

    /// Fails after some pages in a row that are empty and name a next one.
    fn check_goes_on(&self, stage: Stage, found: &ServicePage) -> Result<(), Error> {
        let is_empty = found.entries.is_empty() && found.next.is_some();
        check_empty_pages(self.memory.count_empty(self.of, stage, is_empty))
    }

    /// Returns the new entries that belong to the collection, and whether any entry belongs to it.
    fn sift(&self, stage: Stage, mut entries: Vec<Entry>) -> (Vec<Entry>, bool) {
        entries.retain(|entry| self.belongs(entry));
        let is_any = !entries.is_empty();
        self.memory.keep_new(self.of, stage, &mut entries);
        (entries, is_any)
    }

    /// Returns the subfolders and, if they fit into one page, the first files. Both are requested
    /// at once, so that opening a folder takes one round trip; only how to request the root folder
    /// has to be found out first.
    async fn opening(&self) -> Result<ListPage, Error> {
        let (folders, files) = (
            self.next_entries(Cursor::start(Stage::Folders)),
            Cursor::start(Stage::Files),
        );
        let (mut listing, found) = match self.memory.scope(self.of) {
            Some(scope) => {
                let (folders, found) = futures::join!(folders, self.search(&files, scope));
                (folders?, Some(found))
            }
            None => (folders.await?, None),
        };
        if listing.next.is_none() {
            let first = match found {
                Some(found) => self.checked(&files, found?)?,
                None => self.one_page(&files).await?,
            };
            let files = self.filled(first).await?;
            listing.entries.extend(files.entries);
            listing.next = files.next;
        }
        Ok(listing)
    }

    async fn next_entries(&self, cursor: Cursor) -> Result<ListPage, Error> {
        self.filled(self.one_page(&cursor).await?).await
    }

    /// Continues past pages that hold nothing of a folder; a search reports after each page. `next`
    /// stays in the stage.
    async fn filled(&self, mut listing: ListPage) -> Result<ListPage, Error> {
        while let (true, true, Some(next)) = (
            self.of.folder().is_some(),
            listing.entries.is_empty(),
            &listing.next,
        ) {
            listing = self.one_page(next).await?;
        }
        Ok(listing)
    }

    async fn one_page(&self, cursor: &Cursor) -> Result<ListPage, Error> {
        if let Some(scope) = self.memory.scope(self.of) {
            return self.checked(cursor, self.search(cursor, scope).await?);
        }
        let found = match self.search(cursor, ListScope::Folder).await {
            Err(error) if error.kind == Kind::Invalid => ServicePage::default(),
            found => found?,
        };
        if found.entries.is_empty() {
            return self.scan(cursor).await;
        }
        let honored = found.entries.iter().all(|entry| self.belongs(entry));
        self.memory.set_root(if honored {
            RootFilter::Honored
        } else {
            RootFilter::Ignored
        });
        if honored {
            self.checked(cursor, found)
        } else {
            self.scan(cursor).await
        }
    }

    /// Searches everything for entries of the root folder, up to the first page that holds some.
    async fn scan(&self, from: &Cursor) -> Result<ListPage, Error> {
        let mut cursor = Cursor::start(from.stage);
        loop {
            let listing =
                self.checked(&cursor, self.search(&cursor, ListScope::Everything).await?)?;
            if !listing.entries.is_empty() {
                self.memory.set_root(RootFilter::Ignored);
                return Ok(listing);
            }
            match listing.next {
                Some(next) => cursor = next,
                None => return Ok(listing),
            }
        }
    }

    pub(super) async fn search(
        &self,
        cursor: &Cursor,
        scope: ListScope,
    ) -> Result<ServicePage, Error> {
        if !self.of.reaches(cursor.stage) {
            return Ok(ServicePage::default());
        }
        let order = match cursor.stage {
            Stage::Folders => SortBy::NAME,
            Stage::Files => order(self.sort),
        };
        let parents = match self.of {
            Collection::Folder(place) if scope == ListScope::Folder => {
                vec![place.id.clone().unwrap_or_else(root_folder::stand_in)]
            }
            _ => Vec::new(),
        };
        let paged = |filter: Filter| {
            let name = filter.name.or_else(|| self.part.clone());
            cursor.position().applied(
                Filter {
                    parents,
                    name,
                    ..filter
                },
                vec![order],
            )
        };
        Ok(match cursor.stage {
            Stage::Folders => {
                let search = self
                    .of
                    .query()
                    .map_or_else(FolderSearch::default, Query::folders);
                let search = FolderSearch {
                    filter: paged(search.filter),
                    ..search
                };
                ServicePage::of(self.client.search_folders(&search).await?, Entry::Folder)
            }
            Stage::Files => {
                let folder = || FileSearch {
                    size: self.size,
                    ..FileSearch::default()
                };
                let search = self.of.query().map_or_else(folder, Query::files);
                let search = FileSearch {
                    filter: paged(search.filter),
                    ..search
                };
                ServicePage::of(self.client.search_files(&search).await?, Entry::File)
            }
        })
    }

    /// Keeps the new entries that belong to the collection, and says where to continue. Lists shift
    /// while they are read, so some repeats are no error; a list that does not continue at all is.
    fn checked(&self, cursor: &Cursor, found: ServicePage) -> Result<ListPage, Error> {
        let stage = cursor.stage;
        self.check_goes_on(stage, &found)?;
        let end = found.end();
        let (entries, is_any) = self.sift(stage, found.entries);
        let end = end.only_repeats(entries.is_empty() && is_any);
        let next = cursor
            .position()
            .after(end, FIRST_ID)?
            .map(|position| Cursor::at(stage, position));
        Ok(ListPage { entries, next })
    }

    pub(super) fn belongs(&self, entry: &Entry) -> bool {
        let place = match self.of {
            Collection::Folder(place) => place,
            Collection::Found(query) => return query.holds(entry),
        };
        match entry {
            Entry::Folder(folder) => root::is_in(
                place,
                folder.parent_folder_id.as_ref(),
                folder.path.as_deref(),
                || folder.full_name(),
            ),
            Entry::File(file) => root::holds_file(place, file),
        }
    }
}

#[derive(Default)]
pub(super) struct ServicePage {
    pub(super) entries: Vec<Entry>,
    /// The offset of the next page, as the service names it.
    pub(super) next: Option<String>,
}

impl ServicePage {
    pub(super) fn of<T>(page: Page<T>, entry: fn(T) -> Entry) -> Self {
        let next = page.next_after().map(str::to_owned);
        Self {
            next,
            entries: page.results.into_iter().map(entry).collect(),
        }
    }

    pub(super) fn end(&self) -> PageEnd {
        PageEnd::of(self.entries.iter().map(Entry::id), self.next.clone())
    }
}

fn order(sort: Sort) -> SortBy {
    let field = match sort.key {
        // What the service does not sort by is read whole, and sorted where it is shown.
        SortKey::Name | SortKey::Access | SortKey::Content => "name",
        SortKey::Size => "size",
        SortKey::Kind => "type",
        SortKey::Created => "createdAt",
        SortKey::Updated => "updatedAt",
        SortKey::Expires => "expiresAt",
    };
    SortBy {
        field,
        descending: sort.descending,
    }
}

pub(super) fn highest_id(entries: &[Entry]) -> Option<u64> {
    entries
        .iter()
        .filter_map(|entry| entry.id().parse().ok())
        .max()
}

impl Perform for ListFolders {
    async fn perform(self, context: &OpContext) -> Result<Vec<Folder>, Error> {
        folders(&context.client, &context.lists, &self.place).await
    }
}
