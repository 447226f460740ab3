//! What downloads would meet in a local folder, and how much room its disk has. A local file is read only where name and
//! size are those of the one that comes.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::io;
use std::path::Path;

use jiff::Timestamp;

use super::case_fold::fold;
use super::disk_name;
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use crate::api::ids::FileId;
use crate::api::search::{FileSearch, PAGE};
use crate::api::text::visible;
use crate::api::{Client, Error, Kind};
use crate::engine::item::Item;
use crate::engine::plan::{Existing, ExistingFile, PlanRow, PlanSource};
use crate::engine::question::{PlanDownload, Planned};
use crate::regular_file::Links;

/// The rows of a plan, those first that ask for a look, and the bytes that there is room for, where the system tells.
pub async fn plan(client: &Client, files: Vec<Item>, into: &Path) -> Result<(Vec<PlanRow>, Option<u64>), Error> {
    match tokio::fs::metadata(into).await {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(Error::new(Kind::Refused, format!("{} is not a folder.", shown(into)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Error::new(Kind::Refused, format!("{} does not exist.", shown(into))));
        }
        Err(error) => return Err(Error::local(&format!("Cannot read {}", shown(into)), &error)),
    }
    let (mut rows, mut alike) = (Vec::with_capacity(files.len()), Vec::new());
    let mut saved = HashSet::new();
    for (number, file) in files.into_iter().enumerate() {
        let name = disk_name::safe(&file.name);
        let there = there(&into.join(&name)).await?;
        if let Existing::Other(standing) = &there
            && standing.size.is_some()
            && standing.size == file.size
        {
            alike.push(number);
        }
        let is_twin = !saved.insert(fold(&name));
        let warning = is_twin.then(|| "another of these has the same name: a number is added".to_owned());
        let (size, elsewhere) = (file.size, None);
        rows.push(PlanRow { source: PlanSource::Remote(file), name, size, there, elsewhere, warning });
    }
    same(client, &mut rows, &alike, into).await?;
    rows.sort_by_key(|row| match row.there {
        Existing::Other(_) | Existing::UnderWay | Existing::Blocked(_) => 0,
        _ if row.warning.is_some() => 1,
        Existing::Same(_) => 2,
        Existing::Nothing { .. } => 3,
    });
    Ok((rows, room(into)))
}

/// What has this name on the disk.
async fn there(path: &Path) -> Result<Existing, Error> {
    let metadata = match tokio::fs::symlink_metadata(path).await {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Existing::Nothing { new_folder: None }),
        Err(error) => return Err(Error::local(&format!("Cannot read {}", shown(path)), &error)),
    };
    Ok(match metadata.file_type() {
        kind if kind.is_file() => Existing::Other(standing(&metadata)),
        kind if kind.is_dir() => Existing::Blocked("a folder has this name"),
        kind if kind.is_symlink() => Existing::Blocked("a link has this name"),
        _ => Existing::Blocked("a pipe or a device has this name"),
    })
}

fn standing(metadata: &Metadata) -> ExistingFile {
    let updated_at = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    ExistingFile { item: None, size: Some(metadata.len()), access: None, updated_at, md5: None }
}

/// Says of rows whose file has the size of what is there whether it has its content, too.
async fn same(client: &Client, rows: &mut [PlanRow], alike: &[usize], into: &Path) -> Result<(), Error> {
    for numbers in alike.chunks(PAGE as usize) {
        let id = |number: &usize| match rows.get(*number).map(|row| &row.source) {
            Some(PlanSource::Remote(file)) => file.target.file().cloned(),
            _ => None,
        };
        let ids: Vec<FileId> = numbers.iter().filter_map(id).collect();
        let page = client.search_files(&FileSearch { ids, ..FileSearch::default() }).await?;
        let told: HashMap<FileId, Md5Sum> =
            page.results.iter().filter_map(|file| Some((file.id.clone(), Md5Sum::told_of(file)?))).collect();
        for number in numbers {
            let Some(row) = rows.get_mut(*number) else { continue };
            let PlanSource::Remote(file) = &row.source else { continue };
            let Some(md5) = file.target.file().and_then(|id| told.get(id)) else { continue };
            // What cannot be read is taken for other content.
            if Md5Sum::of_local(&into.join(&row.name), Links::Followed).await.is_ok_and(|own| own == *md5)
                && let Existing::Other(standing) = &row.there
            {
                row.there = Existing::Same(standing.clone());
            }
        }
    }
    Ok(())
}

/// Bytes that may be written into a folder.
#[cfg(unix)]
fn room(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn room(_folder: &Path) -> Option<u64> {
    None
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

impl Perform for PlanDownload {
    async fn perform(self, context: &OpContext) -> Result<Planned, Error> {
        let (rows, room) = plan(&context.client, self.files, &self.into).await?;
        context.parts.rows(&rows, room).await;
        Ok(Planned { not_looked_for: 0 })
    }
}
