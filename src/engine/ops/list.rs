//! Lists folders and searches page by page: first the folders, then the files. Every result is
//! checked, since a service may ignore a filter (`contract.md#conventions`). Past offset 10,000 a
//! stage continues in order of id, leaving out what was returned before.

use futures::stream::{self, BoxStream, StreamExt as _};

use super::entry_pager::EntryPager;
use super::list_memory::ListScope;
use super::root::RootFilter;
use crate::api::model::{File, Folder};
use crate::api::search::{Bounds, FileSearch, Filter, FolderSearch, SortBy};
use crate::api::{Client, Error, Kind, Position, root_folder};
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
    let kept = memory.take(of, cursor.stage).unwrap_or_else(|| {
        let scope = memory.scope(of).unwrap_or(ListScope::Folder);
        asked.pager(cursor.stage, scope)
    });
    let mut pager = kept.at(Some(cursor.position));
    let entries = asked.next_entries(&mut pager).await;
    let next = asked.keep(pager);
    Ok(ListPage {
        entries: entries?,
        next,
    })
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
        let (mut pager, mut entries) = self.start(stage).await?;
        loop {
            entries.into_iter().for_each(&mut give);
            if pager.position().is_none() {
                return Ok(());
            }
            entries = self.next_entries(&mut pager).await?;
        }
    }

    /// Returns the subfolders and, if they fit into one page, the first files. Both are requested
    /// at once, so that opening a folder takes one round trip; only how to request the root folder
    /// has to be found out first.
    async fn opening(&self) -> Result<ListPage, Error> {
        let first_files = async {
            let mut pager = self.pager(Stage::Files, self.memory.scope(self.of)?);
            let entries = pager.next().await;
            Some((pager, entries))
        };
        let (folders, files_ahead) = futures::join!(self.start(Stage::Folders), first_files);
        let (mut pager, mut entries) = folders?;
        if pager.position().is_none() {
            let files;
            (pager, files) = match files_ahead {
                Some((mut pager, entries)) => {
                    let entries = self.filled(&mut pager, entries?).await?;
                    (pager, entries)
                }
                None => self.start(Stage::Files).await?,
            };
            entries.extend(files);
        }
        let next = self.keep(pager);
        Ok(ListPage { entries, next })
    }

    /// Returns the first entries of a stage, and the pager for the others; finds out how to request
    /// the root folder.
    pub(super) async fn start(&self, stage: Stage) -> Result<(EntryPager, Vec<Entry>), Error> {
        let scope = self.memory.scope(self.of);
        let mut pager = self.pager(stage, scope.unwrap_or(ListScope::Folder));
        if scope.is_some() {
            let entries = self.next_entries(&mut pager).await?;
            return Ok((pager, entries));
        }
        let entries = match pager.next().await {
            Err(error) if error.kind == Kind::Invalid => Vec::new(),
            entries => entries?,
        };
        if !entries.is_empty() {
            if entries.iter().all(|entry| self.belongs(entry)) {
                self.memory.set_root(RootFilter::Honored);
                return Ok((pager, entries));
            }
            self.memory.set_root(RootFilter::Ignored);
        }
        let mut pager = self.pager(stage, ListScope::Everything);
        let entries = self.next_entries(&mut pager).await?;
        if !entries.is_empty() {
            self.memory.set_root(RootFilter::Ignored);
        }
        Ok((pager, entries))
    }

    pub(super) async fn next_entries(&self, pager: &mut EntryPager) -> Result<Vec<Entry>, Error> {
        let entries = pager.next().await?;
        self.filled(pager, entries).await
    }

    /// Keeps what belongs to the collection: the service may ignore a filter. Continues past pages
    /// that hold nothing of a folder; a search reports after each page.
    async fn filled(
        &self,
        pager: &mut EntryPager,
        mut entries: Vec<Entry>,
    ) -> Result<Vec<Entry>, Error> {
        loop {
            entries.retain(|entry| self.belongs(entry));
            let is_search = self.of.folder().is_none();
            if is_search || !entries.is_empty() || pager.position().is_none() {
                return Ok(entries);
            }
            entries = pager.next().await?;
        }
    }

    /// Keeps the pager for the next page, and returns where that begins.
    fn keep(&self, pager: EntryPager) -> Option<Cursor> {
        let stage = pager.stage();
        let files = Cursor {
            stage: Stage::Files,
            position: Position::default(),
        };
        let next = pager.position().map(|position| Cursor { stage, position });
        self.memory.keep(self.of, pager);
        next.or((stage == Stage::Folders).then_some(files))
    }

    pub(super) fn pager(&self, stage: Stage, scope: ListScope) -> EntryPager {
        let parents = match self.of {
            Collection::Folder(place) if scope == ListScope::Folder => {
                vec![place.id.clone().unwrap_or_else(root_folder::stand_in)]
            }
            _ => Vec::new(),
        };
        let sorted = |filter: Filter, order| Filter {
            parents,
            name: filter.name.or_else(|| self.part.clone()),
            sort: vec![order],
            ..filter
        };
        let query = self.of.query();
        let pager = match stage {
            Stage::Folders => {
                let search = query.map_or_else(FolderSearch::default, Query::folders);
                EntryPager::Folders(self.client.folders().pages(FolderSearch {
                    filter: sorted(search.filter, SortBy::NAME),
                    ..search
                }))
            }
            Stage::Files => {
                let folder = || FileSearch {
                    size: self.size,
                    ..FileSearch::default()
                };
                let search = query.map_or_else(folder, Query::files);
                EntryPager::Files(self.client.files().pages(FileSearch {
                    filter: sorted(search.filter, order(self.sort)),
                    ..search
                }))
            }
        };
        pager.at(self.of.reaches(stage).then(Position::default))
    }

    pub(super) fn belongs(&self, entry: &Entry) -> bool {
        let place = match self.of {
            Collection::Folder(place) => place,
            Collection::Found(query) => return query.holds(entry),
        };
        entry.is_in(place.id.as_ref())
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

impl Perform for ListFolders {
    async fn perform(self, context: &OpContext) -> Result<Vec<Folder>, Error> {
        folders(&context.client, &context.lists, &self.place).await
    }
}
