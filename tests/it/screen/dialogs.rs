//! Every dialog, opened by its keys on the files of the library.

use filedeck::api::ids::{FileId, FolderId};
use filedeck::api::{DeletionAnswer, Error, Kind};
use filedeck::engine::deletion::{DeletedContents, Deletion};
use filedeck::engine::folder_size::FolderSize;
use filedeck::engine::message::Target;
use filedeck::engine::text_file::EditedText;
use filedeck::engine::{Event, Item, Request};
use filedeck::tui::dialog::{Deletions, Dialog, UnsavedEditsDialog};
use filedeck::tui::message::Msg;
use filedeck::tui::state::State;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::update::update;
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{browsing, now, upload_on_the_demo, with_tasks};
use super::snapshot::{draw, draw_text};
use filedeck::engine::Answer;
use filedeck::engine::question::MeasureFolders;

pub(super) fn press(state: &mut State, keys: &str) -> Vec<Effect> {
    update(state, Msg::Clock(now()));
    keys.split_whitespace()
        .flat_map(|key| update(state, Msg::Key(key.parse().unwrap())))
        .collect()
}

#[rstest]
#[case::delete_of_marked_files("delete", "d")]
#[case::permanent_delete("purge", "D")]
#[case::upload("upload", "u")]
#[case::import("import", "I")]
#[case::new_folder("new_folder", "a")]
#[case::rename("rename", "esc r")]
#[case::access("access", "e")]
#[case::save_as("save_as", "S")]
#[case::signed_for_a_while("signed_for", "esc y S")]
#[case::signed_as_a_copy("signed_copy", "esc y S down")]
#[case::task_of_the_service("service_task", "w g i")]
#[case::upload_with_all_of_it("upload_all", "u up enter")]
#[case::import_with_all_of_it("import_all", "I up enter")]
#[case::replacement("replace", "esc R")]
#[case::go_to_a_path("go_to", "g p")]
#[case::nearest_paths("go_to_nearest", "g p n")]
#[case::accounts("accounts", "@")]
#[case::help("help", "?")]
#[case::palette("palette", "ctrl-p")]
#[case::palette_searched("palette_searched", "ctrl-p a d d")]
fn a_dialog_lies_over_the_list(#[case] name: &str, #[case] keys: &str) {
    let mut state = browsing();
    press(&mut state, keys);
    state.status.clear();
    assert_eq!(state.dialogs.len(), 1, "{keys} opens a dialog");
    assert_snapshot!(format!("dialog_{name}"), draw(&state, 80, 24));
    assert_snapshot!(format!("dialog_{name}_medium"), draw_text(&state, 120, 40));
    for (cols, rows) in [(50, 12), (200, 60)] {
        assert!(draw_text(&state, cols, rows).lines().count() > 0);
    }
}

#[test]
fn what_lies_in_a_folder_is_told_in_the_dialog_that_asks() {
    let mut state = browsing();
    let effects = press(&mut state, "esc g g space d");
    let size_count = effects.iter().find_map(|effect| match effect {
        Effect::Submit(op, Request::MeasureFolders(MeasureFolders { folders })) => {
            Some((*op, folders.clone()))
        }
        _ => None,
    });
    let (op, folders) = size_count.unwrap();
    assert_snapshot!("dialog_delete_folder_counting", draw(&state, 80, 24));
    let sizes = folders.into_iter().map(|id| {
        (
            id,
            FolderSize {
                files: 168,
                bytes: 12_400_000,
                is_all: true,
            },
        )
    });
    let result = Ok(Answer::MeasureFolders(sizes.collect()));
    update(
        &mut state,
        Msg::Engine(op.session, Event::Done { op, result }),
    );
    assert_snapshot!("dialog_delete_folder", draw(&state, 80, 24));
    assert_snapshot!("dialog_delete_folder_medium", draw_text(&state, 120, 40));
}

#[test]
fn the_accounts_say_what_goes_on_there() {
    let mut state = browsing();
    upload_on_the_demo(&mut state);
    press(&mut state, "@ j");
    assert_snapshot!("dialog_accounts_at_work", draw(&state, 120, 40));
}

#[test]
fn quitting_asks_while_tasks_run() {
    let mut state = browsing();
    with_tasks(&mut state);
    press(&mut state, "q");
    assert_snapshot!("dialog_quit", draw(&state, 80, 24));
}

#[test]
fn a_message_under_a_dialog_names_no_keys() {
    let mut state = browsing();
    with_tasks(&mut state);
    press(&mut state, "q");
    state.say_task_failed(
        "Import of none.png failed",
        &Error::new(Kind::TaskFailed, "The address gave no answer"),
    );
    let status = |state: &State, cols, rows| {
        draw_text(state, cols, rows)
            .lines()
            .nth_back(1)
            .unwrap()
            .to_owned()
    };
    for (cols, rows) in [(60, 15), (80, 24), (120, 40)] {
        let row = status(&state, cols, rows);
        assert!(row.contains("Import of none.png failed"), "{row}");
        assert!(
            !row.contains("press") && !row.contains("shows all"),
            "{row}"
        );
    }
    state.dialogs.clear();
    let row = status(&state, 120, 40);
    assert!(row.contains("2, then r retries it."), "{row}");
}

