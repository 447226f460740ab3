//! The actions that the hints may name in each view, the most useful first.

use std::collections::HashSet;

use crate::engine::limits::Report;
use crate::engine::preview::PreviewKind;
use crate::tui::keymap::{Action, Context};
use crate::tui::state::limits::Topic;
use crate::tui::state::{
    ComparingStage, LocalPane, Pane, PictureSupport, Row, State, TREE_COLUMN_FROM, TaskRow, View,
    WIDE_FROM,
};

/// Returns `true` if opening the details is the only way to preview the file under the cursor.
pub(super) fn opens_preview(state: &State) -> bool {
    let is_file = state.files.listing.current().is_some_and(Row::is_file);
    state.size.0 < TREE_COLUMN_FROM
        && state.focus == Pane::List
        && is_file
        && state.panes.local == LocalPane::Closed
}

/// Returns the applicable actions except quitting, the most useful first: the last ones are dropped
/// first.
pub(super) fn actions(state: &State) -> Vec<Action> {
    if state.panes.plain {
        return spoken(state);
    }
    match state.view {
        View::Files if state.choosing.is_some() => {
            let mut actions = vec![
                Action::Help,
                Action::Choose,
                Action::Mark,
                Action::Back,
                Action::Open,
            ];
            actions.extend([
                Action::Leave,
                Action::Filter,
                Action::ToggleHidden,
                Action::SortName,
                Action::Refresh,
            ]);
            actions
        }
        View::Files if state.files.comparing.is_some() => compared(state),
        View::Files if state.context() == Context::Local => local(state),
        View::Files if is_document(state) => document(state),
        View::Files => files(state),
        View::Tasks => tasks(state),
        View::Limits => limits(state),
        View::Activity => {
            vec![
                Action::Help,
                Action::CopyMessage,
                Action::ViewFiles,
                Action::ViewTasks,
                Action::ViewLimits,
            ]
        }
    }
}

