//! Ends of the tasks that the user sees: the row is added, changed or taken away at once, and a fresh page is asked for
//! if the folder is open.

use std::collections::BTreeSet;

use crate::api::ids::FolderId;
use crate::api::model::{File, Folder};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::message::{Entry, Place, Target};
use crate::engine::{Item, Job, OpId, Outcome};
use crate::tui::message::Effect;
use crate::tui::state::{Level, State, Status, Task, moved, parent_path};
use crate::tui::update::{listing, load, submit};
use crate::tui::widget::figures;

pub(super) fn done(state: &mut State, op: OpId, result: Result<Outcome, Error>) -> Vec<Effect> {
    let Some(task) = state.desk.ops.task(op).filter(|task| task.is_live()).cloned() else { return Vec::new() };
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => {
            failed(state, op, error);
            return Vec::new();
        }
    };
    submit::release(state, op);
    end(state, op, Status::Done);
    match outcome {
        Outcome::Imported(file) => stored(state, &task, file),
        Outcome::Uploaded { file, twins } => {
            let path = |file: &File| visible(&file.path.clone().unwrap_or_else(|| file.full_name())).into_owned();
            let (kept, others) = (path(&file), twins.iter().map(path).collect::<Vec<_>>());
            let effects = stored(state, &task, file);
            if !others.is_empty() {
                let text = format!("The first answer was lost, and {kept} was stored again as {}.", others.join(", "));
                state.say(Level::Warn, text);
            }
            effects
        }
        Outcome::Replaced(file) => replaced(state, &task, file),
        Outcome::Downloaded { path, bytes } => {
            let path = path.to_string_lossy();
            state.say(Level::Info, format!("Saved {} ({}).", visible(&path), figures::size(bytes)));
            Vec::new()
        }
        Outcome::FolderCreated(folder) => created(state, &task, folder),
        Outcome::FolderUpdated(folder) => folder_updated(state, &task, &folder),
        Outcome::FilesUpdated { updated, failed, left } => {
            files_updated(state, op, &task, updated, Unfinished { failed, left })
        }
        Outcome::Deleted { deleted, failed, left } => {
            items_deleted(state, op, &task, &deleted, Unfinished { failed, left })
        }
        _ => {
            failed(state, op, Error::new(Kind::Internal, "The answer does not fit the request."));
            Vec::new()
        }
    }
}

/// A task came to nothing: its rows are given back, and the error is where the user looks.
pub(super) fn failed(state: &mut State, op: OpId, error: Error) {
    submit::release(state, op);
    let Some(task) = state.desk.ops.task(op) else { return };
    let what = format!("{} failed, {}", task.job.noun(), task.label);
    state.say_failed(&what, &error);
    end(state, op, Status::Failed(error));
}

fn end(state: &mut State, op: OpId, status: Status) {
    let now = state.now;
    if let Some(task) = state.desk.ops.task_mut(op) {
        task.end(status, now);
    }
}

/// A file came in by upload or import.
fn stored(state: &mut State, task: &Task, file: File) -> Vec<Effect> {
    let path = file.path.clone().unwrap_or_else(|| file.full_name());
    let was_there = file.created_at.is_some_and(|created| created < task.queued_at) && task.job.returns_existing();
    let text = if was_there {
        format!("Nothing new was stored, the same content is at {}.", visible(&path))
    } else {
        let done = format!("{} done: {}", task.job.noun(), visible(&path));
        match sent_name(&task.job).filter(|sent| *sent != file.full_name()) {
            Some(sent) => format!("{done}. It was sent as {}, which the service did not keep.", visible(sent)),
            None => done,
        }
    };
    state.say(Level::Info, text);
    let folder = file.parent_folder_id.clone();
    let mut effects = Vec::new();
    if folder == state.desk.listing.place.id {
        state.desk.listing.upsert(Entry::File(file));
        effects.extend(listing::reconcile(state));
    }
    // An upload or import by path may have made folders on the way.
    if folder.as_ref().is_some_and(|id| state.desk.tree.find(Some(id)).is_none()) {
        effects.extend(known_above(state, &path).and_then(|path| load::branch_at(state, &path)));
    }
    effects
}

