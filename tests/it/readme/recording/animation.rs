//! A recording as an animated picture: each piece of a frame is drawn once, and visible during its
//! frames.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::program::{SIZE, Shot};
use crate::screen::picture::{DARK, Piece, elements, head, pieces};

/// The duration of the last frame, in milliseconds.
const END: u32 = 4_000;

/// The first frame is shown without animation, and to readers who prefer reduced motion.
pub(super) fn animation(shots: &[Shot]) -> String {
    let mut frames_of: BTreeMap<Piece, Vec<bool>> = BTreeMap::new();
    for (at, shot) in shots.iter().enumerate() {
        for piece in pieces(&with_caption(shot), DARK) {
            frames_of
                .entry(piece)
                .or_insert_with(|| vec![false; shots.len()])[at] = true;
        }
    }
    let mut groups: BTreeMap<Vec<bool>, Vec<Piece>> = BTreeMap::new();
    for (piece, frames) in frames_of {
        groups.entry(frames).or_default().push(piece);
    }
    let total = shots[shots.len() - 1].at + END;
    let (mut rules, mut drawn) = (String::new(), String::new());
    for (number, (frames, pieces)) in groups.iter().rev().enumerate() {
        if frames.iter().all(|is_shown| *is_shown) {
            write!(drawn, "<g>\n{}</g>\n", elements(pieces)).unwrap();
            continue;
        }
        writeln!(
            rules,
            "@keyframes k{number}{{{}}}",
            keyframes(shots, frames, total)
        )
        .unwrap();
        let hidden = if frames[0] {
            ""
        } else {
            " visibility=\"hidden\""
        };
        write!(
            drawn,
            "<g style=\"animation-name:k{number}\"{hidden}>\n{}</g>\n",
            elements(pieces)
        )
        .unwrap();
    }
    let style = format!(
        "<style>\ng{{animation:{}.{:03}s step-end infinite}}\n{rules}\
         @media (prefers-reduced-motion:reduce){{g{{animation:none!important}}}}\n</style>\n",
        total / 1_000,
        total % 1_000
    );
    head(SIZE.0, SIZE.1 + 1, DARK) + &style + &drawn + "</svg>\n"
}

/// The keyframes that show and hide a piece, in percent of the whole duration.
fn keyframes(shots: &[Shot], frames: &[bool], total: u32) -> String {
    let mut rule = String::new();
    for (at, is_shown) in frames.iter().enumerate() {
        if at == 0 || frames[at - 1] != *is_shown {
            let percent = f64::from(shots[at].at) * 100.0 / f64::from(total);
            let visibility = if *is_shown { "visible" } else { "hidden" };
            write!(rule, "{percent:.2}%{{visibility:{visibility}}}").unwrap();
        }
    }
    rule
}

fn with_caption(shot: &Shot) -> Buffer {
    let mut buffer = shot.buffer.clone();
    buffer.resize(Rect::new(0, 0, SIZE.0, SIZE.1 + 1));
    let (ink, paper) = (
        ratatui::style::Color::Rgb(0x16, 0x18, 0x1d),
        ratatui::style::Color::Rgb(0x8a, 0xb4, 0xf8),
    );
    buffer.set_style(
        Rect::new(0, SIZE.1, SIZE.0, 1),
        Style::new().fg(ink).bg(paper),
    );
    buffer.set_string(1, SIZE.1, shot.caption, Style::new());
    buffer
}
