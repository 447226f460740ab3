//! Renaming several items at once: the text for the editor, the questions, and the jobs.

use filedeck::config::AccountSource;
use filedeck::engine::job::JobKind;
use filedeck::engine::{Job, Outcome, Request, SessionId};
use filedeck::tui::dialog::{Dialog, Names};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::world::{World, acme, after, file, many, root_entries};

fn is_queue(request: &Request) -> bool {
    matches!(request, Request::AddJobs(_))
}

fn asked() -> (World, Names) {
    let mut world = World::new();
    let names = names(&world.keys("ctrl-a r"));
    (world, names)
}

fn names(effects: &[Effect]) -> Names {
    let [Effect::EditNames(names)] = effects else {
        panic!("{effects:?}")
    };
    names.clone()
}

fn edited(from: &str, to: &str) -> World {
    let (mut world, names) = asked();
    let text = names.text.replace(from, to);
    assert_ne!(text, names.text);
    world.send(Msg::NamesEdited(names, Ok(text)));
    world
}

#[test]
fn marked_names_go_to_the_editor_and_what_changed_is_sent_after_a_look() {
    let (mut world, names) = asked();
    for line in [
        "1  marketing/",
        "2  sales/",
        "3  a.txt",
        "4  b.png",
        "5  c.pdf",
    ] {
        assert!(
            names.text.lines().any(|known| known == line),
            "{}",
            names.text
        );
    }
    let text = names
        .text
        .replace("b.png", "logo.png")
        .replace("sales/", "revenue/");
    world.send(Msg::NamesEdited(names, Ok(text)));
    assert!(world.shows("Rename 2 of 5"), "{}", world.drawn());
    assert!(world.shows("→ logo.png"), "{}", world.drawn());
    assert_eq!(world.count(is_queue), 0);
    world.keys("enter");
    assert!(world.state.dialogs.is_empty());
    assert!(world.marked().is_empty());
    let Job::Change { file, update, .. } = world.asked_job(JobKind::Rename) else {
        panic!()
    };
    assert_eq!(
        (file.path.as_str(), update.name.as_deref()),
        ("/b.png", Some("logo"))
    );
    let Job::UpdateFolder {
        from, name, parent, ..
    } = world.asked_job(JobKind::RenameFolder)
    else {
        panic!()
    };
    assert_eq!(
        (from.as_str(), name.as_deref(), parent),
        ("/sales", Some("revenue"), None)
    );
}

#[rstest]
#[case::two_the_same("2  sales/", "2  marketing/", "Two files would have this name")]
#[case::extension("5  c.pdf", "5  c", "extension .pdf must stay")]
#[case::swapped(
    "1  marketing/\n2  sales/",
    "1  sales/\n2  marketing/",
    "rename that one first"
)]
#[case::lost("4  b.png\n", "", "Line 4, b.png, is missing")]
#[case::slash("4  b.png", "4  x/b.png", "slash")]
fn a_clash_is_shown_and_nothing_is_sent(#[case] from: &str, #[case] to: &str, #[case] words: &str) {
    let mut world = edited(from, to);
    assert!(world.shows(words), "{}", world.drawn());
    world.keys("enter");
    assert_eq!(world.count(is_queue), 0);
    assert!(
        matches!(world.dialog(), Dialog::Renames(_)),
        "it stays open"
    );
}

#[rstest]
#[case::clear("-x.txt")]
#[case::refused(".md")]
fn all_new_names_can_be_scrolled_to(#[case] ending: &str) {
    let mut world = World::started();
    world.list("/", many(0..60), None);
    let names = names(&world.keys("ctrl-a r"));
    let text = names.text.replace(".txt", ending);
    world.send(Msg::NamesEdited(names, Ok(text)));
    let (first, last) = (format!("0000{ending}"), format!("0059{ending}"));
    assert!(
        world.shows(&first) && !world.shows(&last),
        "{}",
        world.drawn()
    );
    world.keys(&"j ".repeat(70));
    assert!(
        !world.shows(&first) && world.shows(&last),
        "{}",
        world.drawn()
    );
}

#[test]
fn the_editor_gets_what_was_typed_once_more() {
    let mut world = edited("b.png", "b.jpg");
    let again = names(&world.keys("e"));
    assert!(again.text.contains("4  b.jpg"), "{}", again.text);
    assert!(world.state.dialogs.is_empty());
    let text = again.text.replace("b.jpg", "x.png");
    world.send(Msg::NamesEdited(again, Ok(text)));
    world.keys("enter");
    let Job::Change { update, .. } = world.asked_job(JobKind::Rename) else {
        panic!()
    };
    assert_eq!(update.name.as_deref(), Some("x"));
}

