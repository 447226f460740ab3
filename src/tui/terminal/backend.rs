//! Writes the cells of a frame to the terminal. Over SSH a key press costs the bytes of its frame,
//! so only changes that are visible are sent. Everything else is left to crossterm and ratatui.

use std::cell;
use std::io::{self, Write};
use std::rc::Rc;

use crossterm::queue;
use crossterm::style::{
    Attribute, Print, SetAttribute, SetBackgroundColor, SetForegroundColor, SetUnderlineColor,
};
use ratatui::backend::{self, ClearType, CrosstermBackend, IntoCrossterm as _, WindowSize};
use ratatui::buffer::{Cell, CellWidth as _};
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

/// Modifiers with the attributes that start and end them; bold and dim end together.
const ATTRIBUTES: [(Modifier, Attribute, Attribute); 9] = [
    (Modifier::BOLD, Attribute::Bold, Attribute::NormalIntensity),
    (Modifier::DIM, Attribute::Dim, Attribute::NormalIntensity),
    (Modifier::ITALIC, Attribute::Italic, Attribute::NoItalic),
    (
        Modifier::UNDERLINED,
        Attribute::Underlined,
        Attribute::NoUnderline,
    ),
    (
        Modifier::SLOW_BLINK,
        Attribute::SlowBlink,
        Attribute::NoBlink,
    ),
    (
        Modifier::RAPID_BLINK,
        Attribute::RapidBlink,
        Attribute::NoBlink,
    ),
    (Modifier::REVERSED, Attribute::Reverse, Attribute::NoReverse),
    (Modifier::HIDDEN, Attribute::Hidden, Attribute::NoHidden),
    (
        Modifier::CROSSED_OUT,
        Attribute::CrossedOut,
        Attribute::NotCrossedOut,
    ),
];
const INTENSITY: Modifier = Modifier::BOLD.union(Modifier::DIM);
/// The modifiers that are visible on a blank.
const SEEN_ON_BLANKS: Modifier = Modifier::UNDERLINED
    .union(Modifier::REVERSED)
    .union(Modifier::CROSSED_OUT);

#[derive(Debug)]
pub struct Backend<W: Write> {
    inner: CrosstermBackend<W>,
    /// The cursor's current visibility; `None` until it was set.
    cursor: Option<bool>,
    /// Set if the cursor may be visible. A hidden cursor still moves, because screen readers and
    /// magnifiers follow it.
    is_visible: Rc<cell::Cell<bool>>,
}

impl<W: Write> Backend<W> {
    /// The handle that decides whether the cursor is visible where a frame puts it.
    pub fn visibility(&self) -> Rc<cell::Cell<bool>> {
        self.is_visible.clone()
    }

    /// Creates a backend for a terminal whose cursor state is not known.
    pub fn new(writer: W) -> Self {
        Self {
            inner: CrosstermBackend::new(writer),
            cursor: None,
            is_visible: Rc::new(cell::Cell::new(true)),
        }
    }
}

/// The current drawing style of the terminal.
#[derive(Clone, Copy, Default)]
struct CurrentStyle {
    foreground: Color,
    background: Color,
    underline: Color,
    modifier: Modifier,
}

impl CurrentStyle {
    /// The style that a cell needs, keeping attributes that are not visible in it.
    fn for_cell(self, cell: &Cell) -> Self {
        if cell.symbol() == " " && !cell.modifier.intersects(SEEN_ON_BLANKS) {
            return Self {
                background: cell.bg,
                modifier: self.modifier.difference(SEEN_ON_BLANKS),
                ..self
            };
        }
        Self {
            foreground: cell.fg,
            background: cell.bg,
            underline: cell.underline_color,
            modifier: cell.modifier,
        }
    }

