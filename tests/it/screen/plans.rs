//! The plan of an upload and of a download, and the list of local files, over the files of the
//! library.

use filedeck::api::ids::FileId;
use filedeck::api::model::{Access, DuplicateScope, DuplicateStrategy, UploadOptions};
use filedeck::engine::folder_comparison::RemoteEntry;
use filedeck::engine::message::Target;
use filedeck::engine::plan::{Direction, Existing, ExistingFile, PlanRow, PlanSource};
use filedeck::engine::seen_state::LocalState;
use filedeck::engine::{Item, Job};
use filedeck::tui::dialog::{Dialog, Modal as _, Plan};
use filedeck::tui::state::State;
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{browsing, now, op, place};
use super::snapshot::{draw, draw_text};
use crate::support::changed::changed;

fn new(name: &str, size: u64) -> PlanRow {
    PlanRow {
        source: PlanSource::Local(format!("/home/ada/{name}").into()),
        name: name.to_owned(),
        size: Some(size),
        there: Existing::Nothing { new_folder: None },
        elsewhere: None,
        warning: None,
        is_hidden: false,
    }
}

fn file(name: &str, size: u64) -> Item {
    Item {
        target: Target::File(FileId::new("7")),
        path: format!("/marketing/q3-launch/{name}"),
        name: name.to_owned(),
        size: Some(size),
        md5: None,
    }
}

fn existing(name: &str, size: u64, access: Access, hours: i64) -> ExistingFile {
    ExistingFile::Remote(Box::new(RemoteEntry {
        expires_at: None,
        is_usable_in_content: None,
        item: file(name, size),
        state: None,
        items: 0,
        updated_at: Some(now() - SignedDuration::from_hours(hours)),
        access: Some(access),
    }))
}

/// A folder of pictures, uploaded into a folder that has some of them.
fn rows() -> Vec<PlanRow> {
    let taken = |name: &str, size, there: ExistingFile| PlanRow {
        there: Existing::Other(there),
        ..new(name, size)
    };
    let mut rows = vec![
        PlanRow {
            source: PlanSource::Unfit("a link, which is not followed".to_owned()),
            size: None,
            ..new("banners/latest", 0)
        },
        taken(
            "hero-banner.jpg",
            412_338,
            existing("hero-banner.jpg", 398_001, Access::PublicIndexable, 3),
        ),
        taken(
            "prices.csv",
            3_001,
            existing("prices.csv", 3_100, Access::Private, 96),
        ),
        PlanRow {
            warning: Some("differs from Logo.svg, which is there, by case only".to_owned()),
            ..new("logo.svg", 4_100)
        },
        PlanRow {
            elsewhere: Some("/brand/logo.png".to_owned()),
            ..new("logo.png", 22_000)
        },
        PlanRow {
            there: Existing::Same(existing("spinner.gif", 22_000, Access::Private, 9)),
            ..new("spinner.gif", 22_000)
        },
        PlanRow {
            there: Existing::Nothing {
                new_folder: Some("banners".to_owned()),
            },
            ..new("banners/01.png", 310_000)
        },
        new("banners/02.png", 298_000),
        new("teaser.mp4", 38 << 20),
        PlanRow {
            source: PlanSource::EmptyFolder,
            size: None,
            ..new("drafts", 0)
        },
    ];
    rows.extend((0..38).map(|number| {
        new(
            &format!("photos/{number:02} of the opening night.jpg"),
            600_000,
        )
    }));
    rows
}

pub(super) fn with_plan(keys: &str) -> State {
    let mut state = browsing();
    let options = Box::new(UploadOptions::new(Access::Private).into());
    let direction = Direction::Up {
        into: place(),
        options,
        asked_at: now(),
    };
    let mut plan = Plan::new(op(1), rows(), direction, None, now());
    plan.looked(Some(0));
    for key in keys.split_whitespace() {
        plan.on_key(key.parse().unwrap(), state.clocks());
    }
    state.dialogs.push(Dialog::Plan(plan));
    state
}

