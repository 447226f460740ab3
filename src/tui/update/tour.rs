//! The tour of the screen: six steps over the files view, each beside a part of the screen.

use ratatui::layout::{Position, Rect};

use super::keys;
use crate::tui::areas::areas;
use crate::tui::dialog::{Dialog, TourStep};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::hit_target::HitTarget;
use crate::tui::state::{State, View};
use crate::tui::view::hit_target::target;

/// Moves the steps to the places of their parts.
pub(super) fn follow(state: &mut State) {
    if keys::is_too_small(state) {
        return;
    }
    let mut dialogs = std::mem::take(&mut state.dialogs);
    for dialog in &mut dialogs {
        if let Dialog::Tour(tour) = dialog {
            tour.set_steps(steps(state));
        }
    }
    state.dialogs = dialogs;
}

fn steps(state: &State) -> Vec<TourStep> {
    let key = |action| {
        state
            .keymap
            .key_of(Context::List, action)
            .unwrap_or_else(|| format!("({action})"))
    };
    let areas = areas(state.size, state).unwrap_or_default();
    // In plain mode a dialog has the screen to itself.
    let part = |area: Option<Rect>| area.filter(|_| !state.panes.plain);
    let step = |title, area, text| TourStep {
        title,
        text,
        part: part(area),
        at: None,
    };
    let details = match areas.details {
        Some(_) => format!(
            "What is in the file or folder under the cursor, and its facts. {} goes from pane to pane, {} gives one the whole screen.",
            key(Action::NextPane),
            key(Action::Zoom)
        ),
        None => format!(
            "{} shows and hides the details: what is in the file or folder under the cursor, and its facts.",
            key(Action::ToggleDetails)
        ),
    };
    let header = step(
        "The header",
        Some(areas.header),
        format!(
            "The account, and four views: {}\u{a0}shows files, {}\u{a0}tasks, {}\u{a0}limits, {}\u{a0}the activity log. {}\u{a0}switches accounts.",
            key(Action::ViewFiles),
            key(Action::ViewTasks),
            key(Action::ViewLimits),
            key(Action::ViewActivity),
            key(Action::Accounts)
        ),
    );
    let tab = extent(state, areas.header, HitTarget::Tab(View::Files));
    vec![
        TourStep {
            at: tab.map(|tab| tab.x + tab.width / 2),
            ..header
        },
        step(
            "The list",
            areas.list,
            format!(
                "Folders and files. {}\u{a0}opens, {}\u{a0}goes up, {}\u{a0}marks, {}\u{a0}filters this list, {}\u{a0}finds in the whole account. {}\u{a0}shows pictures as a gallery, {}\u{a0}this machine's files beside the list, and {}\u{a0}compares the two folders.",
                key(Action::Open),
                key(Action::Leave),
                key(Action::Mark),
                key(Action::Filter),
                key(Action::Find),
                key(Action::ToggleGrid),
                key(Action::ToggleLocal),
                key(Action::Compare)
            ),
        ),
        step("The details", areas.details.or(areas.list), details),
        step(
            "The tasks",
            Some(areas.strip.map_or(areas.status, |strip| strip.tasks)),
            format!(
                "Uploads, downloads and changes run in the background. Running tasks appear here; {} lists all of them.",
                key(Action::ToggleTasks)
            ),
        ),
        step(
            "The palette",
            hint(state, areas.hints, Action::Palette),
            format!(
                "{} finds every action, folder and account by a word, and the files here.",
                key(Action::Palette)
            ),
        ),
        step(
            "The help",
            hint(state, areas.hints, Action::Help),
            format!(
                "{} shows the most used keys of the pane that you are in, and all keys. The palette has this tour, too.",
                key(Action::Help)
            ),
        ),
    ]
}

/// The place of an action's key in the last line; the whole line if the key is not shown there.
fn hint(state: &State, hints: Rect, action: Action) -> Option<Rect> {
    let key = state.keymap.key_of(state.context(), action)?.parse().ok()?;
    Some(extent(state, hints, HitTarget::Key(key)).unwrap_or(hints))
}

/// The place of a click target in a line.
fn extent(state: &State, line: Rect, of: HitTarget) -> Option<Rect> {
    let is_there = |x: &u16| target(state, Position { x: *x, y: line.y }) == Some(of);
    let first = (line.left()..line.right()).find(is_there)?;
    let last = (line.left()..line.right()).rfind(is_there)?;
    Some(Rect {
        x: first,
        width: last + 1 - first,
        ..line
    })
}
