//! Measures the memory of a whole process with pictures: `filedeck serve` with 24 copies of a
//! picture requested at once, and the screen with each picture under its cursor: `cargo bench
//! --bench pictures`. Only Linux reports it. The screen's service offers no copies, so that the
//! pictures themselves are fetched, those of up to 8 MiB.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/bare.rs"]
mod bare;
#[path = "shared/corpus.rs"]
mod corpus;
#[path = "../tests/it/support/hostile_pictures.rs"]
pub mod hostile_pictures;
#[path = "shared/large_pictures.rs"]
mod large_pictures;
#[path = "../tests/it/terminal/pty.rs"]
#[expect(dead_code, reason = "tests do more in it")]
mod pty;
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use corpus::Named;
use portable_pty::CommandBuilder;
use pty::Pty;
use reqwest::multipart::{Form, Part};
use served::{Served, TOKEN};

const AT_ONCE: usize = 24;
/// The largest picture that the screen fetches.
const MOST_OF_A_PICTURE: usize = 8 * 1024 * 1024;

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    if !Path::new("/proc/self/status").exists() {
        println!("this system does not tell what a process has had in memory: nothing is measured");
        return;
    }
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut corpus = corpus::large();
    corpus.extend(hostile_pictures::hostile_pictures());
    // The screen lists them in the same order.
    for (number, (name, _)) in corpus.iter_mut().enumerate() {
        *name = format!("{number:03}-{name}");
    }
    runtime.block_on(serve(&corpus));
    corpus.retain(|(_, bytes)| bytes.len() <= MOST_OF_A_PICTURE);
    for images in ["kitty", "iterm2", "sixel", "blocks"] {
        screen(&runtime, &corpus, images);
    }
}

/// Requests each picture 24 times at once, then all of them.
async fn serve(corpus: &[Named]) {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(&served::binary(), &dir.path().join("store"));
    let http = reqwest::Client::new();
    let mut urls = Vec::new();
    let process = served.child.id();
    println!("serve: {} MiB at the start", peak(process));
    for (name, bytes) in corpus {
        let id = upload(&served, &http, name, bytes).await;
        if let Some(url) = signed(&served, &http, &id).await {
            urls.push((name, bytes.len(), url));
        }
    }
    println!("  {} MiB once all are there and signed", peak(process));
    for (name, size, url) in &urls {
        let (before, begun) = (peak(process), Instant::now());
        let answers = futures::future::join_all((0..AT_ONCE).map(|_| fetch(&http, url))).await;
        let sort = if answers.iter().all(|length| length == size) {
            "the original"
        } else {
            "a copy"
        };
        let after = peak(process);
        if after > before || begun.elapsed() > Duration::from_secs(1) {
            println!(
                "  {after} MiB, {} MiB now, {:.1?}: {name} of {} KiB, {sort} of {} KiB",
                resident(process, "VmRSS"),
                begun.elapsed(),
                size / 1024,
                answers[0] / 1024
            );
        }
    }
    for round in 0..4 {
        let mix = urls.iter().cycle().skip(round * 7).step_by(5).take(AT_ONCE);
        futures::future::join_all(mix.map(|(_, _, url)| fetch(&http, url))).await;
    }
    println!(
        "  {} MiB at the peak, after 24 different ones at once, four times",
        peak(process)
    );
}

async fn upload(served: &Served, http: &reqwest::Client, name: &str, bytes: &[u8]) -> String {
    let form = Form::new()
        .text("options", r#"{"access":"PRIVATE"}"#)
        .text("folderPath", "/p")
        .part(
            "file",
            Part::bytes(bytes.to_vec()).file_name(name.to_owned()),
        );
    let url = format!("{}/files/v3/files", served.base_url);
    let answer = http
        .post(url)
        .bearer_auth(TOKEN)
        .multipart(form)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 201, "{name}");
    let body: serde_json::Value = answer.json().await.unwrap();
    body["id"].as_str().unwrap().to_owned()
}

