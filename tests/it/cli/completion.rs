//! The completions that filedeck offers a shell. `terminal/completion.rs` tests the shells
//! themselves.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use rstest::rstest;

use super::binary::{Binary, Run, Service, Serving, authority, with_a_library};
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};

/// Far more than the 150 ms that a completion may take, for busy machines.
const LIMIT: Duration = Duration::from_secs(5);

/// The completions of the last of these words.
#[track_caller]
pub(super) fn complete(binary: &Binary, words: &[&str]) -> Vec<String> {
    offered(&mut asking(binary, "fish", words))
}

fn offered(command: &mut std::process::Command) -> Vec<String> {
    let run = Run::of(command.output().unwrap()).expect(0);
    assert_eq!(run.stderr, "");
    run.stdout
        .lines()
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .collect()
}

/// Allows more time than a shell does, because the machine may be busy.
fn asking(binary: &Binary, shell: &str, words: &[&str]) -> std::process::Command {
    let mut command = binary.command(&[&["--", "filedeck"], words].concat());
    command
        .env("FILEDECK_COMPLETE", shell)
        .env("FILEDECK_COMPLETE_WAIT", "30000");
    command
}

#[rstest]
#[case::top(&["ls", "/"], &["/box/"])]
#[case::nothing_typed(&["stat", ""], &["/box/"])]
#[case::folder(&["tree", "/bo"], &["/box/"])]
#[case::in_a_folder(&["cat", "/box/"], &["/box/deep/", "/box/one.txt", "/box/two.png"])]
#[case::deeper(&["get", "-o", "x", "/box/deep/t"], &["/box/deep/three.txt", "/box/deep/two.txt"])]
#[case::second_word(&["rm", "--yes", "/box/one.txt", "/box/t"], &["/box/two.png"])]
#[case::destination(&["mv", "/box/one.txt", "/box/d"], &["/box/deep/"])]
#[case::remote_of_two(&["put", "one.txt", "/box/d"], &["/box/deep/"])]
#[case::side(&["sync", "/box/d"], &["/box/deep/"])]
#[case::other_side(&["diff", "box", "/box/d"], &["/box/deep/"])]
#[case::side_of_this_machine(&["sync", "box/d"], &["box/deep/"])]
#[case::watch(&["watch", "box", "/box/d"], &["/box/deep/"])]
#[case::import(&["import", "http://localhost/x", "/box/d"], &["/box/deep/"])]
#[case::quoted(&["cat", "'/box/o"], &["/box/one.txt"])]
#[case::no_folder(&["ls", "/none/x"], &[])]
#[case::an_id(&["ls", "id:1"], &[])]
#[case::above(&["ls", "/box/../"], &[])]
#[case::account(&["ls", "--account", "lo"], &["local"])]
#[case::command(&["mkd"], &["mkdir"])]
#[case::option(&["mv", "--dr"], &["--dry-run"])]
fn a_word_is_completed_with_what_fits(#[case] words: &[&str], #[case] expected: &[&str]) {
    let (_service, binary) = with_a_library();
    let mut found = complete(&binary, words);
    found.retain(|word| !words.contains(&"stat") || !word.starts_with('-'));
    assert_eq!(found, expected);
}

