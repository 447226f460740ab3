//! The list of another account beside the account's: gives it the keys, closes it, and copies
//! files from one to the other.

use super::action_row::{Availability, key};
use super::{focus, plan};
use crate::api::text::visible;
use crate::engine::message::{FolderRef, Target};
use crate::engine::question::PlanCopy;
use crate::engine::source::in_account;
use crate::tui::keymap::Action;
use crate::tui::state::effect::Effect;
use crate::tui::state::{
    AccountSession, BackgroundAccount, Beside, ListSides, MessageLevel, Mode, OtherAccount, Pane,
    Read, Row, State, View,
};
use crate::tui::widget::figures;

/// Gives the keys to the other account's list; both lists keep their places.
pub(crate) fn cross(state: &mut State) {
    let Some(mut other) = state.mode.other_account() else {
        return;
    };
    let Some(at) = state.background_at(|account| account.session.id() == other.session) else {
        return;
    };
    end_requests(&mut state.session, &mut state.effects);
    other.session = state.session.id();
    other.is_left = !other.is_left;
    state.mode.set_beside(Beside::Account(other));
    state.swap(at);
    state.focus = Pane::List;
    state.panes.zoomed = false;
    let source = state.session.account.source.clone();
    state.effects.push(Effect::RememberAccount(source));
}

/// Ends the requests of a session that loses the keys, but those of its panes, its queue and its
/// plans: other answers could open a dialog whose jobs another account would get.
fn end_requests(session: &mut AccountSession, effects: &mut Vec<Effect>) {
    let goes_on =
        |read: &Read| read.is_of_pane() || read.is_of_plan() || matches!(read, Read::QueueRead(_));
    let reads = session.ops.end_reads(|read| !goes_on(read));
    effects.extend(reads.into_iter().map(|(op, _)| Effect::Cancel(op)));
}

/// Gives the keys to the list on the right, which a comparison belongs to; returns `true` if they
/// were on the left.
pub(crate) fn keys_to_right(state: &mut State) -> bool {
    let is_left = state
        .mode
        .other_account()
        .is_some_and(|other| !other.is_left);
    if is_left {
        cross(state);
    }
    is_left
}

/// Closes the other account's list, if there is one. The account stays open while it has something
/// to lose.
pub(crate) fn close(state: &mut State) {
    let Some(other) = state.mode.other_account() else {
        return;
    };
    state.mode.set_beside(Beside::Nothing);
    if let Some(at) = state.background_at(|account| account.session.id() == other.session) {
        let account = state.background_accounts.remove(at);
        retire(state, account);
    }
    focus::keep_focus_on_screen(state);
}

/// Keeps an account that has left the screen in the background while it has something to lose, or
/// else closes it.
pub(crate) fn retire(state: &mut State, account: BackgroundAccount) {
    let BackgroundAccount { mut session, files } = account;
    let (name, live) = (session.account.name(), session.tasks.totals().unfinished);
    if session.is_closed {
        return say_waiting(state, name, live);
    }
    if !session.is_worth_keeping() {
        return state.effects.push(Effect::Close(session.id()));
    }
    if session.goes_on() {
        let live = live.max(1);
        let go = if live == 1 { "continues" } else { "continue" };
        let (name, count) = (visible(name), figures::count(live, "task"));
        state.say(MessageLevel::Hint, format!("{name}: {count} {go}."));
    }
    let is_of_queue = |read: &Read| matches!(read, Read::QueueRead(_));
    let reads = session.ops.end_reads(|read| !is_of_queue(read));
    let session = session.into_background();
    state
        .background_accounts
        .push(BackgroundAccount { session, files });
    let reads = reads.into_iter().map(|(op, _)| Effect::Cancel(op));
    state.effects.extend(reads);
}

/// Reports the tasks that wait now that their session is closed.
pub(crate) fn say_waiting(state: &mut State, name: &str, live: usize) {
    if live > 0 {
        let wait = if live == 1 { "waits" } else { "wait" };
        let (name, count) = (visible(name), figures::count(live, "task"));
        let text = format!("{name}: {count} {wait} until you open it.");
        state.say(MessageLevel::Warn, text);
    }
}

/// Requires rows on the side that is copied from, and a folder on the other.
pub(crate) fn can_copy(state: &State, action: Action) -> Availability {
    let Some(ListSides { from, to }) = state.sides(action) else {
        return Availability::NotHere;
    };
    let [source, target] = [from, to].map(|side| visible(side.session.account.name()));
    let is_empty = from.files.listing.chosen().is_empty();
    let nothing = format!("Nothing is chosen in {source}: move to a file there first.");
    Availability::unless(is_empty, "nothing chosen", nothing).and(|| {
        let is_search = to.files.listing.of.folder().is_none();
        let search = format!("{target} shows a search: open a folder there first.");
        Availability::unless(is_search, "into folders only", search)
    })
}

/// Plans copies of the rows that are chosen on the source side of an action into the folder of its
/// target side.
pub(crate) fn copy_chosen(state: &mut State, action: Action) {
    let Some(ListSides { from, to }) = state.sides(action) else {
        return;
    };
    let chosen = from.files.listing.chosen();
    let targets = chosen.iter().map(|row: &&Row| row.target.clone()).collect();
    if let Some(into) = to.files.listing.of.folder().cloned() {
        copy(state, action, targets, into);
    }
}

/// Plans copies of files and folders from the source side of an action into a folder of its target
/// side, which need not exist yet. The keys stay where they are.
pub(crate) fn copy(state: &mut State, action: Action, targets: Vec<Target>, into: FolderRef) {
    let Some(ListSides { from, to }) = state.sides(action) else {
        return;
    };
    let question = PlanCopy {
        account: from.session.account.journal_name.clone(),
        targets,
        into: into.clone().into(),
    };
    let source = visible(from.session.account.name()).into_owned();
    let session = to.session.id();
    let place = in_account(&to.session.account.journal_name, &into.path);
    let key = key(state, Action::Back);
    let text = format!("Comparing with {place}: {key} cancels.");
    state.say(MessageLevel::Hint, text);
    state.with_session(session, |state| plan::copy(state, question, source, into));
}

/// Arranges the lists of two accounts; the one that was on the screen is on the left.
pub(crate) fn open(state: &mut State, mut other: BackgroundAccount) {
    end_requests(&mut other.session, &mut state.effects);
    let session = other.session.id();
    state.background_accounts.push(other);
    let beside = OtherAccount {
        session,
        is_left: true,
    };
    state.mode = Mode::Lists(Beside::Account(beside));
    state.view = View::Files;
}
