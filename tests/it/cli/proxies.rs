//! The proxies in the environment, which apply to remote accounts only.

use super::binary::{Binary, TOKEN};
use crate::support::capture::{Capture, Reply};
use crate::support::service::TestService;

async fn proxy() -> Capture {
    Capture::start(|_, _| Reply::status(403, &[])).await
}

fn behind(binary: Binary, proxy: &Capture) -> Binary {
    ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]
        .into_iter()
        .fold(binary, |binary, name| binary.env(name, proxy.url.as_str()))
}

fn remote() -> Binary {
    Binary::new()
        .env("FILEDECK_BASE_URL", "https://files.invalid/")
        .env("FILEDECK_TOKEN", TOKEN)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remote_account_goes_through_the_proxy_without_the_token() {
    let proxy = proxy().await;
    for variable in ["HTTPS_PROXY", "ALL_PROXY"] {
        let before = proxy.seen().len();
        let run = remote().env(variable, proxy.url.as_str()).run(&["ls"]);
        assert_ne!(run.code, 0);
        let seen = proxy.seen().split_off(before);
        assert!(!seen.is_empty(), "{variable}: {}", run.stderr);
        for seen in seen {
            assert_eq!(
                (seen.method.as_str(), seen.target.as_str()),
                ("CONNECT", "files.invalid:443")
            );
            assert_eq!(seen.header("authorization"), None);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_no_proxy_names_is_spoken_to_directly() {
    let proxy = proxy().await;
    let run = behind(remote(), &proxy)
        .env("NO_PROXY", "files.invalid")
        .run(&["ls"]);
    assert_ne!(run.code, 0);
    assert_eq!(proxy.seen().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_an_account_on_this_machine_goes_through_a_proxy() {
    let (proxy, service) = (proxy().await, TestService::start().await);
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", &service.url("/"))
        .env("FILEDECK_TOKEN", service.token());
    behind(binary, &proxy).run(&["ls"]).expect(0);
    behind(Binary::new(), &proxy)
        .run(&["ls", "--account", "local"])
        .expect(0);
    assert_eq!(proxy.seen().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_service_fetches_imports_without_a_proxy() {
    let proxy = proxy().await;
    // An address that does not exist: the service must not send it to the proxy.
    let binary = behind(Binary::new(), &proxy);
    let run = binary.run(&[
        "import",
        "http://files.invalid/a.txt",
        "/in",
        "--account",
        "local",
    ]);
    assert_ne!(run.code, 0);
    assert_eq!(proxy.seen().len(), 0);
}

#[test]
fn a_proxy_that_is_down_is_named_without_its_password() {
    let run = remote()
        .env("HTTPS_PROXY", "http://me:canary-word@127.0.0.1:1")
        .run(&["ls"])
        .expect(1);
    assert!(
        run.stderr
            .contains("files.invalid through the proxy 127.0.0.1:1"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("canary-word"), "{}", run.stderr);
}
