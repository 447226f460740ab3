//! Uploads, downloads, imports and links.

use std::path::Path;

use filedeck::api::ids::{FileId, FolderId};
use filedeck::api::model::{Access, FileKind, SignedUrl, ThumbnailSize};
use filedeck::api::{Error, Kind, SignedUrlOptions};
use filedeck::config::AccountSource;
use filedeck::engine::batch::{Batch, Bytes, RunningJob};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Entry;
use filedeck::engine::plan::{Existing, PlanEvent, PlanRow, PlanSource as From};
use filedeck::engine::sending::IntoFolder;
use filedeck::engine::source::FileSource;
use filedeck::engine::{Event, Job, OpId, Outcome, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::Pane;
use filedeck::tui::state::effect::Effect;
use jiff::SignedDuration;
use rstest::rstest;

use super::queue::Taken;
use super::world::{World, acme, file, file_target, folder, item, local_entries, place, uploaded};
use crate::support::changed::changed;
use crate::support::queue::{running, under_way, view};
use filedeck::engine::Answer;
use filedeck::engine::question::{CheckLocalFile, GetFile, ListLocalFolder, PlanUpload, SignUrl};

#[test]
fn a_path_is_completed_from_the_local_folder_and_uploaded_as_private() {
    let mut world = World::new();
    world.keys("u");
    world.text("~/no");
    world.keys("tab");
    let (op, request) = world
        .asked_for(|request| matches!(request, Request::ListLocalFolder(_)))
        .unwrap();
    assert_eq!(
        request,
        Request::ListLocalFolder(ListLocalFolder {
            folder: "/home/ada/".into()
        })
    );
    world.done(op, Answer::ListLocalFolder(local_entries(&["notes.txt"])));
    world.keys("enter");
    let Job::Upload {
        source: FileSource::Local(local),
        into,
        name: None,
        options,
        present: false,
        free_at: Some(_),
    } = world.asked_job(JobKind::Upload)
    else {
        panic!()
    };
    assert_eq!(local, Path::new("/home/ada/notes.txt"));
    assert!(into.is_root());
    assert_eq!(options.options.access, Access::Private);
}

#[test]
fn relative_paths_start_from_the_local_folder() {
    let mut world = World::new();
    world.keys("u");
    world.text("a.txt");
    world.keys("enter");
    let Job::Upload {
        source: FileSource::Local(local),
        ..
    } = world.asked_job(JobKind::Upload)
    else {
        panic!()
    };
    assert_eq!(local, Path::new("/home/ada/work/a.txt"));
}

#[rstest]
#[case::one("/tmp/a.txt", 1)]
#[case::several_lines("/tmp/a.txt\n'/tmp/b c.txt'\n", 2)]
#[case::dropped("file:///tmp/a%20b.txt", 1)]
fn pasted_paths_open_the_upload_dialog_and_are_uploaded_as_one_batch(
    #[case] text: &str,
    #[case] count: usize,
) {
    let mut world = World::new();
    world.send(Msg::Paste(text.to_owned()));
    assert!(matches!(world.dialog(), Dialog::Upload(_)));
    world.keys("enter");
    assert_eq!(world.asked_jobs(JobKind::Upload).1.len(), count);
}

#[test]
fn a_pasted_address_opens_the_import_dialog() {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", Vec::new(), None);
    world.send(Msg::Paste("https://cdn.example.com/logo.svg\n".to_owned()));
    world.keys("enter");
    let taken = world.take(JobKind::Import);
    let [Job::Import { request, .. }] = taken.jobs.as_slice() else {
        panic!("{:?}", taken.jobs)
    };
    let request = request.clone();
    assert_eq!(request.url, "https://cdn.example.com/logo.svg");
    assert_eq!(
        (request.folder_id, request.folder_path),
        (Some(FolderId::new("m")), None)
    );
    assert_eq!(request.options.access, Access::Private);
    world.keys("tab");
    let focus = world.state.focus;
    world.end_well(
        &taken,
        vec![Outcome::Imported(Box::new(file(
            "8",
            "/marketing/logo.svg",
            "PRIVATE",
            Some("m"),
        )))],
    );
    assert_eq!(world.rows(), ["logo.svg"]);
    assert_eq!(
        world.state.focus, focus,
        "an answer does not move the focus"
    );
    world.listing_of("/marketing");
}

/// A folder whose name ends in a blank, beside one without it.
fn in_a_name_that_ends_in_a_blank(blank: &str) -> World {
    let mut world = World::started().plans_by_hand();
    let path = format!("/drafts{blank}");
    let folders = [folder("n", "/drafts"), folder("d", &path)];
    world.list("/", folders.map(Entry::Folder).into(), None);
    world.keys("j enter");
    world.list(
        &path,
        vec![Entry::File(file(
            "9",
            &format!("{path}/a.txt"),
            "PRIVATE",
            Some("d"),
        ))],
        None,
    );
    world
}

#[rstest]
fn what_is_sent_goes_into_the_open_folder_whatever_its_name_ends_in(
    #[values(" ", "\u{3000}")] blank: &str,
) {
    let mut world = in_a_name_that_ends_in_a_blank(blank);
    world.keys("u");
    world.text(" /tmp/b.txt ");
    world.keys("enter");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::PlanUpload(_)))
        .unwrap();
    let Request::PlanUpload(PlanUpload { into, .. }) = request else {
        panic!()
    };
    assert_eq!(
        into,
        IntoFolder::Place(place("d", &format!("/drafts{blank}")))
    );
    world.keys("esc esc");
    world.send(Msg::Paste("https://cdn.example.com/logo.svg".to_owned()));
    world.keys("enter");
    let Job::Import { request, .. } = world.asked_job(JobKind::Import) else {
        panic!()
    };
    assert_eq!(request.folder_id, Some(FolderId::new("d")));
}

