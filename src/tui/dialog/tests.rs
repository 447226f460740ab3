use std::collections::BTreeMap;
use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rstest::rstest;

use super::*;
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{Access as Level, DuplicateScope, DuplicateStrategy, File, UploadOptions};
use crate::api::{AdvicePlace, Error};
use crate::config::{AccountSource, Preset, TomlText};
use crate::engine::local_entry::LocalEntry;
use crate::engine::message::{FolderRef, Target};
use crate::engine::question::PlanUpload;
use crate::engine::sending::IntoFolder;
use crate::engine::{Item, Job};
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::keymap::{Context, Key, Keymap};
use crate::tui::pane::actions::useful;

fn opened() -> Timestamp {
    "2026-11-21T08:00:00Z".parse().unwrap()
}

fn at(now: Timestamp) -> Clocks {
    Clocks::new(now, SignedDuration::ZERO)
}

fn later() -> Clocks {
    at(opened() + SignedDuration::from_secs(1))
}

fn press(dialog: &mut Dialog, keys: &str) -> Reply {
    keys.split_whitespace().fold(Reply::Open, |reply, key| {
        assert_eq!(reply, Reply::Open, "closed before {key}");
        dialog.on_key(key.parse().unwrap(), later())
    })
}

fn type_text(dialog: &mut Dialog, text: &str) {
    for c in text.chars() {
        assert_eq!(dialog.on_key(Key::char(c), later()), Reply::Open);
    }
}

fn deletion(permanent: bool) -> Intent {
    let (target, name) = (Target::File(FileId::new("1")), "a.txt".to_owned());
    let item = Item {
        target,
        path: "/a.txt".to_owned(),
        name,
        size: None,
        md5: None,
    };
    Intent::Jobs(vec![Job::Delete {
        item,
        permanent,
        state: None,
    }])
}

fn question() -> Dialog {
    Dialog::Confirm(Confirm::new(
        "Delete 1 file",
        "Delete",
        deletion(false),
        opened(),
    ))
}

fn typed_question() -> Dialog {
    let words = vec!["delete".to_owned(), "1".to_owned()];
    Dialog::Confirm(
        Confirm::new("Delete permanently", "Delete", deletion(true), opened()).typing(words),
    )
}

#[rstest]
#[case::enter("enter")]
#[case::escape("esc")]
#[case::no("n")]
#[case::there_and_back("tab left enter")]
#[case::left_of_cancel_is_nothing("left left enter")]
fn a_question_is_cancelled_unless_the_focus_was_moved(#[case] keys: &str) {
    assert_eq!(press(&mut question(), keys), Reply::Closed);
}

#[rstest]
#[case::arrow_and_enter("right enter")]
#[case::tab_and_enter("tab enter")]
#[case::back_tab_and_enter("shift-tab enter")]
#[case::letter_and_enter("l enter")]
#[case::yes("y")]
fn a_question_is_accepted_by_its_button(#[case] keys: &str) {
    assert_eq!(
        press(&mut question(), keys),
        Reply::Accepted(deletion(false))
    );
}

#[rstest]
fn arrows_never_confirm(
    #[values("left", "right", "up", "down", "h", "j", "k", "l", "space", "d")] key: &str,
) {
    let mut dialog = question();
    for _ in 0..5 {
        assert_eq!(press(&mut dialog, key), Reply::Open);
    }
}

#[rstest]
fn keys_typed_ahead_do_not_answer(#[values("y", "enter", "esc", "n", "right")] key: &str) {
    let mut dialog = question();
    let early = opened() + SignedDuration::from_millis(149);
    assert_eq!(dialog.on_key(key.parse().unwrap(), at(early)), Reply::Open);
    assert_eq!(
        press(&mut dialog, "enter"),
        Reply::Closed,
        "the focus has not moved"
    );
}

#[rstest]
#[case::nothing("", false)]
#[case::wrong("delet", false)]
#[case::the_word("delete", true)]
#[case::the_count("1", true)]
fn a_permanent_deletion_wants_the_word_typed(#[case] text: &str, #[case] accepted: bool) {
    let mut dialog = typed_question();
    type_text(&mut dialog, text);
    let expected = if accepted {
        Reply::Accepted(deletion(true))
    } else {
        Reply::Open
    };
    assert_eq!(press(&mut dialog, "tab tab enter"), expected);
}

#[test]
fn enter_after_the_word_goes_to_the_button_and_does_not_delete_yet() {
    let mut dialog = typed_question();
    type_text(&mut dialog, "delete");
    assert_eq!(press(&mut dialog, "enter"), Reply::Open);
    assert_eq!(press(&mut dialog, "enter"), Reply::Accepted(deletion(true)));
}

#[test]
fn enter_on_cancel_cancels_whatever_was_typed() {
    let mut dialog = typed_question();
    type_text(&mut dialog, "delete");
    assert_eq!(press(&mut dialog, "tab enter"), Reply::Closed);
}