#[rstest]
#[case::small(80, 24)]
#[case::medium(120, 40)]
#[case::large(200, 60)]
fn a_plan_lies_over_the_files(#[case] cols: u16, #[case] rows: u16) {
    assert_snapshot!(
        format!("plan_{cols}x{rows}"),
        draw(&with_plan("down"), cols, rows)
    );
    for keys in [
        "",
        "tab",
        "tab tab",
        "tab tab tab",
        "tab tab tab right right 2 w",
        "tab tab tab tab tab",
    ] {
        assert!(draw_text(&with_plan(keys), cols, rows).contains("Cancel"));
    }
}

fn with_rule(strategy: DuplicateStrategy) -> Plan {
    let options = changed(UploadOptions::new(Access::Private), |options| {
        options.duplicate_validation_strategy = Some(strategy);
        options.duplicate_validation_scope = Some(DuplicateScope::EntirePortal);
    });
    let direction = Direction::Up {
        into: place(),
        options: Box::new(options.into()),
        asked_at: now(),
    };
    let mut plan = Plan::new(
        op(1),
        vec![new("a.png", 1_000), new("b.png", 1_000)],
        direction,
        None,
        now(),
    );
    plan.elsewhere(vec![(1, "a.png".to_owned())]);
    plan.looked(Some(0));
    plan
}

fn drawn(plan: Plan) -> String {
    let mut state = browsing();
    state.dialogs.push(Dialog::Plan(plan));
    draw_text(&state, 80, 24)
}

#[test]
fn names_have_the_room_that_nothing_else_needs() {
    let direction = || Direction::Up {
        into: place(),
        options: Box::new(UploadOptions::new(Access::Private).into()),
        asked_at: now(),
    };
    let long = "quarterly-report-of-2026-for-the-board.pdf";
    let alone = drawn(Plan::new(
        op(1),
        vec![new(long, 1_000), new("b.png", 1_000)],
        direction(),
        None,
        now(),
    ));
    assert!(alone.contains(long), "{alone}");
    let mut taken = new("b.png", 1_000);
    taken.there = Existing::Other(existing("b.png", 835, Access::Private, 3));
    let beside = drawn(Plan::new(
        op(1),
        vec![new(long, 1_000), taken],
        direction(),
        None,
        now(),
    ));
    assert!(
        beside.contains(long) && beside.contains("  there: 835 B, private, 3h "),
        "{beside}"
    );
}

#[rstest]
#[case::narrow(60, 15)]
#[case::usual(80, 24)]
#[case::between(100, 30)]
#[case::medium(120, 40)]
fn long_names_that_differ_in_the_middle_are_told_apart(#[case] cols: u16, #[case] rows: u16) {
    let options = Box::new(UploadOptions::new(Access::Private).into());
    let direction = Direction::Up {
        into: place(),
        options,
        asked_at: now(),
    };
    let mut plan: Vec<PlanRow> = (1..=3)
        .map(|nth| {
            new(
                &format!("quarterly-report-with-a-long-name-{nth}-of-the-year-2026.txt"),
                7,
            )
        })
        .collect();
    plan.push(PlanRow {
        there: Existing::Other(existing("Welcome.txt", 600, Access::PublicIndexable, 3)),
        ..new("Welcome.txt", 7)
    });
    let mut state = browsing();
    state
        .dialogs
        .push(Dialog::Plan(Plan::new(op(1), plan, direction, None, now())));
    let drawn = draw_text(&state, cols, rows);
    for nth in 1..=3 {
        let row = |line: &&str| {
            line.contains("qua") && line.contains(&format!("-{nth}")) && line.contains("  7 B")
        };
        assert!(drawn.lines().any(|line| row(&line)), "{nth}: {drawn}");
    }
}

