//! Panics and the terminal's modes, with this test binary as the program that panics.

use std::env;
use std::time::Duration;

use filedeck::tui::terminal::modes::{Terminal, guard};
use portable_pty::CommandBuilder;
use ratatui::layout::Size;
use rstest::rstest;

use super::pty::Pty;

const SIZE: Size = Size {
    width: 100,
    height: 40,
};

/// Marks this run as the child of another test, and names its part.
const PART: &str = "FILEDECK_TEST_PART";

/// Not a test of its own: the other tests here start it in a pseudo-terminal.
#[test]
fn the_child_of_the_other_tests() {
    let Ok(part) = env::var(PART) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(guard(async {
        let mut terminal = Terminal::enter(true).unwrap();
        terminal
            .draw(SIZE, |frame| {
                frame.render_widget("first screen", frame.area());
                true
            })
            .unwrap();
        match part.as_str() {
            "own panic" => panic!("the screen broke"),
            "panic of a task" => {
                let task = tokio::spawn(async { panic!("a task broke") });
                assert!(task.await.is_err());
                terminal
                    .draw(SIZE, |frame| {
                        frame.render_widget("still drawing", frame.area());
                        true
                    })
                    .unwrap();
                tokio::time::sleep(Duration::from_hours(1)).await;
            }
            _ => {}
        }
    }));
}

/// Runs the child under a shell that reports the terminal's modes afterwards.
fn spawn(part: &str) -> Pty {
    let mut command = CommandBuilder::new("sh");
    let script = r#""$0" --exact terminal::modes::the_child_of_the_other_tests --nocapture; echo "status $?"; stty -a"#;
    command.args(["-c", script]);
    command.arg(env::current_exe().unwrap());
    command.env(PART, part);
    command.env("TERM", "xterm-256color");
    command.env("RUST_BACKTRACE", "0");
    Pty::spawn(command, SIZE.width, SIZE.height)
}

#[rstest]
#[case::at_the_end("leave", "status 0")]
#[case::after_a_panic_of_the_screen("own panic", "the screen broke")]
fn the_terminal_is_given_back(#[case] part: &str, #[case] expected: &str) {
    let mut pty = spawn(part);
    pty.wait_for_text("status ");
    pty.wait_until("cooked mode", |screen| {
        let text = screen.contents();
        text.contains(" icanon") && text.contains(" echo ")
    });
    pty.wait_until("the main screen", |screen| {
        !screen.alternate_screen() && !screen.bracketed_paste() && !screen.hide_cursor()
    });
    pty.wait_for_end();
    assert!(pty.contents().contains(expected), "{}", pty.contents());
}

#[test]
fn a_panic_of_a_task_leaves_the_screen_alone() {
    let pty = spawn("panic of a task");
    pty.wait_for_text("still drawing");
    pty.wait_until("the alternate screen", vt100::Screen::alternate_screen);
    assert!(
        !pty.contents().contains("a task broke"),
        "{}",
        pty.contents()
    );
}
