//! Settings that change while the screen runs, and their persistence.

use filedeck::config::{AccountSource, Config, Dates, Setting, SymbolSet, TomlText};
use filedeck::tui::areas::areas;
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{PictureSupport, RunSettings, State, View};
use filedeck::tui::style::symbols::Symbols;
use filedeck::tui::style::theme::Depth;
use rstest::rstest;

use super::world::World;

/// A world without folder counts, so that nothing is counted.
fn world() -> World {
    let mut world = World::new();
    world.state.settings.config.folder_counts = false;
    world
}

/// A run whose `config.toml` has this setting, in its third line.
fn configured(name: &'static str, value: &str) -> World {
    let mut world = world();
    let mut config = Config {
        folder_counts: false,
        ..Config::default()
    };
    assert!(config.choose(Setting::named(name).unwrap(), value));
    let rows = config.in_force(&[(name, 3)].into(), &[].into());
    world.state.settings = RunSettings {
        config,
        rows,
        ..RunSettings::default()
    };
    world
}

fn theme(world: &World) -> &str {
    world.state.settings.theme(&world.state.dialogs)
}

fn kept(name: &'static str, value: &str) -> Effect {
    Effect::KeepSetting(name, value.to_owned())
}

#[test]
fn a_theme_is_seen_while_the_cursor_is_on_it_and_kept_with_enter() {
    let mut world = world();
    assert_eq!(world.keys("ctrl-t"), []);
    assert_eq!(theme(&world), "auto");
    assert_eq!(world.keys("down"), []);
    assert_eq!(theme(&world), "dark");
    world.keys("down down");
    assert_eq!(theme(&world), "high-contrast");
    assert_eq!(
        world.state.settings.config.theme, "auto",
        "it is only looked at"
    );
    world.keys("esc");
    assert_eq!(theme(&world), "auto");
    assert_eq!(
        world.keys("ctrl-t end enter"),
        [kept("theme", "\"solarized-light\"")]
    );
    assert_eq!(theme(&world), "solarized-light");
    assert!(world.state.dialogs.is_empty());
    world.keys("ctrl-t");
    assert_eq!(
        theme(&world),
        "solarized-light",
        "the cursor starts on the one in force"
    );
}

#[test]
fn a_theme_that_config_toml_sets_is_changed_for_this_run_and_the_list_says_so() {
    let mut world = configured("theme", "\"nord\"");
    world.keys("ctrl-t");
    let drawn = world.drawn();
    assert!(
        drawn.contains("until you quit") && drawn.contains("line 3"),
        "{drawn}"
    );
    assert_eq!(
        world.keys("down enter"),
        [],
        "nothing that the next start would not use is kept"
    );
    assert_eq!(theme(&world), "tokyo-night");
    assert!(
        world.says("tokyo-night until you quit: config.toml, line 3 sets it."),
        "{:?}",
        world.said()
    );
    world.keys(",");
    assert!(world.shows("until you quit"), "{}", world.drawn());
}

#[rstest]
#[case::plain(true, Depth::Mono, "Plain lines have no colors")]
#[case::no_color(false, Depth::Mono, "NO_COLOR")]
#[case::sixteen_colors(false, Depth::Ansi, "most themes look")]
fn a_list_of_themes_that_cannot_be_seen_says_why(
    #[case] plain: bool,
    #[case] depth: Depth,
    #[case] said: &str,
) {
    let mut world = world();
    world.state.panes.plain = plain;
    world.state.settings.depth = depth;
    world.keys("ctrl-t");
    assert!(world.shows(said), "{}", world.drawn());
}

