//! The child process: answers requests one by one until its input ends. It sets its limits before
//! it reads.

use std::env;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::process::ExitCode;

use super::request::{ASKED, DrawAnswer, DrawKind, DrawRequest, Drawing, RequestHead, Undrawable};
use super::{bounds, picture};

/// Returns `true` if this process was started as a child process that draws.
pub fn is_asked() -> bool {
    env::args_os().nth(1).is_some_and(|first| first == ASKED)
}

/// Answers the requests on standard input until it ends.
pub fn serve() -> ExitCode {
    let served = bounds::set().and_then(|()| answer_all());
    if served.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn answer_all() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    loop {
        let mut head = String::new();
        if input.read_line(&mut head)? == 0 {
            return Ok(());
        }
        let RequestHead { request, length } = serde_json::from_str(&head)?;
        let mut bytes = Vec::new();
        input.by_ref().take(length).read_to_end(&mut bytes)?;
        bounds::allow_one_request()?;
        // A file that causes a panic is damaged.
        let drawn =
            std::panic::catch_unwind(|| draw(request, &bytes)).unwrap_or(Err(Undrawable::Damaged));
        let (head, pixels) = match drawn {
            Ok(Drawing {
                width,
                height,
                pages,
                rgba,
            }) => (
                DrawAnswer::Drawn {
                    width,
                    height,
                    pages,
                },
                rgba,
            ),
            Err(why) => (DrawAnswer::Undrawable(why), Vec::new()),
        };
        serde_json::to_writer(&mut output, &head)?;
        output.write_all(b"\n")?;
        output.write_all(&pixels)?;
        output.flush()?;
    }
}

fn draw(request: DrawRequest, bytes: &[u8]) -> Result<Drawing, Undrawable> {
    match request.kind {
        DrawKind::Picture => picture::draw(bytes, request),
        #[cfg(feature = "previews")]
        DrawKind::Svg => super::svg::draw(bytes, request).ok_or(Undrawable::Damaged),
        #[cfg(feature = "previews")]
        DrawKind::Pdf => super::pdf::draw(bytes, request).ok_or(Undrawable::Damaged),
        #[cfg(feature = "previews")]
        DrawKind::Font => super::font::draw(bytes, request).ok_or(Undrawable::Damaged),
        #[cfg(not(feature = "previews"))]
        DrawKind::Svg | DrawKind::Pdf | DrawKind::Font => Err(Undrawable::Unavailable),
    }
}
