//! The limits: when they are requested, the cursor, drilling down, copying and exporting.

use std::collections::BTreeMap;

use filedeck::api::{Error, Kind};
use filedeck::engine::Request;
use filedeck::engine::limits::{LimitHistory, Report};
use filedeck::tui::message::Msg;
use filedeck::tui::state::View;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::limits::Topic;
use rstest::rstest;

use super::world::World;
use crate::support::changed::changed;
use crate::support::limits;
use filedeck::engine::Answer;
use filedeck::engine::question::{ReadLimits, WriteExport};

fn is_limits(request: &Request) -> bool {
    matches!(request, Request::ReadLimits(_))
}

/// All reports at 120x40 with the limits open, and the cursor on Subscriptions, the fullest type.
fn open() -> World {
    let mut world = World::new();
    world.answer_limits();
    world.keys("3");
    world
}

/// Answers the requests for associations until there are none; returns their number.
fn answer_associations(world: &mut World) -> usize {
    let (answers, mut count) = (limits::associations(), 0);
    while let Some((op, Request::ReadLimits(ReadLimits(report)))) = world.asked_for(is_limits) {
        let entries = answers
            .iter()
            .find(|(known, _)| *known == report)
            .map(|(_, entries)| entries.clone());
        world.done(op, Answer::ReadLimits(entries.unwrap_or_default()));
        count += 1;
    }
    count
}

fn here(world: &World) -> String {
    world.state.session.limits.rows()[world.state.session.limits.cursor.at()]
        .topic()
        .unwrap()
        .label()
}

fn types(world: &World) -> Vec<&str> {
    world
        .state
        .session
        .limits
        .types()
        .map(|entry| entry.object_type().unwrap().plural_label.as_str())
        .collect()
}

#[test]
fn no_request_more_than_needed_is_made() {
    let mut world = World::new();
    assert_eq!(
        world.count(is_limits),
        7,
        "the reports on the account, at the start"
    );
    world.answer_limits();
    world.wait(20_000);
    world.keys("3");
    world.wait(300);
    assert_eq!(
        world.count(is_limits),
        1,
        "they are fresh; of the type under the cursor its associations"
    );
    assert_eq!(
        answer_associations(&mut world),
        3,
        "then how many records, of both types that are at or near their limit"
    );
    for _ in 0..2 {
        world.send(Msg::Key("j".parse().unwrap()));
        world.wait(100);
    }
    world.wait(300);
    assert_eq!(
        world.count(is_limits),
        0,
        "of Deals the report on starting types does not speak"
    );
    for _ in 0..2 {
        world.send(Msg::Key("k".parse().unwrap()));
        world.wait(100);
    }
    world.wait(300);
    assert_eq!(
        (here(&world).as_str(), world.count(is_limits)),
        ("Subscriptions", 0),
        "what is known is not asked again"
    );
    world.keys("ctrl-r");
    assert_eq!(world.count(is_limits), 7);
    world.answer_limits();
    world.wait(300);
    assert_eq!(answer_associations(&mut world), 3);
    world.keys("1 3");
    assert_eq!(world.count(is_limits), 0);
}

#[test]
fn a_narrow_screen_asks_for_associations_once_they_are_looked_into() {
    let mut world = open();
    world.state.size = (80, 24).into();
    answer_associations(&mut world);
    world.keys("j");
    world.wait(1_000);
    assert_eq!(world.count(is_limits), 0);
    world.keys("enter");
    world.wait(300);
    world
        .asked(|request| matches!(request, Request::ReadLimits(ReadLimits(Report::Targets { from })) if from == "0-1"));
}

#[test]
fn they_are_read_again_each_minute_while_open_and_seldom_in_the_background() {
    let mut world = open();
    answer_associations(&mut world);
    world.wait(62_000);
    assert_eq!(world.count(is_limits), 7);
    world.answer_limits();
    answer_associations(&mut world);
    world.keys("1");
    world.wait(14 * 60_000);
    assert_eq!(world.count(is_limits), 0);
    world.wait(60_000);
    assert_eq!(world.count(is_limits), 7);
}

#[test]
fn an_idle_screen_wakes_for_what_is_due_and_for_ages_and_for_nothing_else() {
    let mut world = open();
    world.wait(300);
    answer_associations(&mut world);
    world.wait(10_000);
    let (wake, due) = (
        world.state.next_wake().unwrap(),
        world.state.limits_due().unwrap(),
    );
    assert!(
        wake <= due && (wake == due || wake.as_second() % 60 == 0),
        "{wake}, due {due}"
    );
    world.send(Msg::Clock(due));
    assert_eq!(world.count(is_limits), 7);
}

