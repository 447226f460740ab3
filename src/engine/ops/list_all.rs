//! Reads a whole folder, or all results of a search, in order of id, so that it does not end at
//! offset 10,000: several pages at once up to there, then on from the last id. Every page is
//! checked like those of a listing, and begins with the last entry of the one before it: where that
//! is missing, entries have gone meanwhile, and others have slipped between the two pages.

use futures::StreamExt;
use futures::stream::FuturesOrdered;

use super::list::ListRequest;
use super::list_memory::{ListMemory, ListScope};
use crate::api::position::stands_still;
use crate::api::search::{LAST_OFFSET, PAGE};
use crate::api::{Client, Error, Position};
use crate::engine::message::{Collection, Entry, Stage};
use crate::engine::parts::Parts;

/// Enough to keep a service busy without a queue; requests past the end are wasted.
const AT_ONCE: usize = 4;

/// Passes on all entries as they arrive: folders, then files, by id. Includes most of those that
/// are added meanwhile.
pub async fn read(
    client: &Client,
    memory: &ListMemory,
    of: &Collection,
    parts: &Parts,
) -> Result<(), Error> {
    let own = ListMemory::with_root_of(memory);
    let asked = ListRequest::new(client, &own, of);
    for stage in [Stage::Folders, Stage::Files] {
        let Some(scope) = scope(client, memory, of, stage).await? else {
            continue;
        };
        let mut from = Some(1);
        while let Some(first) = from {
            from = part(&asked, scope, stage, first, parts).await?;
        }
    }
    Ok(())
}

/// Reads from an id to the last offset, or as far as the pages join; returns the id to continue
/// from, if any.
async fn part(
    asked: &ListRequest<'_>,
    scope: ListScope,
    stage: Stage,
    from: u64,
    parts: &Parts,
) -> Result<Option<u64>, Error> {
    let page = async |offset| {
        let from_id = Some(from);
        let mut pager = asked
            .pager(stage, scope)
            .at(Some(Position { offset, from_id }));
        let entries = pager.next().await?;
        Ok::<_, Error>((entries, pager.position().is_none()))
    };
    let mut ahead = (0..LAST_OFFSET).step_by(PAGE as usize - 1).map(page);
    let mut pages: FuturesOrdered<_> = ahead.by_ref().take(AT_ONCE).collect();
    let (mut highest, mut joint) = (None, None);
    while let Some(found) = pages.next().await {
        let (mut entries, is_last) = found?;
        if joint.is_some() && !entries.iter().any(|entry| Some(entry.target()) == joint) {
            break;
        }
        pages.extend(ahead.next());
        let is_empty = entries.is_empty();
        entries.retain(|entry| highest.is_none() || number(entry) > highest);
        if !is_empty && entries.is_empty() && !is_last {
            return Err(stands_still());
        }
        highest = highest.max(entries.iter().filter_map(number).max());
        joint = entries.last().map(Entry::target).or(joint);
        entries.retain(|entry| asked.belongs(entry));
        parts.give(entries).await;
        if is_last {
            return Ok(None);
        }
    }
    match highest.and_then(|id| id.checked_add(1)) {
        Some(next) if next > from => Ok(Some(next)),
        Some(_) => Err(stands_still()),
        None => Ok(None),
    }
}

fn number(entry: &Entry) -> Option<u64> {
    entry.id().parse().ok()
}

/// Returns what to request; `None` if the root folder has nothing of the sort.
async fn scope(
    client: &Client,
    memory: &ListMemory,
    of: &Collection,
    stage: Stage,
) -> Result<Option<ListScope>, Error> {
    let known = memory.scope(of);
    if known.is_some() {
        return Ok(known);
    }
    let own = ListMemory::default();
    ListRequest::new(client, &own, of).start(stage).await?;
    memory.take_root_of(&own);
    Ok(memory.scope(of))
}
