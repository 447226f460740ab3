//! `serve --objects`: the bucket in arguments and variables, and places where its credentials must
//! not appear.

use super::binary::{Binary, Serving, TOKEN};
use crate::support::bucket::{ADDRESS, KEY_ID, SECRET, TestBucket};
use crate::support::disk::holds;

const SESSION: &str = "session-token-of-the-bucket-that-nobody-else-knows";

fn binary(bucket: &TestBucket, secret: &str) -> Binary {
    let binary = Binary::new()
        .env("FILEDECK_SERVICE_TOKEN", TOKEN)
        .env("FILEDECK_LOG", "trace");
    bucket
        .variables(secret)
        .iter()
        .fold(binary, |binary, (name, value)| binary.env(name, value))
}

#[test]
fn credentials_of_a_bucket_are_in_no_log_and_no_file() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let root = tempfile::tempdir().unwrap();
    let bucket = runtime.block_on(TestBucket::in_folder(root.path()));
    let binary = binary(&bucket, SECRET).env("AWS_SESSION_TOKEN", SESSION);
    let mut serving = Serving::start(&binary, &["--data-dir", "store", "--objects", ADDRESS]);
    let account = Binary::new()
        .env("FILEDECK_BASE_URL", serving.base_url())
        .env("FILEDECK_TOKEN", TOKEN);
    account.write("one.txt", b"one");
    account.run(&["put", "one.txt", "/"]).expect(0);
    assert_eq!(account.run(&["cat", "/one.txt"]).expect(0).stdout, "one");
    assert_eq!(bucket.blobs().len(), 1);
    assert_eq!(serving.end("TERM"), 0);
    binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(0);
    let log = std::fs::read_to_string(binary.log()).unwrap();
    assert!(
        log.contains("put") || log.contains("PUT"),
        "the log is talkative: {log}"
    );
    for secret in [SECRET, SESSION, KEY_ID] {
        assert!(!log.contains(secret), "{secret} is in the log");
        assert!(
            !holds(&binary.work(), secret.as_bytes()),
            "{secret} is in a file"
        );
    }
}

#[test]
fn a_refused_start_says_what_to_check_and_no_secret() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let root = tempfile::tempdir().unwrap();
    let bucket = runtime.block_on(TestBucket::in_folder(root.path()));
    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        "store",
        "--objects",
        ADDRESS,
    ];
    let refused = binary(&bucket, "another-secret").run(&words).expect(1);
    assert!(
        refused.stderr.contains("check AWS_ACCESS_KEY_ID"),
        "{}",
        refused.stderr
    );
    assert!(
        ![SECRET, "another-secret", KEY_ID]
            .iter()
            .any(|secret| refused.stderr.contains(secret)),
        "{}",
        refused.stderr
    );
    let plain = binary(&bucket, SECRET)
        .env("AWS_ALLOW_HTTP", "false")
        .run(&words)
        .expect(1);
    assert!(
        plain.stderr.contains("AWS_ALLOW_HTTP=true"),
        "{}",
        plain.stderr
    );
    let wrong = binary(&bucket, SECRET)
        .run(&["serve", "--objects", "https://files.test"])
        .expect(2);
    assert!(
        wrong.stderr.contains("write it like s3://bucket/prefix"),
        "{}",
        wrong.stderr
    );
}

#[cfg(unix)]
#[test]
fn a_copied_store_is_served_from_its_bucket_after_adopt() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let root = tempfile::tempdir().unwrap();
    let bucket = runtime.block_on(TestBucket::in_folder(root.path()));
    let binary = binary(&bucket, SECRET);
    let serve = |dir| Serving::start(&binary, &["--data-dir", dir, "--objects", ADDRESS]);
    let mut serving = serve("store");
    let account = Binary::new()
        .env("FILEDECK_BASE_URL", serving.base_url())
        .env("FILEDECK_TOKEN", TOKEN);
    account.write("one.txt", b"one");
    account.run(&["put", "one.txt", "/"]).expect(0);
    assert_eq!(serving.end("TERM"), 0);
    let (store, copy) = (binary.work().join("store"), binary.work().join("copy"));
    assert!(
        std::process::Command::new("cp")
            .arg("-a")
            .args([&store, &copy])
            .status()
            .unwrap()
            .success()
    );

    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        "copy",
        "--objects",
        ADDRESS,
    ];
    let refused = binary.run(&words).expect(1);
    assert!(
        refused
            .stderr
            .contains("filedeck store adopt --data-dir 'copy'"),
        "{}",
        refused.stderr
    );
    let adopt = ["store", "adopt", "--data-dir", "copy"];
    let adopted = binary.run(&adopt).expect(0).stderr;
    assert!(
        adopted.contains(&format!("the bucket {ADDRESS} belongs to this store now")),
        "{adopted}"
    );
    let again = binary.run(&adopt).expect(0).stderr;
    assert!(again.contains("belongs to this store already"), "{again}");
    let mut serving = serve("copy");
    let account = Binary::new()
        .env("FILEDECK_BASE_URL", serving.base_url())
        .env("FILEDECK_TOKEN", TOKEN);
    assert_eq!(account.run(&["cat", "/one.txt"]).expect(0).stdout, "one");
    let in_use = binary.run(&adopt).expect(1).stderr;
    assert!(in_use.contains("stop it first"), "{in_use}");
    assert_eq!(serving.end("TERM"), 0);
}

#[test]
fn a_store_without_a_bucket_has_none_to_adopt() {
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let mut serving = Serving::start(&binary, &["--data-dir", "store"]);
    assert_eq!(serving.end("TERM"), 0);
    let refused = binary
        .run(&["store", "adopt", "--data-dir", "store"])
        .expect(1)
        .stderr;
    assert!(refused.contains("there is none to adopt"), "{refused}");
}