#[test]
fn without_a_line_nothing_is_due_and_what_was_read_stays() {
    let mut world = open();
    answer_associations(&mut world);
    world.wait(62_000);
    world.fail_limits(&Error::new(Kind::Unreachable, "connection refused"));
    assert_eq!(world.state.limits_due(), None, "the line is tried");
    assert_eq!(types(&world).len(), 6);
    assert!(
        world.shows("offline") && world.shows("outdated, read 1m ago"),
        "{}",
        world.drawn()
    );
    world.wait(3_000);
    assert_eq!(world.count(is_limits), 7, "with the line they come back");
}

#[test]
fn a_problem_that_lasts_is_logged_once() {
    let mut world = World::new();
    let scope = changed(
        Error::new(Kind::Forbidden, "The scope is missing"),
        |error| error.status = Some(403),
    );
    for _ in 0..3 {
        world.fail_limits(&scope);
        world.keys("ctrl-r 3 ctrl-r 1");
    }
    let entries = world
        .state
        .activity
        .iter()
        .filter(|entry| entry.text.contains("Limits could not be read"));
    assert_eq!(entries.count(), 1);
}

#[rstest]
#[case::pressure("o n o p", &["Subscriptions", "Contacts", "Deals", "Companies", "Tickets", "Vessels"])]
#[case::left("o l", &["Subscriptions", "Contacts", "Deals", "Companies", "Tickets", "Vessels"])]
#[case::name("o n", &["Companies", "Contacts", "Deals", "Subscriptions", "Tickets", "Vessels"])]
#[case::growth("o g", &["Contacts", "Companies", "Tickets", "Subscriptions", "Vessels", "Deals"])]
#[case::reversed("O", &["Vessels", "Tickets", "Companies", "Deals", "Contacts", "Subscriptions"])]
#[case::and_back("O O", &["Subscriptions", "Contacts", "Deals", "Companies", "Tickets", "Vessels"])]
fn an_order_keeps_the_cursor_on_its_row(#[case] keys: &str, #[case] expected: &[&str]) {
    let mut world = World::new();
    world.answer_limits_with(limits::past(world.state.now));
    world.keys("3 j j");
    assert_eq!(here(&world), "Deals");
    world.keys(keys);
    assert_eq!(
        (types(&world).as_slice(), here(&world).as_str()),
        (expected, "Deals")
    );
}

#[test]
fn a_report_that_comes_late_leaves_the_cursor_on_its_row() {
    let mut world = open();
    world.keys("j j G");
    assert_eq!(here(&world), "Associations");
    world.keys("ctrl-r");
    let op = world
        .asked(|request| *request == Request::ReadLimits(ReadLimits(Report::CustomProperties)));
    world.done(op, Answer::ReadLimits(vec![limits::all(1, 2)]));
    assert_eq!(here(&world), "Associations");
}

#[test]
fn enter_looks_inside_and_esc_leads_back() {
    let mut world = open();
    world.wait(300);
    answer_associations(&mut world);
    world.keys("enter");
    assert!(
        world.shows("shared-inbox@example.com")
            && world.shows("and 1 more at limit that the service does not name"),
        "{}",
        world.drawn()
    );
    world.keys("esc");
    assert_eq!(
        (world.state.view, here(&world).as_str()),
        (View::Limits, "Subscriptions")
    );
    world.keys("G k k k enter");
    assert!(
        world.shows("Champion") && world.shows("Technical lead"),
        "{}",
        world.drawn()
    );
    world.keys("h G enter");
    assert!(world.shows("Associations ─"), "{}", world.drawn());
    world.keys("j j enter");
    let topic = world.state.session.limits.topic();
    assert!(
        matches!(topic, Some(Topic::Type(name)) if name.object_type_id == "0-1"),
        "from the starting types into one of them"
    );
    world.keys("esc");
    assert_eq!(here(&world), "Contacts");
    world.keys("esc");
    assert_eq!(world.state.view, View::Files);
}

#[test]
fn associations_start_from_any_type_by_its_id() {
    let mut world = open();
    answer_associations(&mut world);
    world.keys("t");
    world.text("contacts");
    world.keys("enter");
    assert!(world.shows("two numbers with a dash"), "{}", world.drawn());
    world.keys("ctrl-u");
    world.text("2-77");
    world.keys("enter");
    world.wait(300);
    let op = world.asked(
        |request| matches!(request, Request::ReadLimits(ReadLimits(Report::Targets { from })) if from == "2-77"),
    );
    world.fail(
        op,
        changed(
            Error::new(Kind::Invalid, "Unknown object type id: 2-77"),
            |error| error.status = Some(400),
        ),
    );
    assert!(
        world.shows("Unknown object type id: 2-77"),
        "{}",
        world.drawn()
    );
    assert_eq!(world.state.activity.len(), 0, "it stands in its place");
}

