//! Previews of malicious pictures and archives: each results in something small or in a message, in
//! time, within limits, and nothing in it acts on the terminal.

use std::fs;
use std::time::{Duration, Instant};

use filedeck::api::Version;
use filedeck::api::text::is_unsafe;
use filedeck::drawing::{DrawKind, DrawRequest, Drawer, Undrawable};
use filedeck::engine::preview::{NoPreview, Photo, Picture, Preview, PreviewTarget};
use filedeck::engine::question::GetPreview;
use filedeck::engine::{Answer, Request};
use serde_json::json;

use crate::screen::drawn_with;
use crate::support::account::{Engine, client_of};
use crate::support::archives::hostile_archives;
use crate::support::hostile_pictures::{empty_scans, hostile_pictures};
use crate::support::pictures::picture;
use crate::support::service::TestService;

const ROOM: (u32, u32) = (120, 80);

/// A drawing is given up after ten seconds; the rest is for the transfer and for a busy machine.
const IN_TIME: Duration = Duration::from_secs(16);

/// The peak memory of this process in bytes; 0 where the system does not report it.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok())
        .unwrap_or(0)
        * 1024
}

async fn started() -> (TestService, Engine) {
    let service = TestService::start().await;
    let engine = Engine::start(client_of(&service, Version::V3)).await;
    (service, engine)
}

async fn look(service: &TestService, engine: &mut Engine, name: &str, bytes: &[u8]) -> Preview {
    let stored = service
        .upload("/", name, bytes, json!({ "access": "PRIVATE" }))
        .await
        .expect(201);
    let subject = PreviewTarget::File(Box::new(serde_json::from_value(stored.json()).unwrap()));
    let begun = Instant::now();
    let question = GetPreview {
        subject,
        room: ROOM,
        is_thumbnail: false,
        page: 0,
    };
    let answer = engine.answer(Request::GetPreview(question)).await;
    assert!(
        begun.elapsed() < IN_TIME,
        "{name} took {:?}",
        begun.elapsed()
    );
    match answer {
        Answer::GetPreview(preview) => preview,
        other => panic!("{other:?}"),
    }
}

fn assert_harmless(name: &str, seen: Preview) {
    let drawn = drawn_with(name, seen);
    let acts = drawn.chars().find(|c| *c != '\n' && is_unsafe(*c));
    assert_eq!(acts, None, "{name}\n{drawn}");
}

#[tokio::test]
async fn a_picture_that_was_made_to_harm_is_a_picture_or_words() {
    let (service, mut engine) = started().await;
    let (before, mut shown) = (peak(), Vec::new());
    for (name, bytes) in hostile_pictures() {
        let seen = look(&service, &mut engine, &name, &bytes).await;
        match &seen {
            Preview::Picture(Picture {
                width,
                height,
                rgba,
            })
            | Preview::Photo(Photo {
                picture:
                    Picture {
                        width,
                        height,
                        rgba,
                    },
                ..
            }) => {
                assert!(
                    *width <= ROOM.0 && *height <= ROOM.1 && *width > 0 && *height > 0,
                    "{name}: {width}x{height}"
                );
                assert_eq!(rgba.len(), (width * height * 4) as usize, "{name}");
                shown.push(name.clone());
            }
            Preview::Nothing(_) => {}
            other => panic!("{name}: {other:?}"),
        }
        assert_harmless(&name, seen);
    }
    for good in [
        "odd-deep.png",
        "odd-one-bit.png",
        "odd-gray.jpg",
        "odd-cmyk.jpg",
        "turned-left.jpg",
        "type-png.jpg",
    ] {
        assert!(
            shown.iter().any(|name| name == good),
            "{good} is a good picture, and of all only these were: {shown:?}"
        );
    }
    assert!(peak() - before < 1 << 30, "{} bytes", peak() - before);
}

// Seen to take minutes when the program decoded pictures itself.
#[tokio::test]
async fn a_picture_that_takes_too_long_is_given_up_and_the_next_one_is_drawn() {
    let (service, mut engine) = started().await;
    let seen = look(&service, &mut engine, "scans.jpg", &empty_scans()).await;
    assert_eq!(seen, Preview::Nothing(NoPreview::TooSlow));
    let next = look(&service, &mut engine, "next.png", &picture()).await;
    assert!(
        matches!(
            next,
            Preview::Picture(Picture {
                width: 120,
                height: 60,
                ..
            })
        ),
        "{next:?}"
    );
}

/// With a paused clock, any wait for a child process exceeds its limit at once.
#[tokio::test]
async fn a_process_that_does_not_answer_in_time_is_replaced() {
    let drawer = Drawer::new(env!("CARGO_BIN_EXE_filedeck").into());
    let request = DrawRequest {
        kind: DrawKind::Picture,
        room: ROOM,
        page: 0,
    };
    let mut turn = drawer.turn(DrawKind::Picture).await;
    assert!(turn.draw(request, &picture()).await.is_ok());
    tokio::time::pause();
    assert_eq!(
        turn.draw(request, &empty_scans()).await,
        Err(Undrawable::TooSlow)
    );
    tokio::time::resume();
    let drawing = turn.draw(request, &picture()).await.unwrap();
    assert_eq!((drawing.width, drawing.height), (120, 60));
}

/// Draws a document while a picture has its turn.
#[tokio::test]
async fn pictures_and_documents_do_not_wait_for_each_other() {
    let drawer = Drawer::new(env!("CARGO_BIN_EXE_filedeck").into());
    let _pictures = drawer.turn(DrawKind::Picture).await;
    let request = DrawRequest {
        kind: DrawKind::Pdf,
        room: ROOM,
        page: 0,
    };
    let mut documents = drawer.turn(DrawKind::Pdf).await;
    assert_eq!(
        documents.draw(request, &picture()).await,
        Err(Undrawable::Damaged)
    );
}

#[tokio::test]
async fn archives_that_were_made_to_harm_are_lists_or_words() {
    let (service, mut engine) = started().await;
    for (name, bytes) in hostile_archives() {
        let seen = look(&service, &mut engine, &name, &bytes).await;
        match (name.as_str(), &seen) {
            ("entities.docx" | "outside.docx", Preview::Archive(_)) => {}
            ("entities.docx" | "outside.docx", other) => panic!("{name}: {other:?}"),
            ("text.zip", seen) => assert_eq!(*seen, Preview::Nothing(NoPreview::Damaged)),
            (_, seen) => assert!(seen.bytes() < 2 << 20, "{name}"),
        }
        assert_harmless(&name, seen);
    }
}
