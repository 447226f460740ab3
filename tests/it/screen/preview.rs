//! Previews of the row under the cursor: text in colors, tables, pictures, folders, and messages in
//! place of content.

use std::time::Duration;

use filedeck::api::model::Access;
use filedeck::engine::message::Entry;
use filedeck::engine::preview::{
    ArchiveContents, ArchiveEntry, Class, CutAt, FolderContents, FolderFile, Line, MediaFacts,
    NoPreview, Photo, PhotoFacts, Picture, Preview, PreviewMarkdown, PreviewTable, PreviewText,
};
use filedeck::tui::areas::areas;
use filedeck::tui::dialog::{Dialog, Help, UsefulKeys};
use filedeck::tui::state::{Pane, PreviewKey, PreviewState, Previews, State};
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::Theme;
use insta::assert_snapshot;
use jiff::SignedDuration;
use ratatui::layout::{Position, Size};
use rstest::rstest;

use super::library::{browsing, entries, file, listing};
use super::sets::frame;
use super::snapshot::{draw, draw_in, draw_text};

fn looking(name: &str, look: PreviewState) -> State {
    let mut state = browsing();
    let mut entries = entries();
    entries.insert(1, Entry::File(file(name, &Access::Private, 14_222, 5)));
    state.files.listing = listing(entries, false);
    state.files.listing.move_to(1);
    let key = PreviewKey::of(state.files.listing.current().unwrap());
    state.files.previews.turn_to(Some(&key), state.now);
    state.files.previews.keep(key, look, state.now);
    state
}

pub(super) fn seen(name: &str, preview: Preview) -> State {
    looking(name, PreviewState::Seen(preview))
}

pub(super) fn sunset() -> Picture {
    let (width, height) = (160, 90);
    let dot = |x: i32, y: i32| match () {
        () if (x - 110).pow(2) + (y - 40).pow(2) < 400 => [255, 220, 120, 255],
        () if y < 60 => [90, 80, 140, 255],
        () => [20, 70, 110, 255],
    };
    let dots = (0..height).flat_map(|y| (0..width).map(move |x| dot(x, y)));
    let rgba: Vec<u8> = dots.flatten().collect();
    Picture {
        width: 160,
        height: 90,
        rgba: rgba.into(),
    }
}

fn picture() -> State {
    seen("sunset.jpg", Preview::Picture(sunset()))
}

fn photo(access: &Access) -> State {
    let mut state = browsing();
    let mut entries = entries();
    entries.insert(1, Entry::File(file("holiday.jpg", access, 14_222, 5)));
    state.files.listing = listing(entries, false);
    state.files.listing.move_to(1);
    state.files.listing.clear_marks();
    let key = PreviewKey::of(state.files.listing.current().unwrap());
    let facts = PhotoFacts {
        camera: Some("Acme One".to_owned()),
        taken: Some("2026-08-01 17:30".to_owned()),
        place: Some((54.321, -10.123_456)),
    };
    let look = PreviewState::Seen(Preview::Photo(Photo {
        picture: sunset(),
        facts,
    }));
    state.files.previews.turn_to(Some(&key), state.now);
    state.files.previews.keep(key, look, state.now);
    state
}

#[rstest]
#[case(Access::PublicIndexable, true)]
#[case(Access::PublicNotIndexable, true)]
#[case(Access::Private, false)]
fn a_photo_that_others_can_fetch_warns_of_its_place(#[case] access: Access, #[case] warns: bool) {
    for (cols, rows) in [(120, 40), (200, 60)] {
        let drawn = draw_text(&photo(&access), cols, rows);
        assert!(drawn.contains("place 54.3210, -10.1235"), "{drawn}");
        assert_eq!(drawn.contains("Whoever has its address"), warns, "{drawn}");
    }
}

fn line(pieces: &[(Class, &str)]) -> Line {
    pieces
        .iter()
        .map(|(class, text)| (*class, (*text).to_owned()))
        .collect()
}

