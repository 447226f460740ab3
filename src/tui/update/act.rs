//! Performs actions: the one table from the actions of each part of the screen to the files beside
//! this one. `tui::actions` has the rules for when they apply.

use super::{
    back, clear_thumbnails, cursor, deletions, palette, panes, quit, refresh, settings, switch,
    unknown_key, unsaved_edits,
};
use crate::tui::actions::{self, Availability, Part};
use crate::tui::dialog::{Dialog, Help, Prompt, Tour, UsefulKeys};
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::pane::activity;
use crate::tui::pane::comparison;
use crate::tui::pane::details;
use crate::tui::pane::files::{
    browse, delete, edit, edit_text, favorites, find, gallery, link, mark, rename, transfer, undo,
};
use crate::tui::pane::limits;
use crate::tui::pane::local;
use crate::tui::pane::local::choosing;
use crate::tui::pane::tasks;
use crate::tui::pane::tasks::{service_task, task_details};
use crate::tui::pane::{focus, refuse};
use crate::tui::state::{Comparing, Pane, State, View};

/// Performs an action where the focus is, or says why it does not apply there.
pub(super) fn act(state: &mut State, action: Action) {
    let context = state.context();
    match actions::part(context, action) {
        Some(part) => match actions::available_in(state, context, action) {
            Availability::Refused(refusal) => refuse::say(state, action, refusal),
            Availability::Yes | Availability::NotHere => {
                perform(state, part, action);
            }
        },
        None if state.mode.is_choosing() => choosing::say_keys(state),
        None => unknown_key::say_action(state, action),
    }
}

/// Performs an action of a part. Returns `false` if nothing is known to perform.
fn perform(state: &mut State, part: Part, action: Action) -> bool {
    match part {
        Part::Activity => in_activity(state, action),
        Part::Always => in_always(state, action),
        Part::Browsing => in_browsing(state, action),
        Part::Comparison => in_comparison(state, action),
        Part::Everywhere => in_everywhere(state, action),
        Part::Files => in_files(state, action),
        Part::Limits => in_limits(state, action),
        Part::List => in_list(state, action),
        Part::Local => in_local(state, action),
        Part::Tasks => in_tasks(state, action),
        Part::Grid => {
            cursor::move_cursor(state, action);
            true
        }
        Part::Tree => {
            link::copy(state, action);
            true
        }
        Part::Choosing => {
            local::update::choose(state);
            true
        }
    }
}

fn in_activity(state: &mut State, action: Action) -> bool {
    match action {
        Action::Open => activity::update::open(state),
        Action::CopyMessage => activity::update::copy(state),
        _ => return false,
    }
    true
}

fn in_always(state: &mut State, action: Action) -> bool {
    match action {
        Action::MoveDown
        | Action::MoveUp
        | Action::MoveTop
        | Action::MoveBottom
        | Action::HalfPageDown
        | Action::HalfPageUp
        | Action::PageDown
        | Action::PageUp => cursor::move_cursor(state, action),
        Action::Redraw => state.effects.push(Effect::Redraw),
        Action::Suspend => state.effects.push(Effect::Suspend),
        Action::Help => {
            let help = Help::new(&state.keymap, state.context(), &help_keys(state));
            state.dialogs.push(Dialog::Help(help));
        }
        Action::Quit => quit::quit(state),
        Action::Interrupt => quit::interrupt(state),
        _ => return false,
    }
    true
}

fn in_browsing(state: &mut State, action: Action) -> bool {
    match action {
        Action::NextPane | Action::PreviousPane => panes::step_focus(state, action),
        Action::Zoom => state.panes.zoomed = !state.panes.zoomed,
        Action::ResetPanes => panes::reset_sizes(state),
        Action::WidenPane | Action::NarrowPane | Action::RaiseStrip | Action::LowerStrip => {
            panes::resize(state, action);
        }
        Action::ToggleTree => panes::toggle_tree(state),
        Action::ToggleLocal => local::update::toggle(state),
        Action::ToggleDetails => panes::toggle_details(state),
        Action::TogglePreview => details::update::toggle(state),
        Action::ToggleSource => state.files.previews.toggle_source(),
        Action::NextPage | Action::PreviousPage => details::update::turn_page(state, action),
        Action::ScrollDown | Action::ScrollUp => details::update::scroll(state, action),
        Action::Compare => comparison::update::start(state, action),
        Action::MakeThereLikeHere | Action::MakeHereLikeThere => {
            comparison::update::make_alike(state, action);
        }
        _ => return false,
    }
    true
}

