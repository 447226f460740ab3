//! One token, given to the service and to each command, all of them at their most verbose: it stays
//! in the files that exist to keep it.

use std::fs;
use std::path::PathBuf;

use filedeck::secret_file;

use super::binary::{Binary, Serving, TOKEN};
use crate::support::disk::{files_below, holds};

/// Each works on the results of those before it. The codes are those that it may end with.
const COMMANDS: [(&[&str], i32); 27] = [
    (&["put", "box", "/"], 0),
    (&["put", "box", "/", "--json"], 0),
    (&["ls", "/box", "--json"], 0),
    (&["tree"], 0),
    (&["find", "one"], 0),
    (&["stat", "/box/one.txt"], 0),
    (&["cat", "/box/one.txt"], 0),
    (&["du", "/box"], 0),
    (&["get", "/box", "--output", "back"], 0),
    (&["replace", "box/two.txt", "/box/one.txt"], 0),
    (&["diff", "box", "/box"], 9),
    (&["sync", "box", "/box", "--delete"], 0),
    (&["mkdir", "/empty"], 0),
    (&["mv", "/box/two.txt", "/empty/"], 0),
    (&["set", "--access", "public", "/box/one.txt"], 0),
    (&["url", "/box/one.txt", "/empty/two.txt"], 0),
    (
        &[
            "import",
            "http://127.0.0.1:9/three.txt?signature=of-another",
            "/box",
        ],
        1,
    ),
    (&["rm", "--yes", "/empty"], 0),
    (&["ls", "/nowhere"], 4),
    (&["tasks"], 0),
    (&["limits"], 0),
    (&["gdpr-log"], 0),
    (&["doctor"], 0),
    (&["account", "show", "acme"], 0),
    (&["account", "test", "acme"], 0),
    (&["completions", "bash"], 0),
    (&["man"], 0),
];

/// The command line of a process, which everybody can read, and its environment, which root can
/// read.
fn started_with(id: u32) -> Vec<u8> {
    let read = |name: &str| fs::read(format!("/proc/{id}/{name}")).unwrap_or_default();
    [read("cmdline"), read("environ")].concat()
}

// Seen to fail with a copy of the token in the state directory.
#[test]
fn a_token_is_nowhere_but_in_the_files_that_keep_it() {
    let binary = Binary::new().env("FILEDECK_LOG", "trace");
    let of_the_service = binary.work().join("service.token");
    let of_the_account = binary.config_dir().join("acme.token");
    for file in [&of_the_service, &of_the_account] {
        secret_file::create(file, &TOKEN.into()).unwrap();
    }
    let mut serving = Serving::start(
        &binary,
        &["--data-dir", "store", "--token-file", "service.token"],
    );
    let config = format!(
        "account = \"acme\"\n[accounts.acme]\nbase_url = \"{}\"\ntoken_file = \"acme.token\"\n",
        serving.base_url()
    );
    fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    for folder in ["box", "back"] {
        fs::create_dir(binary.work().join(folder)).unwrap();
    }
    binary.write("box/one.txt", b"one");
    binary.write("box/two.txt", b"two");

    for (words, code) in COMMANDS {
        binary.run(words).expect(code);
    }
    let signed = binary
        .run(&["url", "--signed", "/box/one.txt"])
        .expect(0)
        .stdout;
    let (_, signature) = signed.trim_end().split_once("signature=").unwrap();
    let started = started_with(serving.id());
    assert!(
        started.windows(5).any(|part| part == b"serve"),
        "the service's words were read"
    );
    assert!(
        !started
            .windows(TOKEN.len())
            .any(|part| part == TOKEN.as_bytes())
    );
    assert_eq!(serving.end("TERM"), 0);

    let log = fs::read_to_string(binary.log()).unwrap();
    assert!(log.contains("TRACE") && log.contains("answered"), "{log}");
    let has_token = |file: &PathBuf| {
        fs::read(file)
            .unwrap_or_default()
            .windows(TOKEN.len())
            .any(|part| part == TOKEN.as_bytes())
    };
    let mut found: Vec<PathBuf> = files_below(binary.home.path())
        .into_iter()
        .filter(has_token)
        .collect();
    found.sort();
    assert_eq!(found, [of_the_account, of_the_service]);
    assert!(
        !holds(binary.home.path(), signature.as_bytes()),
        "a signature is in no file"
    );
}
