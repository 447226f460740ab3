//! The next step after a failure, on standard error: what fits the command, or nothing.

use rstest::rstest;

use super::binary::{Binary, Service, TOKEN};
use super::tls::write_private;
use crate::support::capture::{Capture, Reply};
use crate::support::service::TestService;

fn at(url: &str) -> Binary {
    Binary::new()
        .env("FILEDECK_BASE_URL", url)
        .env("FILEDECK_TOKEN", TOKEN)
}

/// A service with one folder, and the binary on it.
fn with_folder() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.run(&["mkdir", "/web"]).expect(0);
    (service, binary)
}

#[tokio::test(flavor = "multi_thread")]
async fn four_ways_not_to_reach_the_service_are_four_sentences() {
    let service = TestService::start().await;
    let page = Capture::start(|_, _| {
        let headers = vec![("content-type", "text/html".to_owned())];
        Reply::Answer(200, headers, "<title>Hotel</title>".to_owned())
    })
    .await;
    let plain = service.url("/").replace("http://", "https://");
    let proxied = at("https://files.invalid/").env("HTTPS_PROXY", "http://127.0.0.1:1");
    let cases = [
        (at(&plain), "does not use TLS", "https needs a port"),
        (
            at(page.url.as_str()),
            "a web page (Hotel)",
            "Sign in to the network",
        ),
        (
            proxied,
            "through the proxy 127.0.0.1:1",
            "Check that the proxy runs",
        ),
        (
            at("https://files.invalid/"),
            "There is no host files.invalid",
            "spelling of the host",
        ),
    ];
    for (at, (binary, reason, advice)) in cases.iter().enumerate() {
        let run = binary.run(&["ls"]).expect(1);
        for (other, (_, other_reason, other_advice)) in cases.iter().enumerate() {
            for (sentence, is_due) in [(other_reason, other == at), (other_advice, other == at)] {
                assert_eq!(
                    run.stderr.contains(sentence),
                    is_due,
                    "{reason} {advice}: {}",
                    run.stderr
                );
            }
        }
    }
}

#[rstest]
#[case::a_folder(&["cat", "/web"], 1, "cannot print /web: it is a folder; name the files in it")]
#[case::nothing_there(&["cat", "/nothing"], 4, "(HTTP 404)")]
#[case::read_only(&["--read-only", "mkdir", "/new"], 1, "--read-only is given; leave it out")]
fn what_the_message_says_is_not_followed_by_empty_words(
    #[case] words: &[&str],
    #[case] code: i32,
    #[case] says: &str,
) {
    let (_service, binary) = with_folder();
    let run = binary.run(words).expect(code);
    assert!(run.stderr.contains(says), "{}", run.stderr);
    for words in ["try again", "Correct", "refresh"] {
        assert!(!run.stderr.contains(words), "{words}: {}", run.stderr);
    }
}

#[test]
fn a_read_only_account_is_named_with_the_setting_that_makes_it_so() {
    let binary = Binary::new();
    let text = "[accounts.audit]\nbase_url = \"http://127.0.0.1:9\"\ntoken_file = \"t\"\nread_only = true\n";
    std::fs::write(binary.config_dir().join("config.toml"), text).unwrap();
    write_private(&binary.config_dir().join("t"), TOKEN);
    let run = binary
        .run(&["mkdir", "/new", "--account", "audit"])
        .expect(1);
    assert_eq!(
        run.stderr,
        "filedeck: no folder was made: the account 'audit' is configured as read_only; use another one, or remove that setting\n"
    );
}

#[test]
fn an_account_that_does_not_exist_is_named_without_a_file() {
    let binary = Binary::new();
    let run = binary.run(&["ls", "--account", "nobody"]).expect(2);
    assert_eq!(
        run.stderr,
        "filedeck: there is no account \"nobody\"; there are: local\n"
    );
}

#[rstest]
#[case::period_of_an_upload(&["put", "a.txt", "/web", "--expires", "1h"], "--expires")]
#[case::period_of_a_file(&["set", "/web/a.txt", "--expires", "1h"], "--expires")]
fn a_period_out_of_bounds_is_named_with_its_option(#[case] words: &[&str], #[case] option: &str) {
    let (_service, binary) = with_folder();
    binary.write("a.txt", b"a");
    binary.run(&["put", "a.txt", "/web"]).expect(0);
    let run = binary.run(words).expect(2);
    assert!(run.stderr.contains(option), "{}", run.stderr);
}