#[test]
fn a_folder_that_is_typed_is_taken_without_the_blanks_around_it() {
    let mut world = in_a_name_that_ends_in_a_blank(" ");
    world.keys("u");
    world.text("/tmp/b.txt");
    world.keys("down ctrl-u");
    world.text(" /drafts ");
    world.keys("enter");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::PlanUpload(_)))
        .unwrap();
    let Request::PlanUpload(PlanUpload { into, .. }) = request else {
        panic!()
    };
    assert_eq!(into, IntoFolder::Path("/drafts".to_owned()));
}

#[rstest]
#[case::folder("k")]
#[case::file("")]
fn a_name_that_nobody_touched_is_no_new_name(#[case] key: &str) {
    let mut world = World::started();
    let file = changed(file("9", "/a .txt", "PRIVATE", None), |file| {
        file.name = Some("a ".to_owned());
    });
    world.list(
        "/",
        vec![Entry::Folder(folder("d", "/drafts ")), Entry::File(file)],
        None,
    );
    world.keys("j");
    world.keys(key);
    world.keys("r enter");
    assert!(world.state.dialogs.is_empty());
    assert_eq!(
        world.count(|request| matches!(request, Request::AddJobs(_))),
        0
    );
}

#[test]
fn text_that_is_neither_path_nor_address_opens_nothing() {
    let mut world = World::new();
    world.send(Msg::Paste("rm -rf, or delete?\ndddd".to_owned()));
    assert!(world.state.dialogs.is_empty());
    assert!(
        world.says("not a local path or an address"),
        "{:?}",
        world.said()
    );
}

#[test]
fn text_pasted_into_a_field_stays_text() {
    let mut world = World::new();
    world.keys("a");
    world.send(Msg::Paste("brand assets\n".to_owned()));
    world.keys("enter");
    let Job::CreateFolder { name, .. } = world.asked_job(JobKind::CreateFolder) else {
        panic!()
    };
    assert_eq!(name, "brand assets");
}

/// Pastes this many files into the open folder; the queue has accepted them.
fn uploading(world: &mut World, count: usize) -> Taken {
    let paths: Vec<String> = (0..count)
        .map(|at| format!("/tmp/new-{at:02}.txt"))
        .collect();
    world.send(Msg::Paste(paths.join("\n")));
    world.keys("enter");
    world.take(JobKind::Upload)
}

