//! The one table from actions to the files beside this one that perform them.

use super::{
    activity, browse, choosing, clear_thumbnails, comparing, delete, deletions, edit, edit_text,
    favorites, find, gallery, limits, link, local_side, mark, palette, panes, preview, quit,
    rename, service_task, settings, submit, switch, tasks, tour, transfer, undo, unsaved_edits,
};
use crate::tui::denied_actions::is_change;
use crate::tui::dialog::{Dialog, Help};
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::{MessageLevel, State, View};

pub(super) fn act(state: &mut State, action: Action) {
    if limits::act(state, action) || choosing::refuses(state, action) {
        return;
    }
    if is_change(action) && state.session.account.read_only {
        return submit::refuse_change(state);
    }
    if let Some(scope) = state.session.denied_actions.for_action(action) {
        let may_be_given = state.session.denied_actions.is_by_answer(action);
        let again = state
            .keymap
            .key_of(state.context(), Action::Refresh)
            .filter(|_| may_be_given);
        let again = again
            .map(|key| format!(" {key} forgets this, once the token has it."))
            .unwrap_or_default();
        let text = format!(
            "{} is refused: the token lacks the scope {scope}.{again}",
            action.description()
        );
        return state.say(MessageLevel::Warn, text);
    }
    if !comparing::act(state, action) && !local_side::act(state, action) {
        perform(state, action);
    }
}

/// Performs an action. Returns `true` if it means something here; the others belong only to the
/// limits, the local list or a comparison.
fn perform(state: &mut State, action: Action) -> bool {
    match action {
        Action::Open => browse::open(state),
        Action::Leave => browse::leave(state),
        Action::HistoryBack => browse::history_back(state),
        Action::HistoryForward => browse::history_forward(state),
        Action::GoRoot => browse::locate(state, "/"),
        Action::GoFolder => find::go_to_folder(state),
        Action::FindPublic
        | Action::FindUnlisted
        | Action::FindPrivate
        | Action::FindExpiring
        | Action::FindLarge
        | Action::FindRecent
        | Action::FindDuplicates => find::view(state, action),
        Action::FileDuplicates => find::duplicates_of_file(state),
        Action::Refresh => browse::refresh(state),
        Action::Mark => mark::toggle(state),
        Action::MarkAll => mark::all(state),
        Action::MarkInvert => mark::invert(state),
        Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortCreated
        | Action::SortUpdated
        | Action::SortExpires
        | Action::SortAccess
        | Action::SortReverse => mark::sort(state, action),
        Action::Paste => edit::paste(state),
        Action::Undo => undo::undo(state),
        Action::Delete => delete::ask_chosen(state, false),
        Action::Purge => delete::ask_chosen(state, true),
        Action::Deletions => deletions::list(state),
        Action::EditText => edit_text::start(state),
        Action::Tour => tour::start(state),
        Action::UnsavedEdits => unsaved_edits::list(state),
        Action::ClearThumbnails => clear_thumbnails::clear(state),
        Action::Rename => rename::ask(state),
        Action::Save => transfer::save(state),
        Action::LinkAuto
        | Action::LinkUrl
        | Action::LinkSigned
        | Action::LinkSignedFor
        | Action::LinkPath
        | Action::LinkId
        | Action::LinkName
        | Action::LinkMarkdown
        | Action::LinkHtml
        | Action::LinkJson
        | Action::LinkCurl
        | Action::Browse => link::copy(state, action),
        Action::CopyMessage => activity::copy(state),
        Action::Unfold => tasks::unfold(state),
        Action::Fold => tasks::fold(state),
        Action::CancelTask => tasks::cancel(state),
        Action::RetryTask => tasks::retry(state),
        Action::RetryFailed => tasks::retry_failed(state),
        Action::PauseTask => tasks::pause(state),
        Action::MoveTaskToTop => tasks::sooner(state),
        Action::PauseQueue => tasks::drain(state),
        Action::CopyTaskId => service_task::copy_id(state),
        Action::ClearTasks => tasks::clear(state),
        Action::ResetPanes => panes::reset_sizes(state),
        Action::Redraw => state.effects.push(Effect::Redraw),
        Action::Suspend => state.effects.push(Effect::Suspend),
        Action::Quit => quit::quit(state),
        Action::Interrupt => quit::interrupt(state),
        Action::Back => panes::back(state),
        Action::ToggleGrid => gallery::toggle(state),
        Action::MoveDown
        | Action::MoveUp
        | Action::MoveLeft
        | Action::MoveRight
        | Action::MoveTop
        | Action::MoveBottom
        | Action::HalfPageDown
        | Action::HalfPageUp
        | Action::PageDown
        | Action::PageUp => browse::move_cursor(state, action),
        _ => return show(state, action),
    }
    true
}

