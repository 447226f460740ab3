use super::binary::{Binary, Serving, TOKEN, names};
use crate::support::disk::files_below;

/// A served store with a file in it, and a client of it.
fn served() -> (Binary, Serving, Binary) {
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let serving = Serving::start(&binary, &["--data-dir", "store"]);
    let client = Binary::new().env("FILEDECK_BASE_URL", serving.base_url()).env("FILEDECK_TOKEN", TOKEN);
    client.write("kept.txt", b"kept");
    client.run(&["put", "kept.txt", "/"]).expect(0);
    (binary, serving, client)
}

#[test]
fn a_sound_store_verifies_while_it_is_served_and_after_a_kill() {
    let (binary, mut serving, _client) = served();
    let run = binary.run(&["store", "verify", "--data-dir", "store"]).expect(0);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("1 files"), "{}", run.stderr);
    serving.end("KILL");
    binary.run(&["store", "verify", "--data-dir", "store"]).expect(0);
}

#[test]
fn damage_is_named_and_exits_with_one() {
    let (binary, _serving, _client) = served();
    for blob in files_below(&binary.work().join("store/blobs")) {
        std::fs::write(blob, "kepT").unwrap();
    }
    let run = binary.run(&["store", "verify", "--data-dir", "store"]).expect(1);
    assert!(run.stdout.starts_with("/kept.txt (id "), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1);
    let run = binary.run(&["store", "backup", "copy", "--data-dir", "store"]).expect(5);
    assert_eq!(run.stdout, "/kept.txt\n");
}

#[test]
fn a_backup_of_a_served_store_is_served_like_any_other() {
    let (binary, _serving, _client) = served();
    binary.run(&["store", "backup", "copy", "--data-dir", "store"]).expect(0);
    assert_eq!(names(&binary.work().join("copy")), ["blobs", "filedeck.db"]);
    let restored = Serving::start(&binary, &["--data-dir", "copy"]);
    let client = Binary::new().env("FILEDECK_BASE_URL", restored.base_url()).env("FILEDECK_TOKEN", TOKEN);
    client.run(&["get", "/kept.txt"]).expect(0);
    assert_eq!(std::fs::read(client.work().join("kept.txt")).unwrap(), b"kept");
}

#[test]
fn without_a_directory_it_is_the_local_store_and_one_that_is_not_there_is_said() {
    let binary = Binary::new();
    let run = binary.run(&["store", "verify"]).expect(1);
    assert!(run.stderr.contains("there is no store in"), "{}", run.stderr);
    binary.run(&["ls"]).expect(0);
    binary.run(&["store", "verify"]).expect(0);
    let run = binary.run(&["store", "backup", "."]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = binary.run(&["store", "backup", "."]).expect(1);
    assert!(run.stderr.contains("not empty"), "{}", run.stderr);
}
