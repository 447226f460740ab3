//! Updates and deletions.

use super::*;
use crate::support::changed::changed;
use filedeck::engine::Answer;
use filedeck::engine::question::{ControlQueue, ListDeletions, ListFailures};

#[tokio::test]
async fn one_failure_does_not_end_a_batch() {
    let (_service, mut engine, dir) = started().await;
    let file = upload(
        &mut engine,
        &local(&dir, "a.txt", b"a"),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    let update = Box::new(changed(FileUpdate::default(), |update| {
        update.name = Some("z".to_owned());
    }));
    let missing = item(Target::File(FileId::new("999999")), "/none.txt");
    let jobs = [missing, Item::of(&file)].map(|file| Job::Change {
        file,
        update: update.clone(),
        seen: None,
    });
    let (settled, ended) = engine.settle(jobs.into()).await;
    let mut ended_well: Vec<String> = Vec::new();
    for Settled { result, .. } in settled {
        match result {
            Ok(Outcome::FileUpdated(file)) => ended_well.push(file.full_name()),
            result => assert_eq!(result.unwrap_err().kind, Kind::NotFound),
        }
    }
    assert_eq!(ended_well, ["z.txt"]);
    assert_eq!(
        (ended.counts.done, ended.counts.failed, ended.counts.total),
        (1, 1, 2)
    );
    assert_eq!(
        ended
            .failure
            .as_ref()
            .map(|(what, error)| (what.as_str(), error.kind)),
        Some(("none.txt", Kind::NotFound))
    );
    let Answer::ListFailures(failures) = engine
        .answer(Request::ListFailures(ListFailures(ended.id)))
        .await
    else {
        panic!()
    };
    assert_eq!(failures.len(), 1);
}

#[tokio::test]
async fn a_permanent_deletion_leaves_a_receipt_and_is_for_files_only() {
    let service = TestService::start().await;
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(&dir.path().join("journal.db"), "test")
        .await
        .unwrap();
    let mut engine = Engine::with_journal(client_of(&service, Version::V3), journal.clone());
    let docs = new_folder(&mut engine, &FolderRef::root(), "docs").await;
    let file = upload(
        &mut engine,
        &local(&dir, "cv.pdf", b"x"),
        &docs,
        Access::Private,
    )
    .await;
    let folder = item(Target::Folder(docs.id.unwrap()), "/docs");
    let purge = |item: Item| Job::Delete {
        item,
        permanent: true,
        state: None,
    };
    assert_eq!(
        engine.carry_out(purge(folder)).await.unwrap_err().kind,
        Kind::Refused
    );
    let target = Target::File(file.id.clone());
    assert!(
        matches!(engine.job(purge(Item::of(&file))).await, Outcome::Deleted { target: gone, .. } if gone == target)
    );
    let receipts = journal.deletions().await.unwrap();
    assert!(receipts.iter().all(|receipt| receipt.gone_by.is_some()));
    assert_eq!(
        receipts
            .iter()
            .map(|receipt| receipt.path.as_str())
            .collect::<Vec<_>>(),
        ["/docs/cv.pdf"]
    );

    // Already gone: reported as such, not as done.
    let again = Job::Delete {
        item: Item::of(&file),
        permanent: false,
        state: None,
    };
    assert_eq!(
        engine.carry_out(again).await.unwrap_err().kind,
        Kind::NotFound
    );
}

#[tokio::test]
async fn what_was_deleted_is_remembered_and_can_be_deleted_for_good() {
    let service = TestService::start().await;
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(&dir.path().join("journal.db"), "test")
        .await
        .unwrap();
    let mut engine = Engine::with_journal(client_of(&service, Version::V3), journal.clone());
    let file = upload(
        &mut engine,
        &local(&dir, "cv.pdf", b"x"),
        &FolderRef::root(),
        Access::Private,
    )
    .await;
    engine
        .job(Job::Delete {
            item: Item::of(&file),
            permanent: false,
            state: None,
        })
        .await;
    let Answer::ListDeletions(deletions) =
        engine.answer(Request::ListDeletions(ListDeletions)).await
    else {
        panic!()
    };
    let [deletion] = deletions.as_slice() else {
        panic!("{deletions:?}")
    };
    let target = Target::File(file.id.clone());
    assert_eq!(
        (&deletion.target, deletion.path.as_str(), deletion.gone_by),
        (&target, "/cv.pdf", None)
    );
    let purge = Job::Delete {
        item: item(Target::File(file.id.clone()), "/cv.pdf"),
        permanent: true,
        state: None,
    };
    let Outcome::Deleted {
        deletion: Some(receipt),
        ..
    } = engine.job(purge).await
    else {
        panic!("no receipt")
    };
    assert!(receipt.gone_by.is_some_and(|by| by > receipt.deleted_at));
    let answer = receipt.answer.as_ref().unwrap();
    assert!(answer.is_accepted() && answer.correlation_id.is_some());
    assert_eq!(
        (receipt.size, &receipt.md5),
        (file.size, &file.file_md5),
        "the content that was erased"
    );
    assert_eq!(
        journal.deletions().await.unwrap(),
        [receipt],
        "it is told as it is kept"
    );
}

#[tokio::test]
async fn deletions_that_are_cancelled_are_accounted_for_one_by_one() {
    let service = Capture::start(|_, _| Reply::status(204, &[])).await;
    let mut engine = Engine::start(client(&service.url)).await;
    let id = engine
        .queue((0..200).map(|id| deletion(&id.to_string())).collect())
        .await;
    let mut cancelled = false;
    let (settled, ended) = engine
        .end_of(id, |handle, event| {
            if matches!(event, Event::Settled { .. }) && !std::mem::replace(&mut cancelled, true) {
                handle
                    .submit(
                        OpId {
                            session: SessionId::FIRST,
                            number: 1_000,
                        },
                        Request::ControlQueue(ControlQueue(Control::Cancel(id))),
                    )
                    .unwrap();
            }
        })
        .await;
    let counts = ended.counts;
    assert!(ended.is_cancelled() && counts.done > 0, "{counts:?}");
    assert_eq!(
        (
            counts.done + counts.cancelled,
            counts.failed,
            counts.running
        ),
        (200, 0, 0)
    );
    assert_eq!(
        (settled.len(), service.seen().len()),
        (counts.done, counts.done),
        "every request is accounted for"
    );

    engine
        .answer(Request::ControlQueue(ControlQueue(Control::Retry(id))))
        .await;
    let (_, ended) = engine.end_of(id, |_, _| {}).await;
    assert_eq!(
        (ended.counts.done, ended.counts.cancelled),
        (200, 0),
        "a retry does the rest"
    );
    assert_eq!(service.seen().len(), 200);
}

#[tokio::test]
async fn what_has_changed_since_it_was_seen_is_left_alone() {
    let (service, mut engine, dir) = started().await;
    let folder = new_folder(&mut engine, &FolderRef::root(), "docs").await;
    let file = upload(
        &mut engine,
        &local(&dir, "a.txt", b"a"),
        &folder,
        Access::Private,
    )
    .await;
    let renamed = |file: &File, name: &str, seen| {
        let update = changed(FileUpdate::default(), |update| {
            update.name = Some(name.to_owned());
        });
        Job::Change {
            file: Item::of(file),
            update: Box::new(update),
            seen,
        }
    };
    service.clock.advance(SignedDuration::from_secs(1));
    let Outcome::FileUpdated(now) = engine.job(renamed(&file, "b", file.updated_at)).await else {
        panic!()
    };
    assert_eq!(now.full_name(), "b.txt");
    let back = Job::Move {
        file: Item::of(&file),
        into: FolderRef::root(),
        seen: file.updated_at,
    };
    for stale in [renamed(&file, "c", file.updated_at), back] {
        let error = engine.carry_out(stale).await.unwrap_err();
        assert_eq!(
            (error.kind, error.message.contains("has changed since")),
            (Kind::Conflict, true),
            "{error}"
        );
    }

    let id = folder.id.clone().unwrap();
    let rename = |from: &str, name: &str, seen| Job::UpdateFolder {
        folder: id.clone(),
        from: from.to_owned(),
        name: Some(name.to_owned()),
        parent: None,
        seen,
    };
    let mut renamed = async |job| {
        let outcome = engine.carry_out_with(job, watch::polled(&service)).await?;
        if let Outcome::FolderUpdated(folder) = outcome {
            Ok(folder)
        } else {
            panic!("{outcome:?}")
        }
    };
    let first = renamed(rename("/docs", "texts", None)).await.unwrap();
    let now = renamed(rename("/texts", "docs", first.updated_at))
        .await
        .unwrap();
    assert_eq!(now.path.as_deref(), Some("/docs"));
    assert_ne!(now.updated_at, first.updated_at);
    let error: filedeck::api::Error = renamed(rename("/texts", "other", first.updated_at))
        .await
        .unwrap_err();
    assert!(error.message.contains("has changed since"), "{error}");
}
