//! The limits view, and the badge that warns in other views.

use filedeck::api::{Error, Kind};
use filedeck::config::AccountSource;
use filedeck::engine::limits::{Measure, Report, Share};
use filedeck::tui::message::Msg;
use filedeck::tui::state::{State, View};
use filedeck::tui::style::theme::Theme;
use filedeck::tui::update::update;
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{blank, browsing, not_found, now};
use super::sets::ascii;
use super::snapshot::{draw, draw_in, draw_plain, draw_text};
use crate::support::changed::changed;
use crate::support::limits::{name, of_type, reading, unread};

const SIZES: [(&str, u16, u16); 3] = [("narrow", 80, 24), ("medium", 120, 40), ("wide", 200, 60)];

fn limits() -> State {
    let mut state = browsing();
    state.view = View::Limits;
    state
}

fn pressed(keys: &str, (cols, rows): (u16, u16)) -> State {
    let mut state = limits();
    state.size = (cols, rows).into();
    update(&mut state, Msg::Clock(now()));
    for key in keys.split_whitespace() {
        update(&mut state, Msg::Key(key.parse().unwrap()));
    }
    state
}

#[rstest]
#[case::lists("limits", "")]
#[case::inside_a_type("limits_inside_a_type", "enter")]
#[case::inside_the_labels("limits_inside_the_labels", "G k k k enter")]
fn reports_at_each_size(#[case] name: &str, #[case] keys: &str) {
    for (size, cols, rows) in SIZES {
        assert_snapshot!(
            format!("{name}_{size}"),
            draw(&pressed(keys, (cols, rows)), cols, rows)
        );
    }
}

#[rstest]
#[case::narrow("", 60, 15, true)]
#[case::low("", 100, 30, true)]
#[case::in_the_heading("", 80, 24, false)]
#[case::medium("", 120, 40, false)]
#[case::inside("enter", 72, 24, true)]
#[case::inside_a_wide_screen("enter", 120, 40, false)]
fn the_ticks_of_gauges_are_named_once(
    #[case] keys: &str,
    #[case] cols: u16,
    #[case] rows: u16,
    #[case] in_foot: bool,
) {
    let drawn = draw_text(&pressed(keys, (cols, rows)), cols, rows);
    let heading = drawn
        .lines()
        .find(|line| line.contains("  Type ") || line.contains("  Limit "))
        .unwrap();
    assert_eq!(heading.contains("75"), !in_foot, "{drawn}");
    let foot = drawn
        .lines()
        .find(|line| line.contains(" 1 of ") && line.contains('╯'))
        .unwrap();
    assert_eq!(foot.contains("ticks at 75 and 90%"), in_foot, "{drawn}");
}

#[test]
fn without_colors_a_gauge_is_a_line_that_does_not_outshine_words() {
    let drawn = draw_in(&pressed("", (120, 40)), 120, 40, &Theme::default());
    let (drawn, styles) = drawn.split_once("\ncursor ").unwrap();
    assert!(!drawn.contains(['▆', '█']), "{drawn}");
    let (at, row) = drawn
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("━╌") && line.contains("△"))
        .unwrap();
    // The figure is bold, its gauge is not.
    let column = |c: char| row.chars().skip(2).position(|of| of == c).unwrap() + 1;
    let bold = styles
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{at}: ")))
        .unwrap();
    let is_bold = |at: usize| {
        let spans = bold
            .split(", ")
            .filter_map(|run| run.split_once(' '))
            .filter(|(_, style)| style.contains("BOLD"));
        let mut spans = spans.filter_map(|(span, _)| span.split_once('-'));
        spans.any(|(from, to)| (from.parse().unwrap()..=to.parse().unwrap()).contains(&at))
    };
    assert!(
        is_bold(column('△')) && !is_bold(column('━')),
        "{row}\n{bold}"
    );
}

#[rstest]
#[case::medium(120, 40)]
#[case::wide(200, 60)]
fn the_object_types_the_other_reports_and_a_chart_leave_few_rows_blank(
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let drawn = draw_text(&pressed("", (cols, rows)), cols, rows);
    let line = |words: &str| drawn.lines().position(|line| line.contains(words)).unwrap();
    let (types, others, chart) = (
        line("by object type"),
        line("Other reports"),
        line("· 30 days"),
    );
    assert!(types < others && others < chart, "{drawn}");
    let is_blank = |line: &&str| !line.chars().take(60).any(char::is_alphanumeric);
    let between = drawn
        .lines()
        .take(others)
        .skip(types)
        .filter(is_blank)
        .count();
    // The pane beside the types needs this height, and one row is the bottom of the box.
    assert!(between <= 6, "{between} blank rows:\n{drawn}");
}