#[test]
fn accounts_are_completed_by_name_and_the_one_of_the_line_is_asked() {
    let (service, binary) = with_a_library();
    let binary = binary
        .env("FILEDECK_BASE_URL", "")
        .env("FILEDECK_TOKEN", "");
    let token = binary.config_dir().join("acme.token");
    std::fs::write(&token, service.token()).unwrap();
    std::fs::set_permissions(&token, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let url = service.base_url();
    let config = format!(
        "[accounts.acme]\nbase_url = \"{url}\"\ntoken_file = \"acme.token\"\n\
         [accounts.other]\nbase_url = \"{url}\"\nkeyring = \"other\"\n"
    );
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    assert_eq!(
        complete(&binary, &["--account", ""]),
        ["acme", "other", "local"]
    );
    for command in ["show", "use", "test", "remove"] {
        assert_eq!(
            complete(&binary, &["account", command, "a"]),
            ["acme"],
            "{command}"
        );
    }
    assert_eq!(
        complete(&binary, &["--account", "acme", "ls", "/b"]),
        ["/box/"]
    );
    assert_eq!(
        complete(&binary, &["ls", "--account=acme", "/b"]),
        ["/box/"]
    );
    for (words, expected) in [
        (&["copy", "@a"][..], "@acme:/"),
        (&["copy", "@acme:/b"], "@acme:/box/"),
        (&["sync", "x", "@acme:/b"], "@acme:/box/"),
    ] {
        assert_eq!(complete(&binary, words), [expected]);
    }
    let mut split_by_bash = asking(&binary, "bash", &["copy", "@acme", ":", "/b"]);
    split_by_bash
        .env("_CLAP_COMPLETE_INDEX", "4")
        .env("_CLAP_IFS", "\n");
    assert_eq!(offered(&mut split_by_bash), ["/box/"]);
    assert_eq!(
        complete(&binary, &["--account", "other", "ls", "/b"]),
        [""; 0],
        "no keyring is asked"
    );
    assert_eq!(
        complete(&binary, &["--account", "none", "ls", "/b"]),
        [""; 0]
    );
}

#[test]
fn a_service_that_does_not_answer_gives_no_completions_and_holds_nothing_up() {
    let service = Service::start();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    proxy.rules(vec![Rule::new(Calls::all(), Which::All, Fault::hang())]);
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", proxy.url.as_str())
        .env("FILEDECK_TOKEN", &service.token());
    let begun = Instant::now();
    assert_eq!(
        offered(asking(&binary, "fish", &["ls", "/b"]).env_remove("FILEDECK_COMPLETE_WAIT")),
        [""; 0]
    );
    assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
    assert_eq!(proxy.count(Calls::all()), 1, "it was asked");
}

#[test]
fn a_local_store_is_completed_while_it_is_served_and_not_served_for_it() {
    let binary = Binary::new();
    assert_eq!(complete(&binary, &["ls", "/"]), [""; 0]);
    assert!(!binary.home.path().join("data").exists());
    let mut serving = Serving::start(&binary, &[]);
    binary.run(&["mkdir", "/box"]).expect(0);
    assert_eq!(complete(&binary, &["ls", "/"]), ["/box/"]);
    serving.end("KILL");
    std::fs::remove_file(binary.home.path().join("state/folder-names.json")).unwrap();
    let other = TcpListener::bind(authority(serving.base_url())).unwrap();
    other.set_nonblocking(true).unwrap();
    assert_eq!(complete(&binary, &["ls", "/"]), [""; 0]);
    assert!(
        other.accept().is_err(),
        "who has the address of a killed service now is asked, and gets its token"
    );
}

#[test]
fn names_are_read_once_a_minute_and_forgotten_with_a_permanent_deletion_or_an_account() {
    let (service, binary) = with_a_library();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    let binary = binary.env("FILEDECK_BASE_URL", proxy.url.as_str());
    let names = binary.home.path().join("state/folder-names.json");
    let searches = Calls::to("GET", "/files/v3/files/search");
    let mut asked = None;
    for word in ["/box/", "/box/o", "/box/on"] {
        assert!(
            complete(&binary, &["cat", word]).contains(&"/box/one.txt".to_owned()),
            "{word}"
        );
        assert_eq!(
            *asked.get_or_insert(proxy.count(searches)),
            proxy.count(searches)
        );
    }
    let kept = std::fs::read_to_string(&names).unwrap();
    assert!(
        kept.contains("one.txt") && !kept.contains(&service.token()),
        "{kept}"
    );
    binary
        .run(&["rm", "--yes", "--permanent", "/box/one.txt"])
        .expect(0);
    assert!(!names.exists());
    assert_eq!(
        complete(&binary, &["cat", "/box/"]),
        ["/box/deep/", "/box/two.png"]
    );
}

#[rstest]
#[case::ls(&["ls", "/box"], "/box/d", &["/box/deep/"])]
#[case::ls_as_json(&["ls", "/box", "--json"], "/box/o", &["/box/one.txt"])]
#[case::tree(&["tree"], "/box/deep/t", &["/box/deep/three.txt", "/box/deep/two.txt"])]
fn names_that_a_command_has_read_are_completed_without_asking(
    #[case] words: &[&str],
    #[case] typed: &str,
    #[case] expected: &[&str],
) {
    let (service, binary) = with_a_library();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    let binary = binary.env("FILEDECK_BASE_URL", proxy.url.as_str());
    binary.run(words).expect(0);
    // The connection is too slow for a completion from here on.
    proxy.rules(vec![Rule::new(Calls::all(), Which::All, Fault::hang())]);
    let asked = proxy.count(Calls::all());
    assert_eq!(complete(&binary, &["cat", typed]), expected);
    assert_eq!(proxy.count(Calls::all()), asked);
}

#[rstest]
#[case::folders_alone(&["tree", "--dirs-only"])]
#[case::a_pattern(&["ls", "/box/*.txt"])]
#[case::a_search(&["find", "one"])]
fn names_of_a_part_of_a_folder_are_not_taken_for_all(#[case] words: &[&str]) {
    let (_service, binary) = with_a_library();
    binary.run(words).expect(0);
    assert_eq!(
        complete(&binary, &["cat", "/box/"]),
        ["/box/deep/", "/box/one.txt", "/box/two.png"]
    );
}

#[rstest]
#[case::put(&["put", "new.txt", "/box/"], &["/box/deep/", "/box/new.txt", "/box/one.txt", "/box/two.png"])]
#[case::mkdir(&["mkdir", "/box/new"], &["/box/deep/", "/box/new/", "/box/one.txt", "/box/two.png"])]
#[case::rm(&["rm", "--yes", "/box/one.txt"], &["/box/deep/", "/box/two.png"])]
#[case::mv(&["mv", "/box/one.txt", "/box/deep/"], &["/box/deep/", "/box/two.png"])]
fn a_change_is_seen_by_the_next_completion(#[case] words: &[&str], #[case] expected: &[&str]) {
    let (_service, binary) = with_a_library();
    binary.write("new.txt", b"new");
    binary.run(&["ls", "/box"]).expect(0);
    binary.run(words).expect(0);
    assert_eq!(complete(&binary, &["cat", "/box/"]), expected);
}

#[rstest]
#[case::bash("bash", &["a b.txt", "it's.txt", "plain.txt"])]
#[case::powershell("powershell", &["plain.txt"])]
#[case::elvish("elvish", &["plain.txt"])]
fn names_that_a_shell_could_take_otherwise_are_left_out(
    #[case] shell: &str,
    #[case] expected: &[&str],
) {
    let service = Service::start();
    let binary = Binary::on(&service);
    let local = binary.write("local.txt", b"bytes");
    for name in [
        "plain.txt",
        "a b.txt",
        "it's.txt",
        "a\u{1b}[2J.txt",
        "a\u{202e}b.txt",
        "a*.txt",
        "a[1].txt",
    ] {
        // The service refuses some of these names.
        binary.run(&[
            "put",
            local.to_str().unwrap(),
            "/box",
            "--name",
            name,
            "--again",
        ]);
    }
    let mut command = asking(&binary, shell, &["ls", "/box/"]);
    command
        .env("_CLAP_COMPLETE_INDEX", "2")
        .env("_CLAP_IFS", "\n");
    let run = Run::of(command.output().unwrap()).expect(0);
    let expected: Vec<String> = expected.iter().map(|name| format!("/box/{name}")).collect();
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), expected);
}

#[rstest]
#[case::bash("bash")]
#[case::zsh("zsh")]
#[case::fish("fish")]
#[case::powershell("powershell")]
#[case::elvish("elvish")]
fn the_script_of_a_shell_asks_the_binary_that_printed_it(#[case] shell: &str) {
    let binary = Binary::new();
    let script = binary.run(&["completions", shell]).expect(0).stdout;
    assert!(script.contains("FILEDECK_COMPLETE"), "{script}");
    assert!(
        script.contains(binary.command(&[]).get_program().to_str().unwrap()),
        "{script}"
    );
}
