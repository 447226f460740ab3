//! Plans uploads: the local files that are meant, beside what is in the folders that they go into.
//! Reads a local file only if name and size are those of one that is there.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use super::case_fold::{TWINS, looks_like, twin_warning, twins};
use super::collect_files::{CollectedFiles, LocalSource as Found, gather};
use super::folder_lookup::FolderLookup;
use super::list::ListMemory;
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use super::scope::Scope;
use super::{existing_content, locate};
use crate::api::model::{File, Folder};
use crate::api::paths::join;
use crate::api::text::visible;
use crate::api::{Client, Error, Kind};
use crate::engine::ancestors::ancestors;
use crate::engine::item::Item;
use crate::engine::journal::Journal;
use crate::engine::left_out::LeftOut;
use crate::engine::message::FolderRef;
use crate::engine::name_form::composed;
use crate::engine::plan::{Existing, ExistingFile, PlanEvent, PlanRow, PlanSource};
use crate::engine::progress_sink::ProgressSink;
use crate::engine::question::{PlanUpload, Planned};
use crate::engine::seen_state::file_state;
use crate::engine::sending::IntoFolder;
use crate::regular_file::Links;

/// The most bytes that any account takes (`contract.md#uploads`). An account's own limit is unknown
/// and may be lower.
const LARGEST: u64 = 2 << 30;

/// A plan: the folder that the names start from, and its rows; those that need a look come first.
#[derive(Debug)]
pub struct UploadPlan {
    pub into: FolderRef,
    pub rows: Vec<PlanRow>,
    /// By path on the disk.
    pub left_out: LeftOut,
    /// Warnings about the rules that were read; safe to show.
    pub warnings: Vec<String>,
    /// The files of the account that have name and content of a row, by its name.
    pub present: HashMap<String, File>,
}

pub async fn plan(
    client: &Client,
    journal: &Journal,
    memory: &ListMemory,
    wanted: PlanUpload,
    report: &ProgressSink,
) -> Result<UploadPlan, Error> {
    let (into, below) = match wanted.into {
        IntoFolder::Place(place) => (place, String::new()),
        IntoFolder::Id(id) => (locate::folder(client, id).await?, String::new()),
        IntoFolder::Path(path) => locate::nearest(client, &path).await?,
    };
    let mut gathered = gather(wanted.typed, &wanted.rules, report).await?;
    if let Some(name) = wanted.name {
        match gathered.files.as_mut_slice() {
            [file] if !file.name.contains('/') => file.name = name,
            _ => {
                return Err(Error::new(
                    Kind::Refused,
                    "A name can be given to one file only.",
                ));
            }
        }
    }
    if !below.is_empty() {
        gathered
            .files
            .iter_mut()
            .for_each(|file| file.name = format!("{below}/{}", file.name));
        gathered.empty = gathered
            .empty
            .iter()
            .map(|name| format!("{below}/{name}"))
            .collect();
    }
    let lookups = FolderLookups::look(client, memory, &into, &gathered).await?;
    let CollectedFiles {
        files,
        empty,
        left_out,
        warnings,
    } = gathered;
    let nothing = || Existing::Nothing { new_folder: None };
    let mut rows = Vec::new();
    let (mut sent, mut new_folders, mut present) = (HashMap::new(), HashSet::new(), HashMap::new());
    for Found {
        local,
        size,
        name,
        is_hidden,
    } in files
    {
        let compared = match lookups.obstacle(&name).or_else(|| too_large(size)) {
            Some(why) => Err(why),
            // Its name will differ from all that are there.
            None if wanted.unnamed => Ok(nothing()),
            None => lookups.there(&local, size, &name).await,
        };
        let row = match compared {
            Ok(there) => {
                let is_named = !wanted.unnamed;
                let warning = is_named
                    .then(|| warning(&name, &there, &lookups, &mut sent))
                    .flatten();
                let form = lookups.form_of(&name);
                if let Existing::Same(_) = there {
                    present.extend(lookups.file(&name).map(|file| (form.clone(), file.clone())));
                }
                PlanRow {
                    there: lookups.with_new_folder(&name, there, &mut new_folders),
                    warning,
                    ..PlanRow::new(PlanSource::Local(local), form, Some(size))
                }
            }
            Err(why) => PlanRow::new(PlanSource::Unfit(why), name, Some(size)),
        };
        rows.push(PlanRow { is_hidden, ..row });
    }
    let missing = empty
        .into_iter()
        .filter(|name| lookups.folder(name).is_none());
    rows.extend(missing.map(|name| {
        let obstacle = lookups.obstacle(&format!("{name}/"));
        let there = if obstacle.is_none() {
            lookups.with_new_folder(&format!("{name}/"), nothing(), &mut new_folders)
        } else {
            nothing()
        };
        let source = obstacle.map_or(PlanSource::EmptyFolder, PlanSource::Unfit);
        PlanRow::new(source, lookups.form_of(&name), None).over(there)
    }));
    if !wanted.unnamed {
        let path = |row: &PlanRow| join(&into.path, &row.name);
        let is_new = |row: &&mut PlanRow| {
            matches!(
                (&row.source, &row.there),
                (PlanSource::Local(_), Existing::Nothing { .. })
            )
        };
        let paths: Vec<String> = rows.iter().map(path).collect();
        let under_way = journal.under_way(&paths).await?;
        let taken = rows
            .iter_mut()
            .filter(is_new)
            .filter(|row| under_way.contains(&path(row)));
        taken.for_each(|row| row.there = Existing::UnderWay);
    }
    rows.sort_by_key(urgency);
    Ok(UploadPlan {
        into,
        rows,
        left_out,
        warnings,
        present,
    })
}