pub(super) fn code() -> State {
    use Class::{Comment, Function, Keyword, Number, Plain, String, Type};
    let lines = vec![
        line(&[(Comment, "// Adds up what was asked for.")]),
        line(&[
            (Keyword, "pub fn"),
            (Plain, " "),
            (Function, "total"),
            (Plain, "(rows: &["),
            (Type, "Row"),
            (Plain, "]) -> "),
            (Type, "u64"),
            (Plain, " {"),
        ]),
        line(&[
            (Plain, "    "),
            (Keyword, "let"),
            (Plain, " unit = "),
            (String, "\"bytes\""),
            (Plain, ";"),
        ]),
        line(&[
            (Plain, "    rows.iter().map(|row| row.size).sum::<u64>() + "),
            (Number, "42"),
        ]),
        line(&[(Plain, "}")]),
        line(&[(Comment, "/* never draws: \\u{1b}[2J */")]),
    ];
    seen(
        "total.rs",
        Preview::Text(PreviewText {
            lines,
            is_prose: false,
            cut: Some(CutAt::Bytes(65_536)),
        }),
    )
}

fn json() -> State {
    use Class::{Name, Number, Plain, String};
    let lines = vec![
        line(&[(Plain, "{")]),
        line(&[
            (Plain, "  "),
            (Name, "\"campaign\""),
            (Plain, ": "),
            (String, "\"autumn\""),
            (Plain, ","),
        ]),
        line(&[
            (Plain, "  "),
            (Name, "\"budget\""),
            (Plain, ": "),
            (Number, "12500"),
        ]),
        line(&[(Plain, "}")]),
    ];
    seen(
        "settings.json",
        Preview::Text(PreviewText {
            lines,
            is_prose: false,
            cut: None,
        }),
    )
}

pub(super) fn prose() -> State {
    let words = "Harbour Lights, the autumn line of lamps, goes on sale on 15 September in all shops and on the web.";
    let lines = vec![
        line(&[(Class::Heading, "# Launch")]),
        line(&[]),
        line(&[(Class::Plain, words)]),
    ];
    seen(
        "launch.md",
        Preview::Text(PreviewText {
            lines,
            is_prose: true,
            cut: None,
        }),
    )
}

pub(super) fn markdown() -> State {
    use Class::{Column, Comment, Fixed, Heading, Link, Marker, Plain, Strong};
    let rendered = vec![
        line(&[(Heading, "Launch")]),
        line(&[(Fixed, ""), (Heading, "══════")]),
        line(&[]),
        line(&[
            (Marker, "• "),
            (Plain, "Harbour Lights goes on sale on "),
            (Strong, "15 September"),
            (Plain, " in all shops and on the web, see "),
            (Link, "the plan"),
            (Comment, " (https://example.com/plan)"),
        ]),
        line(&[(Marker, "  ◦ "), (Plain, "☐ posters")]),
        line(&[]),
        line(&[
            (Fixed, ""),
            (Strong, "shop      "),
            (Column, " │ "),
            (Strong, "what is done there                "),
            (Column, " │ "),
            (Strong, "who"),
        ]),
        line(&[
            (Fixed, ""),
            (Comment, "──────────"),
            (Column, "─┼─"),
            (Comment, "──────────────────────────────────"),
            (Column, "─┼─"),
            (Comment, "───"),
        ]),
        line(&[
            (Fixed, ""),
            (Plain, "Oslo      "),
            (Column, " │ "),
            (Plain, "posters in the windows, and a sign"),
            (Column, " │ "),
            (Plain, "Ada"),
        ]),
    ];
    let source = vec![line(&[(Heading, "# Launch")])];
    let text = |lines| PreviewText {
        lines,
        is_prose: true,
        cut: None,
    };
    seen(
        "launch.md",
        Preview::Markdown(PreviewMarkdown {
            rendered: text(rendered),
            source: text(source),
        }),
    )
}

