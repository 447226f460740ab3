//! Times that follow the service's clock when the local one is wrong.

use filedeck::api::model::SignedUrl;
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Collection;
use filedeck::engine::{Event, Job, Query, Request, SessionId};
use filedeck::tui::message::Msg;
use jiff::{SignedDuration, Timestamp};
use rstest::rstest;
use serde_json::json;

use super::world::{World, file, uploaded};
use crate::support::changed::changed;
use filedeck::engine::Answer;
use filedeck::engine::question::List;

/// Long enough that no result differs by chance.
const AHEAD: SignedDuration = SignedDuration::from_hours(48);

/// A world where the service's clock is two days ahead.
fn off() -> World {
    let mut world = World::new();
    world.send(Msg::Engine(SessionId::FIRST, Event::Clock { ahead: AHEAD }));
    world
}

fn there(world: &World) -> Timestamp {
    world.state.now + AHEAD
}

fn asked_query(world: &World) -> Query {
    let is_search = |request: &Request| {
        matches!(
            request,
            Request::List(List {
                of: Collection::Found(_),
                ..
            })
        )
    };
    match world.asked_for(is_search) {
        Some((
            _,
            Request::List(List {
                of: Collection::Found(query),
                ..
            }),
        )) => query,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_end_of_life_that_is_typed_as_a_period_begins_when_it_is_now_there() {
    let mut world = off();
    world.keys("j j e down down");
    world.text("7d");
    world.keys("enter");
    let Job::Change { update, .. } = world.asked_job(JobKind::Change) else {
        panic!()
    };
    assert_eq!(
        update.expires_at,
        Some(there(&world) + SignedDuration::from_hours(7 * 24))
    );
}

#[test]
fn a_day_that_is_past_there_is_past() {
    let mut world = off();
    world.keys("j j e down down");
    world.text("2026-11-22");
    world.keys("enter");
    assert!(world.shows("That time is past."), "{}", world.drawn());
}

#[test]
fn what_expires_soon_does_so_by_the_clock_that_it_will_expire_by() {
    let mut world = off();
    world.keys("F e");
    let expires = asked_query(&world).files().expires;
    let within = SignedDuration::from_hours(7 * 24);
    assert_eq!(
        (expires.from, expires.to),
        (Some(there(&world)), Some(there(&world) + within))
    );
}

#[test]
fn what_was_changed_lately_was_so_by_the_clock_that_wrote_it_down() {
    let mut world = off();
    world.keys("f");
    let opened_at = there(&world);
    world.text("updated:<1h");
    world.keys("enter");
    let updated = asked_query(&world).files().filter.updated;
    assert_eq!(
        updated.from,
        Some(opened_at - SignedDuration::from_hours(1))
    );
}

#[rstest]
#[case::ahead(AHEAD)]
#[case::behind(-AHEAD)]
fn a_signed_address_is_valid_for_as_long_as_was_asked_for(#[case] ahead: SignedDuration) {
    let mut world = World::new();
    world.send(Msg::Engine(SessionId::FIRST, Event::Clock { ahead }));
    world.keys("j j j y y");
    let op = world.asked(|request| matches!(request, Request::SignUrl(_)));
    let signed = changed(
        serde_json::from_value(json!({ "url": "https://acme.example/signed" })).unwrap(),
        |signed: &mut SignedUrl| {
            signed.expires_at = Some(world.state.now + ahead + SignedDuration::from_hours(1));
        },
    );
    world.done(op, Answer::SignUrl(signed));
    assert!(world.says(" (1h)"), "{:?}", world.said());
}

#[rstest]
#[case::just_made(-AHEAD, 0, "Uploaded /b.txt")]
#[case::there_for_an_hour(AHEAD, -1, "the same content exists at /b.txt")]
fn what_was_there_before_is_told_from_what_was_just_made(
    #[case] ahead: SignedDuration,
    #[case] hours: i64,
    #[case] words: &str,
) {
    let mut world = World::new();
    world.send(Msg::Engine(SessionId::FIRST, Event::Clock { ahead }));
    world.send(Msg::Paste("/tmp/b.txt".to_owned()));
    world.keys("down down enter down down down right right enter");
    let taken = world.take(JobKind::Upload);
    let mut stored = file("20", "/b.txt", "PRIVATE", None);
    stored.created_at = Some(world.state.now + ahead + SignedDuration::from_hours(hours));
    world.end_well(&taken, vec![uploaded(stored)]);
    assert!(world.says(words), "{:?}", world.said());
}
