//! Previews of documents that another process renders: their pages, and the limits of hostile ones.

use std::time::{Duration, Instant};

use filedeck::engine::preview::{DocumentPage, Picture, Preview, PreviewTarget};
use filedeck::engine::question::GetPreview;

use super::preview::{ROOM, look, look_into};
use super::*;
use crate::support::documents::{font, hostile_documents, two_pages};

fn middle(picture: &Picture) -> [u8; 3] {
    picture.at(picture.width / 2, picture.height / 2, [9; 3])
}

#[tokio::test]
async fn pages_of_a_document_are_drawn_one_by_one() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(
        &mut engine,
        &local(&dir, "a.pdf", &two_pages()),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    for (page, number, color) in [(0, 0, [255, 0, 0]), (1, 1, [0, 0, 255])] {
        let subject = PreviewTarget::File(Box::new(file.clone()));
        let question = GetPreview {
            subject,
            room: ROOM,
            is_thumbnail: false,
            page,
        };
        let answer = engine.answer(Request::GetPreview(question)).await;
        let Answer::GetPreview(Preview::Page(DocumentPage {
            picture,
            number: drawn,
            count,
        })) = answer
        else {
            panic!("{answer:?}")
        };
        assert_eq!((drawn, count, middle(&picture)), (number, 2, color));
        assert_eq!((picture.width, picture.height), (120, 60));
    }
}

#[tokio::test]
async fn an_svg_is_a_picture_and_names_nothing_outside() {
    let svg = |inside: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">{inside}</svg>"
        )
    };
    let green = svg("<rect width=\"40\" height=\"20\" fill=\"#00ff00\"/>");
    let Preview::Picture(picture) = look_into("a.svg", green.as_bytes(), Access::Private).await
    else {
        panic!()
    };
    assert_eq!(
        (picture.width, picture.height, middle(&picture)),
        (120, 60, [0, 255, 0])
    );
    let dir = tempfile::tempdir().unwrap();
    let outside = local(&dir, "outside.svg", green.as_bytes());
    let names = svg(&format!(
        "<image href=\"{}\" width=\"40\" height=\"20\"/>",
        outside.display()
    ));
    let Preview::Picture(picture) = look_into("a.svg", names.as_bytes(), Access::Private).await
    else {
        panic!()
    };
    assert_eq!(middle(&picture), [9; 3], "nothing is drawn");
}

#[tokio::test]
async fn a_font_is_a_sample_of_its_letters() {
    let Preview::Picture(picture) = look_into("a.ttf", &font(), Access::Private).await else {
        panic!("no sample")
    };
    assert_eq!(middle(&picture), [0, 0, 0], "the square of the letter");
    assert_eq!(picture.at(1, 1, [9; 3]), [255, 255, 255]);
}

#[tokio::test]
async fn documents_that_were_made_to_harm_are_pictures_or_words() {
    let (_service, mut engine, dir) = started().await;
    for (name, bytes) in hostile_documents() {
        let file = upload(
            &mut engine,
            &local(&dir, &name, &bytes),
            &FolderRef::root(),
            Access::Private,
        )
        .await;
        let begun = Instant::now();
        let seen = look(&mut engine, PreviewTarget::File(Box::new(file))).await;
        // A drawing is given up after ten seconds; the rest is for the transfer and for a busy
        // machine.
        assert!(
            begun.elapsed() < Duration::from_secs(16),
            "{name} took {:?}",
            begun.elapsed()
        );
        match (name.as_str(), &seen) {
            // The first limit it exceeds may vary.
            ("inflates.pdf" | "doubles.pdf" | "doubles.svg", seen) => {
                assert!(matches!(seen, Preview::Nothing(_)), "{name}: {seen:?}");
            }
            (_, Preview::Nothing(_)) => {}
            (_, seen) => {
                let picture = seen.picture().unwrap_or_else(|| panic!("{name}: {seen:?}"));
                assert!(
                    picture.width <= ROOM.0 && picture.height <= ROOM.1,
                    "{name}"
                );
            }
        }
    }
}
