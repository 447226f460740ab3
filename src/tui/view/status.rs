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
use crate::tui::state::{MessageLevel, State, View};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{truncate, truncate_middle_at, width};

const WIDEST_NAME: usize = 20;

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
    // The activity view shows these messages itself.
    let is_logged = |level| state.view == View::Activity && level != MessageLevel::Hint;
    let message = state
        .status
        .message()
        .filter(|message| !is_logged(message.level));
    let is_fresh = message.is_some_and(|message| message.until > state.now);
    // The tasks view shows them already.
    let wants_tasks = !has_strip
        && !state.panes.plain
        && state.view != View::Tasks
        && tasks::draw::is_worth_a_line(state);
    if wants_tasks && !is_fresh {
        tasks::draw::draw_line(frame, area, state, theme);
        return;
    }
    let Some(message) = message else { return };
    let (sign, style) = activity::draw::sign(message.level, theme);
    let text_style = if is_fresh { theme.text } else { theme.dim };
    let room = usize::from(area.width).saturating_sub(2);
    let mut spans = vec![Span::styled(format!("{sign} "), style)];
    let whole = message.whole();
    // The reason of a failure and the name in an address come last.
    let cut = |text, room| truncate_middle_at(text, room, room / 3).into_owned();
    if has_dialog {
        spans.push(Span::styled(cut(&message.text, room), text_style));
    } else if width(&whole) <= room {
        spans.push(Span::styled(whole, text_style));
    } else {
        // The activity log has the whole text. A short next step stays visible.
        let more = format!("  {} shows all", key(state, Action::ViewActivity));
        let room = room.saturating_sub(width(&more));
        let words = if !message.next.is_empty() && width(&message.next) < room / 2 {
            let text = cut(&message.text, room - width(&message.next) - 1);
            format!("{text} {}", message.next)
        } else if width(&message.text) < room {
            truncate(&whole, room).into_owned()
        } else {
            cut(&message.text, room)
        };
        spans.push(Span::styled(words, text_style));
        spans.push(Span::styled(more, theme.dim));
    }
    frame.render_widget(Line::from(spans), area);
}
