//! The last line: keys that do something here and now, named by the key map.

use std::borrow::Cow;
use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::pane;
use crate::engine::batch::BatchState;
use crate::engine::limits::Report;
use crate::tui::keymap::{Action, Context, Key};
use crate::tui::state::limits::Topic;
use crate::tui::state::{ComparingStage, ListFilter, LocalPane, Pane, PictureSupport, Row, State, TaskRow, View};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::hints;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let inner = pane::padded(area);
    let hints = shown(state, usize::from(inner.width));
    let pairs = || hints.iter().map(|hint| (hint.pill.as_str(), hint.label.as_ref()));
    frame.render_widget(hints::line(pairs(), usize::from(inner.width), theme.key, theme.dim), inner);
    let grayed = Style::reset().patch(theme.backdrop).patch(theme.dim);
    for ((place, ..), _) in
        hints::places(pairs(), usize::from(inner.width)).zip(&hints).filter(|(_, hint)| hint.lacks.is_some())
    {
        let [start, end] = [place.start, place.end].map(|cell| u16::try_from(cell).unwrap_or(u16::MAX));
        let area = Rect { x: inner.x.saturating_add(start), width: end - start, ..inner };
        frame.buffer_mut().set_style(area.intersection(inner), grayed);
    }
}

/// The key at a cell.
pub(super) fn key_at(area: Rect, x: u16, state: &State) -> Option<Key> {
    let inner = pane::padded(area);
    let hints = shown(state, usize::from(inner.width));
    let pairs = hints.iter().map(|hint| (hint.pill.as_str(), hint.label.as_ref()));
    let cell = usize::from(x.checked_sub(inner.x)?);
    let pill = hints::at(pairs, usize::from(inner.width), cell)?;
    hints.iter().find(|hint| hint.pill == pill)?.key.parse().ok()
}

/// A key and a word for what it does.
struct Hint {
    key: String,
    /// The key as it is shown: `^P`.
    pill: String,
    label: Cow<'static, str>,
    /// The scope that the token lacks for it.
    lacks: Option<String>,
}

impl Hint {
    fn width(&self) -> usize {
        hints::width(&self.pill, &self.label)
    }
}

/// As many as fit, and at the end what leads to all others.
fn shown(state: &State, cells: usize) -> Vec<Hint> {
    if state.is_typing() {
        let (filter, is_empty) = if state.is_typing_local() {
            (&state.local_side.filter, state.local_side.is_empty())
        } else {
            (&state.current.listing.filter, state.current.listing.visible().is_empty())
        };
        let recalls = filter.as_ref().is_some_and(ListFilter::recalls);
        let rows = if recalls { "typed before" } else { "move" };
        let keys = [("enter", "apply"), ("esc", "clear filter"), ("↑↓", rows)];
        let hint = |(key, label): (&str, &'static str)| {
            let key = key.to_owned();
            Hint { pill: key.clone(), key, label: label.into(), lacks: None }
        };
        // There is nothing to apply it to, nor to move in.
        let has_use = |key: &str| !is_empty || recalls || key == "esc";
        return keys.into_iter().filter(|(key, _)| has_use(key)).map(hint).collect();
    }
    let everything = if state.choosing.is_none() { hint(state, Action::Palette) } else { None };
    let mut used = everything.as_ref().map_or(0, Hint::width);
    let fits = |hint: &Hint| {
        let with = used + hint.width() + hints::GAP;
        (with <= cells).then(|| used = with).is_some()
    };
    let mut hints: Vec<Hint> = actions(state).into_iter().filter_map(|action| hint(state, action)).collect();
    name_scopes(&mut hints);
    hints.into_iter().filter(fits).chain(everything).collect()
}

/// Says which scope lacks where one is met first: more would take the room of what can be done.
fn name_scopes(hints: &mut [Hint]) {
    let mut named = Vec::new();
    for hint in hints {
        if let Some(scope) = hint.lacks.clone().filter(|scope| !named.contains(scope)) {
            hint.label = format!("{}: needs {scope}", hint.label).into();
            named.push(scope);
        }
    }
}