#[test]
fn many_names_are_cut_after_ten() {
    let mut state = browsing();
    press(&mut state, "ctrl-a d");
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("Cancel"), "{drawn}");
    assert_eq!(state.files.listing.marks.len(), 34);
    assert!(!drawn.contains("notes-30.txt"), "{drawn}");
}

#[rstest]
#[case::clear("renames", [("banner-02", "hero"), ("contract-draft", "contract")])]
#[case::with_clashes("renames_refused", [("banner-02.png", "hero.jpg"), ("contract-draft", "drafts/contract")])]
fn new_names_are_shown_before_they_are_sent(#[case] name: &str, #[case] edits: [(&str, &str); 2]) {
    let mut state = browsing();
    update(&mut state, Msg::Clock(now()));
    let effects = update(&mut state, Msg::Key("r".parse().unwrap()));
    let [Effect::EditNames(names)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    let text = edits.iter().fold(names.text.clone(), |text, (from, to)| {
        text.replace(from, to)
    });
    update(&mut state, Msg::NamesEdited(names.clone(), Ok(text)));
    state.status.clear();
    for (size, cols, rows) in [("", 80, 24), ("_medium", 120, 40), ("_wide", 200, 60)] {
        assert_snapshot!(format!("dialog_{name}{size}"), draw(&state, cols, rows));
    }
}

#[test]
fn what_was_deleted_is_listed_with_its_receipts() {
    let mut state = browsing();
    let deletion = |id: u64, path: &str, days: i64, is_for_good: bool| {
        let deleted_at = now() - SignedDuration::from_hours(24 * days);
        let gone_by = is_for_good.then(|| deleted_at + SignedDuration::from_hours(24 * 7));
        let target = Target::File(FileId::new(id.to_string()));
        Deletion {
            target,
            path: path.to_owned(),
            deleted_at,
            gone_by,
            size: is_for_good.then_some(48_213),
            md5: is_for_good.then(|| "9e107d9d372bb6826bd81d3542a419d6".to_owned()),
            answer: is_for_good.then(|| DeletionAnswer {
                status: 204,
                correlation_id: Some("019db16f-6d2c-7c1e".to_owned()),
            }),
            contents: None,
        }
    };
    let folder = |id: u64, path: &str, days: i64, contents: DeletedContents| {
        Deletion::of_folder(
            &FolderId::new(id.to_string()),
            path,
            now() - SignedDuration::from_hours(24 * days),
            contents,
        )
    };
    let all = DeletedContents {
        files: 168,
        missing: None,
    };
    let some = DeletedContents {
        files: 9_900,
        missing: Some("it takes more than 100 requests to list them".to_owned()),
    };
    let list = vec![
        deletion(
            8_401,
            "/marketing/q3-launch/an-old-draft-of-the-announcement-that-nobody-liked.pdf",
            1,
            false,
        ),
        deletion(8_402, "/people/cv-\u{202e}fdp.pdf", 3, true),
        folder(9_001, "/archive", 11, some),
        deletion(8_403, "/marketing/teaser.mp4", 12, false),
        folder(9_002, "/marketing/q3-launch", 13, all),
    ];
    state.dialogs.push(Dialog::Deletions(Deletions::new(
        list,
        "acme",
        state.zone.clone(),
        None,
    )));
    press(&mut state, "j j");
    for (size, cols, rows) in [("", 80, 24), ("_medium", 120, 40), ("_wide", 200, 60)] {
        assert_snapshot!(format!("dialog_deletions{size}"), draw(&state, cols, rows));
    }
    press(&mut state, "k enter");
    for (size, cols, rows) in [("", 80, 24), ("_medium", 120, 40), ("_wide", 200, 60)] {
        assert_snapshot!(
            format!("dialog_receipt{size}"),
            draw_text(&state, cols, rows)
        );
    }
}

#[test]
fn texts_that_are_kept_are_listed_with_their_time_and_place() {
    let mut state = browsing();
    let text = |path: &str, hours| EditedText {
        file: Item {
            target: Target::File(FileId::new("1")),
            path: path.to_owned(),
            name: path.rsplit_once('/').unwrap().1.to_owned(),
            size: Some(120),
            md5: None,
        },
        path: format!("/home/ada/.local/state/filedeck/edits/filedeck-edit-Xy12ab{path}").into(),
        seen: String::new(),
        at: now() - SignedDuration::from_hours(hours),
    };
    let texts = vec![
        text("/notes.txt", 2),
        text("/marketing/campaigns/2026/q3/landing page.html", 50),
    ];
    state
        .dialogs
        .push(Dialog::UnsavedEdits(UnsavedEditsDialog::new(
            texts,
            state.zone.clone(),
        )));
    for (size, cols, rows) in [("", 80, 24), ("_medium", 120, 40), ("_wide", 200, 60)] {
        assert_snapshot!(
            format!("dialog_unsaved_edits{size}"),
            draw(&state, cols, rows)
        );
    }
}

/// Each step of the tour keeps the part that it describes in view, and the screen unchanged.
#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn the_tour_points_at_six_parts_of_the_screen(
    #[case] name: &str,
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let mut state = browsing();
    state.size = (cols, rows).into();
    let before = draw_text(&state, cols, rows);
    press(&mut state, "g t");
    let mut steps = Vec::new();
    for (step, (title, part)) in [
        ("The header", "acme-prod   1 Files"),
        ("The list", "contract-draft.pdf"),
        ("The details", "412,338 bytes"),
        ("The tasks", ""),
        ("The palette", "^P"),
        ("The help", " ?  help"),
    ]
    .into_iter()
    .enumerate()
    {
        let drawn = draw_text(&state, cols, rows);
        assert!(
            drawn.contains(title) && drawn.contains(&format!("{} of 6", step + 1)),
            "{drawn}"
        );
        assert!(
            before.contains(part) && drawn.contains(part),
            "{title} hides {part}:\n{drawn}"
        );
        steps.push(drawn);
        press(&mut state, if step == 2 { "space" } else { "enter" });
    }
    assert!(state.dialogs.is_empty(), "the last step ends it");
    assert_snapshot!(format!("tour_{name}"), steps.join("\n"));
}

