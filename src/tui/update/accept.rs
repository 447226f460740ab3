//! Carries out the intent of an accepted dialog.

use super::{accounts, choice, deletions, settings, switch, unsaved_edits};
use crate::api::model::Access;
use crate::config::favorites::TypedLine;
use crate::engine::{Job, JobKind};
use crate::tui::dialog::path_matches::path_of_account;
use crate::tui::dialog::{Confirm, Dialog, Intent, PlannedJobs};
use crate::tui::pane::files::{browse, favorites, find, link, undo};
use crate::tui::pane::limits;
use crate::tui::pane::remember::remember;
use crate::tui::pane::submit;
use crate::tui::pane::tasks;
use crate::tui::pane::tasks::service_task;
use crate::tui::state::effect::Effect;
use crate::tui::state::{Freshness, State, ThenLink, View};
use crate::tui::widget::figures;
use crate::tui::wording::access;

pub(super) fn accept(state: &mut State, intent: Intent) {
    match intent {
        Intent::Quit => state.effects.push(Effect::Quit),
        Intent::Jobs(jobs) => {
            state.files.listing.clear_marks();
            if jobs.iter().any(|job| job.kind() == JobKind::Upload) {
                state.local_side.clear_marks();
            }
            let reverse = undo::reverse_changes(state, &jobs);
            submit::by_road(state, jobs, reverse);
        }
        Intent::CarryOut(planned) if !planned.deleted.is_empty() => ask_deletions(state, planned),
        Intent::CarryOut(planned) => carry_out(state, planned),
        Intent::Publish { jobs, private } => ask_publish(state, jobs, private),
        Intent::Undo => undo::carry_out(state),
        Intent::Purge(deletion) => deletions::purge(state, *deletion),
        Intent::GoOnWithText(text) => unsaved_edits::go_on(state, *text),
        Intent::EditAnew(text) => unsaved_edits::anew(state, *text),
        Intent::AskDiscardText(text) => unsaved_edits::ask_discard(state, *text),
        Intent::DiscardText(text) => unsaved_edits::discard(state, *text),
        Intent::EditNames(names) => state.effects.push(Effect::EditNames(names)),
        Intent::Switch(source) => switch::to(state, source, View::Files),
        Intent::ShowBeside(source) => switch::beside(state, source),
        Intent::OpenLimits(source) => switch::to(state, source, View::Limits),
        Intent::AddAccount => accounts::ask_new(state),
        Intent::EditAccount(source) => accounts::ask_edit(state, &source),
        Intent::RemoveAccount(source) => accounts::ask_remove(state, &source),
        Intent::ForgetAccount(name) => accounts::remove(state, name),
        Intent::Act(action) => {
            choice::act(state, action);
            remember(state, TypedLine::Action(action.to_string()));
        }
        Intent::Open(place) => choice::open(state, place),
        Intent::Seek(target) => choice::seek(state, target),
        Intent::FindTyped(line) => {
            find::open_line(state, &line, None);
            remember(state, TypedLine::Search(line));
        }
        Intent::Find(query) => {
            let line = query.line().to_owned();
            find::open(state, query);
            remember(state, TypedLine::Search(line));
        }
        Intent::GoToId(id) => {
            browse::locate_id(state, id.clone());
            remember(state, TypedLine::Id(id));
        }
        Intent::View { name, search } => find::open_line(state, &search, Some(&name)),
        Intent::Jump(to) => favorites::jump(state, to),
        Intent::Keep(change) => favorites::keep(state, change),
        Intent::GoTo(path) => {
            match path_of_account(&path) {
                Some((account, path)) => switch::to_path(state, account, path),
                None => browse::locate_typed(state, &path),
            }
            remember(state, TypedLine::Path(path));
        }
        Intent::Sign { files, signing } => link::sign(state, files, signing, ThenLink::Copy),
        Intent::CancelTask(batch) => tasks::update::cancel_batch(state, batch),
        Intent::Change { setting, value } => settings::change(state, setting, &value),
        Intent::ShowSetting(setting) => settings::open(state, Some(setting)),
        Intent::ServiceTask(id) => service_task::ask_status(state, id),
        Intent::FromType(id) => limits::update::from(state, &id),
    }
}

/// Submits the jobs of a plan to the account that it was made for.
fn carry_out(state: &mut State, planned: PlannedJobs) {
    state.files.listing.clear_marks();
    state.with_session(planned.session, |state| {
        accept(state, Intent::Jobs(planned.jobs));
    });
    if let Some(comparing) = state.mode.comparing_mut() {
        comparing.freshness = Freshness::Changing;
    }
}

/// Asks once more before a plan deletes something; its jobs go with the answer.
fn ask_deletions(state: &mut State, mut planned: PlannedJobs) {
    let names = std::mem::take(&mut planned.deleted);
    let others = planned.jobs.len().saturating_sub(names.len());
    let title = format!(
        "Delete {} from {}",
        figures::count(names.len(), "item"),
        planned.place
    );
    let them = if names.len() == 1 { "it" } else { "them" };
    let why = format!(
        "{} does not have {them}. This cannot be undone.",
        planned.source
    );
    let mut confirm = Confirm::new(title, "Delete", Intent::CarryOut(planned), state.now)
        .naming(names)
        .saying(why);
    if others > 0 {
        let change = if others == 1 { "changes" } else { "change" };
        confirm = confirm.saying(format!(
            "{} {change} with it.",
            figures::count(others, "other item")
        ));
    }
    state.dialogs.push(Dialog::Confirm(confirm));
}

fn ask_publish(state: &mut State, jobs: Vec<Job>, private: Vec<String>) {
    // A dialog gives all its files the same level.
    let level = |job: &Job| match job {
        Job::Change { update, .. } => update.access.clone(),
        Job::Replace { access, .. } => access.clone(),
        _ => None,
    };
    let levels: Vec<Access> = jobs.iter().filter_map(level).take(private.len()).collect();
    let (files, button) = access::published(&levels);
    let title = format!("Make {files} in {}", state.session.account.in_words());
    let others = jobs.len() - private.len();
    let intent = Intent::Jobs(jobs);
    let mut confirm = Confirm::new(title, button, intent, state.now)
        .naming(private)
        .saying("Anyone with the link can fetch what is private now.");
    if others > 0 {
        confirm = confirm.saying(format!(
            "{} that anyone can fetch changes too.",
            figures::count(others, "file")
        ));
    }
    state.dialogs.push(Dialog::Confirm(confirm));
}