fn urgency(row: &PlanRow) -> u8 {
    match (&row.source, &row.there) {
        (PlanSource::Unfit(_), _) => 0,
        (_, Existing::Other(_) | Existing::UnderWay | Existing::Blocked(_)) => 1,
        _ if row.warning.is_some() => 2,
        (_, Existing::Same(_)) => 3,
        (_, Existing::Nothing { .. }) => 4,
    }
}

/// Returns the warning about a name before it is sent. `sent` holds the names so far by their
/// folded form.
fn warning(
    name: &str,
    there: &Existing,
    lookups: &FolderLookups,
    sent: &mut HashMap<String, String>,
) -> Option<String> {
    let twin = twin_warning(name, sent);
    let (above, last) = parts(name);
    let alike = || {
        let names = lookups.of.get(above)?.names();
        let other = names
            .alike(last)
            .filter(|_| matches!(there, Existing::Nothing { .. }))?;
        Some(looks_like(other, ", which is there,", name))
    };
    twin.or_else(alike)
}

fn too_large(size: u64) -> Option<String> {
    (size > LARGEST).then(|| "too large: the service accepts 2 GB at most".to_owned())
}

/// The contents of the folders that files go into, as far as those exist, by path below the chosen
/// one.
struct FolderLookups {
    of: HashMap<String, FolderLookup>,
    twins: Scope,
}

impl FolderLookups {
    async fn look(
        client: &Client,
        memory: &ListMemory,
        into: &FolderRef,
        gathered: &CollectedFiles,
    ) -> Result<Self, Error> {
        let mut wanted: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
        let names = || {
            gathered
                .files
                .iter()
                .map(|file| &file.name)
                .chain(&gathered.empty)
                .map(String::as_str)
        };
        for mut path in names() {
            // A folder is looked up in the one above it, up to the chosen one.
            loop {
                let (above, name) = parts(path);
                let is_new = wanted.entry(above).or_default().insert(name);
                if above.is_empty() || !is_new {
                    break;
                }
                path = above;
            }
        }
        let mut lookups = Self {
            of: HashMap::new(),
            twins: twins(names()),
        };
        // In order of path, so that a folder comes after the one above it.
        for (path, names) in wanted {
            let form = || join(&into.path, &lookups.form_of(path));
            let folder = || {
                Some(FolderRef {
                    id: Some(lookups.folder(path)?.id.clone()),
                    path: form(),
                })
            };
            let place = if path.is_empty() {
                Some(into.clone())
            } else {
                folder()
            };
            if let Some(place) = place {
                lookups.of.insert(
                    path.to_owned(),
                    FolderLookup::look(client, memory, &place, &names).await?,
                );
            }
        }
        Ok(lookups)
    }

