//! Confirms deletions. The content of folders is counted in the background: the dialog shows the
//! counts and does not wait for them.

use std::borrow::Cow;

use super::edit;
use crate::api::Error;
use crate::api::ids::FolderId;
use crate::api::text::visible;
use crate::engine::folder_size::{FolderSize, FolderSizes, outermost};
use crate::engine::item::{Item, what};
use crate::engine::message::Target;
use crate::engine::question::MeasureFolders;
use crate::engine::{Job, OpId};
use crate::tui::dialog::{Confirm, ConfirmNote, Dialog, Intent, SizeCount};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{SizeRead, State};
use crate::tui::widget::figures;
use crate::tui::widget::text::truncate_middle;

/// The progress of the count of folder contents.
#[derive(Clone, Copy)]
enum DeletionCount<'a> {
    UnderWay,
    Over,
    Failed(&'a Error),
}

const FOLDERS_GO: &str = "Everything in a folder is deleted with it.";
const LINKS_STOP: &str =
    "Links stop working at once. The service keeps a private copy, but its API cannot restore it.";
const RESTORABLE: &str =
    "Links stop working at once. The web application restores deleted files for 30 days.";

/// Asks before the chosen items are deleted. A permanent deletion is for files only and requires a
/// typed word.
pub(crate) fn ask_chosen(state: &mut State, permanent: bool) {
    let items = edit::chosen(state);
    if !items.is_empty() {
        ask_of(state, items, permanent, None);
    }
}

/// Like `ask_chosen`, for these items; `about` is an extra line about them, safe to show.
pub(crate) fn ask_of(state: &mut State, items: Vec<Item>, permanent: bool, about: Option<String>) {
    let has_folders = items.iter().any(|item| item.target.folder().is_some());
    let all: Vec<&Item> = items.iter().collect();
    let bytes = items
        .iter()
        .filter_map(|item| item.size)
        .reduce(u64::saturating_add)
        .filter(|_| !has_folders);
    let bytes = bytes
        .map(|bytes| format!(", {}", figures::size(bytes)))
        .unwrap_or_default();
    let kind = if permanent {
        "Permanently delete"
    } else {
        "Delete"
    };
    let [title, short_title] = titles(kind, &all, [&bytes, &bytes], state);
    let button = if permanent {
        "Delete permanently".to_owned()
    } else {
        format!("Delete {}", short(&what(&items)))
    };
    let names = items.iter().map(name).collect();
    let notes = all
        .iter()
        .map(|item| note(item, &FolderSizes::new(), DeletionCount::UnderWay, state))
        .collect();
    let size_count = folder_size(state, &all);
    let count = items.len().to_string();
    let jobs = items.into_iter().map(|item| Job::Delete {
        item,
        permanent,
        state: None,
    });
    let intent = Intent::Jobs(jobs.collect());
    let confirm = Confirm::new(title, button, intent, state.now).or_titled(short_title);
    let mut confirm = confirm.naming(names).noting(notes);
    confirm.size_count = size_count;
    confirm = if permanent {
        confirm
            .saying("Content and metadata are erased within 7 days. They cannot be restored.")
            .typing(vec!["delete".to_owned(), count])
    } else {
        let has_trash = state.trash().is_some();
        confirm.saying(if has_trash { RESTORABLE } else { LINKS_STOP })
    };
    confirm.body.extend(about);
    if has_folders {
        confirm = confirm.saying(FOLDERS_GO);
    }
    state.dialogs.push(Dialog::Confirm(confirm));
}

/// Starts counting the content of the folders, if there are any.
fn folder_size(state: &mut State, items: &[&Item]) -> Option<SizeCount> {
    let outermost = outermost(items);
    let folders: Vec<FolderId> = outermost
        .iter()
        .filter_map(|item| item.target.folder().cloned())
        .collect();
    if folders.is_empty() {
        return None;
    }
    let op = ask(state, SizeRead, MeasureFolders { folders });
    Some(SizeCount {
        op,
        sizes: FolderSizes::new(),
    })
}

pub(crate) fn measured_so_far(state: &mut State, op: OpId, sizes: FolderSizes) {
    tell(state, op, Some(sizes), DeletionCount::UnderWay);
}

impl OnAnswer for SizeRead {
    type Question = MeasureFolders;

    fn answered(self, state: &mut State, op: OpId, answer: FolderSizes) {
        tell(state, op, Some(answer), DeletionCount::Over);
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        tell(state, op, None, DeletionCount::Failed(error));
        state.note_failed(
            true,
            "The content of the folders could not be counted",
            error,
        );
    }
}

