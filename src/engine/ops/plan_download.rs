//! Plans downloads: what they would meet in a local folder, and the room on its disk, for files,
//! and for folders with everything in them. Reads a local file only if its name and size are those
//! of the one to come.

use std::collections::{BTreeSet, HashMap, HashSet, hash_map};
use std::path::{Component, Path, PathBuf};

use super::case_fold::looks_like;
use super::disk_room::disk_room;
use super::gitignore_rules::GitignoreRules;
use super::local_lookup::LocalLookup;
use super::local_place::{check_folder, existing_part, joined};
use super::local_tree;
use super::md5_sum::Md5Sum;
use super::partial_file;
use super::perform::{OpContext, Perform};
use super::placement::{RowPlacement, TargetFolder};
use super::remote_tree::{RemoteTree, TreeEntry, below};
use crate::api::search::{FileSearch, PAGE};
use crate::api::{Client, Error, Kind};
use crate::engine::disk_name::path_to_disk;
use crate::engine::folder_size::outermost;
use crate::engine::item::{Entry, Item, Target};
use crate::engine::job::Room;
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::message::Progress;
use crate::engine::name_form::fold;
use crate::engine::plan::{Existing, PlanEvent, PlanRow, PlanSource};
use crate::engine::progress_sink::ProgressSink;
use crate::engine::question::{PlanDownload, Planned};
use crate::engine::tree_filter::{TreeFilter, TreeRules};
use crate::regular_file::{self, Links};

/// Nobody would look through more, and a plan for them would take too much memory.
const MOST_FILES: usize = 100_000;

#[derive(Debug)]
pub struct DownloadPlan {
    /// The rows; those that need a look come first.
    pub rows: Vec<PlanRow>,
    /// Entries of folders that the rules leave out, and files that cannot be read.
    pub left_out: LeftOut,
    /// The bytes that there is room for; `None` if the system does not say.
    pub room: Option<u64>,
}

/// Looks for what downloads would meet in a local folder, which may be missing; the rules apply to
/// the contents of folders.
pub async fn plan(
    client: &Client,
    items: &[Item],
    into: &Path,
    rules: &TreeRules,
    report: &ProgressSink,
) -> Result<DownloadPlan, Error> {
    let filter = TreeFilter::new(rules)?;
    let wanted = WantedFiles::collect(client, items, &LocalRules { into, filter }, report).await?;
    let names = wanted.files.iter().map(|(name, _)| name);
    let names = names.chain(&wanted.empty).map(String::as_str);
    let mut placement = RowPlacement::look(&into, names).await?;
    let (mut rows, mut left_out) = (Vec::new(), wanted.left_out);
    for (name, file) in wanted.files {
        let row = PlanRow {
            warning: wanted.alike.get(folder_name(&name)).cloned(),
            size: file.size,
            ..PlanRow::new(PlanSource::Remote(file), name.clone(), None)
        };
        match compared(placement.place_file(row), into).await {
            Some(row) => rows.push(row),
            None => left_out.add(name, Reason::Unreadable),
        }
    }
    let unfit = wanted.unfit.into_iter();
    rows.extend(
        unfit.map(|(name, why)| PlanRow::new(PlanSource::Unfit(why.to_owned()), name, None)),
    );
    let empty = wanted.empty.iter();
    rows.extend(empty.filter_map(|path| placement.place_folder(path)));
    rows.sort_by_key(PlanRow::urgency);
    Ok(DownloadPlan {
        rows,
        left_out,
        room: disk_room(into),
    })
}

fn folder_name(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The files and folders to download, by path from the local folder.
#[derive(Default)]
struct WantedFiles {
    files: Vec<(String, Item)>,
    /// Everything that this machine's disk cannot have, by path in the account, with the reason.
    unfit: Vec<(String, &'static str)>,
    empty: BTreeSet<String>,
    /// Warnings about folders that cannot be told from an earlier one.
    alike: HashMap<String, String>,
    left_out: LeftOut,
}

struct LocalRules<'a> {
    into: &'a Path,
    filter: TreeFilter,
}

impl LocalRules<'_> {
    /// Returns the rules in the `.gitignore` files of the local folder of a name.
    async fn ignored(&self, name: &str) -> Result<GitignoreRules, Error> {
        let lookup = LocalLookup::look(self.into, &HashSet::from([name])).await?;
        let form = lookup.names().form_of(name).ok().flatten();
        let folder = joined(self.into, form.unwrap_or(name));
        if !self.filter.gitignore || !tokio::fs::try_exists(&folder).await.unwrap_or(true) {
            return Ok(GitignoreRules::default());
        }
        Ok(local_tree::read(&folder, &self.filter).await?.rules)
    }
}