#[test]
fn a_high_screen_has_the_thirty_days_of_the_row_under_the_cursor() {
    let mut state = pressed("", (200, 60));
    let first = draw_text(&state, 200, 60);
    let title = first
        .lines()
        .find(|line| line.contains("· 30 days"))
        .unwrap()
        .to_owned();
    assert!(
        first.contains(" 90%  ") && first.contains("30 days ago") && first.contains("today"),
        "{first}"
    );
    update(&mut state, Msg::Key("j".parse().unwrap()));
    let next = draw_text(&state, 200, 60);
    assert!(
        !next.contains(&title) && next.contains("· 30 days"),
        "{next}"
    );
    for (cols, rows) in [(120, 30), (80, 60)] {
        assert!(
            !draw_text(&state, cols, rows).contains("30 days ago"),
            "{cols}x{rows}"
        );
    }
}

#[test]
fn associations_from_a_type_begin_under_the_cursor_and_all_have_a_name() {
    let drawn = draw_text(&pressed("t 2 - 1 enter", (80, 24)), 80, 24);
    let at_cursor = drawn.lines().find(|line| line.contains('▐')).unwrap();
    assert!(
        at_cursor.contains("→ Contacts") && at_cursor.contains("at limit"),
        "{drawn}"
    );
    assert!(
        at_cursor.contains("3 at limit · 1 near") && at_cursor.contains("4 records"),
        "{drawn}"
    );
    let of_contacts = drawn
        .lines()
        .filter(|line| line.contains("→ Contacts  "))
        .count();
    assert_eq!(of_contacts, 1, "one line a type:\n{drawn}");
}

