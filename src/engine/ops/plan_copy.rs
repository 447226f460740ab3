//! Plans copies of files of one account into another one, or into another folder: what they would
//! meet there. Reads no content.

use std::collections::{BTreeSet, HashMap};

use futures::stream::{self, StreamExt as _, TryStreamExt as _};

use super::folder_lookup::AccountFolder;
use super::list::ListMemory;
use super::locate;
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use super::placement::RowPlacement;
use super::plan_upload::mark_under_way;
use super::remote_tree::{RemoteTree, TreeEntry, below};
use crate::api::ids::FileId;
use crate::api::model::File;
use crate::api::{Client, Error, Kind};
use crate::engine::folder_comparison::RemoteEntry;
use crate::engine::item::{Entry, FolderRef, Target};
use crate::engine::journal::Journal;
use crate::engine::left_out::LeftOut;
use crate::engine::plan::{Existing, PlanEvent, PlanRow};
use crate::engine::question::{PlanCopy, Planned};
use crate::engine::sending::IntoFolder;
use crate::engine::tree_filter::{TreeFilter, TreeRules};

/// Nobody would look through more, and a plan for them would take too much memory.
const MOST_FILES: usize = 100_000;

const LOOK_UP_AT_ONCE: usize = 4;

/// The files and folders to copy.
#[derive(Debug)]
pub struct CopySource<'a> {
    pub client: &'a Client,
    /// The account, as its journal names it.
    pub account: &'a str,
    /// Files, and folders with everything in them. None lies in another one.
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

pub async fn plan(source: CopySource<'_>, target: CopyTarget<'_>) -> Result<PlannedCopies, Error> {
    let (into, above) = match target.into {
        IntoFolder::Place(place) => (place, String::new()),
        IntoFolder::Id(id) => (locate::folder(target.client, id).await?, String::new()),
        IntoFolder::Path(path) => locate::nearest(target.client, &path).await?,
    };
    let mut wanted = WantedEntries::collect(&source, &above).await?;
    if let (Some(name), [(path, _)]) = (target.name, wanted.files.as_mut_slice()) {
        *path = placed(&above, &name);
    }
    let memory = ListMemory::default();
    let folder = AccountFolder {
        client: target.client,
        memory: &memory,
        place: &into,
    };
    let names = wanted.files.iter().map(|(name, _)| name);
    let names = names.chain(&wanted.empty).map(String::as_str);
    let mut placement = RowPlacement::look(&folder, names).await?;
    let mut rows = Vec::with_capacity(wanted.files.len());
    let (mut sources, mut present) = (HashMap::new(), HashMap::new());
    for (name, file) in wanted.files {
        let mut row = placement.place_file(PlanRow::copy(
            source.account,
            &RemoteEntry::of_file(&file),
            name.clone(),
        ));
        if let (Existing::Other(existing), Some((folder, name))) =
            (&row.there, placement.entry(&name))
            && let Some(there) = folder.file(name).filter(|there| is_same(there, &file))
        {
            present.insert(file.id.clone(), there.clone());
            row.there = Existing::Same(existing.clone());
        }
        sources.insert(file.id.clone(), file);
        rows.push(row);
    }
    let empty = wanted.empty.iter();
    rows.extend(empty.filter_map(|path| placement.place_folder(path)));
    mark_under_way(&mut rows, &into, target.journal).await?;
    rows.sort_by_key(PlanRow::urgency);
    Ok(PlannedCopies {
        into,
        rows,
        left_out: wanted.left_out,
        sources,
        present,
    })
}

fn is_same(there: &File, file: &File) -> bool {
    let md5 = Md5Sum::told_of(file);
    there.size == file.size && md5.is_some() && Md5Sum::told_of(there) == md5
}

fn placed(above: &str, path: &str) -> String {
    if above.is_empty() {
        path.to_owned()
    } else {
        format!("{above}/{path}")
    }
}

#[derive(Default)]
struct WantedEntries {
    /// By path below the target's folder.
    files: Vec<(String, File)>,
    empty: BTreeSet<String>,
    left_out: LeftOut,
}

impl WantedEntries {
    async fn collect(source: &CopySource<'_>, above: &str) -> Result<Self, Error> {
        let filter = TreeFilter::new(source.rules)?;
        let (mut wanted, mut tops) = (Self::default(), Vec::new());
        for entry in &source.entries {
            let name = placed(above, &below("", &entry.full_name()));
            match entry {
                Entry::File(file) => wanted.files.push((name, file.clone())),
                Entry::Folder(folder) => {
                    wanted.empty.insert(name.clone());
                    tops.push((folder.id.clone(), name));
                }
            }
        }
        let tops_by_path: Vec<String> = tops.iter().map(|(_, path)| path.clone()).collect();
        let mut tree = RemoteTree::below(source.client, tops);
        while let Some(found) = tree.next().await? {
            for TreeEntry { path, entry } in found {
                if let Some((folder, _)) = path.rsplit_once('/') {
                    wanted.empty.remove(folder);
                }
                let below_top = |top: &String| path.strip_prefix(top)?.strip_prefix('/');
                let within = tops_by_path.iter().find_map(below_top).unwrap_or(&path);
                let is_folder = matches!(entry, Entry::Folder(_));
                if let Some(reason) = filter.leaves_out(within, is_folder) {
                    wanted.left_out.add(path, reason);
                    continue;
                }
                match entry {
                    Entry::Folder(_) => drop(wanted.empty.insert(path)),
                    Entry::File(file) => wanted.files.push((path, file)),
                }
            }
            if wanted.files.len() > MOST_FILES {
                let message = format!(
                    "These are more than {MOST_FILES} files; copy their folders one by one"
                );
                return Err(Error::new(Kind::Refused, message));
            }
        }
        if !filter.takes_empty_folders() {
            wanted.empty.clear();
        }
        wanted.files.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(wanted)
    }
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
        let PlannedCopies { into, rows, .. } = plan(source, target).await?;
        context.parts.plan(PlanEvent::Into(into)).await;
        context.parts.rows(&rows, None).await;
        Ok(Planned { not_looked_for: 0 })
    }
}

async fn entry(client: &Client, target: Target) -> Result<Entry, Error> {
    match target {
        Target::File(id) => client.file(&id).await.map(Entry::File),
        Target::Folder(id) => client.folder(&id).await.map(Entry::Folder),
    }
}
