//! Applies the results of jobs to the panes at once: rows appear, change and go. The folder is read
//! again only once, when the batch has ended: more reads would use up the requests that the batch
//! needs.

use std::collections::BTreeSet;

use serde_json::Map;

use crate::api::Kind;
use crate::api::model::{File, Folder};
use crate::api::paths::{join, split};
use crate::api::text::visible;
use crate::engine::batch::BatchId;
use crate::engine::message::{Collection, Entry, FolderRef, Settled, Target};
use crate::engine::{Item, Job, Outcome};
use crate::tui::pane::files::opening;
use crate::tui::state::{MessageLevel, State, moved, parent_path};

/// The changes to the open folder and its surroundings.
#[derive(Default)]
struct Changes {
    entries: Vec<Entry>,
    /// Items that are no longer in the open folder.
    away: BTreeSet<Target>,
    /// Items that no longer exist anywhere.
    gone: BTreeSet<Target>,
    /// Paths of folders that no longer exist.
    lost: Vec<String>,
    seek: Option<Target>,
    /// Set if the open folder is to be read again when the batch has ended.
    reads_again: bool,
}

pub(super) fn settled(state: &mut State, batch: BatchId, settled: Vec<Settled>) {
    let mut changes = Changes::default();
    for settled_job in &settled {
        state
            .session
            .denied_actions
            .record(settled_job.job.kind(), settled_job.result.as_ref().err());
        follow(state, settled_job, &mut changes);
    }
    state.session.undo.settled(batch, &settled);
    let new: Vec<Target> = settled
        .iter()
        .flat_map(|settled_job| arrived(state, settled_job))
        .collect();
    state
        .session
        .tasks
        .settle(batch, settled, state.session.clock_ahead);
    let here = state.files.listing.current().map(|row| row.target.clone());
    apply(state, batch, changes);
    // The cursor goes to the new row, unless the user has moved on since.
    let new = new
        .into_iter()
        .find(|target| state.files.listing.row(target).is_some());
    if let Some(target) = new.filter(|_| state.session.tasks.asked_on.get(&batch) == Some(&here)) {
        state.session.tasks.asked_on.remove(&batch);
        state.files.listing.seek(target);
    }
}

/// The items that a job has brought into a folder, and the folder itself if it is not listed yet.
fn arrived(state: &State, settled: &Settled) -> Vec<Target> {
    match (&settled.result, &settled.job) {
        (
            Ok(Outcome::Uploaded { file, .. } | Outcome::Imported(file) | Outcome::Present(file)),
            _,
        )
        | (Ok(Outcome::FileUpdated(file)), Job::Move { .. }) => {
            let folder = file.parent_folder_id.clone().map(Target::Folder);
            let new = folder.filter(|folder| state.files.listing.row(folder).is_none());
            [Target::File(file.id.clone())]
                .into_iter()
                .chain(new)
                .collect()
        }
        (
            Ok(Outcome::FolderUpdated(folder)),
            Job::UpdateFolder {
                parent: Some(_), ..
            },
        ) => {
            vec![Target::Folder(folder.id.clone())]
        }
        _ => Vec::new(),
    }
}

fn follow(state: &mut State, settled: &Settled, changes: &mut Changes) {
    match (&settled.result, &settled.job) {
        (Ok(Outcome::Uploaded { file, twins }), _) => {
            say_twins(state, file, twins);
            stored(state, file, changes);
        }
        (Ok(Outcome::Imported(file) | Outcome::Present(file)), _) => stored(state, file, changes),
        (Ok(Outcome::FileUpdated(file)), _) => {
            updated(state, Entry::File((**file).clone()), changes);
        }
        (Ok(Outcome::Replaced(file)), _) => {
            let entry = Entry::File((**file).clone());
            if is_listed(state, &entry) {
                put(entry, changes);
            }
        }
        (Ok(Outcome::FolderCreated(folder)), Job::CreateFolder { parent, name }) => {
            created(state, parent, name, folder, changes);
        }
        (Ok(Outcome::FolderUpdated(folder)), job @ Job::UpdateFolder { from, .. }) => {
            let to = folder.path.clone().or_else(|| job.folder_path());
            relocated(state, folder, from, to.as_deref(), changes);
        }
        (Ok(Outcome::Deleted { .. }), Job::Delete { item, .. }) => deleted(item, changes),
        // An item that the service no longer knows counts as deleted.
        (Err(error), Job::Delete { item, .. }) if error.kind == Kind::NotFound => {
            deleted(item, changes);
        }
        (Err(error), _) if error.in_doubt => changes.reads_again = true,
        _ => {}
    }
}

