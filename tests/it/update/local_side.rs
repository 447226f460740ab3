//! The local list: its requests, movement and marks, uploads from it, and downloads into its
//! folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use filedeck::api::{Error, Kind};
use filedeck::config::favorites::{FavoritesChange, TypedLine};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::FolderRef;
use filedeck::engine::plan::Direction;
use filedeck::engine::preview::PreviewTarget;
use filedeck::engine::question::{GetPreview, ListLocalFolder, PlanDownload, PlanUpload};
use filedeck::engine::sending::IntoFolder;
use filedeck::engine::{Answer, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{Beside, Mode, Pane, View};
use rstest::rstest;
use unicode_normalization::UnicodeNormalization as _;

use super::plan::{is_nothing_queued, new, queued};
use super::world::{World, local_entries};

/// The local list, open on a folder with these names; those of folders end with a slash.
pub(super) fn opened(names: &[&str]) -> World {
    let mut world = World::new();
    world.keys("t");
    list(&mut world, "/home/ada/work", names);
    world
}

pub(super) fn list(world: &mut World, folder: &str, names: &[&str]) {
    let wanted = Request::ListLocalFolder(ListLocalFolder {
        folder: folder.into(),
    });
    let op = world.asked(|request| *request == wanted);
    world.done(op, Answer::ListLocalFolder(local_entries(names)));
}

fn is_asked(world: &World) -> bool {
    world
        .asked_for(|request| matches!(request, Request::ListLocalFolder(_)))
        .is_some()
}

fn names(world: &World) -> Vec<&str> {
    let list = &world.state.local_side;
    (0..list.list.rows().len())
        .filter_map(|at| list.at(at))
        .map(|row| row.name.as_str())
        .collect()
}

fn here(world: &World) -> &str {
    world.state.local_side.current().map_or("", |row| &row.name)
}

fn marked(world: &World) -> Vec<PathBuf> {
    let marked = world.state.local_side.marked();
    let paths: BTreeSet<PathBuf> = marked.map(|(path, _)| path).collect();
    paths.into_iter().collect()
}

#[test]
fn it_opens_beside_the_accounts_list_and_closes_again() {
    let mut world = opened(&["b.txt", "a.txt", "in/", ".hidden"]);
    assert_eq!(
        (world.state.focus, names(&world)),
        (Pane::Local, vec!["in", "a.txt", "b.txt"])
    );
    let drawn = world.drawn();
    assert!(
        drawn.contains("this machine  ~/work") && drawn.contains("acme  /"),
        "{drawn}"
    );
    assert!(
        drawn.contains("marketing/") && !drawn.contains("Folders"),
        "{drawn}"
    );
    world.keys("tab");
    assert_eq!(world.state.focus, Pane::List);
    world.keys("t");
    assert_eq!(world.state.focus, Pane::List);
    assert!(matches!(world.state.mode, Mode::Lists(Beside::Nothing)));
    assert!(!world.drawn().contains("this machine"));
}

#[test]
fn folders_are_gone_into_and_left_and_the_cursor_comes_back_to_them() {
    let mut world = opened(&["in/", "out/", "a.txt"]);
    world.keys("j l");
    list(&mut world, "/home/ada/work/out", &["deep.txt"]);
    assert_eq!(here(&world), "deep.txt");
    world.keys("h");
    list(&mut world, "/home/ada/work", &["in/", "out/", "a.txt"]);
    assert_eq!(here(&world), "out");
    world.keys("h");
    list(&mut world, "/home/ada", &["play/", "work/"]);
    assert_eq!(here(&world), "work");
    world.keys("t t");
    assert_eq!(
        world.state.local_side.folder.to_str(),
        Some("/home/ada"),
        "it is remembered"
    );
}

#[test]
fn an_answer_of_a_folder_that_was_left_is_dropped() {
    let mut world = opened(&["in/"]);
    world.keys("l");
    let inside = world.asked(|request| matches!(request, Request::ListLocalFolder(_)));
    world.keys("h");
    world.done(
        inside,
        Answer::ListLocalFolder(local_entries(&["late.txt"])),
    );
    assert_eq!(names(&world), Vec::<&str>::new());
    list(&mut world, "/home/ada/work", &["in/"]);
    assert_eq!(names(&world), ["in"]);
}

#[test]
fn a_folder_that_cannot_be_read_says_so_with_the_keys_that_help() {
    let mut world = World::new();
    world.keys("t");
    let op = world.asked(|request| matches!(request, Request::ListLocalFolder(_)));
    world.fail(
        op,
        Error::new(Kind::Local, "Cannot list /home/ada/work: permission denied"),
    );
    let drawn = world.drawn();
    assert!(
        drawn.contains("could not be read") && drawn.contains("permission denied"),
        "{drawn}"
    );
    assert!(drawn.contains("ctrl-r retries"), "{drawn}");
    world.keys("ctrl-r");
    list(&mut world, "/home/ada/work", &["a.txt"]);
    assert_eq!(names(&world), ["a.txt"]);
}

#[test]
fn it_is_read_again_when_it_is_entered_and_after_a_download() {
    let mut world = opened(&["a.txt"]);
    world.keys("tab");
    assert!(!is_asked(&world));
    world.keys("shift-tab");
    list(&mut world, "/home/ada/work", &["a.txt", "new.txt"]);
    assert_eq!(names(&world), ["a.txt", "new.txt"]);
    world.keys("tab G s");
    let taken = world.take(JobKind::Download);
    assert!(!is_asked(&world));
    world.end(&taken, vec![Err(Error::new(Kind::Server, "no"))]);
    assert!(is_asked(&world), "what came before the failure is there");
}

#[rstest]
#[case::one_by_one("space space", &["a.txt", "b.txt"])]
#[case::range("v j j", &["a.txt", "b.txt", "c.txt"])]
#[case::range_that_shrinks("v j j k", &["a.txt", "b.txt"])]
#[case::all("ctrl-a", &["a.txt", "b.txt", "c.txt"])]
#[case::inverted("space *", &["b.txt", "c.txt"])]
#[case::taken_back("ctrl-a esc", &[])]
#[case::only_what_is_filtered("/ b enter ctrl-a", &["b.txt"])]
fn marks_go_as_in_the_accounts_list(#[case] keys: &str, #[case] expected: &[&str]) {
    let mut world = opened(&["a.txt", "b.txt", "c.txt"]);
    world.keys(keys);
    let expected: Vec<PathBuf> = expected
        .iter()
        .map(|name| format!("/home/ada/work/{name}").into())
        .collect();
    assert_eq!(marked(&world), expected);
    assert!(
        world.marked().is_empty(),
        "the account's rows have marks of their own"
    );
}

#[test]
fn marks_stay_while_other_folders_are_looked_through() {
    let mut world = opened(&["in/", "a.txt"]);
    world.keys("j space k l");
    list(&mut world, "/home/ada/work/in", &["b.txt"]);
    world.keys("space");
    assert_eq!(
        marked(&world),
        ["/home/ada/work/a.txt", "/home/ada/work/in/b.txt"].map(PathBuf::from)
    );
    assert!(world.shows("2 marked, 1 elsewhere"), "{}", world.drawn());
}

#[test]
fn names_are_filtered_sorted_and_hidden_ones_shown() {
    let mut world = opened(&["b.txt", "a.txt", ".env"]);
    world.keys(".");
    assert_eq!(names(&world), [".env", "a.txt", "b.txt"]);
    world.keys("O");
    assert_eq!(names(&world), ["b.txt", "a.txt", ".env"]);
    world.keys("/ b");
    assert_eq!((names(&world), here(&world)), (vec!["b.txt"], "b.txt"));
    world.keys("esc");
    assert_eq!(names(&world).len(), 3);
    assert_eq!(world.rows().len(), 5, "the account's list is as it was");
}

/// Letters with one mark and with several, and Hangul syllables, typed in either form.
#[rstest]
#[case::one_mark("Gr\u{f6}\u{df}e", "\u{f6}\u{df}")]
#[case::several("Vi\u{1ec7}t", "i\u{1ec7}")]
#[case::hangul("\u{d55c}\u{ae00}", "\u{d55c}")]
#[case::kana("\u{304c}\u{3093}", "\u{304c}")]
fn the_filter_takes_accents_in_either_form(#[case] name: &str, #[case] typed: &str) {
    let name_forms: [String; 2] = [name.nfc().collect(), name.nfd().collect()];
    let typed_forms: [String; 2] = [typed.nfc().collect(), typed.nfd().collect()];
    for (name, typed) in name_forms
        .iter()
        .flat_map(|name| typed_forms.iter().map(move |typed| (name, typed)))
    {
        let mut world = opened(&[name, "Gruse", "Viet", "\u{ae00}", "\u{304b}"]);
        world.keys("/");
        world.text(typed);
        assert_eq!(names(&world), [name.as_str()], "{typed:?}");
    }
}

#[test]
fn what_is_marked_is_planned_into_the_open_folder_and_accepted_there() {
    let mut world = opened(&["a.txt", "b c.txt"]).plans_by_hand();
    world.keys("ctrl-a u");
    let (op, request) = world
        .asked_for(|request| matches!(request, Request::PlanUpload(_)))
        .unwrap();
    let Request::PlanUpload(PlanUpload { typed, into, .. }) = request else {
        panic!()
    };
    let paths: Vec<_> = typed
        .iter()
        .map(|typed| typed.whole.to_str().unwrap())
        .collect();
    assert_eq!(paths, ["/home/ada/work/a.txt", "/home/ada/work/b c.txt"]);
    assert_eq!(into, IntoFolder::Place(FolderRef::root()));
    world.planned(op, vec![new("a.txt")], None);
    assert!(
        matches!(world.dialog(), Dialog::Plan(_)),
        "who may read it is chosen there, even of one file"
    );
    world.keys("enter");
    assert_eq!(queued(&world), ["send a.txt PRIVATE"]);
    assert!(marked(&world).is_empty());
}

#[test]
fn a_plan_that_comes_while_something_else_is_open_sends_nothing() {
    let mut world = opened(&["a.txt"]).plans_by_hand();
    world.keys("u ?");
    let op = world.asked(|request| matches!(request, Request::PlanUpload(_)));
    world.planned(op, vec![new("a.txt")], None);
    assert!(is_nothing_queued(&world) && matches!(world.dialog(), Dialog::Help(_)));
    assert!(world.says("Nothing was uploaded"), "{:?}", world.said());
}

#[test]
fn what_is_saved_goes_into_the_folder_that_is_shown() {
    let mut world = opened(&["in/"]).plans_by_hand();
    world.keys("l");
    list(&mut world, "/home/ada/work/in", &[]);
    world.keys("tab G s");
    let wanted = |request: &Request| matches!(request, Request::PlanDownload(PlanDownload { into, .. }) if into.ends_with("work/in"));
    let op = world.asked(wanted);
    assert!(matches!(
        world.state.session.plans[&op].direction,
        Direction::Down { .. }
    ));
    world.keys("t s");
    let op = world.asked(|request| matches!(request, Request::PlanDownload(_)));
    let Direction::Down { into, .. } = &world.state.session.plans[&op].direction else {
        panic!()
    };
    assert_eq!(into.to_str(), Some("/home/ada/work"), "it is closed");
}

#[test]
fn keys_of_the_accounts_list_do_nothing_to_it_from_here() {
    let mut world = opened(&["a.txt"]);
    for key in ["d", "D", "r", "x", "e", "R"] {
        let effects = world.keys(key);
        assert!(
            effects.is_empty() && world.state.dialogs.is_empty(),
            "{key}: {effects:?}"
        );
    }
    world.state.session.account.read_only = true;
    world.keys("u");
    assert!(world.says("read-only"), "{:?}", world.said());
}

#[test]
fn the_tree_has_no_place_beside_it_and_says_which_key_gives_it_back() {
    let mut world = opened(&["a.txt"]);
    world.keys("tab T");
    assert!(world.says("t closes them"), "{:?}", world.said());
    assert_eq!(world.state.focus, Pane::List);
}

#[test]
fn a_click_chooses_opens_and_sorts() {
    let mut world = opened(&["in/", "a.txt", "b.txt"]);
    world.click("b.txt");
    assert_eq!(here(&world), "b.txt");
    world.click("Name");
    assert_eq!(names(&world), ["in", "b.txt", "a.txt"]);
    world.double_click("in/");
    list(&mut world, "/home/ada/work/in", &["c.txt"]);
    assert_eq!(here(&world), "c.txt");
}

#[test]
fn where_it_is_read_aloud_it_has_the_screen_to_itself() {
    let mut world = World::new();
    world.state.panes.plain = true;
    world.keys("t");
    list(&mut world, "/home/ada/work", &["a.txt"]);
    assert!(
        world.shows("a.txt") && !world.shows("marketing/"),
        "{}",
        world.drawn()
    );
    world.keys("tab");
    assert!(world.shows("marketing/"), "{}", world.drawn());
    world.keys("t");
    assert_eq!(
        world.state.focus,
        Pane::Local,
        "it is turned to before it is closed"
    );
    world.keys("t");
    assert!(matches!(world.state.mode, Mode::Lists(Beside::Nothing)));
}

/// The upload dialog, waiting for a choice in the local list.
fn choosing(typed: &str, folder: &str, names: &[&str]) -> World {
    let mut world = World::new();
    world.keys("u");
    world.text(typed);
    world.keys("ctrl-o");
    list(&mut world, folder, names);
    world
}

fn typed_paths(world: &World) -> &str {
    let Dialog::Upload(upload) = world.dialog() else {
        panic!("{:?}", world.dialog())
    };
    upload.form.text(0)
}

#[test]
fn what_is_chosen_for_a_dialog_goes_back_into_its_field() {
    let mut world = choosing(
        "x.txt ",
        "/home/ada/work",
        &["Pictures/", ".ssh/", "b c.txt", "a.txt"],
    );
    let drawn = world.drawn();
    assert!(
        drawn.contains("Choose files  ~/work") && !drawn.contains(".ssh"),
        "{drawn}"
    );
    assert!(!drawn.contains("marketing/"), "it has the screen: {drawn}");
    world.keys("j space space g g l");
    list(&mut world, "/home/ada/work/Pictures", &["d.png"]);
    world.keys("space enter");
    assert_eq!(typed_paths(&world), "x.txt Pictures/d.png a.txt 'b c.txt'");
    assert_eq!(world.state.focus, Pane::List);
    assert!(matches!(world.state.mode, Mode::Lists(Beside::Nothing)));
    assert!(!world.state.mode.is_choosing() && marked(&world).is_empty());
}

#[test]
fn without_marks_enter_goes_into_a_folder_or_takes_the_file_and_the_cursor_is_where_it_came_from() {
    let mut world = choosing("/tmp/up", "/tmp", &["in/", "up/"]);
    assert_eq!(here(&world), "up", "what was typed is sought");
    world.keys("enter");
    list(&mut world, "/tmp/up", &["a.txt"]);
    world.keys("h");
    list(&mut world, "/tmp", &["in/", "up/"]);
    assert_eq!(here(&world), "up");
    world.keys("enter");
    list(&mut world, "/tmp/up", &["a.txt"]);
    world.keys("enter");
    assert!(
        typed_paths(&world).ends_with("/tmp/up/a.txt"),
        "{}",
        typed_paths(&world)
    );
}

#[test]
fn a_choice_that_was_left_goes_on_in_its_place_with_its_marks() {
    let names = ["in/", "mine.txt", "other.txt"];
    let mut world = choosing("", "/home/ada/work", &names);
    world.keys("j space");
    world.keys("esc ctrl-o");
    list(&mut world, "/home/ada/work", &names);
    assert_eq!(here(&world), "other.txt");
    assert_eq!(marked(&world), [PathBuf::from("/home/ada/work/mine.txt")]);
    world.keys("esc esc u ctrl-o");
    list(&mut world, "/home/ada/work", &names);
    assert!(marked(&world).is_empty(), "another dialog begins anew");
}

/// Types each letter in turn, as someone does who looks for a name.
#[test]
fn no_letter_leaves_the_choice() {
    for letter in 'a'..='z' {
        let mut world = choosing("", "/home/ada/work", &["in/", "mine.txt"]);
        world.keys("j");
        let effects = world.keys(&letter.to_string());
        let is_left = !world.state.mode.is_choosing() && letter != 'l' && letter != 'u';
        assert!(!is_left, "{letter}");
        let has_question = world
            .state
            .dialogs
            .iter()
            .any(|dialog| matches!(dialog, Dialog::Confirm(_)));
        assert!(
            !has_question && !effects.contains(&Effect::Quit),
            "{letter}"
        );
    }
}

#[test]
fn a_file_is_chosen_for_a_replacement_and_for_a_list_of_addresses() {
    let names = ["in/", "a b.txt", "c.txt", "d.pdf"];
    let mut world = World::new();
    world.keys("G k k R ctrl-o");
    list(&mut world, "/home/ada/work", &names);
    world.keys("space");
    assert!(world.says("A folder cannot"), "{:?}", world.said());
    for key in ["space", "enter", "l", "u"] {
        world.wait(5_000);
        world.keys(&format!("G {key}"));
        assert!(
            world.says("extension must stay"),
            "{key} {:?}",
            world.said()
        );
    }
    for key in ["space", "ctrl-a", "*", "v"] {
        world.wait(5_000);
        world.keys(&format!("g g j space {key}"));
        assert!(
            world.says("Only one can be chosen"),
            "{key} {:?}",
            world.said()
        );
        world.keys("g g j space");
    }
    world.keys("g g j enter");
    let form = world
        .state
        .dialogs
        .last_mut()
        .and_then(|dialog| dialog.form_mut());
    assert_eq!(form.unwrap().text(0), "/home/ada/work/a b.txt");
    world.keys("esc I ctrl-o");
    list(&mut world, "/home/ada/work", &names);
    world.keys("j j enter");
    let form = world
        .state
        .dialogs
        .last_mut()
        .and_then(|dialog| dialog.form_mut());
    assert_eq!(form.unwrap().text(5), "/home/ada/work/c.txt");
}

#[rstest]
#[case::esc("esc")]
#[case::interrupt("ctrl-c")]
fn nothing_is_chosen_and_all_is_as_it_was(#[case] key: &str) {
    let mut world = opened(&["in/", "mine.txt"]);
    world.keys("j space tab u");
    world.text("x");
    world.keys("ctrl-o");
    list(&mut world, "/home/ada/work", &["in/", "mine.txt"]);
    world.keys(key);
    assert_eq!(typed_paths(&world), "x");
    assert_eq!(world.state.focus, Pane::List);
    assert!(matches!(world.state.mode, Mode::Lists(Beside::ThisMachine)));
    assert_eq!(
        marked(&world),
        [PathBuf::from("/home/ada/work/mine.txt")],
        "the list beside has its own marks"
    );
}

#[test]
fn esc_clears_the_filter_before_it_goes_back() {
    let mut world = choosing("", "/home/ada/work", &["in/", "logo.png", "notes.txt"]);
    world.keys("/ o g o enter space");
    assert_eq!(names(&world), ["logo.png"]);
    world.keys("esc");
    assert!(names(&world).len() == 3 && world.state.mode.is_choosing());
    world.keys("esc");
    assert_eq!(typed_paths(&world), "");
}

#[rstest]
fn other_keys_say_which_ones_lead_back(
    #[values("tab", "2", "f", "ctrl-p", "@", "+", "i", "g d", "a", "t")] keys: &str,
) {
    let mut world = choosing("", "/home/ada/work", &["a.txt"]);
    world.keys(keys);
    assert!(world.state.mode.is_choosing() && world.state.dialogs.is_empty());
    if keys != "a" {
        assert!(
            world.says("enter chooses, esc goes back to the dialog"),
            "{:?}",
            world.said()
        );
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_cannot_be_typed_is_not_taken() {
    use std::os::unix::ffi::OsStringExt as _;
    let mut world = choosing("", "/home/ada/work", &["a.txt"]);
    let mut entries = local_entries(&["a.txt"]);
    entries[0].name = std::ffi::OsString::from_vec(b"caf\xe9.txt".to_vec());
    world.state.local_side.store_entries(entries);
    world.keys("enter");
    assert!(
        world.says("caf\\x{e9}.txt cannot be chosen"),
        "{:?}",
        world.said()
    );
    assert!(world.state.mode.is_choosing());
}

/// The local path of the open preview, once the cursor has rested.
fn looked_into(world: &mut World) -> Option<PathBuf> {
    world.wait(400);
    world.under_way().find_map(|(_, request)| match request {
        Request::GetPreview(GetPreview {
            subject: PreviewTarget::Local(path),
            ..
        }) => Some(path.clone()),
        _ => None,
    })
}

#[test]
fn the_details_follow_the_list_that_has_the_focus_and_look_into_its_row() {
    let mut world = World::new();
    world.state.size = (200, 60).into();
    world.state.panes.preview = true;
    world.keys("t");
    list(&mut world, "/home/ada/work", &["in/", "a.txt", "b.pptm"]);
    assert_eq!(looked_into(&mut world), Some("/home/ada/work/in".into()));
    world.keys("j");
    assert_eq!(
        looked_into(&mut world),
        Some("/home/ada/work/a.txt".into()),
        "moving on gives up the one before"
    );
    assert!(
        world.shows("file /home/ada/work/a.txt"),
        "{}",
        world.drawn()
    );
    world.keys("i i enter j");
    assert_eq!(
        (world.state.focus, here(&world)),
        (Pane::Details, "b.pptm"),
        "keys move in its list"
    );
    world.keys("h tab");
    assert_eq!(looked_into(&mut world), None);
    assert!(!world.shows("/home/ada/work/b.pptm"), "{}", world.drawn());
}

#[test]
fn from_the_details_keys_work_on_the_local_row() {
    let mut world = opened(&["a.txt"]).plans_by_hand();
    world.keys("enter d");
    assert!(
        world.state.dialogs.is_empty(),
        "the account's row is not deleted"
    );
    world.keys("u");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::PlanUpload(_)))
        .unwrap();
    let Request::PlanUpload(PlanUpload { typed, .. }) = request else {
        panic!()
    };
    assert!(typed[0].whole.ends_with("a.txt"));
    world.keys("esc");
    assert_eq!(world.state.focus, Pane::Local);
}

#[test]
fn filters_are_recalled_and_remembered_as_in_the_accounts_list() {
    let mut world = opened(&["a.txt", "b.png"]);
    world.state.session.account.favorites.typed.filters = vec!["png".to_owned()];
    world.keys("/ up");
    assert_eq!(names(&world), ["b.png"]);
    world.keys("esc /");
    world.text("txt");
    let kept = FavoritesChange::Typed(TypedLine::Filter("txt".to_owned()));
    let effects = world.keys("enter");
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::SaveFavorites(_, change) if *change == kept))
    );
}

