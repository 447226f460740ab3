//! Does what a dialog was accepted for.

use super::remember::remember;
use super::{
    accounts, browse, choice, deletions, favorites, find, limits, link, service_task, settings, submit, switch, tasks,
    undo, unsaved_edits,
};
use crate::config::favorites::TypedLine;
use crate::engine::{Job, JobKind};
use crate::tui::dialog::{Confirm, Dialog, Intent};
use crate::tui::effect::Effect;
use crate::tui::state::{State, ThenLink};
use crate::tui::widget::figures;

pub(super) fn accept(state: &mut State, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Quit => vec![Effect::Quit],
        Intent::Jobs(jobs) => {
            state.current.listing.clear_marks();
            if jobs.iter().any(|job| job.kind() == JobKind::Upload) {
                state.local_side.clear_marks();
            }
            let reverse = undo::reverse_changes(state, &jobs);
            submit::by_road(state, jobs, reverse)
        }
        Intent::AskDeletions { jobs, names, from } => {
            ask_deletions(state, jobs, names, &from);
            Vec::new()
        }
        Intent::Publish { jobs, private } => {
            ask_publish(state, jobs, private);
            Vec::new()
        }
        Intent::Undo => undo::carry_out(state),
        Intent::Purge(deletion) => deletions::purge(state, *deletion),
        Intent::GoOnWithText(text) => unsaved_edits::go_on(state, *text),
        Intent::EditAnew(text) => unsaved_edits::anew(state, *text),
        Intent::AskDiscardText(text) => {
            unsaved_edits::ask_discard(state, *text);
            Vec::new()
        }
        Intent::DiscardText(text) => unsaved_edits::discard(state, *text),
        Intent::EditNames(names) => vec![Effect::EditNames(names)],
        Intent::Switch(source) => switch::to(state, source),
        Intent::AddAccount => accounts::ask_new(state),
        Intent::EditAccount(source) => accounts::ask_edit(state, &source),
        Intent::RemoveAccount(source) => accounts::ask_remove(state, &source),
        Intent::ForgetAccount(name) => accounts::remove(state, name),
        Intent::Act(action) => {
            remembering(state, TypedLine::Action(action.to_string()), |state| choice::act(state, action))
        }
        Intent::Open(place) => choice::open(state, place),
        Intent::Seek(target) => choice::seek(state, target),
        Intent::FindTyped(line) => {
            remembering(state, TypedLine::Search(line.clone()), |state| find::open_line(state, &line, None))
        }
        Intent::Find(query) => {
            let line = TypedLine::Search(query.line().to_owned());
            remembering(state, line, |state| find::open(state, query))
        }
        Intent::GoToId(id) => remembering(state, TypedLine::Id(id.clone()), |state| browse::locate_id(state, id)),
        Intent::View { name, search } => find::open_line(state, &search, Some(&name)),
        Intent::Jump(to) => favorites::jump(state, to),
        Intent::Keep(change) => favorites::keep(state, change),
        Intent::GoTo(path) => {
            remembering(state, TypedLine::Path(path.clone()), |state| browse::locate_typed(state, &path))
        }
        Intent::Sign { file, name, signing } => vec![link::sign(state, file, name, signing, ThenLink::Copy)],
        Intent::CancelTask(batch) => tasks::cancel_batch(state, batch),
        Intent::Change { setting, value } => settings::change(state, setting, &value),
        Intent::ServiceTask(id) => vec![service_task::look(state, id)],
        Intent::FromType(id) => {
            limits::from(state, &id);
            Vec::new()
        }
    }
}

/// Does it, and keeps the line that asked for it.
fn remembering(state: &mut State, line: TypedLine, act: impl FnOnce(&mut State) -> Vec<Effect>) -> Vec<Effect> {
    let kept = remember(state, line);
    let mut effects = act(state);
    effects.extend(kept);
    effects
}

fn ask_deletions(state: &mut State, jobs: Vec<Job>, names: Vec<String>, from: &str) {
    let (count, others) = (names.len(), jobs.len().saturating_sub(names.len()));
    let items = figures::count(count, "item");
    let is_local = jobs.iter().any(|job| job.kind() == JobKind::DeleteLocal);
    let side = if is_local { "the account" } else { "this machine" };
    let mut confirm = Confirm::new(format!("Delete {items} from {from}"), "Delete", Intent::Jobs(jobs), state.now)
        .naming(names)
        .saying(format!("What {side} does not have is deleted. This cannot be undone."));
    if others > 0 {
        let change = if others == 1 { "changes" } else { "change" };
        confirm = confirm.saying(format!("{} {change} with it.", figures::count(others, "other item")));
    }
    state.dialogs.push(Dialog::Confirm(confirm));
}

fn ask_publish(state: &mut State, jobs: Vec<Job>, private: Vec<String>) {
    let count = figures::count(private.len(), "file");
    let title = format!("Make {count} public in {}", state.current.account.in_words());
    let others = jobs.len() - private.len();
    let intent = Intent::Jobs(jobs);
    let mut confirm = Confirm::new(title, "Make public", intent, state.now)
        .naming(private)
        .saying("Anyone with the link can fetch these private files.");
    if others > 0 {
        confirm = confirm.saying(format!("{} that anyone can fetch changes too.", figures::count(others, "file")));
    }
    state.dialogs.push(Dialog::Confirm(confirm));
}
