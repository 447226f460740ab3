//! Previews of the row under the cursor: when they are requested, cancelled, kept and shown.

use filedeck::api::{Error, Kind};
use filedeck::engine::message::{Entry, RequestBudget};
use filedeck::engine::preview::{
    Class, DocumentPage, FolderContents, FolderFile, Picture, Preview, PreviewMarkdown,
    PreviewTarget, PreviewText,
};
use filedeck::engine::{OpId, Request};
use filedeck::tui::message::Msg;
use filedeck::tui::state::{Pane, PictureSupport, PreviewKey, PreviewState, View};

use super::world::{World, file, file_target};
use filedeck::engine::Answer;
use filedeck::engine::question::{GetPreview, ListPage};

/// The root folder with previews on, before the first request.
fn previewing() -> World {
    let mut world = World::new();
    world.state.panes.preview = true;
    world
}

/// The open preview request that was not cancelled, and its path.
fn asked(world: &World) -> Option<(OpId, String)> {
    let (op, request) = world.asked_for(|request| matches!(request, Request::GetPreview(_)))?;
    let Request::GetPreview(GetPreview { subject, .. }) = request else {
        return None;
    };
    let path = match subject {
        PreviewTarget::File(file) => file.path.unwrap(),
        PreviewTarget::Folder(place) => place.path,
        PreviewTarget::Local(path) => path.to_string_lossy().into_owned(),
    };
    (!world.cancelled.contains(&op)).then_some((op, path))
}

fn asked_path(world: &World) -> Option<String> {
    asked(world).map(|(_, path)| path)
}

fn count(world: &World) -> usize {
    world.count(|request| matches!(request, Request::GetPreview(_)))
}

fn text(words: &str) -> Answer {
    let lines = words
        .lines()
        .map(|line| vec![(Class::Plain, line.to_owned())])
        .collect();
    Answer::GetPreview(Preview::Text(PreviewText {
        lines,
        is_prose: false,
        cut: None,
    }))
}

/// Presses a key without waiting for anything.
fn press(world: &mut World, key: &str) {
    world.send(Msg::Key(key.parse().unwrap()));
}

/// Moves down to a row, rests there, and answers its preview request.
fn rest_on(world: &mut World, name: &str, answer: &str) {
    while world.here() != name {
        press(world, "j");
    }
    world.wait(300);
    let (op, _) = asked(world).unwrap();
    world.done(op, text(answer));
}

#[test]
fn a_look_is_taken_where_the_cursor_rests_and_not_where_it_passes() {
    let mut world = previewing();
    for _ in 0..3 {
        world.wait(50);
        press(&mut world, "j");
    }
    assert_eq!(asked(&world), None);
    let due = world.state.next_wake().unwrap();
    world.wait(299);
    assert_eq!(asked(&world), None);
    assert!(
        due <= world.state.now + jiff::SignedDuration::from_millis(1),
        "the screen wakes for it"
    );
    world.wait(1);
    assert_eq!(asked_path(&world), Some("/b.png".to_owned()));
    world.wait(5_000);
    assert_eq!(count(&world), 1, "asked once");
}

#[test]
fn a_rest_on_one_row_does_not_count_for_the_next() {
    let mut world = previewing();
    world.wait(5_000);
    let before = count(&world);
    press(&mut world, "j");
    assert_eq!(
        count(&world),
        before,
        "only a rest on the row itself counts"
    );
}

#[test]
fn a_key_shows_the_source_of_markdown_and_the_next_look_too() {
    let mut world = previewing();
    let text = |words: &str| PreviewText {
        lines: vec![vec![(Class::Plain, words.to_owned())]; 9],
        is_prose: true,
        cut: None,
    };
    let preview = Preview::Markdown(PreviewMarkdown {
        rendered: text("as it is meant"),
        source: text("as it is written"),
    });
    while world.here() != "b.png" {
        press(&mut world, "j");
    }
    world.wait(300);
    let (op, _) = asked(&world).unwrap();
    world.done(op, Answer::GetPreview(preview));
    assert!(world.drawn().contains("as it is meant"));
    press(&mut world, "J");
    press(&mut world, "M");
    assert!(
        world.drawn().contains("as it is written") && !world.drawn().contains("as it is meant")
    );
    assert_eq!(world.state.files.previews.scroll, 0);
    press(&mut world, "M");
    assert!(world.drawn().contains("as it is meant"));
}