#[test]
fn a_name_that_a_row_without_a_mark_has_is_taken() {
    let mut world = World::new();
    // All but `a.txt`, which still exists in the folder.
    let names = names(&world.keys("ctrl-a j j space r"));
    let text = names.text.replace("sales/", "a.txt");
    world.send(Msg::NamesEdited(names, Ok(text)));
    assert!(
        world.shows("This name exists in the folder."),
        "{}",
        world.drawn()
    );
    world.keys("enter esc");
    assert_eq!(world.count(is_queue), 0);
    assert_eq!(world.marked().len(), 4, "marks stay");
}

#[test]
fn an_editor_that_fails_or_changes_nothing_renames_nothing() {
    let (mut world, names) = asked();
    world.send(Msg::NamesEdited(
        names.clone(),
        Err("the editor ended with exit status: 1".to_owned()),
    ));
    assert!(
        world.says("Nothing was renamed: the editor ended with exit status: 1."),
        "{:?}",
        world.said()
    );
    let text = names.text.clone();
    world.send(Msg::NamesEdited(names, Ok(text)));
    assert!(world.says("No name was changed."), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
    assert_eq!(world.count(is_queue), 0);
}

#[test]
fn a_folder_is_read_to_its_end_before_its_names_are_edited() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    let effects = world.keys("space space r");
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::EditNames(_))),
        "{effects:?}"
    );
    assert!(
        world.says("Reading the whole folder first"),
        "{:?}",
        world.said()
    );
    let effects = world.list_all("/", many(0..150));
    let names = effects.iter().find_map(|effect| {
        if let Effect::EditNames(names) = effect {
            Some(names)
        } else {
            None
        }
    });
    assert_eq!(names.unwrap().all.len(), 2);
}

#[test]
fn an_editor_does_not_take_the_keys_from_a_dialog_that_was_opened_meanwhile() {
    let mut world = World::started();
    world.list(
        "/",
        [root_entries(), many(0..95)].concat(),
        Some(after(100)),
    );
    world.keys("space space r a");
    let effects = world.list_all("/", [root_entries(), many(0..150)].concat());
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::EditNames(_))),
        "{effects:?}"
    );
    assert!(world.says("r again to rename"), "{:?}", world.said());
}

#[test]
fn the_account_does_not_change_while_its_names_are_in_the_editor() {
    let mut world = World::new();
    world.keys("@ D enter");
    let names_before = names(&world.keys("ctrl-a r"));
    let text = names_before.text.replace("b.png", "b.jpg");
    world.connect(SessionId(2), AccountSource::Demo);
    world.send(Msg::NamesEdited(names_before, Ok(text)));
    let again = names(&world.keys("e"));
    assert_eq!(world.state.session.account.source, acme());
    let text = again.text.replace("b.jpg", "x.png");
    world.send(Msg::NamesEdited(again, Ok(text)));
    let effects = world.keys("enter");
    assert!(
        matches!(&effects[0], Effect::Submit(op, _) if op.session == SessionId::FIRST),
        "{effects:?}"
    );
    assert_eq!(
        world.state.session.account.source,
        AccountSource::Demo,
        "nothing is typed any more"
    );
}

#[test]
fn names_of_an_account_that_was_left_are_not_sent_to_another() {
    let (mut world, names) = asked();
    let text = names.text.replace("b.png", "x.png");
    world.send(Msg::NamesEdited(
        names.clone(),
        Err("it was killed".to_owned()),
    ));
    world.keys("@ D enter");
    world.connect(SessionId(2), AccountSource::Demo);
    world.send(Msg::NamesEdited(names, Ok(text)));
    assert!(world.state.dialogs.is_empty());
    assert!(
        world.says("Nothing was renamed: you have switched accounts"),
        "{:?}",
        world.said()
    );
}

#[test]
fn nothing_is_renamed_where_nothing_may_be_changed() {
    let mut world = edited("b.png", "x.png");
    world.state.session.account.read_only = true;
    world.keys("enter");
    assert_eq!(world.count(is_queue), 0);
    assert!(
        world.says("acme is read-only: nothing was changed."),
        "{:?}",
        world.said()
    );
}

#[test]
fn the_cursor_returns_to_a_renamed_row_that_the_filter_hides() {
    let mut world = World::new();
    world.keys("/");
    world.text("b.png");
    world.keys("enter r ctrl-u x enter");
    let taken = world.take(JobKind::Rename);
    let now = Outcome::FileUpdated(Box::new(file("2", "/x.png", "PRIVATE", None)));
    world.end_well(&taken, vec![now]);
    assert!(world.rows().is_empty(), "{:?}", world.rows());
    assert!(
        world.says("Renamed b.png → x.png, hidden by the filter"),
        "{:?}",
        world.said()
    );
    world.keys("esc");
    assert_eq!(world.here(), "x.png");
}