#[test]
fn the_page_changes_what_the_running_program_reads() {
    let mut world = world();
    world.keys(",");
    world.text("dates");
    assert_eq!(world.keys("enter"), [kept("dates", "\"absolute\"")]);
    assert_eq!(world.state.dates, Dates::Absolute);
    assert!(
        world.shows("chosen here") && world.shows("absolute"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.keys("enter"), [kept("dates", "\"relative\"")]);
    world.keys("ctrl-u");
    world.text("limits_refresh");
    assert_eq!(world.keys("enter"), [kept("limits_refresh", "120")]);
    assert_eq!(world.state.limits_every.as_secs(), 120);
    world.keys("ctrl-u");
    world.text("notify");
    assert_eq!(world.keys("enter"), [kept("notify", "\"bell\"")]);
    assert!(world.state.notify);
    world.keys("ctrl-u");
    world.text("folder_counts");
    assert_eq!(world.keys("enter"), [kept("folder_counts", "false")]);
    assert_eq!(
        world.keys("enter").first(),
        Some(&kept("folder_counts", "true"))
    );
    assert!(world.state.panes.folder_counts);
}

#[test]
fn the_tasks_have_a_key_that_limits_the_rate_of_transfers() {
    let mut world = world();
    world.keys("2 L");
    assert!(
        world.shows("Limit the rate of transfers") && world.shows("off"),
        "{}",
        world.drawn()
    );
    world.keys("ctrl-u");
    world.text("fast");
    world.keys("enter");
    assert!(
        world.shows("Type 500K or 2M, at least 10K, or off."),
        "{}",
        world.drawn()
    );
    world.keys("ctrl-u");
    world.text("2m");
    assert_eq!(world.keys("enter"), [kept("limit_rate", "\"2M\"")]);
    assert_eq!(
        world.state.settings.config.limit_rate,
        "2M".parse().unwrap()
    );
    assert!(
        world.shows("Limited all transfers to 2.0 MB/s.") && world.shows("limit 2.0 MB/s"),
        "{}",
        world.drawn()
    );
    world.keys("L ctrl-u");
    world.text("off");
    assert_eq!(world.keys("enter"), [kept("limit_rate", "\"off\"")]);
    assert!(
        world.shows("Removed the limit on transfers.") && !world.shows("limit 2.0 MB/s"),
        "{}",
        world.drawn()
    );
}

#[test]
fn the_palette_finds_each_theme() {
    let mut world = world();
    world.keys("ctrl-p");
    world.text("theme nord");
    assert_eq!(world.keys("enter"), [kept("theme", "\"nord\"")]);
    assert_eq!(world.state.settings.config.theme, "nord");
}

#[test]
fn symbols_change_at_once_and_pictures_of_blocks_go_with_them() {
    let mut world = world();
    world.keys(",");
    world.text("symbols");
    world.keys("enter enter");
    assert_eq!(world.state.settings.config.symbols, SymbolSet::Ascii);
    assert_eq!(world.state.settings.symbols(), Symbols::Ascii);
    assert_eq!(world.state.picture_support, PictureSupport::None);
    world.keys("enter");
    assert_eq!(world.state.settings.symbols(), Symbols::Nerd);
    assert_eq!(world.state.picture_support, PictureSupport::Blocks);
}

#[test]
fn the_preset_changes_the_keys_at_once_and_both_are_named() {
    let mut world = world();
    let own = "[files]\nrename = [\"ctrl-n\"]\n";
    world.state.settings.keys = TomlText::new("keys.toml", own);
    world.keys(",");
    world.text("preset");
    assert!(world.shows("vim, cua"), "{}", world.drawn());
    assert_eq!(world.keys("enter"), [kept("preset", "\"cua\"")]);
    world.keys("esc G delete");
    assert!(matches!(world.dialog(), Dialog::Confirm(_)));
    world.keys("esc ctrl-n");
    assert!(
        matches!(world.dialog(), Dialog::Prompt(_)),
        "{}",
        world.drawn()
    );
    world.keys("esc ,");
    world.text("preset");
    assert_eq!(world.keys("enter"), [kept("preset", "\"vim\"")]);
    world.keys("esc delete");
    assert!(world.state.dialogs.is_empty());
}

/// Seen to fail when F2 is no other key than the rest.
#[test]
fn the_first_start_offers_the_keys_of_desktop_programs() {
    let mut world = world();
    world.state.is_first_run = true;
    let offer = "Keys: vim. Prefer Delete, F2, Ctrl-F? Press f2.";
    assert!(world.shows(offer), "{}", world.drawn());
    assert_eq!(world.keys("f2"), [kept("preset", "\"cua\"")]);
    assert!(world.says("desktop programs"), "{:?}", world.said());
    assert!(!world.shows(offer));
    world.keys("G f2");
    assert!(matches!(world.dialog(), Dialog::Prompt(_)));
}

#[test]
fn any_other_key_dismisses_the_offer_of_keys_and_does_what_it_does() {
    let mut world = world();
    world.state.is_first_run = true;
    world.keys("2");
    assert_eq!(world.state.view, View::Tasks);
    world.keys("1");
    assert!(!world.shows("Prefer Delete"), "{}", world.drawn());
    assert_eq!(world.keys("f2"), []);
}

#[rstest]
#[case::demo(|state: &mut State| state.session.account.source = AccountSource::Demo)]
#[case::plain(|state: &mut State| state.panes.plain = true)]
#[case::chosen(|state: &mut State| state.settings = configured("preset", "\"vim\"").state.settings)]
fn the_offer_of_keys_is_not_for_everybody(#[case] change: fn(&mut State)) {
    let mut world = world();
    world.state.is_first_run = true;
    change(&mut world.state);
    assert!(!world.shows("Prefer Delete"), "{}", world.drawn());
    assert_eq!(world.keys("f2"), []);
}

#[test]
fn the_palette_opens_the_settings_at_the_keys() {
    let mut world = world();
    world.keys(":");
    world.text("desktop");
    world.keys("enter");
    assert!(matches!(world.dialog(), Dialog::Settings(_)));
    assert_eq!(world.keys("enter"), [kept("preset", "\"cua\"")]);
}

#[test]
fn what_only_a_start_reads_is_copied_and_the_page_says_so() {
    let mut world = world();
    world.keys(",");
    world.text("stall");
    assert!(world.shows("its start"), "{}", world.drawn());
    assert!(!world.shows("enter  change"), "{}", world.drawn());
    assert_eq!(
        world.keys("enter"),
        [Effect::Copy("stall_timeout = 120".to_owned())]
    );
    world.keys("ctrl-u");
    world.text("dates");
    assert_eq!(
        world.keys("tab"),
        [Effect::Copy("dates = \"relative\"".to_owned())]
    );
}

#[test]
fn the_theme_is_chosen_from_the_page_which_is_there_again_afterwards() {
    let mut world = world();
    world.keys(", enter");
    assert!(matches!(world.dialog(), Dialog::Themes(_)));
    world.keys("down enter");
    assert!(matches!(world.dialog(), Dialog::Settings(_)));
    assert!(world.shows("dark  "), "{}", world.drawn());
}

/// Seen to fail when they lie over the panes.
#[rstest]
#[case::over_the_details((120, 40))]
#[case::over_wide_details((200, 60))]
#[case::beside_the_list((80, 24))]
#[case::over_all((60, 20))]
fn the_themes_cut_no_pane(#[case] size: (u16, u16)) {
    let mut world = world();
    world.state.size = size.into();
    world.keys("ctrl-t");
    let areas = areas(size.into(), &world.state).unwrap();
    let beside = areas.beside.unwrap();
    let panes = [areas.tree, areas.list, areas.details]
        .into_iter()
        .flatten();
    assert!(
        panes.clone().any(|pane| pane == beside)
            || panes.clone().all(|pane| !pane.intersects(beside)),
        "{areas:?}"
    );
    assert!(
        world.shows("↑↓  try") && world.shows("esc  cancel"),
        "{}",
        world.drawn()
    );
}

#[rstest]
#[case::medium((120, 40), 24, 36)]
#[case::wide((200, 60), 32, 68)]
fn the_settings_show_the_widths_in_effect(
    #[case] (cols, rows): (u16, u16),
    #[case] tree: u16,
    #[case] details: u16,
) {
    let mut world = world();
    world.send(Msg::Resize { cols, rows });
    world.keys(", w i d t h");
    let drawn = world.drawn();
    assert!(drawn.contains(&format!("{tree} columns")), "{drawn}");
    assert!(drawn.contains(&format!("{details} columns")), "{drawn}");
    assert!(!drawn.contains("chosen here"), "{drawn}");
    world.keys("esc shift-tab } , t r e e");
    let (drawn, wider) = (world.drawn(), tree + 2);
    assert!(drawn.contains(&format!("{wider} columns")), "{drawn}");
    assert!(drawn.contains("chosen here"), "{drawn}");
    assert_eq!(
        world.keys("tab"),
        [Effect::Copy(format!("tree_width = {wider}"))]
    );
}

#[test]
fn a_width_in_the_file_that_has_no_room_is_shown_as_it_is_on_the_screen() {
    let mut world = configured("tree_width", "200");
    world.state.panes.set.tree = Some(200);
    world.keys(", t r e e");
    let drawn = world.drawn();
    assert!(drawn.contains("56 columns"), "{drawn}");
    assert!(drawn.contains("config.toml, line 3"), "{drawn}");
}