#[test]
fn keys_turn_the_pages_of_a_document_as_far_as_there_are_any() {
    let mut world = previewing();
    while world.here() != "b.png" {
        press(&mut world, "j");
    }
    world.wait(300);
    let page = |number| {
        let picture = Picture {
            width: 1,
            height: 1,
            rgba: [0; 4].into(),
        };
        Answer::GetPreview(Preview::Page(DocumentPage {
            picture,
            number,
            count: 2,
        }))
    };
    let wanted = |world: &World| {
        let (op, request) = world
            .asked_for(|request| matches!(request, Request::GetPreview(_)))
            .unwrap();
        let Request::GetPreview(GetPreview { page, .. }) = request else {
            panic!()
        };
        (op, page)
    };
    let (op, first) = wanted(&world);
    world.done(op, page(first));
    assert!(world.drawn().contains("page 1 of 2"));
    press(&mut world, "[");
    press(&mut world, "]");
    let (op, second) = wanted(&world);
    assert_eq!((first, second, count(&world)), (0, 1, 1));
    world.done(op, page(second));
    assert!(world.drawn().contains("page 2 of 2"));
    press(&mut world, "]");
    press(&mut world, "[");
    assert!(world.drawn().contains("page 1 of 2"));
    assert_eq!(count(&world), 0, "pages that were seen are kept");
}

#[test]
fn moving_on_gives_a_look_up_and_its_answer_is_dropped() {
    let mut world = previewing();
    press(&mut world, "j");
    world.wait(300);
    let (old, path) = asked(&world).unwrap();
    assert_eq!(path, "/sales");
    press(&mut world, "j");
    assert_eq!(world.cancelled, [old]);
    world.wait(300);
    assert_eq!(
        asked_path(&world),
        Some("/a.txt".to_owned()),
        "the newest alone is under way"
    );
    world.done(old, text("of the old one"));
    assert!(!world.shows("of the old one"));
    let (op, _) = asked(&world).unwrap();
    world.done(op, text("of the new one"));
    assert!(world.shows("of the new one"));
}

#[test]
fn what_was_seen_is_kept_until_it_changes() {
    let mut world = previewing();
    rest_on(&mut world, "a.txt", "solid melts into air");
    press(&mut world, "k");
    assert!(!world.shows("solid melts"));
    press(&mut world, "j");
    assert!(world.shows("solid melts"), "at once");
    world.wait(1_000);
    assert_eq!(asked(&world), None);
    let mut changed = file("1", "/a.txt", "PUBLIC_INDEXABLE", None);
    changed.updated_at = Some(world.state.now);
    world.state.files.listing.upsert(Entry::File(changed));
    world.wait(1_000);
    assert_eq!(asked_path(&world), Some("/a.txt".to_owned()));
}

#[test]
fn a_look_into_a_folder_tells_how_much_is_in_it() {
    let mut world = previewing();
    assert!(!world.drawn().contains("3 items"));
    world.wait(300);
    let (op, _) = asked(&world).unwrap();
    let (folders, files) = (
        vec!["deep".to_owned()],
        vec![FolderFile::default(), FolderFile::default()],
    );
    let contents = FolderContents {
        folders,
        files,
        is_all: true,
        ..FolderContents::default()
    };
    world.done(op, Answer::GetPreview(Preview::Folder(contents)));
    press(&mut world, "G");
    assert!(world.drawn().contains("3 items"), "{}", world.drawn());
}

