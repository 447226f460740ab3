//! A search: its dialog, and its results.

use filedeck::api::ids::{FileId, FolderId};
use filedeck::api::model::Access;
use filedeck::config::favorites::{Bookmark, FavoritesChange};
use filedeck::engine::Query;
use filedeck::engine::message::{Collection, Entry, Sort, SortKey, Target};
use filedeck::tui::dialog::{Dialog, Prompt};
use filedeck::tui::keymap::Key;
use filedeck::tui::message::Msg;
use filedeck::tui::state::{Listing, Pane, State};
use filedeck::tui::update::update;
use insta::assert_snapshot;
use jiff::tz::TimeZone;
use rstest::rstest;

use super::library::{browsing, file};
use super::snapshot::{draw, draw_text};
use crate::support::changed::changed;
use filedeck::tui::dialog::Modal as _;

pub(super) fn searching(line: &str) -> State {
    let mut state = browsing();
    let (now, zone) = (state.service_now(), TimeZone::UTC);
    state
        .dialogs
        .push(Dialog::Prompt(Prompt::find(line, now, zone)));
    state
}

#[test]
fn names_have_more_room_than_folders_where_there_is_little_and_columns_stand_apart() {
    let drawn = draw_text(&found(), 100, 30);
    assert!(
        drawn.contains("intro-film.mp4 ") && drawn.contains("catalog-2026.pdf "),
        "{drawn}"
    );
    assert!(
        drawn.contains("/films  ") && drawn.contains("  64 MB"),
        "{drawn}"
    );
}

pub(super) fn found() -> State {
    found_by("size:>1M sort:-size")
}

