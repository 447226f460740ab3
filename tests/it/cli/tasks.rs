use std::fs;

use filedeck::api::model::{Access, UploadOptions};
use filedeck::api::{Error, Kind};
use filedeck::engine::message::FolderRef;
use filedeck::engine::seen_state::LocalState;
use filedeck::engine::source::FileSource;
use filedeck::engine::{Job, Journal, PastBatches, PastJob};
use filedeck::service::ServiceOptions;
use filedeck::service::faults::{Fault, FaultRule, FaultSchedule, FaultScope, Faults};
use jiff::Timestamp;
use reqwest::Method;
use rstest::rstest;

use super::binary::{Binary, Service, with_a_library};
use crate::support::changed::changed;

fn refusing(times: u32) -> (Service, Binary) {
    let scope = FaultScope {
        method: Some(Method::POST),
        path: "/files/v3/files".to_owned(),
    };
    let fault = Fault::Refuse {
        status: 403,
        retry_after: None,
    };
    let rule = FaultRule {
        scope,
        when: FaultSchedule::Times(times),
        fault,
    };
    let service = Service::start_with(|options| ServiceOptions {
        faults: Faults::new([rule]),
        ..options
    });
    let binary = Binary::on(&service);
    for name in ["a.txt", "b.txt", "c.txt"] {
        binary.write(name, name.as_bytes());
    }
    (service, binary)
}

const PUT: [&str; 7] = ["put", "--jobs", "1", "a.txt", "b.txt", "c.txt", "/"];

/// A journal with, from the oldest on: a folder that was created, an upload that failed because
/// `late.txt` was missing, and a folder that may have been created.
fn with_tasks() -> (Service, Binary) {
    let (service, binary) = with_a_library();
    let folder = |name: &str| Job::CreateFolder {
        parent: FolderRef::root(),
        name: name.to_owned(),
    };
    let upload = Job::Upload {
        source: FileSource::Local(binary.work().join("late.txt")),
        into: FolderRef::root(),
        name: None,
        options: UploadOptions::new(Access::Private).into(),
        present: true,
        free_at: None,
    };
    let tasks = vec![
        (folder("made"), None),
        (
            upload,
            Some(Error::new(Kind::Local, "there is no late.txt")),
        ),
        (folder("perhaps"), Some(doubt())),
    ];
    add_past(&service, &binary, tasks);
    (service, binary)
}

fn doubt() -> Error {
    changed(Error::new(Kind::Network, "the answer was lost"), |error| {
        error.in_doubt = true;
    })
}

fn add_past(service: &Service, binary: &Binary, tasks: Vec<(Job, Option<Error>)>) {
    let at = "2026-11-21T08:00:00Z".parse().unwrap();
    let past = |(job, error)| PastBatches {
        jobs: vec![PastJob {
            job,
            bytes: None,
            error,
        }],
        asked_at: at,
        ended_at: at,
    };
    add_batches(
        service,
        binary,
        &tasks.into_iter().map(past).collect::<Vec<_>>(),
    );
}

fn add_batches(service: &Service, binary: &Binary, past: &[PastBatches]) {
    service.block_on(async {
        let account = format!("environment {}", service.base_url());
        let journal = Journal::open(&binary.home.path().join("state/journal.db"), &account)
            .await
            .unwrap();
        journal.add_past(past).await.unwrap();
    });
}

