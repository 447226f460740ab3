//! Previews of files and folders: what is fetched, what is shown, and the limits of hostile
//! content.

use filedeck::engine::preview::{Class, NoPreview, Picture, Preview, PreviewTarget, PreviewText};
use rstest::rstest;

use super::*;
use crate::support::pictures::{bomb, picture};
use filedeck::engine::Answer;
use filedeck::engine::question::{GetFile, GetPreview};

pub(super) const ROOM: (u32, u32) = (120, 80);

pub(super) async fn look(engine: &mut Engine, subject: PreviewTarget) -> Preview {
    match engine
        .answer(Request::GetPreview(GetPreview {
            subject,
            room: ROOM,
            is_thumbnail: false,
            page: 0,
        }))
        .await
    {
        Answer::GetPreview(preview) => preview,
        other => panic!("{other:?}"),
    }
}

pub(super) async fn look_into(name: &str, bytes: &[u8], access: Access) -> Preview {
    let (_service, mut engine, dir) = started().await;
    let file = upload(
        &mut engine,
        &local(&dir, name, bytes),
        &FolderRef::root(),
        access,
    )
    .await;
    look(&mut engine, PreviewTarget::File(Box::new(file))).await
}

pub(super) fn shown(text: &PreviewText) -> Vec<String> {
    text.lines
        .iter()
        .map(|line| line.iter().map(|(_, piece)| piece.as_str()).collect())
        .collect()
}

#[rstest]
#[tokio::test]
async fn a_picture_is_scaled_to_its_room_whoever_may_see_it(
    #[values(Access::Private, Access::PublicNotIndexable)] access: Access,
) {
    let Preview::Picture(Picture {
        width,
        height,
        rgba,
    }) = look_into("a.png", &picture(), access).await
    else {
        panic!("no picture");
    };
    assert_eq!((width, height, rgba.len()), (120, 60, 120 * 60 * 4));
}

#[rstest]
#[tokio::test]
async fn code_comes_in_classes(#[values(Access::Private, Access::PublicIndexable)] access: Access) {
    let Preview::Text(text) =
        look_into("main.rs", b"fn main() {\n\tlet a = \"b\";\n}\n", access).await
    else {
        panic!("no text");
    };
    assert_eq!(shown(&text), ["fn main() {", "    let a = \"b\";", "}"]);
    assert!(text.cut.is_none() && !text.is_prose);
    let has = |class, piece: &str| {
        text.lines
            .iter()
            .flatten()
            .any(|(of, text)| *of == class && text.contains(piece))
    };
    assert!(
        has(Class::Keyword, "fn") && has(Class::String, "\"b\""),
        "{text:?}"
    );
}

#[tokio::test]
async fn json_is_laid_out_and_values_come_as_a_table() {
    let Preview::Text(text) = look_into("a.json", br#"{"b":[1,2]}"#, Access::Private).await else {
        panic!()
    };
    assert_eq!(
        shown(&text),
        ["{", "  \"b\": [", "    1,", "    2", "  ]", "}"]
    );
    let Preview::Table(table) = look_into("a.csv", b"id;name\n1;\"a;b\"\n", Access::Private).await
    else {
        panic!()
    };
    assert_eq!(table.rows, [["id", "name"], ["1", "a;b"]]);
}

#[tokio::test]
async fn of_a_long_text_its_beginning_is_fetched() {
    let line = "All that is solid melts into air.\n";
    let bytes = line.repeat(10_000_000 / line.len());
    let Preview::Text(text) = look_into("long.txt", bytes.as_bytes(), Access::Private).await else {
        panic!()
    };
    assert!(text.cut.is_some() && text.is_prose);
    assert_eq!(text.lines.len(), (64 * 1024_usize).div_ceil(line.len()));
}