#[test]
fn a_folder_is_looked_into_again_after_a_while() {
    let mut world = previewing();
    world.wait(300);
    let (op, path) = asked(&world).unwrap();
    assert_eq!(path, "/marketing");
    let by_access = Vec::new();
    let contents = FolderContents {
        folders: vec!["deep".to_owned()],
        by_access,
        is_all: true,
        ..FolderContents::default()
    };
    world.done(op, Answer::GetPreview(Preview::Folder(contents)));
    assert!(world.shows("deep/"));
    for (wait, again) in [(10_000, None), (30_000, Some("/marketing".to_owned()))] {
        press(&mut world, "G");
        press(&mut world, "g");
        world.wait(wait);
        press(&mut world, "g");
        world.wait(300);
        assert_eq!(asked_path(&world), again);
    }
}

#[test]
fn hidden_previews_ask_for_nothing_and_give_up_what_is_under_way() {
    let mut world = previewing();
    world.wait(300);
    let (op, _) = asked(&world).unwrap();
    press(&mut world, "P");
    assert_eq!(world.cancelled, [op]);
    press(&mut world, "j");
    world.wait(5_000);
    assert_eq!(asked(&world), None);
    press(&mut world, "P");
    assert_eq!(
        asked_path(&world),
        Some("/sales".to_owned()),
        "shown again, it is asked for at once"
    );
}

#[test]
fn nothing_is_asked_for_where_it_cannot_be_seen() {
    let mut world = previewing();
    press(&mut world, "2");
    assert_eq!(world.state.view, View::Tasks);
    world.wait(1_000);
    assert_eq!(asked(&world), None);
    press(&mut world, "1");
    press(&mut world, "i");
    world.wait(1_000);
    assert_eq!(asked(&world), None, "the details are hidden");
    world.send(Msg::Resize { cols: 80, rows: 24 });
    press(&mut world, "i");
    world.wait(1_000);
    assert_eq!(asked(&world), None, "a peek has no room");
    world.state.focus = Pane::Details;
    press(&mut world, "+");
    assert_eq!(asked_path(&world), Some("/marketing".to_owned()));
}

#[test]
fn what_is_never_opened_and_pictures_that_are_off_are_not_asked_for() {
    let mut world = World::started();
    world.state.panes.preview = true;
    let op = world.asked(|request| matches!(request, Request::List(_)));
    let files = ["/b.png", "/c.doc"].map(|path| Entry::File(file(path, path, "PRIVATE", None)));
    world.done(
        op,
        Answer::List(ListPage {
            entries: files.into(),
            next: None,
        }),
    );
    press(&mut world, "G");
    world.wait(1_000);
    assert_eq!(world.here(), "c.doc");
    assert_eq!(asked(&world), None);
    assert!(
        world.shows("Text document: no preview"),
        "{}",
        world.drawn()
    );
    world.state.picture_support = PictureSupport::None;
    press(&mut world, "k");
    world.wait(1_000);
    assert_eq!((world.here(), asked(&world)), ("b.png", None));
    assert!(
        world.shows("This terminal shows no pictures"),
        "{}",
        world.drawn()
    );
}