/// Performs an action that changes only the screen. Returns `true` if it is one.
fn show(state: &mut State, action: Action) -> bool {
    match action {
        Action::ViewFiles => panes::open_view(state, View::Files),
        Action::ViewTasks => panes::open_view(state, View::Tasks),
        Action::ViewLimits => panes::open_view(state, View::Limits),
        Action::ViewActivity => panes::open_view(state, View::Activity),
        Action::ToggleTasks => panes::toggle_tasks(state),
        Action::Accounts => switch::ask(state),
        Action::Palette => palette::ask(state),
        Action::GoPath => browse::ask_path(state),
        Action::NextPane | Action::PreviousPane => panes::step_focus(state, action),
        Action::Zoom => state.panes.zoomed = !state.panes.zoomed,
        Action::ToggleTree => panes::toggle_tree(state),
        Action::ToggleLocal => local_side::toggle(state),
        Action::ToggleDetails => panes::toggle_details(state),
        Action::TogglePreview => preview::toggle(state),
        Action::ToggleSource => state.files.previews.toggle_source(),
        Action::NextPage | Action::PreviousPage => preview::turn_page(state, action),
        Action::ScrollDown | Action::ScrollUp => preview::scroll(state, action),
        Action::Filter => mark::open_filter(state),
        Action::Find => find::ask(state),
        Action::SaveSearch => favorites::ask_name(state),
        Action::SavedViews => favorites::ask_view(state),
        Action::SetBookmark => favorites::ask_bookmark(state),
        Action::Bookmarks => favorites::ask_jump(state),
        Action::GoId => browse::ask_id(state),
        Action::MarkRange => state.files.listing.toggle_range(),
        Action::Upload => transfer::ask_upload(state, ""),
        Action::SaveAs => transfer::ask_save_as(state),
        Action::Import => transfer::ask_import(state, ""),
        Action::NewFolder => edit::ask_new_folder(state),
        Action::Cut => edit::cut(state),
        Action::Replace => edit::ask_replace(state),
        Action::EditAccess => edit::ask_access(state),
        Action::Settings => settings::open(state),
        Action::Themes => settings::open_themes(state),
        Action::LimitRate => settings::ask_limit_rate(state),
        Action::ServiceTask => service_task::prompt(state),
        Action::Help => {
            let help = Help::new(
                &state.keymap,
                state.context(),
                &state.session.denied_actions,
            );
            state.dialogs.push(Dialog::Help(help));
        }
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::AccountSource;
    use crate::config::favorites::Favorites;
    use crate::tui::input::local_paths::LocalPaths;
    use crate::tui::keymap::Keymap;
    use crate::tui::state::{Account, Start};

    #[test]
    fn every_action_is_done_somewhere() {
        const OTHERS: [Action; 6] = [
            Action::ToggleHidden,
            Action::Choose,
            Action::Compare,
            Action::ToggleSame,
            Action::MakeThereLikeHere,
            Action::MakeHereLikeThere,
        ];
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
        let left = Action::ALL
            .iter()
            .filter(|action| !perform(&mut state, **action));
        let of_limits = [
            Action::SortUsage,
            Action::SortLeft,
            Action::SortGrowth,
            Action::CopyTable,
            Action::ExportTable,
            Action::FromType,
        ];
        // `local_side` and `comparing` perform the actions that only a local list or a comparison
        // has.
        let left = left.filter(|action| !OTHERS.contains(action));
        assert_eq!(left.copied().collect::<Vec<_>>(), of_limits);
    }
}
