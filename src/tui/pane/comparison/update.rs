//! Compares the folder beside with the open folder of the account, uploads and downloads the chosen
//! rows, and plans how to make one side like the other.

use std::collections::HashSet;

use crate::api::model::{Access, UploadOptions};
use crate::api::paths::join;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::folder_comparison::{
    ComparedEntry, EntryHere, FolderComparison, Likeness, RemoteEntry,
};
use crate::engine::message::{FolderRef, Target};
use crate::engine::plan::Direction;
use crate::engine::question::{CompareFolders, FolderHere, PlanDownload, SumLocalFile};
use crate::engine::sending::IntoFolder;
use crate::engine::sync_plan;
use crate::engine::typed_paths::TypedPaths;
use crate::tui::dialog::{Dialog, Plan};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::component::Due;
use crate::tui::pane::files::listing;
use crate::tui::pane::{focus, other_account, plan};
use crate::tui::state::{
    Comparing, ComparingStage, ComparisonRead, Freshness, ItemHere, Listing, MarkedItems,
    MessageLevel, Mode, State, SumRead, View,
};

/// Starts a comparison, or repeats the one on the screen, by the key of an action.
pub(crate) fn start(state: &mut State, by_key: Action) {
    if by_key == Action::MakeHereLikeThere && state.mode.other_account().is_some() {
        return flip(state);
    }
    if state.mode.comparing().is_none() {
        other_account::keys_to_right(state);
    }
    let before = state.mode.comparing();
    let asked = before.map(|before| (before.here.clone(), before.remote.clone()));
    let open = state.files.listing.of.folder().cloned();
    let Some((here, remote)) = asked.or_else(|| Some((folder_here(state)?, open?))) else {
        let text = "Only folders can be compared: leave the search in the other list first.";
        return state.say(MessageLevel::Hint, text);
    };
    let is_of_lists = state.mode.comparing().is_none() && by_key != Action::Compare;
    let marked = is_of_lists.then(|| marked_items(state));
    give_up(state);
    let with_hidden = state.local_side.shows_hidden;
    let question = CompareFolders {
        here,
        remote,
        with_hidden,
    };
    let by_key = Some(by_key);
    read(state, question, ComparisonRead { by_key, marked });
    focus::open_view(state, View::Files);
    focus::leave_details(state);
}

/// Returns the folder of the list beside the account's.
fn folder_here(state: &State) -> Option<FolderHere> {
    let Some(other) = state.other_account() else {
        return Some(FolderHere::Disk(state.download_folder().to_owned()));
    };
    let folder = other.files.listing.of.folder()?.clone();
    Some(FolderHere::Account(
        other.session.account.journal_name.clone(),
        folder,
    ))
}

fn marked_items(state: &State) -> MarkedItems {
    let here = if let Some(other) = state.other_account() {
        let marked = marked(&other.files.listing);
        marked.into_iter().map(ItemHere::Account).collect()
    } else {
        let marked = state.local_side.marked();
        marked.map(|(path, _)| ItemHere::Disk(path)).collect()
    };
    MarkedItems {
        here,
        there: marked(&state.files.listing),
    }
}

fn marked(listing: &Listing) -> HashSet<Target> {
    let is_marked = !listing.marks.is_empty();
    let rows = listing.chosen().into_iter().filter(|_| is_marked);
    rows.map(|row| row.target.clone()).collect()
}

/// Turns two accounts around, since the one on the right is changed, and plans that.
fn flip(state: &mut State) {
    other_account::keys_to_right(state);
    if other_account::refuses_changes(state) {
        return;
    }
    leave(state);
    other_account::turn_around(state);
    start(state, Action::MakeThereLikeHere);
}

/// Asks for a comparison. The rows that are on the screen stay until it has come.
fn read(state: &mut State, question: CompareFolders, read: ComparisonRead) {
    let CompareFolders {
        here,
        remote,
        with_hidden,
    } = question.clone();
    let op = ask(state, read, question);
    let names = state.settings.name_order();
    if let Some(comparing) = state.mode.comparing_mut() {
        comparing.read_again(op, with_hidden);
    } else {
        let mut comparing = Comparing::new(here, remote, with_hidden, op);
        comparing.names = names;
        comparing.over = state.mode.beside();
        state.mode = Mode::Comparing(Box::new(comparing));
    }
}

