//! Compares a local folder with the open folder of the account, uploads and downloads the chosen
//! rows, and plans how to make one side like the other.

use super::{details_focus, listing, panes, plan};
use crate::api::model::{Access, UploadOptions};
use crate::api::paths::join;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::folder_comparison::{ComparedEntry, EntryThere, FolderComparison, Likeness};
use crate::engine::message::FolderRef;
use crate::engine::plan::Direction;
use crate::engine::question::{CompareFolders, PlanDownload, PlanUpload, SumLocalFile};
use crate::engine::sending::IntoFolder;
use crate::engine::sync::SyncTarget;
use crate::engine::sync_plan;
use crate::engine::tree_filter::TreeRules;
use crate::engine::typed_paths::TypedPaths;
use crate::tui::dialog::{Dialog, Plan};
use crate::tui::keymap::{Action, Context};
use crate::tui::state::{
    Comparing, ComparingStage, ComparisonRead, Freshness, MessageLevel, State, SumRead, View,
};
use crate::tui::update::ask::{OnAnswer, ask};

/// Starts a comparison, or repeats the one on the screen.
pub(super) fn start(state: &mut State) {
    let before = state.files.comparing.as_ref();
    let asked = before.map(|before| (before.local.clone(), before.remote.clone()));
    let open = state.files.listing.of.folder().cloned();
    let Some((local, remote)) = asked.or_else(|| Some((state.download_folder().to_owned(), open?)))
    else {
        return;
    };
    give_up(state);
    let with_hidden = state.local_side.shows_hidden;
    let question = CompareFolders {
        local,
        remote,
        with_hidden,
    };
    read(state, question, true);
    panes::open_view(state, View::Files);
    details_focus::leave(state);
}

/// Asks for a comparison. The rows that are on the screen stay until it has come.
fn read(state: &mut State, question: CompareFolders, by_key: bool) {
    let CompareFolders {
        local,
        remote,
        with_hidden,
    } = question.clone();
    let op = ask(state, ComparisonRead { by_key }, question);
    let names = state.settings.name_order();
    if let Some(comparing) = &mut state.files.comparing {
        comparing.read_again(op, with_hidden);
    } else {
        let mut comparing = Comparing::new(local, remote, with_hidden, op);
        comparing.names = names;
        state.files.comparing = Some(comparing);
    }
}

/// Reads the folders again once all tasks have ended that may have changed them: no row stays that
/// is no longer true.
fn read_after_tasks(state: &mut State) {
    let Some(comparing) = &state.files.comparing else {
        return;
    };
    let is_changed = comparing.freshness == Freshness::Changed;
    let is_due = is_changed && comparing.stage == ComparingStage::Read;
    if !is_due || state.session.goes_on() {
        return;
    }
    let question = CompareFolders {
        local: comparing.local.clone(),
        remote: comparing.remote.clone(),
        with_hidden: comparing.with_hidden,
    };
    read(state, question, false);
}

fn give_up(state: &mut State) {
    if let Some(op) = state.files.comparing.as_ref().and_then(Comparing::reading) {
        listing::forget(state, op);
    }
}

/// Leaves the comparison, if there is one, and cancels its read.
pub(super) fn leave(state: &mut State) {
    give_up(state);
    if state.files.comparing.take().is_some() {
        state.local_side.is_stale = true;
    }
}

pub(super) fn enter(state: &mut State) {
    if let Some(comparing) = &mut state.files.comparing {
        comparing.enter();
    }
}

pub(super) fn go_up(state: &mut State) {
    if let Some(comparing) = &mut state.files.comparing {
        comparing.leave();
    }
}

/// Backs out of one thing: a range, the marks, the comparison.
pub(super) fn back(state: &mut State) {
    let Some(comparing) = &mut state.files.comparing else {
        return;
    };
    match () {
        () if comparing.list.end_range() => {}
        () if !comparing.list.marks().is_empty() => comparing.list.clear_marks(),
        () => leave(state),
    }
}

pub(super) fn toggle_hidden(state: &mut State) {
    state.local_side.shows_hidden = !state.local_side.shows_hidden;
    state.local_side.arrange();
    start(state);
}

/// Plans the upload of the chosen rows that exist on this machine.
pub(super) fn send(state: &mut State) {
    let Some(comparing) = &state.files.comparing else {
        return;
    };
    let chosen = comparing.chosen();
    let is_sendable = |entry: &ComparedEntry| !matches!(entry.likeness, Likeness::Refused(_));
    let chosen = chosen.into_iter().filter(|(_, entry)| is_sendable(entry));
    let typed: Vec<TypedPaths> = chosen
        .filter_map(|(_, entry)| entry.here.as_ref())
        .map(|here| TypedPaths::chosen(&here.local))
        .collect();
    let shown = comparing
        .found
        .entries
        .get(&comparing.at)
        .and_then(|entry| entry.there.as_ref());
    let place = if comparing.at.is_empty() {
        Some(comparing.remote.clone())
    } else {
        shown.and_then(EntryThere::place)
    };
    let path = join(&comparing.remote.path, &comparing.at);
    if typed.is_empty() {
        return refuse(
            state,
            "This machine does not have it",
            Action::Save,
            "downloads it",
        );
    }
    let into = place
        .clone()
        .map_or(IntoFolder::Path(path.clone()), IntoFolder::Place);
    let upload = PlanUpload {
        typed,
        into,
        name: None,
        unnamed: false,
        rules: TreeRules::default(),
    };
    let place = place.unwrap_or(FolderRef { id: None, path });
    plan::give_up_unseen(state);
    plan::send(state, upload, place);
}

