//! A program in a pseudo-terminal: a terminal emulator reads its output, and tests wait for
//! conditions.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Far more than anything here takes; only a failure waits this long.
const PATIENCE: Duration = Duration::from_mins(1);
/// Longer than a question ignores keys after it opens.
const DEAF: Duration = Duration::from_millis(200);

pub(super) struct Pty {
    shared: Arc<Shared>,
    keyboard: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// The modes before anything ran in it.
    modes: String,
}

struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
}

struct Seen {
    terminal: vt100::Parser,
    bytes: Vec<u8>,
    /// `true` once the program and all its children have closed the terminal.
    ended: bool,
}

impl Pty {
    pub(super) fn spawn(mut command: CommandBuilder, cols: u16, rows: u16) -> Self {
        command.env("LC_ALL", "C.UTF-8");
        let pair = native_pty_system().openpty(size(cols, rows)).unwrap();
        let modes = modes(&*pair.master);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let terminal = vt100::Parser::new(non_zero(rows), non_zero(cols), 0);
        let shared = Arc::new(Shared {
            seen: Mutex::new(Seen {
                terminal,
                bytes: Vec::new(),
                ended: false,
            }),
            changed: Condvar::new(),
        });
        let mut output = pair.master.try_clone_reader().unwrap();
        let reader = Arc::clone(&shared);
        thread::spawn(move || {
            let mut bytes = [0; 8192];
            loop {
                // A closed terminal reads as an error on Linux, as the end elsewhere.
                let read = output.read(&mut bytes).unwrap_or(0);
                let mut seen = reader.seen.lock().unwrap();
                seen.terminal.process(bytes.get(..read).unwrap());
                seen.bytes.extend_from_slice(&bytes[..read]);
                seen.ended = read == 0;
                reader.changed.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Self {
            shared,
            keyboard: pair.master.take_writer().unwrap(),
            master: pair.master,
            child,
            modes,
        }
    }

    pub(super) fn send(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    pub(super) fn resize(&mut self, cols: u16, rows: u16) {
        self.shared
            .seen
            .lock()
            .unwrap()
            .terminal
            .set_size(non_zero(rows), non_zero(cols));
        self.master.resize(size(cols, rows)).unwrap();
    }

    pub(super) fn process_id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits until the screen satisfies `condition`; panics with the last screen if it never does.
    pub(super) fn wait_until(&self, what: &str, condition: impl Fn(&vt100::Screen) -> bool) {
        self.wait(what, |seen| condition(seen.terminal.screen()));
    }

    pub(super) fn wait_for_text(&self, text: &str) {
        self.wait_until(text, |screen| screen.contents().contains(text));
    }

    pub(super) fn wait_for_no_text(&self, text: &str) {
        self.wait_until(&format!("no {text}"), |screen| {
            !screen.contents().contains(text)
        });
    }

    /// Types at a question on the screen, which ignores keys until somebody can have read it.
    /// Repeating the keys until one works could move between the buttons once too often.
    pub(super) fn answer(&mut self, keys: &str) {
        // Not a wait for an event: nobody types sooner.
        thread::sleep(DEAF);
        self.send(keys);
    }

    pub(super) fn answer_on(&mut self, keys: &str, button: &str) {
        self.answer(keys);
        self.wait_until(&format!("the cursor on {button}"), |screen| {
            let (row, column) = screen.cursor_position();
            let cells = u16::try_from(button.len()).unwrap() + 3;
            screen
                .rows(column, cells)
                .nth(row.into())
                .is_some_and(|text| text.contains(button))
        });
        self.send("\r");
    }

    pub(super) fn wait_for_end(&mut self) -> ExitStatus {
        self.wait("the end of the program", |seen| seen.ended);
        self.child.wait().unwrap()
    }

    /// Asserts after the end that the terminal is as it was before.
    #[track_caller]
    pub(super) fn assert_given_back(&self) {
        assert_eq!(modes(&*self.master), self.modes);
        let seen = self.shared.seen.lock().unwrap();
        let screen = seen.terminal.screen();
        assert!(!screen.alternate_screen() && !screen.bracketed_paste() && !screen.hide_cursor());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(
            screen.mouse_protocol_encoding(),
            vt100::MouseProtocolEncoding::Default
        );
    }

    /// The mouse modes that were set and unset, in order, such as `?1002h`.
    pub(super) fn mouse_modes(&self) -> Vec<String> {
        let bytes = String::from_utf8_lossy(&self.shared.seen.lock().unwrap().bytes).into_owned();
        let sequences = bytes
            .split("\x1b[")
            .skip(1)
            .filter_map(|rest| rest.split_inclusive(['h', 'l']).next());
        sequences
            .filter(|mode| mode.starts_with("?10") && !mode.contains("1049"))
            .map(str::to_owned)
            .collect()
    }

    /// The text of the copy with number `count` to the terminal's clipboard, from 1; waits for it.
    pub(super) fn wait_for_copy(&self, count: usize) -> String {
        self.wait(&format!("copy {count}"), |seen| {
            copies(&seen.bytes).len() >= count
        });
        copies(&self.shared.seen.lock().unwrap().bytes).swap_remove(count - 1)
    }

    pub(super) fn contents(&self) -> String {
        self.shared
            .seen
            .lock()
            .unwrap()
            .terminal
            .screen()
            .contents()
    }

    fn wait(&self, what: &str, condition: impl Fn(&Seen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = self.shared.seen.lock().unwrap();
        while !condition(&seen) {
            let left = deadline.saturating_duration_since(Instant::now());
            let screen = seen.terminal.screen().contents();
            assert!(
                !left.is_zero(),
                "never saw {what}; the last screen:\n{screen}"
            );
            assert!(
                !seen.ended,
                "the program ended before {what}; the last screen:\n{screen}"
            );
            seen = self.shared.changed.wait_timeout(seen, left).unwrap().0;
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Already ended in most tests.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn in_terminal(command: &Command) -> CommandBuilder {
    let mut built = CommandBuilder::new(command.get_program());
    built.args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        built.cwd(folder);
    }
    command.get_envs().for_each(|(name, value)| match value {
        Some(value) => built.env(name, value),
        None => built.env_remove(name),
    });
    built
}

fn copies(bytes: &[u8]) -> Vec<String> {
    let bytes = String::from_utf8_lossy(bytes);
    let encoded = bytes
        .split("\x1b]52;c;")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once("\x1b\\")?.0));
    encoded
        .map(|text| String::from_utf8(STANDARD.decode(text).unwrap()).unwrap())
        .collect()
}

#[cfg(unix)]
fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}

/// The modes belong to the console there, not to the terminal.
#[cfg(not(unix))]
fn modes(_: &dyn MasterPty) -> String {
    String::new()
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn non_zero(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap()
}