fn states(binary: &Binary) -> Vec<(String, String)> {
    let tasks = binary.run(&["tasks", "--json"]).expect(0).json_lines();
    tasks
        .iter()
        .map(|task| {
            (
                task["number"].to_string(),
                task["state"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

#[test]
fn what_the_journal_has_is_listed_with_what_failed_of_it() {
    let (_service, binary) = with_tasks();
    let run = binary.run(&["tasks"]).expect(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.stdout);
    assert!(
        lines[1].contains("\tfailed\t0/1\t2026-11-21 08:00\tUpload late.txt"),
        "{}",
        run.stdout
    );
    assert!(
        lines[1].contains("there is no late.txt\tfiledeck tasks retry "),
        "{}",
        run.stdout
    );
    assert!(
        lines[2].ends_with("\tdone\t1/1\t2026-11-21 08:00\tCreate /made"),
        "{}",
        run.stdout
    );
}

#[test]
fn what_failed_is_done_again_and_no_longer_listed() {
    let (_service, binary) = with_tasks();
    let (failed, _) = states(&binary).remove(1);
    binary.write("late.txt", b"here now");
    binary.run(&["tasks", "retry", &failed]).expect(0);
    assert_eq!(
        binary.run(&["cat", "/late.txt"]).expect(0).stdout,
        "here now"
    );
    assert!(states(&binary).iter().all(|(number, _)| *number != failed));
}

#[rstest]
#[case::it_was(true)]
#[case::it_was_not(false)]
fn what_may_have_been_done_is_looked_up_and_done_once(#[case] was_done: bool) {
    let (_service, binary) = with_tasks();
    let (doubtful, _) = states(&binary).remove(0);
    if was_done {
        binary.run(&["mkdir", "/perhaps"]).expect(0);
    }
    binary.run(&["tasks", "retry", &doubtful]).expect(0);
    binary.run(&["ls", "/perhaps"]).expect(0);
    assert!(
        states(&binary)
            .iter()
            .all(|(number, _)| *number != doubtful)
    );
}

#[rstest]
#[case::in_doubt(doubt(), 0)]
#[case::surely_not(Error::new(Kind::Local, "it was busy"), 1)]
fn a_local_file_that_is_gone_counts_as_deleted_only_where_that_was_in_doubt(
    #[case] error: Error,
    #[case] code: i32,
) {
    let (service, binary) = with_a_library();
    let path = binary.work().join("gone.txt");
    let job = Job::DeleteLocal {
        path,
        state: LocalState::default(),
        up_to: None,
    };
    add_past(&service, &binary, vec![(job, Some(error))]);
    let (number, _) = states(&binary).remove(0);
    binary.run(&["tasks", "retry", &number]).expect(code);
}

#[test]
fn tasks_are_forgotten_by_number_or_all_that_ended() {
    let (_service, binary) = with_tasks();
    let before = states(&binary);
    binary.run(&["tasks", "forget", &before[0].0]).expect(0);
    assert_eq!(states(&binary), before[1..]);
    binary.run(&["tasks", "forget", "--ended"]).expect(0);
    assert_eq!(binary.run(&["tasks"]).expect(0).stdout, "");
}

#[rstest]
#[case::show(&["tasks", "0-nothing"], 4)]
#[case::show_with_a_hyphen(&["tasks", "-gA0_nothing", "--json"], 4)]
#[case::wait(&["tasks", "wait", "0-nothing"], 4)]
#[case::wait_with_a_hyphen(&["tasks", "wait", "--json", "--", "-gA0_nothing"], 4)]
#[case::retry(&["tasks", "retry", "9999"], 4)]
#[case::forget(&["tasks", "forget", "9999"], 4)]
#[case::forget_nothing(&["tasks", "forget"], 2)]
#[case::forget_both(&["tasks", "forget", "1", "--ended"], 2)]
fn what_is_no_task_is_refused(#[case] words: &[&str], #[case] code: i32) {
    let (_service, binary) = with_a_library();
    binary.run(words).expect(code);
}

#[test]
fn what_a_command_could_not_do_is_listed_until_it_is_done() {
    let (_service, binary) = refusing(1);
    let run = binary.run(&PUT).expect(5);
    assert!(run.stderr.contains("cannot upload a.txt"), "{}", run.stderr);
    let tasks = binary.run(&["tasks"]).expect(0).stdout;
    assert!(
        tasks.contains("\tfailed\t2/3\t") && tasks.lines().count() == 1,
        "{tasks}"
    );
    let number = tasks.split('\t').next().unwrap();
    let shown = binary.run(&["tasks", number]).expect(0).stdout;
    assert!(
        shown.starts_with(&tasks) && shown.lines().nth(1).unwrap().starts_with("a.txt: "),
        "{shown}"
    );
    let waited = binary.run(&["tasks", "wait", number]).expect(1);
    assert!(
        waited.stdout == tasks && waited.stderr.contains("it is failed"),
        "{waited:?}"
    );
    assert_eq!(
        binary
            .run(&["tasks", "retry", number])
            .expect(0)
            .stdout
            .lines()
            .count(),
        1
    );
    assert_eq!(binary.run(&["ls", "/"]).stdout, "a.txt\nb.txt\nc.txt\n");
    assert_eq!(binary.run(&["tasks"]).expect(0).stdout, "");
}

#[test]
fn what_failed_is_tried_again_after_all_else_and_then_no_failure() {
    let (_service, binary) = refusing(1);
    let run = binary
        .run(&[&PUT[..], &["--retry-failed", "1"]].concat())
        .expect(0);
    assert_eq!(run.stdout, "/b.txt\n/c.txt\n/a.txt\n");
    assert_eq!(
        run.stderr,
        "filedeck: 1 failed or not tried; trying again now\n"
    );
    assert_eq!(binary.run(&["tasks"]).expect(0).stdout, "");
}

#[test]
fn what_fails_again_is_told_once_and_last() {
    let (_service, binary) = refusing(4);
    let run = binary
        .run(&[&PUT[..], &["--retry-failed", "1"]].concat())
        .expect(5);
    assert_eq!(run.stdout, "/b.txt\n/c.txt\n");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(
        lines[0],
        "filedeck: 3 failed or not tried; trying again now"
    );
    assert!(
        lines[1].starts_with("filedeck: cannot upload a.txt: "),
        "{}",
        run.stderr
    );
    assert_eq!(
        run.stderr.matches("cannot upload").count(),
        1,
        "{}",
        run.stderr
    );
    assert_eq!(lines.last(), Some(&"2 done, 1 failed, 0 not tried"));
}

/// Fails if a retry sends what a link, put in place of a folder since, leads to.
#[cfg(unix)]
#[test]
fn a_retry_sends_no_file_that_nobody_named() {
    let (_service, binary) = refusing(1);
    let work = binary.work();
    for (path, content) in [("site/d/a.txt", "mine"), ("other/a.txt", "secret")] {
        fs::create_dir_all(work.join(path).parent().unwrap()).unwrap();
        fs::write(work.join(path), content).unwrap();
    }
    binary
        .run(&["sync", "site", "/new", "--access", "public"])
        .expect(3);
    let (number, _) = states(&binary).remove(0);
    fs::rename(work.join("site/d"), work.join("kept")).unwrap();
    std::os::unix::fs::symlink("../other", work.join("site/d")).unwrap();
    let run = binary.run(&["tasks", "retry", &number]).expect(7);
    assert!(
        run.stderr.contains("d/a.txt has changed since"),
        "{}",
        run.stderr
    );
    assert_eq!(
        binary.run(&["find", "in:/new", "is:file"]).expect(0).stdout,
        ""
    );
    fs::remove_file(work.join("site/d")).unwrap();
    fs::rename(work.join("kept"), work.join("site/d")).unwrap();
    binary.run(&["tasks", "retry", &number]).expect(0);
    assert_eq!(
        binary.run(&["cat", "/new/d/a.txt"]).expect(0).stdout,
        "mine"
    );
}

/// Fails if a copy of one of them, stored while they are retried, counts as another one.
#[test]
fn equal_files_that_may_have_been_sent_are_all_stored() {
    let (service, binary) = with_a_library();
    fs::write(binary.config_dir().join("config.toml"), "settle_time = 1\n").unwrap();
    let names = ["a.txt", "b.txt", "c.txt"];
    let upload = |name: &str| Job::Upload {
        source: FileSource::Local(binary.write(name, b"the same")),
        into: FolderRef::root(),
        name: Some(name.to_owned()),
        options: UploadOptions::new(Access::Private).into(),
        present: true,
        free_at: Some(Timestamp::now()),
    };
    let jobs = names.map(|name| PastJob {
        job: upload(name),
        bytes: None,
        error: Some(doubt()),
    });
    add_batches(
        &service,
        &binary,
        &[PastBatches {
            jobs: jobs.into(),
            asked_at: Timestamp::now(),
            ended_at: Timestamp::now(),
        }],
    );
    let (number, _) = states(&binary).remove(0);
    binary.run(&["tasks", "retry", &number]).expect(0);
    for name in names {
        assert_eq!(
            binary.run(&["cat", &format!("/{name}")]).expect(0).stdout,
            "the same"
        );
    }
}
