//! A frame as an SVG picture for the documents: backgrounds as rectangles, runs of a style as text,
//! pictures as lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use filedeck::tui::state::State;
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::{Depth, Theme};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr as _;

use super::sets::frame;

/// The pixels of a cell; a picture has four dots in it.
const WIDTH: u16 = 9;
const HEIGHT: u16 = 18;
/// The symbols that draw pictures, and the dots that have the ink: first the upper two, each from
/// the left.
const DOTS: [(&str, [bool; 4]); 7] = [
    ("▀", [true, true, false, false]),
    ("▌", [true, false, true, false]),
    ("▘", [true, false, false, false]),
    ("▚", [true, false, false, true]),
    ("▛", [true, true, true, false]),
    ("▜", [true, true, false, true]),
    ("▙", [true, false, true, true]),
];

/// The terminal's colors where a theme does not set them.
#[derive(Clone, Copy)]
pub(crate) struct OwnColors {
    ink: &'static str,
    paper: &'static str,
}

pub(crate) const DARK: OwnColors = OwnColors {
    ink: "#d6dae0",
    paper: "#16181d",
};
const LIGHT: OwnColors = OwnColors {
    ink: "#24292f",
    paper: "#ffffff",
};

pub(super) fn picture(state: &State, size: (u16, u16)) -> String {
    picture_in(state, size, "dark", Symbols::Unicode)
}

/// Draws in another theme; `mono` is the theme under `NO_COLOR`.
pub(super) fn picture_in(state: &State, size: (u16, u16), theme: &str, symbols: Symbols) -> String {
    let depth = if theme == "mono" {
        Depth::Mono
    } else {
        Depth::True
    };
    let buffer = frame(state, size, &Theme::named(theme, depth).unwrap(), symbols);
    let own = if theme == "light" { LIGHT } else { DARK };
    head(size.0, size.1, own) + &elements(&pieces(&buffer, own)) + "</svg>\n"
}

pub(crate) fn head(cols: u16, rows: u16, own: OwnColors) -> String {
    let (width, height) = (cols * WIDTH, rows * HEIGHT);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\" xml:space=\"preserve\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        own.paper
    )
}

/// A part of a frame: equal parts of two frames are drawn once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Piece {
    /// Cells of one row with one look. The text has its own position, because blanks around it are
    /// left out.
    Run {
        x: u16,
        y: u16,
        cells: u16,
        look: Look,
        text: Option<(u16, u16, String)>,
    },
    /// Adjacent dots of a picture in one color; `x` and `y` count dots.
    Dots {
        color: String,
        x: u16,
        y: u16,
        dots: u16,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Look {
    ink: String,
    /// The background; `None` for the background of the whole picture.
    paper: Option<String>,
    bold: bool,
    underlined: bool,
}

pub(crate) fn pieces(buffer: &Buffer, own: OwnColors) -> Vec<Piece> {
    let (cols, rows) = (buffer.area.width, buffer.area.height);
    let mut pieces = Vec::new();
    for y in 0..rows {
        let mut x = 0;
        while x < cols {
            let kind = kind(&buffer[(x, y)], own);
            let end = (x..cols)
                .find(|x| self::kind(&buffer[(*x, y)], own) != kind)
                .unwrap_or(cols);
            match kind {
                Some(look) => {
                    let text = text(buffer, y, x, end, look.underlined);
                    if text.is_some() || look.paper.is_some() {
                        pieces.push(Piece::Run {
                            x,
                            y,
                            cells: end - x,
                            look,
                            text,
                        });
                    }
                }
                None => dots(buffer, own, y, x..end, &mut pieces),
            }
            x = end;
        }
    }
    pieces
}

fn inks(cell: &Cell) -> Option<[bool; 4]> {
    let dots = DOTS.iter().find(|(symbol, _)| *symbol == cell.symbol());
    dots.map(|(_, inks)| *inks)
}

/// The look of a cell; `None` if it is part of a picture.
fn kind(cell: &Cell, own: OwnColors) -> Option<Look> {
    if inks(cell).is_some() {
        return None;
    }
    let (mut ink, mut paper) = (hex(cell.fg, own.ink), hex(cell.bg, own.paper));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut ink, &mut paper);
    }
    let [bold, underlined] =
        [Modifier::BOLD, Modifier::UNDERLINED].map(|modifier| cell.modifier.contains(modifier));
    Some(Look {
        ink,
        paper: Some(paper).filter(|paper| paper != own.paper),
        bold,
        underlined,
    })
}