fn media() -> State {
    let facts = MediaFacts {
        length: Some(Duration::from_millis(3_725_200)),
        size: Some((1_920, 1_080)),
        codecs: vec!["H.264".to_owned(), "AAC".to_owned()],
        sample_rate: Some(44_100),
        channels: Some(2),
        bit_rate: None,
    };
    seen("launch.mp4", Preview::Media(facts))
}

fn archive() -> State {
    let entry = |name: &str, size| ArchiveEntry {
        name: name.to_owned(),
        size,
    };
    let entries = vec![
        entry("pictures/", None),
        entry(
            "pictures/a-long-name-of-a-picture-in-a-folder-of-the-archive-0001.png",
            Some(1_200_000),
        ),
        entry("read-me.txt", Some(420)),
    ];
    let contents = ArchiveContents {
        entries,
        count: 30_000,
        bytes: 1_200_420,
        is_all: false,
    };
    seen("pictures.zip", Preview::Archive(contents))
}

fn table() -> State {
    let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
    let rows = vec![
        row(&["order", "customer", "total", "note"]),
        row(&["10231", "Müller & Söhne", "129.90", ""]),
        row(&[
            "10232",
            "写真スタジオ",
            "4,820.00",
            "a note that is far too long for any column of a table",
        ]),
        row(&["10233"]),
    ];
    seen(
        "orders.csv",
        Preview::Table(PreviewTable {
            rows,
            cut: Some(CutAt::Bytes(65_536)),
        }),
    )
}

fn pdf() -> State {
    let mut state = seen("guide.pdf", Preview::Nothing(NoPreview::Binary));
    state.files.listing.clear_marks();
    state
}

fn folder() -> State {
    let mut state = browsing();
    state.files.listing.move_to(0);
    let key = PreviewKey::of(state.files.listing.current().unwrap());
    let contents = FolderContents {
        folders: vec!["old".to_owned()],
        files: (1..=20_u8)
            .map(|number| FolderFile {
                name: format!("banner-{number:02}.png"),
                size: Some(u64::from(number % 7) * 100_000),
                updated_at: state
                    .now
                    .checked_sub(SignedDuration::from_hours(i64::from(number % 5) * 30))
                    .ok(),
            })
            .collect(),
        by_access: vec![
            (Some(Access::PublicIndexable), 12),
            (Some(Access::Private), 8),
        ],
        bytes: 4_200_000,
        is_all: false,
        ..FolderContents::default()
    };
    state.files.previews.keep(
        key,
        PreviewState::Seen(Preview::Folder(contents)),
        state.now,
    );
    state
}

/// A folder with pictures: the first has arrived, the second is not a picture, the others are
/// pending.
fn folder_of_pictures() -> State {
    let mut state = folder();
    let key = PreviewKey::of(state.files.listing.current().unwrap());
    let names = [
        "sunset.jpg",
        "a-picture-with-a-long-name.png",
        "third.png",
        "fourth.png",
        "fifth.png",
        "sixth.png",
    ];
    let pictures: Vec<_> = (14_200..)
        .zip(names)
        .map(|(size, name)| file(name, &Access::Private, size, 5))
        .collect();
    let Some(PreviewState::Seen(Preview::Folder(contents))) =
        state.files.previews.of(&key).cloned()
    else {
        panic!()
    };
    let looks = [
        Preview::Picture(sunset()),
        Preview::Nothing(NoPreview::Damaged),
    ];
    for (picture, look) in pictures.iter().zip(looks) {
        state.files.previews.keep(
            PreviewKey::thumbnail(picture),
            PreviewState::Seen(look),
            state.now,
        );
    }
    let contents = FolderContents {
        pictures,
        ..contents
    };
    state.files.previews.keep(
        key,
        PreviewState::Seen(Preview::Folder(contents)),
        state.now,
    );
    state
}

fn zoomed(mut state: State) -> State {
    (state.panes.zoomed, state.focus) = (true, Pane::Details);
    state
}

