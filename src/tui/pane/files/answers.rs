//! Applies the answers to reads of the open folder. Answers to canceled reads never get here.

use std::collections::BTreeSet;

use super::gone;
use super::{listing, mark, rename};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::message::{Entry, Stage, Target};
use crate::engine::question::{List, ListAll, ListPage, Refresh, Refreshed};
use crate::tui::pane::ask::OnAnswer;
use crate::tui::state::{
    ListPurpose, ListRead, MessageLevel, PageRead, RefreshRead, State, View, WholeRead,
};
use crate::tui::widget::figures;

impl OnAnswer for PageRead {
    type Question = List;

    fn answered(self, state: &mut State, op: OpId, answer: ListPage) {
        let now = state.now;
        match pending(state, op) {
            Some(ListRead::First) => {
                subfolders(state, &answer);
                state
                    .files
                    .listing
                    .take_first(answer.entries, answer.next, now);
            }
            Some(ListRead::Next) => {
                state
                    .files
                    .listing
                    .take_next(answer.entries, answer.next, now);
            }
            _ => return,
        }
        ended(state);
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        failed(state, op, error);
    }
}

impl OnAnswer for RefreshRead {
    type Question = Refresh;

    fn answered(self, state: &mut State, op: OpId, answer: Refreshed) {
        if pending(state, op).is_none() {
            return;
        }
        looked(state, answer.found, &answer.gone.into_iter().collect());
        ended(state);
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        failed(state, op, error);
    }
}

impl OnAnswer for WholeRead {
    type Question = ListAll;

    fn answered(self, state: &mut State, op: OpId, (): ()) {
        let Some(ListRead::Whole(purpose)) = pending(state, op) else {
            return;
        };
        state.files.listing.finish_whole(state.now);
        if state
            .files
            .listing
            .of
            .query()
            .is_some_and(|query| !query.caveats().is_empty())
        {
            let (found, groups) = (
                state.files.listing.len(),
                state.files.listing.duplicate_groups(),
            );
            let found = match groups {
                0 => format!("{} found", figures::number(found)),
                _ => format!(
                    "{} in {}, {} to free",
                    figures::count(found, "file"),
                    figures::count(groups, "group"),
                    figures::size(state.files.listing.freed_by_groups())
                ),
            };
            state.say(
                MessageLevel::Info,
                format!("All files were checked: {found}."),
            );
        }
        mark::mark(state, purpose);
        ended(state);
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        failed(state, op, error);
    }
}

/// Passes the folders of a page to the tree, if the page has all of them.
fn subfolders(state: &mut State, page: &ListPage) {
    let has_all = page
        .next
        .as_ref()
        .is_none_or(|next| next.stage == Stage::Files);
    let Some(place) = state.files.listing.of.folder().filter(|_| has_all) else {
        return;
    };
    let folders = page.entries.iter().filter_map(|entry| match entry {
        Entry::Folder(folder) => Some(folder.clone()),
        Entry::File(_) => None,
    });
    let (id, folders) = (place.id.clone(), folders.collect());
    state.set_subfolders(id.as_ref(), folders);
}

/// The part that this request reads, if it is the one under way.
fn pending(state: &State, op: OpId) -> Option<ListRead> {
    state
        .files
        .listing
        .pending
        .filter(|pending| pending.op == op)
        .map(|pending| pending.ask)
}

/// Continues after a read that succeeded.
fn ended(state: &mut State) {
    let ended = state.files.listing.pending.take();
    state.files.listing.catch_up();
    if ended.is_some_and(|pending| pending.ask == ListRead::Whole(ListPurpose::Rename)) {
        rename::read_whole(state);
    }
    if state.files.listing.stale {
        return listing::reconcile(state);
    }
    if state.files.listing.is_empty() && state.files.listing.is_whole() {
        // A deleted folder is listed like an empty one.
        return gone::ask_still_there(state);
    }
    listing::sought(state);
}

/// Applies rows that were read again: they change, appear or go.
fn looked(state: &mut State, found: Vec<Entry>, gone: &BTreeSet<Target>) {
    // Neither a missing row nor one that the service does not list will still arrive.
    let is_mute = found.is_empty() && gone.is_empty();
    if state
        .files
        .listing
        .seek
        .as_ref()
        .is_some_and(|target| is_mute || gone.contains(target))
    {
        state.files.listing.seek = None;
    }
    state.files.listing.settle(found, gone);
}

/// Adds rows while the whole folder is being read.
pub(crate) fn part(state: &mut State, op: OpId, entries: Vec<Entry>) {
    if state
        .files
        .listing
        .pending
        .is_some_and(|pending| pending.op == op)
    {
        state.files.listing.take_part(entries, state.now);
    }
}

pub(crate) fn looked_at(state: &mut State, op: OpId, count: usize) {
    if state
        .files
        .listing
        .pending
        .is_some_and(|pending| pending.op == op)
    {
        state.files.listing.look_at(count);
    }
}

fn failed(state: &mut State, op: OpId, error: &Error) {
    let Some(ask) = pending(state, op) else {
        return;
    };
    let list = &mut state.files.listing;
    list.pending = None;
    if error.kind == Kind::NotFound && list.of.folder().is_some_and(|place| !place.is_root()) {
        return gone::open_nearest(state);
    }
    list.stop_whole();
    list.stale = false;
    // Rows that could not be read again are no worse than before.
    if ask != ListRead::Look {
        list.fail(error.clone());
    }
    let what = format!("{} could not be read", visible(list.of.title()));
    let is_shown = list.is_empty() && list.problem().is_some() && state.view == View::Files;
    state.note_failed(is_shown, &what, error);
}