#[rstest]
#[case::two_columns(120, 40)]
#[case::three_columns(200, 60)]
fn all_keys_stand_on_one_line_each_and_a_column_begins_with_the_name_of_its_group(
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let mut state = browsing();
    press(&mut state, "esc ? tab");
    let drawn = draw_text(&state, cols, rows);
    assert!(
        drawn.contains(" enter, l  ") && drawn.contains(" g g, home  "),
        "{drawn}"
    );
    // No strips of the screen at the sides: they would show fragments of words.
    let title = drawn
        .lines()
        .find(|line| line.contains(" All keys "))
        .unwrap_or_default();
    assert!(title.starts_with("|╭"), "{drawn}");
    let top = drawn
        .lines()
        .skip_while(|line| !line.contains("────"))
        .nth(1)
        .unwrap_or_default();
    assert!(!top.contains(", "), "names of groups alone: {top}\n{drawn}");
}

#[test]
fn a_replacement_warns_as_other_losses_do_and_says_what_is_wanted() {
    let mut state = browsing();
    press(&mut state, "esc R");
    let drawn = draw(&state, 80, 24);
    assert!(drawn.contains("path of a .png on this machine"), "{drawn}");
    let top = drawn
        .lines()
        .position(|line| line.contains("─ Replace "))
        .unwrap();
    let styles = drawn
        .lines()
        .find(|line| line.starts_with(&format!("{top}: ")))
        .unwrap();
    assert!(styles.contains(" bad"), "{styles}");
    // One line, or two of about the same length.
    assert!(
        !drawn
            .lines()
            .any(|line| line.trim_matches(['|', '│', ' ']) == "stay."),
        "{drawn}"
    );
}

#[test]
fn names_that_are_not_listed_say_who_may_see_them() {
    let mut state = browsing();
    press(&mut state, "ctrl-a d");
    let drawn = draw_text(&state, 60, 13);
    assert!(
        drawn.contains("… 32 more, 1 unlisted, 31 private"),
        "{drawn}"
    );
}

#[test]
fn without_colors_a_search_field_has_one_line_and_a_plan_one_button() {
    use filedeck::tui::style::theme::Theme;

    use super::snapshot::draw_in;
    for keys in ["?", ",", "ctrl-p"] {
        let mut state = browsing();
        press(&mut state, keys);
        let drawn = draw_in(&state, 80, 24, &Theme::default());
        let field = drawn
            .lines()
            .position(|line| line.contains("›   "))
            .unwrap();
        assert!(
            !drawn.lines().nth(field + 1).unwrap().contains("──"),
            "{drawn}"
        );
    }
    let drawn = draw_in(&super::plans::with_plan(""), 80, 24, &Theme::default());
    assert!(
        drawn.contains("[ Upload ") && drawn.contains("[ Cancel ]") && !drawn.contains("> Upload"),
        "{drawn}"
    );
    let drawn = draw_in(
        &super::plans::with_plan("tab tab tab tab"),
        80,
        24,
        &Theme::default(),
    );
    assert!(
        drawn.contains("> Upload ") && drawn.contains("[ Cancel ]"),
        "{drawn}"
    );
}
