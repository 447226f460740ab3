//! The last line: keys that are useful in the current context, from the key map.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::which_key;
use crate::api::text::visible;
use crate::engine::batch::BatchState;
use crate::tui::keymap::{Action, Context, Key};
use crate::tui::pane::actions;
use crate::tui::pane::files;
use crate::tui::pane::frame;
use crate::tui::state::{ListFilter, Pane, State, TaskRow, View, WIDE_FROM};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::hints;
use crate::tui::wording::action as words;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let inner = frame::padded(area);
    let hints = shown(state, usize::from(inner.width));
    let pairs = || {
        hints
            .iter()
            .map(|hint| (hint.pill.as_str(), hint.label.as_ref()))
    };
    frame.render_widget(
        hints::line(pairs(), usize::from(inner.width), theme.key, theme.dim),
        inner,
    );
    let grayed = Style::reset().patch(theme.backdrop).patch(theme.dim);
    for ((place, ..), _) in hints::places(pairs(), usize::from(inner.width))
        .zip(&hints)
        .filter(|(_, hint)| hint.lacks.is_some())
    {
        let [start, end] =
            [place.start, place.end].map(|cell| u16::try_from(cell).unwrap_or(u16::MAX));
        let area = Rect {
            x: inner.x.saturating_add(start),
            width: end - start,
            ..inner
        };
        frame
            .buffer_mut()
            .set_style(area.intersection(inner), grayed);
    }
}

pub(super) fn draw_of_dialog(
    frame: &mut Frame<'_>,
    area: Rect,
    keys: &[(&str, &str)],
    theme: &Theme,
) {
    let inner = frame::padded(area);
    let cells = usize::from(inner.width);
    frame.render_widget(
        hints::line(keys.iter().copied(), cells, theme.key, theme.dim),
        inner,
    );
}

pub(super) fn key_of_dialog_at(area: Rect, x: u16, keys: &[(&str, &str)]) -> Option<Key> {
    let inner = frame::padded(area);
    let cell = usize::from(x.checked_sub(inner.x)?);
    hints::at(keys.iter().copied(), usize::from(inner.width), cell)?
        .parse()
        .ok()
}

pub(super) fn key_at(area: Rect, x: u16, state: &State) -> Option<Key> {
    let inner = frame::padded(area);
    let hints = shown(state, usize::from(inner.width));
    let pairs = hints
        .iter()
        .map(|hint| (hint.pill.as_str(), hint.label.as_ref()));
    let cell = usize::from(x.checked_sub(inner.x)?);
    let pill = hints::at(pairs, usize::from(inner.width), cell)?;
    hints
        .iter()
        .find(|hint| hint.pill == pill)?
        .key
        .parse()
        .ok()
}

struct Hint {
    key: String,
    /// The key as displayed: `^P`.
    pill: String,
    label: Cow<'static, str>,
    /// The scope that the token lacks for the action.
    lacks: Option<String>,
}

impl Hint {
    fn width(&self) -> usize {
        hints::width(&self.pill, &self.label)
    }
}

/// The hints that fit, always including the one that leads to all actions.
fn shown(state: &State, cells: usize) -> Vec<Hint> {
    // A menu lists its own keys, which have other meanings.
    if which_key::menu(state).is_some() {
        return vec![Hint {
            key: "esc".to_owned(),
            pill: "esc".to_owned(),
            label: "close".into(),
            lacks: None,
        }];
    }
    if state.is_typing() {
        let (filter, is_empty) = if state.is_typing_local() {
            (
                &state.local_side.list.filter,
                state.local_side.list.rows().is_empty(),
            )
        } else {
            (
                &state.files.listing.list.filter,
                state.files.listing.visible().is_empty(),
            )
        };
        let recalls = filter.as_ref().is_some_and(ListFilter::recalls);
        let rows = if recalls { "typed before" } else { "move" };
        let keys = [("enter", "apply"), ("esc", "clear filter"), ("↑↓", rows)];
        let hint = |(key, label): (&str, &'static str)| {
            let key = key.to_owned();
            Hint {
                pill: key.clone(),
                key,
                label: label.into(),
                lacks: None,
            }
        };
        // If nothing matches, there is nothing to apply or to move to.
        let has_use = |key: &str| !is_empty || recalls || key == "esc";
        return keys
            .into_iter()
            .filter(|(key, _)| has_use(key))
            .map(hint)
            .collect();
    }
    // Users look for the quit key at the end: wide screens reserve space for it.
    let [quit, everything] = [Action::Quit, Action::Palette]
        .map(|action| hint(state, action).filter(|_| !state.mode.is_choosing()));
    let (kept, last) = if state.size.width >= WIDE_FROM {
        (quit, None)
    } else {
        (None, quit)
    };
    let mut used = [&kept, &everything]
        .into_iter()
        .flatten()
        .map(|hint| hint.width() + hints::GAP)
        .sum::<usize>();
    used = used.saturating_sub(hints::GAP);
    let fits = |hint: &Hint| {
        let with = used + hint.width() + hints::GAP;
        (with <= cells).then(|| used = with).is_some()
    };
    let mut hints: Vec<Hint> = Vec::new();
    for (action, lacks) in actions::hints(state) {
        // Sequences with the same first key have one hint.
        let hint = hint(state, action).filter(|new| hints.iter().all(|hint| hint.key != new.key));
        hints.extend(hint.map(|hint| Hint { lacks, ..hint }));
    }
    name_scopes(&mut hints);
    hints
        .into_iter()
        .chain(last)
        .filter(fits)
        .chain(kept)
        .chain(everything)
        .collect()
}

