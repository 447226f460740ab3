//! Plans downloads: what they would meet in a local folder, and the room on its disk, for files,
//! and for folders with everything in them. Reads a local file only if its name and size are those
//! of the one to come.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use super::case_fold::looks_like;
use super::chosen_tree::{ChosenPlace, ChosenTree};
use super::disk_room::disk_room;
use super::files_by_id::files_by_id;
use super::local_place::{check_folder, existing_part, joined};
use super::md5_sum::Md5Sum;
use super::partial_file;
use super::perform::{OpContext, Perform};
use super::placement::{FOLDER, RowPlacement};
use crate::api::{Client, Error};
use crate::engine::disk_name::path_to_disk;
use crate::engine::item::Item;
use crate::engine::job::Room;
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::name_form::fold;
use crate::engine::plan::{Existing, PlanEvent, PlanRow, PlanSource};
use crate::engine::progress_sink::ProgressSink;
use crate::engine::question::{PlanDownload, Planned};
use crate::engine::tree_filter::TreeRules;
use crate::regular_file::{self, Links};

/// The local folder to download into, which may be missing.
#[derive(Debug, Clone, Copy)]
pub struct LocalTarget<'a> {
    pub into: &'a Path,
    /// The name of the only file there; `None` for the account's own names.
    pub name: Option<&'a str>,
}

#[derive(Debug)]
pub struct DownloadPlan {
    /// The part of the local path that exists; the names of the rows start from it.
    pub into: PathBuf,
    /// The rows; those that need a look come first.
    pub rows: Vec<PlanRow>,
    /// Entries of folders that the rules leave out, and files that cannot be read.
    pub left_out: LeftOut,
    /// The bytes that there is room for; `None` if the system does not say.
    pub room: Option<u64>,
}

/// Looks for what downloads would meet in a local folder; the rules apply to the contents of
/// folders.
pub async fn plan(
    client: &Client,
    items: &[Item],
    LocalTarget { into: path, name }: LocalTarget<'_>,
    rules: &TreeRules,
    report: &ProgressSink,
) -> Result<DownloadPlan, Error> {
    let into = existing_part(path).await;
    check_folder(into).await?;
    let missing = path.strip_prefix(into).unwrap_or(Path::new(""));
    // The folder above a missing one is nowhere.
    if missing
        .components()
        .any(|folder| folder == Component::ParentDir)
    {
        check_folder(path).await?;
    }
    let place = ChosenPlace {
        above: "",
        name,
        rules,
        local: Some(path),
    };
    let item_of = |file| Item::of(&file);
    let mut tree = ChosenTree::walk(client, items, place, report, item_of).await?;
    let mut unfit = Vec::new();
    let mut fits = |path: &mut String| match path_to_disk(path) {
        Ok(own) => {
            *path = own;
            true
        }
        Err(why) => {
            unfit.push(PlanRow::left_out((path, Reason::Name(why))));
            false
        }
    };
    tree.files.retain_mut(|(path, _)| fits(path));
    tree.folders.retain_mut(fits);
    // An account can have both under one name.
    let folders: HashSet<&String> = tree.folders.iter().collect();
    let beside = |(path, _): &mut (String, Item)| folders.contains(path);
    let beside = tree.files.extract_if(.., beside);
    unfit.extend(beside.map(|(path, _)| PlanRow::left_out((&path, Reason::Name(FOLDER)))));
    let empty = tree.empty.iter().filter_map(|path| path_to_disk(path).ok());
    let empty: Vec<_> = empty.collect();
    let names = tree.files.iter().map(|(name, _)| name);
    let names = names.chain(&empty).map(String::as_str);
    let mut placement = RowPlacement::look(&path, names).await?;
    let (mut rows, mut left_out, alike) = (Vec::new(), tree.left_out, alike(&tree.folders));
    for (name, file) in tree.files {
        let row = PlanRow {
            warning: alike.get(folder_name(&name)).cloned(),
            size: file.size,
            ..PlanRow::new(PlanSource::Remote(file), name.clone(), None)
        };
        match compared(placement.place_file(row), path).await {
            Some(row) => rows.push(row),
            None => left_out.add(name, Reason::Unreadable),
        }
    }
    rows.extend(unfit);
    rows.extend(empty.iter().filter_map(|path| placement.place_folder(path)));
    rows.sort_by_key(PlanRow::urgency);
    let rows = rows.into_iter().map(|row| below_missing(missing, row));
    Ok(DownloadPlan {
        into: into.to_owned(),
        rows: rows.collect(),
        left_out,
        room: disk_room(into),
    })
}

fn folder_name(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns warnings about folders that cannot be told from an earlier one, by path.
fn alike(folders: &[String]) -> HashMap<&str, String> {
    let (mut earlier, mut alike) = (HashMap::new(), HashMap::new());
    for path in folders {
        let first: &String = earlier.entry(fold(path)).or_insert(path);
        if std::ptr::eq(first, path) {
            continue;
        }
        let warning = if first == path {
            "two folders have this name here: their files come together".to_owned()
        } else {
            format!("its folder {}", looks_like(first, "", path))
        };
        alike.insert(path.as_str(), warning);
    }
    alike
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
async fn fresh(client: &Client, items: Vec<Item>) -> Result<Vec<Item>, Error> {
    let ids = items.iter().filter_map(|item| item.target.file());
    let files = files_by_id(client, ids).await?;
    let now = |item: Item| {
        let file = item.target.file().and_then(|id| files.get(id));
        file.map_or(item.clone(), Item::of)
    };
    Ok(items.into_iter().map(now).collect())
}

impl Perform for PlanDownload {
    async fn perform(self, context: &OpContext) -> Result<Planned, Error> {
        let (client, report) = (&context.client, &context.report);
        let items = fresh(client, self.items).await?;
        let target = LocalTarget {
            into: &self.into,
            name: None,
        };
        let DownloadPlan {
            into,
            rows,
            left_out,
            room,
        } = plan(client, &items, target, &TreeRules::default(), report).await?;
        let left_out = left_out.named().map(PlanRow::left_out);
        let rows: Vec<PlanRow> = left_out.chain(rows).collect();
        context.parts.plan(PlanEvent::IntoLocal(into)).await;
        context.parts.rows(&rows, room).await;
        Ok(Planned { not_looked_for: 0 })
    }
}