fn found_by(line: &str) -> State {
    let mut state = browsing();
    let (now, zone) = (state.service_now(), TimeZone::UTC);
    let query = Query::read(line, now, &zone).unwrap().named("large files");
    let sort = query.order().unwrap_or_default();
    let mut listing = Listing::new(Collection::Found(query), sort);
    let rows = [
        (
            "intro-film.mp4",
            "/marketing/q3-launch/films",
            Access::PublicNotIndexable,
            64_000_000,
        ),
        (
            "catalog-2026.pdf",
            "/sales/print/catalogs/2026/final",
            Access::PublicIndexable,
            21_500_000,
        ),
        ("banner-01.png", "", Access::Private, 1_700_000),
    ];
    let entries = (8_101..)
        .zip(rows)
        .map(|(id, (name, folder, access, size))| {
            let parent = (!folder.is_empty()).then(|| FolderId::new("77"));
            let path = Some(format!("{folder}/{name}"));
            Entry::File(changed(file(name, &access, size, 3), |file| {
                file.id = FileId::new(id.to_string());
                file.path = path;
                file.parent_folder_id = parent;
            }))
        });
    listing.take_first(entries.collect(), None, state.now);
    state.files.listing = listing;
    state
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn rows_of_a_search_tell_their_folders(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    assert_snapshot!(format!("found_{name}"), draw(&found(), cols, rows));
}

#[rstest]
#[case::access("access:private", "Access")]
#[case::size("size:>1M", "Size")]
#[case::kind("type:image", "Type")]
#[case::extension("ext:pdf", "Type")]
#[case::update("updated:<7d", "Updated")]
#[case::creation("created:<7d", "Created")]
#[case::expiry("expires:<7d", "Expires")]
fn the_column_that_a_search_is_about_stays(
    #[case] line: &str,
    #[case] heading: &str,
    #[values((80, 24), (120, 40), (200, 60))] (cols, rows): (u16, u16),
    #[values("", "t")] keys: &str,
) {
    let mut state = found_by(line);
    for key in keys.split_whitespace() {
        update(&mut state, Msg::Key(key.parse().unwrap()));
    }
    let drawn = draw_text(&state, cols, rows);
    let headings = drawn
        .lines()
        .find(|line| line.contains("Folder  "))
        .unwrap();
    assert!(headings.contains(heading), "{drawn}");
}

pub(super) fn duplicates() -> State {
    let mut state = browsing();
    let (now, zone) = (state.service_now(), TimeZone::UTC);
    let query = Query::read("is:duplicate", now, &zone)
        .unwrap()
        .named("duplicates");
    let mut listing = Listing::new(
        Collection::Found(query),
        Sort {
            key: SortKey::Content,
            descending: true,
        },
    );
    let rows = [
        ("intro-film.mp4", "/marketing/films", 64_000_000, "a"),
        ("film-final.mp4", "/sales", 64_000_000, "a"),
        ("banner-01.png", "/marketing", 412_000, "b"),
        ("banner.png", "/old", 412_000, "b"),
        ("banner-copy.png", "", 412_000, "b"),
    ];
    let entries = (8_101..).zip(rows).map(|(id, (name, folder, size, md5))| {
        Entry::File(changed(file(name, &Access::Private, size, 3), |file| {
            file.id = FileId::new(id.to_string());
            file.path = Some(format!("{folder}/{name}"));
            file.parent_folder_id = (!folder.is_empty()).then(|| FolderId::new("77"));
            file.file_md5 = Some(md5.repeat(32));
        }))
    });
    listing.take_first(entries.collect(), None, state.now);
    state.files.listing = listing;
    state
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn copies_are_grouped(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    assert_snapshot!(
        format!("duplicates_{name}"),
        draw(&duplicates(), cols, rows)
    );
}

fn told_of(state: &State, name: &str) -> String {
    let drawn = draw_text(state, 120, 40);
    let line = drawn
        .lines()
        .find(|line| line.contains(name) && line.contains("KB"))
        .unwrap_or_else(|| panic!("{drawn}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_copies_take_is_counted_whatever_the_filter_hides() {
    let mut state = duplicates();
    for key in ["/", "c", "o", "p", "y", "enter"] {
        update(&mut state, Msg::Key(key.parse().unwrap()));
    }
    assert!(
        !draw_text(&state, 120, 40).contains("banner-01"),
        "{}",
        draw_text(&state, 120, 40)
    );
    assert!(
        told_of(&state, "copy.png").contains("3×412 KB 824 KB"),
        "{}",
        draw_text(&state, 120, 40)
    );
    let gone = [Target::File(FileId::new("8104"))].into();
    state.files.listing.remove(&gone);
    assert!(
        told_of(&state, "copy.png").contains("2×412 KB 412 KB"),
        "{}",
        draw_text(&state, 120, 40)
    );
}

#[test]
fn copies_on_a_middle_screen_tell_as_much_as_on_a_small_one() {
    let mut state = duplicates();
    for (cols, rows) in [(80, 24), (100, 30)] {
        let drawn = draw_text(&state, cols, rows);
        assert!(
            drawn.contains("Access ") && drawn.contains(" Frees"),
            "{drawn}"
        );
    }
    // The key that hides the tree shows it here, because it is only covered.
    state.size = (100, 30).into();
    update(&mut state, Msg::Key(Key::char('T')));
    assert_eq!(state.focus, Pane::Tree);
    assert!(draw_text(&state, 100, 30).contains("─ Folders ─"));
    update(&mut state, Msg::Key(Key::char('T')));
    assert_eq!((state.focus, state.panes.tree_column), (Pane::List, false));
}

#[test]
fn other_content_leaves_the_group() {
    let mut state = duplicates();
    let Entry::File(banner) = state
        .files
        .listing
        .entry(state.files.listing.at(4).unwrap().1)
    else {
        panic!()
    };
    assert!(banner.full_name().starts_with("banner"));
    state
        .files
        .listing
        .upsert(Entry::File(changed(banner.clone(), |file| {
            file.file_md5 = Some("c".repeat(32));
        })));
    assert!(
        !draw_text(&state, 120, 40).contains(&banner.full_name()),
        "it is no duplicate any more"
    );
    assert!(
        draw_text(&state, 120, 40).contains("2×412 KB"),
        "{}",
        draw_text(&state, 120, 40)
    );
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn a_search_is_explained_below_its_field(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    let state = searching("name:logo type:img size:>1M access:public updated:<7d");
    assert_snapshot!(format!("find_{name}"), draw(&state, cols, rows));
}

fn kept(keys: &str) -> State {
    let mut state = browsing();
    let favorites = &mut state.session.account.favorites;
    for (name, search) in [
        ("big pictures", "type:image size:>1M sort:-size"),
        ("open drafts", "draft access:public"),
    ] {
        favorites.apply(&FavoritesChange::View {
            name: name.to_owned(),
            search: Some(search.to_owned()),
        });
    }
    let folder = |path: &str| Bookmark::Folder {
        path: path.to_owned(),
        id: Some("7".to_owned()),
    };
    favorites.apply(&FavoritesChange::Bookmark {
        key: 'q',
        to: Some(folder("/marketing/q3-launch")),
    });
    favorites.apply(&FavoritesChange::Bookmark {
        key: '1',
        to: Some(Bookmark::Search {
            search: "expires:<7d".to_owned(),
        }),
    });
    for key in keys.split_whitespace() {
        update(&mut state, Msg::Key(key.parse().unwrap()));
    }
    state
}

#[rstest]
#[case::views("views", "F o")]
#[case::bookmarks("bookmarks", "'")]
#[case::new_bookmark("new_bookmark", "m")]
fn what_is_kept_is_a_list(#[case] name: &str, #[case] keys: &str) {
    assert_snapshot!(format!("saved_{name}"), draw_text(&kept(keys), 80, 24));
    assert_snapshot!(
        format!("saved_{name}_medium"),
        draw_text(&kept(keys), 120, 40)
    );
}

#[test]
fn tab_shows_what_a_word_may_go_on_with() {
    let mut state = searching("logo u");
    let now = state.clocks();
    if let Some(Dialog::Prompt(prompt)) = state.dialogs.last_mut() {
        prompt.on_key("tab".parse::<Key>().unwrap(), now);
    }
    assert_snapshot!("find_completing", draw_text(&state, 80, 24));
}