fn stored(at: usize) -> Outcome {
    uploaded(file(
        &format!("n{at}"),
        &format!("/new-{at:02}.txt"),
        "PRIVATE",
        None,
    ))
}

fn reads_rows(request: &Request) -> bool {
    matches!(request, Request::List(_) | Request::Refresh(_))
}

#[test]
fn an_uploaded_file_is_in_the_open_folder_at_once_and_a_fresh_page_follows() {
    let mut world = World::new();
    let taken = uploading(&mut world, 1);
    world.end_well(&taken, vec![stored(0)]);
    assert_eq!(
        world.rows(),
        [
            "marketing",
            "sales",
            "a.txt",
            "b.png",
            "c.pdf",
            "new-00.txt"
        ]
    );
    assert_eq!(
        world.here(),
        "new-00.txt",
        "the cursor goes to what was made"
    );
    assert_eq!(world.count(reads_rows), 1);
}

#[test]
fn the_cursor_stays_with_a_user_who_has_moved_on() {
    let mut world = World::new();
    let taken = uploading(&mut world, 2);
    world.keys("j");
    world.end_well(&taken, vec![stored(0), stored(1)]);
    assert_eq!(world.here(), "sales");
}

#[test]
fn a_folder_that_an_upload_made_is_in_the_list_with_its_first_file() {
    let mut world = World::new();
    let taken = uploading(&mut world, 1);
    let deep = file("n", "/photos/harbor.jpg", "PRIVATE", Some("p"));
    world.end_well(&taken, vec![uploaded(deep)]);
    assert_eq!(
        world.rows(),
        ["marketing", "photos", "sales", "a.txt", "b.png", "c.pdf"]
    );
    assert_eq!(world.here(), "photos", "the cursor goes to what was made");
}

#[test]
fn many_uploads_into_the_open_folder_are_looked_at_once_when_all_have_ended() {
    let mut world = World::new();
    let taken = uploading(&mut world, 40);
    for at in 0..40 {
        world.settle_from(&taken, at, vec![Ok(stored(at))]);
        assert_eq!(world.rows().len(), 5 + at + 1, "each is there at once");
    }
    assert_eq!(world.count(reads_rows), 0, "the answers say what is there");
    world.end(&taken, Vec::new());
    assert_eq!(world.count(reads_rows), 1);
}

#[test]
fn a_read_of_the_folder_from_before_an_upload_does_not_take_the_file_away() {
    let mut world = World::new();
    let taken = uploading(&mut world, 2);
    world.keys("ctrl-r");
    world.settle(&taken, vec![Ok(stored(0))]);
    world.list("/", super::world::root_entries(), None);
    assert_eq!(
        world.rows(),
        [
            "marketing",
            "sales",
            "a.txt",
            "b.png",
            "c.pdf",
            "new-00.txt"
        ]
    );
    assert_eq!(world.count(reads_rows), 0, "that one was enough for now");
    world.settle_from(&taken, 1, vec![Ok(stored(1))]);
    world.end(&taken, Vec::new());
    assert_eq!(world.count(reads_rows), 1);
}

#[test]
fn an_upload_into_another_folder_does_not_touch_the_open_one() {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/b.txt".to_owned()));
    world.keys("enter");
    let taken = world.take(JobKind::Upload);
    world.keys("enter");
    world.list("/marketing", Vec::new(), None);
    world.end_well(
        &taken,
        vec![uploaded(file("10", "/b.txt", "PRIVATE", None))],
    );
    assert_eq!(world.rows(), Vec::<&str>::new());
}

#[test]
fn uploads_from_the_tree_go_into_its_folder() {
    let mut world = World::new();
    world.keys("shift-tab j u");
    assert_eq!(world.state.focus, Pane::Tree);
    world.text("/tmp/a.txt");
    world.keys("enter");
    let Job::Upload { into, .. } = world.asked_job(JobKind::Upload) else {
        panic!()
    };
    assert_eq!(into, place("m", "/marketing"));
}