    fn file(&self, name: &str) -> Option<&File> {
        let (above, name) = parts(name);
        self.of.get(above)?.file(name)
    }

    fn folder(&self, path: &str) -> Option<&Folder> {
        let (above, name) = parts(path);
        self.of.get(above)?.folder(name)
    }

    /// Returns the name as it exists there, as far as it does.
    fn form_of(&self, name: &str) -> String {
        let (above, last) = parts(name);
        let form = self
            .of
            .get(above)
            .and_then(|held| held.names().form_of(last).ok()?)
            .unwrap_or(last);
        if above.is_empty() {
            form.to_owned()
        } else {
            format!("{}/{form}", self.form_of(above))
        }
    }

    /// Returns the reason why a name cannot be used: another form of it, or a file in place of a
    /// folder to create.
    fn obstacle(&self, name: &str) -> Option<String> {
        if self.twins.holds(&composed(name.trim_end_matches('/'))) {
            return Some(TWINS.to_owned());
        }
        let mut path = name;
        while !path.is_empty() {
            let (above, last) = parts(path);
            let held = self.of.get(above);
            if let Some(Err(why)) = held.map(|held| held.names().form_of(last)) {
                return Some(why.to_owned());
            }
            let is_file =
                |held: &FolderLookup| held.file(last).is_some() && held.folder(last).is_none();
            if path != name && held.is_some_and(is_file) {
                return Some(format!("a file there is named {}", visible(last)));
            }
            path = above;
        }
        None
    }

    /// Returns what exists under this name. Fails if the local file cannot be read.
    async fn there(&self, local: &Path, size: u64, name: &str) -> Result<Existing, String> {
        let (above, last) = parts(name);
        let Some(held) = self.of.get(above) else {
            return Ok(Existing::Nothing { new_folder: None });
        };
        let Some(file) = held.file(last) else {
            let blocked = held.folder(last).is_some();
            return Ok(if blocked {
                Existing::Blocked("a folder has this name")
            } else {
                Existing::Nothing { new_folder: None }
            });
        };
        let standing = ExistingFile {
            item: Some(Item::of(file)),
            size: file.size,
            access: file.access.clone(),
            updated_at: file.updated_at,
            seen: Some(file_state(file)),
            local: None,
        };
        let remote_md5 = Md5Sum::told_of(file).filter(|_| file.size == Some(size));
        let Some(remote_md5) = remote_md5 else {
            return Ok(Existing::Other(standing));
        };
        let own = Md5Sum::of_local(local, Links::Followed)
            .await
            .map_err(|error| visible(&error.message).into_owned())?;
        Ok(if own == remote_md5 {
            Existing::Same(standing)
        } else {
            Existing::Other(standing)
        })
    }

    /// Adds the outermost folder that is to be created to the first row that needs it.
    fn with_new_folder(
        &self,
        name: &str,
        there: Existing,
        seen_folders: &mut HashSet<String>,
    ) -> Existing {
        let outermost = ancestors(name).find(|folder| self.folder(folder).is_none());
        let new = outermost
            .map(|folder| self.form_of(folder))
            .filter(|folder| seen_folders.insert(folder.clone()));
        match new {
            Some(folder) => Existing::Nothing {
                new_folder: Some(folder),
            },
            None => there,
        }
    }
}

fn parts(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

impl Perform for PlanUpload {
    async fn perform(self, context: &OpContext) -> Result<Planned, Error> {
        let OpContext {
            client,
            journal,
            lists,
            report,
            parts,
            ..
        } = context;
        let UploadPlan {
            into,
            rows,
            left_out,
            ..
        } = plan(client, journal, lists, self, report).await?;
        let rows: Vec<PlanRow> = left_out
            .named()
            .map(PlanRow::left_out)
            .chain(rows)
            .collect();
        parts.plan(PlanEvent::Into(into)).await;
        parts.rows(&rows, None).await;
        Ok(Planned {
            not_looked_for: existing_content::look(client, &rows, parts).await?,
        })
    }
}
