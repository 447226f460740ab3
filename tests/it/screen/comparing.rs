//! Two compared folders: names in line, signs between them, the row under the cursor below.

use filedeck::api::ids::{FileId, FolderId};
use filedeck::api::model::Access;
use filedeck::api::{Error, Kind};
use filedeck::engine::Item;
use filedeck::engine::folder_comparison::{
    ComparedEntry, DiskEntry, EntryHere, FolderComparison, Likeness, RemoteEntry,
};
use filedeck::engine::message::Target;
use filedeck::engine::question::FolderHere;
use filedeck::engine::seen_state::LocalState;
use filedeck::tui::message::Msg;
use filedeck::tui::state::{Comparing, ComparingStage, LikenessCounts, Mode, State};
use filedeck::tui::update::update;
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{browsing, now, op, place};
use super::snapshot::{draw, draw_plain};

type File = Option<(u64, i64, &'static str)>;

fn item(name: &str, size: Option<u64>) -> Item {
    let path = format!("/marketing/q3-launch/{name}");
    let target = match size {
        Some(_) => Target::File(FileId::new(name)),
        None => Target::Folder(FolderId::new(name)),
    };
    Item {
        target,
        path,
        name: name
            .rsplit_once('/')
            .map_or(name, |(_, name)| name)
            .to_owned(),
        size,
        md5: None,
    }
}

/// A file with its size, age in hours and MD5 on each side.
fn file(name: &str, likeness: Likeness, [here, there]: [File; 2]) -> (String, ComparedEntry) {
    let at = |hours| Some(now() - SignedDuration::from_hours(hours));
    let sum = |sum: &str| (!sum.is_empty()).then(|| format!("{sum}41c0e1b2a3948576d0c1b2a3{sum}"));
    let here = here.map(|(size, hours, md5)| {
        EntryHere::Disk(DiskEntry {
            local: format!("/home/ada/launch/{name}").into(),
            state: Some(LocalState {
                size,
                modified: at(hours),
                changed: None,
            }),
            items: 0,
            md5: sum(md5),
        })
    });
    let there = there.map(|(size, hours, md5)| RemoteEntry {
        expires_at: None,
        is_usable_in_content: None,
        item: Item {
            md5: sum(md5),
            ..item(name, Some(size))
        },
        state: None,
        items: 0,
        updated_at: at(hours),
        access: Some(Access::PublicIndexable),
    });
    (
        name.to_owned(),
        ComparedEntry {
            is_folder: false,
            here,
            there,
            likeness,
        },
    )
}

fn folder(name: &str, likeness: Likeness, items: [Option<usize>; 2]) -> (String, ComparedEntry) {
    let [here, there] = items;
    let here = here.map(|items| {
        EntryHere::Disk(DiskEntry {
            local: format!("/home/ada/launch/{name}").into(),
            state: None,
            items,
            md5: None,
        })
    });
    let there = there.map(|items| RemoteEntry {
        expires_at: None,
        is_usable_in_content: None,
        item: item(name, None),
        state: None,
        items,
        updated_at: None,
        access: None,
    });
    (
        name.to_owned(),
        ComparedEntry {
            is_folder: true,
            here,
            there,
            likeness,
        },
    )
}

pub(super) fn found() -> FolderComparison {
    use Likeness::{Differs, OnlyHere, OnlyThere, Refused, Same};
    let entries = [
        file(
            "hero-banner.jpg",
            Same,
            [Some((412_338, 90, "")), Some((412_338, 70, "9f2c"))],
        ),
        file(
            "hero-banner@2x.jpg",
            Differs,
            [Some((1_702_113, 2, "")), Some((1_612_448, 3, "9f2c"))],
        ),
        file(
            "launch-plan.md",
            Differs,
            [Some((15_004, 9, "77ab")), Some((15_004, 4, "4be1"))],
        ),
        file("logo.svg", OnlyHere, [Some((4_096, 20, "")), None]),
        file(
            "prices.csv",
            Same,
            [Some((3_012, 200, "")), Some((3_012, 200, "01ac"))],
        ),
        file(
            "social-card.png",
            OnlyThere,
            [None, Some((98_001, 50, "aa01"))],
        ),
        file(
            "supplier-contract-of-a-name-that-is-long.pdf",
            OnlyThere,
            [None, Some((1_258_291, 30, "bb02"))],
        ),
        file(
            "teaser.mp4",
            Same,
            [Some((38_000_000, 26, "")), Some((38_000_000, 26, "cc03"))],
        ),
        file("gpj\u{202e}exe.sh", OnlyHere, [Some((9, 1, "")), None]),
        file(
            "link.txt",
            Refused("a link, which is not followed".to_owned()),
            [Some((0, 1, "")), None],
        ),
        folder("banners", Differs, [Some(9), Some(12)]),
        folder("drafts", OnlyHere, [Some(4), None]),
        file("drafts/one.txt", OnlyHere, [Some((7, 1, "")), None]),
    ];
    FolderComparison {
        entries: entries.into(),
        ..FolderComparison::default()
    }
}

/// The cursor is on a file that differs, another one is marked.
pub(super) fn compared() -> State {
    let mut state = browsing();
    state.local_side.folder = "/home/ada/launch".into();
    let mut comparing = Comparing::new(
        FolderHere::Disk("/home/ada/launch".into()),
        place(),
        false,
        op(7),
    );
    comparing.store_answer(Box::new(found()), SignedDuration::ZERO, state.now);
    comparing.list.move_to(4);
    comparing.list.toggle_mark();
    comparing.list.move_to(4);
    state.mode = Mode::Comparing(Box::new(comparing));
    state
}

fn press(state: &mut State, keys: &str) {
    for key in keys.split_whitespace() {
        update(state, Msg::Key(key.parse().unwrap()));
    }
}

#[rstest]
fn two_folders_stand_beside_each_other(
    #[values((80, 24), (120, 40), (200, 60))] (cols, rows): (u16, u16),
) {
    let mut state = compared();
    state.size = (cols, rows).into();
    assert_snapshot!(format!("compared_{cols}x{rows}"), draw(&state, cols, rows));
}

#[rstest]
#[case::only_differences("differences", "=")]
#[case::refused("refused", "j j")]
#[case::inside("inside", "g g j l")]
fn a_comparison_has_states(#[case] name: &str, #[case] keys: &str) {
    let mut state = compared();
    press(&mut state, keys);
    assert_snapshot!(format!("compared_{name}"), draw(&state, 80, 24));
}

#[rstest]
fn a_plan_shows_what_it_keeps_and_deletes(#[values((80, 24), (120, 40))] (cols, rows): (u16, u16)) {
    let mut state = compared();
    state.size = (cols, rows).into();
    super::plans::with_surplus(&mut state);
    assert_snapshot!(
        format!("compared_plan_{cols}x{rows}"),
        draw(&state, cols, rows)
    );
}

#[test]
fn it_says_that_it_is_reading_and_what_failed() {
    let mut state = compared();
    let reading = Comparing::new(
        FolderHere::Disk("/home/ada/launch".into()),
        place(),
        false,
        op(7),
    );
    state.mode = Mode::Comparing(Box::new(reading));
    let drawn = draw(&state, 80, 24);
    assert!(drawn.contains("Reading both folders"), "{drawn}");
    let error = Error::new(
        Kind::Local,
        "Cannot read /home/ada/\u{1b}[2J: permission denied",
    );
    state.mode.comparing_mut().unwrap().stage = ComparingStage::Failed(error);
    let drawn = draw(&state, 120, 40);
    assert!(
        drawn.contains("\\u{1b}[2J") && drawn.contains("C compares again"),
        "{drawn}"
    );
}

#[test]
fn read_aloud_a_row_says_in_words_what_is_the_same() {
    let mut state = compared();
    state.panes.plain = true;
    assert_snapshot!("compared_plain", draw_plain(&state, 80, 24));
    let few = LikenessCounts {
        newer_there: 1,
        only_here: 8,
        only_there: 13,
        same: 1,
        ..LikenessCounts::default()
    };
    state.mode.comparing_mut().unwrap().counts = few;
    let drawn = draw_plain(&state, 80, 24);
    assert!(
        drawn.contains(" In all folders: 1 newer there, 8 only here, 13 only there, 1 same "),
        "{drawn}"
    );
}
