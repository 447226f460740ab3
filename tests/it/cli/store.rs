use super::binary::{Binary, Serving, TOKEN, get_status, names};
use crate::support::database::execute;
use crate::support::disk::files_below;

fn served() -> (Binary, Serving, Binary) {
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let serving = Serving::start(&binary, &["--data-dir", "store"]);
    let client = Binary::new()
        .env("FILEDECK_BASE_URL", serving.base_url())
        .env("FILEDECK_TOKEN", TOKEN);
    client.write("kept.txt", b"kept");
    client.run(&["put", "kept.txt", "/"]).expect(0);
    (binary, serving, client)
}

#[test]
fn a_sound_store_verifies_while_it_is_served_and_after_a_kill() {
    let (binary, mut serving, _client) = served();
    let run = binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(0);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("1 files"), "{}", run.stderr);
    serving.end("KILL");
    binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(0);
}

#[test]
fn damage_is_named_and_exits_with_five() {
    let (binary, _serving, _client) = served();
    for blob in files_below(&binary.work().join("store/blobs")) {
        std::fs::write(blob, "kepT").unwrap();
    }
    let run = binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(5);
    assert!(run.stdout.starts_with("/kept.txt (id "), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1);
    let run = binary
        .run(&["store", "backup", "copy", "--data-dir", "store"])
        .expect(5);
    assert_eq!(run.stdout, "/kept.txt\n");
}

#[test]
fn a_backup_of_a_served_store_is_served_like_any_other() {
    let (binary, _serving, _client) = served();
    binary
        .run(&["store", "backup", "copy", "--data-dir", "store"])
        .expect(0);
    assert_eq!(names(&binary.work().join("copy")), ["blobs", "filedeck.db"]);
    let restored = Serving::start(&binary, &["--data-dir", "copy"]);
    let client = Binary::new()
        .env("FILEDECK_BASE_URL", restored.base_url())
        .env("FILEDECK_TOKEN", TOKEN);
    client.run(&["get", "/kept.txt"]).expect(0);
    assert_eq!(
        std::fs::read(client.work().join("kept.txt")).unwrap(),
        b"kept"
    );
}

#[test]
fn a_store_without_its_database_is_refused_with_the_verb_that_recovers_it() {
    let (binary, mut serving, _client) = served();
    serving.end("TERM");
    let database = binary.work().join("store/filedeck.db");
    std::fs::copy(&database, binary.work().join("old.db")).unwrap();
    std::fs::write(&database, "").unwrap();
    assert_eq!(
        Serving::start(&binary, &["--data-dir", "store"]).base_url(),
        ""
    );
    let log = std::fs::read_to_string(binary.log()).unwrap();
    assert!(
        log.contains("filedeck store recover --data-dir 'store'"),
        "{log}"
    );

    let run = binary
        .run(&[
            "store",
            "recover",
            "--data-dir",
            "store",
            "--from",
            "old.db",
        ])
        .expect(0);
    assert_eq!(run.stdout, "");
    let said =
        "1 files brought back, 1 with their names, 0 named by their bytes; 0 rows have no bytes";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(
        run.stderr.contains("store/filedeck-before-recovery-1.db"),
        "{}",
        run.stderr
    );
    binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(0);
    let serving = Serving::start(&binary, &["--data-dir", "store"]);
    assert_eq!(
        get_status(
            serving.base_url(),
            "/files/v3/files/stat/kept.txt",
            Some(TOKEN)
        ),
        200
    );
    let run = binary
        .run(&["store", "recover", "--data-dir", "store"])
        .expect(1);
    assert!(run.stderr.contains("stop it first"), "{}", run.stderr);
}

#[test]
fn lost_names_and_ids_exit_with_five_and_are_named() {
    let (binary, mut serving, _client) = served();
    serving.end("TERM");
    std::fs::remove_file(binary.work().join("store/filedeck.db")).unwrap();
    let run = binary
        .run(&["store", "recover", "--data-dir", "store"])
        .expect(5);
    assert!(
        run.stdout
            .trim_end()
            .ends_with("its name and its id are lost"),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains("1 files brought back, 0 with their names"),
        "{}",
        run.stderr
    );
}

