//! The order in which hints and help name the actions of a pane: those that its state calls for, then
//! the most used ones. The tables decide which of them apply.

use std::collections::HashSet;

use super::tables::available;
use crate::engine::limits::Report;
use crate::engine::preview::PreviewKind;
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::command::Availability;
use crate::tui::state::limits::Topic;
use crate::tui::state::{
    ComparingStage, Pane, Row, State, TREE_COLUMN_FROM, TaskRow, View, WIDE_FROM,
};

/// The number of rows that the help has on a screen of 24 lines.
const ROWS_OF_HELP: usize = 18;
/// The actions that the help shows, too, if it has room.
const MORE_OF_HELP: [Action; 3] = [Action::Cut, Action::Paste, Action::Undo];

/// Returns the actions that apply, except the palette and quitting, the most useful first, with the
/// scopes that the token lacks for them.
pub fn hints(state: &State) -> Vec<(Action, Option<String>)> {
    let actions = if state.panes.plain {
        // A screen reader reads the hints aloud whenever they change.
        let mut actions = vec![Action::Help, Action::Back];
        actions.extend(spoken(state));
        actions
    } else {
        let mut actions = vec![Action::Help];
        actions.extend(called_for(state));
        let usual = usual(state.context()).iter().copied();
        actions.extend(usual.filter(|action| !is_obvious(*action)));
        actions
    };
    let has_link = available(state, Action::LinkAuto) == Availability::Yes;
    let mut seen = HashSet::new();
    actions
        .into_iter()
        .filter(|action| !matches!(action, Action::Palette | Action::Quit))
        .filter(|action| !(has_link && *action == Action::LinkPath))
        .filter(|action| seen.insert(*action))
        .filter_map(|action| match available(state, action) {
            Availability::Yes => Some((action, None)),
            Availability::Refused(refusal) => refusal
                .scope()
                .map(|scope| (action, Some(scope.to_owned()))),
            Availability::NotHere => None,
        })
        .collect()
}

/// Returns the actions of a context that the help shows first on a screen of this many lines.
pub fn useful(context: Context, lines: u16) -> Vec<Action> {
    let has_room = usize::from(lines) >= ROWS_OF_HELP + MORE_OF_HELP.len() + 6;
    let more = MORE_OF_HELP.into_iter().filter(|_| has_room);
    let usual = usual(context).iter().copied().take(ROWS_OF_HELP);
    let mut seen = HashSet::new();
    usual
        .chain(more)
        .filter(|action| seen.insert(*action))
        .collect()
}

/// Returns `true` for keys that have a hint only where the state calls for them: most are found
/// without one.
fn is_obvious(action: Action) -> bool {
    const OTHERS: [Action; 15] = [
        Action::ScrollUp,
        Action::TogglePreview,
        Action::ToggleSource,
        Action::ToggleTasks,
        Action::Unfold,
        Action::Fold,
        Action::MoveTaskToTop,
        Action::PauseQueue,
        Action::LimitRate,
        Action::SortUsage,
        Action::SortReverse,
        Action::MarkRange,
        Action::MarkAll,
        Action::MarkInvert,
        Action::Zoom,
    ];
    action.moves_cursor() && action != Action::GoRoot || OTHERS.contains(&action)
}

/// Returns `true` if opening the details is the only way to preview the file under the cursor.
pub fn opens_preview(state: &State) -> bool {
    let is_file = state.files.listing.current().is_some_and(Row::is_file);
    state.size.width < TREE_COLUMN_FROM
        && state.focus == Pane::List
        && is_file
        && !state.mode.has_local_list()
}

fn is_document(state: &State) -> bool {
    let is_file = state.files.listing.current().is_some_and(Row::is_file);
    state.panes.zoomed && state.focus == Pane::Details && is_file && !state.mode.has_local_list()
}