#[test]
fn letters_are_typed_and_do_not_answer_where_a_word_is_wanted() {
    let mut dialog = typed_question();
    type_text(&mut dialog, "ynq");
    assert_eq!(press(&mut dialog, "enter"), Reply::Open);
    assert!(screen_of(&dialog, 80, 24).contains("Type \"delete\" first."));
}

fn job(reply: Reply) -> Job {
    match reply {
        Reply::Accepted(Intent::Jobs(mut jobs)) if jobs.len() == 1 => jobs.remove(0),
        reply => panic!("{reply:?}"),
    }
}

fn local() -> LocalPaths {
    LocalPaths {
        dir: "/home/ada".into(),
        home: None,
    }
}

fn entries(names: &[&str]) -> Vec<LocalEntry> {
    let entry = |name: &&str| {
        let is_folder = name.ends_with('/');
        LocalEntry {
            name: name.trim_end_matches('/').into(),
            is_folder,
            size: None,
            updated_at: None,
        }
    };
    names.iter().map(entry).collect()
}

fn upload(paths: &str) -> Dialog {
    Dialog::Upload(UploadDialog::new(paths, FolderRef::root(), local()))
}

/// Returns the request of an upload dialog, and the options for the files.
fn planned(mut dialog: Dialog, keys: &str) -> (PlanUpload, UploadOptions) {
    let Reply::PlanUpload(request) = press(&mut dialog, keys) else {
        panic!("not accepted: {dialog:?}")
    };
    let Dialog::Upload(upload) = &dialog else {
        panic!()
    };
    (*request, upload.options().options.clone())
}

#[test]
fn an_upload_is_private_and_kept_unless_said_otherwise() {
    let (request, options) = planned(upload("'/tmp/a b.txt'"), "enter");
    let PlanUpload {
        typed,
        into,
        name: None,
        unnamed: false,
        ..
    } = request
    else {
        panic!("{request:?}")
    };
    assert_eq!(
        (typed[0].words[0].path.as_path(), into),
        (
            Path::new("/tmp/a b.txt"),
            IntoFolder::Place(FolderRef::root())
        )
    );
    assert_eq!(options, UploadOptions::new(Level::Private));
}

#[test]
fn an_upload_takes_access_life_time_name_and_duplicate_rule() {
    let keys = "right down 2 w down enter l o g o down down down right down right enter";
    let (request, options) = planned(upload("/tmp/a.txt"), keys);
    assert!(request.name.as_deref() == Some("logo"));
    assert_eq!(options.access, Level::PublicNotIndexable);
    assert_eq!(options.ttl.as_deref(), Some("P2W"));
    assert_eq!(
        options.duplicate_validation_strategy,
        Some(DuplicateStrategy::Reject)
    );
    assert_eq!(
        options.duplicate_validation_scope,
        Some(DuplicateScope::ExactFolder)
    );
}

#[test]
fn the_same_bytes_are_looked_for_where_the_command_line_looks_unless_said_otherwise() {
    let (_, options) = planned(
        upload("/tmp/a.txt"),
        "down down enter down down down right enter",
    );
    assert_eq!(
        options.duplicate_validation_strategy,
        Some(DuplicateStrategy::Reject)
    );
    assert_eq!(
        options.duplicate_validation_scope,
        Some(DuplicateScope::DEFAULT)
    );
}

#[test]
fn an_upload_goes_into_another_folder_that_is_completed_from_the_account() {
    let mut dialog = upload("/tmp/a.txt");
    press(&mut dialog, "up");
    type_text(&mut dialog, "mar");
    assert_eq!(
        press(&mut dialog, "tab"),
        Reply::CompleteThere("/".to_owned())
    );
    dialog.take_names(&["marketing/", "marble.txt"].map(str::to_owned));
    let (request, _) = planned(dialog, "enter");
    let PlanUpload { into, .. } = request;
    assert_eq!(
        into,
        IntoFolder::Path("/marketing".to_owned()),
        "files are no folders"
    );
}

#[test]
fn an_upload_takes_the_encoding_of_texts_and_leaves_the_name_to_the_service() {
    let mut dialog = upload("/tmp/a.txt");
    press(&mut dialog, "down down enter down right down u t f - 8");
    let Reply::PlanUpload(request) = press(&mut dialog, "enter") else {
        panic!("{dialog:?}")
    };
    assert!(request.name.is_none() && request.unnamed, "{request:?}");
    let Dialog::Upload(upload) = &dialog else {
        panic!()
    };
    assert_eq!(
        (
            upload.options().charset.as_deref(),
            upload.options().unnamed
        ),
        (Some("utf-8"), true)
    );
}

#[test]
fn what_is_seldom_needed_is_behind_more() {
    let mut dialog = upload("/tmp/a.txt");
    assert!(!screen_of(&dialog, 80, 24).contains("Duplicates"));
    press(&mut dialog, "up up up enter");
    let drawn = screen_of(&dialog, 80, 24);
    assert!(
        drawn.contains("Name") && drawn.contains("Duplicates"),
        "{drawn}"
    );
    assert!(
        drawn.contains("Name chosen by  ◉ you   ○ the service"),
        "{drawn}"
    );
}

