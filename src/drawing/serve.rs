//! The process that draws: takes one request, answers it, and ends. It bounds itself before it reads.

use std::env;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::process::ExitCode;

use super::request::{ASKED, DrawAnswer, DrawRequest, Drawing, Undrawable};

/// Bytes of a document.
const MOST: u64 = 16 * 1024 * 1024;

/// Whether this process was started to draw.
pub fn is_asked() -> bool {
    env::args_os().nth(1).is_some_and(|first| first == ASKED)
}

/// Draws what the input says.
pub fn serve() -> ExitCode {
    let done = bound().and_then(|()| answer());
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// From here on the system ends this process where it takes too much.
#[cfg(unix)]
fn bound() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// Of memory, the program itself included.
    const MEMORY: u64 = 512 * 1024 * 1024;
    const SECONDS: u64 = 5;
    // Other systems refuse less than what the process has mapped already.
    let memory = cfg!(target_os = "linux").then_some((Resource::As, MEMORY));
    for (resource, most) in [(Resource::Core, 0), (Resource::Cpu, SECONDS)].into_iter().chain(memory) {
        let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn bound() -> io::Result<()> {
    Ok(())
}

fn answer() -> io::Result<()> {
    let (mut head, mut bytes) = (String::new(), Vec::new());
    let mut input = io::stdin().lock();
    input.read_line(&mut head)?;
    input.take(MOST).read_to_end(&mut bytes)?;
    let request: DrawRequest = serde_json::from_str(&head)?;
    // What panics has no answer; it was no good document either.
    let drawn = std::panic::catch_unwind(|| draw(request, bytes)).unwrap_or(Err(Undrawable::Damaged));
    let (head, pixels) = match drawn {
        Ok(Drawing { width, height, pages, rgba }) => (DrawAnswer::Drawn { width, height, pages }, rgba),
        Err(why) => (DrawAnswer::Undrawable(why), Vec::new()),
    };
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, &head)?;
    output.write_all(b"\n")?;
    output.write_all(&pixels)?;
    output.flush()
}

#[cfg(feature = "previews")]
fn draw(request: DrawRequest, bytes: Vec<u8>) -> Result<Drawing, Undrawable> {
    use super::request::DrawKind;
    use super::{font, pdf, svg};
    let drawing = match request.kind {
        DrawKind::Svg => svg::draw(&bytes, request),
        DrawKind::Pdf => pdf::draw(bytes, request),
        DrawKind::Font => font::draw(&bytes, request),
    };
    drawing.ok_or(Undrawable::Damaged)
}

#[cfg(not(feature = "previews"))]
fn draw(_: DrawRequest, _: Vec<u8>) -> Result<Drawing, Undrawable> {
    Err(Undrawable::Unavailable)
}