    fn change(self, to: Self, writer: &mut impl Write) -> io::Result<()> {
        let ended = self.modifier.difference(to.modifier);
        let mut begun = to.modifier.difference(self.modifier);
        if ended.intersects(INTENSITY) {
            begun |= to.modifier & INTENSITY;
        }
        for (modifier, _, end) in ATTRIBUTES {
            if ended.contains(modifier) {
                queue!(writer, SetAttribute(end))?;
            }
        }
        for (modifier, begin, _) in ATTRIBUTES {
            if begun.contains(modifier) {
                queue!(writer, SetAttribute(begin))?;
            }
        }
        if to.foreground != self.foreground {
            match basic(to.foreground) {
                Some(number) => write!(writer, "\x1b[{}m", 30 + number)?,
                None => queue!(writer, SetForegroundColor(to.foreground.into_crossterm()))?,
            }
        }
        if to.background != self.background {
            match basic(to.background) {
                Some(number) => write!(writer, "\x1b[{}m", 40 + number)?,
                None => queue!(writer, SetBackgroundColor(to.background.into_crossterm()))?,
            }
        }
        if to.underline != self.underline {
            queue!(writer, SetUnderlineColor(to.underline.into_crossterm()))?;
        }
        Ok(())
    }
}

/// The number of one of the sixteen colors in ECMA-48 and its bright extension. These codes are
/// shorter than crossterm's 256-color ones, and known to terminals that have no more.
fn basic(color: Color) -> Option<u8> {
    Some(match color {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
        Color::Indexed(index @ ..8) => index,
        Color::Indexed(index @ 8..16) => 60 + index - 8,
        Color::Reset | Color::Rgb(..) | Color::Indexed(_) => return None,
    })
}