#[test]
fn several_lines_that_are_pasted_into_the_field_are_a_path_each() {
    let mut dialog = upload("");
    dialog.on_paste("/tmp/a b.txt\n/tmp/c.txt\n");
    let (request, _) = planned(dialog, "enter");
    let PlanUpload { typed, .. } = request;
    let paths: Vec<_> = typed[0]
        .words
        .iter()
        .map(|word| word.path.to_str().unwrap())
        .collect();
    assert_eq!(paths, ["/tmp/a b.txt", "/tmp/c.txt"]);
}

#[rstest]
#[case::no_path("", "enter", "path")]
#[case::life_of_two_years("/tmp/a", "down 2 y enter", "1 year")]
#[case::folder_from_nowhere("/tmp/a", "up backspace i n enter", "absolute")]
#[case::two_namers("/tmp/a", "down down enter x down right enter", "Clear the name")]
#[case::encoding_of_two_words("/tmp/a", "down down enter down down a space b enter", "encoding")]
#[case::name_with_a_slash("/tmp/a", "down down enter . . / x enter", "slash")]
fn a_wrong_upload_is_refused_before_it_is_sent(
    #[case] path: &str,
    #[case] keys: &str,
    #[case] word: &str,
) {
    let mut dialog = upload(path);
    assert_eq!(press(&mut dialog, keys), Reply::Open);
    let Dialog::Upload(UploadDialog { form, .. }) = dialog else {
        panic!()
    };
    assert!(
        form.problem
            .as_deref()
            .is_some_and(|problem| problem.contains(word)),
        "{:?}",
        form.problem
    );
}

#[test]
fn tab_completes_a_path_and_goes_on_when_there_is_nothing_more() {
    let mut dialog = upload("");
    type_text(&mut dialog, "/tmp/no");
    assert_eq!(
        press(&mut dialog, "tab"),
        Reply::Complete("/tmp/".to_owned())
    );
    dialog.take_entries(Path::new("/tmp"), entries(&["notes.txt", "zebra/"]));
    let Dialog::Upload(UploadDialog { form, .. }) = &dialog else {
        panic!()
    };
    assert_eq!((form.text(0), form.focus), ("/tmp/notes.txt", 0));
    assert_eq!(press(&mut dialog, "tab"), Reply::Open);
    let Dialog::Upload(UploadDialog { form, .. }) = &dialog else {
        panic!()
    };
    assert_eq!(form.focus, 1);
}

#[test]
fn tab_goes_on_to_the_next_field_when_no_name_fits() {
    let mut dialog = upload("");
    type_text(&mut dialog, "a.txt /tmp/zz");
    assert_eq!(
        press(&mut dialog, "tab"),
        Reply::Complete("/tmp/".to_owned())
    );
    dialog.take_entries(Path::new("/tmp"), entries(&["notes.txt"]));
    let Dialog::Upload(UploadDialog { form, .. }) = &dialog else {
        panic!()
    };
    assert_eq!((form.text(0), form.focus), ("a.txt /tmp/zz", 1));
}

#[test]
fn files_are_looked_for_in_the_folder_that_is_typed_which_they_replace() {
    let mut dialog = upload("");
    type_text(&mut dialog, "x.txt /tmp/up/");
    assert_eq!(
        press(&mut dialog, "ctrl-o"),
        Reply::Browse {
            typed: "x.txt /tmp/up/".to_owned(),
            of: PathKind::Locals
        }
    );
    let form = dialog.form_mut().unwrap();
    form.add_paths(&["/tmp/up/a.txt".into()], &local());
    assert_eq!(form.text(0), "x.txt /tmp/up/a.txt");
}

#[rstest]
#[case::no_scheme("example.com/a.png", "http")]
#[case::other_scheme("ftp://example.com/a.png", "http")]
#[case::no_host("https://", "http")]
fn an_import_wants_an_address_of_the_web(#[case] address: &str, #[case] word: &str) {
    let mut dialog = Dialog::Import(ImportDialog::new(address, FolderRef::root(), local()));
    assert_eq!(press(&mut dialog, "enter"), Reply::Open);
    let Dialog::Import(ImportDialog { form, .. }) = dialog else {
        panic!()
    };
    assert!(
        form.problem
            .as_deref()
            .is_some_and(|problem| problem.contains(word)),
        "{:?}",
        form.problem
    );
}

