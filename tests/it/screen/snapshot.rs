//! A frame as text: the characters of each row, then the runs of style that differ from plain text.

use std::fmt::Write as _;
use std::sync::LazyLock;

use filedeck::tui::state::State;
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::{Depth, Theme};
use filedeck::tui::view::view;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

pub(super) fn draw(state: &State, cols: u16, rows: u16) -> String {
    draw_in(
        state,
        cols,
        rows,
        &Theme::named("dark", Depth::True).unwrap(),
    )
}

pub(super) fn draw_in(state: &State, cols: u16, rows: u16, theme: &Theme) -> String {
    draw_with(state, cols, rows, theme, Symbols::Unicode)
}

pub(super) fn draw_plain(state: &State, cols: u16, rows: u16) -> String {
    draw_with(state, cols, rows, &Theme::plain(), Symbols::Plain)
}

fn draw_with(state: &State, cols: u16, rows: u16, theme: &Theme, symbols: Symbols) -> String {
    let mut terminal = Terminal::new(TestBackend::new(cols, rows)).unwrap();
    let mut state = state.clone();
    state.size = (cols, rows).into();
    terminal
        .draw(|frame| _ = view(&mut state, theme, symbols, frame))
        .unwrap();
    let cursor = terminal.backend().cursor_position();
    let mut out = text(terminal.backend().buffer());
    writeln!(out, "cursor {},{}", cursor.x, cursor.y).unwrap();
    out + &runs(terminal.backend().buffer())
}

pub(super) fn draw_text(state: &State, cols: u16, rows: u16) -> String {
    let drawn = draw(state, cols, rows);
    drawn.split("\ncursor ").next().unwrap().to_owned()
}

/// Puts rows between bars, so that trailing blanks show.
fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        out.push('|');
        let mut covered = 0_usize;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            // The second cell of a wide character is empty.
            if covered == 0 {
                out.push_str(symbol);
                covered = unicode_width::UnicodeWidthStr::width(symbol);
            }
            covered = covered.saturating_sub(1);
        }
        out.push_str("|\n");
    }
    out
}

/// `row: from-to style`, for anything but plain text.
fn runs(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut runs: Vec<(u16, u16, String)> = Vec::new();
        for x in 0..buffer.area.width {
            let style = style(&buffer[(x, y)]);
            match runs.last_mut() {
                Some((_, end, last)) if *last == style && *end + 1 == x => *end = x,
                _ if style.is_empty() => {}
                _ => runs.push((x, x, style)),
            }
        }
        if !runs.is_empty() {
            let runs: Vec<String> = runs
                .iter()
                .map(|(from, to, style)| format!("{from}-{to} {style}"))
                .collect();
            writeln!(out, "{y}: {}", runs.join(", ")).unwrap();
        }
    }
    out
}

fn style(cell: &Cell) -> String {
    let mut words = Vec::new();
    if cell.fg != Color::Reset && role(cell.fg) != "text" {
        words.push(role(cell.fg));
    }
    if cell.bg != Color::Reset {
        words.push(format!("on {}", role(cell.bg)));
    }
    if cell.modifier != Modifier::empty() {
        words.push(format!("{:?}", cell.modifier));
    }
    words.join(" ")
}

/// The name of a color in the dark theme; `mixed` for a blend.
fn role(color: Color) -> String {
    static ROLES: LazyLock<Vec<(String, Color)>> = LazyLock::new(|| {
        let theme: toml::Table = include_str!("../../../assets/themes/dark.toml")
            .parse()
            .unwrap();
        let color = |value: &toml::Value| value.as_str().and_then(|name| name.parse().ok());
        let code = theme["code"].as_table().unwrap();
        theme
            .iter()
            .chain(code)
            .filter_map(|(name, value)| Some((name.clone(), color(value)?)))
            .collect()
    });
    match ROLES.iter().find(|(_, known)| *known == color) {
        Some((name, _)) => name.clone(),
        None if matches!(color, Color::Rgb(..)) => "mixed".to_owned(),
        None => color.to_string(),
    }
}
