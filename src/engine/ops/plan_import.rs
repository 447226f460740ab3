//! Plans imports: finds names that are taken. A name follows from the request; only the service
//! knows the content.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use url::Url;

use super::folder_lookup::FolderLookup;
use super::list::ListMemory;
use super::locate;
use super::perform::{OpContext, Perform};
use crate::api::model::ImportRequest;
use crate::api::{Client, Error};
use crate::engine::job::Job;
use crate::engine::plan::PlannedImport;
use crate::engine::question::PlanImport;

/// Looks for the names of imports in their folder. A name that an earlier import gets is taken,
/// too.
pub async fn plan(
    client: &Client,
    memory: &ListMemory,
    wanted: PlanImport,
) -> Result<PlannedImport, Error> {
    let (place, below) = locate::into_folder(client, wanted.into).await?;
    let imports: Vec<(Option<String>, Job)> = wanted
        .jobs
        .into_iter()
        .map(|job| (name(&job), job))
        .collect();
    let names: HashSet<&str> = imports
        .iter()
        .filter_map(|(name, _)| name.as_deref())
        .collect();
    // A folder that is yet to be created holds nothing.
    let there = match below.as_str() {
        "" if !names.is_empty() => FolderLookup::look(client, memory, &place, &names).await?,
        _ => FolderLookup::default(),
    };
    let (mut planned, mut used) = (PlannedImport::default(), HashSet::new());
    for (name, job) in imports {
        match name {
            Some(name) if there.holds(&name) || used.contains(&name) => planned.taken.push(name),
            name => {
                used.extend(name.clone());
                planned.free.push(
                    if let Job::Import {
                        request, folder, ..
                    } = job
                    {
                        Job::Import {
                            request,
                            folder,
                            free_name: name,
                        }
                    } else {
                        job
                    },
                );
            }
        }
    }
    Ok(planned)
}

/// Returns the name that the file of an import gets; `None` if the service chooses one.
fn name(job: &Job) -> Option<String> {
    let Job::Import { request, .. } = job else {
        return None;
    };
    let ImportRequest { url, name, .. } = &**request;
    let of_address = || {
        let url = Url::parse(url).ok()?;
        let last = url
            .path_segments()?
            .next_back()
            .filter(|name| !name.is_empty())?;
        Some(percent_decode_str(last).decode_utf8().ok()?.into_owned())
    };
    name.clone().or_else(of_address)
}

impl Perform for PlanImport {
    async fn perform(self, context: &OpContext) -> Result<PlannedImport, Error> {
        plan(&context.client, &context.lists, self).await
    }
}