fn upload_of(rows: Vec<PlanRow>) -> Plan {
    let direction = Direction::Up {
        into: place(),
        options: Box::new(UploadOptions::new(Access::Private).into()),
        asked_at: now(),
    };
    Plan::new(op(1), rows, direction, None, now())
}

fn drawn_at(plan: Plan, cols: u16, rows: u16) -> String {
    let mut state = browsing();
    state.dialogs.push(Dialog::Plan(plan));
    draw_text(&state, cols, rows)
}

#[rstest]
#[case::usual(80, 24)]
#[case::medium(120, 40)]
#[case::large(200, 60)]
fn the_first_line_says_where_the_same_content_is(#[case] cols: u16, #[case] rows: u16) {
    let copies = |folder: &str, count: usize| {
        let mut plan = upload_of((0..58).map(|nth| new(&format!("{nth}.png"), 100)).collect());
        let path = |nth| (nth, format!("{folder}/{}/{nth}.png", nth % 3));
        plan.elsewhere((0..count).map(path).collect());
        plan.looked(Some(0));
        drawn_at(plan, cols, rows)
    };
    let many = copies("/campaign-2027", 56);
    assert!(
        many.contains("✓ 2 new   = 56 with the same content as in /campaign-2027 "),
        "{many}"
    );
    assert!(many.contains("Upload 58 files, 5.8 KB, into"), "{many}");
    let one = copies("/campaign-2027", 1);
    assert!(
        one.contains("= 1 with the same content as /campaign-2027/0/0.png "),
        "{one}"
    );
    let everywhere = copies("", 56);
    assert!(
        everywhere.contains("= 56 with the same content elsewhere "),
        "{everywhere}"
    );
}

/// Seen to fail when only folders with files are counted.
#[test]
fn all_folders_that_will_be_made_are_counted() {
    let first = PlanRow {
        there: Existing::Nothing {
            new_folder: Some("old/site".to_owned()),
        },
        ..new("old/site/a/b/1.txt", 7)
    };
    let empty = PlanRow {
        source: PlanSource::EmptyFolder,
        size: None,
        ..new("old/site/d/e", 0)
    };
    let rows = vec![first, new("old/site/a/c/2.txt", 7), empty.clone()];
    let drawn = drawn_at(upload_of(rows), 80, 24);
    assert!(drawn.contains("✓ 2 new, in 6 new folders "), "{drawn}");
    let alone = drawn_at(upload_of(vec![empty]), 80, 24);
    assert!(
        alone.contains("✓ 1 new folder ") && alone.contains("Make 1 folder "),
        "{alone}"
    );
}

#[test]
fn the_title_counts_what_the_button_sends() {
    let mut rows = vec![new("a.png", 100), new("b.png", 100)];
    rows[1].there = Existing::Same(existing("b.png", 100, Access::Private, 3));
    let drawn = drawn_at(upload_of(rows), 80, 24);
    assert!(
        drawn.contains("Upload 1 file, 100 B, into") && drawn.contains("  Upload 1 file  "),
        "{drawn}"
    );
}

#[test]
fn a_small_screen_has_whole_words_and_the_keys_that_lead_on() {
    let drawn = draw_text(&with_plan("tab tab"), 60, 15);
    assert!(
        drawn.contains("◉ private  ○ unlisted  ○ public "),
        "{drawn}"
    );
    assert!(
        drawn.contains("enter  go") && drawn.contains("tab  options"),
        "{drawn}"
    );
    let drawn = draw_text(&with_plan("tab"), 60, 15);
    assert!(
        drawn.contains("replace: id, links, access stay "),
        "{drawn}"
    );
}

fn saved(names: &[&str], folders: &[&str]) -> Plan {
    let row = |(at, name): (usize, &&str)| {
        let item = Item {
            path: format!("/{name}"),
            name: (*name).to_owned(),
            ..file("", 1_000)
        };
        let new_folder = folders.get(at).map(|folder| (*folder).to_owned());
        PlanRow {
            source: PlanSource::Remote(item),
            there: Existing::Nothing { new_folder },
            ..new(name, 30_000)
        }
    };
    let direction = Direction::Down {
        into: "/home/ada".into(),
        numbered: true,
    };
    Plan::new(
        op(1),
        names.iter().enumerate().map(row).collect(),
        direction,
        None,
        now(),
    )
}