#[rstest]
#[case::a_bomb("a.png", bomb(), NoPreview::TooLarge(Some((31_250, 31_250))))]
#[case::cut_off("a.png", picture()[..60].to_vec(), NoPreview::Damaged)]
#[case::text_called_a_picture("a.png", b"<html>".to_vec(), NoPreview::Damaged)]
#[case::empty("a.txt", Vec::new(), NoPreview::Empty)]
#[case::binary("a.dat", vec![0; 5_000], NoPreview::Binary)]
#[case::a_picture_called_text("a.txt", picture(), NoPreview::Binary)]
#[case::never_opened("a.doc", b"\xd0\xcf\x11".to_vec(), NoPreview::Binary)]
#[tokio::test]
async fn what_cannot_be_shown_says_why(
    #[case] name: &str,
    #[case] bytes: Vec<u8>,
    #[case] expected: NoPreview,
) {
    assert_eq!(
        look_into(name, &bytes, Access::Private).await,
        Preview::Nothing(expected)
    );
}

/// Tests a program that cannot start itself as a child process.
#[tokio::test]
async fn without_a_process_that_decodes_there_is_no_picture() {
    let (service, _engine, dir) = started().await;
    let journal = Journal::in_memory("test").await.unwrap();
    let mut engine = Engine::without_drawer(client_of(&service, Version::V3), journal);
    let path = local(&dir, "a.png", &picture());
    assert_eq!(
        look(&mut engine, PreviewTarget::Local(path)).await,
        Preview::Nothing(NoPreview::Binary)
    );
}

#[tokio::test]
async fn markdown_comes_as_it_is_meant_and_as_it_is_written() {
    let Preview::Markdown(text) =
        look_into("a.md", b"# Plan\n\nsome *words*\n", Access::Private).await
    else {
        panic!()
    };
    assert_eq!(shown(&text.rendered), ["Plan", "════", "", "some words"]);
    assert_eq!(shown(&text.source), ["# Plan", "", "some *words*"]);
}

#[tokio::test]
async fn hostile_text_is_made_safe() {
    let words = "All that is solid melts into air, all that is holy is profaned. ".repeat(4);
    let bytes = format!("\u{1b}]0;gotcha\u{7}\u{9b}2J\u{202e}txt\u{1b}[2J {words}\n").repeat(50);
    let Preview::Text(text) = look_into("a.txt", bytes.as_bytes(), Access::Private).await else {
        panic!()
    };
    for line in shown(&text) {
        assert!(
            !line.chars().any(filedeck::api::text::is_unsafe),
            "{line:?}"
        );
        assert!(line.contains("\\u{1b}]0;gotcha\\u{7}"), "{line:?}");
    }
}

#[tokio::test]
async fn of_a_folder_its_names_and_totals_are_told() {
    let (_service, mut engine, dir) = started().await;
    let docs = new_folder(&mut engine, &FolderRef::root(), "docs").await;
    new_folder(&mut engine, &docs, "deep").await;
    for (name, access) in [
        ("a.txt", Access::Private),
        ("b.txt", Access::PublicIndexable),
        ("c.txt", Access::Private),
    ] {
        upload(&mut engine, &local(&dir, name, b"four"), &docs, access).await;
    }
    let Preview::Folder(contents) = look(&mut engine, PreviewTarget::Folder(docs)).await else {
        panic!()
    };
    let files: Vec<_> = contents
        .files
        .iter()
        .map(|file| (file.name.as_str(), file.size))
        .collect();
    assert_eq!(contents.folders, ["deep"]);
    assert_eq!(
        files,
        ["a.txt", "b.txt", "c.txt"].map(|name| (name, Some(4)))
    );
    assert_eq!(
        contents.by_access,
        [
            (Some(Access::Private), 2),
            (Some(Access::PublicIndexable), 1)
        ]
    );
    assert_eq!((contents.bytes, contents.is_all), (12, true));
}