#[test]
fn half_a_copy_is_named_by_verify_and_is_not_backed_up() {
    let (binary, mut serving, _client) = served();
    serving.end("TERM");
    let half = "INSERT INTO marks (name, value) VALUES ('being_copied', 0)";
    execute(&binary.work().join("store/filedeck.db"), half);
    let run = binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(5);
    assert!(run.stdout.contains("it is half a copy"), "{run:?}");
    let run = binary
        .run(&["store", "backup", "backup", "--data-dir", "store"])
        .expect(1);
    assert!(run.stderr.contains("copy"), "{run:?}");
    assert!(!binary.work().join("backup").exists());
}

#[test]
fn lost_and_damaged_bytes_exit_with_five_until_they_are_accepted() {
    let (binary, mut serving, _client) = served();
    serving.end("TERM");
    let store = binary.work().join("store");
    let blob = files_below(&store.join("blobs")).pop().unwrap();
    std::fs::write(&blob, "kepT").unwrap();
    let run = binary
        .run(&["store", "recover", "--data-dir", "store"])
        .expect(5);
    let (id, _) = run
        .stdout
        .strip_prefix("/kept.txt (id ")
        .and_then(|rest| rest.split_once(')'))
        .unwrap();
    assert!(run.stderr.contains("--accept ID"), "{run:?}");
    binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(5);
    Serving::start(&binary, &["--data-dir", "store"]).end("TERM");
    let log = std::fs::read_to_string(binary.log()).unwrap();
    assert!(
        log.contains("damaged=1") && log.contains("--accept ID"),
        "{log}"
    );
    binary
        .run(&["store", "recover", "--data-dir", "store", "--accept", id])
        .expect(0);
    binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(0);

    std::fs::remove_file(&blob).unwrap();
    let run = binary
        .run(&["store", "recover", "--data-dir", "store"])
        .expect(5);
    assert_eq!(
        run.stdout,
        "/kept.txt: its bytes are missing; it was not brought back\n"
    );
}

#[test]
fn a_database_that_was_removed_is_said_once() {
    let (binary, serving, client) = served();
    std::fs::remove_file(binary.work().join("store/filedeck.db")).unwrap();
    for _ in 0..3 {
        assert_eq!(
            get_status(serving.base_url(), "/files/v3/files/search", Some(TOKEN)),
            503
        );
        assert_ne!(client.run(&["ls"]).code, 0);
    }
    let log = std::fs::read_to_string(binary.log()).unwrap();
    assert_eq!(log.matches("the database file is gone").count(), 1, "{log}");
    assert!(log.contains("filedeck store recover"), "{log}");
}

#[test]
fn without_a_directory_it_is_the_local_store_and_one_that_is_not_there_is_said() {
    let binary = Binary::new();
    let run = binary.run(&["store", "verify"]).expect(1);
    assert!(
        run.stderr.contains("there is no store in"),
        "{}",
        run.stderr
    );
    binary.run(&["ls"]).expect(0);
    binary.run(&["store", "verify"]).expect(0);
    let run = binary.run(&["store", "backup", "."]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = binary.run(&["store", "backup", "."]).expect(1);
    assert!(run.stderr.contains("not empty"), "{}", run.stderr);
}

#[cfg(feature = "postgres")]
#[test]
fn a_copy_from_a_database_takes_no_password_from_the_address() {
    let binary = Binary::new();
    let copy = [
        "store",
        "copy",
        "new",
        "--from-database",
        "postgres://me:canary-word@127.0.0.1:1/files",
    ];
    let refused = binary.run(&copy).expect(2);
    assert!(
        refused
            .stderr
            .contains("--from-database: it must not have a password"),
        "{}",
        refused.stderr
    );
    assert!(!refused.stderr.contains("canary"), "{}", refused.stderr);
    let copy = [
        "store",
        "copy",
        "new",
        "--from-database",
        "postgres://me@127.0.0.1:1/files",
    ];
    let unreachable = binary.run(&copy).expect(1);
    assert!(
        unreachable
            .stderr
            .contains("the database 127.0.0.1:1/files cannot be read"),
        "{}",
        unreachable.stderr
    );
}
