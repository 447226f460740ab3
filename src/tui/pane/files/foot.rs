//! The texts in the border of the list's box: the path or the search, the order, the age, the
//! position and counts.

use ratatui::text::{Line, Span};

use crate::api::text::visible;
use crate::engine::message::{Collection, SortKey};
use crate::tui::pane::reading;
use crate::tui::state::{ListStage, State};
use crate::tui::style::symbols::{BETWEEN, CRUMB, DOWN, UP};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{truncate_start_at, width};

/// In seconds. An older list shows its age.
const OLD_FROM: i64 = 60;

pub(crate) fn between_crumbs() -> String {
    format!(" {CRUMB} ")
}

/// `marketing › q3-launch`, or the search; preceded by the account's name if the local list is
/// open.
pub(crate) fn title(state: &State, cells: usize) -> String {
    let title = place_title(&state.files.listing.of);
    if !state.mode.has_local_list() {
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
    let order = match (state.panes.plain, listing.list.sort.descending) {
        (true, is_descending) if listing.list.sort.key == SortKey::Content => {
            let first = if is_descending { "most" } else { "least" };
            format!("{first} freed first")
        }
        (true, true) => format!("by {order}, descending"),
        (true, false) => format!("by {order}"),
        (false, true) => format!("{order} {DOWN}"),
        (false, false) => format!("{order} {UP}"),
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

/// `3 of 142 · 2 marked 1.7 MB`: only what was counted, `3 of 100+` while pages are missing.
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
    let mut spans = vec![Span::styled(place(state), theme.dim)];
    let marks = &listing.marks;
    if !marks.is_empty() {
        let bytes = if marks.bytes() > 0 {
            format!(" {}", figures::size(marks.bytes()))
        } else {
            String::new()
        };
        spans.push(Span::styled(format!(" {BETWEEN} "), theme.dim));
        spans.push(Span::styled(
            format!("{} marked{bytes}", figures::number(marks.len())),
            theme.marked,
        ));
    }
    Line::from(spans)
}

fn place(state: &State) -> String {
    let listing = &state.files.listing;
    let more = if listing.is_whole() { "" } else { "+" };
    let (all, seen) = (figures::number(listing.len()), listing.visible().len());
    let at = figures::number((listing.list.cursor().at() + 1).min(seen));
    if state.panes.plain {
        let of = if listing.list.filter.is_some() {
            format!("{} of ", figures::number(seen))
        } else {
            String::new()
        };
        let items = if listing.len() == 1 && listing.is_whole() {
            "item"
        } else {
            "items"
        };
        return format!("{of}{all}{more} {items}");
    }
    match (&listing.list.filter, seen) {
        (Some(_), 0) => format!("none of {all}{more}"),
        (Some(_), seen) => format!(
            "{at} of {} {BETWEEN} {all}{more} in all",
            figures::number(seen)
        ),
        (None, 0) if listing.of.query().is_some() => {
            format!("none{}", if more.is_empty() { "" } else { " so far" })
        }
        (None, 0) => "empty".to_owned(),
        (None, _) => format!("{at} of {all}{more}"),
    }
}
