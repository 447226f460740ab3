//! Plans uploads: the local files that are meant, beside what is in the folders that they go into.
//! Reads a local file only if name and size are those of one that is there.

use std::collections::HashMap;

use super::collect_files::{CollectedFiles, gather};
use super::folder_lookup::AccountFolder;
use super::list::ListMemory;
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use super::placement::RowPlacement;
use super::{existing_content, locate};
use crate::api::model::File;
use crate::api::paths::join;
use crate::api::text::visible;
use crate::api::{Client, Error, Kind};
use crate::engine::journal::Journal;
use crate::engine::left_out::LeftOut;
use crate::engine::message::FolderRef;
use crate::engine::plan::{Existing, PlanEvent, PlanRow, PlanSource};
use crate::engine::progress_sink::ProgressSink;
use crate::engine::question::{PlanUpload, Planned};
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
    let (into, below) = locate::into_folder(client, wanted.into).await?;
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
    let CollectedFiles {
        files,
        empty,
        left_out,
        warnings,
    } = gathered;
    let account = AccountFolder {
        client,
        memory,
        place: &into,
    };
    let names = files.iter().map(|file| &file.name).chain(&empty);
    let mut placement = RowPlacement::look(&account, names.map(String::as_str)).await?;
    let (mut rows, mut present) = (Vec::new(), HashMap::new());
    for file in files {
        let source = too_large(file.size).map_or(PlanSource::Local(file.local), PlanSource::Unfit);
        let row = PlanRow {
            is_hidden: file.is_hidden,
            ..PlanRow::new(source, file.name.clone(), Some(file.size))
        };
        let mut row = placement.place_file(row);
        if wanted.unnamed {
            // Its name will differ from all that are there.
            row.warning = None;
            if !matches!(row.there, Existing::Nothing { .. }) {
                row.there = Existing::Nothing { new_folder: None };
            }
        }
        let existing = placement.entry(&file.name);
        if let Some(existing) = existing.and_then(|(folder, name)| folder.file(name)) {
            row = compared(row, existing).await;
            if let Existing::Same(_) = row.there {
                present.insert(row.name.clone(), existing.clone());
            }
        }
        rows.push(row);
    }
    rows.extend(empty.iter().filter_map(|path| placement.place_folder(path)));
    if !wanted.unnamed {
        mark_under_way(&mut rows, &into, journal).await?;
    }
    rows.sort_by_key(PlanRow::urgency);
    Ok(UploadPlan {
        into,
        rows,
        left_out,
        warnings,
        present,
    })
}

/// Marks the rows whose place another upload of this machine is about to take.
pub(super) async fn mark_under_way(
    rows: &mut [PlanRow],
    into: &FolderRef,
    journal: &Journal,
) -> Result<(), Error> {
    let path = |row: &PlanRow| join(&into.path, &row.name);
    let paths: Vec<String> = rows.iter().map(path).collect();
    let under_way = journal.under_way(&paths).await?;
    for row in rows {
        if let (PlanSource::Local(_) | PlanSource::Copy(_), Existing::Nothing { .. }) =
            (&row.source, &row.there)
            && under_way.contains(&path(row))
        {
            row.there = Existing::UnderWay;
        }
    }
    Ok(())
}

fn too_large(size: u64) -> Option<String> {
    (size > LARGEST).then(|| "too large: the service accepts 2 GB at most".to_owned())
}

/// Returns a row for a file of the account of the same name, with whether the content is the same.
/// A local file that cannot be read is not sent.
async fn compared(mut row: PlanRow, file: &File) -> PlanRow {
    let (PlanSource::Local(local), Existing::Other(existing)) = (&row.source, &row.there) else {
        return row;
    };
    let Some(md5) = Md5Sum::told_of(file).filter(|_| file.size == row.size) else {
        return row;
    };
    match Md5Sum::of_local(local, Links::Followed).await {
        Ok(own) if own == md5 => row.there = Existing::Same(existing.clone()),
        Ok(_) => {}
        Err(error) => row.source = PlanSource::Unfit(visible(&error.message).into_owned()),
    }
    row
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