impl<W: Write> backend::Backend for Backend<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let writer = &mut self.inner;
        let (mut pen, mut next, mut has_drawn) = (CurrentStyle::default(), None, false);
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                queue!(writer, crossterm::cursor::MoveTo(x, y))?;
            }
            // Terminals differ in how far the cursor moves after a wide character, or an emoji with
            // a selector.
            next = (cell.cell_width() == 1).then(|| (x.saturating_add(1), y));
            let wanted = pen.for_cell(cell);
            pen.change(wanted, writer)?;
            pen = wanted;
            queue!(writer, Print(cell.symbol()))?;
            has_drawn = true;
        }
        // Other writers find the terminal as it was.
        if has_drawn {
            queue!(writer, SetAttribute(Attribute::Reset))
        } else {
            Ok(())
        }
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if self.cursor.replace(false) == Some(false) {
            Ok(())
        } else {
            self.inner.hide_cursor()
        }
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if !self.is_visible.get() {
            return self.hide_cursor();
        }
        if self.cursor.replace(true) == Some(true) {
            Ok(())
        } else {
            self.inner.show_cursor()
        }
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.inner.clear_region(clear_type)
    }

    fn append_lines(&mut self, lines: u16) -> io::Result<()> {
        self.inner.append_lines(lines)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        backend::Backend::flush(&mut self.inner)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::num::NonZero;
    use std::rc::Rc;

    use proptest::prelude::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;
    use ratatui::{Terminal, TerminalOptions, Viewport};

    use super::*;

    const AREA: Rect = Rect {
        x: 0,
        y: 0,
        width: 12,
        height: 3,
    };
    /// Two columns wide because of its selector; some terminals give it one.
    const EMOJI: &str = "☺\u{fe0f}";

    #[derive(Clone, Default)]
    struct SentBytes(Rc<RefCell<Vec<u8>>>);

    impl Write for SentBytes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn on(sent: &SentBytes) -> Terminal<Backend<SentBytes>> {
        let options = TerminalOptions {
            viewport: Viewport::Fixed(AREA),
        };
        Terminal::with_options(Backend::new(sent.clone()), options).unwrap()
    }

    fn draw(terminal: &mut Terminal<Backend<SentBytes>>, cells: &[(&'static str, Style)]) {
        terminal
            .draw(|frame| {
                for (at, (symbol, style)) in AREA.positions().zip(cells) {
                    frame.buffer_mut()[at].set_symbol(symbol).set_style(*style);
                }
            })
            .unwrap();
    }

    fn style() -> impl Strategy<Value = Style> {
        let color = prop::sample::select(vec![
            Color::Reset,
            Color::White,
            Color::Indexed(3),
            Color::Indexed(9),
            Color::Indexed(200),
            Color::Rgb(1, 2, 3),
        ]);
        // The parser knows bold or dim, not both.
        let weights = vec![Modifier::empty(), Modifier::BOLD, Modifier::DIM];
        let others = vec![Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
        let modifier = (
            prop::sample::select(weights),
            prop::sample::subsequence(others, 0..=2),
        )
            .prop_map(|(weight, others)| others.into_iter().fold(weight, Modifier::union));
        (color.clone(), color, modifier)
            .prop_map(|(fg, bg, modifier)| Style::new().fg(fg).bg(bg).add_modifier(modifier))
    }

    fn cells() -> impl Strategy<Value = Vec<(&'static str, Style)>> {
        prop::collection::vec(
            (
                prop::sample::select(vec![" ", "a", "b", "\u{e9}", "e\u{301}"]),
                style(),
            ),
            36,
        )
    }

    fn color(color: Color) -> vt100::Color {
        match color {
            Color::Indexed(index) => vt100::Color::Idx(index),
            Color::White => vt100::Color::Idx(15),
            Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
            _ => vt100::Color::Default,
        }
    }

    proptest! {
        #[test]
        fn a_terminal_shows_what_was_drawn(frames in prop::collection::vec(cells(), 1..4)) {
            let sent = SentBytes::default();
            let mut terminal = on(&sent);
            let mut screen = vt100::Parser::new(NonZero::new(AREA.height).unwrap(), NonZero::new(AREA.width).unwrap(), 0);
            for cells in &frames {
                draw(&mut terminal, cells);
                screen.process(&std::mem::take(&mut *sent.0.borrow_mut()));
                for (at, (symbol, style)) in AREA.positions().zip(cells) {
                    let cell = screen.screen().cell(at.y, at.x).unwrap();
                    let has = |modifier| style.add_modifier.contains(modifier);
                    let shown = if cell.contents().is_empty() { " " } else { cell.contents() };
                    prop_assert_eq!(shown, *symbol);
                    prop_assert_eq!(cell.bgcolor(), color(style.bg.unwrap()));
                    prop_assert_eq!((cell.underline(), cell.inverse()), (has(Modifier::UNDERLINED), has(Modifier::REVERSED)));
                    if *symbol != " " || style.add_modifier.intersects(SEEN_ON_BLANKS) {
                        prop_assert_eq!(cell.fgcolor(), color(style.fg.unwrap()));
                        prop_assert_eq!(cell.dim(), has(Modifier::DIM));
                        prop_assert_eq!(cell.bold(), has(Modifier::BOLD));
                        prop_assert_eq!(cell.italic(), has(Modifier::ITALIC));
                    }
                }
            }
        }
    }

    #[test]
    fn what_follows_a_wide_character_is_put_where_it_belongs() {
        let (sent, plain) = (SentBytes::default(), Style::new());
        let mut terminal = on(&sent);
        draw(&mut terminal, &[("x", plain), ("y", plain), ("z", plain)]);
        sent.0.take();
        draw(&mut terminal, &[(EMOJI, plain), (" ", plain), ("a", plain)]);
        let output = String::from_utf8(sent.0.take()).unwrap();
        assert!(
            output.contains(&format!("{EMOJI}\u{1b}[1;2H ")),
            "the blank is for its second column: {output:?}"
        );
    }

    #[test]
    fn only_what_differs_is_sent() {
        let sent = SentBytes::default();
        let mut terminal = on(&sent);
        let tinted = Style::new().fg(Color::Indexed(7)).bg(Color::Indexed(4));
        draw(
            &mut terminal,
            &[
                ("a", tinted),
                ("b", tinted.fg(Color::Indexed(2))),
                (" ", tinted),
                ("c", tinted),
            ],
        );
        let output = String::from_utf8(sent.0.take()).unwrap();
        assert!(
            output.contains("a\u{1b}[32mb \u{1b}[37mc\u{1b}[0m"),
            "{output:?}"
        );
        draw(
            &mut terminal,
            &[
                ("a", tinted),
                ("b", tinted.fg(Color::Indexed(2))),
                (" ", tinted),
                ("c", tinted),
            ],
        );
        assert_eq!(sent.0.take(), b"", "the same again");
    }
}
