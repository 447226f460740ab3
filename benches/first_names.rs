//! Measures the time from the key press to the first names on the screen, for a folder of a hundred
//! thousand files and one of twenty, in turns, each in a terminal of its own: `cargo bench --bench
//! first_names`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should panic; it prints"
)]

#[path = "shared/large_folder.rs"]
mod large_folder;
#[path = "shared/served.rs"]
mod served;
#[path = "shared/server_database.rs"]
mod server_database;

use std::io::{Read as _, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use large_folder::fill;
use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use served::{Served, TOKEN};

const FEW: i64 = 20;
const MANY: i64 = 100_000;
const ROUNDS: usize = 50;
/// The silence after which the screen has finished drawing.
const QUIET: Duration = Duration::from_millis(150);
/// The beginnings of the folder's name and of the names in it on the screen.
const FOLDER: &[u8] = b"large";
const NAMES: &[u8] = b"file-";

fn main() {
    // `cargo test --all-targets` runs benchmarks, too, without `--bench`: it must not take minutes.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let (mut few, mut many) = (Screen::over(FEW), Screen::over(MANY));
    let (mut times_few, mut times_many) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        times_few.push(few.open());
        times_many.push(many.open());
    }
    for (files, times) in [(FEW, &mut times_few), (MANY, &mut times_many)] {
        times.sort();
        println!(
            "{files} files: first names {:.2?} after the key, {:.2?} at best",
            times[ROUNDS / 2],
            times[0]
        );
    }
    let ratio = |at: usize| times_many[at].as_secs_f64() / times_few[at].as_secs_f64();
    println!(
        "{MANY} files: {:.2} times, {:.2} at best",
        ratio(ROUNDS / 2),
        ratio(0)
    );
}

/// The program on an account with one folder, which is under the cursor.
struct Screen {
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    program: Box<dyn Child + Send + Sync>,
    _served: Served,
    _dirs: [tempfile::TempDir; 2],
}

impl Screen {
    fn over(files: i64) -> Self {
        let (data, config) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fill(data.path(), files);
        let served = Served::start(&served::binary(), data.path());
        configure(config.path(), &served.base_url);
        let pty = native_pty_system();
        let pair = pty
            .openpty(PtySize {
                rows: 40,
                cols: 120,
                pixel_width: 0,
                pixel_height: 0,
            })
            .unwrap();
        let mut command = CommandBuilder::new(served::binary());
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("COLORTERM", "truecolor"),
            ("LANG", "C.UTF-8"),
        ] {
            command.env(name, value);
        }
        for name in [
            "FILEDECK_CONFIG_DIR",
            "FILEDECK_DATA_DIR",
            "FILEDECK_STATE_DIR",
        ] {
            command.env(name, config.path());
        }
        let program = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            // Kept open: the program would stop when its terminal closes.
            let _master = pair.master;
            let mut bytes = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut screen = Self {
            keys,
            output,
            program,
            _served: served,
            _dirs: [data, config],
        };
        screen.read_until(FOLDER);
        // Without a preview.
        screen.keys.write_all(b"P").unwrap();
        screen
    }

    /// Opens the folder and leaves it again; returns the time until its names appeared.
    fn open(&mut self) -> Duration {
        let took = self.press(b"l", NAMES);
        self.press(b"h", FOLDER);
        took
    }

    /// Presses a key when all is quiet, and returns the time until the awaited bytes appeared.
    fn press(&mut self, key: &[u8], awaited: &[u8]) -> Duration {
        while self.output.recv_timeout(QUIET).is_ok() {}
        let begun = Instant::now();
        self.keys.write_all(key).unwrap();
        self.read_until(awaited);
        begun.elapsed()
    }

    fn read_until(&mut self, awaited: &[u8]) {
        let mut seen = Vec::new();
        while !seen.windows(awaited.len()).any(|window| window == awaited) {
            seen.extend(self.output.recv_timeout(Duration::from_secs(10)).unwrap());
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn configure(dir: &Path, base_url: &str) {
    let token = dir.join("token");
    std::fs::write(&token, TOKEN).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&token, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let config = format!(
        "account = \"bench\"\n[accounts.bench]\nbase_url = \"{base_url}\"\ntoken_file = \"token\"\n"
    );
    std::fs::write(dir.join("config.toml"), config).unwrap();
}