impl WantedFiles {
    /// Collects the files as they were chosen, then those in folders by path.
    async fn collect(
        client: &Client,
        items: &[Item],
        rules: &LocalRules<'_>,
        report: &ProgressSink,
    ) -> Result<Self, Error> {
        let items = outermost(&items.iter().collect::<Vec<_>>());
        let (mut wanted, mut tops) = (Self::default(), Vec::new());
        let (mut folders, mut ignored) = (HashMap::new(), HashMap::new());
        for item in items {
            let name = below("", &item.name);
            match &item.target {
                Target::File(_) => wanted.add_file(&name, item.clone()),
                Target::Folder(id) => {
                    wanted.add_folder(&name, &mut folders);
                    ignored.insert(name.clone(), rules.ignored(&name).await?);
                    tops.push((id.clone(), name));
                }
            }
        }
        let first = wanted.files.len();
        let mut bytes: u64 = wanted.files.iter().filter_map(|(_, file)| file.size).sum();
        let mut tree = RemoteTree::below(client, tops);
        while let Some(found) = tree.next().await? {
            for TreeEntry { path, entry } in found {
                if let Ok(folder) = path_to_disk(folder_name(&path)) {
                    wanted.empty.remove(&folder);
                }
                let (top, below) = path.split_once('/').unwrap_or((&path, ""));
                let is_folder = matches!(entry, Entry::Folder(_));
                let ignored = || {
                    ignored
                        .get(top)?
                        .ignore(below, is_folder)
                        .then_some(Reason::Pattern)
                };
                if let Some(reason) = rules.filter.leaves_out(below, is_folder).or_else(ignored) {
                    wanted.left_out.add(path, reason);
                    continue;
                }
                match entry {
                    Entry::Folder(_) => wanted.add_folder(&path, &mut folders),
                    Entry::File(file) => {
                        bytes = bytes.saturating_add(file.size.unwrap_or(0));
                        wanted.add_file(&path, Item::of(&file));
                    }
                }
            }
            if wanted.files.len() > MOST_FILES {
                let message = format!(
                    "These are more than {MOST_FILES} files; download their folders one by one"
                );
                return Err(Error::new(Kind::Refused, message));
            }
            report.report(Progress::Found {
                files: wanted.files.len(),
                bytes,
            });
        }
        if !rules.filter.takes_empty_folders() {
            wanted.empty.clear();
        }
        if let Some(in_folders) = wanted.files.get_mut(first..) {
            in_folders.sort_by(|one, other| one.0.cmp(&other.0));
        }
        Ok(wanted)
    }

    fn add_file(&mut self, path: &str, file: Item) {
        match path_to_disk(path) {
            Ok(path) => self.files.push((path, file)),
            Err(why) => self.unfit.push((path.to_owned(), why)),
        }
    }

    /// Adds a folder; `folders` holds the earlier ones by their folded form.
    fn add_folder(&mut self, path: &str, folders: &mut HashMap<String, String>) {
        let path = &match path_to_disk(path) {
            Ok(path) => path,
            Err(why) => return self.unfit.push((path.to_owned(), why)),
        };
        match folders.entry(fold(path)) {
            hash_map::Entry::Vacant(free) => drop(free.insert(path.to_owned())),
            hash_map::Entry::Occupied(other) => {
                let warning = if other.get() == path {
                    "two folders have this name here: their files come together".to_owned()
                } else {
                    format!("its folder {}", looks_like(other.get(), "", path))
                };
                self.alike.insert(path.to_owned(), warning);
            }
        }
        self.empty.insert(path.to_owned());
    }
}