#[test]
fn several_addresses_are_one_batch_and_a_wrong_one_is_named() {
    let import = |addresses: &str, keys: &str| {
        let mut dialog = Dialog::Import(ImportDialog::new(addresses, FolderRef::root(), local()));
        let reply = press(&mut dialog, keys);
        (dialog, reply)
    };
    let (_, reply) = import(
        "https://example.com/a.png  https://example.com/b.png",
        "enter",
    );
    let Reply::Accepted(Intent::Jobs(jobs)) = reply else {
        panic!("{reply:?}")
    };
    let addresses: Vec<_> = jobs
        .iter()
        .map(|job| {
            if let Job::Import { request, .. } = job {
                request.url.as_str()
            } else {
                panic!("{job:?}")
            }
        })
        .collect();
    assert_eq!(
        addresses,
        ["https://example.com/a.png", "https://example.com/b.png"]
    );
    for (addresses, keys, word) in [
        ("https://a ftp://b", "enter", "ftp://b"),
        ("https://a https://b", "x enter", "one file"),
    ] {
        let (dialog, reply) = import(addresses, keys);
        assert_eq!(reply, Reply::Open);
        let Dialog::Import(ImportDialog { form, .. }) = dialog else {
            panic!()
        };
        assert!(
            form.problem
                .as_deref()
                .is_some_and(|problem| problem.contains(word)),
            "{:?}",
            form.problem
        );
    }
}

#[test]
fn an_import_names_its_folder_by_id_or_by_path_never_both() {
    let place = FolderRef {
        id: Some(FolderId::new("7")),
        path: "/marketing".to_owned(),
    };
    let mut dialog = Dialog::Import(ImportDialog::new(
        "https://example.com/a.png",
        place.clone(),
        local(),
    ));
    let Job::Import { request, .. } = job(press(&mut dialog, "enter")) else {
        panic!()
    };
    assert_eq!(
        (request.folder_id, request.folder_path),
        (place.id.clone(), None)
    );
    let mut dialog = Dialog::Import(ImportDialog::new(
        "https://example.com/a.png",
        place,
        local(),
    ));
    let Job::Import {
        request, folder, ..
    } = job(press(&mut dialog, "down / q 3 enter"))
    else {
        panic!()
    };
    assert_eq!(folder, "/marketing/q3");
    assert_eq!(
        (request.folder_id, request.folder_path.as_deref()),
        (None, Some("/marketing/q3"))
    );
}

#[test]
fn a_folder_is_given_by_its_id() {
    let import = ImportDialog::new("https://example.com/a.png", FolderRef::root(), local());
    let mut dialog = Dialog::Import(import);
    let Job::Import {
        request, folder, ..
    } = job(press(&mut dialog, "down backspace i d : 7 enter"))
    else {
        panic!()
    };
    assert_eq!(
        (request.folder_id, request.folder_path),
        (Some(FolderId::new("7")), None)
    );
    assert_eq!(folder, "id:7");
    let (request, _) = planned(upload("/tmp/a"), "up backspace i d : 7 enter");
    assert_eq!(request.into, IntoFolder::Id(FolderId::new("7")));
    let mut dialog = upload("/tmp/a");
    assert_eq!(
        press(&mut dialog, "up backspace i d : x enter"),
        Reply::Open
    );
    assert!(screen_of(&dialog, 80, 24).contains("An id has digits only."));
}

#[test]
fn an_import_replaces_only_when_that_is_chosen_in_the_words_of_a_plan() {
    let imported = |keys: &str| {
        let import = ImportDialog::new("https://example.com/a.png", FolderRef::root(), local());
        let Job::Import { request, .. } = job(press(&mut Dialog::Import(import), keys)) else {
            panic!()
        };
        request.options.overwrite
    };
    assert_eq!(imported("enter"), None);
    assert_eq!(imported("up up enter right enter"), Some(true));
    let mut dialog = Dialog::Import(ImportDialog::new("", FolderRef::root(), local()));
    press(&mut dialog, "up enter");
    let drawn = screen_of(&dialog, 80, 24);
    assert!(
        drawn.contains("Taken names   ◉ keep both   ○ replace   ○ skip   ○ stop"),
        "{drawn}"
    );
}

#[rstest]
#[case::lines(
    ["address of the picture", "https://example.com/a,1.png", "https://example.com/b.png"],
    "address of … picture",
    "https://example.com/a,1.png"
)]
#[case::table(
    ["name,address", "a.png,https://example.com/a.png", "b.png, \"https://example.com/b.png\""],
    "name,address",
    "https://example.com/a.png"
)]
fn a_list_of_addresses_is_read_into_the_field_before_anything_is_imported(
    #[case] lines: [&str; 3],
    #[case] left_out: &str,
    #[case] first: &str,
) {
    let mut dialog = Dialog::Import(ImportDialog::new("", FolderRef::root(), local()));
    assert_eq!(
        press(&mut dialog, "up up a . t x t enter"),
        Reply::ReadAddresses("/home/ada/a.txt".into())
    );
    let Dialog::Import(import) = &mut dialog else {
        panic!()
    };
    import.add(&lines.map(str::to_owned));
    let drawn = screen_of(&dialog, 80, 24);
    let said = format!("Read 2 addresses, left out \"{left_out}\":");
    assert!(drawn.contains(&said), "{drawn}");
    let Reply::Accepted(Intent::Jobs(jobs)) = press(&mut dialog, "enter") else {
        panic!()
    };
    let address = |job: &Job| match job {
        Job::Import { request, .. } => request.url.clone(),
        job => panic!("{job:?}"),
    };
    let addresses: Vec<String> = jobs.iter().map(address).collect();
    assert_eq!(addresses, [first, "https://example.com/b.png"]);
}