fn in_comparison(state: &mut State, action: Action) -> bool {
    match action {
        Action::Compare | Action::Refresh => comparison::update::start(state, Action::Compare),
        Action::Open => comparison::update::enter(state),
        Action::Leave => comparison::update::go_up(state),
        Action::Back => comparison::update::back(state),
        Action::Mark => change_rows(state, |comparing| comparing.list.toggle_mark()),
        Action::MarkAll => change_rows(state, |comparing| comparing.list.mark_all()),
        Action::MarkInvert => change_rows(state, |comparing| comparing.list.invert_marks()),
        Action::MarkRange => change_rows(state, |comparing| comparing.list.toggle_range()),
        Action::ToggleSame => change_rows(state, Comparing::toggle_same),
        Action::ToggleHidden => comparison::update::toggle_hidden(state),
        Action::Upload => comparison::update::send(state),
        Action::Save => comparison::update::save(state),
        Action::MakeThereLikeHere | Action::MakeHereLikeThere => {
            comparison::update::make_alike(state, action);
        }
        _ => return false,
    }
    true
}

fn in_everywhere(state: &mut State, action: Action) -> bool {
    match action {
        Action::ViewFiles => focus::open_view(state, View::Files),
        Action::ViewTasks => focus::open_view(state, View::Tasks),
        Action::ViewLimits => focus::open_view(state, View::Limits),
        Action::ViewActivity => focus::open_view(state, View::Activity),
        Action::ToggleTasks => toggle_tasks(state),
        Action::Find => find::ask(state),
        Action::Accounts => switch::ask(state),
        Action::Palette => palette::ask(state),
        Action::Settings => settings::open(state),
        Action::Themes => settings::open_themes(state),
        Action::Back => back::back(state),
        Action::Refresh => refresh::refresh(state),
        Action::Deletions => deletions::list(state),
        Action::Tour => start_tour(state),
        Action::UnsavedEdits => unsaved_edits::list(state),
        Action::ClearThumbnails => clear_thumbnails::clear(state),
        _ => return false,
    }
    true
}

fn in_files(state: &mut State, action: Action) -> bool {
    match action {
        Action::Open => browse::open(state),
        Action::Leave => browse::leave(state),
        Action::HistoryBack => browse::history_back(state),
        Action::HistoryForward => browse::history_forward(state),
        Action::GoRoot => browse::locate(state, "/"),
        Action::GoPath => browse::ask_path(state),
        Action::GoId => browse::ask_id(state),
        Action::GoFolder => find::go_to_folder(state),
        Action::SetBookmark => favorites::ask_bookmark(state),
        Action::Bookmarks => favorites::ask_jump(state),
        Action::SaveSearch => favorites::ask_name(state),
        Action::SavedViews => favorites::ask_view(state),
        Action::FindPublic
        | Action::FindUnlisted
        | Action::FindPrivate
        | Action::FindExpiring
        | Action::FindLarge
        | Action::FindRecent
        | Action::FindDuplicates => find::view(state, action),
        Action::Filter => mark::open_filter(state),
        Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortCreated
        | Action::SortUpdated
        | Action::SortExpires
        | Action::SortAccess
        | Action::SortReverse => mark::sort(state, action),
        Action::ToggleGrid => gallery::toggle(state),
        Action::Upload => transfer::ask_upload(state, ""),
        Action::Import => transfer::ask_import(state, ""),
        Action::NewFolder => edit::ask_new_folder(state),
        Action::Paste => edit::paste(state),
        Action::Undo => undo::undo(state),
        Action::Rename => rename::ask(state),
        Action::Cut => edit::cut(state),
        Action::Delete => delete::ask_chosen(state, false),
        _ => return false,
    }
    true
}

fn in_limits(state: &mut State, action: Action) -> bool {
    match action {
        Action::Open => limits::update::open(state),
        Action::Leave => {
            limits::update::leave(state);
        }
        Action::SortUsage
        | Action::SortLeft
        | Action::SortName
        | Action::SortGrowth
        | Action::SortReverse => limits::update::sort(state, action),
        Action::ScrollDown | Action::ScrollUp => limits::update::scroll(state, action),
        Action::NextPane | Action::PreviousPane => limits::update::next_pane(state, action),
        Action::FromType => {
            state.dialogs.push(Dialog::Prompt(Prompt::from_type()));
        }
        Action::CopyTable => limits::update::copy_table(state),
        Action::ExportTable => limits::update::export(state),
        Action::LinkId => limits::update::copy_id(state),
        _ => return false,
    }
    true
}

