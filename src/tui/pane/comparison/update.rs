//! Compares the folder beside with the open folder of the account, uploads and downloads the chosen
//! rows, and plans how to make one side like the other.

use std::collections::HashSet;

use crate::api::model::{Access, UploadOptions};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::folder_comparison::{ComparedEntry, FolderComparison, Likeness};
use crate::engine::message::{FolderRef, Target};
use crate::engine::plan::Direction;
use crate::engine::question::{CompareFolders, FolderHere, PlanDownload, SumLocalFile};
use crate::engine::sync_plan;
use crate::engine::typed_paths::TypedPaths;
use crate::tui::dialog::Dialog;
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::component::Due;
use crate::tui::pane::files::listing;
use crate::tui::pane::{focus, other_account, plan};
use crate::tui::state::{
    Comparing, ComparingStage, ComparisonRead, Freshness, ItemHere, ListSides, Listing,
    MarkedItems, MessageLevel, Mode, Planning, State, SumRead, View,
};

/// Starts a comparison, or repeats the one on the screen, by the key of an action.
pub(crate) fn start(state: &mut State, by_key: Action) {
    let before = state.mode.comparing();
    let asked = before.map(|before| (before.here.clone(), before.remote.clone()));
    let is_new = asked.is_none();
    let from_left = is_new && other_account::keys_to_right(state);
    let open = state.files.listing.of.folder().cloned();
    let Some((here, remote)) = asked.or_else(|| Some((folder_here(state)?, open?))) else {
        if from_left {
            other_account::cross(state);
        }
        let text = "Only folders can be compared: leave the search in the other list first.";
        return state.say(MessageLevel::Hint, text);
    };
    let is_of_lists = is_new && by_key != Action::Compare;
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
    if let Some(comparing) = state.mode.comparing_mut().filter(|_| is_new) {
        comparing.from_left = from_left;
    }
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
    let other = state.other_account();
    let goes_on = state.session.goes_on() || other.is_some_and(|it| it.session.goes_on());
    if !is_due || goes_on {
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

/// Leaves the comparison, if there is one, and cancels its read. The keys go back to the list that
/// it was asked for in.
pub(crate) fn leave(state: &mut State) {
    give_up(state);
    let from_left = state.mode.comparing().is_some_and(|it| it.from_left);
    if state.mode.end_comparison() {
        state.local_side.is_stale = true;
        if from_left {
            other_account::cross(state);
        }
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

/// Plans the transfer of the chosen rows to the other side: by `Action::Upload` from the left, by
/// `Action::Save` from the right.
pub(crate) fn transfer(state: &mut State, action: Action) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    match (&comparing.here, action) {
        (FolderHere::Account(..), _) => copy(state, action),
        (FolderHere::Disk(_), Action::Upload) => send(state),
        (FolderHere::Disk(_), _) => save(state),
    }
}

/// Plans copies of the chosen rows to the other account.
fn copy(state: &mut State, action: Action) {
    let (Some(comparing), Some(sides)) = (state.mode.comparing(), state.sides(action)) else {
        return;
    };
    let is_to_right = action == Action::Upload;
    let target = |entry: &ComparedEntry| {
        let is_refused = matches!(entry.likeness, Likeness::Refused(_));
        let entry = match entry {
            _ if is_refused => None,
            _ if is_to_right => entry.here.as_ref()?.remote(),
            _ => entry.there.as_ref(),
        };
        Some(entry?.item.target.clone())
    };
    let chosen = comparing.chosen();
    let targets: Vec<Target> = chosen
        .iter()
        .filter_map(|(_, entry)| target(entry))
        .collect();
    if targets.is_empty() {
        let [from, to] = [sides.from, sides.to].map(|side| visible(side.session.account.name()));
        let why = format!("{from} has nothing of it to copy");
        let (back, does) = if is_to_right {
            (Action::Save, format!("copies from {to}"))
        } else {
            (Action::Upload, format!("copies from {to}"))
        };
        return refuse(state, &why, back, &does);
    }
    let into = match comparing.folder_here() {
        FolderHere::Account(_, folder) if !is_to_right => folder,
        _ => comparing.folder_there(),
    };
    other_account::copy(state, action, targets, into);
}

/// Plans the upload of the chosen rows that exist on this machine.
fn send(state: &mut State) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let chosen = comparing.chosen();
    let is_sendable = |entry: &ComparedEntry| !matches!(entry.likeness, Likeness::Refused(_));
    let chosen = chosen.into_iter().filter(|(_, entry)| is_sendable(entry));
    let disk = chosen.filter_map(|(_, entry)| entry.here.as_ref()?.disk());
    let typed: Vec<TypedPaths> = disk.map(|disk| TypedPaths::chosen(&disk.local)).collect();
    if typed.is_empty() {
        let why = "This machine does not have it";
        return refuse(state, why, Action::Save, "downloads it");
    }
    let into = comparing.folder_there();
    plan::send(state, typed, into);
}

/// Plans the download of the chosen rows that exist in the account.
fn save(state: &mut State) {
    let Some(comparing) = state.mode.comparing() else {
        return;
    };
    let items: Vec<_> = comparing
        .chosen()
        .iter()
        .filter_map(|(_, entry)| Some(entry.there.as_ref()?.item.clone()))
        .collect();
    let at = comparing.found.entries.get(&comparing.at);
    let is_here = comparing.at.is_empty() || at.is_some_and(|folder| folder.here.is_some());
    if items.is_empty() {
        let why = "The account does not have it";
        return refuse(state, why, Action::Upload, "uploads it");
    }
    if !is_here {
        let why = "This machine does not have the folder";
        return refuse(
            state,
            why,
            Action::Leave,
            "goes up, where it can be downloaded",
        );
    }
    if let FolderHere::Disk(into) = comparing.folder_here() {
        plan::download(state, PlanDownload { items, into }, false);
    }
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
    match state.mode.comparing() {
        Some(comparing) if is_current(comparing) => open_plan(state, action, false),
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
    let is_to_right = action == Action::MakeThereLikeHere;
    let into_account = |into: FolderRef| Direction::Up {
        into,
        // Files become private.
        options: Box::new(UploadOptions::new(Access::Private).into()),
        asked_at: state.now,
    };
    let direction = match &comparing.here {
        _ if is_to_right => into_account(comparing.remote.clone()),
        FolderHere::Account(_, folder) => into_account(folder.clone()),
        FolderHere::Disk(into) => Direction::Down {
            into: into.clone(),
            numbered: false,
        },
    };
    let from = match &comparing.here {
        FolderHere::Account(_, folder) if is_to_right => folder.path.clone(),
        FolderHere::Disk(local) if is_to_right => local.to_string_lossy().into_owned(),
        _ => comparing.remote.path.clone(),
    };
    let is_chosen = |path: &str| comparing.is_chosen(path);
    let sides = state.sides(action);
    let rows = match sides {
        Some(ListSides { from, .. }) if !is_to_right => {
            let source = from.session.account.journal_name.clone();
            let turned = comparing.found.as_ref().clone().turned(source);
            sync_plan::rows(&turned, &direction, is_chosen)
        }
        _ => sync_plan::rows(&comparing.found, &direction, is_chosen),
    };
    if rows.is_empty() {
        let text = if comparing.is_same() {
            "Nothing to do: both sides are the same."
        } else {
            "Only one side has this folder: go up to it, and choose it there."
        };
        return state.say(MessageLevel::Hint, text);
    }
    let planning = Planning {
        rows,
        source: sides.map(|sides| visible(sides.from.session.account.name()).into_owned()),
        ..Planning::new(direction)
    };
    let session = sides.map_or(state.session.id(), |sides| sides.to.session.id());
    state.with_session(session, |state| {
        // Never sent: the search for the same content elsewhere is only part of regular uploads.
        let op = state.session.ops.mint();
        let mut plan = plan::dialog(state, op, planning, None).like(visible(&from).into_owned());
        plan.looked(Some(0));
        plan.is_of_lists = is_of_lists;
        state.dialogs.push(Dialog::Plan(plan));
    });
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
