//! The texts in the border of the list's box: the path or the search, the order, the age, the
//! position and counts.

use ratatui::text::{Line, Span};

use crate::api::text::visible;
use crate::engine::message::{Collection, Sort, SortKey};
use crate::tui::pane::list_foot::{self, ListPlace};
use crate::tui::pane::reading;
use crate::tui::state::{ListStage, State};
use crate::tui::style::symbols::{BETWEEN, CRUMB};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{truncate_start_at, width};

/// In seconds. An older list shows its age.
const OLD_FROM: i64 = 60;

pub(crate) fn between_crumbs() -> String {
    format!(" {CRUMB} ")
}

/// `marketing › q3-launch`, or the search; preceded by the account's name if another list is
/// beside it.
pub(crate) fn title(state: &State, cells: usize) -> String {
    let title = place_title(&state.files.listing.of);
    if !state.mode.has_two_lists() && !state.is_in_background() {
        return title;
    }
    let name = visible(state.session.account.name());
    format!(
        "{name}  {}",
        truncate_start_at(
            &title,
            &between_crumbs(),
            cells.saturating_sub(width(&name) + 2)
        )
    )
}

fn place_title(of: &Collection) -> String {
    match of {
        Collection::Folder(place) => crumbs(&place.path),
        Collection::Found(query) => format!("Found: {}", visible(query.title())),
    }
}

pub(crate) fn crumbs(path: &str) -> String {
    let path = visible(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        "/".to_owned()
    } else {
        parts.join(&between_crumbs())
    }
}

/// `name ↑`, and the age of the list, or the reason its read waits.
pub(crate) fn order_and_age(state: &State) -> String {
    let listing = &state.files.listing;
    let order = match listing.list.sort.key {
        SortKey::Name => "name",
        SortKey::Size => "size",
        SortKey::Kind => "type",
        SortKey::Created => "created",
        SortKey::Updated => "updated",
        SortKey::Expires => "expiry",
        SortKey::Access => "access",
        SortKey::Content => "freed",
    };
    let Sort { key, descending } = listing.list.sort;
    let order = if state.panes.plain && key == SortKey::Content {
        let first = if descending { "most" } else { "least" };
        format!("{first} freed first")
    } else {
        list_foot::order(order, descending, state.panes.plain)
    };
    let order = if state.shows_grid() {
        format!("{order} {BETWEEN} grid")
    } else {
        order
    };
    let op = listing.pending.map(|pending| pending.op);
    let age = listing
        .loaded_at
        .map(|at| (at, state.now.as_second().saturating_sub(at.as_second())));
    match (reading::wait(op, state), age) {
        (Some(wait), _) => format!("{wait} {BETWEEN} {order}"),
        (None, Some(_)) if op.is_some() => format!("reading … {BETWEEN} {order}"),
        (None, Some((at, seconds))) if seconds >= OLD_FROM => {
            format!("{order} {BETWEEN} read {}", figures::ago(at, state.now))
        }
        _ => order,
    }
}

/// `3 of 142 · 2 marked 1.7 MB`
pub(crate) fn counts<'a>(state: &State, theme: &Theme) -> Line<'a> {
    let listing = &state.files.listing;
    let is_known = match listing.stage {
        ListStage::Loading | ListStage::Unread => false,
        ListStage::Failed(_) => listing.loaded_at.is_some(),
        _ => true,
    };
    if !is_known {
        return Line::default();
    }
    let empty = match (listing.of.query(), listing.is_whole()) {
        (None, _) => "empty",
        (Some(_), true) => "none",
        (Some(_), false) => "none so far",
    };
    let place = ListPlace {
        at: listing.list.cursor().at(),
        shown: listing.visible().len(),
        all: listing.len(),
        has_more: !listing.is_whole(),
        is_filtered: listing.list.filter.is_some(),
        empty,
    };
    let mut spans = vec![Span::styled(place.words(state.panes.plain), theme.dim)];
    let marks = &listing.marks;
    if !marks.is_empty() {
        spans.extend(list_foot::marks(marks.len(), marks.bytes(), theme));
    }
    Line::from(spans)
}
