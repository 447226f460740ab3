//! The binary under measurement, served in a process of its own: this one, or the one that
//! `FILEDECK_BENCH_BINARY` names, for comparison.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::server_database;

pub(crate) const TOKEN: &str = "bench-token";

pub(crate) fn binary() -> OsString {
    std::env::var_os("FILEDECK_BENCH_BINARY")
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_filedeck").into())
}

/// A running service, killed on drop.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) base_url: String,
}

impl Served {
    pub(crate) fn start(binary: &OsStr, dir: &Path) -> Self {
        let database = server_database::address(dir);
        let args: Vec<&str> = database
            .iter()
            .flat_map(|address| ["--database", address])
            .collect();
        Self::start_with(binary, dir, &args, &[])
    }

    pub(crate) fn start_with(
        binary: &OsStr,
        dir: &Path,
        args: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let mut child = Command::new(binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(dir)
            .args(args)
            .env("FILEDECK_SERVICE_TOKEN", TOKEN)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        Self {
            child,
            base_url: line.trim_end().to_owned(),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
