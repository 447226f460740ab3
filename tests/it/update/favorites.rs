//! Saved searches, bookmarks, and jumps to a path or an id.

use filedeck::config::favorites::{Bookmark, FavoritesChange};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Entry;
use filedeck::engine::{Job, Request};
use filedeck::tui::message::Msg;
use filedeck::tui::state::View;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::world::{World, file, folder, not_found, place};
use filedeck::engine::Answer;
use filedeck::engine::question::{ListNames, Locate, Located};

fn kept(effects: &[Effect]) -> Vec<&FavoritesChange> {
    effects
        .iter()
        .filter_map(|effect| {
            if let Effect::SaveFavorites(_, change) = effect {
                Some(change)
            } else {
                None
            }
        })
        .collect()
}

#[test]
fn a_search_is_kept_opened_and_forgotten_again() {
    let mut world = World::new();
    world.keys("F s");
    assert!(world.says("Only a search can be saved: f starts one."));
    world.keys("f");
    world.text("type:image size:>1M");
    world.keys("enter F s");
    world.text("big pictures");
    let effects = world.keys("enter");
    let view = |search: Option<&str>| FavoritesChange::View {
        name: "big pictures".to_owned(),
        search: search.map(str::to_owned),
    };
    assert_eq!(kept(&effects), [&view(Some("type:image size:>1M"))]);
    world.keys("h F o");
    assert!(
        world.shows("big pictures") && world.shows("type:image size:>1M"),
        "{}",
        world.drawn()
    );
    world.keys("1");
    assert!(world.shows("Found: big pictures"));
    world.keys("h ctrl-p");
    world.text("big pict");
    world.keys("enter");
    world.list("big pictures", Vec::new(), None);
    world.keys("F o");
    assert_eq!(kept(&world.keys("delete")), [&view(None)]);
    world.keys("F o");
    assert!(
        world.shows("No saved views yet: F s saves the open search."),
        "{}",
        world.drawn()
    );
}

#[test]
fn what_could_not_be_written_down_is_said() {
    let mut world = World::new();
    world.send(Msg::SaveFailed("disk full".to_owned()));
    assert!(world.says("Saved for this session only: disk full"));
}

#[rstest]
#[case::letter("q")]
#[case::sign("#")]
#[case::not_ascii("é")]
fn any_character_leads_back_to_a_folder(#[case] key: &str) {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", Vec::new(), None);
    world.keys("m");
    let effects = world.keys(key);
    let to = Bookmark::Folder {
        path: "/marketing".to_owned(),
        id: Some("m".to_owned()),
    };
    assert_eq!(
        kept(&effects),
        [&FavoritesChange::Bookmark {
            key: key.chars().next().unwrap(),
            to: Some(to)
        }]
    );
    world.keys("g r '");
    assert!(world.shows("/marketing"));
    world.keys(key);
    let op = world.asked(
        |request| matches!(request, Request::Locate(Locate::Folder(id)) if id.as_str() == "m"),
    );
    world.done(
        op,
        Answer::Locate(Located::Entry(Entry::Folder(folder("m", "/moved")))),
    );
    assert_eq!(
        *world.state.files.listing.of.base(),
        place("m", "/moved"),
        "it leads to where the folder is now"
    );
}

#[test]
fn a_bookmark_may_lead_to_a_search_or_to_the_root_folder_and_can_be_removed() {
    let mut world = World::new();
    world.keys("m r F v m s g r ' s");
    assert_eq!(world.state.files.listing.of.title(), "access:private");
    world.keys("' r");
    assert!(world.state.files.listing.of.is_folder(None));
    world.keys("' x");
    assert!(world.shows("No bookmark x."));
    let effects = world.keys("down delete");
    assert_eq!(
        kept(&effects),
        [&FavoritesChange::Bookmark { key: 's', to: None }]
    );
}

#[test]
fn a_bookmark_leads_to_the_files_from_any_view() {
    for (path, id) in [("/", None), ("/marketing", Some("m".to_owned()))] {
        let mut world = World::new();
        world.state.session.account.favorites.bookmarks.insert(
            'w',
            Bookmark::Folder {
                path: path.to_owned(),
                id,
            },
        );
        world.keys("2 ctrl-p");
        world.text(&format!("go to {path} ' w"));
        world.keys("enter");
        assert_eq!(world.state.view, View::Files, "{path}");
        assert!(world.state.files.listing.of.query().is_none(), "{path}");
    }
}

#[test]
fn an_id_leads_to_its_file_and_what_is_not_there_says_so() {
    let mut world = World::new();
    world.keys("g i");
    world.text("x7");
    world.keys("enter");
    assert!(world.shows("An id has digits only."));
    world.keys("ctrl-u");
    world.text("7");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate(Locate::Id(id)) if id == "7"));
    world.done(
        op,
        Answer::Locate(Located::Entry(Entry::File(file(
            "7",
            "/marketing/logo.png",
            "PRIVATE",
            Some("m"),
        )))),
    );
    assert_eq!(
        *world.state.files.listing.of.base(),
        place("m", "/marketing")
    );
    world.keys("g i");
    world.text("8");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate(Locate::Id(_))));
    world.fail(op, not_found());
    assert!(
        world.shows("Nothing has this id, or the token may not see it."),
        "{}",
        world.drawn()
    );
    world.keys("esc");
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn a_hidden_file_is_told_of_where_no_list_shows_it() {
    let mut world = World::new();
    world.keys("g i");
    world.text("7");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate(Locate::Id(_))));
    world.done(
        op,
        Answer::Locate(Located::Entry(Entry::File(file(
            "7",
            "/marketing/logo.png",
            "HIDDEN_PRIVATE",
            Some("m"),
        )))),
    );
    assert!(
        world.says("logo.png is hidden: the service leaves it out of lists and searches."),
        "{:?}",
        world.said()
    );
    assert_eq!(
        *world.state.files.listing.of.base(),
        place("m", "/marketing")
    );
    world.list(
        "/marketing",
        vec![Entry::File(file(
            "8",
            "/marketing/z.png",
            "PRIVATE",
            Some("m"),
        ))],
        None,
    );
    assert_eq!(
        (world.rows(), world.here()),
        (vec!["logo.png", "z.png"], "logo.png"),
        "all keys work on it"
    );
    world.keys("d tab enter");
    let Job::Delete { item, .. } = world.asked_job(JobKind::Delete) else {
        panic!()
    };
    assert_eq!(item.path, "/marketing/logo.png");
}

#[test]
fn a_path_is_completed_from_what_is_known_and_from_what_the_service_answers() {
    let mut world = World::new();
    world.keys("g p ctrl-u");
    world.text("mktg");
    assert!(
        world.shows("/marketing"),
        "letters with gaps are enough: {}",
        world.drawn()
    );
    world.keys("tab");
    world.text("q");
    world.keys("tab");
    let op = world.asked(|request| matches!(request, Request::ListNames(ListNames { path }) if path == "/marketing/"));
    world.done(
        op,
        Answer::ListNames(vec!["a.txt".to_owned(), "q3/".to_owned()]),
    );
    world.keys("enter");
    world.asked(
        |request| matches!(request, Request::Locate(Locate::Path(path)) if path == "/marketing/q3"),
    );
}

#[test]
fn letters_of_a_known_folder_lead_there_without_a_path() {
    let mut world = World::new();
    world.keys("g p ctrl-u");
    world.text("sls");
    world.keys("enter");
    world.asked(
        |request| matches!(request, Request::Locate(Locate::Path(path)) if path == "/sales"),
    );
}