#[test]
fn below_the_words_for_associations_is_the_chart_of_the_fullest_gauge() {
    let drawn = draw_text(&pressed("t 2 - 1 enter", (200, 60)), 200, 60);
    let row = |words: &str| {
        drawn
            .lines()
            .position(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{words}: {drawn}"))
    };
    let (said, chart) = (
        row("are at the limit of associations"),
        row("Properties (this line has no history) · 30 days"),
    );
    assert!(
        said < chart && chart < said + 6 && row("30 days ago") > 50,
        "{drawn}"
    );
    // The chart leaves out values that never occurred.
    assert!(
        row("100%  ─") < row(" 75%  ─") && !drawn.contains(" 50%  ─"),
        "{drawn}"
    );
}

#[test]
fn of_associations_near_their_limit_the_fullest_is_told_in_its_color() {
    use filedeck::engine::limits::EntrySubject;
    let mut state = pressed("t 2 - 1 enter", (80, 24));
    let pair = Report::Pair {
        from: "2-1".to_owned(),
        to: "0-3".to_owned(),
    };
    let (now, mut entries) = (state.now, state.session.limits.book.entries(&pair).to_vec());
    for entry in &mut entries {
        if matches!(entry.subject, EntrySubject::Record { .. }) {
            entry.measure = Measure::Share(Share {
                usage: 48_000,
                limit: 50_000,
                percentage: 96.0,
            });
        }
    }
    state.session.limits.book.store_answer(&pair, entries, now);
    let drawn = draw(&state, 80, 24);
    let row = drawn
        .lines()
        .position(|line| line.contains("12 near · fullest 96%"))
        .unwrap();
    let style = drawn
        .lines()
        .find(|line| line.starts_with(&format!("{row}: ")))
        .unwrap();
    assert!(
        style.contains(" warn, ") && style.contains(" bad"),
        "{style}\n{drawn}"
    );
}

#[test]
fn what_is_inside_has_the_thirty_days_of_its_row_below_it() {
    let drawn = draw_text(&pressed("enter", (120, 40)), 120, 40);
    assert!(
        drawn.contains("─ Subscriptions · Properties · 30 days ─"),
        "{drawn}"
    );
    // The chart of a name is the chart of its parent.
    let drawn = draw_text(&pressed("G k k k enter j", (120, 40)), 120, 40);
    assert!(
        drawn.contains("─ Labels · Contacts → Companies · 30 days ─"),
        "{drawn}"
    );
    assert!(!draw_text(&pressed("enter", (120, 30)), 120, 30).contains("· 30 days"));
}

#[rstest]
#[case::a_count("enter j", &["─ Subscriptions ─", "filedeck keeps no history of this line."])]
#[case::the_heading("enter j j j", &["─ Subscriptions ─", "filedeck keeps no history of this line."])]
#[case::an_association("t 2 - 1 enter", &["─ Subscriptions → Contacts ─", "3 records of Subscriptions are at the limit of"])]
#[case::a_record("t 2 - 1 enter j", &["of associations with Contacts, 1 is near it"])]
fn a_line_of_which_nothing_is_remembered_says_so_above_the_chart_of_the_fullest(
    #[case] keys: &str,
    #[case] says: &[&str],
) {
    let drawn = draw_text(&pressed(keys, (120, 40)), 120, 40);
    assert!(says.iter().all(|words| drawn.contains(words)), "{drawn}");
    assert!(
        drawn.contains("─ Properties (this line has no history) · 30 days ─")
            && drawn.contains("30 days ago"),
        "{drawn}"
    );
}

#[test]
fn labels_of_a_type_have_their_thirty_days() {
    let drawn = draw_text(&pressed("j enter j j j", (120, 40)), 120, 40);
    let row = drawn
        .lines()
        .find(|line| line.contains("Labels → Deals"))
        .unwrap();
    assert!(row.contains("▐ ") && row.contains("steady"), "{drawn}");
    assert!(
        drawn.contains("─ Contacts · Labels → Deals · 30 days ─"),
        "{drawn}"
    );
}

#[test]
fn plain_lines_say_how_near_a_limit_is_behind_what_is_used() {
    let mut state = pressed("enter", (80, 24));
    state.panes.plain = true;
    let drawn = draw_plain(&state, 80, 24);
    let has = |words: &str| {
        drawn.lines().any(|line| {
            line.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(words)
        })
    };
    assert!(
        has("To Contacts 4 records 3 at limit - 1 near")
            && has("Records 48,210 no limit of its own"),
        "{drawn}"
    );
}

#[test]
fn reports_in_ascii() {
    for (size, cols, rows) in SIZES {
        assert_snapshot!(
            format!("limits_ascii_{size}"),
            ascii(&limits(), (cols, rows))
        );
    }
}

#[test]
fn the_pane_beside_the_lists_follows_the_cursor() {
    let state = pressed("j", (120, 40));
    let drawn = draw_text(&state, 120, 40);
    assert!(
        drawn.contains("╭─ Contacts ──") && drawn.contains("→ "),
        "{drawn}"
    );
    let drawn = draw_text(&pressed("j j", (120, 40)), 120, 40);
    assert!(
        drawn.contains("╭─ Deals ──") && drawn.contains("No type is near its limit."),
        "{drawn}"
    );
    assert!(
        !drawn.contains(" ok"),
        "of the other types the report does not speak:\n{drawn}"
    );
    assert_snapshot!(
        "limits_beside_the_records",
        draw(&pressed("G k k k k k", (120, 40)), 120, 40)
    );
}

#[rstest]
#[case::nothing(None, None, "unknown")]
#[case::near_alone(None, Some(false), "unknown")]
#[case::at_alone(Some(false), None, "unknown")]
#[case::near(None, Some(true), "near")]
#[case::all(Some(false), Some(false), "ok")]
fn of_what_a_report_does_not_say_nothing_is_called_ok(
    #[case] at: Option<bool>,
    #[case] near: Option<bool>,
    #[case] word: &str,
) {
    let mut state = pressed("", (120, 40));
    let (now, flags) = (state.now, Measure::Flags { at, near });
    let of = |id: &str| vec![of_type(id, "Yachts", flags)];
    state.session.limits.book.store_answer(
        &Report::Targets {
            from: "2-1".to_owned(),
        },
        of("2-7"),
        now,
    );
    state
        .session
        .limits
        .book
        .store_answer(&Report::Sources, of("2-1"), now);
    let drawn = draw_text(&state, 120, 40);
    let says = |line: &str, word: &str| {
        line.split(|c: char| !c.is_ascii_alphabetic())
            .any(|found| found == word)
    };
    let of_yachts = drawn
        .lines()
        .filter(|line| line.contains("Yachts"))
        .collect::<Vec<_>>();
    assert!(of_yachts.iter().any(|line| says(line, word)), "{drawn}");
    assert_eq!(
        drawn.lines().any(|line| says(line, "ok")),
        word == "ok",
        "{drawn}"
    );
}

#[rstest]
#[case::cut("Yachts", 497_210, 500_000, "Yachts     497,210 of 500,000 99.3%")]
#[case::long(
    "Appointments of the yard",
    14_895_000,
    15_000_000,
    "Appoin…the yard  14.8M of 15M 99.3%"
)]
fn figures_without_room_are_short_instead_of_missing(
    #[case] name: &str,
    #[case] usage: u64,
    #[case] limit: u64,
    #[case] expected: &str,
) {
    let mut state = pressed("G k k k k k", (120, 40));
    let share = Measure::Share(Share {
        usage,
        limit,
        percentage: 99.3,
    });
    let (now, long) = (
        state.now,
        Measure::Share(Share {
            usage: 6_300_112,
            limit: 15_000_000,
            percentage: 42.0,
        }),
    );
    let entries = vec![
        of_type("2-7", name, share),
        of_type("2-8", "Contacts", long),
    ];
    state
        .session
        .limits
        .book
        .store_answer(&Report::Records, entries, now);
    let drawn = draw_text(&state, 120, 40);
    assert!(
        drawn.contains(expected) && drawn.contains("6.3M of 15M   42%"),
        "{drawn}"
    );
}

