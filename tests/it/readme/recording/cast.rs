//! A recording as an asciicast: the program's terminal output, with times. The format is version 2,
//! which every player supports.

use std::num::NonZero;

use serde_json::json;

use super::program::{SIZE, Shot};

/// A line for the terminal, then one for each frame. Markers contain the captions.
pub(super) fn cast(shots: &[Shot]) -> String {
    let (width, height) = SIZE;
    let env = json!({ "TERM": "xterm-256color" });
    let head =
        json!({ "version": 2, "width": width, "height": height, "title": "filedeck", "env": env });
    let mut lines = vec![head.to_string()];
    let mut told = "";
    for shot in shots {
        if shot.caption != told {
            lines.push(event(shot.at, "m", shot.caption));
            told = shot.caption;
        }
        lines.push(event(shot.at, "o", &shot.written));
    }
    lines.join("\n") + "\n"
}

fn event(at: u32, code: &str, data: &str) -> String {
    format!(
        "[{}.{:03}, {}, {}]",
        at / 1_000,
        at % 1_000,
        json!(code),
        json!(data)
    )
}

/// Asserts that a terminal that plays the cast shows each frame.
pub(super) fn assert_shows(cast: &str, shots: &[Shot]) {
    let mut terminal = vt100::Parser::new(
        NonZero::new(SIZE.1).unwrap(),
        NonZero::new(SIZE.0).unwrap(),
        0,
    );
    let events = cast
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<(f64, String, String)>(line).unwrap());
    let written: Vec<_> = events.filter(|(_, code, _)| code == "o").collect();
    assert_eq!(written.len(), shots.len());
    for ((at, _, data), shot) in written.iter().zip(shots) {
        terminal.process(data.as_bytes());
        for y in 0..SIZE.1 {
            let row = (0..SIZE.0).filter_map(|x| Some((x, terminal.screen().cell(y, x)?)));
            let seen: String = row
                .filter(|(_, cell)| !cell.is_wide_continuation())
                .map(|(_, cell)| {
                    if cell.has_contents() {
                        cell.contents().to_owned()
                    } else {
                        " ".to_owned()
                    }
                })
                .collect();
            assert_eq!(seen, shot.row(y), "row {y} at {at} s");
        }
    }
}
