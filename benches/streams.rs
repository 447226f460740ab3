//! Measures a large file up and down, and a thousand small ones up, with `curl`: to `filedeck
//! serve`, to a bare sink on the same disk in the same minute, and from nginx and `rclone serve` if
//! installed: `cargo bench --bench streams`. `FILEDECK_BENCH_MIB` is the size of the large file
//! (1024), `FILEDECK_BENCH_ROUNDS` the number of rounds (3).
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/bare.rs"]
mod bare;
#[path = "shared/others.rs"]
mod others;
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Path as Name, State};
use axum::routing::{get, put};
use futures::StreamExt as _;
use others::{Other, free_port, is_there, nginx};
use served::{Served, TOKEN};
use tokio_util::io::ReaderStream;

const SMALL: usize = 16 * 1024;
const MANY: usize = 1_000;

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    if !is_there("curl") {
        println!("curl is not installed: nothing is measured");
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let (mebibytes, rounds) = (
        setting("FILEDECK_BENCH_MIB", 1024),
        setting("FILEDECK_BENCH_ROUNDS", 3),
    );
    let large = work.path().join("large.bin");
    write_random(&large, mebibytes);
    let small: Vec<PathBuf> = (0..MANY)
        .map(|number| work.path().join(format!("small-{number}.bin")))
        .collect();
    for path in &small {
        write_of(path, SMALL);
    }

    let runtime = tokio::runtime::Runtime::new().unwrap();
    let taken = work.path().join("sink");
    let sink = runtime.block_on(sink(&taken, &large));
    let others = [nginx(work.path()), rclone(work.path())];
    for round in 1..=rounds {
        println!("round {round}");
        let store = work.path().join("store");
        let served = Served::start(&served::binary(), &store);
        let rate = |what: &str, took: Duration| {
            #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
            let rate = mebibytes as f64 / took.as_secs_f64();
            println!("  {what}: {rate:.0} MiB/s");
        };
        rate("md5sum", run(Command::new("md5sum").arg(&large)).0);
        warm_memory(work.path(), mebibytes);
        rate(
            "up, to the sink",
            run(curl()
                .arg("-T")
                .arg(&large)
                .arg(format!("{sink}/whole/large")))
            .0,
        );
        fs::remove_file(taken.join("large")).unwrap();
        warm_memory(work.path(), mebibytes);
        let (took, answer) = run(&mut upload(&served, &large, "large.bin"));
        rate("up", took);
        let id = answer["id"].as_str().unwrap().to_owned();
        let file = format!("{}/files/v3/files/{id}", served.base_url);
        rate("down, bare", run(curl().arg(format!("{sink}/large"))).0);
        for turn in ["down", "down again"] {
            rate(
                turn,
                run(authorized(&mut curl()).arg(format!("{file}/download"))).0,
            );
        }
        for other in others.iter().flatten() {
            rate(
                &format!("down, {}", other.name),
                run(curl().arg(format!("http://{}/large.bin", other.address))).0,
            );
        }

        let per_second = |what: &str, took: Duration| {
            #[expect(clippy::cast_precision_loss, reason = "a thousand")]
            let rate = MANY as f64 / took.as_secs_f64();
            println!("  {MANY} files of 16 KiB up, {what}: {rate:.0}/s");
        };
        for (what, path) in [
            ("to the sink, synced", "whole"),
            ("to the sink, synced, named, folder synced", "named"),
        ] {
            let config: String = small.iter().fold(String::new(), |config, path_of| {
                config
                    + &next(&[
                        ("upload-file", &path_of.display().to_string()),
                        ("url", &format!("{sink}/{path}/")),
                    ])
            });
            per_second(what, parallel(work.path(), &config));
        }
        let config: String = small.iter().fold(String::new(), |config, path| {
            config
                + &next(&[
                    ("url", &format!("{}/files/v3/files", served.base_url)),
                    ("header", &format!("Authorization: Bearer {TOKEN}")),
                    ("form", &format!("file=@{}", path.display())),
                    ("form", "folderPath=/small"),
                    ("form", r#"options={\"access\":\"PRIVATE\"}"#),
                ])
        });
        per_second("filedeck", parallel(work.path(), &config));
        println!(
            "  resident: {} MiB at the peak",
            resident_kib(served.child.id()) / 1024
        );
        drop(served);
        fs::remove_dir_all(&store).unwrap();
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

fn write_random(path: &Path, mebibytes: u64) {
    let mut file = File::create(path).unwrap();
    let mut state = 1_u64;
    for _ in 0..mebibytes {
        let block: Vec<u8> = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33).to_le_bytes()
        })
        .take(128 * 1024)
        .flatten()
        .collect();
        file.write_all(&block).unwrap();
    }
    file.sync_all().unwrap();
}

