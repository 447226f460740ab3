//! The local list, next to the account's. Formats only the visible rows.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::choosing;
use crate::api::text::{visible, visible_local};
use crate::config::{Column, Dates};
use crate::engine::message::SortKey;
use crate::tui::keymap::Action;
use crate::tui::pane::files::columns::{FileColumns, ListKind, columns_of};
use crate::tui::pane::files::filter_line;
use crate::tui::pane::files::row::name_spans;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::keys::key;
use crate::tui::pane::list_foot::{self, ListPlace};
use crate::tui::pane::{frame, problem};
use crate::tui::state::{LocalRow, LocalStage, Mode, Pane, State};
use crate::tui::style::kind;
use crate::tui::style::symbols::{self, BETWEEN};
use crate::tui::style::theme::Theme;
use crate::tui::widget::text::{left, truncate_start_at, width};
use crate::tui::widget::{distinct, figures};

pub(crate) struct LocalAreas {
    pub(crate) heading: Rect,
    pub(crate) rows: Rect,
    pub(crate) shown: Range<usize>,
    filter: Option<Rect>,
    pub(crate) columns: FileColumns,
}

pub(crate) fn places(area: Rect, state: &State) -> LocalAreas {
    let side = &state.local_side;
    let inside = frame::inner(area);
    let mut rows = frame::below(inside, 1);
    let filter = side.list.filter.is_some().then(|| {
        rows.height = rows.height.saturating_sub(1);
        Rect {
            y: rows.bottom(),
            height: 1,
            ..rows
        }
    });
    let shown = state.window(side.list.cursor(), usize::from(rows.height));
    let wanted = [Column::Size, Column::Updated];
    let cells = usize::from(rows.width);
    let mut kept = columns_of(&[side.list.sort.key]);
    kept.retain(|column| wanted.contains(column));
    let columns =
        FileColumns::fit(cells, &wanted, &kept, state.dates, ListKind::Folder).filling(cells);
    LocalAreas {
        heading: frame::row(inside, 0),
        rows,
        shown,
        filter,
        columns,
    }
}