#[test]
fn the_table_is_copied_with_tabs_and_written_as_csv() {
    let mut world = open();
    answer_associations(&mut world);
    let copied = world.keys("y y");
    let [Effect::Copy(table)] = copied.as_slice() else {
        panic!("{copied:?}")
    };
    assert!(table.starts_with("report\tof\tid\t"), "{table}");
    assert!(
        table.contains(
            "\nCustom properties\tSubscriptions\t2-1\t1000\t1000\t100\t0\t0\t\t\t2026-11-21T"
        ),
        "{table}"
    );
    assert!(
        table.contains(
            "\nAssociations\tSubscriptions\t2-1\t\t\t\t\t\tat limit, near\t\t2026-11-21T"
        ),
        "{table}"
    );
    assert!(
        world.says("copied, with tabs between columns"),
        "{:?}",
        world.said()
    );
    world.keys("y c");
    let Some((op, Request::WriteExport(WriteExport { folder, name, text }))) =
        world.asked_for(|it| matches!(it, Request::WriteExport(_)))
    else {
        panic!()
    };
    assert_eq!(
        (folder.to_str(), name.as_str()),
        (Some("/home/ada/work"), "limits-acme-2026-11-21.csv")
    );
    assert!(
        text.contains("\nPipelines,Deals,0-3,22,25,88,3,,,,2026-11-21T"),
        "{text}"
    );
    world.done(
        op,
        Answer::WriteExport("/home/ada/work/limits-acme-2026-11-21 (1).csv".into()),
    );
    assert!(
        world.says("Written to /home/ada/work/limits-acme-2026-11-21 (1).csv"),
        "{:?}",
        world.said()
    );
    let copied = world.keys("j y i");
    assert_eq!(copied, [Effect::Copy("0-1".to_owned())]);
}

#[test]
fn tab_goes_round_the_panes_and_keys_scroll_the_one_beside_the_lists() {
    let mut world = open();
    let types = world.state.session.limits.counts().0;
    world.keys("j tab");
    assert_eq!(
        world.state.session.limits.cursor.at(),
        types,
        "on the first of the other reports"
    );
    world.keys("tab j");
    assert_eq!(
        world.state.session.limits.cursor.at(),
        types,
        "the pane beside scrolls"
    );
    world.keys("tab");
    assert_eq!(
        world.state.session.limits.cursor.at(),
        1,
        "where the cursor was"
    );
    world.keys("shift-tab esc k");
    assert_eq!(
        world.state.session.limits.cursor.at(),
        0,
        "escape gives the focus back"
    );
    world.keys("tab tab");
    world.send(Msg::Resize { cols: 80, rows: 24 });
    world.keys("j");
    assert_eq!(
        world.state.session.limits.cursor.at(),
        types + 1,
        "a pane that is gone has no focus"
    );
}

#[test]
fn tab_goes_back_to_the_object_type_that_the_cursor_has_left() {
    let mut world = open();
    let types = world.state.session.limits.counts().0;
    for _ in 0..types {
        world.keys("j");
    }
    assert_eq!(
        world.state.session.limits.cursor.at(),
        types,
        "on the first of the other reports"
    );
    world.keys("shift-tab");
    assert_eq!(world.state.session.limits.cursor.at(), types - 1);
}

#[test]
fn what_is_inside_is_copied_as_it_is_shown() {
    let mut world = open();
    world.wait(300);
    answer_associations(&mut world);
    let copied = world.keys("enter y y");
    let [Effect::Copy(table)] = copied.as_slice() else {
        panic!("{copied:?}")
    };
    world.keys("y c");
    let Some((_, Request::WriteExport(WriteExport { name, .. }))) =
        world.asked_for(|it| matches!(it, Request::WriteExport(_)))
    else {
        panic!()
    };
    assert_eq!(name, "limits-subscriptions-acme-2026-11-21.csv");
    let rows = table.lines().take(8);
    let rows: Vec<&str> = rows
        .map(|row| row.split("\t2026-11-21T").next().unwrap())
        .collect();
    let expected = [
        "topic\tof\tid\tusage\tlimit\tpercentage\tleft\trecords\tread",
        "Subscriptions\tProperties\t\t1000\t1000\t100\t0\t",
        "Subscriptions\tRecords\t\t48210\t\t\t\t",
        "Subscriptions\tPipelines\t\t3\t\t\t\t",
        "Subscriptions\tContacts\t0-1\t\t\t\t\t3 at limit, 1 near",
        "Subscriptions\tshared-inbox@example.com\t35019034\t50000\t50000\t100\t0\t",
        "Subscriptions\tSupport robot\t35020118\t50000\t50000\t100\t0\t",
        "Subscriptions\tAda Marlow\t35014201\t44310\t50000\t88.62\t5690\t",
    ];
    assert_eq!(rows, expected);
    let copied = world.keys("j j j j j y i");
    assert_eq!(
        copied,
        [Effect::Copy("35019034".to_owned())],
        "the record's"
    );
}