#[rstest]
#[case::medium(120, 40)]
#[case::wide(200, 60)]
fn a_folder_on_the_whole_screen_keeps_its_thumbnails_and_its_figures_near_their_names(
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let drawn = draw_text(&zoomed(folder_of_pictures()), cols, rows);
    assert!(
        drawn.contains("no preview") && drawn.contains("sunset.jpg"),
        "{drawn}"
    );
    let row = drawn
        .lines()
        .find(|line| line.contains("banner-01.png"))
        .unwrap();
    assert!(
        row.contains("banner-01.png") && row.find(" KB").unwrap() < 160,
        "{drawn}"
    );
    let rankings = drawn
        .lines()
        .filter(|line| line.contains("Newest") || line.contains("Largest"))
        .count();
    assert_eq!(
        rankings,
        if cols == 200 { 1 } else { 2 },
        "beside each other where there is room: {drawn}"
    );
}

#[test]
fn names_of_a_folder_on_the_whole_screen_continue_in_a_column_beside_them() {
    let mut state = folder();
    let key = PreviewKey::of(state.files.listing.current().unwrap());
    let file = |number| FolderFile {
        name: format!("photo-{number:02}.jpg"),
        size: Some(100_000),
        updated_at: None,
    };
    let contents = FolderContents {
        files: (1..=70).map(file).collect(),
        is_all: true,
        ..FolderContents::default()
    };
    state.files.previews.keep(
        key,
        PreviewState::Seen(Preview::Folder(contents)),
        state.now,
    );
    let drawn = draw_text(&zoomed(state), 200, 60);
    let names = drawn
        .lines()
        .filter(|line| line.matches("photo-").count() >= 2)
        .count();
    assert!(names > 25 && drawn.contains("photo-70.jpg"), "{drawn}");
}

#[rstest]
#[case::list(Pane::List)]
#[case::tree(Pane::Tree)]
#[case::details(Pane::Details)]
fn a_pane_on_the_whole_screen_says_so_and_the_hints_name_the_way_back(#[case] pane: Pane) {
    for (cols, rows) in [(50, 12), (80, 24), (200, 60)] {
        let mut state = browsing();
        state.files.listing.clear_marks();
        assert!(!draw_text(&state, cols, rows).contains("zoom"));
        (state.panes.zoomed, state.focus) = (true, pane);
        let drawn = draw_text(&state, cols, rows);
        assert!(drawn.contains("─ zoomed ─"), "{drawn}");
        assert!(drawn.contains("esc  leave zoom"), "{drawn}");
    }
}

#[rstest]
#[case::picture("picture", picture())]
#[case::photo("photo", photo(&Access::PublicIndexable))]
#[case::code("code", code())]
#[case::json("json", json())]
#[case::prose("prose", prose())]
#[case::markdown("markdown", markdown())]
#[case::archive("archive", archive())]
#[case::media("media", media())]
#[case::table("table", table())]
#[case::folder("folder", folder())]
#[case::folder_of_pictures("folder_of_pictures", folder_of_pictures())]
#[case::pdf("pdf", pdf())]
fn a_look_stands_above_the_details(#[case] name: &str, #[case] state: State) {
    assert_snapshot!(format!("look_{name}_medium"), draw_text(&state, 120, 40));
    assert_snapshot!(format!("look_{name}_wide"), draw_text(&state, 200, 60));
    let zoomed = zoomed(state);
    assert_snapshot!(format!("look_{name}_zoomed"), draw_text(&zoomed, 80, 24));
}

#[rstest]
#[case::picture("picture", picture())]
#[case::code("code", code())]
#[case::markdown("markdown", markdown())]
fn a_look_has_its_colors(#[case] name: &str, #[case] mut state: State) {
    (state.panes.zoomed, state.focus) = (true, Pane::Details);
    assert_snapshot!(format!("look_{name}_styled"), draw(&state, 80, 24));
    assert_snapshot!(
        format!("look_{name}_mono"),
        draw_in(&state, 80, 24, &Theme::default())
    );
}

