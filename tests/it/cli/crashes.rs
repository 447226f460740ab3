//! Kills `serve` again and again under eight writers, and checks its state after each restart
//! against its earlier responses. `FILEDECK_TEST_KILLS=1000 cargo test --test it
//! kills_at_any_instant -- --nocapture` kills more often than the usual 100 times, and shows the
//! figures. A kill spares data that the system has not written yet: `tests/durability/` tests a
//! loss of power.

use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::binary::{Binary, Serving, TOKEN};
use super::client::Client;
use crate::support::disk::files_below;
use crate::support::maintenance::verify;
use crate::support::random::Random;
use crate::support::web::Web;

const WRITERS: u64 = 8;
/// The most files that a writer keeps, so that checking all of them stays quick.
const FILES: usize = 8;
const IMPORTED: &[u8] = b"what an import fetches";

/// The possible states of a file: one that was acknowledged, and after a cut request a second one.
struct Known {
    id: String,
    states: Vec<(String, Vec<u8>)>,
    may_be_gone: bool,
}

struct Writer {
    number: u64,
    random: Random,
    import_url: String,
    next: u64,
    acknowledged: u64,
    files: Vec<Known>,
    /// Ids of files whose deletion was acknowledged.
    gone: Vec<String>,
    /// Paths and bytes of files that may or may not exist.
    unclear: Vec<(String, Vec<u8>)>,
    tasks: Vec<String>,
}