/// Reads the folders again once all tasks have ended that may have changed them: no row stays that
/// is no longer true.
fn read_after_tasks(state: &mut State) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let is_changed = comparing.freshness == Freshness::Changed;
    let is_due = is_changed && comparing.stage == ComparingStage::Read;
    if !is_due || state.session.goes_on() {
        return;
    }
    let question = CompareFolders {
        here: comparing.here.clone(),
        remote: comparing.remote.clone(),
        with_hidden: comparing.with_hidden,
    };
    let by_itself = ComparisonRead {
        by_key: None,
        marked: None,
    };
    read(state, question, by_itself);
}

fn give_up(state: &mut State) {
    if let Some(op) = state.mode.comparing().and_then(Comparing::reading) {
        listing::forget(state, op);
    }
}

/// Closes the dialog on top. From a plan that was asked for in the two lists, it goes back to them.
pub(crate) fn close_dialog(state: &mut State) {
    // The message about an earlier change would read as the answer.
    if matches!(state.dialogs.last(), Some(Dialog::Confirm(_))) {
        state.status.clear();
    }
    let is_of_lists = matches!(state.dialogs.last(), Some(Dialog::Plan(plan)) if plan.is_of_lists);
    plan::close_dialog(state);
    if is_of_lists {
        leave(state);
    }
}

/// Leaves the comparison, if there is one, and cancels its read.
pub(crate) fn leave(state: &mut State) {
    give_up(state);
    if state.mode.end_comparison() {
        state.local_side.is_stale = true;
    }
}

pub(crate) fn enter(state: &mut State) {
    if let Some(comparing) = state.mode.comparing_mut() {
        comparing.enter();
    }
}

pub(crate) fn go_up(state: &mut State) {
    if let Some(comparing) = state.mode.comparing_mut() {
        comparing.leave();
    }
}

/// Backs out of one thing: a range, the marks, a folder, the comparison.
pub(crate) fn back(state: &mut State) {
    let Some(comparing) = state.mode.comparing_mut() else {
        return;
    };
    match () {
        () if comparing.list.end_range() => {}
        () if !comparing.list.marks().is_empty() => comparing.list.clear_marks(),
        () if comparing.leave() => {}
        () => leave(state),
    }
}

pub(crate) fn toggle_hidden(state: &mut State) {
    state.local_side.shows_hidden = !state.local_side.shows_hidden;
    state.local_side.arrange();
    start(state, Action::Compare);
}

/// Plans the upload of the chosen rows that exist on this machine.
pub(crate) fn send(state: &mut State) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let chosen = comparing.chosen();
    let is_sendable = |entry: &ComparedEntry| !matches!(entry.likeness, Likeness::Refused(_));
    let chosen = chosen.into_iter().filter(|(_, entry)| is_sendable(entry));
    let (mut typed, mut targets) = (Vec::new(), Vec::new());
    for here in chosen.filter_map(|(_, entry)| entry.here.as_ref()) {
        match here {
            EntryHere::Disk(here) => typed.push(TypedPaths::chosen(&here.local)),
            EntryHere::Account(here) => targets.push(here.item.target.clone()),
        }
    }
    let shown = comparing
        .found
        .entries
        .get(&comparing.at)
        .and_then(|entry| entry.there.as_ref());
    let place = if comparing.at.is_empty() {
        Some(comparing.remote.clone())
    } else {
        shown.and_then(RemoteEntry::place)
    };
    let path = join(&comparing.remote.path, &comparing.at);
    if typed.is_empty() && targets.is_empty() {
        let (why, does) = match &comparing.here {
            FolderHere::Disk(_) => ("This machine does not have it", "downloads it"),
            FolderHere::Account(..) => ("Only the right side has it", "copies it to the left"),
        };
        return refuse(state, why, Action::Save, does);
    }
    let into = place
        .clone()
        .map_or(IntoFolder::Path(path.clone()), IntoFolder::Place);
    if typed.is_empty() {
        return other_account::copy(state, targets, Some(into));
    }
    let place = place.unwrap_or(FolderRef { id: None, path });
    plan::send(state, typed, into, place);
}

