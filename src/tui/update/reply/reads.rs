//! Answers to reads in the background: pages, branches, details, reports, names, links.

use std::path::Path;

use super::{gone, limits, listing, plan, queue};
use crate::api::model::{Access, File};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::message::{Entry, FolderRef, Target};
use crate::engine::{OpId, Outcome};
use crate::tui::dialog::{Dialog, Notice};
use crate::tui::message::Effect;
use crate::tui::state::{Children, MessageLevel, PreviewState, Read, State, parent_path};
use crate::tui::update::{browse, delete, deletions, edit_text, link, load, replace, service_task, unsaved_edits};
use crate::tui::widget::figures;

/// A read ended. The answers of reads that were given up do not come here.
pub(super) fn done(state: &mut State, op: OpId, read: Read, result: Result<Outcome, Error>) -> Vec<Effect> {
    match (read, result) {
        (Read::Listing, result) => listing::done(state, op, result),
        (Read::Branch(id), Ok(Outcome::Folders(folders))) => {
            state.current.tree.set_children(id.as_ref(), folders);
            load::reveal(state).into_iter().collect()
        }
        (Read::Branch(Some(id)), Err(error)) if error.kind == Kind::NotFound => {
            state.current.tree.remove(&id);
            Vec::new()
        }
        (Read::Details(_), Ok(Outcome::Details(file))) => {
            details(state, file);
            Vec::new()
        }
        (Read::Preview, Ok(Outcome::Previewed(preview))) => {
            state.current.looked(op, preview, state.now);
            Vec::new()
        }
        (Read::GoTo(_), Ok(Outcome::LocatedRoot)) => browse::go(state, FolderRef::root(), None),
        (Read::GoTo(path), Ok(Outcome::Located(entry))) => located(state, &path, entry),
        (Read::CheckFolder(id), Ok(Outcome::Located(Entry::Folder(folder)))) if folder.id == id => Vec::new(),
        (Read::CheckFolder(id), Ok(_)) => gone::check(state, &id),
        (Read::CheckFolder(id), Err(error)) if error.kind == Kind::NotFound => gone::check(state, &id),
        (Read::CheckFolder(_), Err(_)) => Vec::new(),
        (Read::NearestFolder { path, lost }, result) => gone::located(state, &path, &lost, result),
        (Read::Link { label, then }, Ok(Outcome::Signed(signed))) => vec![link::signed(state, &label, then, signed)],
        (Read::Json { .. }, Ok(Outcome::Details(file))) => link::json(state, &file),
        (Read::Names, Ok(Outcome::LocalNames { folder, names })) => {
            if let Some(dialog) = state.dialogs.last_mut() {
                dialog.take_names(&folder, names);
            }
            Vec::new()
        }
        (Read::Names, Ok(Outcome::Names { path, names })) => {
            if let Some(dialog) = state.dialogs.last_mut() {
                dialog.take_names(Path::new(&path), names);
            }
            Vec::new()
        }
        (Read::CheckReplacement(job), Ok(Outcome::LocalFile)) => replace::found(state, *job),
        (read @ (Read::EditText(_) | Read::UnsavedEdits { .. } | Read::DiscardText(_)), Ok(outcome)) => {
            text(state, op, read, outcome)
        }
        (Read::Plan, Ok(Outcome::Planned { not_looked_for })) => {
            plan::ended(state, op, Some(not_looked_for));
            Vec::new()
        }
        (Read::MeasureFolders, Ok(Outcome::FolderSizes(sizes))) => {
            delete::sized(state, op, sizes);
            Vec::new()
        }
        (Read::Limits(report), Ok(Outcome::Limits(entries))) => limits::done(state, &report, entries),
        (Read::Remember, Ok(Outcome::Remembered(past))) => {
            limits::remembered(state, past);
            Vec::new()
        }
        (Read::Export, Ok(Outcome::Exported(path))) => {
            state.say(MessageLevel::Info, format!("Written to {}", visible(&path.to_string_lossy())));
            Vec::new()
        }
        (Read::Deletions, Ok(Outcome::Deletions(list))) => {
            deletions::show(state, list);
            Vec::new()
        }
        (Read::DeletedWith { folder, then }, Ok(Outcome::Deletions(files))) => {
            deletions::show_deleted_with(state, &folder, then, files).into_iter().collect()
        }
        (Read::Queue { .. }, Ok(Outcome::Queued(batch))) => {
            queue::queued(state, op, batch);
            Vec::new()
        }
        (Read::Control { then, .. }, Ok(Outcome::Controlled)) => {
            queue::controlled(state, then);
            Vec::new()
        }
        (Read::ServiceTask(_), Ok(Outcome::ServiceTask(id, task))) => {
            service_task::show(state, &id, &task);
            Vec::new()
        }
        (Read::TaskOfJob(job), Ok(Outcome::ServiceTask(id, task))) => {
            service_task::record_status(state, job, Ok((id, *task)));
            Vec::new()
        }
        (Read::Failures(batch), Ok(Outcome::Failures(list))) => {
            queue::failures(state, batch, list);
            Vec::new()
        }
        (read, Err(error)) => failed(state, op, read, &error),
        (read, Ok(_)) => unfit(state, op, read),
    }
}

