use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::binary::{Binary, Serving, TOKEN};
use crate::support::disk;
use crate::support::service::install_tls_provider;
use crate::support::web::Web;

/// A client of a service in another process.
struct Client {
    http: reqwest::Client,
    base_url: String,
}

impl Client {
    fn new(serving: &Serving) -> Self {
        install_tls_provider();
        Self { http: reqwest::Client::new(), base_url: format!("{}/files/v3/files", serving.base_url()) }
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let request = self.http.request(method, format!("{}{path}", self.base_url)).bearer_auth(TOKEN);
        let answer = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let answer = answer.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    /// Imports an address under a name; gives the file's id.
    async fn import(&self, url: &str, name: &str) -> String {
        let body = json!({"url": url, "access": "PRIVATE", "name": name, "folderPath": "/"});
        let (status, accepted) = self.ask(Method::POST, "/import-from-url/async", Some(body)).await;
        assert_eq!(status, 202, "{accepted}");
        let task = format!("/import-from-url/async/tasks/{}/status", accepted["id"].as_str().unwrap());
        loop {
            let (_, status) = self.ask(Method::GET, &task, None).await;
            if let Some(id) = status["result"]["id"].as_str() {
                return id.to_owned();
            }
            assert_ne!(status["status"], "CANCELED", "{status}");
        }
    }
}

/// Waits until none of the canaries is in any byte below the folder; fails after the minute that is promised.
fn expect_gone(folder: &Path, canaries: &[&str]) {
    let start = Instant::now();
    while let Some(canary) = canaries.iter().find(|canary| disk::holds(folder, canary.as_bytes())) {
        assert!(start.elapsed() < Duration::from_mins(1), "{canary} is still on the disk");
    }
}

// Seen to fail when the log is taken to be clean at a start, and with secure_delete off and no VACUUM.
#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_that_a_kill_cut_short_is_finished_at_the_next_start() {
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let store = binary.work().join("store");
    let words = ["--data-dir", "store", "--import-allow", "127.0.0.0/8"];
    let mut serving = Serving::start(&binary, &words);
    for (round, delay) in [0, 0, 1, 2, 5, 10, 30, 100].into_iter().enumerate() {
        let canaries =
            [format!("canary-name-{round}.txt"), format!("canary-bytes-{round}"), format!("canary-url-{round}")];
        let [name, bytes, address] = canaries.each_ref().map(String::as_str);
        let web = Web::serving(&[(&format!("/{address}"), bytes.as_bytes())]).await;
        let client = Client::new(&serving);
        let file = client.import(&web.url(&format!("/{address}")), name).await;
        assert!([name, bytes, address].iter().all(|canary| disk::holds(&store, canary.as_bytes())));
        assert_eq!(client.ask(Method::DELETE, &format!("/{file}/gdpr-delete"), None).await.0, 204);
        // Not a wait for something: the instant of the kill.
        tokio::time::sleep(Duration::from_millis(delay)).await;
        serving.end("KILL");
        serving = Serving::start(&binary, &words);
        expect_gone(&store, &[name, bytes, address]);
        assert_eq!(Client::new(&serving).ask(Method::GET, &format!("/{file}"), None).await.0, 404);
    }
}
