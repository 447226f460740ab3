//! What each action does: the one table from actions to the files beside this one.

use super::{
    browse, edit, edit_text, limits, link, mark, palette, panes, preview, quit, submit, switch, tasks, transfer,
};
use crate::tui::dialog::{Dialog, Help};
use crate::tui::keymap::Action;
use crate::tui::message::Effect;
use crate::tui::state::{State, View};

pub(super) fn act(state: &mut State, action: Action) -> Vec<Effect> {
    if let Some(effects) = limits::act(state, action) {
        return effects;
    }
    if changes(action) && state.desk.account.read_only {
        submit::refuse_change(state);
        return Vec::new();
    }
    match action {
        Action::Open => return browse::open(state),
        Action::Leave => return browse::leave(state),
        Action::HistoryBack => return browse::history_back(state),
        Action::HistoryForth => return browse::history_forth(state),
        Action::GoRoot => return browse::locate(state, "/"),
        Action::Refresh => return browse::refresh(state),
        Action::ViewFiles => panes::open_view(state, View::Files),
        Action::ViewTasks => panes::open_view(state, View::Tasks),
        Action::ViewLimits => panes::open_view(state, View::Limits),
        Action::ViewActivity => panes::open_view(state, View::Activity),
        Action::ToggleTasks => panes::toggle_tasks(state),
        Action::Mark => return mark::toggle(state),
        Action::MarkAll => return mark::all(state),
        Action::MarkInvert => return mark::invert(state),
        Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortCreated
        | Action::SortUpdated
        | Action::SortReverse => return mark::sort(state, action),
        Action::Paste => return edit::paste(state),
        Action::EditText => return edit_text::ask(state),
        Action::Save => return transfer::save(state),
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
        | Action::Browse => return link::copy(state, action),
        Action::Unfold => return tasks::unfold(state),
        Action::Fold => return tasks::fold(state),
        Action::CancelTask => return tasks::cancel(state),
        Action::RetryTask => return tasks::retry(state),
        Action::RetryFailed => return tasks::retry_failed(state),
        Action::PauseTask => return tasks::pause(state),
        Action::SoonerTask => return tasks::sooner(state),
        Action::Drain => return tasks::drain(state),
        Action::ClearTasks => return tasks::clear(state),
        Action::Redraw => return vec![Effect::Redraw],
        Action::Suspend => return vec![Effect::Suspend],
        Action::Quit => return quit::quit(state),
        Action::Interrupt => return quit::interrupt(state),
        Action::Back => return panes::back(state),
        Action::MoveDown
        | Action::MoveUp
        | Action::MoveTop
        | Action::MoveBottom
        | Action::HalfPageDown
        | Action::HalfPageUp
        | Action::PageDown
        | Action::PageUp => return browse::move_cursor(state, action),
        Action::Accounts => switch::ask(state),
        Action::Palette => palette::ask(state),
        Action::GoPath => browse::ask_path(state),
        Action::NextPane | Action::PreviousPane => panes::step_focus(state, action),
        Action::Zoom => state.panes.zoomed = !state.panes.zoomed,
        Action::ToggleTree => panes::toggle_tree(state),
        Action::ToggleDetails => panes::toggle_details(state),
        Action::TogglePreview => preview::toggle(state),
        Action::ScrollDown | Action::ScrollUp => preview::scroll(state, action),
        Action::Filter => mark::open_filter(state),
        Action::MarkRange => state.desk.listing.toggle_range(),
        Action::Upload => transfer::ask_upload(state, ""),
        Action::SaveAs => transfer::ask_save_as(state),
        Action::Import => transfer::ask_import(state, ""),
        Action::NewFolder => edit::ask_new_folder(state),
        Action::Rename => edit::ask_rename(state),
        Action::Cut => edit::cut(state),
        Action::Replace => edit::ask_replace(state),
        Action::EditAccess => edit::ask_access(state),
        Action::Delete => edit::ask_delete(state, false),
        Action::Purge => edit::ask_delete(state, true),
        // Of the limits alone.
        Action::SortPressure
        | Action::SortLeft
        | Action::SortGrowth
        | Action::FromType
        | Action::CopyTable
        | Action::ExportTable => {}
        Action::Help => {
            let help = Help::new(&state.keymap);
            state.dialogs.push(Dialog::Help(help));
        }
    }
    Vec::new()
}

/// Whether an action leads to a change in the account.
fn changes(action: Action) -> bool {
    matches!(
        action,
        Action::Upload
            | Action::Import
            | Action::NewFolder
            | Action::Rename
            | Action::Cut
            | Action::Paste
            | Action::Replace
            | Action::EditText
            | Action::EditAccess
            | Action::Delete
            | Action::Purge
    )
}