/// The name that an upload asked for.
fn sent_name(job: &Job) -> Option<&str> {
    match job {
        Job::Upload { local, name, .. } => name.as_deref().or_else(|| local.file_name()?.to_str()),
        _ => None,
    }
}

/// The path of the nearest folder above that the tree knows.
fn known_above(state: &State, path: &str) -> Option<String> {
    let mut above = parent_path(path)?;
    while !state.desk.tree.nodes.iter().any(|node| node.place.path == above) {
        above = parent_path(&above)?;
    }
    Some(above)
}

fn created(state: &mut State, task: &Task, folder: Folder) -> Vec<Effect> {
    let Job::CreateFolder { parent, name } = &task.job else { return Vec::new() };
    state.say(Level::Info, format!("New folder: {}", task.label));
    let mut effects = Vec::new();
    if state.desk.listing.place.id == parent.id {
        if !name.contains('/') {
            let target = Target::Folder(folder.id.clone());
            state.desk.listing.upsert(Entry::Folder(folder));
            state.desk.listing.seek(target);
        }
        effects.extend(listing::reconcile(state));
    }
    effects.extend(load::branch(state, parent.id.as_ref()));
    effects
}

/// A folder has its new name or place: everything that spelt its old path follows.
fn folder_updated(state: &mut State, task: &Task, folder: &Folder) -> Vec<Effect> {
    let is_renamed = matches!(task.job, Job::UpdateFolder { name: Some(_), parent: None, .. });
    let verb = if is_renamed { "renamed" } else { "moved" };
    state.say(Level::Info, format!("Folder {verb}: {}", task.label));
    let old = state.desk.tree.find(Some(&folder.id)).map(|node| node.place.path.clone());
    let from = match &task.job {
        Job::UpdateFolder { from, .. } => Some(from.clone()),
        _ => old,
    };
    let to = folder.path.clone().or_else(|| task.job.folder_path());
    let mut effects = Vec::new();
    if let (Some(from), Some(to)) = (from, to) {
        state.desk.tree.repath(&folder.id, &to);
        state.desk.history.repath(&from, &to);
        if let Some(path) = moved(&state.desk.listing.place.path, &from, &to) {
            state.desk.listing.place.path = path;
        }
        let parents: BTreeSet<String> = [parent_path(&from), parent_path(&to)].into_iter().flatten().collect();
        for path in &parents {
            effects.extend(load::branch_at(state, path));
        }
    }
    effects.extend(listing::reconcile(state));
    effects
}

fn files_updated(state: &mut State, op: OpId, task: &Task, updated: Vec<File>, unfinished: Unfinished) -> Vec<Effect> {
    let here = state.desk.listing.place.id.clone();
    let mut left = BTreeSet::new();
    let mut is_here = false;
    for file in updated {
        let target = Target::File(file.id.clone());
        if file.parent_folder_id == here {
            is_here = true;
            state.desk.listing.upsert(Entry::File(file));
        } else if state.desk.listing.row(&target).is_some() {
            left.insert(target);
        }
    }
    is_here |= !left.is_empty();
    state.desk.listing.remove(&left);
    settle(state, op, task, unfinished, &format!("{}: {}", change(&task.job), task.label));
    if is_here { listing::reconcile(state) } else { Vec::new() }
}

/// What was done to files in place, in a word.
fn change(job: &Job) -> &'static str {
    match job {
        Job::MoveFiles { .. } => "Moved",
        Job::ChangeFiles { changes } if changes.iter().any(|(_, update)| update.name.is_some()) => "Renamed",
        _ => "Changed",
    }
}

/// A file has the content of another one now.
fn replaced(state: &mut State, task: &Task, file: File) -> Vec<Effect> {
    state.say(Level::Info, format!("{} done: {}", task.job.noun(), task.label));
    if file.parent_folder_id != state.desk.listing.place.id {
        return Vec::new();
    }
    state.desk.listing.upsert(Entry::File(file));
    listing::reconcile(state)
}