/// Plans the download of the chosen rows that exist in the account.
pub(super) fn save(state: &mut State) {
    let Some(comparing) = &state.files.comparing else {
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
        return refuse(
            state,
            "The account does not have it",
            Action::Upload,
            "uploads it",
        );
    }
    if !is_here {
        return refuse(
            state,
            "This machine does not have the folder",
            Action::Leave,
            "goes up, where it can be downloaded",
        );
    }
    plan::give_up_unseen(state);
    plan::download(state, PlanDownload { items, into }, false);
}

fn refuse(state: &mut State, why: &str, action: Action, does: &str) {
    let key = state
        .keymap
        .key_of(Context::Compare, action)
        .unwrap_or_default();
    state.say(MessageLevel::Hint, format!("{why}: {key} {does}."));
}

pub(super) fn make_there_like_here(state: &mut State) {
    let Some(comparing) = &state.files.comparing else {
        return;
    };
    let (into, options) = (
        comparing.remote.clone(),
        Box::new(UploadOptions::new(Access::Private).into()),
    );
    let asked_at = state.now;
    let target = SyncTarget::Remote {
        into: into.clone(),
        below: String::new(),
        options: Box::clone(&options),
        asked_at,
    };
    open_plan(
        state,
        &target,
        Direction::Up {
            into,
            options,
            asked_at,
        },
    );
}

pub(super) fn make_here_like_there(state: &mut State) {
    let Some(comparing) = &state.files.comparing else {
        return;
    };
    let into = comparing.local.clone();
    open_plan(
        state,
        &SyncTarget::Local(into.clone()),
        Direction::Down {
            into,
            numbered: false,
        },
    );
}

/// Opens the plan that makes one side like the other, as far as the screen shows it: the marked
/// rows, or the open folder. Items that exist only on the side that
/// changes are kept unless the user chooses otherwise.
fn open_plan(state: &mut State, target: &SyncTarget, direction: Direction) {
    let Some(comparing) = &state.files.comparing else {
        return;
    };
    let rows = sync_plan::rows(&comparing.found, target, |path| comparing.is_chosen(path));
    if rows.is_empty() {
        let text = if comparing.is_same() {
            "Nothing to do: both sides are the same."
        } else {
            "Nothing to do here alone: the folder itself is only on one side, go up to it."
        };
        return state.say(MessageLevel::Info, text);
    }
    let is_upload = matches!(direction, Direction::Up { .. });
    let now = if is_upload {
        state.service_now().timestamp()
    } else {
        state.now
    };
    // Never sent: the search for the same content elsewhere is only part of regular uploads.
    let op = state.session.ops.mint();
    let from = match target {
        SyncTarget::Remote { .. } => visible(&comparing.local.to_string_lossy()).into_owned(),
        SyncTarget::Local(_) => visible(&comparing.remote.path).into_owned(),
    };
    let mut plan = Plan::new(op, rows, direction, None, now).like(from);
    plan.looked(Some(0));
    state.dialogs.push(Dialog::Plan(plan));
}

/// Leaves the comparison once its folder is no longer the open one.
pub(super) fn follow(state: &mut State) {
    let Some(comparing) = &state.files.comparing else {
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
    sum(state);
}

/// Requests the MD5 of the local file under the cursor once the cursor rests. Leaving the row
/// cancels the request.
fn sum(state: &mut State) {
    let now = state.now;
    let Some(comparing) = &mut state.files.comparing else {
        return;
    };
    let here = comparing.current().map(|(path, _)| path.to_owned());
    comparing.cursor_idle.at(here.as_ref(), now);
    let left = comparing
        .summing
        .take_if(|(path, _)| Some(&*path) != here.as_ref());
    let is_at_rest = comparing.cursor_idle.at_rest().is_some_and(|at| at <= now);
    let lacking = comparing
        .lacks_sum()
        .map(|(path, local)| (path.to_owned(), local.to_owned()));
    let wanted = lacking.filter(|_| is_at_rest && comparing.summing.is_none());
    if let Some((_, op)) = left {
        listing::forget(state, op);
    }
    if let Some((path, local)) = wanted {
        let op = ask(state, SumRead, SumLocalFile { path: local });
        if let Some(comparing) = &mut state.files.comparing {
            comparing.summing = Some((path, op));
        }
    }
}

impl OnAnswer for SumRead {
    fn answered(self, state: &mut State, op: OpId, answer: String) {
        if let Some(comparing) = &mut state.files.comparing {
            comparing.take_sum(op, Some(answer));
        }
    }

    fn failed(self, state: &mut State, op: OpId, _: &Error) {
        if let Some(comparing) = &mut state.files.comparing {
            comparing.take_sum(op, None);
        }
    }
}

impl OnAnswer for ComparisonRead {
    fn answered(self, state: &mut State, op: OpId, answer: Box<FolderComparison>) {
        if let Some(comparing) = state
            .files
            .comparing
            .as_mut()
            .filter(|it| it.reading() == Some(op))
        {
            comparing.take(answer, state.session.clock_ahead, state.now);
            if !self.by_key {
                return;
            }
            state.say(
                MessageLevel::Info,
                "Compared by size and MD5; nothing was changed.",
            );
        }
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        if let Some(comparing) = state
            .files
            .comparing
            .as_mut()
            .filter(|it| it.reading() == Some(op))
        {
            comparing.stage = ComparingStage::Failed(error.clone());
            if error.kind != Kind::Refused {
                state.say_failed("The folders could not be compared", error);
            }
        }
    }
}
