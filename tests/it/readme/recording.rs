//! The recorded session of the documents: one list of keys, pressed in the program itself, becomes
//! `docs/session.cast` and `docs/session.svg`. The tests check both against the program's present
//! output; `UPDATE_README=1` records again.

mod animation;
mod cast;
mod program;
mod script;

use std::fs;

use filedeck::tui::message::Msg;
use program::{Program, Shot};
use script::{Press, SCRIPT};

use super::assert_document;

/// The pauses between two keys of a word, and between two commands, in milliseconds.
const TYPING: u32 = 80;
const PRESSING: u32 = 350;

/// The files in the folder where filedeck starts: one that is new, one that the account has with
/// different content, and one that is the same there.
fn local_files() -> Vec<(&'static str, Vec<u8>)> {
    let sample = |name: &str| {
        fs::read(format!(
            "{}/assets/sample/library/{name}",
            env!("CARGO_MANIFEST_DIR")
        ))
        .unwrap()
    };
    // Bytes after a picture are not visible, but make its content different.
    let other = |name: &str| [sample(name), vec![0]].concat();
    vec![
        ("invitation.jpg", other("social-card.jpg")),
        ("orders chart.png", other("channels-chart.png")),
        ("press kit.zip", sample("press-kit.zip")),
    ]
}

async fn record() -> Vec<Shot> {
    let mut program = Program::start(&local_files()).await;
    program.take(Msg::Start, SCRIPT[0].caption).await;
    let mut caption = SCRIPT[0].caption;
    for step in SCRIPT {
        program.wait(step.pause, caption).await;
        caption = step.caption;
        let (keys, apart): (Vec<String>, u32) = match step.press {
            Press::Keys(keys) => (
                keys.split_whitespace().map(str::to_owned).collect(),
                PRESSING,
            ),
            Press::Text(text) => (
                text.chars()
                    .map(|c| c.to_string().replace(' ', "space"))
                    .collect(),
                TYPING,
            ),
        };
        for (number, key) in keys.iter().enumerate() {
            if number > 0 {
                program.wait(apart, caption).await;
            }
            program.take(Msg::Key(key.parse().unwrap()), caption).await;
        }
    }
    program.wait(script::END, caption).await;
    program.shots
}

#[tokio::test]
async fn the_recorded_session_is_what_the_program_shows() {
    let shots = Box::pin(record()).await;
    let seconds = shots[shots.len() - 1].at / 1_000;
    assert!((30..=60).contains(&seconds), "{seconds} s");
    let cast = cast::cast(&shots);
    assert_document("docs/session.cast", &cast);
    cast::assert_shows(&cast, &shots);
    let animation = animation::animation(&shots);
    assert!(animation.len() < 300_000, "{} bytes", animation.len());
    assert_document("docs/session.svg", &animation);
}
