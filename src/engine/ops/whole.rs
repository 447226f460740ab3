//! A folder read whole, in order of id, so that it does not end at offset 10,000: several pages at once up to there, then
//! on from the last id. Every page is checked as those of a listing are.

use futures::StreamExt;
use futures::stream::FuturesOrdered;

use super::list::{Asked, Found, id, stands_still};
use super::list_memory::{ListMemory, Scope};
use crate::api::search::{LAST_OFFSET, PAGE};
use crate::api::{Client, Error};
use crate::engine::message::{Cursor, Place, Stage};
use crate::engine::parts::Parts;

/// As many as keep a service busy without a queue; what is asked for past the end is lost.
const AT_ONCE: usize = 4;

/// Gives all entries of a folder as they come: folders, then files, by id. Those that come into the folder meanwhile are
/// mostly among them.
pub async fn read(client: &Client, memory: &ListMemory, place: &Place, parts: &Parts) -> Result<(), Error> {
    let own = ListMemory::with_root_of(memory);
    let asked = Asked::new(client, &own, place);
    for stage in [Stage::Folders, Stage::Files] {
        let Some(scope) = scope(client, memory, place, stage).await? else { continue };
        let mut from = Some(1);
        while let Some(first) = from {
            from = part(&asked, scope, stage, first, parts).await?;
        }
    }
    Ok(())
}

/// Reads from an id to the end of offsets; gives the id to go on from, or none at the end.
async fn part(asked: &Asked<'_>, scope: Scope, stage: Stage, from: u64, parts: &Parts) -> Result<Option<u64>, Error> {
    let cursor = |offset| Cursor { stage, offset, from_id: Some(from.to_string()) };
    let mut ahead = (0..LAST_OFFSET).step_by(PAGE as usize).map(cursor);
    let mut pages: FuturesOrdered<_> = ahead.by_ref().take(AT_ONCE).map(|cursor| page(asked, cursor, scope)).collect();
    let mut last = None;
    while let Some(found) = pages.next().await {
        let found = found?;
        pages.extend(ahead.next().map(|cursor| page(asked, cursor, scope)));
        last = last.max(found.entries.iter().filter_map(|entry| id(entry).parse::<u64>().ok()).max());
        let is_last = found.next.is_none();
        parts.give(asked.new_of(stage, found)?).await;
        if is_last {
            return Ok(None);
        }
    }
    match last.and_then(|last| last.checked_add(1)) {
        Some(next) if next > from => Ok(Some(next)),
        Some(_) => Err(stands_still()),
        None => Ok(None),
    }
}

async fn page(asked: &Asked<'_>, cursor: Cursor, scope: Scope) -> Result<Found, Error> {
    asked.search(&cursor, scope).await
}

/// What to ask for; none if the root folder has nothing of the sort.
async fn scope(client: &Client, memory: &ListMemory, place: &Place, stage: Stage) -> Result<Option<Scope>, Error> {
    let known = memory.scope(place);
    if known.is_some() {
        return Ok(known);
    }
    let own = ListMemory::default();
    Asked::new(client, &own, place).first_page(stage).await?;
    memory.take_root_of(&own);
    Ok(memory.scope(place))
}
