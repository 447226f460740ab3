//! Requests that were carried out although their response never arrived: nothing is done twice,
//! nothing is lost.

use filedeck::api::model::Access;

use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Instant;

use filedeck::api::{AdvicePlace, Error};
use rstest::rstest;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::{
    Capture, Engine, FolderId, FolderRef, Job, Outcome, Reply, Request, client, json, local,
    sending,
};
use crate::support::account::TIMING;
use crate::support::capture::Seen;
use crate::support::service::listener;
use filedeck::engine::question::AddJobs;

fn upload(local: &std::path::Path) -> Job {
    sending(
        local,
        &FolderRef {
            id: Some(FolderId::new("5")),
            path: "/in".to_owned(),
        },
        Access::Private,
    )
}

const MD5: &str = "5d41402abc4b2a76b9719d911017c592";

fn copy(id: &str, name: &str) -> Value {
    json!({ "id": id, "name": name, "extension": "txt", "parentFolderId": "5", "size": 5, "fileMd5": MD5 })
}

/// A service that loses the response to the first upload; `looks` are the files, as `id:name`, in
/// the responses to the listings. The first listing comes before the upload, the last one is
/// repeated.
async fn losing(looks: &'static [&'static str]) -> Capture {
    let (posts, gets) = (AtomicUsize::new(0), AtomicUsize::new(0));
    Capture::start(move |seen, _| match seen.method.as_str() {
        "POST" if posts.fetch_add(1, SeqCst) == 0 => Reply::Cut,
        "POST" => Reply::json(201, &copy("7", "a")),
        _ => {
            let files = looks[gets.fetch_add(1, SeqCst).min(looks.len() - 1)].split_whitespace();
            let files: Vec<_> = files
                .map(|file| file.split_once(':').unwrap())
                .map(|(id, name)| copy(id, name))
                .collect();
            Reply::json(200, &json!({ "results": files }))
        }
    })
    .await
}

async fn sent_to(service: &Capture) -> Result<Outcome, Error> {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url)).await;
    engine
        .carry_out(upload(&local(&dir, "a.txt", b"hello")))
        .await
}

fn nothing() -> Reply {
    Reply::json(200, &json!({ "results": [] }))
}

fn posts(service: &Capture) -> Vec<Seen> {
    service
        .seen()
        .into_iter()
        .filter(|seen| seen.method == "POST")
        .collect()
}

#[rstest]
#[case::at_once(&["", "7:a-1"])]
#[case::after_a_while(&["", "", "", "7:a"])]
#[case::beside_an_older_copy(&["3:a", "3:a 7:a-1"])]
#[tokio::test]
async fn an_upload_that_arrived_is_found_and_not_sent_again(
    #[case] looks: &'static [&'static str],
) {
    let service = losing(looks).await;
    let outcome = sent_to(&service).await.unwrap();
    assert!(
        matches!(outcome, Outcome::Uploaded { file, twins } if file.id.as_str() == "7" && twins.is_empty())
    );
    assert_eq!(posts(&service).len(), 1);
    assert_eq!(service.seen().last().unwrap().query("fileMd5"), [MD5]);
}

