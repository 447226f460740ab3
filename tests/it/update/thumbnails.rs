//! Thumbnails of the pictures in a folder: when they are requested, cancelled and kept.

use filedeck::api::model::File;
use filedeck::api::{Error, Kind};
use filedeck::engine::message::RequestBudget;
use filedeck::engine::preview::{FolderContents, Picture, Preview, PreviewTarget};
use filedeck::engine::question::GetPreview;
use filedeck::engine::{Answer, OpId, Request};
use filedeck::tui::message::Msg;
use filedeck::tui::state::PictureSupport;
use rstest::rstest;

use super::world::{World, file};

fn press(world: &mut World, key: &str) {
    world.send(Msg::Key(key.parse().unwrap()));
}

fn asked(world: &World) -> Option<(OpId, String, (u32, u32))> {
    let (op, request) = world.asked_for(|request| matches!(request, Request::GetPreview(_)))?;
    let Request::GetPreview(GetPreview { subject, room, .. }) = request else {
        return None;
    };
    let path = match subject {
        PreviewTarget::File(file) => file.path.unwrap(),
        PreviewTarget::Folder(place) => place.path,
        PreviewTarget::Local(path) => path.to_string_lossy().into_owned(),
    };
    (!world.cancelled.contains(&op)).then_some((op, path, room))
}

fn asked_path(world: &World) -> Option<String> {
    asked(world).map(|(_, path, _)| path)
}

fn pictures() -> Vec<File> {
    (1..=6)
        .map(|at| {
            file(
                &format!("p{at}"),
                &format!("/marketing/{at}.png"),
                "PRIVATE",
                Some("m"),
            )
        })
        .collect()
}

/// A large screen with the cursor on `/marketing`, whose preview has arrived.
fn on_a_folder() -> World {
    let mut world = World::new();
    world.state.panes.preview = true;
    world.state.size = (200, 60).into();
    answer_folder(&mut world);
    world
}

fn answer_folder(world: &mut World) {
    world.wait(300);
    let (op, path, _) = asked(world).unwrap();
    assert_eq!(path, "/marketing");
    let contents = FolderContents {
        pictures: pictures(),
        is_all: true,
        ..FolderContents::default()
    };
    world.done(op, Answer::GetPreview(Preview::Folder(contents)));
}

fn answer(world: &mut World) {
    let (op, ..) = asked(world).unwrap();
    let picture = Picture {
        width: 2,
        height: 2,
        rgba: vec![0; 16].into(),
    };
    world.done(op, Answer::GetPreview(Preview::Picture(picture)));
}

#[test]
fn the_newest_pictures_of_a_folder_are_asked_for_one_by_one_as_small_as_they_are_shown() {
    let mut world = on_a_folder();
    for path in [
        "/marketing/1.png",
        "/marketing/2.png",
        "/marketing/3.png",
        "/marketing/4.png",
    ] {
        let (_, asked, room) = asked(&world).unwrap();
        assert_eq!((asked.as_str(), room), (path, (30, 20)));
        answer(&mut world);
    }
    assert_eq!(asked(&world), None, "as many as there is room for");
    world.wait(60_000);
    assert_eq!(asked(&world), None);
}

#[test]
fn nothing_moves_while_they_come() {
    let mut world = on_a_folder();
    let rows = |world: &World| {
        world
            .drawn()
            .lines()
            .map(|line| line.contains("Newest") || line.contains("1.png"))
            .collect::<Vec<_>>()
    };
    let before = rows(&world);
    assert!(before.contains(&true));
    for _ in 0..4 {
        answer(&mut world);
        assert_eq!(rows(&world), before, "{}", world.drawn());
    }
    assert!(!world.shows("no pre"), "{}", world.drawn());
}

#[rstest]
#[case::low((200, 40))]
#[case::narrow((140, 60))]
fn smaller_screens_have_none(#[case] size: (u16, u16)) {
    let mut world = World::new();
    world.state.panes.preview = true;
    world.state.size = size.into();
    answer_folder(&mut world);
    assert_eq!(asked(&world), None);
    assert!(!world.shows("1.png"), "{}", world.drawn());
}

#[test]
fn where_a_dragged_strip_leaves_no_room_none_are_asked_for() {
    let mut world = World::new();
    world.state.panes.preview = true;
    world.state.size = (200, 60).into();
    world.state.panes.dragged.strip = Some(35);
    answer_folder(&mut world);
    assert_eq!(asked(&world), None);
    assert!(!world.shows("1.png"), "{}", world.drawn());
}

#[test]
fn without_pictures_and_in_plain_mode_there_are_none() {
    let mut world = World::new();
    world.state.panes.preview = true;
    world.state.size = (200, 60).into();
    world.state.picture_support = PictureSupport::None;
    answer_folder(&mut world);
    assert_eq!(asked(&world), None);
    world.state.picture_support = PictureSupport::Blocks;
    world.state.panes.plain = true;
    world.keys("tab");
    world.wait(1_000);
    assert_eq!(asked(&world), None);
}

#[test]
fn moving_on_gives_them_up_and_coming_back_asks_for_the_rest() {
    let mut world = on_a_folder();
    answer(&mut world);
    let (second, ..) = asked(&world).unwrap();
    press(&mut world, "j");
    assert_eq!(world.cancelled, [second]);
    press(&mut world, "k");
    assert_eq!(asked(&world), None, "not before the cursor rests");
    let due = world.state.next_wake().unwrap();
    world.wait(300);
    assert!(due <= world.state.now, "the screen wakes for it");
    assert_eq!(asked_path(&world), Some("/marketing/2.png".to_owned()));
}

#[test]
fn a_thumbnail_is_no_preview_of_its_file() {
    let mut world = on_a_folder();
    answer(&mut world);
    let (op, ..) = asked(&world).unwrap();
    world.fail(op, Error::new(Kind::Network, "the host of files is gone"));
    assert!(
        !world.says("the host of files") && world.shows("no preview"),
        "{}",
        world.drawn()
    );
    assert_eq!(
        asked_path(&world),
        Some("/marketing/3.png".to_owned()),
        "the others come"
    );
    press(&mut world, "enter");
    world.list(
        "/marketing",
        pictures()
            .into_iter()
            .map(filedeck::engine::message::Entry::File)
            .collect(),
        None,
    );
    world.wait(300);
    let (_, path, room) = asked(&world).unwrap();
    assert_eq!((path.as_str(), room), ("/marketing/1.png", (400, 240)));
}

#[test]
fn half_of_the_requests_stay_free() {
    let mut world = World::new();
    world.state.panes.preview = true;
    world.state.size = (200, 60).into();
    world.state.session.take_budget(
        RequestBudget {
            remaining: 49,
            max: 100,
        },
        world.state.now,
    );
    answer_folder(&mut world);
    assert_eq!(asked(&world), None);
    world.wait(11_000);
    assert_eq!(
        asked_path(&world),
        Some("/marketing/1.png".to_owned()),
        "the budget was given back"
    );
}
