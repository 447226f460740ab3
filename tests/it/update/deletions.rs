//! The list of deletions: permanent deletion by id, receipts.

use filedeck::api::DeletionAnswer;
use filedeck::api::ids::{FileId, FolderId};
use filedeck::engine::deletion::{DeletedContents, Deletion};
use filedeck::engine::job::JobKind;
use filedeck::engine::{Job, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::world::{World, file_target};
use filedeck::engine::Answer;
use filedeck::engine::question::{ListDeletedWith, ListDeletions, WriteExport};

/// `/cv.pdf` is deleted, `/old/cv.pdf` permanently.
fn list() -> Vec<Deletion> {
    let deletion = |id: &str, path: &str, at: &str, gone_by: Option<&str>| Deletion {
        target: file_target(id),
        path: path.to_owned(),
        deleted_at: at.parse().unwrap(),
        gone_by: gone_by.map(|by| by.parse().unwrap()),
        size: gone_by.map(|_| 48_213),
        md5: gone_by.map(|_| "9e107d9d372bb6826bd81d3542a419d6".to_owned()),
        answer: gone_by.map(|_| DeletionAnswer {
            status: 204,
            correlation_id: Some("019db16f".to_owned()),
        }),
        contents: None,
    };
    vec![
        deletion("7", "/cv.pdf", "2026-11-20T08:00:00Z", None),
        deletion(
            "8",
            "/old/cv.pdf",
            "2026-11-19T08:00:00Z",
            Some("2026-11-26T08:00:00Z"),
        ),
    ]
}

fn listed(list: Vec<Deletion>) -> World {
    let mut world = World::new();
    world.keys("g d");
    let op = world.asked(|request| matches!(request, Request::ListDeletions(ListDeletions)));
    world.done(op, Answer::ListDeletions(list));
    world
}

#[test]
fn what_was_deleted_before_is_deleted_for_good_by_its_id() {
    let mut world = listed(list());
    assert!(
        world.shows("2026-11-20 08:00  /cv.pdf"),
        "{}",
        world.drawn()
    );
    world.keys("D");
    assert!(
        matches!(world.dialog(), Dialog::Confirm(_)),
        "it is asked about"
    );
    assert!(
        world.shows("Permanently delete cv.pdf, from acme"),
        "{}",
        world.drawn()
    );
    world.keys("d e l e t e enter enter");
    let Job::Delete {
        item,
        permanent: true,
        state: None,
    } = world.asked_job(JobKind::Purge)
    else {
        panic!()
    };
    assert_eq!((item.target.id(), item.path.as_str()), ("7", "/cv.pdf"));
}

const RECEIPT: &str = "\
Receipt of a permanent deletion

Account    acme
Path       /old/cv.pdf
Id         8
Size       48213 bytes
MD5        9e107d9d372bb6826bd81d3542a419d6
Deleted    2026-11-19 08:00:00 UTC
Erased by  2026-11-26 08:00:00 UTC
Answer     accepted (HTTP 204, correlation id 019db16f)

The service has accepted the permanent deletion of this file: it erases content and metadata by \
2026-11-26 08:00:00 UTC, and nobody can restore them.
";

#[test]
fn a_receipt_is_copied_and_saved_as_a_text_for_people() {
    let mut world = listed(list());
    assert_eq!(
        world.keys("Y"),
        [Effect::Copy(RECEIPT.to_owned())],
        "of receipts, all"
    );
    assert_eq!(world.keys("j y"), [Effect::Copy(RECEIPT.to_owned())]);
    world.keys("enter");
    assert!(
        world.shows("MD5        9e107d9d372bb6826bd81d3542a419d6"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.keys("y"), [Effect::Copy(RECEIPT.to_owned())]);
    for keys in ["s", "esc s"] {
        world.keys(keys);
        let op = world.asked(|request| {
            *request
                == Request::WriteExport(WriteExport {
                    folder: "/home/ada/work".into(),
                    name: "receipt-8-2026-11-19.txt".to_owned(),
                    text: RECEIPT.to_owned(),
                })
        });
        let path = "/home/ada/work/receipt-8-2026-11-19.txt";
        world.done(op, Answer::WriteExport(path.into()));
        assert!(
            world.says(&format!("Written to {path}")),
            "{:?}",
            world.said()
        );
    }
    world.keys("D");
    assert!(
        world.shows("It is permanently deleted already."),
        "{}",
        world.drawn()
    );
    assert!(matches!(world.dialog(), Dialog::Deletions(_)));
}

#[test]
fn a_deletion_that_is_not_permanent_has_a_record_without_a_date_of_erasure() {
    let mut world = listed(list());
    world.keys("enter");
    assert!(
        world.shows("Record of a deletion") && world.shows("was not erased permanently"),
        "{}",
        world.drawn()
    );
    assert!(!world.shows("Erased by"), "{}", world.drawn());
}

/// Seen to fail when a lost answer counts as accepted.
#[test]
fn a_receipt_does_not_claim_an_answer_that_was_lost() {
    let mut list = list();
    list[1].answer = Some(DeletionAnswer {
        status: 404,
        correlation_id: None,
    });
    let mut world = listed(list);
    world.keys("j enter");
    assert!(
        world.shows("no such file anymore (HTTP 404)") && world.shows("was lost"),
        "{}",
        world.drawn()
    );
    assert!(!world.shows("has accepted"), "{}", world.drawn());
}

#[test]
fn receipts_that_do_not_fit_are_not_said_to_be_copied() {
    let mut world = listed(list());
    world.keys("Y");
    assert!(world.shows("Text copied"), "{}", world.drawn());
    world.send(Msg::CopyFailed);
    assert!(
        !world.shows("Text copied") && world.shows("nothing was copied"),
        "{}",
        world.drawn()
    );
}

#[test]
fn a_receipt_that_is_copied_says_so() {
    let mut world = listed(list());
    world.keys("j enter y");
    let drawn = world.drawn();
    let line = drawn
        .lines()
        .find(|line| line.contains("Text copied: Receipt"));
    let is_in_dialog = |line: &str| line.contains('╰') && line.contains('╯');
    assert!(line.is_some_and(is_in_dialog), "{drawn}");
}

#[test]
fn the_keys_that_have_no_room_are_named() {
    let mut world = listed(list());
    world.send(Msg::Resize { cols: 80, rows: 24 });
    assert!(!world.shows("save"), "{}", world.drawn());
    world.keys("?");
    assert!(
        world.shows("s save") && world.shows("Y copy all"),
        "{}",
        world.drawn()
    );
}

fn folder(files: usize, missing: Option<&str>) -> Deletion {
    let contents = DeletedContents {
        files,
        missing: missing.map(str::to_owned),
    };
    Deletion::of_folder(
        &FolderId::new("5"),
        "/old/",
        "2026-11-18T08:00:00Z".parse().unwrap(),
        contents,
    )
}

fn is_of_folder(request: &Request) -> bool {
    *request == Request::ListDeletedWith(ListDeletedWith(FolderId::new("5")))
}

fn files() -> Vec<Deletion> {
    let at = "2026-11-18T08:00:00Z".parse().unwrap();
    let file = |id: &str, path: &str| Deletion::new(&FileId::new(id), path, at, false);
    vec![file("11", "/old/a.txt"), file("12", "/old/deep/b.txt")]
}

#[test]
fn all_files_that_went_with_a_folder_are_deleted_for_good() {
    let mut world = listed(vec![folder(2, None)]);
    assert!(
        world.shows("/old/") && world.shows("2 files deleted with it can be deleted permanently.")
    );
    world.keys("D");
    assert!(world.state.dialogs.is_empty());
    let op = world.asked(is_of_folder);
    world.done(op, Answer::ListDeletedWith(files()));
    assert!(
        world.shows("Permanently delete 2 files, from acme"),
        "{}",
        world.drawn()
    );
    assert!(world.shows("Deleted with /old."), "{}", world.drawn());
    world.keys("2 enter enter");
    let (_, jobs) = world.asked_jobs(JobKind::Purge);
    let ids = jobs.iter().map(|job| job.target().unwrap().id().to_owned());
    assert_eq!(ids.collect::<Vec<_>>(), ["11", "12"]);
}

#[test]
fn one_file_that_went_with_a_folder_is_deleted_for_good() {
    let mut world = listed(vec![folder(2, None)]);
    world.keys("enter");
    let op = world.asked(is_of_folder);
    world.done(op, Answer::ListDeletedWith(files()));
    assert!(
        world.shows("Deleted with /old") && world.shows("/old/deep/b.txt"),
        "{}",
        world.drawn()
    );
    world.keys("esc");
    assert!(
        world.shows("2 files deleted with it"),
        "the list is there again"
    );
    world.keys("enter");
    let op = world.asked(is_of_folder);
    world.done(op, Answer::ListDeletedWith(files()));
    world.keys("j D");
    assert!(
        world.shows("Permanently delete b.txt, from acme"),
        "{}",
        world.drawn()
    );
    assert_eq!(
        world.state.dialogs.len(),
        1,
        "what will not be true any more is closed"
    );
    world.keys("1 enter enter");
    let Job::Delete {
        item,
        permanent: true,
        state: None,
    } = world.asked_job(JobKind::Purge)
    else {
        panic!()
    };
    assert_eq!(item.target.id(), "12");
}

#[test]
fn files_that_are_not_known_are_told_of() {
    let mut world = listed(vec![folder(2, Some("it takes too long"))]);
    assert!(
        world.shows("2+ files") && world.shows("not known: it takes too long"),
        "{}",
        world.drawn()
    );
    world.keys("D");
    let op = world.asked(is_of_folder);
    world.done(op, Answer::ListDeletedWith(files()));
    assert!(
        world.shows("Other files may have gone"),
        "{}",
        world.drawn()
    );
}

#[rstest]
#[case::none(None, "It held no files: there is nothing left to erase.")]
#[case::none_known(Some("no luck"), "The files deleted with it are not known: no luck")]
fn where_no_file_is_known_there_is_nothing_to_delete_for_good(
    #[case] missing: Option<&str>,
    #[case] said: &str,
) {
    let mut world = listed(vec![folder(0, missing)]);
    assert!(world.shows(said), "{}", world.drawn());
    for key in ["D", "enter"] {
        assert_eq!(world.keys(key), []);
        assert!(
            world.shows("No file of this folder is known"),
            "{}",
            world.drawn()
        );
    }
}

/// Seen to fail when every folder without files is reported as empty.
#[test]
fn a_folder_whose_files_are_permanently_deleted_is_not_said_to_have_held_none() {
    let receipt = Deletion::new(
        &FileId::new("11"),
        "/old/a.txt",
        "2026-11-18T08:00:00Z".parse().unwrap(),
        true,
    );
    let world = listed(vec![folder(0, None), receipt]);
    assert!(
        world.shows("none left") && world.shows("Its files are deleted permanently"),
        "{}",
        world.drawn()
    );
    assert!(!world.shows("no files"), "{}", world.drawn());
}

#[test]
fn where_there_is_no_receipt_none_is_copied() {
    let mut world = listed(list().drain(..1).collect());
    assert_eq!(world.keys("Y"), []);
    assert!(world.shows("there is no receipt"), "{}", world.drawn());
}

#[test]
fn an_account_for_reading_only_shows_the_list_and_deletes_nothing() {
    let mut world = listed(list());
    world.state.session.account.read_only = true;
    world.keys("D");
    assert!(world.says("read-only"), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn where_nothing_was_deleted_that_is_said() {
    let world = listed(Vec::new());
    assert!(
        world.says("filedeck has deleted nothing from this account"),
        "{:?}",
        world.said()
    );
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn a_deleted_file_can_be_restored_in_the_web_application_of_the_account_that_has_one() {
    let mut world = World::new();
    world.state.accounts[0].address = Some("https://api.hubapi.com".parse().unwrap());
    world.keys("g d");
    let op = world.asked(|request| matches!(request, Request::ListDeletions(ListDeletions)));
    world.done(op, Answer::ListDeletions(list()));
    assert!(
        world.shows("https://app.hubspot.com/l/files"),
        "{}",
        world.drawn()
    );
    assert_eq!(
        world.keys("b"),
        [Effect::OpenBrowser(
            "https://app.hubspot.com/l/files".to_owned()
        )]
    );
    assert!(matches!(world.dialog(), Dialog::Deletions(_)));

    let mut elsewhere = listed(list());
    assert!(
        elsewhere.shows("its API cannot restore it"),
        "{}",
        elsewhere.drawn()
    );
    assert_eq!(elsewhere.keys("b"), []);
}