#[rstest]
#[case::small(60, 15)]
#[case::usual(80, 24)]
fn the_folder_that_all_files_go_into_is_named_once(#[case] cols: u16, #[case] rows: u16) {
    let mut state = browsing();
    let names = [
        "brand/logo of the company.png",
        "brand/team/portrait of founder.jpg",
    ];
    state
        .dialogs
        .push(Dialog::Plan(saved(&names, &["brand", "brand/team"])));
    let drawn = draw_text(&state, cols, rows);
    assert_eq!(drawn.matches("brand").count(), 1, "{drawn}");
    assert!(
        drawn.contains("into /home/ada/brand ") && drawn.contains("✓ 2 new, in 2 new folders"),
        "{drawn}"
    );
    assert!(drawn.contains("✓ logo of the company.png  "), "{drawn}");
    assert!(
        drawn.contains("✓ team/portrait of founder.jpg  "),
        "{drawn}"
    );
}

#[test]
fn a_name_has_the_room_of_words_that_its_row_does_not_need() {
    let options = Box::new(UploadOptions::new(Access::Private).into());
    let direction = Direction::Up {
        into: place(),
        options,
        asked_at: now(),
    };
    let long = "photos/portrait-of-founder.jpg";
    let there = Existing::Other(existing("Welcome.txt", 835, Access::PublicNotIndexable, 3));
    let rows = vec![
        PlanRow {
            there,
            ..new("Welcome.txt", 3)
        },
        new(long, 30_000),
    ];
    let mut state = browsing();
    state
        .dialogs
        .push(Dialog::Plan(Plan::new(op(1), rows, direction, None, now())));
    let drawn = draw_text(&state, 60, 15);
    assert!(drawn.contains(long), "{drawn}");
    assert!(drawn.contains("Welcome.txt  835 B, unlisted,"), "{drawn}");
}

#[test]
fn options_without_room_are_summed_up_in_a_line_until_tab_leads_to_them() {
    let drawn = draw_text(&with_plan(""), 60, 15);
    assert!(
        drawn.contains("taken names: replace · new files: private, never"),
        "{drawn}"
    );
    assert!(
        drawn.lines().filter(|line| line.contains("KB  ")).count() >= 3,
        "{drawn}"
    );
    let drawn = draw_text(&with_plan("right tab tab tab right"), 60, 15);
    assert!(
        !drawn.contains("taken names:") && drawn.contains("◉ in 30 days"),
        "{drawn}"
    );
}

#[test]
fn choices_that_differ_light_no_choice_for_all_and_say_so() {
    let state = |keys: &str| draw_text(&with_plan(keys), 120, 40);
    assert!(
        state("").contains("◉ replace: id") && !state("").contains("chosen by file"),
        "{}",
        state("")
    );
    let differ = state("down right");
    assert!(
        differ.contains("○ replace: id") && differ.contains("chosen by file"),
        "{differ}"
    );
    let again = state("down right left");
    assert!(again.contains("◉ replace: id"), "{again}");
}

#[test]
fn a_file_that_the_service_would_refuse_is_not_promised() {
    let refused = drawn(with_rule(DuplicateStrategy::Reject));
    assert!(
        refused.contains("Upload 1 file  ") && refused.contains("refused: same as a.png"),
        "{refused}"
    );
    assert!(refused.contains("− 1 skipped"), "{refused}");
    let used = drawn(with_rule(DuplicateStrategy::ReturnExisting));
    assert!(
        used.contains("Upload 1 file  ") && used.contains("use existing"),
        "{used}"
    );
    let both = drawn(with_rule(DuplicateStrategy::None));
    assert!(both.contains("Upload 2 files"), "{both}");
}