#[test]
fn a_replacement_keeps_the_access_level_unless_another_is_chosen() {
    let chosen = |access: &Level, keys: &str| {
        let mut dialog = Dialog::Replace(ReplaceDialog::new(&file(access), local()));
        type_text(&mut dialog, "new.png");
        match press(&mut dialog, keys) {
            Reply::Replace { intent, .. } => *intent,
            reply => panic!("{reply:?}"),
        }
    };
    let level = |intent: &Intent| match intent {
        Intent::Jobs(jobs) | Intent::Publish { jobs, .. } => match jobs.as_slice() {
            [Job::Replace { access, .. }] => access.clone(),
            jobs => panic!("{jobs:?}"),
        },
        intent => panic!("{intent:?}"),
    };
    assert_eq!(level(&chosen(&Level::Private, "enter")), None);
    let private = chosen(&Level::PublicIndexable, "down right enter");
    assert!(matches!(private, Intent::Jobs(_)), "{private:?}");
    assert_eq!(level(&private), Some(Level::Private));
    let public = chosen(&Level::Private, "down right right right enter");
    assert!(
        matches!(public, Intent::Publish { .. }),
        "what becomes public is asked first: {public:?}"
    );
}

#[test]
fn a_change_of_nothing_keeps_the_dialog_and_says_so() {
    let mut dialog = Dialog::Access(Access::new(
        vec![file(&Level::Private)],
        0,
        later().service,
        &TimeZone::UTC,
    ));
    assert_eq!(press(&mut dialog, "down enter"), Reply::Open);
    let drawn = screen_of(&dialog, 80, 24);
    assert!(
        drawn.contains("No changes yet: choose with ← and →, or press esc."),
        "{drawn}"
    );
}

#[test]
fn choices_stand_beside_each_other_with_what_the_chosen_one_means() {
    let mut dialog = upload("/tmp/a");
    let drawn = screen_of(&dialog, 80, 24);
    let row = drawn
        .lines()
        .find(|line| line.contains("unlisted"))
        .unwrap();
    assert!(row.contains("private") && row.contains("public"), "{row}");
    assert!(drawn.contains("Only signed links open it."), "{drawn}");
    let height = drawn.lines().filter(|line| line.contains('│')).count();
    press(&mut dialog, "right right");
    let drawn = screen_of(&dialog, 80, 24);
    assert!(
        drawn.contains("Anyone can open it, and search engines index it."),
        "{drawn}"
    );
    press(&mut dialog, "down");
    let drawn = screen_of(&dialog, 80, 24);
    assert_eq!(
        drawn.lines().filter(|line| line.contains('│')).count(),
        height,
        "the box keeps its height"
    );
}

fn file(access: &Level) -> File {
    serde_json::from_value(serde_json::json!({
        "id": "5", "name": "logo", "extension": "png", "access": access, "isUsableInContent": true
    }))
    .unwrap()
}

#[test]
fn making_a_private_file_public_is_asked_again() {
    let mut dialog = Dialog::Access(Access::new(
        vec![file(&Level::Private)],
        0,
        later().service,
        &TimeZone::UTC,
    ));
    let Reply::Accepted(Intent::Publish { jobs, private }) = press(&mut dialog, "right enter")
    else {
        panic!()
    };
    assert_eq!(jobs.len(), 1);
    assert_eq!(private, ["logo.png"]);
}

#[test]
fn making_a_public_file_private_is_not() {
    let mut dialog = Dialog::Access(Access::new(
        vec![file(&Level::PublicIndexable)],
        0,
        later().service,
        &TimeZone::UTC,
    ));
    let Job::Change { update, .. } = job(press(&mut dialog, "left left enter")) else {
        panic!()
    };
    assert_eq!(update.access, Some(Level::Private));
}

#[rstest]
#[case::unchanged("enter", None)]
#[case::same_level_chosen("right left enter", None)]
#[case::expiry("up 3 0 d enter", Some("2026-12-21T08:00:01Z"))]
#[case::date("up 2 0 2 7 - 0 1 - 0 1 enter", Some("2027-01-01T00:00:00Z"))]
fn only_what_differs_is_sent(#[case] keys: &str, #[case] expires_at: Option<&str>) {
    let mut dialog = Dialog::Access(Access::new(
        vec![file(&Level::Private)],
        0,
        later().service,
        &TimeZone::UTC,
    ));
    match (press(&mut dialog, keys), expires_at) {
        (Reply::Open, None) => assert!(screen_of(&dialog, 80, 24).contains("No changes yet")),
        (reply @ Reply::Accepted(_), Some(time)) => {
            let Job::Change { update, .. } = job(reply) else {
                panic!()
            };
            assert_eq!(update.expires_at, Some(time.parse().unwrap()));
            assert_eq!((update.access, update.is_usable_in_content), (None, None));
        }
        (reply, _) => panic!("{reply:?}"),
    }
}

