//! The pictures of the documents by their file names, each of a state that other tests draw, too.

use filedeck::tui::state::{State, View};
use filedeck::tui::style::symbols::Symbols;

use super::library::{browsing, upload_on_the_demo, with_tasks};
use super::picture::{picture, picture_in};
use super::{
    comparing, dialogs, grid, local_side, over, plans, preview, search, settings, showcase,
};

/// The sizes of a full picture, and of one that shows a dialog.
const LARGE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (100, 30);

pub(crate) fn document_pictures() -> Vec<(&'static str, String)> {
    let view = |view: View| {
        let mut state = browsing();
        with_tasks(&mut state);
        state.view = view;
        state
    };
    let after = |keys: &str| {
        let mut state = browsing();
        dialogs::press(&mut state, keys);
        state.status.clear();
        state
    };
    let mut accounts = browsing();
    upload_on_the_demo(&mut accounts);
    dialogs::press(&mut accounts, "@ j");
    let large = |name, state: &State| (name, picture(state, LARGE));
    let small = |name, state: &State| (name, picture(state, SMALL));
    vec![
        large("files.svg", &showcase::showcase()),
        large("tasks.svg", &view(View::Tasks)),
        large("limits.svg", &view(View::Limits)),
        large("plan.svg", &plans::with_plan("")),
        large("grid.svg", &grid::grid(false)),
        large("comparison.svg", &comparing::compared()),
        small("markdown.svg", &preview::markdown()),
        small(
            "find.svg",
            &search::searching("name:logo type:img size:>1M access:public updated:<7d"),
        ),
        small("found.svg", &search::found()),
        small("duplicates.svg", &search::duplicates()),
        small("local.svg", &local_side::open()),
        small("upload.svg", &after("u")),
        small("replacement.svg", &after("esc R")),
        small("access.svg", &after("e")),
        small("links.svg", &over::which_key()),
        small("deletion.svg", &after("d")),
        small("erasure.svg", &after("D")),
        small("palette.svg", &after("ctrl-p a d d")),
        small("help.svg", &after("?")),
        small("accounts.svg", &accounts),
        small("settings.svg", &settings::page()),
        small("themes.svg", &after("ctrl-t j j j j j j j j j")),
        (
            "light.svg",
            picture_in(&preview::code(), SMALL, "light", Symbols::Unicode),
        ),
        (
            "no-color.svg",
            picture_in(&preview::code(), SMALL, "mono", Symbols::Unicode),
        ),
        (
            "ascii.svg",
            picture_in(&preview::code(), SMALL, "mono", Symbols::Ascii),
        ),
    ]
}
