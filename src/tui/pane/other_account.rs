//! The list of another account beside the account's: gives it the keys, closes it, and copies
//! files from one to the other.

use super::{focus, plan};
use crate::api::text::visible;
use crate::engine::message::Target;
use crate::engine::question::PlanCopy;
use crate::engine::sending::IntoFolder;
use crate::tui::dialog::TargetAccount;
use crate::tui::state::effect::Effect;
use crate::tui::state::{
    AccountSession, BackgroundAccount, Beside, MessageLevel, Mode, OtherAccount, Pane, Read, Row,
    State, View,
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

/// Ends the requests of a session that loses the keys, but those of its panes and its queue: an
/// answer must not open a dialog whose jobs another account would get.
fn end_requests(session: &mut AccountSession, effects: &mut Vec<Effect>) {
    let goes_on = |read: &Read| read.is_of_pane() || matches!(read, Read::QueueRead(_));
    session.plans.clear();
    let reads = session.ops.end_reads(|read| !goes_on(read));
    effects.extend(reads.into_iter().map(|(op, _)| Effect::Cancel(op)));
}

/// Gives the keys to the list on the right, which is the side that a comparison can change.
pub(crate) fn keys_to_right(state: &mut State) {
    if state
        .mode
        .other_account()
        .is_some_and(|other| !other.is_left)
    {
        cross(state);
    }
}

/// Gives the keys to the other account's list, and puts it on the right.
pub(crate) fn turn_around(state: &mut State) {
    cross(state);
    if let Some(other) = state.mode.other_account() {
        let is_left = true;
        let beside = Beside::Account(OtherAccount { is_left, ..other });
        state.mode.set_beside(beside);
    }
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

/// Plans copies of the chosen rows into the folder of the other list, which gets the keys.
pub(crate) fn copy_there(state: &mut State) {
    if refuses_changes(state) {
        return;
    }
    cross(state);
    copy_here(state);
}

/// Says so and returns `true` if the other account is read-only.
pub(crate) fn refuses_changes(state: &mut State) -> bool {
    let other = state.other_account().map(|other| &other.session.account);
    let Some(account) = other.filter(|account| account.read_only) else {
        return false;
    };
    let name = visible(account.name()).into_owned();
    let text = format!("{name} is configured as read-only: nothing can be copied into it.");
    state.say(MessageLevel::Error, text);
    true
}

/// Plans copies of the rows that are chosen in the other list into the folder of this one.
pub(crate) fn copy_here(state: &mut State) {
    let Some(other) = state.other_account() else {
        return;
    };
    let rows = other.files.listing.chosen();
    let targets: Vec<Target> = rows.iter().map(|row: &&Row| row.target.clone()).collect();
    copy(state, targets, None);
}

/// Plans copies of files and folders of the other account into a folder; `None` for the open one.
pub(crate) fn copy(state: &mut State, targets: Vec<Target>, into: Option<IntoFolder>) {
    let (Some(other), Some(place)) = (state.other_account(), state.destination()) else {
        return;
    };
    let account = &other.session.account;
    let name = visible(account.name()).into_owned();
    let question = PlanCopy {
        account: account.journal_name.clone(),
        targets,
        into: into.unwrap_or(IntoFolder::Place(place.clone())),
    };
    if question.targets.is_empty() {
        let text = format!("Nothing is chosen in {name}: move to a file there first.");
        return state.say(MessageLevel::Hint, text);
    }
    let text = format!("Comparing with {}.", visible(&place.path));
    state.say(MessageLevel::Hint, text);
    plan::copy(state, question, place);
}

/// Returns the account on the screen as the one that is changed.
pub(crate) fn target(state: &State) -> TargetAccount {
    let account = &state.session.account;
    TargetAccount {
        name: visible(account.source.name()).into_owned(),
        is_production: account.production,
    }
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