/// Of a sequence only the first key, with a word for the group: what follows shows by itself.
fn hint(state: &State, action: Action) -> Option<Hint> {
    let keys = state.keymap.key_of(state.context(), action)?;
    let (key, label) = match keys.split_once(' ') {
        Some((first, _)) => (first.to_owned(), group(action)),
        None => (keys, word(state, action)),
    };
    let pill = match key.strip_prefix("ctrl-") {
        Some(letter) => format!("^{}", letter.to_uppercase()),
        None if key == "space" && !state.panes.plain => symbols::SPACE.to_owned(),
        None => key.clone(),
    };
    let lacks = state.current.denied_actions.for_action(action).map(str::to_owned);
    Some(Hint { key, pill, label: label.into(), lacks })
}

fn word(state: &State, action: Action) -> &'static str {
    match (action, state.view) {
        (Action::Open, View::Tasks) => match state.current.tasks.selected() {
            Some(TaskRow::Older(older)) if older.is_unfolded => "fold",
            Some(TaskRow::Older(_)) => "unfold",
            _ => "details",
        },
        (Action::Back, View::Files) => way_back(state),
        (Action::Open, View::Limits) => "open",
        (Action::NextPane, View::Files) if state.panes.local != LocalPane::Closed => "other side",
        (Action::Compare, _) if state.current.comparing.is_some() => "compare again",
        (Action::ToggleLocal, _) if state.panes.local != LocalPane::Closed => "close",
        (Action::PauseTask, _) if is_held(state) => "resume",
        (Action::ToggleGrid, _) if state.shows_grid() => "list",
        (Action::PauseQueue, _) if state.current.tasks.totals().draining => "end draining",
        _ => action.hint(),
    }
}

/// What Esc clears or leaves.
fn way_back(state: &State) -> &'static str {
    let listing = &state.current.listing;
    if let Some(comparing) = state.current.comparing.as_ref().filter(|_| state.choosing.is_none()) {
        return if comparing.marks() > 0 { "unmark" } else { "back" };
    }
    if state.is_on_local() {
        let list = &state.local_side;
        return match () {
            () if list.filter.is_some() => "clear filter",
            () if list.has_range() => "end range",
            () if list.has_marks() => "unmark",
            () if state.panes.zoomed => "leave zoom",
            () => "back",
        };
    }
    match () {
        () if listing.filter.is_some() => "clear filter",
        () if listing.range.is_some() => "end range",
        () if !listing.marks.is_empty() => "unmark",
        () if state.current.cut.is_some() => "forget cut",
        () if state.panes.zoomed => "leave zoom",
        () if state.focus == Pane::List && listing.of.query().is_some() => "leave search",
        () => "back",
    }
}

fn is_held(state: &State) -> bool {
    let batch = state.current.tasks.selected_batch();
    batch.is_some_and(|batch| matches!(batch.state, BatchState::Held(_)))
}

fn group(action: Action) -> &'static str {
    match action {
        Action::LinkAuto => "link",
        Action::LinkPath | Action::CopyTable => "copy",
        Action::SortName | Action::SortUsage => "sort",
        Action::GoRoot | Action::GoFolder => "go",
        other => other.hint(),
    }
}

/// What applies, the most wanted first: what does not fit is left out from the end.
fn actions(state: &State) -> Vec<Action> {
    // Read aloud whenever they change.
    if state.panes.plain {
        return vec![Action::Help, Action::Back, Action::Quit];
    }
    match state.view {
        View::Files if state.choosing.is_some() => {
            let mut actions = vec![Action::Help, Action::Choose, Action::Mark, Action::Back, Action::Open];
            actions.extend([Action::Leave, Action::Filter, Action::ToggleHidden, Action::SortName, Action::Refresh]);
            actions
        }
        View::Files if state.current.comparing.is_some() => compared(state),
        View::Files if state.context() == Context::Local => local(state),
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
                Action::Quit,
            ]
        }
    }
}

