//! Processes of `filedeck serve` that share a database and a bucket, as behind a load balancer.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::bucket::{ADDRESS, SECRET, TestBucket};

pub const TOKEN: &str = "fdk-token-of-all-processes";

/// A process that is killed on drop.
pub struct ServedProcess {
    child: Child,
    pub address: String,
}

impl ServedProcess {
    /// Starts a process with its own directory, and retries until it serves: its database may still
    /// be starting.
    pub fn start(dir: &Path, database: &str, bucket: &TestBucket) -> Self {
        let start = Instant::now();
        loop {
            let mut child = command(dir, database, bucket)
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap())
                .read_line(&mut line)
                .unwrap();
            let process = Self {
                child,
                address: line.trim().to_owned(),
            };
            if process.address.starts_with("http://") {
                return process;
            }
            assert!(
                start.elapsed() < Duration::from_mins(1),
                "it does not start"
            );
        }
    }

    #[cfg(target_os = "linux")]
    pub fn peak_mib(&self) -> u64 {
        super::memory::peak_mib(self.child.id())
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn command(dir: &Path, database: &str, bucket: &TestBucket) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_filedeck"));
    command
        .env("FILEDECK_CONFIG_DIR", dir)
        .env("FILEDECK_DATA_DIR", dir)
        .env("FILEDECK_STATE_DIR", dir);
    command
        .env("FILEDECK_LOG", "off")
        .env("FILEDECK_SERVICE_TOKEN", TOKEN)
        .envs(bucket.variables(SECRET));
    command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--import-allow",
        "127.0.0.0/8",
    ]);
    command.args(["--database", database, "--objects", ADDRESS]);
    command
}

impl Drop for ServedProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
