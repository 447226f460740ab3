//! Every view and dialog on terminals with fewer capabilities: only ASCII, no color, fewer cells.

use filedeck::engine::limits::Measure;
use filedeck::tui::message::Msg;
use filedeck::tui::state::{MessageLevel, State, View};
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::{Depth, Theme};
use filedeck::tui::update::update;
use filedeck::tui::view::view;
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;
use rstest::rstest;

use super::library::{browsing, not_found, now, upload_on_the_demo, with_limits, with_tasks};

use crate::support::limits;

pub(super) const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

pub(super) fn frame(
    state: &State,
    (cols, rows): (u16, u16),
    theme: &Theme,
    symbols: Symbols,
) -> Buffer {
    let mut state = state.clone();
    state.size = (cols, rows).into();
    let mut terminal = Terminal::new(TestBackend::new(cols, rows)).unwrap();
    terminal
        .draw(|frame| _ = view(&mut state, theme, symbols, frame))
        .unwrap();
    terminal.backend().buffer().clone()
}

fn busy() -> State {
    let mut state = browsing();
    with_tasks(&mut state);
    with_limits(&mut state);
    upload_on_the_demo(&mut state);
    state.say(MessageLevel::Info, "Uploaded banner-06.png");
    state.say_failed("Delete terms.pdf failed", &not_found());
    state
}

fn everything() -> Vec<(String, State)> {
    let views = [View::Files, View::Tasks, View::Limits, View::Activity];
    let mut states = Vec::new();
    for view in views {
        let mut state = busy();
        state.view = view;
        states.push((format!("{view:?}"), state));
    }
    for keys in [
        "d", "D", "u", "I", "a", "esc r", "e", "S", "g p", "@", "?", "ctrl-p", "y", "/ b",
    ] {
        let mut state = busy();
        update(&mut state, Msg::Clock(now()));
        for key in keys.split_whitespace() {
            update(&mut state, Msg::Key(key.parse().unwrap()));
        }
        states.push((keys.to_owned(), state));
    }
    states
}

#[test]
fn a_terminal_without_unicode_gets_nothing_but_ascii() {
    for (name, state) in everything() {
        for size in SIZES {
            let buffer = frame(&state, size, &Theme::default(), Symbols::Ascii);
            let odd: Vec<&str> = buffer
                .content()
                .iter()
                .map(ratatui::buffer::Cell::symbol)
                .filter(|symbol| !symbol.is_ascii())
                .collect();
            assert!(odd.is_empty(), "{name} at {size:?}: {odd:?}");
        }
    }
}

#[test]
fn without_colors_there_is_none_anywhere() {
    for (name, state) in everything() {
        for size in SIZES {
            let buffer = frame(&state, size, &Theme::default(), Symbols::Unicode);
            let is_plain = buffer
                .content()
                .iter()
                .all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset));
            assert!(is_plain, "{name} at {size:?}");
        }
    }
}

#[test]
fn a_terminal_with_256_colors_is_sent_no_others() {
    let theme = Theme::named("nord", Depth::Indexed).unwrap();
    let is_rgb = |color: Color| matches!(color, Color::Rgb(..));
    for (name, state) in everything() {
        let buffer = frame(&state, (120, 40), &theme, Symbols::Unicode);
        assert!(
            !buffer
                .content()
                .iter()
                .any(|cell| is_rgb(cell.fg) || is_rgb(cell.bg)),
            "{name}"
        );
    }
}

/// Red is for usage above 90 percent, failures, and anything that cannot be undone.
#[test]
fn a_folder_in_order_has_nothing_red() {
    let theme = Theme::named("dark", Depth::True).unwrap();
    let red = theme.error.fg;
    let mut state = browsing();
    for (report, mut entries) in limits::account() {
        for entry in &mut entries {
            if let Measure::Share(share) = &mut entry.measure {
                share.percentage = share.percentage.min(80.0);
            }
        }
        state
            .session
            .limits
            .change(|limits| limits.book.store_answer(&report, entries, now()));
    }
    for size in SIZES {
        let buffer = frame(&state, size, &theme, Symbols::Unicode);
        assert!(
            !buffer
                .content()
                .iter()
                .any(|cell| Some(cell.fg) == red || Some(cell.bg) == red),
            "{size:?}"
        );
    }
}

#[rstest]
#[case::narrow("narrow", SIZES[0])]
#[case::medium("medium", SIZES[1])]
#[case::wide("wide", SIZES[2])]
fn the_files_in_ascii(#[case] name: &str, #[case] size: (u16, u16)) {
    assert_snapshot!(format!("ascii_{name}"), ascii(&busy(), size));
}

pub(super) fn ascii(state: &State, size: (u16, u16)) -> String {
    let buffer = frame(state, size, &Theme::default(), Symbols::Ascii);
    let rows = buffer.content().chunks(usize::from(size.0));
    let row = |cells: &[ratatui::buffer::Cell]| {
        cells
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect::<String>()
    };
    let text: Vec<String> = rows.map(|cells| row(cells).trim_end().to_owned()).collect();
    text.join("\n")
}