/// The text of a run with its first cell and its width in cells; `None` if nothing is visible.
fn text(
    buffer: &Buffer,
    y: u16,
    from: u16,
    to: u16,
    underlined: bool,
) -> Option<(u16, u16, String)> {
    let (mut text, mut x, mut first, mut last) = (String::new(), from, None, from);
    while x < to {
        let symbol = buffer[(x, y)].symbol();
        // The second cell of a wide character is empty.
        let end = x + u16::try_from(symbol.width()).unwrap().max(1);
        let is_seen = underlined || !symbol.trim().is_empty();
        if is_seen && first.is_none() {
            first = Some(x);
        }
        if first.is_some() {
            text.push_str(symbol);
            last = if is_seen { end } else { last };
        }
        x = end;
    }
    let first = first?;
    let text = if underlined {
        text.as_str()
    } else {
        text.trim_end()
    };
    Some((first, last - first, text.to_owned()))
}

fn dots(buffer: &Buffer, own: OwnColors, y: u16, cells: Range<u16>, pieces: &mut Vec<Piece>) {
    for half in 0..2 {
        let color = |x: u16| {
            let cell = &buffer[(x / 2, y)];
            let dot = usize::from(2 * half + x % 2);
            if inks(cell).unwrap()[dot] {
                hex(cell.fg, own.ink)
            } else {
                hex(cell.bg, own.paper)
            }
        };
        let (mut x, last) = (2 * cells.start, 2 * cells.end);
        while x < last {
            let end = (x..last)
                .find(|other| color(*other) != color(x))
                .unwrap_or(last);
            pieces.push(Piece::Dots {
                color: color(x),
                x,
                y: 2 * y + half,
                dots: end - x,
            });
            x = end;
        }
    }
}

/// SVG elements of the pieces; the dots of a color form one path.
pub(crate) fn elements<'a>(pieces: impl IntoIterator<Item = &'a Piece>) -> String {
    let (mut svg, mut paths) = (String::new(), BTreeMap::<&str, String>::new());
    for piece in pieces {
        match piece {
            Piece::Run {
                x,
                y,
                cells,
                look,
                text,
            } => run(&mut svg, (*x, *y, *cells), look, text.as_ref()),
            Piece::Dots { color, x, y, dots } => {
                write!(paths.entry(color).or_default(), "M{x} {y}h{dots}").unwrap();
            }
        }
    }
    if !paths.is_empty() {
        writeln!(
            svg,
            "<g transform=\"translate(0 {})scale({} {})\">",
            f32::from(HEIGHT) / 4.0,
            f32::from(WIDTH) / 2.0,
            HEIGHT / 2
        )
        .unwrap();
        for (color, path) in paths {
            writeln!(svg, "<path stroke=\"{color}\" d=\"{path}\"/>").unwrap();
        }
        svg.push_str("</g>\n");
    }
    svg
}

fn run(
    svg: &mut String,
    (x, y, cells): (u16, u16, u16),
    look: &Look,
    text: Option<&(u16, u16, String)>,
) {
    let top = y * HEIGHT;
    if let Some(paper) = &look.paper {
        let (left, width) = (x * WIDTH, cells * WIDTH);
        writeln!(svg, "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{paper}\"/>")
            .unwrap();
    }
    let Some((first, cells, text)) = text else {
        return;
    };
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let weight = if look.bold {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let line = if look.underlined {
        " text-decoration=\"underline\""
    } else {
        ""
    };
    let (left, base, width, ink) = (first * WIDTH, top + HEIGHT - 4, cells * WIDTH, &look.ink);
    writeln!(svg, "<text x=\"{left}\" y=\"{base}\" fill=\"{ink}\" textLength=\"{width}\"{weight}{line}>{text}</text>")
        .unwrap();
}

/// The themes of the pictures set all of their colors, or none. The list of themes also shows the
/// terminal's colors.
fn hex(color: Color, default: &str) -> String {
    match color {
        Color::Reset => default.to_owned(),
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::LightRed => "#f14c4c".to_owned(),
        Color::Green => "#0dbc79".to_owned(),
        Color::Yellow => "#e5e510".to_owned(),
        Color::Cyan => "#11a8cd".to_owned(),
        color => panic!("no theme of the pictures has {color}"),
    }
}