/// Actions that apply to every row of a view, because a screen reader reads the hints aloud
/// whenever they change.
fn spoken(state: &State) -> Vec<Action> {
    let of_view: &[Action] = match state.view {
        View::Files if state.choosing.is_some() => &[Action::Choose, Action::Mark],
        View::Files if state.files.comparing.is_some() => &[
            Action::Upload,
            Action::Save,
            Action::MakeThereLikeHere,
            Action::MakeHereLikeThere,
            Action::Compare,
        ],
        View::Files if state.panes.local != LocalPane::Closed => &[
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
    };
    let of_view = of_view
        .iter()
        .copied()
        .filter(|action| has_use(*action, state));
    [Action::Help, Action::Back]
        .into_iter()
        .chain(of_view)
        .collect()
}

fn has_use(action: Action, state: &State) -> bool {
    let has_folder = state.files.comparing.is_some() || !is_search(state);
    match (action, state.view) {
        (Action::Upload, _) => has_folder && !state.session.account.read_only,
        (Action::MakeThereLikeHere | Action::Delete, _) => !state.session.account.read_only,
        (Action::Compare, _) => has_folder,
        (Action::Open, View::Tasks) => !state.session.tasks.lists_none(),
        (Action::RetryFailed, _) => state.session.tasks.can_retry_failed(),
        (Action::CopyMessage, _) => state.activity.selected().is_some(),
        _ => true,
    }
}

/// Returns `true` for search results, which are not a folder to upload to or to compare with.
fn is_search(state: &State) -> bool {
    state.files.listing.of.query().is_some()
}

fn limits(state: &State) -> Vec<Action> {
    let mut actions = vec![Action::Help];
    match &state.session.limits.inside {
        None => actions.extend([Action::Open, Action::SortUsage]),
        Some(inside) if inside.topic == Topic::Report(Report::Sources) => {
            actions.extend([Action::Open, Action::Back]);
        }
        Some(_) => actions.push(Action::Back),
    }
    actions.extend([
        Action::Refresh,
        Action::CopyTable,
        Action::FromType,
        Action::Find,
        Action::ViewFiles,
        Action::ViewTasks,
        Action::ViewActivity,
    ]);
    actions
}

fn tasks(state: &State) -> Vec<Action> {
    let (tasks, totals) = (&state.session.tasks, state.session.tasks.totals());
    let mut actions = vec![Action::Help];
    match tasks.selected() {
        Some(TaskRow::Batch(batch)) => {
            actions.push(Action::Open);
            if batch.can_unfold() {
                actions.push(if batch.unfolded {
                    Action::Fold
                } else {
                    Action::Unfold
                });
            }
            if batch.is_live() {
                actions.extend([Action::PauseTask, Action::CancelTask]);
            }
            if batch.can_retry() {
                actions.push(Action::RetryTask);
            }
            if batch.is_live() && totals.unfinished > 1 {
                actions.push(Action::MoveTaskToTop);
            }
        }
        Some(TaskRow::Older(_)) => actions.push(Action::Open),
        Some(TaskRow::Job(job)) => {
            actions.extend([Action::Open, Action::Fold]);
            if job.is_live() {
                actions.push(Action::CancelTask);
            }
            if job.can_retry() {
                actions.push(Action::RetryTask);
            }
        }
        None => {}
    }
    if tasks.can_retry_failed() {
        actions.push(Action::RetryFailed);
    }
    if totals.unfinished > 0 || totals.draining {
        actions.push(Action::PauseQueue);
    }
    if tasks.batches() > totals.unfinished {
        actions.push(Action::ClearTasks);
    }
    actions.extend([Action::ViewFiles, Action::ViewLimits, Action::ViewActivity]);
    actions
}

fn compared(state: &State) -> Vec<Action> {
    let is_read = state
        .files
        .comparing
        .as_ref()
        .is_some_and(|comparing| comparing.stage == ComparingStage::Read);
    if !is_read {
        return vec![Action::Help, Action::Back, Action::Compare];
    }
    let mut actions = vec![Action::Help];
    let can_write = !state.session.account.read_only;
    actions.extend(can_write.then_some(Action::Upload));
    actions.extend([Action::Save, Action::Back]);
    actions.extend(can_write.then_some(Action::MakeThereLikeHere));
    actions.extend([
        Action::MakeHereLikeThere,
        Action::Mark,
        Action::ToggleSame,
        Action::Compare,
        Action::ToggleHidden,
    ]);
    actions
}

fn local(state: &State) -> Vec<Action> {
    let side = &state.local_side;
    let mut actions = vec![Action::Help];
    if side.list.filter.is_some() || side.list.has_range() || side.has_marks() || state.panes.zoomed
    {
        actions.push(Action::Back);
    }
    if !state.session.account.read_only && !side.chosen().is_empty() {
        actions.push(Action::Upload);
    }
    actions.push(Action::NextPane);
    actions.extend((!is_search(state)).then_some(Action::Compare));
    actions.push(Action::ToggleLocal);
    if side.current().is_some() {
        actions.extend([Action::Mark, Action::Open]);
    }
    actions.extend([
        Action::Filter,
        Action::ToggleHidden,
        Action::SortName,
        Action::Leave,
        Action::Refresh,
    ]);
    actions
}

fn is_document(state: &State) -> bool {
    let is_file = state.files.listing.current().is_some_and(Row::is_file);
    state.panes.zoomed
        && state.focus == Pane::Details
        && is_file
        && state.panes.local == LocalPane::Closed
}

fn document(state: &State) -> Vec<Action> {
    let row = state.files.listing.current();
    let kind = row.map(|row| PreviewKind::of(row.extension(), row.kind.as_ref()));
    let is_text = matches!(
        kind,
        Some(PreviewKind::Text | PreviewKind::Markdown | PreviewKind::Table)
    );
    let can_write = !state.session.account.read_only;
    let mut actions = vec![Action::Help, Action::Back, Action::LinkAuto, Action::Save];
    actions.extend((is_text && can_write).then_some(Action::EditText));
    actions.extend((kind == Some(PreviewKind::Markdown)).then_some(Action::ToggleSource));
    if can_write {
        actions.extend([Action::EditAccess, Action::Replace, Action::Delete]);
    }
    actions.push(Action::Browse);
    actions
}

fn files(state: &State) -> Vec<Action> {
    let listing = &state.files.listing;
    let can_write = !state.session.account.read_only;
    let is_search = is_search(state) && state.focus != Pane::Tree;
    let mut actions = vec![Action::Help];
    if state.panes.local != LocalPane::Closed {
        actions.push(Action::NextPane);
        actions.extend((!is_search).then_some(Action::Compare));
    }
    if listing.filter.is_some()
        || listing.range.is_some()
        || !listing.marks.is_empty()
        || state.panes.zoomed
    {
        actions.push(Action::Back);
    }
    // Actions for marked rows or found copies take precedence over opening one of them.
    let is_browsing = listing.marks.is_empty() && listing.duplicate_groups() == 0;
    let has_room = state.size.0 >= WIDE_FROM && listing.current().is_some();
    if state.focus == Pane::List && (has_room || is_browsing && opens_preview(state)) {
        actions.push(Action::Open);
    }
    if state.session.cut.is_some() && can_write {
        actions.push(Action::Paste);
    }
    let row = listing.current().filter(|_| state.focus != Pane::Tree);
    let marks = &listing.marks;
    let has_files = if marks.is_empty() {
        row.is_some_and(Row::is_file)
    } else {
        marks.len() > marks.folders()
    };
    if state.shows_grid() {
        actions.push(Action::ToggleGrid);
    }
    if !listing.marks.is_empty() && state.focus != Pane::Tree {
        actions.push(Action::Save);
        if can_write {
            actions.push(Action::Delete);
        }
        if can_write && has_files {
            actions.push(Action::EditAccess);
        }
    }
    if state.focus == Pane::Tree {
        actions.push(Action::Open);
        actions.push(Action::Leave);
    } else {
        if is_search {
            actions.push(Action::Back);
        }
        if listing.duplicate_groups() > 0 && listing.marks.is_empty() && can_write {
            actions.extend([Action::Mark, Action::Delete]);
        }
        if is_search {
            actions.push(Action::GoFolder);
        }
        actions.extend([Action::Filter, Action::Find]);
    }
    if row.is_some() && state.focus == Pane::List {
        actions.push(Action::Mark);
    }
    if can_write && !is_search {
        actions.push(Action::Upload);
    }
    if row.is_some() {
        actions.push(Action::Save);
    }
    if row.is_some() && has_files {
        actions.push(Action::LinkAuto);
    } else if row.is_some() || state.focus == Pane::Tree {
        actions.push(Action::LinkPath);
    }
    if can_write && (row.is_some() || state.focus == Pane::Tree) {
        actions.push(Action::Delete);
        if row.is_some() && has_files {
            actions.push(Action::EditAccess);
        }
        actions.push(Action::Rename);
    }
    if can_write && !is_search {
        actions.extend([Action::NewFolder, Action::Import]);
    }
    actions.extend([Action::NextPane, Action::ToggleTree, Action::ToggleLocal]);
    if !is_search {
        actions.push(Action::Compare);
    }
    if state.picture_support != PictureSupport::None {
        actions.push(Action::ToggleGrid);
    }
    actions.push(Action::SortName);
    // Both have the same first key.
    if !is_search {
        actions.push(Action::GoRoot);
    }
    actions.push(Action::Refresh);
    let mut seen = HashSet::new();
    actions.retain(|action| seen.insert(*action));
    actions
}