/// Writes as much as is measured afterwards, so that this is spared a pause: a virtual machine
/// gives back memory that has been free for a while, and gets it again slowly, in up to a second
/// per gibibyte.
fn warm_memory(work: &Path, mebibytes: u64) {
    let path = work.join("warm");
    let mut file = File::create(&path).unwrap();
    let block = vec![1; 128 * 1024];
    (0..mebibytes * 8).for_each(|_| file.write_all(&block).unwrap());
    fs::remove_file(path).unwrap();
}

fn write_of(path: &Path, size: usize) {
    fs::write(
        path,
        path.display()
            .to_string()
            .bytes()
            .cycle()
            .take(size)
            .collect::<Vec<_>>(),
    )
    .unwrap();
}

fn curl() -> Command {
    let mut command = Command::new("curl");
    command.args(["-sS", "--fail"]);
    command
}

fn authorized(command: &mut Command) -> &mut Command {
    command
        .arg("-H")
        .arg(format!("Authorization: Bearer {TOKEN}"))
}

fn upload(served: &Served, file: &Path, name: &str) -> Command {
    let mut command = curl();
    authorized(&mut command)
        .arg("-F")
        .arg(format!("file=@{};filename={name}", file.display()));
    command.args([
        "-F",
        "folderPath=/",
        "-F",
        r#"options={"access":"PRIVATE"}"#,
    ]);
    command.arg(format!("{}/files/v3/files", served.base_url));
    command
}

/// The duration of a command, and its output if that is JSON; any other output is discarded as it
/// arrives.
fn run(command: &mut Command) -> (Duration, serde_json::Value) {
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut first = vec![0; 1024 * 1024];
    let mut length = 0;
    let mut rest = vec![0; 1024 * 1024];
    loop {
        let into = first
            .get_mut(length..)
            .filter(|room| !room.is_empty())
            .unwrap_or(&mut rest);
        match std::io::Read::read(&mut out, into).unwrap() {
            0 => break,
            count => length = (length + count).min(first.len()),
        }
    }
    assert!(child.wait().unwrap().success(), "{command:?}");
    (
        begun.elapsed(),
        serde_json::from_slice(first.get(..length).unwrap_or_default()).unwrap_or_default(),
    )
}

/// A transfer as lines of a `curl` configuration file.
fn next(options: &[(&str, &str)]) -> String {
    let mut lines: Vec<String> = options
        .iter()
        .map(|(name, value)| format!("{name} = \"{value}\""))
        .collect();
    lines.extend(
        [
            "silent",
            "show-error",
            "fail",
            "output = /dev/null",
            "next\n",
        ]
        .map(str::to_owned),
    );
    lines.join("\n")
}

fn parallel(work: &Path, config: &str) -> Duration {
    let file = work.join("transfers");
    fs::write(&file, config.trim_end().trim_end_matches("next")).unwrap();
    run(curl()
        .args(["-Z", "--parallel-max", "8", "--config"])
        .arg(file))
    .0
}

/// Stores and syncs uploaded files and serves one; no more than that.
async fn sink(folder: &Path, large: &Path) -> String {
    fs::create_dir_all(folder).unwrap();
    let folder = Arc::<Path>::from(folder);
    let large = large.to_owned();
    let router = Router::new()
        .route(
            "/whole/{name}",
            put(|State(folder), Name(name), body| take(folder, name, body, false)),
        )
        .route(
            "/named/{name}",
            put(|State(folder), Name(name), body| take(folder, name, body, true)),
        )
        .route(
            "/large",
            get(async move || {
                Body::from_stream(ReaderStream::with_capacity(open(&large).await, 1 << 18))
            }),
        )
        .with_state(folder);
    format!("http://{}", bare::serve(router).await)
}

async fn open(path: &Path) -> tokio::fs::File {
    tokio::fs::File::open(path).await.unwrap()
}

async fn take(folder: Arc<Path>, name: String, body: Body, is_named: bool) {
    let place = folder.join(&name);
    let path = if is_named {
        folder.join(format!("{name}.part"))
    } else {
        place.clone()
    };
    let mut file = File::create(&path).unwrap();
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.unwrap();
        file = tokio::task::spawn_blocking(move || file.write_all(&chunk).map(|()| file))
            .await
            .unwrap()
            .unwrap();
    }
    let finish = move || {
        file.sync_all().unwrap();
        if is_named {
            fs::rename(path, place).unwrap();
            File::open(folder).unwrap().sync_all().unwrap();
        }
    };
    tokio::task::spawn_blocking(finish).await.unwrap();
}

fn rclone(work: &Path) -> Option<Other> {
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    Other::start(
        "rclone",
        Command::new("rclone")
            .args(["serve", "http", "--addr", &address])
            .arg(work),
        port,
    )
}

fn resident_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or_default()
        .to_owned();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse().ok())
        .unwrap_or_default()
}
