//! Starts a process for one drawing, and ends it where it takes too long or nobody waits anymore.

use std::env;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::request::{ASKED, DrawAnswer, DrawRequest, Drawing, Undrawable};

/// How long a drawing is waited for.
const LIMIT: Duration = Duration::from_secs(4);
/// An answer is no larger.
const MOST: u64 = 20 * 1024 * 1024;

/// One at a time, so that their bounds on memory are one.
static TURN: Semaphore = Semaphore::const_new(1);

/// The program that is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawer {
    pub program: PathBuf,
}

/// The process ends with this.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drawer {
    /// This program itself; none if the system does not say where it is, or it was built without drawing.
    pub fn this_program() -> Option<Self> {
        if cfg!(feature = "previews") { env::current_exe().ok().map(|program| Self { program }) } else { None }
    }

    /// # Errors
    ///
    /// If there is nothing to be drawn, or it takes too much.
    pub async fn draw(&self, request: DrawRequest, bytes: Vec<u8>) -> Result<Drawing, Undrawable> {
        // The semaphore is never closed.
        let _turn = TURN.acquire().await.map_err(|_| Undrawable::Unavailable)?;
        let mut child = self.start().map_err(|error| {
            tracing::warn!(%error, "a preview cannot be drawn");
            Undrawable::Unavailable
        })?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let ending = Ending(child);
        let exchange = spawn_blocking(move || {
            let (mut input, output) = (input?, output?);
            // It may end before it has read all.
            let head = serde_json::to_vec(&request).ok()?;
            let _ = [head.as_slice(), b"\n", &bytes].into_iter().try_for_each(|part| input.write_all(part));
            drop(input);
            let mut answer = Vec::new();
            output.take(MOST).read_to_end(&mut answer).ok()?;
            Some(answer)
        });
        let answer = timeout(LIMIT, exchange).await;
        drop(ending);
        let answer = answer.map_err(|_| Undrawable::TooSlow)?;
        read(answer.ok().flatten().unwrap_or_default())
    }

    /// Nothing of this process's environment is passed on: it may hold a token.
    fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command.arg(ASKED).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Windows starts nothing without it.
        command.envs(env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
        command.spawn()
    }
}

/// An answer that breaks off is that of a process which was ended for its memory.
fn read(mut answer: Vec<u8>) -> Result<Drawing, Undrawable> {
    let end = answer.iter().position(|byte| *byte == b'\n').ok_or(Undrawable::TooMuch)?;
    let head = answer.get(..end).and_then(|head| serde_json::from_slice(head).ok()).ok_or(Undrawable::Damaged)?;
    match head {
        DrawAnswer::Drawn { width, height, pages } => {
            let rgba = answer.split_off(end + 1);
            let is_whole = rgba.len() as u64 == u64::from(width) * u64::from(height) * 4 && !rgba.is_empty();
            if is_whole { Ok(Drawing { width, height, pages, rgba }) } else { Err(Undrawable::TooMuch) }
        }
        DrawAnswer::Undrawable(why) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_or_says_why() {
        let head = br#"{"Drawn":{"width":1,"height":1,"pages":3}}"#;
        let answer = |pixels: &[u8]| [head.as_slice(), b"\n", pixels].concat();
        let drawing = Drawing { width: 1, height: 1, pages: 3, rgba: vec![1, 2, 3, 4] };
        assert_eq!(read(answer(&[1, 2, 3, 4])), Ok(drawing));
        assert_eq!(read(answer(&[1])), Err(Undrawable::TooMuch));
        assert_eq!(read(Vec::new()), Err(Undrawable::TooMuch));
        assert_eq!(read(b"running 0 tests\n".to_vec()), Err(Undrawable::Damaged));
        assert_eq!(read(b"{\"Undrawable\":\"Damaged\"}\n".to_vec()), Err(Undrawable::Damaged));
    }
}