/// A text that is edited, or those that are kept.
fn text(state: &mut State, op: OpId, read: Read, outcome: Outcome) -> Vec<Effect> {
    match (read, outcome) {
        (Read::EditText(file), Outcome::TextFetched(text)) => {
            edit_text::fetched(state, file, text, false).into_iter().collect()
        }
        (Read::EditText(file), Outcome::TextTaken(text)) => {
            edit_text::fetched(state, file, text, true).into_iter().collect()
        }
        (Read::EditText(_), Outcome::UnsavedEdits(kept)) => {
            unsaved_edits::show(state, kept.texts);
            Vec::new()
        }
        (Read::UnsavedEdits { is_start }, Outcome::UnsavedEdits(kept)) => {
            unsaved_edits::list_found(state, kept, is_start);
            Vec::new()
        }
        (Read::DiscardText(_), Outcome::TextTaken(text)) => vec![unsaved_edits::discard_taken(state, text)],
        (read, _) => unfit(state, op, read),
    }
}

fn unfit(state: &mut State, op: OpId, read: Read) -> Vec<Effect> {
    let error = Error::new(Kind::Internal, "The answer does not fit the question.");
    failed(state, op, read, &error)
}

/// A read came to nothing: what it was for shows the error.
pub(super) fn failed(state: &mut State, op: OpId, read: Read, error: &Error) -> Vec<Effect> {
    match read {
        Read::Listing => listing::failed(state, op, error),
        Read::Branch(id) => {
            if let Some(node) = state.current.tree.find_mut(id.as_ref()) {
                node.children = Children::Failed(error.clone());
                let what = format!("{} could not be read", visible(&node.place.path));
                state.say_failed(&what, error);
            }
        }
        Read::Details(_) => state.say_failed("The details could not be read", error),
        Read::Preview => state.current.previews.take(op, PreviewState::Failed(error.clone()), state.now),
        Read::GoTo(path) => state.say_failed(&format!("{} could not be opened", visible(&path)), error),
        Read::Link { label, .. } | Read::Json { label } => {
            state.say_failed(&format!("Nothing copied for {label}"), error);
        }
        Read::Names => {
            let problem = visible(&error.message).into_owned();
            if !state.dialogs.last_mut().is_some_and(|dialog| dialog.say_wrong(problem)) {
                state.say_failed("The local folder could not be read", error);
            }
        }
        Read::CheckReplacement(_) => replace::not_found(state, error),
        Read::UnsavedEdits { .. } => state.say_failed("Unsaved edits could not be looked up", error),
        Read::DiscardText(file) => {
            state.say_failed(&format!("The edit of {} was not discarded", visible(&file.name)), error);
        }
        Read::EditText(file) => state.say_failed(&format!("{} cannot be edited", visible(&file.name)), error),
        Read::Plan => plan::failed(state, op, error),
        Read::MeasureFolders => delete::measuring_failed(state, op, error),
        Read::Limits(report) => return limits::failed(state, &report, error),
        Read::Remember => limits::not_kept(state, error),
        Read::Deletions | Read::DeletedWith { .. } => state.say_failed("The deletions could not be read", error),
        Read::Export => state.say_failed("The table could not be written", error),
        Read::Queue { what } => {
            state.current.tasks.busy.refused(op);
            state.say_failed(&what, error);
        }
        Read::Control { control, .. } => queue::not_controlled(state, control, error),
        Read::ServiceTask(id) => {
            state.say_failed(&format!("The status of task {} could not be read", visible(&id)), error);
        }
        Read::TaskOfJob(job) => service_task::record_status(state, job, Err(error.clone())),
        Read::Failures(_) => state.say_failed("The failures could not be read", error),
        Read::NearestFolder { .. } => state.current.listing.fail(error.clone()),
        Read::CheckFolder(_) => {}
    }
    Vec::new()
}

fn details(state: &mut State, file: File) {
    let target = Target::File(file.id.clone());
    if state.current.listing.row(&target).is_some() && !state.current.tasks.busy.holds(&target) {
        state.current.listing.upsert(Entry::File(file));
    }
}

/// No list shows it: says what there is to say.
fn hidden(state: &mut State, file: &File) {
    let mut lines = vec![visible(&file.path.clone().unwrap_or_else(|| file.full_name())).into_owned()];
    lines.push(format!("id {}", visible(file.id.as_str())));
    lines.extend(file.size.map(|size| format!("{} bytes", figures::grouped(size))));
    lines.extend([String::new(), "This file is hidden: lists and searches leave it out.".to_owned()]);
    state.dialogs.push(Dialog::Notice(Notice::new(visible(&file.full_name()), lines)));
}

fn located(state: &mut State, path: &str, entry: Entry) -> Vec<Effect> {
    match entry {
        Entry::Folder(folder) => {
            let path = folder.path.unwrap_or_else(|| path.to_owned());
            browse::go(state, FolderRef { id: Some(folder.id), path }, None)
        }
        Entry::File(file) => {
            if file.access.as_ref().is_some_and(Access::is_hidden) {
                hidden(state, &file);
            }
            let place = FolderRef {
                id: file.parent_folder_id.clone(),
                path: parent_path(file.path.as_deref().unwrap_or(path)).unwrap_or_else(|| "/".to_owned()),
            };
            browse::go(state, place, Some(Target::File(file.id)))
        }
    }
}