#[test]
fn the_existing_file_is_named_when_nothing_new_was_stored() {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/b.txt".to_owned()));
    world.keys("down down enter down down down right right enter");
    let taken = world.take(JobKind::Upload);
    let mut existing = file("20", "/sales/old.txt", "PRIVATE", Some("s"));
    existing.created_at = Some("2026-01-01T00:00:00Z".parse().unwrap());
    world.end_well(&taken, vec![uploaded(existing)]);
    assert!(
        world.says("the same content exists at /sales/old.txt"),
        "{:?}",
        world.said()
    );
}

#[test]
fn of_many_files_those_that_were_there_already_are_counted() {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/b.txt\n/tmp/d.txt".to_owned()));
    world.keys("down down enter down down down right right enter");
    let taken = world.take(JobKind::Upload);
    let mut existing = file("20", "/b.txt", "PRIVATE", None);
    existing.created_at = Some("2026-01-01T00:00:00Z".parse().unwrap());
    world.end_well(
        &taken,
        vec![
            uploaded(existing),
            uploaded(file("21", "/d.txt", "PRIVATE", None)),
        ],
    );
    assert_eq!(
        world.said(),
        ["Uploaded 2 files → /, 1 of them existed with the same content"]
    );
}

#[test]
fn a_file_that_the_folder_had_already_is_told_of_and_not_sent_twice() {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/b.txt".to_owned()));
    world.keys("enter");
    let taken = world.take(JobKind::Upload);
    world.end_well(
        &taken,
        vec![Outcome::Present(Box::new(file(
            "20", "/b.txt", "PRIVATE", None,
        )))],
    );
    assert_eq!(world.said(), ["/b.txt exists with the same content."]);
    assert_eq!(
        world.rows(),
        ["marketing", "sales", "a.txt", "b.png", "b.txt", "c.pdf"]
    );
}

#[test]
fn many_uploads_are_told_of_in_one_line() {
    let mut world = World::new();
    let paths: Vec<String> = (0..25).map(|at| format!("/tmp/{at}.txt")).collect();
    world.send(Msg::Paste(paths.join("\n")));
    world.keys("enter");
    let taken = world.take(JobKind::Upload);
    let file = |at: usize| {
        Box::new(file(
            &format!("u{at}"),
            &format!("/{at}.txt"),
            "PRIVATE",
            None,
        ))
    };
    let outcomes = (0..25).map(|at| Outcome::Uploaded {
        file: file(at),
        twins: Vec::new(),
    });
    world.end_well(&taken, outcomes.collect());
    assert_eq!(world.said(), ["Uploaded 25 files → /"]);
    assert_eq!(world.rows().len(), 30);
}

#[test]
fn a_thousand_marked_files_are_saved_as_one_batch_at_once() {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", super::world::many(0..1_000), None);
    world.keys("ctrl-a s");
    assert_eq!(
        world.count(|request| matches!(request, Request::AddJobs(_))),
        1
    );
    let taken = world.take(JobKind::Download);
    assert_eq!(taken.jobs.len(), 1_000);
    let is_here = |job: &Job| matches!(job, Job::Download { into, .. } if into == Path::new("/home/ada/work"));
    assert!(taken.jobs.iter().all(is_here));
    assert!(world.state.files.listing.marks.is_empty());
}

#[test]
fn files_are_saved_into_the_folder_that_is_typed() {
    let mut world = World::new();
    world.keys("G S ctrl-u");
    world.text("~/Downloads");
    world.keys("enter");
    let taken = world.take(JobKind::Download);
    let [Job::Download { into, .. }] = taken.jobs.as_slice() else {
        panic!("{:?}", taken.jobs)
    };
    assert_eq!(into, Path::new("/home/ada/Downloads"));
    let moved = |done: u64| {
        let job = RunningJob {
            bytes: Some((done, Some(10_240))),
            ..under_way("c.pdf")
        };
        let batch = running(taken.batch(), vec![job]);
        view(&[Batch {
            bytes: Bytes {
                done,
                total: Some(10_240),
            },
            ..batch
        }])
    };
    world.tell(moved(0));
    world.wait(1_000);
    world.tell(moved(2_560));
    assert!(
        world.shows("2.6 of 10 KB             3 s"),
        "{}",
        world.drawn()
    );
}

