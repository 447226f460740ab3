//! A terminal that shrinks to next to nothing and grows again: nothing panics, and the screen is
//! restored.

use filedeck::tui::message::Msg;
use filedeck::tui::state::State;
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::Theme;
use filedeck::tui::update::update;
use ratatui::buffer::Buffer;
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