pub(crate) fn list_box(area: Rect, state: &State) -> ListBox {
    let places = places(area, state);
    ListBox {
        of: Pane::Local,
        area,
        rows: places.rows,
        shown: places.shown,
        len: state.local_side.list.rows().len(),
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let side = &state.local_side;
    let is_focused = frame::has_keys(state, Pane::Local);
    let order = order(state);
    frame::PaneBox {
        title: &title(usize::from(area.width).saturating_sub(width(&order)), state),
        note: Line::styled(order, theme.dim),
        foot: counts(state, theme),
        is_focused,
        zoom: frame::zoom(state, Pane::Local),
        ..Default::default()
    }
    .draw(frame, area, theme);
    let LocalAreas {
        heading,
        rows: body,
        shown,
        filter,
        columns,
    } = places(area, state);
    if let Some((line, filter)) = filter.zip(side.list.filter.as_ref()) {
        filter_line::draw(frame, line, filter, theme);
    }
    frame.render_widget(Line::styled(columns.heading(""), theme.dim), heading);
    let has_cursor = is_focused && !side.list.is_typing();
    if side.list.rows().is_empty() {
        frame::say(frame, body, &words(state, theme));
        if has_cursor {
            frame.set_cursor_position((body.x.saturating_add(1), body.y));
        }
        return;
    }
    let names: Vec<String> = shown
        .clone()
        .filter_map(|at| side.at(at))
        .map(name)
        .collect();
    let mut names = distinct::cut(&names, columns.name).into_iter();
    for (y, at) in (body.y..).zip(shown.clone()) {
        let (Some(row), Some(cut)) = (side.at(at), names.next()) else {
            continue;
        };
        let line_area = Rect {
            y,
            height: 1,
            ..body
        };
        let is_cursor = at == side.list.cursor().at();
        frame.render_widget(line(row, &cut, &columns, state, theme), line_area);
        if is_cursor {
            frame::select(frame, line_area, has_cursor, theme);
        }
    }
    frame::scrollbar(frame, area, shown, side.list.rows().len(), theme);
}

/// `this machine  ~/launch`, within `cells`; the start of the folder is cut if space is short.
fn title(cells: usize, state: &State) -> String {
    /// The corners, and the padding around and between the texts.
    const AROUND: usize = 12;
    let name = match &state.mode {
        Mode::Choosing(choosing) if choosing.is_of_one => "Choose one",
        Mode::Choosing(_) => "Choose files",
        _ => "this machine",
    };
    let room = cells.saturating_sub(name.len() + AROUND);
    format!("{name}  {}", truncate_start_at(&folder(state), "/", room))
}

/// The folder, with `~` for the home directory.
fn folder(state: &State) -> String {
    let folder = &state.local_side.folder;
    let below = state
        .local
        .home
        .as_ref()
        .and_then(|home| folder.strip_prefix(home).ok());
    match below {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", visible_local(rest.as_os_str())),
        None => visible_local(folder.as_os_str()),
    }
}

fn order(state: &State) -> String {
    let sort = state.local_side.list.sort;
    let word = match sort.key {
        SortKey::Size => "size",
        SortKey::Kind => "type",
        SortKey::Updated => "changed",
        _ => "name",
    };
    list_foot::order(word, sort.descending, state.panes.plain)
}

/// `3 of 12 · 2 marked 1.7 MB, 1 elsewhere · 4 hidden`
fn counts<'a>(state: &State, theme: &Theme) -> Line<'a> {
    let side = &state.local_side;
    if side.stage != LocalStage::Read {
        return Line::default();
    }
    let place = ListPlace {
        at: side.list.cursor().at(),
        shown: side.list.rows().len(),
        all: side.count(),
        has_more: false,
        is_filtered: side.list.filter.is_some(),
        empty: "empty",
    };
    let mut spans = vec![Span::styled(place.words(state.panes.plain), theme.dim)];
    let (marks, bytes) = side
        .marked()
        .fold((0_usize, 0_u64), |(marks, sum), (_, bytes)| {
            (marks + 1, sum.saturating_add(bytes))
        });
    if marks > 0 {
        spans.extend(list_foot::marks(marks, bytes, theme));
        let elsewhere = marks.saturating_sub(side.list.marks().len());
        if elsewhere > 0 {
            let elsewhere = format!(", {} elsewhere", figures::number(elsewhere));
            spans.push(Span::styled(elsewhere, theme.marked));
        }
    } else if side.hidden() > 0 {
        spans.push(Span::styled(
            format!(" {BETWEEN} {} hidden", figures::number(side.hidden())),
            theme.dim,
        ));
    }
    Line::from(spans)
}

fn words(state: &State, theme: &Theme) -> Vec<(String, Style)> {
    let side = &state.local_side;
    match &side.stage {
        LocalStage::Unread => vec![(format!("Reading {} …", folder(state)), theme.dim)],
        LocalStage::Failed(error) => {
            let (again, above) = (key(state, Action::Refresh), key(state, Action::Leave));
            let next = format!("{again} retries, {above} opens the parent.");
            problem::paragraphs("The folder could not be read.", error, &next, state, theme)
        }
        LocalStage::Read => {
            if let Some(filter) = side.list.filter.as_ref().filter(|_| side.count() > 0) {
                let text = visible(filter.input.text());
                return vec![(
                    format!(
                        "Nothing matches \"{text}\" among the {} items.",
                        side.count()
                    ),
                    theme.text,
                )];
            }
            let hidden = match side.hidden() {
                0 => String::new(),
                count => format!(
                    " {} begin with a dot: {} shows them.",
                    figures::count(count, "name"),
                    key(state, Action::ToggleHidden)
                ),
            };
            let next = format!(
                "{} opens the folder above, {} hides this machine.",
                key(state, Action::Leave),
                key(state, Action::ToggleLocal)
            );
            vec![
                (format!("This folder is empty.{hidden}"), theme.text),
                (next, theme.dim),
            ]
        }
    }
}

fn name(row: &LocalRow) -> String {
    if row.entry.is_folder {
        format!("{}/", row.name)
    } else {
        row.name.clone()
    }
}

fn line<'a>(
    row: &'a LocalRow,
    cut: &str,
    columns: &FileColumns,
    state: &State,
    theme: &Theme,
) -> Line<'a> {
    let side = &state.local_side;
    let is_marked = side.is_marked(row);
    let is_cursor = !state.panes.plain
        && side
            .current()
            .is_some_and(|current| current.name == row.name);
    let (sign, sign_style) = if is_marked {
        (symbols::MARKED, theme.marked)
    } else {
        kind::of_extension(row.extension(), row.entry.is_folder, theme)
    };
    let style = match () {
        () if is_marked => theme.marked,
        () if row.entry.is_folder => theme.folder.add_modifier(Modifier::BOLD),
        () if choosing::problem(row, state).is_some() => theme.dim,
        () => theme.text,
    };
    let style = if is_cursor {
        style.add_modifier(Modifier::BOLD)
    } else {
        style
    };
    let mut spans = vec![
        Span::raw(" "),
        Span::styled(format!(" {sign} "), sign_style),
    ];
    let (filter, cut) = (side.list.filter.as_ref(), left(cut, columns.name));
    spans.extend(name_spans(&row.name, &cut, filter, style, theme));
    for column in &columns.others {
        let text = match column {
            Column::Size => row.entry.size.map(figures::size),
            _ => row.entry.updated_at.map(|at| match state.dates {
                Dates::Relative => figures::age(at, state.now),
                Dates::Absolute => figures::date(at, &state.zone),
            }),
        };
        let style = if *column == Column::Size {
            theme.text
        } else {
            theme.dim
        };
        spans.push(Span::styled(
            columns.cell(*column, &text.unwrap_or_default()),
            style,
        ));
    }
    Line::from(spans)
}