fn copied(effects: &[Effect]) -> Option<&str> {
    effects.iter().find_map(|effect| {
        if let Effect::Copy(text) = effect {
            Some(text.as_str())
        } else {
            None
        }
    })
}

#[rstest]
#[case::path("G y p", "/c.pdf")]
#[case::id("G y i", "3")]
#[case::name("G y n", "c.pdf")]
#[case::folder_path("y p", "/marketing")]
#[case::public_file("j j y y", "https://acme.example/hubfs/a.txt")]
#[case::plain_address("j j y u", "https://acme.example/hubfs/a.txt")]
#[case::several("j j space space y p", "/a.txt\n/b.png")]
#[case::markdown("j j y m", "[a.txt](<https://acme.example/hubfs/a.txt>)")]
#[case::html("j j y h", "<a href=\"https://acme.example/hubfs/a.txt\">a.txt</a>")]
#[case::command(
    "j j y c",
    "curl --header \"Authorization: Bearer $FILEDECK_TOKEN\" 'https://api.acme.example/files/v3/files/1'"
)]
fn links_are_copied_and_shown(#[case] keys: &str, #[case] expected: &str) {
    let mut world = World::new();
    let effects = world.keys(keys);
    assert_eq!(copied(&effects), Some(expected));
    let first = expected.lines().next().unwrap();
    assert!(
        world.says(&format!(" copied: {first}")),
        "{:?}",
        world.said()
    );
    assert!(world.state.dialogs.is_empty());
}

#[rstest]
#[case::address(AccountSource::LocalStore, "j j y y", true)]
#[case::private_address(AccountSource::LocalStore, "G y u", true)]
#[case::of_the_demo(AccountSource::Demo, "j j y m", true)]
#[case::path(AccountSource::LocalStore, "j j y p", false)]
#[case::of_an_account(acme(), "j j y y", false)]
fn a_link_of_the_built_in_service_says_that_nothing_else_serves_it(
    #[case] source: AccountSource,
    #[case] keys: &str,
    #[case] is_said: bool,
) {
    let mut world = World::new();
    world.state.session.account.source = source;
    world.keys(keys);
    assert!(world.says(" copied: "), "{:?}", world.said());
    assert_eq!(
        world.says("only this filedeck serves it"),
        is_said,
        "{:?}",
        world.said()
    );
}

#[rstest]
#[case::automatic("G y y", 3_600)]
#[case::signed("G y s", 3_600)]
#[case::public_file_signed("j j y s", 3_600)]
#[case::chosen("G y S ctrl-u 2 0 m enter", 1_200)]
fn a_private_file_gets_a_signed_address(#[case] keys: &str, #[case] seconds: u64) {
    let mut world = World::new();
    world.keys(keys);
    let (op, request) = world
        .asked_for(|request| matches!(request, Request::SignUrl(_)))
        .unwrap();
    assert!(
        matches!(&request, Request::SignUrl(SignUrl { signing, .. }) if signing.seconds == Some(seconds)),
        "{request:?}"
    );
    let signed: SignedUrl = serde_json::from_value(serde_json::json!({
        "url": "https://signed.example/x", "expiresAt": "2026-11-21T09:00:00.000Z",
        "extension": "png", "type": "IMG", "size": 21_400, "width": 300, "height": 169
    }))
    .unwrap();
    let effects = world.done(op, Answer::SignUrl(signed));
    assert_eq!(copied(&effects), Some("https://signed.example/x"));
    assert_eq!(
        world.said().last().map(String::as_str),
        Some("Signed link copied, valid until 09:00 (1h).")
    );
}

#[rstest]
#[case::private("G", "works for 1h")]
#[case::public("j j", "example/hubfs/a.txt")]
fn a_signed_link_takes_no_room_from_the_preview(#[case] keys: &str, #[case] shown: &str) {
    let mut world = World::new();
    world.keys(keys);
    let rows = |world: &World| {
        // The details begin where the preview ends.
        world
            .drawn()
            .lines()
            .position(|line| line.contains("access "))
            .unwrap()
    };
    let file = world
        .state
        .files
        .listing
        .current()
        .unwrap()
        .target
        .file()
        .unwrap()
        .clone();
    world.state.panes.preview = true;
    let before = rows(&world);
    let until = world.state.now + SignedDuration::from_hours(1);
    world.state.session.signed_until.insert(file, until);
    assert_eq!(rows(&world), before, "{}", world.drawn());
    assert!(world.shows(shown), "{}", world.drawn());
}