/// Plans the download of the chosen rows that exist in the account.
pub(crate) fn save(state: &mut State) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let items: Vec<_> = comparing
        .chosen()
        .iter()
        .filter_map(|(_, entry)| Some(entry.there.as_ref()?.item.clone()))
        .collect();
    let into = comparing.folder_here();
    let is_here = comparing.at.is_empty()
        || comparing
            .found
            .entries
            .get(&comparing.at)
            .is_some_and(|folder| folder.here.is_some());
    if items.is_empty() {
        let (why, does) = match &comparing.here {
            FolderHere::Disk(_) => ("The account does not have it", "uploads it"),
            FolderHere::Account(..) => ("Only the left side has it", "copies it to the right"),
        };
        return refuse(state, why, Action::Upload, does);
    }
    if !is_here {
        let (why, does) = match &comparing.here {
            FolderHere::Disk(_) => (
                "This machine does not have the folder",
                "goes up, where it can be downloaded",
            ),
            FolderHere::Account(..) => (
                "The left side does not have the folder",
                "goes up, where it can be copied",
            ),
        };
        return refuse(state, why, Action::Leave, does);
    }
    let into = match into {
        FolderHere::Disk(into) => into,
        FolderHere::Account(_, place) => {
            if !other_account::refuses_changes(state) {
                let targets = items.into_iter().map(|item| item.target).collect();
                leave(state);
                other_account::turn_around(state);
                other_account::copy(state, targets, Some(IntoFolder::Place(place)));
            }
            return;
        }
    };
    plan::download(state, PlanDownload { items, into }, false);
}

/// Returns a path with its account, given by its name in the journal; safe to show.
pub(crate) fn shown_path(account: &str, path: &str) -> String {
    let name = account.split(' ').next().unwrap_or_default();
    visible(&format!("@{name}:{path}")).into_owned()
}

fn refuse(state: &mut State, why: &str, action: Action, does: &str) {
    let key = state
        .keymap
        .key_of(Context::Compare, action)
        .unwrap_or_default();
    state.say(MessageLevel::Hint, format!("{why}: {key} {does}."));
}

/// Opens the plan that makes one side like the other; compares the folders first if that was not
/// done, or may not hold any longer.
pub(crate) fn make_alike(state: &mut State, action: Action) {
    let now = state.now;
    let is_current =
        |comparing: &Comparing| comparing.stage == ComparingStage::Read && !comparing.is_older(now);
    let is_flip = action == Action::MakeHereLikeThere && state.mode.other_account().is_some();
    match state.mode.comparing() {
        Some(comparing) if is_current(comparing) && !is_flip => open_plan(state, action, false),
        Some(comparing) if comparing.freshness == Freshness::Changing => {
            let text = "Tasks may still change these folders: wait until they have ended.";
            state.say(MessageLevel::Hint, text);
        }
        _ => start(state, action),
    }
}

/// Goes on with the action that asked for the comparison: a plan is opened only where its keys are
/// expected, and from rows that still hold.
fn go_on(state: &mut State, action: Action, has_all_marks: bool, is_of_lists: bool) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let key = state.keymap.key_of(Context::Compare, action);
    let key = key.unwrap_or_default();
    let text = match action {
        Action::MakeThereLikeHere | Action::MakeHereLikeThere => match () {
            () if !has_all_marks => {
                format!(
                    "Not all marked items are in these two folders: check the marks, then {key}."
                )
            }
            () if comparing.is_older(state.now) => {
                format!("The folders changed while they were compared: {key} compares them again.")
            }
            () if !state.dialogs.is_empty() || state.view != View::Files => {
                format!("Compared by size and MD5: {key} in the comparison opens the plan.")
            }
            () => return open_plan(state, action, is_of_lists),
        },
        _ => "Compared by size and MD5; nothing was changed.".to_owned(),
    };
    state.say(MessageLevel::Info, text);
}

