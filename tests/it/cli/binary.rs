//! Runs the binary in an environment of its own, and checks all its output for the token.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use filedeck::service::{self, RunningService, ServiceOptions, TokenSource};
use secrecy::ExposeSecret as _;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Long and unique, so that a match is always a leak.
pub(crate) const TOKEN: &str = "canary-4f1c9e";

pub(crate) struct Service {
    runtime: Runtime,
    running: Option<RunningService>,
    _dir: TempDir,
}

impl Service {
    pub(crate) fn start() -> Self {
        Self::start_with(|options| options)
    }

    pub(crate) fn start_with(change: impl FnOnce(ServiceOptions) -> ServiceOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let runtime = Runtime::new().unwrap();
        let options = ServiceOptions {
            token: TokenSource::Given(TOKEN.into()),
            ..ServiceOptions::new(dir.path())
        };
        let running = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            service::serve(listener, change(options)).await.unwrap()
        });
        Self {
            runtime,
            running: Some(running),
            _dir: dir,
        }
    }

    pub(crate) fn base_url(&self) -> String {
        self.running.as_ref().unwrap().base_url().to_string()
    }

    pub(crate) fn token(&self) -> String {
        self.running
            .as_ref()
            .unwrap()
            .token()
            .expose_secret()
            .to_owned()
    }

    pub(crate) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            self.runtime.block_on(running.shutdown());
        }
    }
}

/// The binary with its own configuration, data, state and working directory.
pub(crate) struct Binary {
    pub(crate) home: TempDir,
    env: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The code is -1 if a signal ended the process.
    #[track_caller]
    pub(super) fn of(output: Output) -> Self {
        let run = Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(
            !run.stdout.contains(TOKEN) && !run.stderr.contains(TOKEN),
            "the token got out: {run:#?}"
        );
        run
    }

    pub(crate) fn json_lines(&self) -> Vec<serde_json::Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }
}

impl Binary {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        for folder in ["config", "work"] {
            std::fs::create_dir(home.path().join(folder)).unwrap();
        }
        Self {
            home,
            env: Vec::new(),
        }
    }

    /// Creates one with the service as the account of the environment.
    pub(crate) fn on(service: &Service) -> Self {
        Self::new()
            .env("FILEDECK_BASE_URL", &service.base_url())
            .env("FILEDECK_TOKEN", &service.token())
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn config_dir(&self) -> PathBuf {
        self.home.path().join("config")
    }

    pub(super) fn store_dir(&self) -> PathBuf {
        self.home.path().join("data/store")
    }

    /// The standard error of `Serving`.
    pub(crate) fn log(&self) -> PathBuf {
        self.home.path().join("serve.log")
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.home.path().join("work")
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.work().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.command_under(&[], words)
    }

    /// Does the same as `command`, through a wrapper program that ends up running the binary in its
    /// place.
    pub(super) fn command_under(&self, wrapper: &[&str], words: &[&str]) -> Command {
        let filedeck = assert_cmd::cargo::cargo_bin!("filedeck");
        let mut command = match wrapper {
            [] => Command::new(filedeck),
            [program, rest @ ..] => {
                let mut command = Command::new(program);
                command.args(rest).arg(filedeck);
                command
            }
        };
        command
            .args(words)
            .current_dir(self.work())
            .stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("FILEDECK_")
                || name.starts_with("OTEL_")
                || name.to_lowercase().ends_with("_proxy")
            {
                command.env_remove(name);
            }
        }
        let home = self.home.path();
        command.env("HOME", home);
        for (name, folder) in [
            ("FILEDECK_CONFIG_DIR", "config"),
            ("FILEDECK_DATA_DIR", "data"),
            ("FILEDECK_STATE_DIR", "state"),
        ] {
            command.env(name, home.join(folder));
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    #[track_caller]
    pub(crate) fn run(&self, words: &[&str]) -> Run {
        Run::of(self.command(words).output().unwrap())
    }

    /// Does the same as `run`, but kills the process after the time limit.
    #[track_caller]
    pub(crate) fn run_within(&self, limit: Duration, words: &[&str]) -> Run {
        let mut command = assert_cmd::Command::from_std(self.command(words));
        Run::of(command.timeout(limit).output().unwrap())
    }

    #[cfg(unix)]
    #[track_caller]
    pub(crate) fn run_under(&self, wrapper: &[&str], words: &[&str]) -> Run {
        Run::of(self.command_under(wrapper, words).output().unwrap())
    }
}

/// `filedeck serve`, ended on drop.
pub(crate) struct Serving {
    child: Child,
    pub(super) first_line: String,
    pub(super) rest: BufReader<ChildStdout>,
}

impl Serving {
    /// Starts `serve`, on a free port if the words name none, and reads its first line.
    pub(crate) fn start(binary: &Binary, words: &[&str]) -> Self {
        Self::start_under(binary, &[], words)
    }

    pub(super) fn start_under(binary: &Binary, wrapper: &[&str], words: &[&str]) -> Self {
        let free_port = if words.contains(&"--listen") {
            &[][..]
        } else {
            &["--listen", "127.0.0.1:0"]
        };
        let words = [&["serve"], free_port, words].concat();
        let mut command = binary.command_under(wrapper, &words);
        let log = File::options()
            .create(true)
            .append(true)
            .open(binary.log())
            .unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut rest = BufReader::new(child.stdout.take().unwrap());
        let mut first_line = String::new();
        rest.read_line(&mut first_line).unwrap();
        Self {
            child,
            first_line,
            rest,
        }
    }

    pub(crate) fn base_url(&self) -> &str {
        self.first_line.trim_end()
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn signal(&self, signal: &str) {
        send(&self.child, signal);
    }

    pub(super) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Sends a signal by its name and waits for the exit code; -1 if the signal itself ended the
    /// process.
    pub(crate) fn end(&mut self, signal: &str) -> i32 {
        end(&mut self.child, signal)
    }
}

pub(crate) fn end(child: &mut Child, signal: &str) -> i32 {
    send(child, signal);
    child.wait().unwrap().code().unwrap_or(-1)
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The host and port of a base address.
pub(crate) fn authority(base_url: &str) -> &str {
    base_url
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches('/')
}

/// The status of a bare HTTP/1.1 GET, without any client of this project.
pub(super) fn get_status(base_url: &str, path: &str, token: Option<&str>) -> u16 {
    get_status_as(base_url, authority(base_url), path, token)
}

/// Does the same as `get_status`, but names a host in the request that differs from the one it
/// connects to.
pub(super) fn get_status_as(base_url: &str, host: &str, path: &str, token: Option<&str>) -> u16 {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(authority(base_url)).unwrap();
    let authorization = token
        .map(|token| format!("Authorization: Bearer {token}\r\n"))
        .unwrap_or_default();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\n{authorization}Connection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A service and a binary on it, with `/box/one.txt`, `/box/two.png`, `/box/deep/three.txt` and
/// `/box/deep/two.txt`.
pub(super) fn with_a_library() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::create_dir_all(binary.work().join("box/deep")).unwrap();
    let files: [(&str, &[u8]); 4] = [
        ("box/one.txt", b"one\n"),
        ("box/two.png", b"\x89PNG\r\n\x1a\n\0\0"),
        ("box/deep/three.txt", b"three\n"),
        ("box/deep/two.txt", b"two\n"),
    ];
    for (name, bytes) in files {
        binary.write(name, bytes);
    }
    binary.run(&["put", "box", "/"]).expect(0);
    (service, binary)
}