/// Returns four files: two private, two public, of which one expires.
fn four_files() -> Vec<File> {
    let mut files: Vec<File> = [
        Level::Private,
        Level::Private,
        Level::PublicIndexable,
        Level::PublicIndexable,
    ]
    .iter()
    .map(file)
    .collect();
    files.last_mut().unwrap().expires_at = Some("2026-12-24T00:00:00Z".parse().unwrap());
    files
}

#[rstest]
#[case::untouched("tab tab shift-tab shift-tab", "0 of 4 files change.")]
#[case::some("left", "2 of 4 files change: 2 become public, 2 already have it.")]
#[case::all("right right", "4 of 4 files change: all become unlisted.")]
#[case::several(
    "right tab right",
    "4 of 4 files change: 2 become private, 2 already have it; all become unusable in content."
)]
#[case::no_end(
    "tab tab n e v e r",
    "1 of 4 files changes: 1 no longer expires, 3 never did."
)]
#[case::an_end("tab tab 3 0 d", "4 of 4 files change: all expire then.")]
fn a_change_of_several_files_says_how_many_change(#[case] keys: &str, #[case] words: &str) {
    let mut dialog = Dialog::Access(Access::new(
        four_files(),
        0,
        later().service,
        &TimeZone::UTC,
    ));
    press(&mut dialog, keys);
    let Dialog::Access(Access { form, .. }) = &dialog else {
        panic!()
    };
    assert_eq!(form.note.as_deref(), Some(words));
}

#[test]
fn an_expiry_shows_the_time_that_a_day_means_and_an_error_every_form() {
    let mut dialog = Dialog::Access(Access::new(
        vec![file(&Level::Private)],
        0,
        later().service,
        &TimeZone::UTC,
    ));
    press(&mut dialog, "tab tab 2 0 2 7 - 0 1 - 3 1");
    let drawn = screen_of(&dialog, 80, 24);
    assert!(drawn.contains("Expires 2027-01-31 00:00."), "{drawn}");
    press(&mut dialog, "ctrl-u s o o n enter");
    let drawn = screen_of(&dialog, 80, 24);
    assert!(
        drawn.contains("2026-12-31") && drawn.contains("or never"),
        "{drawn}"
    );
}

#[test]
fn of_several_files_only_those_that_change_are_sent() {
    let mut dialog = Dialog::Access(Access::new(
        four_files(),
        0,
        later().service,
        &TimeZone::UTC,
    ));
    let Reply::Accepted(Intent::Publish { jobs, private }) = press(&mut dialog, "left enter")
    else {
        panic!()
    };
    assert_eq!((jobs.len(), private.len()), (2, 2));
    let mut dialog = Dialog::Access(Access::new(
        four_files(),
        0,
        later().service,
        &TimeZone::UTC,
    ));
    let Job::Change { update, .. } = job(press(&mut dialog, "tab tab n e v e r enter")) else {
        panic!()
    };
    assert_eq!(update.clear_expires, Some(true));
}

#[test]
fn a_lifetime_without_a_unit_is_said_to_count_seconds() {
    let mut dialog = Dialog::Sign(Sign::new(vec![file(&Level::Private)]));
    press(&mut dialog, "2 0");
    assert!(screen_of(&dialog, 80, 24).contains("20 seconds; 20m for minutes."));
    press(&mut dialog, "m");
    assert!(!screen_of(&dialog, 80, 24).contains("seconds"));
}

#[test]
fn a_rename_offers_the_stem_and_sends_it() {
    let mut dialog = Dialog::Prompt(Prompt::rename_file(&file(&Level::Private)));
    let job = job(press(&mut dialog, "2 enter"));
    assert_eq!(job.label(), "logo.png → logo2.png");
    let Job::Change { update, .. } = job else {
        panic!()
    };
    assert_eq!(update.name.as_deref(), Some("logo2"));
}

#[test]
fn an_errors_details_hold_all_that_support_asks_for() {
    let error = Error {
        status: Some(403),
        category: Some("MISSING_SCOPES".to_owned()),
        correlation_id: Some("abc-123".to_owned()),
        ..Error::new(crate::api::Kind::Forbidden, "no \u{1b}[2Jscope")
    };
    let mut dialog = Dialog::Notice(Notice::problem("Delete failed", &error));
    let Reply::Copy(copied) = press(&mut dialog, "y") else {
        panic!()
    };
    for part in [
        "Delete failed",
        "403",
        "MISSING_SCOPES",
        "abc-123",
        "scope",
        &error.advice(AdvicePlace::Screen).unwrap(),
    ] {
        assert!(copied.contains(part), "{part} is not in {copied}");
    }
    assert!(!copied.contains('\u{1b}'));
}

