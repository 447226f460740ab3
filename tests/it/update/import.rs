//! Imports whose names may be taken: the effects of the dialog's rule.

use filedeck::api::{Error, Kind};
use filedeck::engine::job::JobKind;
use filedeck::engine::plan::PlannedImport;
use filedeck::engine::question::PlanImport;
use filedeck::engine::{Answer, Job, OpId, Request};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::world::World;

/// Two URLs in the dialog, and the rule for taken names, `rights` steps from the first one.
fn with_rule(rights: usize) -> World {
    let mut world = World::new();
    world.send(Msg::Paste(
        "https://example.com/a.png https://example.com/b.png".to_owned(),
    ));
    world.keys("up up enter");
    world.keys(&"right ".repeat(rights));
    world
}

fn looked(world: &World) -> (OpId, Vec<Job>) {
    let (op, request) = world
        .asked_for(|request| matches!(request, Request::PlanImport(_)))
        .unwrap();
    let Request::PlanImport(PlanImport { jobs, .. }) = request else {
        panic!()
    };
    (op, jobs)
}

fn answer(free: &[Job], taken: &[&str]) -> Answer {
    let taken = taken.iter().map(|name| (*name).to_owned()).collect();
    Answer::PlanImport(PlannedImport {
        free: free.to_vec(),
        taken,
    })
}

#[rstest]
#[case::keep_both(0, None)]
#[case::replace(1, Some(true))]
fn names_that_the_service_may_settle_are_not_looked_for(
    #[case] rights: usize,
    #[case] overwrite: Option<bool>,
) {
    let mut world = with_rule(rights);
    world.keys("enter");
    let (_, jobs) = world.asked_jobs(JobKind::Import);
    let overwrites: Vec<Option<bool>> = jobs
        .iter()
        .map(|job| {
            if let Job::Import { request, .. } = job {
                request.options.overwrite
            } else {
                panic!("{job:?}")
            }
        })
        .collect();
    assert_eq!(overwrites, [overwrite; 2]);
}

#[test]
fn a_taken_name_is_skipped_and_told_and_the_others_are_imported() {
    let mut world = with_rule(2);
    world.keys("enter");
    let (op, jobs) = looked(&world);
    assert!(
        world.shows("Comparing with the folder"),
        "{}",
        world.drawn()
    );
    assert_eq!(
        world.count(|request| matches!(request, Request::AddJobs(_))),
        0,
        "nothing is imported before the look"
    );
    world.done(op, answer(&jobs[1..], &["a.png"]));
    assert_eq!(world.asked_jobs(JobKind::Import).1, jobs[1..]);
    assert!(world.says("a.png is taken: skipped."), "{:?}", world.said());
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn nothing_is_imported_where_all_names_are_taken() {
    let mut world = with_rule(2);
    world.keys("enter");
    let (op, _) = looked(&world);
    assert_eq!(world.done(op, answer(&[], &["a.png", "b.png"])), []);
    assert!(
        world.says("2 names are taken: skipped."),
        "{:?}",
        world.said()
    );
}

#[test]
fn a_taken_name_stops_all_and_the_dialog_stays_on_the_rule() {
    let mut world = with_rule(3);
    world.keys("enter");
    let (op, jobs) = looked(&world);
    assert_eq!(world.done(op, answer(&jobs[1..], &["a\u{1b}.png"])), []);
    assert!(
        world.shows(".png is taken: nothing was imported.") && world.shows("Taken names"),
        "{}",
        world.drawn()
    );
    assert!(
        !world.drawn().contains('\u{1b}'),
        "a name of the service never reaches the terminal raw"
    );
    // The rule has the focus: keep both.
    world.keys("right enter");
    assert_eq!(world.asked_jobs(JobKind::Import).1.len(), 2);
}

#[rstest]
#[case::skip(2)]
#[case::stop(3)]
fn free_names_are_all_imported(#[case] rights: usize) {
    let mut world = with_rule(rights);
    world.keys("enter");
    let (op, jobs) = looked(&world);
    world.done(op, answer(&jobs, &[]));
    assert_eq!(world.asked_jobs(JobKind::Import).1, jobs);
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn a_look_that_fails_is_told_in_the_dialog_and_one_that_is_given_up_imports_nothing() {
    let mut world = with_rule(2);
    world.keys("enter");
    let (op, _) = looked(&world);
    world.fail(op, Error::new(Kind::NotFound, "There is no folder 7"));
    assert!(world.shows("There is no folder 7."), "{}", world.drawn());
    world.keys("enter");
    let (op, jobs) = looked(&world);
    assert!(world.keys("esc").contains(&Effect::Cancel(op)));
    assert_eq!(world.done(op, answer(&jobs, &[])), []);
}