#[test]
fn the_pane_beside_the_lists_says_which_keys_scroll_it() {
    let mut state = pressed("", (120, 40));
    let flag = Measure::Flags {
        at: Some(false),
        near: Some(true),
    };
    let many = (0..60)
        .map(|number| of_type(&format!("2-{number}"), &format!("Type {number}"), flag))
        .collect();
    let now = state.now;
    assert!(!draw_text(&state, 120, 40).contains("scroll ·"));
    state.session.limits.book.store_answer(
        &Report::Targets {
            from: "2-1".to_owned(),
        },
        many,
        now,
    );
    let drawn = draw_text(&state, 120, 40);
    assert!(drawn.contains("J K: scroll · enter: open"), "{drawn}");
    update(&mut state, Msg::Key("shift-tab".parse().unwrap()));
    let drawn = draw_text(&state, 120, 40);
    assert!(drawn.contains("j k: scroll · enter: open"), "{drawn}");
}

#[test]
fn the_pane_scrolls_to_every_flagged_row() {
    let mut state = pressed("", (120, 40));
    let flag = Measure::Flags {
        at: Some(false),
        near: Some(true),
    };
    let many = (0..60)
        .map(|number| of_type(&format!("2-{number}"), &format!("Type {number}"), flag))
        .collect();
    let now = state.now;
    state.session.limits.book.store_answer(
        &Report::Targets {
            from: "2-1".to_owned(),
        },
        many,
        now,
    );
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let drawn = draw_text(&state, 120, 40);
        seen.extend((0..60).filter(|number| drawn.contains(&format!("Type {number} "))));
        update(&mut state, Msg::Key("J".parse().unwrap()));
    }
    assert_eq!(seen.len(), 60);
}

#[test]
fn reports_that_are_on_their_way_or_failed_say_so() {
    let mut state = blank();
    state.view = View::Limits;
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("Reading the limits …"), "{drawn}");
    state
        .session
        .limits
        .book
        .fail(&Report::CustomProperties, not_found());
    assert_snapshot!(draw(&state, 80, 24));
}

#[test]
fn a_report_that_fails_says_so_in_its_place_and_the_others_stand() {
    let mut state = limits();
    let scope = || {
        changed(
            Error::new(
                Kind::Forbidden,
                "The scope crm.schemas.custom.read is missing",
            ),
            |error| {
                error.status = Some(403);
            },
        )
    };
    let now = state.now;
    state.session.limits.book = blank().session.limits.book;
    for (report, entries) in crate::support::limits::account() {
        match report {
            Report::CustomObjectTypes => state.session.limits.book.fail(&report, scope()),
            report => state
                .session
                .limits
                .book
                .store_answer(&report, entries, now),
        }
    }
    let drawn = draw_text(&state, 120, 40);
    assert!(
        drawn.contains("Custom object types") && drawn.contains("not read: The scope"),
        "{drawn}"
    );
    assert!(
        drawn.contains("192 of 200") && drawn.contains("Contacts"),
        "{drawn}"
    );
    // The values read earlier stay, marked as old.
    state.session.limits.book.fail(&Report::Records, scope());
    state
        .session
        .limits
        .book
        .fail(&Report::CustomProperties, scope());
    state.now += SignedDuration::from_mins(7);
    let drawn = draw_text(&state, 120, 40);
    assert!(
        drawn.contains("old: Records") && drawn.contains("outdated, read 7m ago: The scope"),
        "{drawn}"
    );
}