#[test]
fn a_picture_is_signed_as_a_copy_of_the_size_that_is_chosen() {
    let mut world = World::new();
    let picture = changed(file("2", "/b.png", "PRIVATE", None), |file| {
        file.kind = Some(FileKind::Image);
    });
    world.keys("enter");
    world.list("/marketing", vec![Entry::File(picture)], None);
    world.keys("y S down right right down enter right down e n c o d i n g , space p a t h enter");
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::SignUrl(_)))
        .unwrap();
    let signing = changed(SignedUrlOptions::default(), |signing| {
        signing.seconds = Some(3_600);
        signing.size = Some(ThumbnailSize::Thumb);
        signing.upscale = true;
        signing.properties = vec!["encoding".to_owned(), "path".to_owned()];
    });
    assert_eq!(
        request,
        Request::SignUrl(SignUrl {
            file: FileId::new("2"),
            signing
        })
    );
    world.keys("y S down down enter right enter");
    assert!(world.shows("Choose a copy"), "{}", world.drawn());
}

#[test]
fn requested_properties_are_shown_beside_the_signed_link() {
    let mut world = World::new();
    world.keys("G y S down right e n c o d i n g enter");
    let op = world.asked(|request| matches!(request, Request::SignUrl(_)));
    let signed = serde_json::json!({ "url": "https://signed.example/x", "encoding": "utf-8" });
    let effects = world.done(op, Answer::SignUrl(serde_json::from_value(signed).unwrap()));
    assert_eq!(copied(&effects), Some("https://signed.example/x"));
    assert!(
        world.shows("Signed link to c.pdf")
            && world.shows("encoding utf-8")
            && world.shows("https://signed.example/x"),
        "{}",
        world.drawn()
    );
}

#[test]
fn several_private_files_get_a_signed_address_each() {
    let mut world = World::new();
    world.keys("G space k space y y");
    for (id, expires) in [("2", "2026-11-21T10:00:00Z"), ("3", "2026-11-21T09:00:00Z")] {
        let op = world.asked(|request| matches!(request, Request::SignUrl(SignUrl { file, .. }) if *file == FileId::new(id)));
        let signed = serde_json::json!({ "url": format!("https://signed.example/{id}"), "expiresAt": expires });
        let effects = world.done(op, Answer::SignUrl(serde_json::from_value(signed).unwrap()));
        let all = "https://signed.example/2\nhttps://signed.example/3";
        assert_eq!(copied(&effects), (id == "3").then_some(all));
    }
    assert!(
        world.says("2 signed links copied, valid until 09:00 (1h)."),
        "{:?}",
        world.said()
    );
}

#[test]
fn nothing_is_copied_unless_every_file_was_signed() {
    let mut world = World::new();
    world.keys("G space k space y s");
    let signed = serde_json::json!({ "url": "https://signed.example/2" });
    let op = world.asked(|request| matches!(request, Request::SignUrl(_)));
    world.done(op, Answer::SignUrl(serde_json::from_value(signed).unwrap()));
    let op = world.asked(|request| matches!(request, Request::SignUrl(_)));
    let effects = world.fail(op, Error::new(Kind::NotFound, "It is gone."));
    assert_eq!(copied(&effects), None);
    assert!(world.says("Nothing copied for c.pdf"), "{:?}", world.said());
}

#[test]
fn only_pictures_have_copies() {
    let mut world = World::new();
    world.keys("G y S");
    assert!(
        world.shows("Valid for") && !world.shows("thumb"),
        "{}",
        world.drawn()
    );
}

