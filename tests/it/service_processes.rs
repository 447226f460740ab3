//! Several processes with one database and one bucket: acknowledged changes are visible in all of
//! them, whichever is killed. For the database in `FILEDECK_TEST_DATABASE`, which `tests/scale/run`
//! starts.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use filedeck::service::clock::Clock;
use jiff::SignedDuration;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Notify;

use crate::support::bucket::TestBucket;
use crate::support::http;
use crate::support::served::{ServedProcess, TOKEN};
use crate::support::server_database;
use crate::support::service::{START, TestService, form};
use crate::support::web::Web;

const WRITERS: usize = 8;

struct Fleet {
    dir: TempDir,
    database: String,
    bucket: TestBucket,
    processes: Mutex<Vec<ServedProcess>>,
    http: Client,
}

impl Fleet {
    /// Starts the processes; `None` without a database server.
    async fn start() -> Option<Arc<Self>> {
        let dir = tempfile::tempdir().unwrap();
        let database = server_database::address(dir.path()).await?;
        let bucket = TestBucket::in_folder(&dir.path().join("objects")).await;
        let fleet = Self {
            dir,
            database,
            bucket,
            processes: Mutex::default(),
            http: http::client(),
        };
        for number in 0..2 {
            let process = fleet.process(number);
            fleet.processes.lock().unwrap().push(process);
        }
        Some(Arc::new(fleet))
    }

    fn process(&self, number: usize) -> ServedProcess {
        let dir: PathBuf = self.dir.path().join(number.to_string());
        std::fs::create_dir_all(&dir).unwrap();
        // The bucket runs on this runtime.
        tokio::task::block_in_place(|| ServedProcess::start(&dir, &self.database, &self.bucket))
    }

    fn address(&self, number: usize) -> String {
        self.processes.lock().unwrap()[number % 2].address.clone()
    }

    fn kill_and_start(&self, number: usize) {
        self.processes.lock().unwrap()[number % 2].kill();
        let process = self.process(number % 2);
        self.processes.lock().unwrap()[number % 2] = process;
    }

    /// The response of one process; `None` if it went away.
    async fn ask(
        &self,
        number: usize,
        ask: impl Fn(&Client, &str) -> reqwest::RequestBuilder,
    ) -> Option<(StatusCode, Value)> {
        let request = ask(&self.http, &self.address(number)).bearer_auth(TOKEN);
        let answer = request.timeout(Duration::from_secs(30)).send().await.ok()?;
        let status = answer.status();
        Some((status, answer.json().await.unwrap_or_default()))
    }

    /// Does the same as `ask`, but repeats the request until a process responds.
    async fn read(
        &self,
        number: usize,
        ask: impl Fn(&Client, &str) -> reqwest::RequestBuilder,
    ) -> Value {
        loop {
            if let Some((status, body)) = self.ask(number, &ask).await
                && status != 503
            {
                assert_eq!(status, 200, "{body}");
                return body;
            }
        }
    }

    async fn upload(&self, number: usize, name: &str, bytes: &str) -> Option<String> {
        let options =
            json!({"access": "PRIVATE", "duplicateValidationStrategy": "NONE"}).to_string();
        let upload = |http: &Client, address: &str| {
            let form = form(name, bytes.as_bytes())
                .text("options", options.clone())
                .text("folderPath", "/both");
            http.post(format!("{address}/files/v3/files"))
                .multipart(form)
        };
        let (status, body) = self.ask(number, upload).await?;
        assert!(matches!(status.as_u16(), 201 | 503), "{status}: {body}");
        (status == 201).then(|| body["id"].as_str().unwrap().to_owned())
    }

    async fn listed(&self) -> HashMap<String, Value> {
        let mut listed = HashMap::new();
        let mut after = String::new();
        loop {
            let path = format!("/files/v3/files/search?limit=100{after}");
            let page = |http: &Client, address: &str| http.get(format!("{address}{path}"));
            let page = self.read(0, page).await;
            for file in page["results"].as_array().unwrap() {
                listed.insert(file["id"].as_str().unwrap().to_owned(), file.clone());
            }
            match page["paging"]["next"]["after"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => return listed,
            }
        }
    }

