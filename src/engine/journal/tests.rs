use super::*;

async fn open(dir: &tempfile::TempDir, account: &str) -> Journal {
    Journal::open(&dir.path().join("journal.db"), account).await.unwrap()
}

#[tokio::test]
async fn tasks_of_an_earlier_run_are_remembered_until_they_end() {
    let dir = tempfile::tempdir().unwrap();
    let (import, update) = (TaskId::new("AAAAEZ6whGI="), TaskId::new("2"));
    {
        let journal = open(&dir, "a").await;
        journal.begin_import(&import, "https://u:p@example.com/a.png?sig=canary#x", "/in").await.unwrap();
        journal.begin_folder_update(&update, &FolderId::new("9"), "/a", "/b").await.unwrap();
        // Dropped without closing, as a kill would leave it.
    }
    let journal = open(&dir, "a").await;
    let expected = [
        Unfinished::Job(Job::WatchImport {
            task: import.clone(),
            url: "https://example.com/a.png".into(),
            folder: "/in".into(),
        }),
        Unfinished::Job(Job::WatchFolderUpdate {
            task: update,
            folder: FolderId::new("9"),
            from: "/a".into(),
            to: "/b".into(),
        }),
    ];
    assert_eq!(journal.unfinished().await.unwrap(), expected);
    journal.end_import(&import).await.unwrap();
    assert_eq!(journal.unfinished().await.unwrap(), expected[1..]);
    assert_eq!(open(&dir, "b").await.unfinished().await.unwrap(), []);
}

#[tokio::test]
async fn a_transfer_is_told_once_when_its_run_is_over_and_never_while_it_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(&dir, "a").await;
    let ended = first.begin_transfer("upload of a.png", None).await.unwrap();
    first.begin_transfer("upload of b.png", None).await.unwrap();
    first.end_transfer(ended).await.unwrap();
    assert_eq!(first.unfinished().await.unwrap(), []);
    let second = open(&dir, "a").await;
    assert_eq!(second.unfinished().await.unwrap(), [], "the first run is still at it");
    drop(first);
    let lost = [Unfinished::CutShort { what: "upload of b.png".into(), folder: None }];
    assert_eq!(second.unfinished().await.unwrap(), lost);
    assert_eq!(second.unfinished().await.unwrap(), []);
}

#[tokio::test]
async fn a_receipt_says_by_when_a_file_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(&dir, "a").await;
    journal.add_receipt(&FileId::new("7"), "/private/cv.pdf").await.unwrap();
    let receipts = journal.receipts().await.unwrap();
    let [receipt] = receipts.as_slice() else { panic!("{receipts:?}") };
    assert_eq!((receipt.file.as_str(), receipt.path.as_str()), ("7", "/private/cv.pdf"));
    assert_eq!(receipt.gone_by.duration_since(receipt.deleted_at), GONE_WITHIN);
}

fn locks(dir: &tempfile::TempDir) -> Vec<String> {
    let names = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == "lock")).collect()
}

#[tokio::test]
async fn a_run_leaves_no_lock_behind_and_removes_those_of_runs_that_were_killed() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(&dir, "a").await);
    assert_eq!(locks(&dir), Vec::<String>::new());
    std::fs::write(dir.path().join("journal.db.0199-killed.lock"), "").unwrap();
    let other = open(&dir, "b").await;
    open(&dir, "a").await.unfinished().await.unwrap();
    assert_eq!(locks(&dir), [format!("journal.db.{}.lock", other.run.id)]);
}
