//! The grid of pictures: its requests and cancellations, the movement of its cursor, and its
//! persistence per folder.

use filedeck::api::{Error, Kind};
use filedeck::config::favorites::FavoritesChange;
use filedeck::engine::message::Entry;
use filedeck::engine::preview::{Picture, Preview, PreviewTarget};
use filedeck::engine::question::{ClearThumbnails, GetPreview};
use filedeck::engine::{Answer, OpId, Request};
use filedeck::tui::state::PictureSupport;
use filedeck::tui::state::effect::Effect;

use super::world::{World, file};

/// The root folder with this many pictures, on a screen where a grid has three columns and three
/// lines.
fn pictures(count: usize) -> World {
    let mut world = World::unanswered();
    world.state.size = (120, 40).into();
    world.state.panes.preview = false;
    let picture = |at: usize| {
        Entry::File(file(
            &at.to_string(),
            &format!("/p{at:03}.png"),
            "PRIVATE",
            None,
        ))
    };
    world.list("/", (0..count).map(picture).collect(), None);
    world.answer_limits();
    world
}

fn name(request: &Request) -> Option<String> {
    let Request::GetPreview(GetPreview {
        subject: PreviewTarget::File(file),
        ..
    }) = request
    else {
        return None;
    };
    file.path.clone()
}

fn asked(world: &World) -> Vec<(OpId, String)> {
    world
        .under_way()
        .filter_map(|(op, request)| Some((op, name(request)?)))
        .collect()
}

fn names(world: &World) -> Vec<String> {
    asked(world).into_iter().map(|(_, name)| name).collect()
}

fn answer(world: &mut World) -> String {
    let (op, name) = asked(world).remove(0);
    let picture = Picture {
        width: 2,
        height: 2,
        rgba: vec![255; 16].into(),
    };
    world.done(op, Answer::GetPreview(Preview::Picture(picture)));
    name
}

#[test]
fn pictures_in_sight_are_asked_for_first_then_two_lines_below_and_no_more() {
    let mut world = pictures(60);
    world.keys("V");
    assert_eq!(asked(&world), [], "not before the grid stands still");
    world.wait(100);
    assert_eq!(
        names(&world),
        [
            "/p000.png",
            "/p001.png",
            "/p002.png",
            "/p003.png",
            "/p004.png",
            "/p005.png"
        ]
    );
    let mut answered = Vec::new();
    while !asked(&world).is_empty() {
        answered.push(answer(&mut world));
    }
    assert_eq!(answered.len(), 15, "{answered:?}");
    assert!(answered.is_sorted());
    world.wait(60_000);
    assert_eq!(asked(&world), []);
}

/// Seen to repeat requests without end when the pictures of a large screen evict each other.
/// Fails if the host of the bytes counts as the service.
#[test]
fn a_picture_whose_host_is_away_does_not_count_as_a_lost_connection() {
    let mut world = pictures(2);
    world.keys("V");
    world.wait(100);
    let (op, _) = asked(&world).remove(0);
    world.fail(op, Error::new(Kind::Unreachable, "connection refused"));
    assert!(!world.shows("offline"), "{}", world.drawn());
}

#[test]
fn each_picture_of_the_largest_screen_is_asked_for_once() {
    let mut world = pictures(900);
    world.state.size = (500, 150).into();
    world.state.picture_support = PictureSupport::Pixels {
        cell: (8, 16).into(),
    };
    world.keys("V");
    world.wait(100);
    let mut answered = Vec::new();
    while let Some((op, name)) = asked(&world).into_iter().next() {
        let (width, height) = world.state.picture_support.grid_dots();
        let rgba = vec![255; (width * height * 4) as usize].into();
        world.done(
            op,
            Answer::GetPreview(Preview::Picture(Picture {
                width,
                height,
                rgba,
            })),
        );
        assert!(
            !answered.contains(&name),
            "{name} again after {}",
            answered.len()
        );
        answered.push(name);
    }
    assert!(answered.len() > 100, "{}", answered.len());
}

#[test]
fn nothing_is_asked_for_where_the_grid_is_scrolled_past_and_what_is_out_of_sight_is_given_up() {
    let mut world = pictures(400);
    world.keys("V");
    world.wait(100);
    assert_eq!(asked(&world).len(), 6);
    world.keys("pgdn pgdn pgdn");
    assert_eq!(asked(&world), []);
    for _ in 0..10 {
        world.keys("pgdn");
        world.wait(90);
        assert_eq!(asked(&world), []);
    }
    world.wait(100);
    let seen = names(&world);
    assert_eq!(seen.len(), 6);
    assert!(
        world.shows(seen[0].trim_start_matches('/')),
        "{seen:?}\n{}",
        world.drawn()
    );
}

#[test]
fn the_cursor_goes_across_and_by_lines_and_stays_in_its_column() {
    let mut world = pictures(8);
    world.keys("V");
    for (keys, expected) in [
        ("l", "p001.png"),
        ("right", "p002.png"),
        ("j", "p005.png"),
        ("j", "p007.png"),
        ("j", "p007.png"),
        ("k", "p004.png"),
        ("h", "p003.png"),
        ("g g", "p000.png"),
        ("h", "p000.png"),
        ("G", "p007.png"),
    ] {
        world.keys(keys);
        assert_eq!(world.here(), expected, "after {keys}");
    }
    world.keys("g g space space v j d");
    assert_eq!(
        world.state.files.listing.marks.len(),
        6,
        "marks and ranges go as in the list"
    );
    assert!(!world.state.dialogs.is_empty());
}

#[test]
fn a_folder_keeps_its_grid_and_others_stay_lists() {
    let mut world = World::new();
    world.state.size = (120, 40).into();
    let kept = world.keys("V");
    let change = FavoritesChange::Grid {
        folder: "/".to_owned(),
        is_grid: true,
    };
    assert!(
        kept.iter()
            .any(|effect| matches!(effect, Effect::SaveFavorites(_, saved) if *saved == change)),
        "{kept:?}"
    );
    world.keys("enter");
    assert!(!world.state.shows_grid());
    world.keys("backspace");
    assert!(world.state.shows_grid());
    world.keys("V");
    assert!(!world.state.shows_grid());
    assert!(world.state.session.account.favorites.grids.is_empty());
}

#[test]
fn a_click_on_a_picture_or_its_name_chooses_it() {
    let mut world = pictures(9);
    world.keys("V");
    world.click("p004.png");
    assert_eq!(world.here(), "p004.png");
    world.click("1.0 KB");
    assert_eq!(world.here(), "p000.png");
}

#[test]
fn there_is_no_grid_where_there_are_no_pictures() {
    for (plain, support) in [
        (true, PictureSupport::Blocks),
        (false, PictureSupport::None),
    ] {
        let mut world = pictures(3);
        (world.state.panes.plain, world.state.picture_support) = (plain, support);
        world.keys("V");
        assert!(!world.state.shows_grid());
        assert!(world.says("grid"), "{:?}", world.said());
    }
}

#[test]
fn a_key_clears_what_is_kept_and_says_how_much_it_was() {
    for (freed, said) in [
        (
            3_200_000,
            "Cleared thumbnails and kept names: 3.2 MB freed.",
        ),
        (0, "No thumbnails and no names"),
    ] {
        let mut world = pictures(1);
        world.keys("g x");
        let op =
            world.asked(|request| matches!(request, Request::ClearThumbnails(ClearThumbnails)));
        world.done(op, Answer::ClearThumbnails(freed));
        assert!(world.says(said), "{:?}", world.said());
    }
}
