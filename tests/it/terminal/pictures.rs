//! The memory that the screen uses for previews of large pictures.

use std::fs;

use image::ImageFormat;

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};
use crate::support::large_pictures::{black, claiming_gif, jpeg};
use crate::support::memory::peak_mib;

/// A cell of a picture in kitty's protocol.
const PLACEHOLDER: char = '\u{10eeee}';
const TOO_SLOW: &str = "Too slow to render";

/// Waits for the picture under the cursor; retries on a busy machine.
fn wait_for_picture(pty: &mut Pty) {
    loop {
        let is_shown = |screen: &vt100::Screen| screen.contents().contains(PLACEHOLDER);
        pty.wait_until("a picture in pixels", |screen| {
            is_shown(screen) || screen.contents().contains(TOO_SLOW)
        });
        if !pty.contents().contains(TOO_SLOW) {
            return;
        }
        pty.send("\u{12}");
        pty.wait_for_no_text(TOO_SLOW);
    }
}

/// A terminal of 200x60 that supports kitty's pictures, on the root folder.
fn in_kitty(binary: &Binary) -> Pty {
    fs::write(
        binary.config_dir().join("config.toml"),
        "images = \"kitty\"\n",
    )
    .unwrap();
    let mut command = in_terminal(&binary.command(&[]));
    command.env("TERM", "xterm-256color");
    for name in ["TMUX", "NO_COLOR"] {
        command.env_remove(name);
    }
    Pty::spawn(command, 200, 60)
}

#[test]
fn thumbnails_of_a_folder_are_shown_in_pixels_each_in_its_place() {
    let service = Service::start();
    let binary = Binary::on(&service);
    for name in ["1.png", "2.png", "3.png"] {
        binary.write(name, &black(300, 200, ImageFormat::Png));
        binary.run(&["put", name, "/shots/"]).expect(0);
    }
    let mut pty = in_kitty(&binary);
    pty.wait_for_text("shots/");
    pty.wait_until("three pictures in pixels", |screen| {
        let (rows, cols) = (60, 200);
        let cells =
            (0..rows).flat_map(|row| (0..cols).filter_map(move |col| screen.cell(row, col)));
        let pictures = cells.filter(|cell| cell.contents().starts_with(PLACEHOLDER));
        let mut ids: Vec<_> = pictures
            .map(|cell| format!("{:?}", cell.fgcolor()))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len() == 3
    });
    pty.send("q");
    assert!(pty.wait_for_end().success());
}

#[test]
fn previews_of_large_pictures_stay_within_the_bound() {
    // Small enough to be fetched as they are. The text is shown for those that are too large.
    let pictures = [
        ("1.jpg", jpeg(6_000, 4_000, false), None),
        ("2.png", black(4_800, 4_800, ImageFormat::Png), None),
        ("3.jpg", jpeg(8_000, 6_000, false), None),
        ("4.gif", claiming_gif(), Some("20000 × 20000")),
        ("5.jpg", jpeg(6_000, 4_000, true), None),
        ("6.webp", black(2_600, 2_600, ImageFormat::WebP), None),
        ("7.jpg", jpeg(8_000, 6_000, true), None),
        ("8.png", black(5_000, 5_000, ImageFormat::Png), None),
    ];
    let service = Service::start();
    let binary = Binary::on(&service);
    for (name, bytes, _) in &pictures {
        assert!(
            bytes.len() <= 512 * 1024,
            "{name} is of {} bytes",
            bytes.len()
        );
        binary.write(name, bytes);
    }
    let names: Vec<&str> = pictures.iter().map(|(name, ..)| *name).collect();
    binary
        .run(&[&["put"], &names[..], &["/"]].concat())
        .expect(0);
    let mut pty = in_kitty(&binary);
    pty.wait_for_text("8.png");
    let before = peak_mib(pty.process_id());
    for (name, _, said) in pictures {
        match said {
            Some(size) => pty.wait_for_text(&format!("Too large to preview: {size}")),
            None => wait_for_picture(&mut pty),
        }
        let peak = peak_mib(pty.process_id());
        println!("{before} MiB at the start, {peak} MiB after {name}");
        // Most of the memory at the start is pages of the binary, which is large in a debug build.
        assert!(
            peak - before < 40,
            "{before} MiB at the start, {peak} MiB after {name}"
        );
        pty.send("j");
    }
    pty.send("q");
    assert!(pty.wait_for_end().success());
}
