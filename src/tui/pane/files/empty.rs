//! The list without rows: it is being read, it is empty, or an error occurred.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::api::text::visible;
use crate::engine::message::Stage as Part;
use crate::tui::keymap::Action;
use crate::tui::pane::keys::key;
use crate::tui::pane::{problem, reading};
use crate::tui::state::{ListStage, State};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::lower_first;
use crate::tui::wording::action as words;

/// Returns `true` if the first names are expected soon; a longer wait is explained instead.
pub(crate) fn is_first_read(state: &State) -> bool {
    let listing = &state.files.listing;
    let op = listing.pending.map(|pending| pending.op);
    listing.looked_at().is_none()
        && matches!(listing.stage, ListStage::Unread | ListStage::Loading)
        && !reading::is_slow(op, state)
}

pub(crate) fn words(state: &State, theme: &Theme) -> Vec<(String, Style)> {
    let listing = &state.files.listing;
    let path = visible(listing.of.title());
    if let Some(count) = listing.looked_at() {
        let (count, stops) = (figures::number(count), key(state, Action::Back));
        let text = format!("{count} files checked: no duplicates so far. {stops} stops.");
        return vec![(text, theme.dim)];
    }
    if let Some(error) = listing.problem() {
        let again = format!("{} retries", key(state, Action::Refresh));
        let leave = key(state, Action::Leave);
        let next = match listing.of.folder() {
            Some(place) if place.is_root() => format!("{again}."),
            Some(_) => format!("{again}, {leave} opens the parent."),
            None => format!("{again}, {leave} goes back."),
        };
        return problem::paragraphs(
            &format!("{path} could not be read."),
            error,
            &next,
            state,
            theme,
        );
    }
    let op = listing.pending.map(|pending| pending.op);
    if matches!(listing.stage, ListStage::Unread | ListStage::Loading) {
        return vec![(reading::words(listing.of.title(), op, state), theme.dim)];
    }
    if let Some(filter) = &listing.list.filter
        && !listing.is_empty()
    {
        let among = if listing.is_whole() {
            ""
        } else {
            " read so far"
        };
        let count = listing.len();
        let text = visible(filter.input.text());
        return vec![(
            format!("Nothing matches \"{text}\" among the {count} items{among}."),
            theme.text,
        )];
    }
    if let Some((stage, count)) = listing
        .next
        .as_ref()
        .map(|next| (next.stage, next.position.offset))
        && listing.of.query().is_some()
    {
        let what = if stage == Part::Files {
            "files"
        } else {
            "folders"
        };
        let text = format!(
            "Nothing yet after {} {what}; searching …",
            figures::grouped(count.into())
        );
        return vec![(text, theme.dim)];
    }
    if !listing.is_whole() {
        return vec![(reading::words(listing.of.title(), op, state), theme.dim)];
    }
    if let Some(query) = listing.of.query() {
        return vec![(
            format!(
                "No matches for {}",
                lower_first(&visible(&query.in_words()))
            ),
            theme.text,
        )];
    }
    let mut words = vec![("This folder is empty.".to_owned(), theme.text)];
    if state.session.account.read_only {
        words.push(("The account is read-only.".to_owned(), theme.dim));
    }
    words
}

pub(crate) fn keys(state: &State) -> Vec<(String, Cow<'static, str>)> {
    let listing = &state.files.listing;
    let is_read = listing.problem().is_none()
        && !matches!(listing.stage, ListStage::Unread | ListStage::Loading);
    let is_search = listing.of.query().is_some();
    let actions: &[_] = match () {
        // The keys are for the list beside it.
        () if state.is_in_background() => &[],
        () if listing.looked_at().is_some() || !is_read => &[],
        () if listing.list.filter.is_some() && !listing.is_empty() => {
            &[(Action::Back, "clear the filter")]
        }
        () if is_search && listing.next.is_some() => &[(Action::Back, "leave the search")],
        () if !listing.is_whole() => &[],
        () if is_search => &[
            (Action::Find, "change the search"),
            (Action::Back, "leave the search"),
        ],
        () if state.session.account.read_only => &[],
        () => &[
            (Action::Upload, "upload files"),
            (Action::Import, "import from an address"),
            (Action::NewFolder, "create a folder"),
        ],
    };
    actions
        .iter()
        .map(|(action, does)| {
            let does = match state.sides(*action) {
                Some(_) => words::hint(state, *action),
                None => (*does).into(),
            };
            (key(state, *action), does)
        })
        .collect()
}
