//! The list as a grid of pictures.

use filedeck::api::model::Access;
use filedeck::engine::message::Entry;
use filedeck::engine::preview::Preview;
use filedeck::tui::state::{ListShape, PreviewKey, PreviewState, State};
use insta::assert_snapshot;
use rstest::rstest;

use super::library::{browsing, file, folder, listing};
use super::preview::sunset;
use super::snapshot::{draw, draw_plain};

/// A folder of pictures as a grid, some of which have arrived; the second one has the cursor, two
/// are marked.
pub(super) fn grid(zoom: bool) -> State {
    let mut state = browsing();
    let names = [
        "harbor.jpg",
        "hero-banner.jpg",
        "hills-at-dawn.png",
        "a-very-long-name-of-a-picture.png",
        "venue.webp",
    ];
    let files = names.iter().zip(1_u64..).map(|(name, at)| {
        let access = if at % 2 == 0 {
            Access::Private
        } else {
            Access::PublicIndexable
        };
        Entry::File(file(name, &access, at * 40_001, 3))
    });
    let others = [
        Entry::Folder(folder("31", "/marketing/q3-launch/raw")),
        Entry::File(file("plan.pdf", &Access::Private, 9, 1)),
    ];
    state.files.listing = listing(others.into_iter().chain(files).collect(), false);
    state.files.listing.shape = ListShape::Grid;
    state.panes.zoomed = zoom;
    let rows: Vec<_> = state
        .files
        .listing
        .visible_rows()
        .map(|(_, row)| row.clone())
        .collect();
    for row in rows.iter().filter(|row| row.name.starts_with('h')) {
        let seen = PreviewState::Seen(Preview::Picture(sunset()));
        state
            .files
            .previews
            .keep(PreviewKey::grid(row), seen, state.now);
        state.files.listing.mark(&row.target);
    }
    state.files.listing.move_to(2);
    state
}

#[rstest]
#[case::narrow(80, 24, false)]
#[case::usual(120, 40, false)]
#[case::large(200, 60, false)]
#[case::zoomed(120, 40, true)]
fn a_grid_has_pictures_names_access_and_marks(
    #[case] cols: u16,
    #[case] rows: u16,
    #[case] zoom: bool,
) {
    let drawn = draw(&grid(zoom), cols, rows);
    assert_snapshot!(
        format!("grid_{cols}x{rows}{}", if zoom { "_zoomed" } else { "" }),
        drawn
    );
}

#[test]
fn a_grid_is_a_list_where_it_is_read_aloud() {
    let mut state = grid(false);
    state.panes.plain = true;
    let drawn = draw_plain(&state, 80, 24);
    assert!(
        drawn.contains("harbor.jpg") && drawn.contains("Size"),
        "{drawn}"
    );
}