/// The signed URL of a copy; `None` if the service does not accept the file as a picture.
async fn signed(served: &Served, http: &reqwest::Client, id: &str) -> Option<String> {
    let url = format!(
        "{}/files/v3/files/{id}/signed-url?size=preview",
        served.base_url
    );
    let answer = http.get(url).bearer_auth(TOKEN).send().await.unwrap();
    let body: serde_json::Value = answer.json().await.unwrap();
    body["url"].as_str().map(str::to_owned)
}

async fn fetch(http: &reqwest::Client, url: &str) -> usize {
    let answer = http.get(url).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{url}");
    answer.bytes().await.unwrap().len()
}

/// Moves the cursor over each picture, and waits there until it is drawn.
fn screen(runtime: &tokio::runtime::Runtime, corpus: &[Named], images: &str) {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(&served::binary(), &dir.path().join("store"));
    let http = reqwest::Client::new();
    let address = runtime.block_on(async {
        for (name, bytes) in corpus {
            upload(&served, &http, name, bytes).await;
        }
        let state = (http.clone(), served.base_url.clone());
        bare::serve(Router::new().fallback(without_copies).with_state(state)).await
    });
    let home = dir.path();
    fs::create_dir_all(home.join("CONFIG")).unwrap();
    fs::write(
        home.join("CONFIG/config.toml"),
        format!("images = \"{images}\"\n"),
    )
    .unwrap();
    let mut command = CommandBuilder::new(served::binary());
    command.cwd(home);
    for name in ["CONFIG", "DATA", "STATE"] {
        command.env(format!("FILEDECK_{name}_DIR"), home.join(name));
    }
    command.env("FILEDECK_BASE_URL", format!("http://{address}"));
    command.env("FILEDECK_TOKEN", TOKEN);
    command.env("TERM", "xterm-256color");
    command.env_remove("TMUX");
    command.env_remove("NO_COLOR");
    let mut pty = Pty::spawn(command, 200, 60);
    let process = pty.process_id();
    pty.wait_for_text("Name");
    pty.send("gp\u{15}/p\r");
    println!("screen, {images}: {} MiB at the start", peak(process));
    for (name, _) in corpus {
        let before = peak(process);
        // A preview is given up after four seconds of CPU time.
        std::thread::sleep(Duration::from_secs(6));
        let seen = pty.contents();
        let said = ["Too large to preview", "Damaged, or", "Too slow to render"]
            .into_iter()
            .find(|said| seen.contains(said));
        let after = peak(process);
        pty.send("j");
        if after > before || said.is_some_and(|said| said.contains("slow")) {
            println!(
                "  {after} MiB, {} MiB now: {name}: {}",
                resident(process, "VmRSS"),
                said.unwrap_or("seen")
            );
        }
    }
    println!("  {} MiB at the peak", peak(process));
}

/// Passes a request on to the service, but without its request for a copy.
async fn without_copies(
    State((http, base_url)): State<(reqwest::Client, String)>,
    request: Request,
) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path();
    let query = head.uri.query().filter(|_| !path.ends_with("/signed-url"));
    let url = format!("{base_url}{path}?{}", query.unwrap_or_default());
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let mut passed = http
        .request(head.method, url)
        .bearer_auth(TOKEN)
        .body(bytes);
    if let Some(kind) = head.headers.get("content-type") {
        passed = passed.header("content-type", kind);
    }
    let answer = passed.send().await.unwrap();
    let mut response = Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        if name != "transfer-encoding" {
            response = response.header(name, value);
        }
    }
    response
        .body(Body::from_stream(answer.bytes_stream()))
        .unwrap()
}

/// The peak memory of a process, in MiB.
fn peak(process: u32) -> u64 {
    resident(process, "VmHWM")
}

fn resident(process: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with(field))
        .unwrap_or_default()
        .to_owned();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse::<u64>().ok())
        .unwrap_or_default()
        / 1024
}