#[tokio::test]
async fn of_a_folder_the_newest_pictures_are_told() {
    let file = |day: usize, extension: &str, size: usize| {
        json!({ "id": day.to_string(), "name": day.to_string(), "extension": extension, "size": size,
            "parentFolderId": "5", "updatedAt": format!("2026-08-0{day}T08:00:00Z") })
    };
    let files = [
        (1, "png", 9),
        (3, "jpg", 9),
        (2, "pdf", 9),
        (9, "png", 0),
        (4, "GIF", 9),
        (8, "png", 9),
        (5, "webp", 9),
    ];
    let more = (6..=7).map(|day| file(day, "png", 9));
    let files: Vec<_> = files
        .map(|(day, extension, size)| file(day, extension, size))
        .into_iter()
        .chain(more)
        .collect();
    let service = Capture::start(move |seen, _| {
        let is_files = seen.call().ends_with("/files/search");
        Reply::json(
            200,
            &json!({ "results": if is_files { files.clone() } else { Vec::new() } }),
        )
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let place = FolderRef {
        id: Some(FolderId::new("5")),
        path: "/shots".to_owned(),
    };
    let Preview::Folder(contents) = look(&mut engine, PreviewTarget::Folder(place)).await else {
        panic!()
    };
    let ids: Vec<_> = contents
        .pictures
        .iter()
        .map(|file| file.id.as_str())
        .collect();
    assert_eq!(
        ids,
        ["8", "7", "6", "5", "4", "3"],
        "empty files and what is never shown are left out"
    );
}

fn described(fields: &serde_json::Value) -> PreviewTarget {
    let mut file = json!({ "id": "7", "name": "a", "extension": "txt", "size": 1_000_000, "access": "PRIVATE" });
    file.as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    PreviewTarget::File(Box::new(serde_json::from_value(file).unwrap()))
}

/// A service that keeps files on another host, as a remote one does, and sends more than was
/// requested.
async fn two_hosts() -> (Capture, Capture) {
    let files = Capture::start(|_, _| Reply::Answer(200, Vec::new(), "x\n".repeat(500_000))).await;
    let signed = json!({ "url": format!("{}f/a", files.url), "name": "a", "extension": "txt", "type": "DOCUMENT" });
    let api = Capture::start(move |_, _| Reply::json(200, &signed)).await;
    (api, files)
}

#[rstest]
#[case::private(json!({}), vec!["GET /files/v3/files/7/signed-url"])]
#[case::public(json!({ "access": "PUBLIC_INDEXABLE" }), vec![])]
#[tokio::test]
async fn only_the_beginning_is_asked_for_and_the_token_stays_with_the_account(
    #[case] mut fields: serde_json::Value,
    #[case] calls: Vec<&str>,
) {
    let (api, files) = two_hosts().await;
    fields["url"] = json!(format!("{}f/a", files.url));
    let mut engine = Engine::start(client(&api.url)).await;
    let Preview::Text(text) = look(&mut engine, described(&fields)).await else {
        panic!()
    };
    assert!(
        text.cut.is_some(),
        "the rest of a longer answer is not read"
    );
    assert_eq!(api.calls(), calls);
    let seen = files.seen();
    assert_eq!(
        (seen.len(), seen[0].header("range")),
        (1, Some("bytes=0-65535"))
    );
    assert_eq!(seen[0].header("authorization"), None);
}

#[rstest]
#[case::thumbnail((99, 40), "thumb")]
#[case::small(ROOM, "medium")]
#[case::large((800, 600), "preview")]
#[tokio::test]
async fn of_a_large_picture_a_small_copy_is_asked_for(
    #[case] room: (u32, u32),
    #[case] size: &str,
) {
    let (api, _files) = two_hosts().await;
    let mut engine = Engine::start(client(&api.url)).await;
    let subject = described(
        &json!({ "extension": "jpg", "size": 9_000_000, "access": "PUBLIC_INDEXABLE", "url": "http://h/x" }),
    );
    let outcome = engine
        .answer(Request::GetPreview(GetPreview {
            subject,
            room,
            is_thumbnail: false,
            page: 0,
        }))
        .await;
    assert_eq!(
        outcome,
        Answer::GetPreview(Preview::Nothing(NoPreview::Damaged)),
        "it is no picture"
    );
    assert_eq!(api.seen()[0].query("size"), [size]);
}

#[tokio::test]
async fn previews_and_other_reads_do_not_wait_for_each_other() {
    let service = Capture::start(|seen, _| match seen.target.as_str() {
        "/files/v3/files/9" => Reply::json(200, &json!({ "id": "9", "archived": false })),
        _ => Reply::Silence,
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    for _ in 0..5 {
        engine.submit(Request::GetPreview(GetPreview {
            subject: described(&json!({})),
            room: ROOM,
            is_thumbnail: false,
            page: 0,
        }));
    }
    let details = engine
        .answer(Request::GetFile(GetFile {
            file: FileId::new("9"),
        }))
        .await;
    assert!(matches!(details, Answer::GetFile(_)));

    let (_api, files) = two_hosts().await;
    let silent = Capture::start(|_, _| Reply::Silence).await;
    let mut engine = Engine::start(client(&silent.url)).await;
    for _ in 0..20 {
        engine.submit(Request::GetFile(GetFile {
            file: FileId::new("1"),
        }));
    }
    let public =
        described(&json!({ "access": "PUBLIC_INDEXABLE", "url": format!("{}f/a", files.url) }));
    assert!(matches!(look(&mut engine, public).await, Preview::Text(_)));
}

#[tokio::test]
async fn a_preview_that_is_not_wanted_any_more_ends() {
    let silent = Capture::start(|_, _| Reply::Silence).await;
    let mut engine = Engine::start(client(&silent.url)).await;
    let op = engine.submit(Request::GetPreview(GetPreview {
        subject: described(&json!({})),
        room: ROOM,
        is_thumbnail: false,
        page: 0,
    }));
    engine.handle.cancel(op);
    loop {
        match engine.next().await {
            Event::Cancelled { op: of } => break assert_eq!(of, op),
            Event::Progress { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn files_and_folders_of_this_machine_are_looked_into_by_the_same_readers() {
    let (_service, mut engine, dir) = started().await;
    let zip = crate::support::archives::zip(&[("inner.txt", b"x")]);
    for (name, bytes) in [
        ("a.png", picture()),
        ("b.md", b"# Head".to_vec()),
        ("c.csv", b"id,name\n1,a\n".to_vec()),
        ("d.zip", zip),
        ("e.txt", Vec::new()),
    ] {
        local(&dir, name, &bytes);
    }
    fs::create_dir(dir.path().join("in")).unwrap();
    let mut seen = Vec::new();
    for name in ["a.png", "b.md", "c.csv", "d.zip", "e.txt"] {
        seen.push(look(&mut engine, PreviewTarget::Local(dir.path().join(name))).await);
    }
    let [
        Preview::Picture(seen_picture),
        Preview::Markdown(_),
        Preview::Table(table),
        Preview::Archive(archive),
        empty,
    ] = seen.as_slice()
    else {
        panic!("{seen:?}")
    };
    assert_eq!(
        (seen_picture.width, table.rows.len(), archive.entries.len()),
        (120, 2, 1)
    );
    assert_eq!(*empty, Preview::Nothing(NoPreview::Empty));
    let folder = look(&mut engine, PreviewTarget::Local(dir.path().to_owned())).await;
    let Preview::Folder(contents) = folder else {
        panic!("{folder:?}")
    };
    assert_eq!(
        (contents.folders, contents.files.len(), contents.is_all),
        (vec!["in".to_owned()], 5, true)
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_of_this_machine_is_not_waited_for() {
    let (_service, mut engine, dir) = started().await;
    let pipe = dir.path().join("pipe.txt");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let subject = PreviewTarget::Local(pipe);
    let question = GetPreview {
        subject,
        room: ROOM,
        is_thumbnail: false,
        page: 0,
    };
    let error = engine.run(Request::GetPreview(question)).await.unwrap_err();
    assert!(error.message.contains("has no preview"), "{error}");
}