#[test]
fn a_paste_or_a_tab_does_not_lead_away_from_what_is_chosen_for_a_dialog() {
    let mut world = choosing("x", "/home/ada/work", &["a.txt"]);
    world.send(Msg::Paste("/tmp/other.txt".to_owned()));
    assert!(
        world.state.dialogs.is_empty() && world.says("enter chooses"),
        "{:?}",
        world.said()
    );
    world.click("Tasks");
    assert!(world.state.view == View::Files && world.state.mode.is_choosing());
    world.keys("esc");
    assert_eq!(typed_paths(&world), "x");
}

#[test]
fn a_list_whose_answer_came_during_a_choice_is_read_again() {
    let mut world = World::new();
    world.keys("t tab u ctrl-o");
    list(&mut world, "/home/ada/work", &["a.txt"]);
    world.keys("esc esc");
    list(&mut world, "/home/ada/work", &["a.txt", "b.txt"]);
    assert_eq!(names(&world), ["a.txt", "b.txt"]);
}

#[test]
fn numbers_in_names_are_sorted_by_their_value() {
    let mut world = opened(&["img10.png", "img2.png", "v10/", "v9/"]);
    assert_eq!(names(&world), ["v9", "v10", "img2.png", "img10.png"]);
    world.keys(", n a t u r a l enter esc");
    assert_eq!(names(&world), ["v10", "v9", "img10.png", "img2.png"]);
    world.keys("enter");
    list(&mut world, "/home/ada/work/v9", &["2", "10"]);
    assert_eq!(names(&world), ["10", "2"]);
}

#[test]
fn esc_ends_the_two_lists_once_nothing_else_is_left_to_end() {
    let mut world = opened(&["in/", "mine.txt"]);
    world.keys("space esc");
    assert!(world.state.mode.has_local_list());
    world.keys("esc");
    assert_eq!(world.state.focus, Pane::List);
    assert!(world.state.mode.has_local_list());
    world.keys("esc");
    assert!(!world.state.mode.has_local_list());
}