/// The actions that the state of the focused pane calls for.
fn called_for(state: &State) -> Vec<Action> {
    match state.context() {
        Context::Choose if state.local_side.choosing_enters() => {
            vec![Action::Choose, Action::Mark, Action::Back]
        }
        Context::Choose => vec![Action::Choose, Action::Mark, Action::Back, Action::Open],
        Context::Compare => of_comparison(state),
        Context::Local => {
            let list = &state.local_side.list;
            let is_held = list.filter.is_some()
                || list.has_range()
                || state.local_side.has_marks()
                || state.panes.zoomed;
            is_held.then_some(Action::Back).into_iter().collect()
        }
        Context::Details if is_document(state) => of_document(state),
        Context::Tree | Context::List | Context::Grid | Context::Details => of_files(state),
        Context::Tasks => of_tasks(state),
        Context::Limits => match &state.session.limits.inside {
            None => vec![Action::Open, Action::SortUsage],
            Some(inside) if inside.topic == Topic::Report(Report::Sources) => {
                vec![Action::Open, Action::Back]
            }
            Some(_) => vec![Action::Back],
        },
        Context::Activity | Context::Files | Context::Global => Vec::new(),
    }
}

fn of_comparison(state: &State) -> Vec<Action> {
    let comparing = state.mode.comparing();
    if comparing.is_some_and(|comparing| comparing.stage == ComparingStage::Read) {
        Vec::new()
    } else {
        vec![Action::Back, Action::Compare]
    }
}

fn of_document(state: &State) -> Vec<Action> {
    let row = state.files.listing.current();
    let kind = row.map(|row| PreviewKind::of(row.extension(), row.kind.as_ref()));
    let is_text = matches!(
        kind,
        Some(PreviewKind::Text | PreviewKind::Markdown | PreviewKind::Table)
    );
    let mut actions = vec![Action::Back, Action::LinkAuto, Action::Save];
    actions.extend(is_text.then_some(Action::EditText));
    actions.extend((kind == Some(PreviewKind::Markdown)).then_some(Action::ToggleSource));
    actions.extend([
        Action::EditAccess,
        Action::Replace,
        Action::Delete,
        Action::Browse,
    ]);
    actions
}

fn of_files(state: &State) -> Vec<Action> {
    let listing = &state.files.listing;
    let is_on_tree = state.focus == Pane::Tree;
    let is_search = listing.of.query().is_some() && !is_on_tree;
    let has_marks = !listing.marks.is_empty();
    let has_duplicates = listing.duplicate_groups() > 0 && !has_marks;
    let is_held = listing.list.filter.is_some()
        || listing.list.has_range()
        || has_marks
        || state.panes.zoomed;
    // Actions for marked rows or found copies take precedence over opening one of them.
    let is_browsing = !has_marks && listing.duplicate_groups() == 0;
    let has_room = state.size.width >= WIDE_FROM && listing.current().is_some();
    let opens = state.focus == Pane::List && (has_room || is_browsing && opens_preview(state));
    let has_two_lists = state.mode.has_local_list();
    let called_for: [(bool, &[Action]); 9] = [
        (is_held, &[Action::Back]),
        (has_two_lists, TWO_LISTS),
        (opens, &[Action::Open]),
        (state.session.cut.is_some(), &[Action::Paste]),
        (state.shows_grid(), &[Action::ToggleGrid]),
        (
            has_marks && !is_on_tree,
            &[Action::Save, Action::Delete, Action::EditAccess],
        ),
        (is_on_tree, &[Action::Open, Action::Leave]),
        (is_search, &[Action::Back, Action::GoFolder]),
        (
            has_duplicates && !is_on_tree,
            &[Action::Mark, Action::Delete],
        ),
    ];
    let called_for = called_for.into_iter().filter(|(is_case, _)| *is_case);
    called_for
        .flat_map(|(_, actions)| actions)
        .copied()
        .collect()
}

