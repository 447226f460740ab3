//! Sends the query to the terminal, and reads until everything is answered or the time is up.

use std::fs::File;
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};

use super::answers::Reader;

const WITHIN: Duration = Duration::from_millis(120);
/// Extra time for the rest of an answer that has begun.
const LONGER: Duration = Duration::from_millis(30);

/// Sends the query and reads the answers. The input stream reads the same file later.
pub(super) fn exchange(query: &str, reader: &mut Reader) -> io::Result<()> {
    let stdin = stdin();
    let tty = if stdin.is_terminal() {
        None
    } else {
        Some(File::open("/dev/tty")?)
    };
    let tty = tty.as_ref().map_or(stdin.as_fd(), AsFd::as_fd);
    let mut terminal = stdout();
    terminal.write_all(query.as_bytes())?;
    terminal.flush()?;
    let start = Instant::now();
    while !reader.is_over() {
        let within = if reader.is_amid() {
            WITHIN + LONGER
        } else {
            WITHIN
        };
        let left = within.saturating_sub(start.elapsed());
        if left.is_zero() || !has_more(tty, left, reader)? {
            break;
        }
    }
    Ok(())
}

/// Waits for bytes and reads them; returns `true` if more may come.
fn has_more(tty: BorrowedFd<'_>, wait: Duration, reader: &mut Reader) -> io::Result<bool> {
    let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
    let mut polled = [PollFd::from_borrowed_fd(tty, PollFlags::IN)];
    match poll(&mut polled, Some(&wait)) {
        Err(Errno::INTR) => return Ok(true),
        waited => waited?,
    };
    if !polled
        .iter()
        .all(|polled| polled.revents().contains(PollFlags::IN))
    {
        return Ok(false);
    }
    let mut bytes = [0; 1024];
    let count = read(tty, &mut bytes)?;
    reader.read(bytes.get(..count).unwrap_or_default());
    Ok(count > 0)
}