impl Writer {
    fn new(number: u64, import_url: String) -> Self {
        let random = Random::seeded(number + 1);
        let (files, gone, unclear, tasks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            number,
            random,
            import_url,
            next: 0,
            acknowledged: 0,
            files,
            gone,
            unclear,
            tasks,
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        // Sometimes so large that it is written to the disk in several parts.
        let longest = if self.random.below(20) == 0 {
            700_000
        } else {
            20_000
        };
        let length = 1 + self.random.below(longest);
        self.random.bytes(length)
    }

    async fn work(&mut self, client: &Client) {
        while self.step(client).await.is_ok() {}
    }

    async fn step(&mut self, client: &Client) -> Result<(), reqwest::Error> {
        self.next += 1;
        let action = self.random.below(10);
        if self.files.len() < 3 || (action < 4 && self.files.len() < FILES) {
            return self.upload(client).await;
        }
        let index = self.random.below(self.files.len());
        match action {
            0 | 4 | 5 => self.replace(client, index).await,
            1 | 6 => self.rename(client, index).await,
            2 | 7 => self.delete(client, index, "").await,
            3 | 8 => self.delete(client, index, "/gdpr-delete").await,
            _ => self.import(client).await,
        }
    }

    async fn upload(&mut self, client: &Client) -> Result<(), reqwest::Error> {
        let (folder, name, bytes) = (
            format!("/writer-{}", self.number),
            format!("{}.bin", self.next),
            self.bytes(),
        );
        let path = format!("{folder}/{name}");
        match client.try_upload(&folder, &name, &bytes).await {
            Ok((status, file)) => {
                assert_eq!(status, 201, "{file}");
                let id = file["id"].as_str().unwrap().to_owned();
                self.files.push(Known {
                    id,
                    states: vec![(path, bytes)],
                    may_be_gone: false,
                });
                self.acknowledged += 1;
                Ok(())
            }
            Err(error) => {
                self.unclear.push((path, bytes));
                Err(error)
            }
        }
    }

    async fn replace(&mut self, client: &Client, index: usize) -> Result<(), reqwest::Error> {
        let bytes = self.bytes();
        let file = &self.files[index];
        let path = file.states[0].0.clone();
        let answer = client.try_replace(&file.id, "new.bin", &bytes).await;
        self.change(index, (path, bytes), answer)
    }

    async fn rename(&mut self, client: &Client, index: usize) -> Result<(), reqwest::Error> {
        let file = &self.files[index];
        let name = format!("moved-{}", self.next);
        let folder = if self.next.is_multiple_of(2) {
            "/".to_owned()
        } else {
            format!("/writer-{}", self.number)
        };
        let path = format!(
            "{}/{}-{name}.bin",
            folder.trim_end_matches('/'),
            self.number
        );
        let body = json!({"name": format!("{}-{name}", self.number), "parentFolderPath": folder});
        let answer = client
            .try_ask(Method::PATCH, &format!("/files/{}", file.id), Some(body))
            .await;
        let bytes = file.states[0].1.clone();
        self.change(index, (path, bytes), answer)
    }

    fn change(
        &mut self,
        index: usize,
        state: (String, Vec<u8>),
        answer: Result<(u16, Value), reqwest::Error>,
    ) -> Result<(), reqwest::Error> {
        let file = &mut self.files[index];
        match answer {
            Ok((status, body)) => {
                assert_eq!(status, 200, "{body}");
                file.states = vec![state];
                self.acknowledged += 1;
                Ok(())
            }
            Err(error) => {
                file.states.push(state);
                Err(error)
            }
        }
    }

    async fn delete(
        &mut self,
        client: &Client,
        index: usize,
        how: &str,
    ) -> Result<(), reqwest::Error> {
        let path = format!("/files/{}{how}", self.files[index].id);
        match client.try_ask(Method::DELETE, &path, None).await {
            Ok((status, body)) => {
                assert_eq!(status, 204, "{body}");
                self.gone.push(self.files.swap_remove(index).id);
                self.acknowledged += 1;
                Ok(())
            }
            Err(error) => {
                self.files[index].may_be_gone = true;
                Err(error)
            }
        }
    }

    async fn import(&mut self, client: &Client) -> Result<(), reqwest::Error> {
        let name = format!("import-{}-{}.bin", self.number, self.next);
        // Each import has its own address: a permanent deletion forgets all tasks that fetched the
        // same one.
        match client
            .try_import(&format!("{}?{name}", self.import_url), &name)
            .await
        {
            Ok(task) => {
                self.tasks.push(task.unwrap());
                self.acknowledged += 1;
                Ok(())
            }
            Err(error) => {
                self.unclear.push((format!("/{name}"), IMPORTED.to_vec()));
                Err(error)
            }
        }
    }

    /// Checks everything after a restart: acknowledged changes hold, and cut ones were made
    /// completely or not at all.
    async fn check(&mut self, client: &Client) {
        for mut file in std::mem::take(&mut self.files) {
            let (status, details) = client
                .ask(Method::GET, &format!("/files/{}", file.id), None)
                .await;
            if status == 404 && file.may_be_gone {
                self.gone.push(file.id);
                continue;
            }
            assert_eq!(
                status, 200,
                "{} was acknowledged and is lost: {details}",
                file.states[0].0
            );
            let (status, bytes) = client.download(&file.id).await;
            assert_eq!(status, 200, "{} is half visible", file.states[0].0);
            file.states
                .retain(|state| details["path"] == state.0 && bytes == state.1);
            assert_eq!(
                file.states.len(),
                1,
                "{details} is in no state that it was brought to"
            );
            file.may_be_gone = false;
            self.files.push(file);
        }
        for (path, expected) in std::mem::take(&mut self.unclear) {
            let (status, found) = client
                .ask(Method::GET, &format!("/files/stat{path}"), None)
                .await;
            if status == 200 {
                let id = found["file"]["id"].as_str().unwrap().to_owned();
                assert!(
                    client.download(&id).await == (200, expected.clone()),
                    "{path} is not what was sent"
                );
                self.files.push(Known {
                    id,
                    states: vec![(path, expected)],
                    may_be_gone: false,
                });
            }
        }
        for task in std::mem::take(&mut self.tasks) {
            let ended = client.task(&task).await;
            assert_eq!(ended["status"], "COMPLETE", "{ended}");
            let (id, path) = (
                ended["result"]["id"].as_str().unwrap(),
                ended["result"]["path"].as_str().unwrap(),
            );
            assert!(
                client.download(id).await == (200, IMPORTED.to_vec()),
                "{ended}"
            );
            let states = vec![(path.to_owned(), IMPORTED.to_vec())];
            self.files.push(Known {
                id: id.to_owned(),
                states,
                may_be_gone: false,
            });
        }
        for id in self.gone.iter().rev().take(20) {
            let (status, back) = client.ask(Method::GET, &format!("/files/{id}"), None).await;
            assert_eq!(status, 404, "{back} was deleted and is back");
        }
    }
}

fn partial_files(store: &Path) -> Vec<std::path::PathBuf> {
    let mut files = files_below(&store.join("blobs"));
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "part")
    });
    files
}