fn is_listed(state: &State, entry: &Entry) -> bool {
    let listing = &state.files.listing;
    listing.of.gains(entry)
        || (listing.of.is_read_whole() && listing.row(&entry.target()).is_some())
}

fn put(entry: Entry, changes: &mut Changes) {
    changes.entries.push(entry);
    changes.reads_again = true;
}

/// Adds a new file to the list, and its folder if that has no row.
fn stored(state: &mut State, file: &File, changes: &mut Changes) {
    let folder = file.parent_folder_id.as_ref();
    let path = file.path.clone().unwrap_or_else(|| file.full_name());
    match folder_of(state, file, &path) {
        FolderOfFile::New(folder) => {
            is_there(state, &folder);
            put(Entry::Folder(*folder), changes);
        }
        FolderOfFile::Deeper => changes.reads_again = true,
        FolderOfFile::Known => {}
    }
    let entry = Entry::File(file.clone());
    if is_listed(state, &entry) {
        put(entry, changes);
    }
    // An upload or import by path may have created folders on the way.
    if folder.is_some_and(|id| state.files.tree.find(Some(id)).is_none())
        && let Some(path) = known_above(state, &path)
    {
        opening::branch_at(state, &path);
    }
}

/// Adds a folder to the names that dialogs offer.
fn is_there(state: &mut State, folder: &Folder) {
    if let Some(path) = folder.path.clone() {
        state.session.folder_names.insert(&FolderRef {
            id: Some(folder.id.clone()),
            path,
        });
    }
}

/// The folder of a new file, as seen from the open folder.
enum FolderOfFile {
    /// Has its row, or is not in the open folder.
    Known,
    /// Has no row yet.
    New(Box<Folder>),
    /// Lies deeper, so that nothing but the existence of its row is known.
    Deeper,
}

fn folder_of(state: &State, file: &File, path: &str) -> FolderOfFile {
    let below = || {
        let here = state.files.listing.of.folder()?;
        let above = parent_path(path)?;
        let below = moved(&above, if here.is_root() { "" } else { &here.path }, "")?;
        let mut names = split(&below);
        Some((
            here,
            names.next()?.to_owned(),
            names.next().is_none(),
            above,
        ))
    };
    let Some((here, name, is_direct, above)) = below() else {
        return FolderOfFile::Known;
    };
    let Some(id) = file.parent_folder_id.clone().filter(|_| is_direct) else {
        return FolderOfFile::Deeper;
    };
    if state
        .files
        .listing
        .row(&Target::Folder(id.clone()))
        .is_some()
    {
        return FolderOfFile::Known;
    }
    FolderOfFile::New(Box::new(Folder {
        id,
        created_at: file.created_at,
        updated_at: file.created_at,
        archived_at: None,
        archived: false,
        parent_folder_id: here.id.clone(),
        name: Some(name),
        path: Some(above),
        extra: Map::new(),
    }))
}

/// The path of the nearest folder above that the tree has loaded.
fn known_above(state: &State, path: &str) -> Option<String> {
    let mut above = parent_path(path)?;
    while !state
        .files
        .tree
        .nodes
        .iter()
        .any(|node| node.place.path == above)
    {
        above = parent_path(&above)?;
    }
    Some(above)
}

fn say_twins(state: &mut State, file: &File, twins: &[File]) {
    let named = |file: &File| {
        let path = file.path.clone().unwrap_or_else(|| file.full_name());
        format!("{} (id {})", visible(&path), file.id)
    };
    if !twins.is_empty() {
        let all: Vec<String> = [file].into_iter().chain(twins).map(named).collect();
        state.say(
            MessageLevel::Warn,
            format!(
                "An answer was lost, and the file was stored more than once: {}.",
                all.join(", ")
            ),
        );
    }
}

/// Updates a changed entry in the list, or removes it if it no longer belongs there.
fn updated(state: &State, entry: Entry, changes: &mut Changes) {
    let target = entry.target();
    if is_listed(state, &entry) {
        put(entry, changes);
    } else if state.files.listing.row(&target).is_some() {
        changes.away.insert(target);
        changes.reads_again = true;
    }
}

