//! The features of `serve` for other programs' tests: a ready file, an end with the parent, a
//! temporary store.

use std::path::Path;
#[cfg(unix)]
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;

use super::binary::{Binary, Serving, TOKEN, get_status, names};

/// The ready file of a service that was killed.
const OLD_REPORT: &[u8] =
    br#"{"baseUrl":"http://127.0.0.1:9","token":"old","pid":9,"testApi":"http://127.0.0.1:9/__filedeck"}"#;
const SEARCH: &str = "/files/v3/files/search";

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[cfg(unix)]
#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "never: {what}");
        std::thread::yield_now();
    }
}

#[test]
fn the_ready_file_says_how_to_reach_the_service_and_goes_with_it() {
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let ready = binary.write("ready.json", OLD_REPORT);
    let mut serving = Serving::start(&binary, &["--ready-file", "ready.json"]);
    let told = read(&ready);
    assert_eq!(
        (&told["baseUrl"], &told["token"]),
        (&serving.base_url().into(), &TOKEN.into())
    );
    assert_eq!(
        (&told["pid"], &told["testApi"]),
        (&serving.id().into(), &Value::Null)
    );
    assert_eq!(
        get_status(
            told["baseUrl"].as_str().unwrap(),
            SEARCH,
            told["token"].as_str()
        ),
        200
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            std::fs::metadata(&ready).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    assert_eq!(serving.end("TERM"), 0);
    assert_eq!(names(&binary.work()), [] as [String; 0]);
}

#[test]
fn the_ready_file_of_another_service_stays() {
    let binary = Binary::new();
    let mut first = Serving::start(&binary, &["--data-dir", "a", "--ready-file", "ready.json"]);
    let second = Serving::start(&binary, &["--data-dir", "b", "--ready-file", "ready.json"]);
    assert_eq!(first.end("TERM"), 0);
    assert_eq!(read(&binary.work().join("ready.json"))["pid"], second.id());
}

// Seen to fail when any existing file is removed.
#[rstest]
#[case::text(b"my work")]
#[case::other_json(br#"{"baseUrl":"http://127.0.0.1:9"}"#)]
fn a_file_that_is_no_ready_file_stays(#[case] content: &[u8]) {
    let binary = Binary::new();
    let mine = binary.write("mine.json", content);
    let run = binary
        .run(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--ready-file",
            "mine.json",
        ])
        .expect(2);
    assert!(
        run.stderr
            .contains("mine.json is not a ready file; name another one"),
        "{}",
        run.stderr
    );
    assert_eq!(std::fs::read(mine).unwrap(), content);
}

#[test]
fn an_empty_file_becomes_the_ready_file() {
    let binary = Binary::new();
    let ready = binary.write("ready.json", b"");
    let serving = Serving::start(&binary, &["--ready-file", "ready.json"]);
    assert_eq!(read(&ready)["pid"], serving.id());
}

// Seen to fail when the file is removed before the store is taken.
#[test]
fn a_start_on_a_store_in_use_leaves_the_ready_file_of_the_service_that_has_it() {
    let binary = Binary::new();
    let mut first = Serving::start(
        &binary,
        &["--data-dir", "store", "--ready-file", "ready.json"],
    );
    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        "store",
        "--ready-file",
        "ready.json",
    ];
    binary.run(&words).expect(1);
    assert_eq!(read(&binary.work().join("ready.json"))["pid"], first.id());
    assert_eq!(first.end("TERM"), 0);
    assert_eq!(names(&binary.work()), ["store"]);
}

// Seen to fail when the file is only created once the service runs, whose store is then torn away.
#[test]
fn a_ready_file_that_cannot_be_written_is_said() {
    let binary = Binary::new();
    let temporary = binary.work().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let binary = binary.env("TMPDIR", temporary.to_str().unwrap());
    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--test-api",
        "--ready-file",
        "missing/ready.json",
    ];
    let run = binary.run(&words).expect(1);
    assert!(run.stderr.contains("missing/ready.json"), "{}", run.stderr);
    assert!(!run.stderr.contains("ERROR"), "{}", run.stderr);
    assert_eq!(names(&temporary), [] as [String; 0]);
}

// Seen to fail when the earlier file stays.
#[test]
fn a_start_that_fails_leaves_no_ready_file_of_before() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let binary = Binary::new();
    binary.write("ready.json", OLD_REPORT);
    binary
        .run(&[
            "serve",
            "--listen",
            &address,
            "--data-dir",
            "store",
            "--ready-file",
            "ready.json",
        ])
        .expect(1);
    assert_eq!(names(&binary.work()), ["store"]);
}

// Seen to fail when the parent is not watched.
#[cfg(unix)]
#[test]
fn it_ends_cleanly_with_the_process_that_started_it() {
    use std::process::{Command, Stdio};

    let binary = Binary::new();
    let filedeck = binary.command(&[]);
    let script = "\"$0\" serve --listen 127.0.0.1:0 --data-dir store --ready-file ready.json --exit-with-parent & wait";
    let mut parent = Command::new("sh");
    parent
        .args(["-c", script])
        .arg(filedeck.get_program())
        .current_dir(binary.work());
    for (name, value) in filedeck.get_envs() {
        match value {
            Some(value) => parent.env(name, value),
            None => parent.env_remove(name),
        };
    }
    let mut parent = parent
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let ready = binary.work().join("ready.json");
    until("ready", || ready.exists());
    let url = read(&ready)["baseUrl"].as_str().unwrap().to_owned();
    assert_eq!(get_status(&url, "/healthz", None), 200);
    parent.kill().unwrap();
    parent.wait().unwrap();
    // Only a clean stop removes them.
    until("removed", || {
        !ready.exists() && !binary.work().join("store/holder.json").exists()
    });
}

#[test]
fn a_store_for_tests_has_the_sample_library_and_goes_at_the_end() {
    let binary = Binary::new();
    let temporary = binary.work().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let binary = binary.env("TMPDIR", temporary.to_str().unwrap());
    let mut serving = Serving::start(&binary, &["--test-api", "--ready-file", "ready.json"]);
    let told = read(&binary.work().join("ready.json"));
    assert_eq!(
        told["testApi"],
        format!("{}/__filedeck", serving.base_url())
    );
    let token = told["token"].as_str().unwrap();
    assert_eq!(
        get_status(serving.base_url(), "/__filedeck/requests", Some(token)),
        200
    );
    let client = Binary::new()
        .env("FILEDECK_BASE_URL", serving.base_url())
        .env("FILEDECK_TOKEN", token);
    assert!(client.run(&["ls"]).expect(0).stdout.lines().count() > 2);
    assert_eq!(names(&temporary).len(), 1);
    assert_eq!(serving.end("TERM"), 0);
    assert_eq!(names(&temporary), [] as [String; 0]);
    assert!(!binary.store_dir().exists());
}

#[test]
fn a_store_that_somebody_needs_is_not_given_to_tests() {
    let run = Binary::new()
        .run(&["serve", "--test-api", "--data-dir", "store"])
        .expect(2);
    assert!(run.stderr.contains("--data-dir"), "{}", run.stderr);
}