fn of_tasks(state: &State) -> Vec<Action> {
    let tasks = &state.session.tasks;
    let mut actions = vec![Action::Open];
    match tasks.selected() {
        Some(TaskRow::Batch(batch)) if batch.can_unfold() => actions.push(if batch.unfolded {
            Action::Fold
        } else {
            Action::Unfold
        }),
        Some(TaskRow::Job(_)) => actions.push(Action::Fold),
        _ => {}
    }
    actions.extend([Action::PauseTask, Action::CancelTask, Action::RetryTask]);
    actions.extend((tasks.totals().unfinished > 1).then_some(Action::MoveTaskToTop));
    actions.push(Action::RetryFailed);
    let is_at_work = tasks.totals().unfinished > 0 || tasks.totals().draining;
    actions.extend(is_at_work.then_some(Action::PauseQueue));
    actions.push(Action::ClearTasks);
    actions
}

/// The few actions that a screen reader names.
fn spoken(state: &State) -> &'static [Action] {
    match state.view {
        View::Files if state.mode.is_choosing() => &[Action::Choose, Action::Mark],
        View::Files if state.mode.comparing().is_some() => &[
            Action::MakeThereLikeHere,
            Action::MakeHereLikeThere,
            Action::Upload,
            Action::Save,
            Action::Compare,
        ],
        View::Files if state.mode.has_local_list() => &[
            Action::NextPane,
            Action::Upload,
            Action::Compare,
            Action::ToggleLocal,
        ],
        View::Files if state.files.listing.duplicate_groups() > 0 => {
            &[Action::Mark, Action::Delete, Action::Open, Action::Find]
        }
        View::Files if is_document(state) => &[Action::LinkAuto, Action::Save],
        View::Files => &[Action::Open, Action::Find, Action::Upload],
        View::Tasks => &[Action::Open, Action::RetryFailed, Action::ViewFiles],
        View::Limits => &[Action::Open, Action::Refresh, Action::ViewFiles],
        View::Activity => &[Action::CopyMessage, Action::ViewFiles],
    }
}

/// Returns the most used actions of a context, for hints, help and palette.
pub fn usual(context: Context) -> &'static [Action] {
    match context {
        Context::Global | Context::Files | Context::List => LIST,
        Context::Grid => GRID,
        Context::Local => LOCAL,
        Context::Choose => CHOOSE,
        Context::Compare => COMPARE,
        Context::Tree => TREE,
        Context::Details => DETAILS,
        Context::Tasks => TASKS,
        Context::Limits => LIMITS,
        Context::Activity => ACTIVITY,
    }
}

const TWO_LISTS: &[Action] = &[
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
    Action::NextPane,
    Action::Compare,
];

const LIST: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::Filter,
    Action::Find,
    Action::Mark,
    Action::Upload,
    Action::Save,
    Action::LinkAuto,
    Action::LinkPath,
    Action::Delete,
    Action::EditAccess,
    Action::Rename,
    Action::NewFolder,
    Action::ToggleLocal,
    Action::Compare,
    Action::ToggleGrid,
    Action::Palette,
    Action::Quit,
    Action::SortName,
    Action::Import,
    Action::NextPane,
    Action::ToggleTree,
    Action::Cut,
    Action::GoRoot,
    Action::Refresh,
    Action::SaveAs,
    Action::EditText,
    Action::Replace,
    Action::Browse,
    Action::Purge,
];

const TREE: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::Find,
    Action::Upload,
    Action::LinkPath,
    Action::Delete,
    Action::Rename,
    Action::NewFolder,
    Action::Cut,
    Action::Paste,
    Action::ToggleLocal,
    Action::GoPath,
    Action::SetBookmark,
    Action::Bookmarks,
    Action::NextPane,
    Action::ToggleTree,
    Action::Palette,
    Action::Quit,
    Action::Filter,
    Action::Import,
    Action::Compare,
    Action::SortName,
    Action::GoRoot,
    Action::Refresh,
];

const GRID: &[Action] = &[
    Action::MoveLeft,
    Action::MoveRight,
    Action::Open,
    Action::Leave,
    Action::ToggleGrid,
    Action::Filter,
    Action::Find,
    Action::Mark,
    Action::Upload,
    Action::Save,
    Action::LinkAuto,
    Action::LinkPath,
    Action::Delete,
    Action::EditAccess,
    Action::Rename,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
    Action::SortName,
    Action::NewFolder,
    Action::Import,
    Action::ToggleTree,
    Action::ToggleLocal,
    Action::Compare,
    Action::GoRoot,
    Action::Refresh,
    Action::Cut,
    Action::SaveAs,
    Action::EditText,
    Action::Replace,
    Action::Browse,
    Action::Purge,
];