/// Opens the plan that makes one side like the other, as far as the screen shows it: the marked
/// rows, or the open folder. Items that exist only on the side that changes are kept unless the
/// user chooses otherwise.
fn open_plan(state: &mut State, action: Action, is_of_lists: bool) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let is_upload = action == Action::MakeThereLikeHere;
    let direction = if is_upload {
        // Files become private.
        Direction::Up {
            into: comparing.remote.clone(),
            options: Box::new(UploadOptions::new(Access::Private).into()),
            asked_at: state.now,
        }
    } else {
        // Two accounts are turned around instead.
        let FolderHere::Disk(into) = comparing.here.clone() else {
            return;
        };
        Direction::Down {
            into,
            numbered: false,
        }
    };
    let rows = sync_plan::rows(&comparing.found, &direction, |path| {
        comparing.is_chosen(path)
    });
    if rows.is_empty() {
        let text = if comparing.is_same() {
            "Nothing to do: both sides are the same."
        } else {
            "Only one side has this folder: go up to it, and choose it there."
        };
        return state.say(MessageLevel::Hint, text);
    }
    let now = if is_upload {
        state.service_now().timestamp()
    } else {
        state.now
    };
    // Never sent: the search for the same content elsewhere is only part of regular uploads.
    let op = state.session.ops.mint();
    let from = if is_upload {
        match &comparing.here {
            FolderHere::Disk(local) => visible(&local.to_string_lossy()).into_owned(),
            FolderHere::Account(account, folder) => shown_path(account, &folder.path),
        }
    } else {
        visible(&comparing.remote.path).into_owned()
    };
    let is_of_account = matches!(comparing.here, FolderHere::Account(..));
    let mut plan = Plan::new(op, rows, direction, None, now).like(from.clone());
    if is_of_account {
        plan = plan.between(from, other_account::target(state));
    }
    plan.looked(Some(0));
    plan.is_of_lists = is_of_lists;
    state.dialogs.push(Dialog::Plan(plan));
}

/// Leaves the comparison once its folder is no longer the open one.
pub(crate) fn follow(state: &mut State) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let is_open = state
        .files
        .listing
        .of
        .is_folder(comparing.remote.id.as_ref());
    if !is_open {
        return leave(state);
    }
    read_after_tasks(state);
    leave_sum(state);
}

/// Cancels the request of an MD5 whose row was left.
fn leave_sum(state: &mut State) {
    let now = state.now;
    let Some(comparing) = state.mode.comparing_mut() else {
        return;
    };
    let here = comparing.current().map(|(path, _)| path.to_owned());
    comparing.cursor_idle.at(here.as_ref(), now);
    let left = comparing
        .summing
        .take_if(|(path, _)| Some(&*path) != here.as_ref());
    if let Some((_, op)) = left {
        listing::forget(state, op);
    }
}

/// The request of the MD5 of the local file under a resting cursor.
pub(crate) fn due(state: &State) -> Option<Due> {
    let comparing = state.mode.comparing()?;
    let is_lacking = comparing.summing.is_none() && comparing.lacks_sum().is_some();
    Due::new(comparing.cursor_idle.at_rest().filter(|_| is_lacking), sum)
}

fn sum(state: &mut State) {
    let lacking = state.mode.comparing().and_then(Comparing::lacks_sum);
    let Some((path, local)) = lacking.map(|(path, local)| (path.to_owned(), local.to_owned()))
    else {
        return;
    };
    let op = ask(state, SumRead, SumLocalFile { path: local });
    if let Some(comparing) = state.mode.comparing_mut() {
        comparing.summing = Some((path, op));
    }
}

impl OnAnswer for SumRead {
    type Question = SumLocalFile;

    fn answered(self, state: &mut State, op: OpId, answer: String) {
        if let Some(comparing) = state.mode.comparing_mut() {
            comparing.take_sum(op, Some(answer));
        }
    }

    fn failed(self, state: &mut State, op: OpId, _: &Error) {
        if let Some(comparing) = state.mode.comparing_mut() {
            comparing.take_sum(op, None);
        }
    }
}

impl OnAnswer for ComparisonRead {
    type Question = CompareFolders;

    fn answered(self, state: &mut State, op: OpId, answer: Box<FolderComparison>) {
        let comparing = state.mode.comparing_mut();
        if let Some(comparing) = comparing.filter(|it| it.reading() == Some(op)) {
            let had_marks = !comparing.list.marks().is_empty();
            comparing.store_answer(answer, state.session.clock_ahead, state.now);
            let has_lost = had_marks && comparing.list.marks().is_empty();
            let marked = self.marked.as_ref();
            let has_all_marks = marked.is_none_or(|items| comparing.mark(items)) && !has_lost;
            if let Some(action) = self.by_key {
                go_on(state, action, has_all_marks, self.marked.is_some());
            }
        }
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        let comparing = state.mode.comparing_mut();
        if let Some(comparing) = comparing.filter(|it| it.reading() == Some(op)) {
            comparing.stage = ComparingStage::Failed(error.clone());
            if error.kind != Kind::Refused {
                state.say_failed("The folders could not be compared", error);
            }
        }
    }
}