#[test]
fn a_signed_address_that_comes_late_does_not_take_the_keys_from_a_dialog() {
    let mut world = World::new();
    world.keys("G y s a");
    let op =
        world.asked(|request| matches!(request, Request::SignUrl(SignUrl { file, .. }) if *file == FileId::new("3")));
    let signed: SignedUrl =
        serde_json::from_value(serde_json::json!({ "url": "https://signed.example/x" })).unwrap();
    let effects = world.done(op, Answer::SignUrl(signed));
    assert_eq!(copied(&effects), Some("https://signed.example/x"));
    assert!(matches!(world.dialog(), Dialog::Prompt(_)));
}

#[test]
fn what_is_put_in_a_files_place_may_have_an_encoding_that_is_said() {
    let mut world = World::new();
    world.keys("G R");
    world.text("new.pdf");
    world.keys("down down u t f - 8 enter");
    world.done(
        looked_at(&world, "/home/ada/work/new.pdf"),
        Answer::CheckLocalFile(()),
    );
    let Job::Replace { charset, .. } = world.asked_job(JobKind::Replace) else {
        panic!()
    };
    assert_eq!(charset.as_deref(), Some("utf-8"));
}

#[test]
fn an_upload_into_a_folder_that_is_typed_goes_where_the_engine_found_it() {
    let mut world = World::new().plans_by_hand();
    world.send(Msg::Paste("/tmp/b.txt".to_owned()));
    world.keys("up");
    world.text("sales/new");
    world.keys("enter");
    let (op, request) = world
        .asked_for(|request| matches!(request, Request::PlanUpload(_)))
        .unwrap();
    let typed = IntoFolder::Path("/sales/new".to_owned());
    assert!(
        matches!(&request, Request::PlanUpload(PlanUpload { into, .. }) if *into == typed),
        "{request:?}"
    );
    world.send(Msg::Engine(
        op.session,
        Event::Plan {
            op,
            news: PlanEvent::Into(place("s", "/sales")),
        },
    ));
    let there = Existing::Nothing {
        new_folder: Some("new".to_owned()),
    };
    let source = From::Local("/tmp/b.txt".into());
    let (name, size) = ("new/b.txt".to_owned(), Some(1));
    world.planned(
        op,
        vec![PlanRow {
            source,
            name,
            size,
            there,
            elsewhere: None,
            warning: None,
            is_hidden: false,
        }],
        None,
    );
    let Job::Upload { into, name, .. } = world.asked_job(JobKind::Upload) else {
        panic!()
    };
    assert_eq!(
        (into, name.as_deref()),
        (place("s", "/sales"), Some("new/b.txt"))
    );
}

#[test]
fn all_that_is_told_of_a_file_is_copied_as_the_service_names_it() {
    let mut world = World::new();
    world.keys("G y j");
    let op = world.asked(|request| matches!(request, Request::GetFile(GetFile { file }) if *file == FileId::new("3")));
    let effects = world.done(
        op,
        Answer::GetFile(file("3", "/c.pdf", "PRIVATE", Some("9"))),
    );
    let json: serde_json::Value = serde_json::from_str(copied(&effects).unwrap()).unwrap();
    assert_eq!(
        (&json["id"], &json["parentFolderId"], &json["access"]),
        (&"3".into(), &"9".into(), &"PRIVATE".into())
    );
}

#[test]
fn a_command_is_refused_where_nobody_else_can_reach_the_service() {
    let mut world = World::new();
    world.state.session.account.source = AccountSource::Demo;
    assert_eq!(copied(&world.keys("G y c")), None);
    assert!(
        world.says("Only this filedeck can reach"),
        "{:?}",
        world.said()
    );
}

#[test]
fn the_browser_opens_what_is_public_and_signs_what_is_not() {
    let mut world = World::new();
    let public = "https://acme.example/hubfs/a.txt";
    assert_eq!(
        world.keys("j j b"),
        [Effect::OpenBrowser(public.to_owned())]
    );
    world.keys("G b");
    let op =
        world.asked(|request| matches!(request, Request::SignUrl(SignUrl { file, .. }) if *file == FileId::new("3")));
    let signed: SignedUrl =
        serde_json::from_value(serde_json::json!({ "url": "https://signed.example/x" })).unwrap();
    assert_eq!(
        world.done(op, Answer::SignUrl(signed)),
        [Effect::OpenBrowser("https://signed.example/x".to_owned())]
    );
}

