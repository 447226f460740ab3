//! The tasks view without listed tasks: explains what appears here and how to start a task.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::api::text::visible;
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::keys::key;
use crate::tui::state::State;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::wording::{action, task};

/// Lines for the pane of the strip: keys and their actions.
pub(crate) fn strip<'a>(state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let older = state.session.tasks.older();
    let keyed = |action, words: String| {
        let key = Span::styled(format!(" {} ", key(state, action)), theme.key);
        vec![key, Span::styled(format!(" {words}"), theme.dim)]
    };
    let upload = match state.sides(Action::Upload) {
        Some(_) => action::hint(state, Action::Upload).into_owned(),
        None => "upload files".to_owned(),
    };
    let upload = (!state.session.account.read_only).then(|| keyed(Action::Upload, upload));
    let shown = (older.count > 0).then(|| {
        let mut line = keyed(Action::ToggleTasks, task::older_count(older));
        if let Some(failed) = task::older_failed(older) {
            line.extend([
                Span::styled(", ", theme.dim),
                Span::styled(failed, theme.error),
            ]);
        }
        line
    });
    let none = vec![Span::styled("No tasks.", theme.dim)];
    [Some(none), upload, shown]
        .into_iter()
        .flatten()
        .map(Line::from)
        .collect()
}

pub(crate) fn words(state: &State, theme: &Theme) -> Vec<(String, Style)> {
    let none = if state.session.tasks.is_empty() {
        "No tasks yet."
    } else {
        "No other tasks."
    };
    let what = "Uploads, downloads, copies, imports, moves and deletions show up here.";
    let files = key(state, Action::ViewFiles);
    let keys =
        [Action::Upload, Action::Import].map(|action| state.keymap.key_of(Context::List, action));
    let next = match keys {
        _ if state.other_account().is_some() => others(state),
        _ if state.session.account.read_only => {
            format!("{files} returns to the files. The account is read-only.")
        }
        [Some(upload), Some(import)] => {
            format!(
                "In the files ({files}), {upload} uploads files and {import} imports from an address."
            )
        }
        _ => format!("{files} returns to the files."),
    };
    vec![
        (none.to_owned(), theme.text),
        (what.to_owned(), theme.dim),
        (next, theme.dim),
    ]
}

/// The number of tasks of the account whose list is beside, and the key that shows them.
fn others(state: &State) -> String {
    let Some(other) = state.other_account() else {
        return String::new();
    };
    let (name, tasks) = (visible(other.session.account.name()), &other.session.tasks);
    let count = figures::count(tasks.current().len() + tasks.older().count, "task");
    let key = key(state, Action::NextPane);
    format!("{name} has {count}: {key} shows its tasks.")
}