#[tokio::test]
async fn an_upload_that_did_not_arrive_is_sent_once_more_so_that_a_copy_that_comes_late_is_answered_with()
 {
    let service = losing(&[""]).await;
    let outcome = sent_to(&service).await.unwrap();
    assert!(matches!(outcome, Outcome::Uploaded { file, .. } if file.id.as_str() == "7"));
    let posts = posts(&service);
    assert_eq!(posts.len(), 2);
    assert!(!posts[0].text().contains("RETURN_EXISTING"));
    assert!(
        posts[1]
            .text()
            .contains(r#""duplicateValidationScope":"EXACT_FOLDER","duplicateValidationStrategy":"RETURN_EXISTING""#)
    );
}

#[rstest]
#[case::older(&["3:a"])]
#[case::under_another_name(&["", "3:other"])]
#[tokio::test]
async fn where_another_copy_would_be_answered_with_nothing_is_sent_again_and_nothing_claimed(
    #[case] looks: &'static [&'static str],
) {
    let service = losing(looks).await;
    let error = sent_to(&service).await.unwrap_err();
    assert!(error.in_doubt);
    assert!(
        error
            .message
            .contains("may have been stored: check before you upload it again"),
        "{error}"
    );
    let advice = error.advice(AdvicePlace::Command).unwrap();
    assert!(!advice.contains("try again"), "{advice}");
    assert_eq!(posts(&service).len(), 1);
}

#[tokio::test]
async fn a_service_that_does_not_filter_leaves_the_doubt() {
    let service = Capture::start(|seen, _| match seen.method.as_str() {
        "POST" => Reply::Cut,
        _ => Reply::json(
            200,
            &json!({ "results": [{ "id": "1", "name": "b", "parentFolderId": "5", "size": 9 }] }),
        ),
    })
    .await;
    assert!(sent_to(&service).await.unwrap_err().in_doubt);
    assert_eq!(posts(&service).len(), 1);
}

#[tokio::test]
async fn a_copy_that_came_late_is_told_of() {
    let service = losing(&["", "", "", "", "", "7:a 8:a-1"]).await;
    let outcome = sent_to(&service).await.unwrap();
    let Outcome::Uploaded { file, twins } = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(file.id.as_str(), "7");
    assert_eq!(
        twins
            .iter()
            .map(|twin| twin.id.as_str())
            .collect::<Vec<_>>(),
        ["8"]
    );
}

#[tokio::test]
async fn the_last_look_comes_when_the_service_had_the_time_to_settle_once_more() {
    let (posts, again) = (AtomicUsize::new(0), OnceLock::new());
    let service = Capture::start(move |seen, _| match seen.method.as_str() {
        "POST" if posts.fetch_add(1, SeqCst) == 0 => Reply::Cut,
        "POST" => {
            again.set(Instant::now()).unwrap();
            Reply::json(201, &copy("7", "a"))
        }
        _ => {
            let is_late = again
                .get()
                .is_some_and(|again: &Instant| again.elapsed() >= TIMING.settle);
            let late = if is_late {
                vec![copy("7", "a"), copy("8", "a-1")]
            } else {
                Vec::new()
            };
            Reply::json(200, &json!({ "results": late }))
        }
    })
    .await;
    let outcome = sent_to(&service).await.unwrap();
    assert!(
        matches!(outcome, Outcome::Uploaded { twins, .. } if twins.len() == 1 && twins[0].id.as_str() == "8")
    );
}

#[tokio::test]
async fn an_upload_whose_body_did_not_get_through_is_sent_again_without_asking() {
    let dir = tempfile::tempdir().unwrap();
    // More than the buffers between the two can hold.
    let source = local(&dir, "a.txt", &vec![7; 32 << 20]);
    let listener = listener().await;
    let url = format!("http://{}", listener.local_addr().unwrap())
        .parse()
        .unwrap();
    let served = tokio::spawn(async move {
        // First the listing, then the upload, cut after its head.
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 16];
            stream.read_exact(&mut head).await.unwrap();
            if head.starts_with(b"GET") {
                let answer = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 14\r\n\r\n{\"results\":[]}";
                stream.write_all(answer).await.unwrap();
            }
        }
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = [0; 4];
        stream.read_exact(&mut head).await.unwrap();
        head
    });
    let mut engine = Engine::start(client(&url)).await;
    engine.submit(Request::AddJobs(AddJobs(vec![upload(&source)])));
    assert_eq!(&served.await.unwrap(), b"POST");
}

#[tokio::test]
async fn a_stored_file_with_another_checksum_is_reported() {
    let service = Capture::start(|seen, _| match seen.method.as_str() {
        "GET" => nothing(),
        _ => Reply::json(
            201,
            &json!({ "id": "7", "fileMd5": "00000000000000000000000000000000" }),
        ),
    })
    .await;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url)).await;
    let error = engine
        .carry_out(upload(&local(&dir, "a.txt", b"hello")))
        .await
        .unwrap_err();
    assert!(error.message.contains("MD5"), "{error}");
}

#[tokio::test]
async fn a_folder_that_was_made_is_found_and_not_made_again() {
    let service = Capture::start(|seen, _| match seen.method.as_str() {
        "POST" => Reply::Cut,
        _ => Reply::json(200, &json!({ "id": "9", "name": "a", "path": "/a" })),
    })
    .await;
    let mut engine = Engine::start(client(&service.url)).await;
    let outcome = engine
        .job(Job::CreateFolder {
            parent: FolderRef::root(),
            name: "a".to_owned(),
        })
        .await;
    assert!(matches!(outcome, Outcome::FolderCreated(folder) if folder.id.as_str() == "9"));
    assert_eq!(
        service.calls(),
        ["POST /files/v3/folders", "GET /files/v3/folders/a"]
    );
}

#[tokio::test]
async fn a_folder_is_refused_in_words_that_say_what_to_name_instead() {
    let service = Capture::start(|_, _| Reply::json(500, &json!({}))).await;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(client(&service.url)).await;
    let error = engine.carry_out(upload(dir.path())).await.unwrap_err();
    assert!(
        error.message.ends_with("is a folder; name the files in it"),
        "{error}"
    );
    assert_eq!(service.calls(), Vec::<String>::new());
}
