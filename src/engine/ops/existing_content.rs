//! Finds bytes to be sent that the account already has, wherever that is: in one pass over the
//! files of their sizes or, where that takes more requests, by searching for each MD5. Reads a
//! local file only if it may be one of them.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::md5_sum::Md5Sum;
use crate::api::search::{Bounds, FileSearch};
use crate::api::{Client, Error, Kind};
use crate::engine::parts::Parts;
use crate::engine::plan::{Existing, PlanEvent, PlanRow, PlanSource};
use crate::regular_file::Links;

/// The most requests for a search: it is only for advice, and the work needs the request budget.
const MOST_REQUESTS: usize = 100;

/// Reports each row whose bytes are found; returns the number of rows that were not looked for.
pub async fn look(client: &Client, rows: &[PlanRow], parts: &Parts) -> Result<usize, Error> {
    let wanted: Vec<Candidate<'_>> = rows.iter().enumerate().filter_map(wanted).collect();
    twins(rows, &wanted, parts).await;
    let sizes: BTreeSet<u64> = wanted.iter().map(|wanted| wanted.size).collect();
    let most = wanted.len().min(MOST_REQUESTS);
    if let Some(held) = pass(client, &sizes, most).await? {
        for wanted in &wanted {
            let Some(alike) = held.get(&wanted.size) else {
                continue;
            };
            let Ok(md5) = Md5Sum::of_local(wanted.local, Links::Followed).await else {
                continue;
            };
            if let Some((_, path)) = alike.iter().find(|(remote_md5, _)| *remote_md5 == md5) {
                parts
                    .plan(PlanEvent::Elsewhere(vec![(wanted.number, path.clone())]))
                    .await;
            }
        }
        return Ok(0);
    }
    for wanted in wanted.iter().take(most) {
        let Ok(md5) = Md5Sum::of_local(wanted.local, Links::Followed).await else {
            continue;
        };
        let search = FileSearch {
            md5: Some(md5.to_string()),
            ..FileSearch::default()
        };
        let page = client.files().search(&search).await?;
        // The service may treat a filter as a mere hint.
        let same = page
            .results
            .iter()
            .find(|file| Md5Sum::told_of(file) == Some(md5));
        if let Some(path) = same.and_then(|file| file.path.clone()) {
            parts
                .plan(PlanEvent::Elsewhere(vec![(wanted.number, path)]))
                .await;
        }
    }
    Ok(wanted.len() - most)
}

/// Reports each row whose bytes an earlier row has, too. Reads only files that share their size
/// with others.
async fn twins(rows: &[PlanRow], wanted: &[Candidate<'_>], parts: &Parts) {
    let mut of_size: HashMap<u64, Vec<&Candidate<'_>>> = HashMap::new();
    for candidate in wanted {
        of_size.entry(candidate.size).or_default().push(candidate);
    }
    for alike in of_size.into_values().filter(|alike| alike.len() > 1) {
        let mut first: HashMap<Md5Sum, usize> = HashMap::new();
        for Candidate { number, local, .. } in alike {
            let Ok(md5) = Md5Sum::of_local(local, Links::Followed).await else {
                continue;
            };
            let earlier = *first.entry(md5).or_insert(*number);
            if let Some(row) = rows.get(earlier).filter(|_| earlier != *number) {
                parts
                    .plan(PlanEvent::Elsewhere(vec![(*number, row.name.clone())]))
                    .await;
            }
        }
    }
}

struct Candidate<'a> {
    number: usize,
    local: &'a Path,
    size: u64,
}

/// Returns a row worth looking for. Empty files are not: all of them are alike.
fn wanted((number, row): (usize, &PlanRow)) -> Option<Candidate<'_>> {
    match (&row.source, row.size, &row.there) {
        (PlanSource::Local(local), Some(size), Existing::Nothing { .. } | Existing::Other(_))
            if size > 0 =>
        {
            Some(Candidate {
                number,
                local,
                size,
            })
        }
        _ => None,
    }
}

/// Returns the account's files that have one of these sizes, by size; `None` if that takes more
/// than `most` requests.
async fn pass(
    client: &Client,
    sizes: &BTreeSet<u64>,
    most: usize,
) -> Result<Option<HashMap<u64, Vec<(Md5Sum, String)>>>, Error> {
    let mut held: HashMap<u64, Vec<(Md5Sum, String)>> = HashMap::new();
    let size = Bounds {
        from: sizes.first().copied(),
        to: sizes.last().copied(),
    };
    let mut pager = client.files().pages(FileSearch {
        size,
        ..FileSearch::default()
    });
    for _page in 0..most {
        let files = match pager.next().await {
            // The service does not list in order of id.
            Err(error) if error.kind == Kind::Decode => return Ok(None),
            files => files?,
        };
        for file in files.into_iter().flatten() {
            if let (Some(size), Some(md5), Some(path)) =
                (file.size, Md5Sum::told_of(&file), file.path)
                && sizes.contains(&size)
            {
                held.entry(size).or_default().push((md5, path));
            }
        }
        if pager.position().is_none() {
            return Ok(Some(held));
        }
    }
    Ok(sizes.is_empty().then_some(held))
}