/// Returns a row with the place where its content is already: under its name, or under a numbered
/// one. `None` if the local file cannot be read: nobody knows what it is then.
async fn compared(mut row: PlanRow, into: &Path) -> Option<PlanRow> {
    let (PlanSource::Remote(file), Existing::Other(existing)) = (&row.source, &row.there) else {
        return Some(row);
    };
    let place = joined(into, &row.name);
    regular_file::open(&place, Links::Refused).ok()?;
    let Some(md5) = file.md5.as_deref().and_then(Md5Sum::from_hex) else {
        return Some(row);
    };
    if existing.size() == row.size && Md5Sum::of_local(&place, Links::Refused).await.ok()? == md5 {
        row.there = Existing::Same(existing.clone());
        return Some(row);
    }
    for copy in copies(into, &row.name, row.size) {
        let own = Md5Sum::of_local(&copy, Links::Refused).await;
        if own.is_ok_and(|own| own == md5) {
            let name = copy.file_name();
            row.elsewhere = name.map(|name| name.to_string_lossy().into_owned());
            break;
        }
    }
    Some(row)
}

/// Returns the copies of a file, of a given size, that earlier downloads have put beside its name.
fn copies(into: &Path, name: &str, size: Option<u64>) -> Vec<PathBuf> {
    let place = joined(into, name);
    let (Some(folder), Some(name)) = (
        place.parent(),
        place.file_name().and_then(|name| name.to_str()),
    ) else {
        return Vec::new();
    };
    let there = |path: PathBuf| {
        path.symlink_metadata()
            .ok()
            .map(|metadata| (path, metadata))
    };
    let numbered = partial_file::places(folder, name, Room::Beside)
        .skip(1)
        .map_while(there);
    let alike = numbered.filter(|(_, metadata)| metadata.is_file() && Some(metadata.len()) == size);
    alike.map(|(path, _)| path).collect()
}

/// Puts a row into missing folders, which are created with it.
fn below_missing(missing: &Path, mut row: PlanRow) -> PlanRow {
    let folders = missing
        .components()
        .map(|folder| folder.as_os_str().to_string_lossy());
    let folders: Vec<_> = folders.collect();
    if let Some(outermost) = folders.first() {
        row.name = format!("{}/{}", folders.join("/"), row.name);
        if let Existing::Nothing { new_folder } = &mut row.there {
            *new_folder = Some(outermost.to_string());
        }
    }
    row
}

/// Returns the items with what the service has of their files now.
async fn fresh(client: &Client, mut items: Vec<Item>) -> Result<Vec<Item>, Error> {
    for part in items.chunks_mut(PAGE as usize) {
        let ids = part.iter().filter_map(|item| item.target.file().cloned());
        let search = FileSearch {
            ids: ids.collect(),
            ..FileSearch::default()
        };
        if search.ids.is_empty() {
            continue;
        }
        for file in client.search_files(&search).await?.results {
            let item = part
                .iter_mut()
                .find(|item| item.target.file() == Some(&file.id));
            if let Some(item) = item {
                *item = Item::of(&file);
            }
        }
    }
    Ok(items)
}

impl Perform for PlanDownload {
    async fn perform(self, context: &OpContext) -> Result<Planned, Error> {
        let into = existing_part(&self.into).await;
        check_folder(into).await?;
        let missing = self.into.strip_prefix(into).unwrap_or(Path::new(""));
        // The folder above a missing one is nowhere.
        if missing
            .components()
            .any(|folder| folder == Component::ParentDir)
        {
            check_folder(&self.into).await?;
        }
        let (client, report) = (&context.client, &context.report);
        let items = fresh(client, self.items).await?;
        let DownloadPlan { rows, left_out, .. } =
            plan(client, &items, &self.into, &TreeRules::default(), report).await?;
        let left_out = left_out.named().map(PlanRow::left_out);
        let rows: Vec<PlanRow> = left_out
            .chain(rows)
            .map(|row| below_missing(missing, row))
            .collect();
        let there = into.to_owned();
        context.parts.plan(PlanEvent::IntoLocal(there)).await;
        let room = disk_room(into);
        context.parts.rows(&rows, room).await;
        Ok(Planned { not_looked_for: 0 })
    }
}
