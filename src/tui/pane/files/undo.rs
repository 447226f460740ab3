//! Undoes the last rename, move or change of access, and prepares the undo of the next one.

use std::collections::BTreeMap;

use crate::api::model::{Access, FileUpdate};
use crate::api::text::visible;
use crate::engine::Job;
use crate::engine::message::{FolderRef, Target};
use crate::tui::dialog::{Confirm, ConfirmNote, Dialog, Intent};
use crate::tui::pane::submit;
use crate::tui::state::{CutOrigin, Row, State, last_part};
use crate::tui::wording::access;

/// Undoes the last change; asks first if that makes private files public.
pub(crate) fn undo(state: &mut State) {
    let Some(step) = state.session.undo.last() else {
        return;
    };
    if step.private.is_empty() {
        return carry_out(state);
    }
    let (names, levels): (Vec<String>, Vec<Access>) = step.private.iter().cloned().unzip();
    let names = names.iter().map(|name| visible(name).into_owned());
    let (files, button) = access::published(&levels);
    let title = format!(
        "Undo: make {files} again in {}",
        state.session.account.in_words()
    );
    let note = |level| ConfirmNote {
        access: Some(level),
        ..ConfirmNote::default()
    };
    let confirm = Confirm::new(title, button, Intent::Undo, state.now)
        .naming(names.collect())
        .noting(levels.into_iter().map(note).collect())
        .saying("Anyone with the link can fetch what is private now.");
    state.dialogs.push(Dialog::Confirm(confirm));
}

pub(crate) fn carry_out(state: &mut State) {
    let jobs = state
        .session
        .undo
        .pop()
        .map(|step| step.jobs)
        .unwrap_or_default();
    submit::by_road(state, jobs, Vec::new());
}

/// The jobs that undo changes of listed rows and renames of folders.
pub(crate) fn reverse_changes(state: &State, jobs: &[Job]) -> Vec<Job> {
    let reverse = |job: &Job| match job {
        Job::UpdateFolder {
            folder,
            from,
            name: Some(_),
            parent: None,
            ..
        } => {
            let name = Some(last_part(from).to_owned());
            let row = state.files.listing.row(&Target::Folder(folder.clone()));
            let seen = row.and_then(Row::updated);
            Some(Job::UpdateFolder {
                folder: folder.clone(),
                from: from.clone(),
                name,
                parent: None,
                seen,
            })
        }
        Job::Change { file, update, .. } => {
            let listing = &state.files.listing;
            let before = listing.row(&file.target)?.file(listing.of.base())?;
            let access = update.access.is_some().then_some(before.access).flatten();
            // The levels of hidden files can be read, but not set.
            if access
                .as_ref()
                .is_some_and(|level| !Access::SETTABLE.contains(level))
            {
                return None;
            }
            let changes_expiry = update.expires_at.is_some() || update.clear_expires == Some(true);
            let reverse = FileUpdate {
                name: update.name.is_some().then_some(before.name).flatten(),
                access,
                is_usable_in_content: update.is_usable_in_content.and(before.is_usable_in_content),
                expires_at: before.expires_at.filter(|_| changes_expiry),
                clear_expires: (changes_expiry && before.expires_at.is_none()).then_some(true),
                ..FileUpdate::default()
            };
            Some(Job::Change {
                file: file.clone(),
                update: Box::new(reverse),
                seen: before.updated_at,
            })
        }
        _ => None,
    };
    jobs.iter().filter_map(reverse).collect()
}

/// The jobs that undo moves from these origins.
pub(crate) fn reverse_moves(jobs: &[Job], origins: &BTreeMap<Target, CutOrigin>) -> Vec<Job> {
    let reverse = |job: &Job| {
        let is_known = |folder: &FolderRef| folder.id.is_some() || folder.path == "/";
        let CutOrigin { folder, updated } = origins.get(&job.target()?)?.clone();
        let into = is_known(&folder).then_some(folder)?;
        match job.clone() {
            Job::UpdateFolder { folder, from, .. } => Some(Job::UpdateFolder {
                folder,
                from,
                name: None,
                parent: Some(into),
                seen: updated,
            }),
            Job::Move { file, .. } => Some(Job::Move {
                file,
                into,
                seen: updated,
            }),
            _ => None,
        }
    };
    jobs.iter().filter_map(reverse).collect()
}
