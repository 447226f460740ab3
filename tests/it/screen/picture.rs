//! A frame as an SVG picture for the documents: backgrounds as rectangles, runs of one style as text.

use std::fmt::Write as _;

use filedeck::tui::state::State;
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::{Depth, Theme};
use filedeck::tui::view::view;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// Pixels of a cell.
const WIDTH: u16 = 9;
const HEIGHT: u16 = 19;
const PAPER: &str = "#16181d";
const INK: &str = "#d6dae0";

/// Draws the state on a screen of that size, in the dark theme.
pub(super) fn picture(state: &State, cols: u16, rows: u16) -> String {
    let mut state = state.clone();
    state.size = (cols, rows);
    let mut terminal = Terminal::new(TestBackend::new(cols, rows)).unwrap();
    let theme = Theme::named("dark", Depth::True).unwrap();
    terminal.draw(|frame| _ = view(&state, &theme, Symbols::Unicode, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let (width, height) = (cols * WIDTH, rows * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n"
    );
    for y in 0..rows {
        let mut x = 0;
        while x < cols {
            let look = look(&buffer[(x, y)]);
            let end = (x..cols).find(|x| self::look(&buffer[(*x, y)]) != look).unwrap_or(cols);
            let text: String = (x..end).map(|x| buffer[(x, y)].symbol()).collect();
            run(&mut svg, &look, &text, x, y, end - x);
            x = end;
        }
    }
    svg + "</svg>\n"
}

#[derive(PartialEq)]
struct Look {
    ink: String,
    paper: String,
    bold: bool,
    underlined: bool,
}

fn look(cell: &Cell) -> Look {
    let (mut ink, mut paper) = (hex(cell.fg, INK), hex(cell.bg, PAPER));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut ink, &mut paper);
    }
    let [bold, underlined] = [Modifier::BOLD, Modifier::UNDERLINED].map(|modifier| cell.modifier.contains(modifier));
    Look { ink, paper, bold, underlined }
}

fn run(svg: &mut String, look: &Look, text: &str, x: u16, y: u16, cells: u16) {
    let (left, top, width) = (x * WIDTH, y * HEIGHT, cells * WIDTH);
    if look.paper != PAPER {
        writeln!(svg, "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{}\"/>", look.paper)
            .unwrap();
    }
    if text.trim().is_empty() && !look.underlined {
        return;
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
    let line = if look.underlined { " text-decoration=\"underline\"" } else { "" };
    writeln!(
        svg,
        "<text x=\"{left}\" y=\"{}\" fill=\"{}\" textLength=\"{width}\" xml:space=\"preserve\"{weight}{line}>{text}</text>",
        top + HEIGHT - 5,
        look.ink
    )
    .unwrap();
}

/// The dark theme names all of its colors.
fn hex(color: Color, default: &str) -> String {
    match color {
        Color::Reset => default.to_owned(),
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        color => panic!("the dark theme has no {color}"),
    }
}
