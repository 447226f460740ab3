//! The line above the hints: the last result, or the progress of the tasks if no strip shows it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::pane::activity;
use crate::tui::pane::frame;
use crate::tui::pane::glyph::spinner;
use crate::tui::pane::keys::key;
use crate::tui::pane::tasks;
use crate::tui::state::{Message, MessageLevel, State, View};
use crate::tui::style::symbols::BETWEEN;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{truncate, truncate_middle_at, width};

const WIDEST_NAME: usize = 20;
/// The cells of a last part that names a key; longer ones are advice in general.
const LONGEST_END: usize = 48;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    has_strip: bool,
    state: &State,
    theme: &Theme,
) {
    let area = frame::padded(area);
    // While a dialog is open, only its keys work.
    let has_dialog = !state.dialogs.is_empty();
    if let Some(switch) = &state.switch {
        let name = visible(switch.source.title());
        let (name, back) = (truncate(&name, WIDEST_NAME), key(state, Action::Back));
        let cancels = if state.is_anew() || has_dialog {
            String::new()
        } else {
            format!("  {back} cancels")
        };
        let words = format!("{} connecting to {name}{cancels}", spinner(state.now));
        frame.render_widget(Line::styled(words, theme.warn), area);
        return;
    }
    if shows_tasks(has_strip, state) {
        tasks::draw::draw_line(frame, area, state, theme);
        return;
    }
    let Some(message) = message(state) else {
        return;
    };
    let is_fresh = message.until > state.now;
    let (sign, style) = activity::draw::sign(message.level, theme);
    let text_style = if is_fresh { theme.text } else { theme.dim };
    let room = usize::from(area.width).saturating_sub(2);
    let mut spans = vec![Span::styled(format!("{sign} "), style)];
    let whole = message.whole();
    if has_dialog {
        spans.push(Span::styled(fitted(&message.text, room), text_style));
    } else if width(&whole) <= room {
        spans.push(Span::styled(whole, text_style));
    } else {
        // The activity log has the whole text.
        let more = format!("  {} shows all", key(state, Action::ViewActivity));
        let room = room.saturating_sub(width(&more));
        spans.push(Span::styled(fitted(&whole, room), text_style));
        spans.push(Span::styled(more, theme.dim));
    }
    frame.render_widget(Line::from(spans), area);
}

/// The last message, unless the activity view shows it itself.
fn message(state: &State) -> Option<&Message> {
    let is_logged = |level| state.view == View::Activity && level != MessageLevel::Hint;
    let message = state.status.message();
    message.filter(|message| !is_logged(message.level))
}

/// Returns `true` if the line has the progress of the tasks, which the tasks view shows already.
pub(super) fn shows_tasks(has_strip: bool, state: &State) -> bool {
    !has_strip
        && !state.panes.plain
        && state.view != View::Tasks
        && state.switch.is_none()
        && tasks::draw::is_worth_a_line(state)
        && message(state).is_none_or(|message| message.until <= state.now)
}

/// Cuts a message to this many cells. Its last part, which names the next key or the reason, stays
/// whole if it leaves the object at the start enough room.
fn fitted(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut parts = text.rmatch_indices(' ').map(|(at, _)| text.split_at(at));
    let last = parts
        .find(|(start, end)| start.ends_with([':', '.']) || end.trim_start().starts_with(BETWEEN));
    match last {
        Some((start, end)) if width(end) <= LONGEST_END.min(cells - cells / 4) => {
            fitted(start, cells - width(end)) + end
        }
        // Advice in general gives way to the reason before it.
        Some((start, _)) if width(start) > cells => fitted(start, cells),
        Some((_, end)) if end.trim_start().contains(' ') => truncate(text, cells).into_owned(),
        // An address has the name at its end.
        _ => truncate_middle_at(text, cells, cells / 3).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::reason(
        "Import of none.png: The address gave no answer.",
        41,
        "Import o…png: The address gave no answer."
    )]
    #[case::object_before_a_long_reason(
        "Import of 2 addresses: 1 of 2 failed: Got status 404 instead of a file. 2, then r retries it.",
        63,
        "Import of 2 addresses: 1 of 2 failed: Go… 2, then r retries it."
    )]
    #[case::reason_before_long_advice(
        "/ could not be read: Cannot connect to 127.0.0.1:80: Connection refused. Check the network and the address of the account.",
        60,
        "/ could not be read: Cannot connect to … Connection refused."
    )]
    #[case::address(
        "Address copied: https://acme.example/hubfs/a/logo.png",
        30,
        "Address copied: htt…a/logo.png"
    )]
    #[case::undo(
        "Renamed a-very-long-name.png · U undoes it",
        30,
        "Renamed a-…e.png · U undoes it"
    )]
    fn a_message_is_cut_between_its_object_and_its_last_part(
        #[case] text: &str,
        #[case] cells: usize,
        #[case] expected: &str,
    ) {
        assert_eq!(fitted(text, cells), expected);
    }

    proptest! {
        #[test]
        fn a_key_that_a_message_ends_with_is_shown_at_80_columns(
            text in "[A-Z][a-z /.:-]{0,150}",
            key in "[a-zA-Z?]|ctrl-[a-z]|g [a-z]",
            does in "[a-z ,]{1,30}",
        ) {
            let next = format!(" {key} {does}.");
            let shown = fitted(&format!("{text}:{next}"), 63);
            prop_assert!(width(&shown) <= 63);
            prop_assert!(shown.ends_with(&next), "{shown}");
        }
    }
}
