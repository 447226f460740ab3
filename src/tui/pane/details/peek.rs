//! The details in three lines, for narrow screens.

use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::api::model::{File, Folder};
use crate::api::text::visible;
use crate::config::Dates;
use crate::engine::message::Entry;
use crate::tui::keymap::{Action, Context};
use crate::tui::state::{Row, State};
use crate::tui::style::access;
use crate::tui::style::symbols::TIMES;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{truncate_middle, width};
use crate::tui::wording::access as words;

pub(crate) fn lines<'a>(row: &Row, cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    match &state.files.listing.entry(row) {
        Entry::File(file) => of_file(file, cells, state, theme),
        Entry::Folder(folder) => of_folder(folder, row, cells, state, theme),
    }
}

fn of_file<'a>(file: &File, cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let level = file.access.as_ref();
    let mut facts = vec![(
        level.map_or("", words::meaning).to_owned(),
        access::style(level, theme),
    )];
    facts.extend(
        file.size
            .map(|size| (format!("{} bytes", figures::grouped(size)), theme.text)),
    );
    let pixels = file.width.zip(file.height);
    facts.extend(pixels.map(|(width, height)| (format!("{width} {TIMES} {height}"), theme.text)));
    let second = match (
        level.is_some_and(|level| !level.is_public()),
        file.url.as_deref(),
    ) {
        (true, _) => {
            let link = state
                .keymap
                .key_of(Context::List, Action::LinkAuto)
                .unwrap_or_default();
            Line::styled(
                format!("{link} copies a signed link; private files do not open without one"),
                theme.dim,
            )
        }
        (false, Some(url)) => {
            let read = percent_decode_str(url).decode_utf8().unwrap_or(url.into());
            let url = visible(&read);
            let shown = url
                .trim_start_matches("https://")
                .trim_start_matches("http://");
            Line::from(Span::styled(
                truncate_middle(shown, cells).into_owned(),
                theme.link,
            ))
        }
        (false, None) => Line::styled("no link", theme.dim),
    };
    let mut dates = Vec::new();
    dates.extend(
        file.updated_at
            .map(|at| (format!("updated {}", updated(at, state)), theme.dim)),
    );
    dates.extend(file.created_at.map(|at| {
        (
            format!("created {}", figures::date(at, &state.zone)),
            theme.dim,
        )
    }));
    dates.push(match file.expires_at {
        Some(at) if state.dates == Dates::Absolute => (
            format!("expires {}", figures::date(at, &state.zone)),
            theme.warn,
        ),
        Some(at) => (
            format!("expires in {}", figures::until(at, state.service_now())),
            theme.warn,
        ),
        None => ("expires never".to_owned(), theme.dim),
    });
    dates.push((format!("id {}", visible(file.id.as_str())), theme.dim));
    vec![fitting(&facts, cells), second, fitting(&dates, cells)]
}

fn updated(at: Timestamp, state: &State) -> String {
    match state.dates {
        Dates::Relative => figures::ago(at, state.service_now().timestamp()),
        Dates::Absolute => figures::date(at, &state.zone),
    }
}

fn of_folder<'a>(
    folder: &Folder,
    row: &Row,
    cells: usize,
    state: &State,
    theme: &Theme,
) -> Vec<Line<'a>> {
    let path = row.path(state.files.listing.of.base());
    let mut dates = Vec::new();
    dates.extend(
        folder
            .updated_at
            .map(|at| (format!("updated {}", updated(at, state)), theme.dim)),
    );
    dates.extend(folder.created_at.map(|at| {
        (
            format!("created {}", figures::date(at, &state.zone)),
            theme.dim,
        )
    }));
    dates.push((format!("id {}", visible(folder.id.as_str())), theme.dim));
    vec![
        Line::styled(
            truncate_middle(&format!("folder {}", visible(&path)), cells).into_owned(),
            theme.folder,
        ),
        fitting(&dates, cells),
    ]
}

/// The parts that fit completely, in order.
fn fitting<'a>(parts: &[(String, Style)], cells: usize) -> Line<'a> {
    let (mut spans, mut used) = (Vec::new(), 0);
    for (part, style) in parts.iter().filter(|(part, _)| !part.is_empty()) {
        let gap = if used == 0 { "" } else { "  " };
        if used + gap.len() + width(part) <= cells {
            used += gap.len() + width(part);
            spans.extend([Span::raw(gap), Span::styled(part.clone(), *style)]);
        }
    }
    Line::from(spans)
}