#[test]
fn a_failed_look_says_so_in_its_place_and_refreshing_tries_again() {
    let mut world = previewing();
    world.wait(300);
    let (op, _) = asked(&world).unwrap();
    world.fail(op, Error::new(Kind::Network, "The connection was cut"));
    assert!(
        world.shows("No preview: The connection was"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.said(), Vec::<&str>::new());
    world.wait(5_000);
    assert_eq!(asked(&world), None, "not by itself");
    press(&mut world, "ctrl-r");
    assert_eq!(asked_path(&world), Some("/marketing".to_owned()));
}

#[test]
fn a_long_look_is_scrolled_as_far_as_it_goes() {
    let mut world = previewing();
    let lines: Vec<String> = (0..40).map(|line| format!("line {line}.")).collect();
    rest_on(&mut world, "a.txt", &lines.join("\n"));
    assert!(world.shows("line 0."));
    press(&mut world, "J");
    assert!(!world.shows("line 4.") && world.shows("line 5."));
    for _ in 0..20 {
        press(&mut world, "J");
    }
    assert!(world.shows("line 39."));
    press(&mut world, "K");
    assert!(world.shows("line 34."), "the way back begins at the end");
    press(&mut world, "k");
    press(&mut world, "j");
    assert!(
        world.shows("line 0."),
        "another file begins at its beginning"
    );
}

#[test]
fn facts_that_do_not_fit_on_the_whole_screen_are_scrolled() {
    let mut world = previewing();
    world.send(Msg::Resize { cols: 80, rows: 12 });
    for key in ["j", "j", "tab", "+"] {
        press(&mut world, key);
    }
    assert!(
        world.shows("access") && !world.shows("archived"),
        "{}",
        world.drawn()
    );
    for _ in 0..9 {
        press(&mut world, "J");
    }
    assert!(
        !world.shows("access ") && world.shows("archived"),
        "{}",
        world.drawn()
    );
    press(&mut world, "K");
    assert!(
        world.shows("access"),
        "the way back begins at the end: {}",
        world.drawn()
    );
}

#[test]
fn memory_is_bounded() {
    let mut world = previewing();
    press(&mut world, "j");
    let inside = world.state.files.listing.of.base().clone();
    let key = |at: usize| {
        let file = file(&format!("p{at}"), &format!("/{at}.png"), "PRIVATE", None);
        PreviewKey::of(&filedeck::tui::state::Row::new(&Entry::File(file), &inside))
    };
    let rgba: std::sync::Arc<[u8]> = vec![0; 4 * 1024 * 1024].into();
    for at in 0..20 {
        let picture = Picture {
            width: 1024,
            height: 1024,
            rgba: rgba.clone(),
        };
        let now = world.state.now;
        world.state.files.previews.keep(
            key(at),
            PreviewState::Seen(Preview::Picture(picture)),
            now,
        );
    }
    let kept: Vec<usize> = (0..20)
        .filter(|at| world.state.files.previews.of(&key(*at)).is_some())
        .collect();
    assert_eq!(
        kept,
        (13..20).collect::<Vec<_>>(),
        "28 MiB of the last ones"
    );
}

#[test]
fn a_file_that_is_worked_on_is_left_alone() {
    let mut world = previewing();
    let busy = file_target("1");
    world.state.session.tasks.busy.ask(
        OpId {
            number: 999,
            ..world.asked(|_| true)
        },
        [busy],
    );
    press(&mut world, "j");
    press(&mut world, "j");
    world.wait(1_000);
    assert_eq!((world.here(), asked(&world)), ("a.txt", None));
}

#[test]
fn folders_on_the_screen_are_counted_one_by_one_while_the_cursor_rests() {
    let mut world = World::new();
    world.state.panes.preview = false;
    world.state.panes.folder_counts = true;
    world.wait(300);
    let (op, first) = asked(&world).unwrap();
    assert_eq!((first.as_str(), count(&world)), ("/marketing", 1));
    let files = vec![FolderFile::default()];
    let contents = FolderContents {
        files,
        is_all: true,
        ..FolderContents::default()
    };
    world.done(op, Answer::GetPreview(Preview::Folder(contents)));
    assert!(world.shows("1 item"), "{}", world.drawn());
    let (op, second) = asked(&world).unwrap();
    assert_eq!(second, "/sales");
    world.fail(op, Error::new(Kind::Internal, "out of order"));
    assert!(!world.says("out of order"), "nobody asked for it");
    assert_eq!(count(&world), 0, "it is not asked for again");
}

#[test]
fn no_folder_is_counted_while_half_of_the_requests_are_used() {
    let mut world = World::new();
    world.state.panes.preview = false;
    world.state.panes.folder_counts = true;
    world.state.session.take_budget(
        RequestBudget {
            remaining: 49,
            max: 100,
        },
        world.state.now,
    );
    world.wait(300);
    assert_eq!(count(&world), 0);
    world.wait(11_000);
    assert_eq!(count(&world), 1, "the budget was given back");
}
