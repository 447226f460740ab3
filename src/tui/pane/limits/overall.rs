//! All custom properties together: a figure, a gauge with the levels below it, the forecast and the
//! age.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::columns::style_of;
use crate::api::text::visible;
use crate::engine::limits::{EntrySubject, Report};
use crate::tui::pane::frame;
use crate::tui::state::State;
use crate::tui::state::limits::{Forecast, forecast};
use crate::tui::style::symbols::BETWEEN;
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::truncate;
use crate::tui::widget::{figures, gauge};

/// Narrower boxes have a shorter title.
const FULL_TITLE_FROM: u16 = 72;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let title = if area.width < FULL_TITLE_FROM {
        "Custom properties"
    } else {
        "Custom properties, all types"
    };
    let note = age(state, theme, usize::from(area.width) / 2);
    let boxed = frame::PaneBox {
        title,
        note,
        ..Default::default()
    };
    let body = frame::padded(boxed.draw(frame, area, theme));
    let book = &state.session.limits.book;
    let all = book
        .entries(&Report::CustomProperties)
        .iter()
        .find(|entry| entry.subject == EntrySubject::All);
    let Some((entry, share)) = all.and_then(|entry| Some((entry, entry.share()?))) else {
        return;
    };
    let style = theme.level(share.percentage);
    let percent = format!(
        "{} {}",
        gauge::sign(share.percentage),
        figures::percent(share.percentage)
    );
    let line = Line::from(vec![
        Span::styled(percent.trim_start().to_owned(), style),
        Span::styled(
            format!(
                "  {} of {} used {BETWEEN} {} left",
                figures::grouped(share.usage),
                figures::grouped(share.limit),
                figures::grouped(share.left())
            ),
            theme.text,
        ),
    ]);
    let row = frame::row(body, 0);
    let used = line.width();
    frame.render_widget(line, row);
    let forecast = forecast(
        share,
        book.past(&Report::CustomProperties, entry),
        state.now,
    );
    if let Forecast::Days(days) = forecast {
        let words = format!("full in about {days}d");
        if used + 2 + words.len() <= usize::from(row.width) {
            // A style on the line would apply to the whole row.
            frame.render_widget(
                Line::from(Span::styled(words, style_of(forecast, theme))).right_aligned(),
                row,
            );
        }
    }
    let bar = frame::row(body, 1);
    if bar.is_empty() {
        return;
    }
    gauge::draw_with_ticks(frame.buffer_mut(), bar, share.percentage, theme);
    let below = frame::row(body, 2);
    if state.panes.plain || below.is_empty() {
        return;
    }
    for (level, label) in [(75.0, "75"), (90.0, "90")] {
        let x = below.x + gauge::tick(bar.width, level).saturating_sub(1);
        frame.buffer_mut().set_string(x, below.y, label, theme.dim);
    }
}

/// `read 3m ago · every 60 s`. A report that could not be refreshed is marked as outdated, with the
/// reason.
fn age<'a>(state: &State, theme: &Theme, room: usize) -> Line<'a> {
    let answer = state.session.limits.book.answer(&Report::CustomProperties);
    let ago = answer.loaded_at.map(|at| minutes(at, state));
    let (words, style) = match (&answer.problem, ago) {
        (Some(error), Some(ago)) => (
            format!("outdated, read {ago}: {}", visible(&error.message)),
            theme.warn,
        ),
        (None, Some(ago)) if state.session.limits.book.is_reading() => {
            (format!("reading … {BETWEEN} read {ago}"), theme.dim)
        }
        (None, Some(ago)) => {
            let every = state.limits_every.as_secs();
            (format!("read {ago} {BETWEEN} every {every} s"), theme.dim)
        }
        _ => (String::new(), theme.dim),
    };
    Line::styled(truncate(&words, room).into_owned(), style)
}

/// In minutes, because an idle screen only updates once a minute.
fn minutes(at: jiff::Timestamp, state: &State) -> String {
    const MINUTE: i64 = 60;
    if state.now.as_second() - at.as_second() < MINUTE {
        "just now".to_owned()
    } else {
        figures::ago(at, state.now)
    }
}