#[test]
fn the_help_finds_an_action_by_its_words() {
    let mut dialog = Dialog::Help(Help::new(
        &Keymap::defaults(),
        Context::List,
        &UsefulKeys::default(),
    ));
    type_text(&mut dialog, "import address");
    let area = Rect::new(0, 0, 80, 24);
    let mut buf = Buffer::empty(area);
    dialog.draw(area, &mut buf, &Theme::default());
    let screen: String = buf
        .content()
        .iter()
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert!(screen.contains("Import files from addresses"));
    assert!(!screen.contains("Half a page"));
}

/// Checks every row of the help, with all words and keys: seen to fail when a line is cut at its
/// end.
#[rstest]
fn the_help_cuts_neither_a_key_nor_a_word(
    #[values(
        Context::Tree,
        Context::List,
        Context::Local,
        Context::Choose,
        Context::Compare,
        Context::Details,
        Context::Tasks,
        Context::Limits,
        Context::Activity
    )]
    context: Context,
    #[values(Preset::Vim, Preset::Cua)] preset: Preset,
) {
    let (keymap, _) = Keymap::load(preset, &TomlText::default());
    let keys = UsefulKeys {
        actions: useful(context, 24),
        words: BTreeMap::new(),
        lacks: BTreeMap::new(),
    };
    let mut dialog = Dialog::Help(Help::new(&keymap, context, &keys));
    let first = screen_of(&dialog, 80, 24);
    assert!((16..=20).contains(&keys.actions.len()));
    // The other preset has longer keys, so its last rows are reached only by moving on.
    for action in keys.actions.iter().filter(|_| preset == Preset::Vim) {
        let key = keymap
            .key_of(context, *action)
            .unwrap_or_else(|| panic!("{action} has no key in {context}"));
        let row = first
            .lines()
            .find(|line| line.contains(action.description()))
            .unwrap_or_else(|| panic!("{action}: {first}"));
        assert!(row.contains(&format!(" {key}")), "{row}");
    }
    press(&mut dialog, "tab");
    for (cols, rows) in [(80, 24), (120, 40), (200, 60)] {
        press(&mut dialog, "home");
        let mut seen = String::new();
        // A page key moves by fewer rows than are shown.
        for _ in keymap.bindings().chunks(10) {
            seen += &screen_of(&dialog, cols, rows);
            press(&mut dialog, "pgdn");
        }
        assert!(
            !seen.contains('…'),
            "something is cut at {cols}x{rows}: {seen}"
        );
        for word in keymap
            .bindings()
            .iter()
            .flat_map(|binding| binding.action.description().split(' '))
        {
            assert!(seen.contains(word), "{word} at {cols}x{rows}");
        }
    }
}

fn screen_of(dialog: &Dialog, cols: u16, rows: u16) -> String {
    let area = Rect::new(0, 0, cols, rows);
    let mut buf = Buffer::empty(area);
    dialog.draw(area, &mut buf, &Theme::default());
    let cells = buf.content().chunks(usize::from(cols));
    cells
        .map(|row| {
            row.iter()
                .map(ratatui::buffer::Cell::symbol)
                .collect::<String>()
                + "\n"
        })
        .collect()
}

#[rstest]
#[case::soft(false)]
#[case::permanent(true)]
fn the_buttons_are_on_the_smallest_screen_too(#[case] permanent: bool) {
    let long =
        "The addresses stop resolving now; the service keeps the bytes, private and inaccessible. "
            .repeat(4);
    let names = (0..30).map(|number| format!("file-{number}.txt")).collect();
    let mut confirm = Confirm::new("Delete", "Delete", deletion(permanent), opened())
        .naming(names)
        .saying(long);
    if permanent {
        confirm = confirm.typing(vec!["delete".to_owned(), "30".to_owned()]);
    }
    let drawn = screen_of(&Dialog::Confirm(confirm), 50, 12);
    assert!(
        drawn.contains(" Cancel ") && drawn.contains("[ Delete ]"),
        "{drawn}"
    );
    assert_eq!(
        drawn.contains("Type delete to confirm"),
        permanent,
        "{drawn}"
    );
}

#[test]
fn ten_names_are_listed_and_the_others_counted() {
    let names = (0..30).map(|number| format!("file-{number}.txt")).collect();
    let confirm = Confirm::new("Delete", "Delete", deletion(false), opened())
        .naming(names)
        .saying("Gone.");
    let mut dialog = Dialog::Confirm(confirm);
    let drawn = screen_of(&dialog, 80, 24);
    assert!(
        drawn.contains("file-9.txt") && !drawn.contains("file-10.txt"),
        "{drawn}"
    );
    assert!(drawn.contains("… 20 more"), "{drawn}");
    for _ in 0..30 {
        press(&mut dialog, "down");
    }
    let drawn = screen_of(&dialog, 80, 24);
    assert!(
        drawn.contains("file-29.txt") && drawn.contains("… 20 above"),
        "all can be seen:\n{drawn}"
    );
}