fn limits(state: &State) -> Vec<Action> {
    let mut actions = vec![Action::Help];
    match &state.current.limits.inside {
        None => actions.extend([Action::Open, Action::SortUsage]),
        Some(inside) if inside.topic == Topic::Report(Report::Sources) => actions.extend([Action::Open, Action::Back]),
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
        Action::Quit,
    ]);
    actions
}

fn tasks(state: &State) -> Vec<Action> {
    let (tasks, totals) = (&state.current.tasks, state.current.tasks.totals());
    let mut actions = vec![Action::Help];
    match tasks.selected() {
        Some(TaskRow::Batch(batch)) => {
            actions.push(Action::Open);
            if batch.can_unfold() {
                actions.push(if batch.unfolded { Action::Fold } else { Action::Unfold });
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
    actions.extend([Action::ViewFiles, Action::ViewLimits, Action::ViewActivity, Action::Quit]);
    actions
}

fn compared(state: &State) -> Vec<Action> {
    let is_read = state.current.comparing.as_ref().is_some_and(|comparing| comparing.stage == ComparingStage::Read);
    if !is_read {
        return vec![Action::Help, Action::Back, Action::Compare, Action::Quit];
    }
    let mut actions = vec![Action::Help];
    if !state.current.account.read_only {
        actions.extend([Action::Upload, Action::MakeThereLikeHere]);
    }
    actions.extend([
        Action::Save,
        Action::MakeHereLikeThere,
        Action::Back,
        Action::Mark,
        Action::ToggleSame,
        Action::Compare,
        Action::ToggleHidden,
        Action::Quit,
    ]);
    actions
}

fn local(state: &State) -> Vec<Action> {
    let list = &state.local_side;
    let mut actions = vec![Action::Help];
    if list.filter.is_some() || list.has_range() || list.has_marks() || state.panes.zoomed {
        actions.push(Action::Back);
    }
    if !state.current.account.read_only && !list.chosen().is_empty() {
        actions.push(Action::Upload);
    }
    actions.extend([Action::NextPane, Action::ToggleLocal]);
    if list.current().is_some() {
        actions.extend([Action::Mark, Action::Open]);
    }
    actions.extend([
        Action::Filter,
        Action::ToggleHidden,
        Action::Leave,
        Action::SortName,
        Action::Refresh,
        Action::Quit,
    ]);
    actions
}

fn files(state: &State) -> Vec<Action> {
    let listing = &state.current.listing;
    let can_write = !state.current.account.read_only;
    let is_search = listing.of.query().is_some() && state.focus != Pane::Tree;
    let mut actions = vec![Action::Help];
    if state.panes.local != LocalPane::Closed {
        actions.push(Action::NextPane);
    }
    if listing.filter.is_some() || listing.range.is_some() || !listing.marks.is_empty() || state.panes.zoomed {
        actions.push(Action::Back);
    }
    if state.current.cut.is_some() && can_write {
        actions.push(Action::Paste);
    }
    let row = listing.current().filter(|_| state.focus != Pane::Tree);
    let marks = &listing.marks;
    let has_files = if marks.is_empty() { row.is_some_and(Row::is_file) } else { marks.len() > marks.folders() };
    if state.shows_grid() {
        actions.push(Action::ToggleGrid);
    }
    // What rows are marked for comes first.
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
    actions.extend([
        Action::ToggleTasks,
        Action::ViewLimits,
        Action::NextPane,
        Action::ToggleTree,
        Action::ToggleLocal,
    ]);
    if !is_search {
        actions.push(Action::Compare);
    }
    if state.picture_support != PictureSupport::None {
        actions.push(Action::ToggleGrid);
    }
    actions.push(Action::SortName);
    // The same first key leads there.
    if !is_search {
        actions.push(Action::GoRoot);
    }
    actions.extend([Action::Refresh, Action::Quit]);
    let mut seen = HashSet::new();
    actions.retain(|action| seen.insert(*action));
    actions
}