#[test]
fn hostile_names_take_their_place_and_no_more() {
    let mut state = limits();
    let evil = "\u{1b}[2J\u{202e}evil\u{7}\n写真".repeat(8);
    let mut entries = state
        .session
        .limits
        .book
        .entries(&Report::CustomProperties)
        .to_vec();
    for entry in &mut entries {
        if entry.object_type().is_some() {
            *entry = of_type("0-\u{9b}1", &evil, entry.measure);
        }
    }
    let flags = Measure::Flags {
        at: Some(true),
        near: Some(true),
    };
    let now = state.now;
    state
        .session
        .limits
        .book
        .store_answer(&Report::CustomProperties, entries, now);
    state.session.limits.book.store_answer(
        &Report::Sources,
        vec![of_type("0-\u{9b}1", &evil, flags)],
        now,
    );
    let targets = Report::Targets {
        from: "0-\u{9b}1".to_owned(),
    };
    state
        .session
        .limits
        .book
        .store_answer(&targets, vec![of_type("0-2", &evil, flags)], now);
    state.session.limits.inside = None;
    assert_eq!(name("0-2", &evil).plural_label, evil);
    for (cols, rows) in [(50, 12), (80, 24), (120, 40), (200, 60)] {
        for keys in ["", "enter", "G enter", "y y"] {
            let mut state = state.clone();
            state.size = (cols, rows).into();
            for key in keys.split_whitespace() {
                update(&mut state, Msg::Key(key.parse().unwrap()));
            }
            let drawn = draw_text(&state, cols, rows);
            let is_unsafe = |c: char| c != '\n' && filedeck::api::text::is_unsafe(c);
            assert!(!drawn.contains(is_unsafe), "{drawn}");
            assert!(
                drawn.lines().all(
                    |line| unicode_width::UnicodeWidthStr::width(line) == usize::from(cols) + 2
                ),
                "{drawn}"
            );
        }
    }
}

#[test]
fn without_colors_the_gauge_of_the_row_in_hand_looks_as_all_others_do() {
    for keys in ["", "enter"] {
        let drawn = draw_in(&pressed(keys, (80, 24)), 80, 24, &Theme::default());
        let row = drawn
            .lines()
            .position(|line| line.contains("━━ ▲"))
            .unwrap();
        let bar = drawn
            .lines()
            .nth(row)
            .unwrap()
            .chars()
            .position(|c| c == '━')
            .unwrap()
            - 1;
        let styles = drawn
            .lines()
            .find(|line| line.starts_with(&format!("{row}: ")))
            .unwrap();
        let covers = |run: &str| {
            let cells = run
                .split(' ')
                .next()
                .and_then(|cells| cells.split_once('-'))
                .unwrap();
            (cells.0.parse::<usize>().unwrap()..=cells.1.parse::<usize>().unwrap()).contains(&bar)
        };
        let runs = styles.split_once(": ").unwrap().1.split(", ");
        assert!(
            !runs
                .clone()
                .any(|run| covers(run) && run.contains("REVERSED")),
            "{styles}\n{drawn}"
        );
        assert!(runs.clone().any(|run| run.contains("REVERSED")), "{drawn}");
    }
}

/// The list with an account that was read, one that refuses its token, and one that is being read.
fn all_accounts((cols, rows): (u16, u16)) -> State {
    let mut state = limits();
    let mut slow = state.accounts[1].clone();
    slow.source = AccountSource::Configured("globex".to_owned());
    state.accounts.insert(2, slow);
    state.size = (cols, rows).into();
    update(&mut state, Msg::Clock(now()));
    update(&mut state, Msg::Key("a".parse().unwrap()));
    let why = "Authentication credentials not found. This API supports OAuth 2.0 authentication: send a valid access token";
    for reading in [
        reading("acme-prod", now()),
        unread("acme-archive", now(), why),
    ] {
        update(&mut state, Msg::AccountRead(Box::new(reading)));
    }
    state
}

#[test]
fn all_accounts_have_a_row_each() {
    for (size, cols, rows) in SIZES {
        let state = all_accounts((cols, rows));
        assert_snapshot!(format!("limits_of_all_{size}"), draw(&state, cols, rows));
    }
    assert_snapshot!(
        "limits_of_all_tiny",
        draw_text(&all_accounts((50, 12)), 50, 12)
    );
    assert_snapshot!(
        "limits_of_all_plain",
        draw_plain(&all_accounts((80, 24)), 80, 24)
    );
}

#[test]
fn the_reason_for_the_account_under_the_cursor_is_shown_in_full() {
    let mut state = all_accounts((80, 24));
    update(&mut state, Msg::Key("k".parse().unwrap()));
    assert_snapshot!("limits_of_all_refused", draw_text(&state, 80, 24));
}