    async fn bytes(&self, number: usize, id: &str) -> String {
        let signed = |http: &Client, address: &str| {
            http.get(format!("{address}/files/v3/files/{id}/signed-url"))
        };
        let signed = self.read(number, signed).await;
        let mut link: url::Url = signed["url"].as_str().unwrap().parse().unwrap();
        // A URL signed by one process is valid in the other.
        let other: url::Url = self.address(number + 1).parse().unwrap();
        link.set_port(other.port()).unwrap();
        loop {
            let answer = self.http.get(link.clone()).send().await.unwrap();
            if answer.status() != 503 {
                assert_eq!(answer.status(), 200);
                return answer.text().await.unwrap();
            }
        }
    }
}

fn kills() -> usize {
    std::env::var("FILEDECK_TEST_KILLS")
        .ok()
        .map_or(4, |kills| kills.parse().unwrap())
}

// Seen to fail when a row is committed before the object is complete, and when changes are not
// serializable: two files with one name, or an upload that fails with 500.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_acknowledged_stays_whichever_process_is_killed() {
    let Some(fleet) = Fleet::start().await else {
        return;
    };
    let acknowledged: Arc<Mutex<HashMap<String, String>>> = Arc::default();
    let (stored, more, is_over) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(Notify::new()),
        Arc::new(AtomicUsize::new(0)),
    );
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (fleet, acknowledged) = (fleet.clone(), acknowledged.clone());
            let (stored, more, is_over) = (stored.clone(), more.clone(), is_over.clone());
            tokio::spawn(async move {
                for round in 0.. {
                    if is_over.load(Ordering::SeqCst) > 0 {
                        return;
                    }
                    // All writers use the same few names.
                    let (name, bytes) = (
                        format!("name-{}.txt", round % 5),
                        format!("{writer} {round}"),
                    );
                    if let Some(id) = fleet.upload(writer + round, &name, &bytes).await {
                        assert_eq!(
                            acknowledged.lock().unwrap().insert(id, bytes),
                            None,
                            "an id was given twice"
                        );
                        stored.fetch_add(1, Ordering::SeqCst);
                        more.notify_one();
                    }
                }
            })
        })
        .collect();
    for kill in 0..kills() {
        let goal = stored.load(Ordering::SeqCst) + 30;
        while stored.load(Ordering::SeqCst) < goal {
            tokio::time::timeout(Duration::from_mins(1), more.notified())
                .await
                .expect("nothing is stored anymore");
        }
        fleet.kill_and_start(kill);
    }
    is_over.store(1, Ordering::SeqCst);
    for writer in writers {
        writer.await.unwrap();
    }
    let listed = fleet.listed().await;
    let paths: std::collections::HashSet<_> = listed
        .values()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths.len(), listed.len(), "two files have one name");
    let acknowledged = acknowledged.lock().unwrap().clone();
    for (number, (id, bytes)) in acknowledged.iter().enumerate() {
        assert!(
            listed.contains_key(id),
            "{id} was acknowledged and is not there"
        );
        assert_eq!(fleet.bytes(number, id).await, *bytes);
    }
    // Files that were stored but not acknowledged are complete, too.
    for id in listed.keys().filter(|id| !acknowledged.contains_key(*id)) {
        assert!(
            fleet.bytes(0, id).await.contains(' '),
            "{id} has a row and no bytes"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_is_done_once_and_taken_over_from_a_process_that_died() {
    let Some(fleet) = Fleet::start().await else {
        return;
    };
    let web = Web::serving(&[("/source", b"imported")]).await;
    web.hold();
    let import = |http: &Client, address: &str| {
        let order = json!({"url": web.url("/source"), "name": "imported.txt", "folderPath": "/", "access": "PRIVATE",
            "overwrite": false, "duplicateValidationStrategy": "NONE", "duplicateValidationScope": "ENTIRE_PORTAL"});
        http.post(format!("{address}/files/v3/files/import-from-url/async"))
            .json(&order)
    };
    let (status, task) = fleet.ask(0, import).await.unwrap();
    assert_eq!(status, 202, "{task}");
    let id = task["id"].as_str().unwrap().to_owned();
    // Either process may have taken it: the one that is killed or the other.
    while web.connections() == 0 {
        tokio::task::yield_now().await;
    }
    fleet.kill_and_start(0);
    fleet.kill_and_start(1);
    web.release();
    let start = Instant::now();
    loop {
        let path = format!("/files/v3/files/import-from-url/async/tasks/{id}/status");
        let (_, task) = fleet
            .ask(1, |http, address| http.get(format!("{address}{path}")))
            .await
            .unwrap();
        match task["status"].as_str() {
            Some("COMPLETE") => break,
            status => assert_ne!(status, Some("CANCELED"), "{task}"),
        }
        assert!(
            start.elapsed() < Duration::from_mins(1),
            "nobody took it over"
        );
        tokio::task::yield_now().await;
    }
    assert_eq!(fleet.listed().await.len(), 1);
}

// Seen to fail when each process counts by itself, and when a count is read without a lock.
#[tokio::test]
async fn a_budget_is_counted_by_all_processes_together() {
    let shared = tempfile::tempdir().unwrap();
    let Some(database) = server_database::for_directory(shared.path()).await else {
        return;
    };
    let bucket = TestBucket::in_folder(&shared.path().join("objects")).await;
    let clock = Clock::manual(START.parse().unwrap());
    let start = async || {
        TestService::start_with(tempfile::tempdir().unwrap(), clock.clone(), |options| {
            options.database = Some(database.clone());
            options.bucket = Some(bucket.options());
            options.rate_limits = vec!["20/10s".parse().unwrap(), "30/day".parse().unwrap()];
        })
        .await
    };
    let fleet = [start().await, start().await];
    let ask = async || {
        let answers = (0..40).map(|number| fleet[number % 2].get("/files/v3/files/search"));
        let answers = futures::future::join_all(answers).await;
        let refused = answers
            .iter()
            .filter(|answer| answer.status != 200)
            .map(|answer| answer.json()["policyName"].clone());
        refused.collect::<Vec<_>>()
    };
    assert_eq!(ask().await, ["TEN_SECONDLY_ROLLING"; 20]);
    clock.advance(SignedDuration::from_secs(10));
    let refused = ask().await;
    assert!(
        refused.len() == 30 && refused.iter().all(|policy| policy == "DAILY"),
        "{refused:?}"
    );
}

// Seen to fail when a start gives up at once.
#[cfg(unix)]
#[tokio::test]
async fn a_start_waits_for_its_database_for_as_long_as_it_may() {
    use filedeck::service::{self, DatabaseAddress, ServiceOptions, StartError};

    use crate::support::service::listener;

    let dir = tempfile::tempdir().unwrap();
    let Some(address) = server_database::address(dir.path()).await else {
        return;
    };
    let (scheme, rest) = address.split_once('@').unwrap();
    let (socket_dir, database) = rest.split_once('/').unwrap();
    let late_dir = dir.path().to_str().unwrap().replace('/', "%2F");
    let late =
        DatabaseAddress::parse(&format!("{scheme}@{late_dir}/{database}"), None, None).unwrap();
    let options = |start_patience| ServiceOptions {
        database: Some(late.clone()),
        start_patience,
        ..ServiceOptions::new(dir.path().join("data"))
    };
    let refused = service::serve(listener().await, options(Duration::ZERO))
        .await
        .unwrap_err();
    assert!(matches!(refused, StartError::Database { .. }), "{refused}");

    let socket = dir.path().join(".s.PGSQL.5432");
    let deaf = tokio::net::UnixListener::bind(&socket).unwrap();
    let become_there = async {
        drop(deaf.accept().await.unwrap());
        std::fs::remove_file(&socket).unwrap();
        let server = PathBuf::from(socket_dir.replace("%2F", "/")).join(".s.PGSQL.5432");
        std::os::unix::fs::symlink(server, &socket).unwrap();
    };
    let started = service::serve(listener().await, options(Duration::from_mins(1)));
    let (started, ()) = tokio::join!(started, become_there);
    started.unwrap().shutdown().await;
}

// Seen to fail when parts wait in memory for their turn.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn many_large_uploads_at_once_take_little_memory() {
    const UPLOADS: usize = 40;
    let Some(fleet) = Fleet::start().await else {
        return;
    };
    let bytes = Bytes::from(vec![7; 24 * 1024 * 1024]);
    let upload = async |number: usize| {
        let part = Part::stream_with_length(bytes.clone(), bytes.len() as u64)
            .file_name(format!("{number}.bin"));
        let form = Form::new()
            .part("file", part)
            .text("folderPath", "/")
            .text("options", r#"{"access":"PRIVATE"}"#);
        let upload = fleet
            .http
            .post(format!("{}/files/v3/files", fleet.address(0)))
            .bearer_auth(TOKEN)
            .multipart(form);
        assert_eq!(upload.send().await.unwrap().status(), 201);
    };
    futures::future::join_all((0..UPLOADS).map(upload)).await;
    let peak = fleet.processes.lock().unwrap()[0].peak_mib();
    assert!(peak < 270, "{peak} MiB");
}