fn in_list(state: &mut State, action: Action) -> bool {
    match action {
        Action::Mark => mark::toggle(state),
        Action::MarkRange => state.files.listing.toggle_range(),
        Action::MarkAll => mark::all(state),
        Action::MarkInvert => mark::invert(state),
        Action::Save => transfer::save(state),
        Action::SaveAs => transfer::ask_save_as(state),
        Action::Replace => edit::ask_replace(state),
        Action::EditText => edit_text::start(state),
        Action::EditAccess => edit::ask_access(state),
        Action::Purge => delete::ask_chosen(state, true),
        Action::LinkPath
        | Action::LinkId
        | Action::LinkName
        | Action::LinkCurl
        | Action::LinkAuto
        | Action::LinkUrl
        | Action::LinkMarkdown
        | Action::LinkHtml
        | Action::LinkSigned
        | Action::LinkSignedFor
        | Action::LinkJson
        | Action::Browse => link::copy(state, action),
        Action::FileDuplicates => find::duplicates_of_file(state),
        _ => return false,
    }
    true
}

fn in_local(state: &mut State, action: Action) -> bool {
    match action {
        Action::Open => local::update::enter(state),
        Action::Leave => local::update::leave(state),
        Action::Mark => state.local_side.list.toggle_mark(),
        Action::MarkAll => state.local_side.list.mark_all(),
        Action::MarkInvert => state.local_side.list.invert_marks(),
        Action::MarkRange => state.local_side.list.toggle_range(),
        Action::Filter => local::update::open_filter(state),
        Action::ToggleHidden => local::update::toggle_hidden(state),
        Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortUpdated
        | Action::SortReverse => local::update::sort(state, action),
        Action::Refresh => local::update::refresh(state),
        Action::Back => local::update::back(state),
        Action::Upload => local::update::send(state),
        _ => return false,
    }
    true
}

fn in_tasks(state: &mut State, action: Action) -> bool {
    match action {
        Action::Open => task_details::open(state),
        Action::Unfold => tasks::update::unfold(state),
        Action::Fold => tasks::update::fold(state),
        Action::CancelTask => tasks::update::cancel(state),
        Action::PauseTask => tasks::update::pause(state),
        Action::MoveTaskToTop => tasks::update::sooner(state),
        Action::RetryTask => tasks::update::retry(state),
        Action::RetryFailed => tasks::update::retry_failed(state),
        Action::PauseQueue => tasks::update::drain(state),
        Action::ClearTasks => tasks::update::clear(state),
        Action::LimitRate => settings::ask_limit_rate(state),
        Action::ServiceTask => service_task::prompt(state),
        Action::CopyTaskId => service_task::copy_id(state),
        _ => return false,
    }
    true
}

fn change_rows(state: &mut State, change: fn(&mut Comparing)) {
    if let Some(comparing) = state.mode.comparing_mut() {
        change(comparing);
    }
}

fn toggle_tasks(state: &mut State) {
    focus::open_view(
        state,
        if state.view == View::Tasks {
            View::Files
        } else {
            View::Tasks
        },
    );
}

fn start_tour(state: &mut State) {
    focus::open_view(state, View::Files);
    state.focus = Pane::List;
    state.panes.zoomed = false;
    state.dialogs.push(Dialog::Tour(Tour::default()));
}

/// The keys that the help shows first, and the scopes that the token lacks.
fn help_keys(state: &State) -> UsefulKeys {
    let scope = |action: &Action| {
        let home = actions::home(state, *action)?;
        let refusal = actions::refusal(state, home, *action)?;
        refusal.scope().map(|scope| (*action, scope.to_owned()))
    };
    UsefulKeys {
        actions: actions::useful(state.context()).to_vec(),
        lacks: Action::ALL.iter().filter_map(scope).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::AccountSource;
    use crate::config::favorites::Favorites;
    use crate::tui::input::local_paths::LocalPaths;
    use crate::tui::keymap::{Context, Keymap};
    use crate::tui::state::{Account, Start};

    #[test]
    fn each_action_with_a_rule_is_performed() {
        let favorites = Favorites::default();
        let account = Account {
            source: AccountSource::Demo,
            read_only: false,
            production: false,
            color: None,
            favorites,
        };
        let mut state = State::new(Start {
            now: jiff::Timestamp::UNIX_EPOCH,
            size: (80, 24),
            account,
            accounts: Vec::new(),
            local: LocalPaths {
                dir: "/".into(),
                home: None,
            },
            keymap: Keymap::defaults(),
        });
        let contexts = [
            Context::Tree,
            Context::Grid,
            Context::Details,
            Context::Local,
            Context::Choose,
            Context::Compare,
            Context::Tasks,
            Context::Limits,
            Context::Activity,
        ];
        for (context, action) in contexts
            .into_iter()
            .flat_map(|context| Action::ALL.iter().map(move |action| (context, *action)))
        {
            if let Some(part) = actions::part(context, action) {
                assert!(perform(&mut state, part, action), "{context}: {action}");
            }
        }
    }
}