#[test]
fn where_no_browser_can_open_the_address_is_at_hand() {
    let mut world = World::new();
    let problem = Err("there is no screen here".to_owned());
    let effects = world.send(Msg::BrowserOpened(
        "https://acme.example/a".to_owned(),
        problem,
    ));
    assert_eq!(copied(&effects), Some("https://acme.example/a"));
    assert!(
        world.says("Not opened: there is no screen here. Address copied"),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_copy_that_came_of_a_lost_answer_is_told_of() {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/b.txt".to_owned()));
    world.keys("enter");
    let taken = world.take(JobKind::Upload);
    let twins = vec![file("11", "/b-1.txt", "PRIVATE", None)];
    let file = Box::new(file("10", "/b.txt", "PRIVATE", None));
    world.end_well(&taken, vec![Outcome::Uploaded { file, twins }]);
    assert!(
        world.says("stored more than once: /b.txt (id 10), /b-1.txt (id 11)"),
        "{:?}",
        world.said()
    );
}

fn looked_at(world: &World, local: &str) -> OpId {
    world.asked(
        |request| matches!(request, Request::CheckLocalFile(CheckLocalFile { path }) if path == Path::new(local)),
    )
}

#[test]
fn a_local_file_that_is_not_there_is_told_in_the_dialog_and_nothing_typed_is_lost() {
    let mut world = World::new();
    world.keys("G R");
    world.text("~/new.pdf");
    world.keys("enter");
    let op = looked_at(&world, "/home/ada/new.pdf");
    world.fail(
        op,
        Error::new(Kind::Refused, "/home/ada/new.pdf does not exist"),
    );
    assert!(
        world.shows("/home/ada/new.pdf does not exist.") && world.shows("~/new.pdf"),
        "{}",
        world.drawn()
    );
}

#[test]
fn what_is_given_up_while_its_file_is_looked_at_replaces_nothing() {
    let mut world = World::new();
    world.keys("G R");
    world.text("~/new.pdf");
    world.keys("enter x");
    let op = looked_at(&world, "/home/ada/new.pdf");
    assert!(world.keys("esc").contains(&Effect::Cancel(op)));
    assert!(
        world.shows("~/new.pdf") && !world.shows("Checking the local file"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.done(op, Answer::CheckLocalFile(())), []);
}

#[test]
fn a_file_is_replaced_by_the_local_one_that_is_typed() {
    let mut world = World::new();
    world.keys("G R");
    world.text("~/new.pdf");
    world.keys("enter");
    world.done(
        looked_at(&world, "/home/ada/new.pdf"),
        Answer::CheckLocalFile(()),
    );
    let taken = world.take(JobKind::Replace);
    let expected = Job::Replace {
        source: FileSource::Local("/home/ada/new.pdf".into()),
        file: item(file_target("3"), "/c.pdf"),
        seen: None,
        charset: None,
        access: None,
    };
    assert_eq!(taken.jobs, [expected]);
    assert!(world.is_busy(&file_target("3")));
    world.end_well(
        &taken,
        vec![Outcome::Replaced(Box::new(file(
            "3", "/c.pdf", "PRIVATE", None,
        )))],
    );
    assert!(!world.is_busy(&file_target("3")));
    assert!(
        world.says("Replaced with new.pdf → /c.pdf"),
        "{:?}",
        world.said()
    );
    world.listing_of("/");
}

#[rstest]
#[case::folders("R", "Only files can be replaced")]
#[case::several("G space k space R", "One file at a time")]
fn what_cannot_be_replaced_says_so(#[case] keys: &str, #[case] words: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert!(world.state.dialogs.is_empty());
    assert!(world.says(words), "{:?}", world.said());
}

#[test]
fn another_extension_is_refused_before_anything_is_sent() {
    let mut world = World::new();
    world.keys("G R");
    world.text("/tmp/new.png");
    world.keys("enter");
    assert!(
        world.shows("The extension must stay the same"),
        "{}",
        world.drawn()
    );
    assert_eq!(
        world.count(|request| matches!(request, Request::AddJobs(_))),
        0
    );
}
