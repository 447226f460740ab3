//! Starts the child processes, one for pictures and one for documents, so that neither waits for
//! the other. They are kept between requests, and killed when a request takes too long or its
//! caller stops waiting.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::timeout;

use super::request::{ASKED, DrawAnswer, DrawKind, DrawRequest, Drawing, RequestHead, Undrawable};

/// The time limit of a request, from its turn to its answer.
const LIMIT: Duration = Duration::from_secs(10);
/// The size limit of a drawing in bytes.
const MOST: u64 = 20 * 1024 * 1024;

/// The program to start as a child process, and its two child processes, which clones share.
#[derive(Debug, Clone)]
pub struct Drawer {
    program: PathBuf,
    pictures: Arc<Mutex<Option<DrawProcess>>>,
    documents: Arc<Mutex<Option<DrawProcess>>>,
}

/// Exclusive use of one of the two child processes.
#[derive(Debug)]
pub struct DrawTurn<'a> {
    program: &'a Path,
    kept: MutexGuard<'a, Option<DrawProcess>>,
}

/// A child process; killed on drop.
#[derive(Debug)]
struct DrawProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drawer {
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            pictures: Arc::default(),
            documents: Arc::default(),
        }
    }

    /// Returns the drawer that starts this program, or `None` if the system does not report the
    /// path of the executable.
    pub fn this_program() -> Option<Self> {
        // Shared by all sessions, so that there are never more than two child processes.
        static THIS: OnceLock<Option<Drawer>> = OnceLock::new();
        THIS.get_or_init(|| env::current_exe().ok().map(Self::new))
            .clone()
    }

    /// Waits until the child process for files of this kind is free.
    pub async fn turn(&self, kind: DrawKind) -> DrawTurn<'_> {
        let kept = match kind {
            DrawKind::Picture => &self.pictures,
            DrawKind::Svg | DrawKind::Pdf | DrawKind::Font => &self.documents,
        };
        DrawTurn {
            program: &self.program,
            kept: kept.lock().await,
        }
    }
}

impl DrawTurn<'_> {
    /// Draws the file. If the returned future is dropped, the child process is killed.
    ///
    /// # Errors
    ///
    /// Returns the reason if there is no drawing.
    pub async fn draw(
        &mut self,
        request: DrawRequest,
        bytes: &[u8],
    ) -> Result<Drawing, Undrawable> {
        let mut kept = self.kept.take();
        // The system or the user may have ended it.
        let is_running = kept
            .as_mut()
            .is_some_and(|process| matches!(process.child.try_wait(), Ok(None)));
        let mut process = match kept.filter(|_| is_running) {
            Some(process) => process,
            None => DrawProcess::start(self.program).map_err(|error| {
                tracing::warn!(%error, "cannot start the child process that decodes pictures and documents");
                Undrawable::Unavailable
            })?,
        };
        match timeout(LIMIT, process.answer(request, bytes)).await {
            Ok(Ok(drawn)) => {
                *self.kept = Some(process);
                drawn
            }
            Ok(Err(broken)) => Err(broken),
            Err(_) => Err(Undrawable::TooSlow),
        }
    }
}

impl DrawProcess {
    /// Starts the program without the environment of this process, which may hold a token.
    fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command
            .arg(ASKED)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // Its address space is limited, and an arena for each thread would reserve much of it.
        command.env("MALLOC_ARENA_MAX", "1");
        // Windows starts no process without this variable.
        command.envs(env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
        // Ctrl-C is meant for this process alone.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.kill_on_drop(true).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// Sends a request and reads the answer; an outer error means that the process cannot be used
    /// again.
    async fn answer(
        &mut self,
        request: DrawRequest,
        bytes: &[u8],
    ) -> Result<Result<Drawing, Undrawable>, Undrawable> {
        let answer = match self.ask(request, bytes).await {
            Ok(()) => read(&mut self.output).await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Undrawable::Damaged),
            Err(_) => Err(why_ended(self.child.wait().await)),
        }
    }

    async fn ask(&mut self, request: DrawRequest, bytes: &[u8]) -> io::Result<()> {
        let mut head = serde_json::to_vec(&RequestHead {
            request,
            length: bytes.len() as u64,
        })?;
        head.push(b'\n');
        self.input.write_all(&head).await?;
        self.input.write_all(bytes).await?;
        self.input.flush().await
    }
}

async fn read(output: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Result<Drawing, Undrawable>> {
    let mut head = Vec::new();
    output.take(1024).read_until(b'\n', &mut head).await?;
    if head.last() != Some(&b'\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let (width, height, pages) = match serde_json::from_slice(&head)? {
        DrawAnswer::Drawn {
            width,
            height,
            pages,
        } => (width, height, pages),
        DrawAnswer::Undrawable(why) => return Ok(Err(why)),
    };
    let length = u64::from(width)
        .saturating_mul(height.into())
        .saturating_mul(4);
    if length == 0 || length > MOST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut rgba = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    output.read_exact(&mut rgba).await?;
    Ok(Ok(Drawing {
        width,
        height,
        pages,
        rgba,
    }))
}

/// Returns the reason why a process ended within a request: its CPU time, or most often its memory.
fn why_ended(status: io::Result<ExitStatus>) -> Undrawable {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        let is_out_of_time =
            |status: ExitStatus| status.signal() == Some(rustix::process::Signal::XCPU.as_raw());
        if status.is_ok_and(is_out_of_time) {
            return Undrawable::TooSlow;
        }
    }
    Undrawable::TooMuch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_is_whole_or_says_why() {
        let answer = async |head: &str, pixels: &[u8]| {
            let bytes = [head.as_bytes(), b"\n", pixels].concat();
            read(&mut bytes.as_slice())
                .await
                .map_err(|error| error.kind())
        };
        let head = r#"{"Drawn":{"width":1,"height":1,"pages":3}}"#;
        let drawing = Drawing {
            width: 1,
            height: 1,
            pages: 3,
            rgba: vec![1, 2, 3, 4],
        };
        assert_eq!(answer(head, &[1, 2, 3, 4]).await, Ok(Ok(drawing)));
        assert_eq!(answer(head, &[1]).await, Err(io::ErrorKind::UnexpectedEof));
        assert_eq!(
            read(&mut [].as_slice()).await.unwrap_err().kind(),
            io::ErrorKind::UnexpectedEof
        );
        for bad in [
            "running 0 tests",
            r#"{"Drawn":{"width":9000,"height":9000,"pages":1}}"#,
        ] {
            assert_eq!(
                answer(bad, &[]).await,
                Err(io::ErrorKind::InvalidData),
                "{bad}"
            );
        }
        assert_eq!(
            answer(r#"{"Undrawable":"Damaged"}"#, &[]).await,
            Ok(Err(Undrawable::Damaged))
        );
    }
}