fn items_deleted(state: &mut State, op: OpId, task: &Task, deleted: &[Target], unfinished: Unfinished) -> Vec<Effect> {
    let Job::Delete { items, permanent } = &task.job else { return Vec::new() };
    // What the service does not know any more is as gone as what it has deleted.
    let failed = &unfinished.failed;
    let missing = failed.iter().filter(|(_, error)| error.kind == Kind::NotFound).map(|(target, _)| target);
    let gone: BTreeSet<Target> = deleted.iter().chain(missing).cloned().collect();
    let in_doubt = failed.iter().any(|(_, error)| error.in_doubt);
    let had_rows = gone.iter().any(|target| state.desk.listing.row(target).is_some());
    state.desk.listing.remove(&gone);
    state.desk.cut = state.desk.cut.take().and_then(|cut| cut.without(&gone));
    let folders: Vec<&FolderId> =
        gone.iter().filter_map(|target| if let Target::Folder(id) = target { Some(id) } else { None }).collect();
    for id in &folders {
        state.desk.tree.remove(id);
    }
    let verb = if *permanent { "Deleted for good, gone within 7 days" } else { "Deleted" };
    let text = format!("{verb}: {}", task.label);
    let mut effects = leave_deleted(state, items, &gone);
    settle(state, op, task, unfinished, &text);
    if had_rows || in_doubt {
        effects.extend(listing::reconcile(state));
    }
    effects
}

/// If the open folder was deleted, or one above it: goes to the folder that held what was deleted.
fn leave_deleted(state: &mut State, items: &[Item], gone: &BTreeSet<Target>) -> Vec<Effect> {
    let here = state.desk.listing.place.path.clone();
    let is_open = |path: &str| here == path || here.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    let is_lost = |item: &&Item| gone.contains(&item.target) && matches!(item.target, Target::Folder(_));
    let lost = items.iter().filter(is_lost).find(|item| is_open(&item.path));
    let Some(Item { path, .. }) = lost else { return Vec::new() };
    let parent = parent_path(path).unwrap_or_else(|| "/".to_owned());
    let known = state.desk.tree.nodes.iter().map(|node| &node.place).find(|place| place.path == parent);
    let place = known.cloned().unwrap_or_else(Place::root);
    load::open_place(state, place, None)
}

/// What a job of several items did not do.
struct Unfinished {
    failed: Vec<(Target, Error)>,
    left: Vec<Target>,
}

/// All of it went well; or some of it failed, or was cancelled before its turn: then a retry does the rest.
fn settle(state: &mut State, op: OpId, task: &Task, Unfinished { failed, left }: Unfinished, success: &str) {
    let (count, total) = (failed.len(), task.job.count());
    if failed.is_empty() && left.is_empty() {
        state.say(Level::Info, success);
        return;
    }
    let rest: BTreeSet<Target> = failed.iter().map(|(target, _)| target).chain(&left).cloned().collect();
    if let Some(task) = state.desk.ops.task_mut(op) {
        task.job = task.job.only(&rest);
    }
    if !left.is_empty() {
        let done = total - rest.len();
        let lasting = if done > 0 { task.job.after_cancelling() } else { "" };
        let failed = if count > 0 { format!(", {count} failed") } else { String::new() };
        let items = figures::count(total, "item");
        state.say(
            Level::Warn,
            format!(
                "{} cancelled: {done} of {items} done{failed}, {} not begun.{lasting}",
                task.job.noun(),
                left.len()
            ),
        );
        end(state, op, Status::Cancelled);
        return;
    }
    let Some((_, first)) = failed.into_iter().next() else { return };
    let what = if total == 1 {
        format!("{} failed, {}", task.job.noun(), task.label)
    } else {
        format!("{}: {count} of {} failed", task.label, figures::count(total, "item"))
    };
    state.say_failed(&what, &first);
    end(state, op, Status::Failed(first));
}