/// Names a missing scope only the first time: more would take space from useful hints.
fn name_scopes(hints: &mut [Hint]) {
    let mut named = Vec::new();
    for hint in hints {
        if let Some(scope) = hint.lacks.clone().filter(|scope| !named.contains(scope)) {
            hint.label = format!("{}: needs {scope}", hint.label).into();
            named.push(scope);
        }
    }
}

/// For a key sequence, only the first key with a word for the group, because the rest is shown
/// after it is pressed.
fn hint(state: &State, action: Action) -> Option<Hint> {
    let keys = state.keymap.key_of(state.context(), action)?;
    let (key, label) = match keys.split_once(' ') {
        Some((first, _)) => (first.to_owned(), group(action).into()),
        None => (keys, word(state, action)),
    };
    let label = match action {
        Action::NextPane if state.view == View::Files && state.mode.has_two_lists() => {
            other_side(state)
        }
        Action::NextPane if state.view == View::Tasks => other_side(state),
        _ => label,
    };
    let pill = match key.strip_prefix("ctrl-") {
        Some(letter) => format!("^{}", letter.to_uppercase()),
        None if key == "space" && !state.panes.plain => symbols::SPACE.to_owned(),
        None => key.clone(),
    };
    Some(Hint {
        key,
        pill,
        label,
        lacks: None,
    })
}

/// The list without the focus: the account's or the local one.
fn other_side(state: &State) -> Cow<'static, str> {
    match state.context() {
        Context::Local => visible(state.session.account.name()).into_owned().into(),
        _ => match state.other_account() {
            Some(other) => visible(other.session.account.name()).into_owned().into(),
            None => "this machine".into(),
        },
    }
}

fn word(state: &State, action: Action) -> Cow<'static, str> {
    let word = match (action, state.view) {
        (Action::Open, View::Tasks) => match state.session.tasks.selected() {
            Some(TaskRow::Older(older)) if older.is_unfolded => "fold",
            Some(TaskRow::Older(_)) => "unfold",
            _ if state.panes.plain => action.hint(),
            _ => "details",
        },
        (Action::Open, _) if state.panes.plain => action.hint(),
        (Action::Open, View::Files) if files::hints::opens_preview(state) => "preview",
        (Action::Back, View::Files) => way_back(state),
        (Action::Open, View::Limits) => "open",
        (Action::Choose, _) if state.local_side.choosing_enters() => Action::Open.hint(),
        (Action::Mark, _) if state.mode.is_choosing() && state.local_side.choosing_enters() => {
            Action::Choose.hint()
        }
        (Action::Compare, _) if state.mode.comparing().is_some() => "compare again",
        (Action::ToggleLocal, _) if state.mode.has_local_list() => "hide this machine",
        (Action::ToggleLocal, _) if state.mode.has_two_lists() => "one list",
        (Action::PauseTask, _) if is_held(state) => "resume",
        (Action::ToggleSame, _)
            if state
                .mode
                .comparing()
                .is_some_and(|comparing| comparing.hides_same) =>
        {
            "show same"
        }
        (Action::ToggleGrid, _) if state.shows_grid() => "list",
        (Action::PauseQueue, _) if state.session.tasks.totals().draining => "end draining",
        _ => return words::hint(state, action),
    };
    word.into()
}

fn way_back(state: &State) -> &'static str {
    let listing = &state.files.listing;
    if let Some(comparing) = state.mode.comparing() {
        return match () {
            () if comparing.list.has_range() => "end range",
            () if !comparing.list.marks().is_empty() => "unmark",
            () => "back",
        };
    }
    if state.panes.zoomed && state.focus == Pane::Details {
        return "leave zoom";
    }
    if state.is_on_local() {
        let side = &state.local_side;
        return match () {
            () if side.list.filter.is_some() => "clear filter",
            () if side.list.has_range() => "end range",
            () if state.mode.is_choosing() => "back",
            () if side.has_marks() => "unmark",
            () if state.panes.zoomed => "leave zoom",
            () => "back",
        };
    }
    match () {
        () if listing.list.filter.is_some() => "clear filter",
        () if listing.list.has_range() => "end range",
        () if !listing.marks.is_empty() => "unmark",
        () if state.session.cut.is_some() => "forget cut",
        () if state.panes.zoomed => "leave zoom",
        () if state.focus == Pane::List && listing.of.query().is_some() => "leave search",
        () => "back",
    }
}

fn is_held(state: &State) -> bool {
    let batch = state.session.tasks.selected_batch();
    batch.is_some_and(|batch| matches!(batch.state, BatchState::Held(_)))
}

fn group(action: Action) -> &'static str {
    match action {
        Action::LinkAuto | Action::LinkPath | Action::CopyTable => "copy",
        Action::SortName | Action::SortUsage => "sort",
        Action::GoRoot | Action::GoFolder => "go",
        other => other.hint(),
    }
}
