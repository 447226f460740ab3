//! A terminal that shrinks to next to nothing and grows again: nothing panics, and the screen is
//! restored.

use filedeck::tui::input::mouse::{Mouse, MouseAction};
use filedeck::tui::message::Msg;
use filedeck::tui::state::State;
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::Theme;
use filedeck::tui::update::update;
use filedeck::tui::view::view;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use rstest::rstest;

use super::hostile::screens;
use super::sets::frame;

fn resized(state: &mut State, (cols, rows): (u16, u16)) -> Buffer {
    update(state, Msg::Resize { cols, rows });
    frame(state, (cols, rows), &Theme::default(), Symbols::Unicode)
}

#[rstest]
#[case::narrow((80, 24))]
#[case::medium((120, 40))]
fn every_view_and_dialog_comes_back_as_it_was(#[case] size: (u16, u16)) {
    for (what, mut state) in screens("a b.txt") {
        let before = resized(&mut state, size);
        for cols in 1..=20 {
            for rows in 1..=5 {
                resized(&mut state, (cols, rows));
            }
        }
        assert_eq!(resized(&mut state, size), before, "{what}");
    }
}

#[test]
fn every_odd_size_is_drawn_or_said_to_be_too_small() {
    for (what, mut state) in screens("a b.txt") {
        for size in [
            (1, 200),
            (200, 1),
            (49, 12),
            (50, 11),
            (50, 12),
            (51, 13),
            (60, 100),
            (300, 12),
            (99, 22),
        ] {
            let drawn = resized(&mut state, size);
            let text: String = drawn
                .content
                .iter()
                .map(ratatui::buffer::Cell::symbol)
                .collect();
            let is_too_small = size.0 < 50 || size.1 < 12;
            // One column has room for only the first letter.
            let said = if size.0 == 1 {
                text.starts_with('T')
            } else {
                text.contains("Too small: ")
            };
            assert_eq!(said, is_too_small, "{what} at {size:?}: {text}");
        }
    }
}

/// What can come between two frames.
#[derive(Debug, Clone)]
enum Step {
    Key(&'static str),
    Mouse(MouseAction, (u16, u16)),
    Resize((u16, u16)),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    const KEYS: [&str; 34] = [
        "j",
        "k",
        "h",
        "l",
        "enter",
        "esc",
        "tab",
        "space",
        "f",
        "t",
        "V",
        "C",
        "T",
        "i",
        "u",
        "a",
        "r",
        "d",
        "1",
        "2",
        "3",
        "4",
        ":",
        "?",
        "/",
        "z",
        "p",
        "G",
        "ctrl-d",
        "left",
        "right",
        "up",
        "down",
        "backspace",
    ];
    let mouse = prop::sample::select(vec![
        MouseAction::Press,
        MouseAction::Drag,
        MouseAction::Release,
        MouseAction::WheelUp,
        MouseAction::WheelDown,
    ]);
    let size = || (1..220_u16, 1..70_u16);
    prop::collection::vec(
        prop_oneof![
            4 => prop::sample::select(KEYS.to_vec()).prop_map(Step::Key),
            2 => (mouse, size()).prop_map(|(action, at)| Step::Mouse(action, at)),
            3 => size().prop_map(Step::Resize),
        ],
        1..16,
    )
}

/// Draws the state as it is, into a buffer of this size.
fn draw(state: &mut State, (cols, rows): (u16, u16)) {
    let mut terminal = Terminal::new(TestBackend::new(cols, rows)).unwrap();
    let theme = Theme::default();
    terminal
        .draw(|frame| _ = view(state, &theme, Symbols::Unicode, frame))
        .unwrap();
}

// Seen to fail with the parts that a tour points out as they were before the terminal shrank.
#[test]
fn a_terminal_that_changes_its_size_at_any_moment_is_drawn() {
    for (what, mut state) in screens("a b.txt") {
        for size in [(50, 12), (60, 15), (79, 23), (101, 31), (10, 3)] {
            draw(&mut state, size);
        }
        let config = Config {
            rng_seed: RngSeed::Fixed(7),
            failure_persistence: None,
            ..Config::with_cases(3)
        };
        let walked = TestRunner::new(config).run(&steps(), |steps| {
            let mut state = state.clone();
            for step in steps {
                let msg = match step {
                    Step::Key(key) => Msg::Key(key.parse().unwrap()),
                    Step::Mouse(action, (x, y)) => Msg::Mouse(Mouse {
                        action,
                        at: Position { x, y },
                    }),
                    Step::Resize((cols, rows)) => Msg::Resize { cols, rows },
                };
                update(&mut state, msg);
                let size = state.size.into();
                draw(&mut state, size);
            }
            Ok(())
        });
        walked.unwrap_or_else(|failure| panic!("{what}: {failure}"));
    }
}
