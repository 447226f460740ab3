//! Plans copies of files of one account into another one, or into another folder: what they would
//! meet there. Reads no content.

use std::collections::HashMap;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};

use super::chosen_tree::{ChosenPlace, ChosenTree};
use super::folder_lookup::AccountFolder;
use super::list::ListMemory;
use super::locate;
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use super::placement::RowPlacement;
use super::plan_upload::mark_under_way;
use crate::api::ids::FileId;
use crate::api::model::File;
use crate::api::{Client, Error};
use crate::engine::folder_comparison::RemoteEntry;
use crate::engine::item::{Entry, FolderRef, Item, Target};
use crate::engine::journal::Journal;
use crate::engine::left_out::LeftOut;
use crate::engine::plan::{Existing, PlanEvent, PlanRow, PlanSource};
use crate::engine::progress_sink::ProgressSink;
use crate::engine::question::{PlanCopy, Planned};
use crate::engine::sending::IntoFolder;
use crate::engine::tree_filter::TreeRules;

const LOOK_UP_AT_ONCE: usize = 4;

/// The files and folders to copy.
#[derive(Debug)]
pub struct CopySource<'a> {
    pub client: &'a Client,
    /// The account, as its journal names it.
    pub account: &'a str,
    /// Files, and folders with everything in them.
    pub entries: Vec<Entry>,
    /// Applied within folders.
    pub rules: &'a TreeRules,
}

/// The account to copy into.
#[derive(Debug)]
pub struct CopyTarget<'a> {
    pub client: &'a Client,
    pub journal: &'a Journal,
    pub into: IntoFolder,
    /// The name of the only file there; `None` for the source's own names.
    pub name: Option<String>,
}

#[derive(Debug)]
pub struct PlannedCopies {
    pub into: FolderRef,
    /// The rows; those that need a look come first.
    pub rows: Vec<PlanRow>,
    pub left_out: LeftOut,
    pub sources: HashMap<FileId, File>,
    /// The files of the target that have name and content of a source, by its id.
    pub present: HashMap<FileId, File>,
}

pub async fn plan(
    source: CopySource<'_>,
    target: CopyTarget<'_>,
    report: &ProgressSink,
) -> Result<PlannedCopies, Error> {
    let (into, above) = locate::into_folder(target.client, target.into).await?;
    let (mut sources, mut present) = (HashMap::new(), HashMap::new());
    let mut item_of = |file: File| {
        let item = Item::of(&file);
        sources.insert(file.id.clone(), file);
        item
    };
    let items = source.entries.into_iter().map(|entry| match entry {
        Entry::Folder(folder) => Item::of_folder(folder),
        Entry::File(file) => item_of(file),
    });
    let items: Vec<Item> = items.collect();
    let place = ChosenPlace {
        above: &above,
        name: target.name.as_deref(),
        rules: source.rules,
        local: None,
    };
    let mut tree = ChosenTree::walk(source.client, &items, place, report, item_of).await?;
    tree.files.sort_by(|one, other| one.0.cmp(&other.0));
    let memory = ListMemory::default();
    let folder = AccountFolder {
        client: target.client,
        memory: &memory,
        place: &into,
    };
    let names = tree.files.iter().map(|(name, _)| name);
    let names = names.chain(&tree.empty).map(String::as_str);
    let mut placement = RowPlacement::look(&folder, names).await?;
    let mut rows = Vec::with_capacity(tree.files.len());
    for (name, item) in tree.files {
        let Some(file) = item.target.file().and_then(|id| sources.get(id)) else {
            continue;
        };
        let mut row = placement.place_file(PlanRow::copy(
            source.account,
            &RemoteEntry::of_file(file),
            name.clone(),
        ));
        if let (Existing::Other(existing), Some((folder, name))) =
            (&row.there, placement.entry(&name))
            && let Some(there) = folder.file(name).filter(|there| is_same(there, file))
        {
            present.insert(file.id.clone(), there.clone());
            row.there = Existing::Same(existing.clone());
            row.warning = other_setting(there, &row);
        }
        rows.push(row);
    }
    let empty = tree.empty.iter();
    rows.extend(empty.filter_map(|path| placement.place_folder(path)));
    mark_under_way(&mut rows, &into, target.journal).await?;
    rows.sort_by_key(PlanRow::urgency);
    Ok(PlannedCopies {
        into,
        rows,
        left_out: tree.left_out,
        sources,
        present,
    })
}

fn is_same(there: &File, file: &File) -> bool {
    let md5 = Md5Sum::told_of(file);
    there.size == file.size && md5.is_some() && Md5Sum::told_of(there) == md5
}

/// Returns a warning if a file with the content of its source differs in what a copy takes along.
fn other_setting(there: &File, row: &PlanRow) -> Option<String> {
    let PlanSource::Copy(copy) = &row.source else {
        return None;
    };
    let level = there.access.as_ref()?;
    if *level != copy.options.options.access {
        let level = level.word();
        return Some(format!(
            "it is there with the same content, and stays {level}"
        ));
    }
    let is_usable = there.is_usable_in_content != Some(false);
    (copy.options.unusable_in_content && is_usable)
        .then(|| "it is there with the same content, and pages can use it".to_owned())
}

impl Perform for PlanCopy {
    async fn perform(self, context: &OpContext) -> Result<Planned, Error> {
        let client = context.sources.client(&self.account).await?;
        let entries = self
            .targets
            .into_iter()
            .map(|target| entry(&client, target));
        let entries = stream::iter(entries)
            .buffered(LOOK_UP_AT_ONCE)
            .try_collect::<Vec<Entry>>()
            .await?;
        let source = CopySource {
            client: &client,
            account: &self.account,
            entries,
            rules: &TreeRules::default(),
        };
        let target = CopyTarget {
            client: &context.client,
            journal: &context.journal,
            into: self.into,
            name: None,
        };
        let PlannedCopies { into, rows, .. } = plan(source, target, &context.report).await?;
        context.parts.plan(PlanEvent::Into(into)).await;
        context.parts.rows(&rows, None).await;
        Ok(Planned { not_looked_for: 0 })
    }
}

async fn entry(client: &Client, target: Target) -> Result<Entry, Error> {
    match target {
        Target::File(id) => client.files().get(&id).await.map(Entry::File),
        Target::Folder(id) => client.folders().get(&id).await.map(Entry::Folder),
    }
}
