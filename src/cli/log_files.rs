//! The logs of the screen: one file per day in the state directory, kept for a week.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use super::logging::filter;
use crate::config::create_private_dir;
use crate::regular_file;

const DAYS_KEPT: u8 = 7;
const PREFIX: &str = "filedeck";
const SUFFIX: &str = "log";

/// Logs to one file per day in `folder`, which is created if missing, and keeps a week of them. The
/// last lines are written when the guard is dropped.
pub fn to_files(folder: &Path) -> anyhow::Result<WorkerGuard> {
    create_private_dir(folder)?;
    let (writer, guard) = tracing_appender::non_blocking(DailyLog::open(folder)?);
    let lines = fmt::layer().with_writer(writer).with_ansi(false);
    registry().with(lines.with_filter(filter("info"))).init();
    if let Err(error) = remove_old(folder, SystemTime::now()) {
        tracing::warn!(%error, "old logs could not be removed");
    }
    Ok(guard)
}

/// The log file of the current day, replaced when the next day begins.
#[derive(Debug)]
struct DailyLog {
    folder: PathBuf,
    day: Date,
    file: File,
}

impl DailyLog {
    fn open(folder: &Path) -> io::Result<Self> {
        let day = today();
        let file = regular_file::open_own(&folder.join(format!("{PREFIX}.{day}.{SUFFIX}")))?;
        Ok(Self {
            folder: folder.to_owned(),
            day,
            file,
        })
    }
}

impl Write for DailyLog {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.day != today() {
            *self = Self::open(&self.folder)?;
            remove_old(&self.folder, SystemTime::now())?;
        }
        self.file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// Removes the logs last written more than a week before `now`.
fn remove_old(folder: &Path, now: SystemTime) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_log = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
            && path
                .extension()
                .is_some_and(|extension| extension == SUFFIX);
        let age = || -> io::Result<Duration> {
            Ok(now
                .duration_since(path.metadata()?.modified()?)
                .unwrap_or_default())
        };
        if is_log && age()? > Duration::from_hours(24 * u64::from(DAYS_KEPT)) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_kept_for_a_week_and_other_files_for_ever() {
        let dir = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let aged = |name: &str, hours: u64| {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_modified(now - Duration::from_hours(hours))
                .unwrap();
        };
        aged("filedeck.2026-11-01.log", 7 * 24 + 1);
        aged("filedeck.2026-11-08.log", 7 * 24 - 1);
        aged("journal.db", 1_000);
        aged("other.log", 1_000);
        remove_old(dir.path(), now).unwrap();
        let mut left: Vec<_> = fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["filedeck.2026-11-08.log", "journal.db", "other.log"]);
    }
}