#[test]
fn a_name_cannot_become_a_formula_or_leave_its_cell() {
    let mut world = open();
    answer_associations(&mut world);
    world.keys("ctrl-r");
    let op = world
        .asked(|request| *request == Request::ReadLimits(ReadLimits(Report::CustomProperties)));
    let evil = limits::of_type("0-1", "=cmd|'/c calc'!A1,\"x\"\n\ty", limits::used(1, 2));
    world.done(op, Answer::ReadLimits(vec![evil]));
    world.keys("y c");
    let Some((_, Request::WriteExport(WriteExport { text, .. }))) =
        world.asked_for(|it| matches!(it, Request::WriteExport(_)))
    else {
        panic!()
    };
    assert!(
        text.contains(
            "\nCustom properties,\"'=cmd|'/c calc'!A1,\"\"x\"\"\\u{a}\\u{9}y\",0-1,1,2,50,1,,,,2026"
        ),
        "{text}"
    );
}

#[test]
fn what_has_come_to_a_level_since_last_time_is_said_once() {
    let mut world = World::new();
    let before = |usage| LimitHistory {
        before: Some((usage, 1_000)),
        ..LimitHistory::default()
    };
    let past = BTreeMap::from([
        ("custom-properties 2-1".to_owned(), before(899)),
        ("custom-properties 0-1".to_owned(), before(700)),
        ("custom-properties 0-3".to_owned(), before(600)),
        ("records 0-1".to_owned(), LimitHistory::default()),
    ]);
    world.answer_limits_with(past);
    let said = "Custom properties · Subscriptions passed 90%; Custom properties · Contacts passed 75% since the last start.";
    assert_eq!(world.said(), [said]);
    assert_eq!(world.state.activity.unseen(), 1);
    world.keys("3 ctrl-r");
    let op = world
        .asked(|request| *request == Request::ReadLimits(ReadLimits(Report::CustomProperties)));
    world.fail(op, Error::new(Kind::Server, "internal error"));
    world.answer_limits_with(BTreeMap::new());
    assert!(
        world.shows("outdated, read just now: internal error"),
        "{}",
        world.drawn()
    );
    world.keys("ctrl-r");
    world.answer_limits_with(limits::past(world.state.now));
    let entries = world
        .state
        .activity
        .iter()
        .filter(|entry| entry.text.contains("since the last start"));
    assert_eq!(entries.count(), 1);
}

/// Seen to hide it, so that under load the program never showed the effect of a key.
#[test]
fn what_the_limits_tell_does_not_hide_what_a_key_has_just_done() {
    let mut world = World::new();
    world.keys("ctrl-t enter");
    let before = LimitHistory {
        before: Some((899, 1_000)),
        ..LimitHistory::default()
    };
    world.answer_limits_with(BTreeMap::from([(
        "custom-properties 2-1".to_owned(),
        before,
    )]));
    assert_eq!(
        world.state.status.message().unwrap().text,
        "The theme is auto now."
    );
    assert!(
        world
            .state
            .activity
            .iter()
            .any(|entry| entry.text.contains("passed 90%"))
    );
}

// Seen to be requested but never sent, so that its response was awaited as long as the account was
// open.
#[test]
fn what_was_read_of_the_limits_is_kept_although_there_was_no_room_to_ask_for_the_last() {
    let mut world = World::new();
    let mut reports = limits::account();
    let (last, _) = reports.pop().unwrap();
    for (report, entries) in reports {
        let op = world.asked(|request| *request == Request::ReadLimits(ReadLimits(report.clone())));
        world.done(op, Answer::ReadLimits(entries));
    }
    let op = world.asked(|request| *request == Request::ReadLimits(ReadLimits(last.clone())));
    let effects = world.send(Msg::Refused(op));
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Submit(_, Request::SaveSnapshot(_))]
        ),
        "{effects:?}"
    );
}