#[test]
fn a_row_that_is_skipped_is_no_longer_ticked_and_is_counted_so() {
    let skipped = draw_text(&with_plan("end right"), 80, 24);
    assert!(
        skipped.contains("✓ 41 new") && skipped.contains("− 1 skipped"),
        "{skipped}"
    );
    let row = skipped
        .lines()
        .find(|line| line.contains("‹ skip ›"))
        .unwrap();
    assert!(row.contains('−') && !row.contains('✓'), "{row}");
    assert!(skipped.contains("48 of 48"), "{skipped}");
}

#[test]
fn what_decides_is_whole_at_80_columns() {
    let drawn = draw_text(&with_plan("down"), 80, 24);
    let whole = [
        "  there: 398 KB, public, 3h ",
        "  there: 3.1 KB, private, 4d ",
        "  same content, same name ",
    ];
    assert!(whole.iter().all(|words| drawn.contains(words)), "{drawn}");
    assert!(drawn.contains('┃'), "there is more: {drawn}");
}

#[test]
fn a_small_screen_shows_the_options_that_have_the_focus() {
    let drawn = draw_text(&with_plan("tab tab"), 50, 12);
    assert!(
        drawn.contains("private") && drawn.contains("Cancel"),
        "{drawn}"
    );
    assert_snapshot!(
        "plan_options_80x24",
        draw(&with_plan("tab down tab right tab right right 2 w"), 80, 24)
    );
}

#[test]
fn a_plan_of_downloads_has_no_access_to_choose() {
    let mut state = browsing();
    let row = |name: &str, there| {
        let item = file(name, 22_000);
        PlanRow {
            source: PlanSource::Remote(item),
            there,
            ..new(name, 22_000)
        }
    };
    let here = ExistingFile::Local(LocalState {
        size: 21_000,
        modified: Some(now() - SignedDuration::from_hours(50)),
        changed: None,
    });
    let rows = vec![
        row("a.png", Existing::Blocked("a folder has this name")),
        row("b.png", Existing::Other(here)),
        row("c.png", Existing::Nothing { new_folder: None }),
    ];
    let plan = Plan::new(
        op(1),
        rows,
        Direction::Down {
            into: "/home/ada".into(),
            numbered: true,
        },
        None,
        now(),
    );
    state.dialogs.push(Dialog::Plan(plan));
    assert_snapshot!("plan_of_downloads", draw(&state, 80, 24));
}

/// A plan that makes the account's folder like a local one; one file that only the account has is
/// kept, another is to be deleted.
pub(super) fn with_surplus(state: &mut State) {
    let surplus = |name: &str, size| {
        let item = file(name, size);
        let job = Job::Delete {
            item,
            permanent: false,
            state: None,
        };
        PlanRow {
            source: PlanSource::Surplus(Box::new(job)),
            ..new(name, size)
        }
    };
    let taken = Existing::Other(existing(
        "hero-banner@2x.jpg",
        1_612_448,
        Access::PublicIndexable,
        3,
    ));
    let rows = vec![
        PlanRow {
            there: taken,
            ..new("hero-banner@2x.jpg", 1_702_113)
        },
        surplus("social-card.png", 98_001),
        surplus("old/", 1_258_291),
        new("logo.svg", 4_096),
        new("drafts/one.txt", 7),
    ];
    let options = Box::new(UploadOptions::new(Access::Private).into());
    let direction = Direction::Up {
        into: place(),
        options,
        asked_at: now(),
    };
    let mut plan =
        Plan::new(op(1), rows, direction, None, now()).like("/home/ada/work/q3-launch".to_owned());
    plan.looked(Some(0));
    for key in ["down", "down", "right"] {
        plan.on_key(key.parse().unwrap(), state.clocks());
    }
    state.dialogs.push(Dialog::Plan(plan));
}
