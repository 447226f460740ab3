//! Previews in a real terminal: while the cursor moves, in pixels, and under overlays.

use std::fs;

use super::early::demo;
use super::pty::Pty;

/// A cell of a picture in kitty's protocol.
const PLACEHOLDER: char = '\u{10eeee}';

fn started(dir: &std::path::Path, images: &str) -> Pty {
    let config = dir.join("CONFIG");
    fs::create_dir_all(&config).unwrap();
    fs::write(
        config.join("config.toml"),
        format!("images = \"{images}\"\n"),
    )
    .unwrap();
    let mut command = demo(dir, &[]);
    command.env_remove("TMUX");
    command.env_remove("NO_COLOR");
    let pty = Pty::spawn(command, 120, 40);
    pty.wait_for_text("Welcome.txt");
    pty
}

fn quit(mut pty: Pty) {
    pty.send("q");
    assert!(pty.wait_for_end().success());
    pty.assert_given_back();
}

fn on_a_picture(pty: &mut Pty) {
    pty.send("gp\u{15}/brand\r");
    pty.wait_for_text("Brand guide.pdf");
    pty.send("/png\r");
    pty.wait_for_text("logo");
}

#[test]
fn the_cursor_runs_and_where_it_stops_the_text_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = started(dir.path(), "blocks");
    for _ in 0..40 {
        pty.send("jkjj");
    }
    pty.send("G");
    pty.wait_for_text("This library is a sample.");
    pty.send("P");
    pty.wait_for_no_text("This library is a sample.");
    quit(pty);
}

#[test]
fn a_picture_is_drawn_in_blocks() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = started(dir.path(), "blocks");
    on_a_picture(&mut pty);
    pty.wait_for_text("▀▀▀▀");
    quit(pty);
}

#[test]
fn a_picture_in_pixels_makes_way_for_what_lies_over_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = started(dir.path(), "kitty");
    on_a_picture(&mut pty);
    let has_pixels = |screen: &vt100::Screen| screen.contents().contains(PLACEHOLDER);
    pty.wait_until("a picture in pixels", has_pixels);
    pty.send("\t+");
    pty.wait_until("a picture in pixels", has_pixels);
    pty.send("?");
    pty.wait_until("blocks below the help", |screen| !has_pixels(screen));
    pty.send("\u{1b}");
    pty.wait_until("the picture again", has_pixels);
    pty.send("\u{c}");
    pty.wait_until("the picture again", has_pixels);
    pty.send("2");
    pty.wait_until("another view", |screen| !has_pixels(screen));
    pty.send("1+");
    pty.wait_until("the picture again", has_pixels);
    quit(pty);
}
