//! Looks into pictures that were made to harm: each comes to a small picture or to words, in time, within bounds, and nothing
//! of it acts on the terminal.

use std::time::{Duration, Instant};

use filedeck::api::text::is_unsafe;
use filedeck::engine::preview::{Photo, Picture, Preview, PreviewTarget};

use super::preview::{ROOM, look};
use super::*;
use crate::screen::drawn_with;
use crate::support::hostile_pictures::hostile_pictures;

/// A look is given up after two seconds; the rest is for the way there and for a machine that has other work.
const IN_TIME: Duration = Duration::from_secs(8);

/// All that this process has had in memory at most, where the system says that.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(0) * 1024
}

#[tokio::test]
async fn a_picture_that_was_made_to_harm_is_a_picture_or_words() {
    let (_service, mut engine, dir) = started().await;
    let (before, mut shown) = (peak(), Vec::new());
    for (name, bytes) in hostile_pictures() {
        let file = upload(&mut engine, &local(&dir, &name, &bytes), &FolderRef::root(), Access::Private).await;
        let begun = Instant::now();
        let seen = look(&mut engine, PreviewTarget::File(Box::new(file))).await;
        assert!(begun.elapsed() < IN_TIME, "{name} took {:?}", begun.elapsed());
        match &seen {
            Preview::Picture(Picture { width, height, rgba })
            | Preview::Photo(Photo { picture: Picture { width, height, rgba }, .. }) => {
                assert!(*width <= ROOM.0 && *height <= ROOM.1 && *width > 0 && *height > 0, "{name}: {width}x{height}");
                assert_eq!(rgba.len(), (width * height * 4) as usize, "{name}");
                shown.push(name.clone());
            }
            Preview::Nothing(_) => {}
            other => panic!("{name}: {other:?}"),
        }
        let drawn = drawn_with(&name, seen);
        let acts = drawn.chars().find(|c| *c != '\n' && is_unsafe(*c));
        assert_eq!(acts, None, "{name}\n{drawn}");
    }
    for good in ["odd-deep.png", "odd-one-bit.png", "odd-gray.jpg", "odd-cmyk.jpg", "turned-left.jpg", "type-png.jpg"] {
        assert!(
            shown.iter().any(|name| name == good),
            "{good} is a good picture, and of all only these were: {shown:?}"
        );
    }
    assert!(peak() - before < 1 << 30, "{} bytes", peak() - before);
}