fn created(
    state: &mut State,
    parent: &FolderRef,
    name: &str,
    folder: &Folder,
    changes: &mut Changes,
) {
    is_there(state, folder);
    if state.files.listing.of.is_folder(parent.id.as_ref()) {
        changes.reads_again = true;
        if let Some(row) = row_of_new(parent, name, folder) {
            let target = Target::Folder(row.id.clone());
            if row.id == folder.id || state.files.listing.row(&target).is_none() {
                changes.entries.push(Entry::Folder(row));
            }
            changes.seek = Some(target);
        }
    }
    opening::branch(state, parent.id.as_ref());
}

/// The row of a new folder in the list of `parent`: the folder itself, or the one that holds it if
/// two names were typed. With more names the answer does not tell the row.
fn row_of_new(parent: &FolderRef, name: &str, folder: &Folder) -> Option<Folder> {
    let names: Vec<&str> = split(name).collect();
    match names.as_slice() {
        [_] => Some(folder.clone()),
        [above, _] => Some(Folder {
            id: folder.parent_folder_id.clone()?,
            created_at: None,
            updated_at: None,
            archived_at: None,
            archived: false,
            parent_folder_id: parent.id.clone(),
            name: Some((*above).to_owned()),
            path: Some(join(&parent.path, above)),
            extra: Map::new(),
        }),
        _ => None,
    }
}

/// Applies the new name or place of a folder to everything that holds its old path.
fn relocated(
    state: &mut State,
    folder: &Folder,
    from: &str,
    to: Option<&str>,
    changes: &mut Changes,
) {
    updated(state, Entry::Folder(folder.clone()), changes);
    let Some(to) = to else { return };
    state.repath_folder(&folder.id, from, to);
    match &mut state.files.listing.of {
        Collection::Folder(place) => {
            place.path = moved(&place.path, from, to).unwrap_or_else(|| place.path.clone());
        }
        // Everything below it has new paths.
        Collection::Found(_) => changes.reads_again = true,
    }
    let parents: BTreeSet<String> = [parent_path(from), parent_path(to)]
        .into_iter()
        .flatten()
        .collect();
    for path in &parents {
        opening::branch_at(state, path);
    }
}

fn deleted(item: &Item, changes: &mut Changes) {
    if matches!(item.target, Target::Folder(_)) {
        changes
            .lost
            .push(item.path.trim_end_matches('/').to_owned());
    }
    changes.gone.insert(item.target.clone());
}

fn apply(state: &mut State, batch: BatchId, changes: Changes) {
    let Changes {
        entries,
        mut away,
        gone,
        lost,
        seek,
        reads_again,
    } = changes;
    let had_rows = gone
        .iter()
        .any(|target| state.files.listing.row(target).is_some());
    state.session.cut = state.session.cut.take().and_then(|cut| cut.without(&gone));
    for id in gone.iter().filter_map(Target::folder) {
        state.files.tree.remove(id);
    }
    for path in &lost {
        state.session.folder_names.remove(path);
    }
    away.extend(gone);
    state.files.listing.change(entries, &away);
    if let Some(target) = seek {
        state.files.listing.seek(target);
    }
    leave_deleted(state, &lost);
    let may_be_below = !lost.is_empty() && state.files.listing.of.query().is_some();
    if reads_again || had_rows || may_be_below {
        state.files.listing.touched.insert(batch);
    }
}

/// Goes to the folder that held the deleted one, if the open folder was deleted or was below it.
fn leave_deleted(state: &mut State, lost: &[String]) {
    let Some(here) = state
        .files
        .listing
        .of
        .folder()
        .map(|place| place.path.clone())
    else {
        return;
    };
    let is_open = |path: &&String| moved(&here, path, "").is_some();
    let Some(path) = lost.iter().filter(is_open).min_by_key(|path| path.len()) else {
        return;
    };
    let parent = parent_path(path).unwrap_or_else(|| "/".to_owned());
    let known = state
        .files
        .tree
        .nodes
        .iter()
        .map(|node| &node.place)
        .find(|place| place.path == parent);
    let place = known.cloned().unwrap_or_else(FolderRef::root);
    opening::open(state, place, None);
}