#[test]
fn every_field_that_is_often_wanted_is_on_the_smallest_screen() {
    let mut dialog = Dialog::Import(ImportDialog::new("", FolderRef::root(), local()));
    let Dialog::Import(ImportDialog { form, .. }) = &dialog else {
        panic!()
    };
    let labels: Vec<&str> = form
        .fields
        .iter()
        .filter(|field| !field.is_rare)
        .map(|field| field.label)
        .collect();
    let drawn = screen_of(&dialog, 50, 12);
    assert!(labels.iter().all(|label| drawn.contains(label)), "{drawn}");
    press(&mut dialog, "enter");
    let drawn = screen_of(&dialog, 50, 12);
    assert!(drawn.contains("Type an address"), "{drawn}");
}

#[test]
fn a_choice_that_all_files_share_is_not_offered_as_unchanged() {
    let file = |access: &str| -> File {
        let json = serde_json::json!({ "id": "1", "name": "a", "access": access, "isUsableInContent": true });
        serde_json::from_value(json).unwrap()
    };
    let dialog = |files| Dialog::Access(Access::new(files, 0, later().service, &TimeZone::UTC));
    let mut single = dialog(vec![file("PRIVATE")]);
    let drawn = screen_of(&single, 80, 24);
    assert!(
        drawn.contains("◉ private   ○ unlisted   ○ public") && !drawn.contains("○ unchanged"),
        "{drawn}"
    );
    let narrow = screen_of(&single, 50, 14);
    assert!(
        narrow.contains("‹ private ›") && narrow.contains("Expires"),
        "{narrow}"
    );
    assert_eq!(
        press(&mut single, "enter"),
        Reply::Open,
        "nothing has changed"
    );
    let Reply::Accepted(Intent::Publish { jobs, .. }) = press(&mut single, "right enter") else {
        panic!("{single:?}")
    };
    let [Job::Change { update, .. }] = jobs.as_slice() else {
        panic!("{jobs:?}")
    };
    assert_eq!(
        (update.access.as_ref(), update.is_usable_in_content),
        (Some(&Level::PublicNotIndexable), None)
    );
    let drawn = screen_of(
        &dialog(vec![file("PRIVATE"), file("PUBLIC_INDEXABLE")]),
        80,
        24,
    );
    assert!(drawn.contains("◉ unchanged   ○ private"), "{drawn}");
}

fn account_row(name: &str, is_present: bool) -> AccountRow {
    AccountRow {
        source: AccountSource::Configured(name.to_owned()),
        name: name.to_owned(),
        address: "https://api.example.com".to_owned(),
        read_only: false,
        is_production: false,
        is_present,
        note: None,
    }
}

#[test]
fn a_production_account_is_known_before_it_is_chosen() {
    let shop = AccountRow {
        is_production: true,
        ..account_row("live", false)
    };
    let audit = AccountRow {
        is_production: true,
        read_only: true,
        ..account_row("audit", false)
    };
    let dialog = Dialog::Accounts(AccountsDialog::new(vec![
        account_row("test", true),
        shop,
        audit,
    ]));
    let drawn = screen_of(&dialog, 80, 24);
    let line = |name: &str| {
        drawn
            .lines()
            .find(|line| line.contains(name))
            .unwrap_or_default()
    };
    assert!(!line("test ").contains("production"), "{drawn}");
    assert!(
        line("live ").contains("https://api.example.com") && line("live ").contains("production"),
        "{drawn}"
    );
    assert!(line("audit ").contains("production, read-only"), "{drawn}");
}

#[test]
fn an_account_is_chosen_by_letter_or_by_moving() {
    let entry = account_row;
    let entries = vec![
        entry("acme", false),
        entry("beta", true),
        entry("Birch", false),
        entry("demo", false),
    ];
    let chosen = |keys: &str| {
        press(
            &mut Dialog::Accounts(AccountsDialog::new(entries.clone())),
            keys,
        )
    };
    let switch =
        |name: &str| Reply::Accepted(Intent::Switch(AccountSource::Configured(name.to_owned())));
    assert_eq!(chosen("enter"), switch("beta"), "the present one");
    assert_eq!(chosen("b enter"), switch("Birch"));
    assert_eq!(chosen("b b enter"), switch("beta"), "round from the top");
    assert_eq!(chosen("x enter"), switch("beta"));
    assert_eq!(chosen("j down j enter"), switch("demo"));
    assert_eq!(chosen("k up k enter"), switch("acme"));
    assert_eq!(chosen("b esc"), Reply::Closed);
    assert_eq!(chosen("a"), Reply::Accepted(Intent::AddAccount));
    let birch = || AccountSource::Configured("Birch".to_owned());
    assert_eq!(chosen("b e"), Reply::Accepted(Intent::EditAccount(birch())));
    assert_eq!(
        chosen("b delete"),
        Reply::Accepted(Intent::RemoveAccount(birch()))
    );
}