#[test]
fn the_columns_of_a_table_in_a_text_share_the_pane() {
    let drawn = draw_text(&markdown(), 120, 40);
    let details = |words: &str| {
        drawn
            .lines()
            .find(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{drawn}"))
    };
    for whole in ["what is done", "the windows,", "│ who ", "│ Ada "] {
        assert!(
            !details(whole)
                .trim_end_matches(['│', '|', ' '])
                .ends_with('…'),
            "{drawn}"
        );
    }
    // A line separates it from the details, which follow close below.
    let row = |words: &str| drawn.lines().position(|line| line.contains(words)).unwrap();
    let (last, access) = (row("a sign"), row("access private"));
    assert!(access - last <= 3, "{drawn}");
    assert!(
        drawn
            .lines()
            .nth(access - 1)
            .unwrap()
            .contains("│ ────────────"),
        "{drawn}"
    );
}

#[test]
fn a_table_of_which_the_head_fits_shows_it_and_how_to_see_the_rest() {
    use Class::{Column, Comment, Fixed, Plain, Strong};
    let row = |class, cells: [&str; 2], between| {
        line(&[
            (Fixed, ""),
            (class, cells[0]),
            (Column, between),
            (class, cells[1]),
        ])
    };
    let mut rendered = vec![line(&[(Plain, "words")]); 10];
    rendered.extend([
        row(Strong, ["shop", "who"], " │ "),
        row(Comment, ["────", "───"], "─┼─"),
        row(Plain, ["Oslo", "Ada"], " │ "),
    ]);
    let text = |lines| PreviewText {
        lines,
        is_prose: true,
        cut: None,
    };
    let source = text(vec![line(&[(Plain, "words")])]);
    let state = seen(
        "plan.md",
        Preview::Markdown(PreviewMarkdown {
            rendered: text(rendered),
            source,
        }),
    );
    let drawn = draw_text(&state, 100, 30);
    let row = |words: &str| {
        drawn
            .lines()
            .position(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{drawn}"))
    };
    assert_eq!(
        (row("shop │ who") + 1, drawn.contains("Oslo")),
        (row("J K scroll"), false),
        "{drawn}"
    );
}

#[test]
fn figures_stay_where_the_names_of_their_columns_have_no_room() {
    let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
    let rows = vec![
        row(["month", "channel", "planned_eur", "spent_eur"]),
        row(["2026-07", "newsletter", "2400", "1793"]),
    ];
    let state = seen(
        "budget.csv",
        Preview::Table(PreviewTable { rows, cut: None }),
    );
    let drawn = draw_text(&state, 120, 40);
    assert!(drawn.contains("month  channel     pla…  spe…"), "{drawn}");
    assert!(drawn.contains("2026-07  newsletter  2400  1793"), "{drawn}");
}

#[test]
fn on_the_whole_of_a_small_screen_content_has_all_of_the_width() {
    let mut state = zoomed(table());
    let drawn = draw_text(&state, 80, 24);
    let head = drawn
        .lines()
        .find(|line| line.contains("customer"))
        .unwrap();
    assert!(head.contains(" note "), "all columns: {drawn}");
    let row = |words: &str| {
        drawn
            .lines()
            .find(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{drawn}"))
    };
    assert!(
        row("md5 ").contains("9f2c41c0e1b2a3948576d0c1b2a39485"),
        "{drawn}"
    );
    assert!(
        row("path ").contains("/marketing/q3-launch/orders.csv "),
        "{drawn}"
    );
    assert!(row("copies a signed link").contains("y y"), "{drawn}");
    // Esc leaves the zoom, whatever else could be cleared.
    state.size = (80, 24).into();
    state.files.listing.list.filter = Some(filedeck::tui::state::ListFilter::default());
    assert!(draw_text(&state, 80, 24).contains("esc  leave zoom"));
    filedeck::tui::update::update(
        &mut state,
        filedeck::tui::message::Msg::Key("esc".parse().unwrap()),
    );
    assert!(!state.panes.zoomed && state.files.listing.list.filter.is_some());
}

#[rstest]
#[case(NoPreview::Empty, "Empty file")]
#[case(NoPreview::Binary, "Not text or a picture")]
#[case(NoPreview::TooLarge(None), "Too large to preview")]
#[case(NoPreview::TooLarge(Some((6_000, 400))), "Too large to preview: 6000 × 400")]
#[case(NoPreview::Damaged, "Damaged or another type")]
#[case(NoPreview::TooSlow, "Too slow to render")]
fn what_cannot_be_shown_says_why(#[case] why: NoPreview, #[case] words: &str) {
    let drawn = draw_text(&seen("a.png", Preview::Nothing(why)), 120, 40);
    assert!(drawn.contains(words), "{drawn}");
}

#[test]
fn where_there_is_no_preview_facts_come_first() {
    let line =
        |drawn: &str, words: &str| drawn.lines().position(|line| line.contains(words)).unwrap();
    for zoomed in [false, true] {
        let mut state = seen("a.png", Preview::Nothing(NoPreview::Damaged));
        (state.panes.zoomed, state.focus) =
            (zoomed, if zoomed { Pane::Details } else { Pane::List });
        let drawn = draw_text(&state, 120, 40);
        assert!(line(&drawn, "access ") < 4, "{drawn}");
        assert!(
            line(&drawn, "Damaged or another type") > line(&drawn, " id "),
            "{drawn}"
        );
    }
}

#[test]
fn facts_beside_a_picture_have_the_width_of_their_longest_line() {
    let mut state = picture();
    (state.panes.zoomed, state.focus) = (true, Pane::Details);
    let drawn = draw_text(&state, 200, 60);
    let md5 = drawn
        .lines()
        .find_map(|line| line.split_once(" md5 "))
        .map(|(_, value)| value.trim_matches(['│', ' ', '|']));
    assert_eq!(md5.map(str::len), Some(32), "{drawn}");
}

#[test]
fn hidden_previews_leave_the_details_their_room() {
    let mut state = picture();
    state.panes.preview = false;
    let drawn = draw_text(&state, 120, 40);
    assert!(!drawn.contains('▀'), "{drawn}");
}

fn around_details(state: &State, (cols, rows): (u16, u16)) -> Vec<String> {
    let mut state = state.clone();
    state.size = (cols, rows).into();
    let details = areas(Size::new(cols, rows), &state)
        .and_then(|areas| areas.details)
        .unwrap_or_default();
    let drawn = frame(
        &state,
        state.size.into(),
        &Theme::default(),
        Symbols::Unicode,
    );
    let is_outside = |at: &Position| !details.contains(*at);
    let rows = drawn.area.rows().map(|row| {
        row.positions()
            .filter(is_outside)
            .map(|at| drawn[at].symbol())
            .collect()
    });
    rows.collect()
}

#[test]
fn no_look_reaches_outside_its_pane_on_any_screen() {
    for state in [picture, code, json, prose, table, folder, pdf] {
        let mut state = state();
        for zoomed in [false, true] {
            (state.panes.zoomed, state.focus) =
                (zoomed, if zoomed { Pane::Details } else { Pane::List });
            let mut without = state.clone();
            without.files.previews = Previews::default();
            for size in [
                (50, 12),
                (71, 13),
                (80, 24),
                (100, 14),
                (119, 30),
                (160, 20),
                (250, 70),
            ] {
                assert_eq!(
                    around_details(&state, size),
                    around_details(&without, size),
                    "{size:?}, zoomed: {zoomed}"
                );
            }
        }
    }
}

#[test]
fn a_dialog_lies_over_a_picture() {
    let mut state = picture();
    (state.panes.zoomed, state.focus) = (true, Pane::Details);
    state.dialogs.push(Dialog::Help(Help::new(
        &state.keymap,
        state.context(),
        &UsefulKeys::default(),
    )));
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("Help") || drawn.contains("Keys"), "{drawn}");
}