/// Updates the dialog that waits for this count.
fn tell(state: &mut State, op: OpId, sizes: Option<FolderSizes>, count: DeletionCount<'_>) {
    let found = state
        .dialogs
        .iter()
        .enumerate()
        .find_map(|(at, dialog)| match dialog {
            Dialog::Confirm(confirm) => Some((
                at,
                confirm,
                confirm
                    .size_count
                    .as_ref()
                    .filter(|size_count| size_count.op == op)?,
            )),
            _ => None,
        });
    let Some((at, confirm, size_count)) = found else {
        return;
    };
    let sizes = sizes.unwrap_or_else(|| size_count.sizes.clone());
    let items = items(&confirm.intent);
    let notes = items
        .iter()
        .map(|item| note(item, &sizes, count, state))
        .collect();
    let sum = matches!(count, DeletionCount::Over).then(|| sum(&items, &sizes));
    let is_empty = sum.is_some_and(|sum| sum.is_all && sum.files == 0);
    let titles = sum.map(|sum| match (is_empty, items.as_slice()) {
        (true, [_]) => titles("Delete the empty folder", &items, [""; 2], state),
        (true, _) => titles("Delete", &items, [", all empty"; 2], state),
        (false, _) => {
            let size = figures::folder_size(sum);
            titles(
                "Delete",
                &items,
                [&format!(" ({size} in all)"), &format!(" ({size})")],
                state,
            )
        }
    });
    if let Some(Dialog::Confirm(confirm)) = state.dialogs.get_mut(at) {
        if is_empty {
            confirm
                .body
                .retain(|line| ![FOLDERS_GO, LINKS_STOP, RESTORABLE].contains(&line.as_str()));
            confirm
                .body
                .push("No file is deleted, and no link stops working.".to_owned());
        }
        confirm.notes = notes;
        if let Some([title, short]) = titles {
            (confirm.title, confirm.short_title) = (title, Some(short));
        }
        confirm.size_count = Some(SizeCount { op, sizes });
    }
}

fn items(intent: &Intent) -> Vec<&Item> {
    let Intent::Jobs(jobs) = intent else {
        return Vec::new();
    };
    jobs.iter()
        .filter_map(|job| {
            if let Job::Delete { item, .. } = job {
                Some(item)
            } else {
                None
            }
        })
        .collect()
}

/// The title (action, items, size and account), then a shorter one for a narrow dialog.
fn titles(kind: &str, items: &[&Item], [how_much, less]: [&str; 2], state: &State) -> [String; 2] {
    let (what, account) = (
        what(items.iter().copied()),
        state.session.account.in_words(),
    );
    let title = format!("{kind} {}{how_much}, from {account}", short(&what));
    let short = match items {
        [_] => title.clone(),
        _ => format!(
            "{kind} {}{less}, from {account}",
            figures::count(items.len(), "item")
        ),
    };
    [title, short]
}

/// Shortens the names so that size and account fit into the narrowest dialog; the body has the
/// whole names.
fn short(what: &str) -> Cow<'_, str> {
    truncate_middle(what, 24)
}

/// The total of all items; an item inside another one counts once.
fn sum(items: &[&Item], sizes: &FolderSizes) -> FolderSize {
    let mut sum = FolderSize {
        is_all: true,
        ..FolderSize::default()
    };
    for item in outermost(items) {
        let size = match &item.target {
            Target::Folder(id) => sizes.get(id).copied().unwrap_or_default(),
            Target::File(_) => FolderSize {
                files: 1,
                bytes: item.size.unwrap_or(0),
                is_all: true,
            },
        };
        sum.files += size.files;
        sum.bytes = sum.bytes.saturating_add(size.bytes);
        sum.is_all &= size.is_all;
    }
    sum
}

fn name(item: &Item) -> String {
    let slash = if item.target.folder().is_some() {
        "/"
    } else {
        ""
    };
    format!("{}{slash}", visible(&item.name))
}

/// The access and the size of an item, as far as known.
fn note(item: &Item, sizes: &FolderSizes, count: DeletionCount<'_>, state: &State) -> ConfirmNote {
    let Target::Folder(id) = &item.target else {
        let row = state.files.listing.row(&item.target);
        let (kind, access) = row
            .map(|row| (row.kind.clone(), row.access.clone()))
            .unwrap_or_default();
        return ConfirmNote {
            kind,
            access,
            rest: item.size.map(figures::size).unwrap_or_default(),
        };
    };
    let rest = match (sizes.get(id), count) {
        (Some(size), _) if size.is_all => figures::folder_size(*size),
        (_, DeletionCount::UnderWay) => "counting …".to_owned(),
        (_, DeletionCount::Failed(error)) => format!("not counted: {}", visible(&error.message)),
        (Some(size), DeletionCount::Over) => figures::folder_size(*size),
        (None, DeletionCount::Over) => "inside another folder of these".to_owned(),
    };
    ConfirmNote {
        rest,
        ..ConfirmNote::default()
    }
}
