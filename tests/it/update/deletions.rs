//! The list of what was deleted: permanent deletion by id, receipts as JSON.

use filedeck::api::ids::FileId;
use filedeck::engine::deletion::Deletion;
use filedeck::engine::job::Verb;
use filedeck::engine::{Job, Outcome, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::{Effect, Msg};

use super::world::World;

/// `/cv.pdf` is deleted, `/old/cv.pdf` for good.
fn list() -> Vec<Deletion> {
    let deletion = |id: &str, path: &str, at: &str, gone_by: Option<&str>| Deletion {
        file: FileId::new(id),
        path: path.to_owned(),
        deleted_at: at.parse().unwrap(),
        gone_by: gone_by.map(|by| by.parse().unwrap()),
    };
    vec![
        deletion("7", "/cv.pdf", "2026-11-20T08:00:00Z", None),
        deletion("8", "/old/cv.pdf", "2026-11-19T08:00:00Z", Some("2026-11-26T08:00:00Z")),
    ]
}

fn listed(list: Vec<Deletion>) -> World {
    let mut world = World::new();
    world.keys("g d");
    let op = world.asked(|request| matches!(request, Request::Deletions));
    world.done(op, Outcome::Deletions(list));
    world
}

#[test]
fn what_was_deleted_before_is_deleted_for_good_by_its_id() {
    let mut world = listed(list());
    assert!(world.shows("2026-11-20 08:00  /cv.pdf"), "{}", world.drawn());
    world.keys("D");
    assert!(matches!(world.dialog(), Dialog::Confirm(_)), "it is asked about");
    assert!(world.shows("Delete for good: cv.pdf, from acme"), "{}", world.drawn());
    world.keys("d e l e t e tab enter");
    let Job::Delete { item, permanent: true } = world.asked_job(Verb::Purge) else { panic!() };
    assert_eq!((item.target.id(), item.path.as_str()), ("7", "/cv.pdf"));
}

#[test]
fn a_receipt_is_copied_as_json() {
    let mut world = listed(list());
    let json = r#"{"id":"8","path":"/old/cv.pdf","deletedAt":"2026-11-19T08:00:00Z","goneBy":"2026-11-26T08:00:00Z"}"#;
    assert_eq!(world.keys("Y"), [Effect::Copy(json.to_owned())], "of receipts, all");
    assert_eq!(world.keys("j y"), [Effect::Copy(json.to_owned())]);
    world.keys("D");
    assert!(world.shows("It is deleted for good already."), "{}", world.drawn());
    assert!(matches!(world.dialog(), Dialog::Deletions(_)));
}

#[test]
fn receipts_that_do_not_fit_are_not_said_to_be_copied() {
    let mut world = listed(list());
    world.keys("Y");
    assert!(world.shows("1 receipt copied"), "{}", world.drawn());
    world.send(Msg::NotCopied);
    assert!(!world.shows("1 receipt copied") && world.shows("nothing was copied"), "{}", world.drawn());
}

#[test]
fn under_every_row_it_is_said_what_is_not_listed() {
    let mut world = listed(list());
    for key in ["k", "j"] {
        world.keys(key);
        assert!(world.shows("Files that went with a folder are not listed"), "{}", world.drawn());
    }
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
    world.state.desk.account.read_only = true;
    world.keys("D");
    assert!(world.says("read-only"), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn where_nothing_was_deleted_that_is_said() {
    let world = listed(Vec::new());
    assert!(world.says("No file was deleted by itself"), "{:?}", world.said());
    assert!(world.says("What went with a folder is not listed."), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
}