async fn on_all<'a, F>(
    writers: &'a mut [Writer],
    client: &'a Client,
    work: impl Fn(&'a mut Writer, Client) -> F,
) where
    F: Future<Output = ()>,
{
    futures::future::join_all(
        writers
            .iter_mut()
            .map(|writer| work(writer, client.clone())),
    )
    .await;
}

// Seen to fail when the response is sent before the commit, and when the start does not sweep.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow; tests/nightly/run has it"]
async fn kills_at_any_instant_lose_nothing_that_was_answered() {
    let kills = std::env::var("FILEDECK_TEST_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(100);
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let store = binary.work().join("store");
    let words = ["--data-dir", "store", "--import-allow", "127.0.0.0/8"];
    let web = Web::serving(&[("/file", IMPORTED)]).await;
    let mut writers: Vec<Writer> = (0..WRITERS)
        .map(|number| Writer::new(number, web.url("/file")))
        .collect();
    let mut random = Random::seeded(99);
    let mut partial = Vec::new();
    let mut restarts = Vec::new();
    for _ in 0..kills {
        let starting = Instant::now();
        let mut serving = Serving::start(&binary, &words);
        restarts.push(starting.elapsed());
        let client = Client::new(&serving);
        let (status, probe) = client.try_upload("/", "probe.bin", b"probe").await.unwrap();
        assert_eq!(status, 201, "{probe}");
        let swept = async {
            while partial
                .iter()
                .any(|file: &std::path::PathBuf| file.exists())
            {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), swept)
            .await
            .unwrap();
        client
            .ask(
                Method::DELETE,
                &format!("/files/{}", probe["id"].as_str().unwrap()),
                None,
            )
            .await;
        on_all(&mut writers, &client, async |writer, client| {
            writer.check(&client).await;
        })
        .await;
        let end = Duration::from_millis(u64::try_from(10 + random.below(150)).unwrap());
        let killing = tokio::spawn(async move {
            // Not a wait for an event: this is the instant of the kill.
            tokio::time::sleep(end).await;
            serving.end("KILL");
        });
        on_all(&mut writers, &client, async |writer, client| {
            writer.work(&client).await;
        })
        .await;
        killing.await.unwrap();
        partial = partial_files(&store);
    }
    let mut serving = Serving::start(&binary, &words);
    let client = Client::new(&serving);
    on_all(&mut writers, &client, async |writer, client| {
        writer.check(&client).await;
    })
    .await;
    serving.end("TERM");
    // The next start removes the files that the last run set aside.
    Serving::start(&binary, &words).end("TERM");
    let found = verify(&store).await.unwrap();
    assert!(found.is_sound() && found.leftovers == 0, "{found:?}");
    let acknowledged: u64 = writers.iter().map(|writer| writer.acknowledged).sum();
    restarts.sort();
    let (middle, slowest) = (restarts[restarts.len() / 2], restarts[restarts.len() - 1]);
    eprintln!(
        "{kills} kills, {acknowledged} changes acknowledged, none lost; restarts {middle:.0?}, slowest {slowest:.0?}"
    );
    assert!(
        acknowledged > kills,
        "{acknowledged} answers in {kills} rounds show nothing"
    );
}