const LOCAL: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
    Action::Upload,
    Action::NextPane,
    Action::Compare,
    Action::ToggleLocal,
    Action::Mark,
    Action::MarkRange,
    Action::MarkAll,
    Action::Filter,
    Action::ToggleHidden,
    Action::SortName,
    Action::SortUpdated,
    Action::ToggleDetails,
    Action::Zoom,
    Action::Refresh,
    Action::Palette,
    Action::Quit,
];

const CHOOSE: &[Action] = &[
    Action::Choose,
    Action::Mark,
    Action::MarkRange,
    Action::MarkAll,
    Action::MarkInvert,
    Action::Open,
    Action::Leave,
    Action::Filter,
    Action::ToggleHidden,
    Action::SortName,
    Action::SortSize,
    Action::SortUpdated,
    Action::SortReverse,
    Action::MoveTop,
    Action::MoveBottom,
    Action::Refresh,
    Action::Quit,
];

const COMPARE: &[Action] = &[
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
    Action::Upload,
    Action::Save,
    Action::Back,
    Action::Mark,
    Action::ToggleSame,
    Action::Compare,
    Action::ToggleHidden,
    Action::MarkAll,
    Action::Open,
    Action::Leave,
    Action::MoveTop,
    Action::MoveBottom,
    Action::ToggleTasks,
    Action::Find,
    Action::Palette,
    Action::Quit,
];

const DETAILS: &[Action] = &[
    Action::ScrollDown,
    Action::ScrollUp,
    Action::Zoom,
    Action::TogglePreview,
    Action::ToggleSource,
    Action::Save,
    Action::LinkAuto,
    Action::LinkPath,
    Action::Browse,
    Action::Delete,
    Action::EditAccess,
    Action::EditText,
    Action::Replace,
    Action::Rename,
    Action::FileDuplicates,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
    Action::Filter,
    Action::Find,
    Action::Upload,
    Action::NewFolder,
    Action::Import,
    Action::ToggleTree,
    Action::ToggleLocal,
    Action::Compare,
    Action::ToggleGrid,
    Action::SortName,
    Action::GoRoot,
    Action::Refresh,
    Action::Cut,
    Action::SaveAs,
    Action::Purge,
];

const TASKS: &[Action] = &[
    Action::Open,
    Action::Unfold,
    Action::Fold,
    Action::PauseTask,
    Action::CancelTask,
    Action::RetryTask,
    Action::RetryFailed,
    Action::MoveTaskToTop,
    Action::ClearTasks,
    Action::ViewFiles,
    Action::ViewLimits,
    Action::ViewActivity,
    Action::PauseQueue,
    Action::LimitRate,
    Action::ToggleTasks,
    Action::Find,
    Action::Palette,
    Action::Quit,
];

const LIMITS: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::SortUsage,
    Action::Refresh,
    Action::CopyTable,
    Action::FromType,
    Action::Find,
    Action::ViewFiles,
    Action::ViewTasks,
    Action::ExportTable,
    Action::LinkId,
    Action::SortLeft,
    Action::SortGrowth,
    Action::SortReverse,
    Action::ScrollDown,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
];

const ACTIVITY: &[Action] = &[
    Action::MoveDown,
    Action::MoveUp,
    Action::MoveTop,
    Action::MoveBottom,
    Action::PageDown,
    Action::PageUp,
    Action::CopyMessage,
    Action::ViewFiles,
    Action::ViewTasks,
    Action::ViewLimits,
    Action::Find,
    Action::Deletions,
    Action::UnsavedEdits,
    Action::Accounts,
    Action::Settings,
    Action::Refresh,
    Action::Palette,
    Action::Quit,
];
