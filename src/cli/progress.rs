//! The progress of a run, on standard error: bars on a terminal, otherwise a line for each wait and
//! one a minute, or one every few seconds with `--progress`.

use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use jiff::Timestamp;

use super::format::Format;
use super::waits::{self, Waits};
use super::{logging, stderr};
use crate::engine::batch::{Batch, Bytes, Counts, RunningJob};
use crate::tui::widget::figures;

/// One bar for each running job, and below them a line for the whole run. Removed when dropped.
#[derive(Debug)]
pub struct Bars {
    shown: MultiProgress,
    /// Bars by label.
    jobs: Vec<(String, ProgressBar)>,
    /// Present if there is more than one job.
    whole: Option<ProgressBar>,
    waits: Waits,
    lines: PlainLines,
}

/// The time between lines, without and with `--progress`.
pub const SELDOM: Duration = Duration::from_mins(1);
pub const OFTEN: Duration = Duration::from_secs(5);

const BYTES: &str = "{wide_msg}  [{bar:20}] {percent:>3}%  {decimal_bytes}/{decimal_total_bytes}  {decimal_bytes_per_sec}  {eta}";
const WORDS: &str = "{wide_msg}";
const WHOLE: &str = "{msg}  {decimal_bytes}/{decimal_total_bytes}  {decimal_bytes_per_sec}  {eta}";

impl Bars {
    pub fn new(jobs: usize, format: Format, every: Duration) -> Self {
        let target = if stderr::is_terminal() && !format.quiet && !logging::shows_requests() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let shown = MultiProgress::with_draw_target(target);
        let whole = (jobs > 1).then(|| shown.add(ProgressBar::no_length()));
        let lines = PlainLines {
            format,
            every,
            last: (Timestamp::now(), 0),
        };
        Self {
            shown,
            jobs: Vec::new(),
            whole,
            waits: Waits::new(format),
            lines,
        }
    }

    pub fn show(&mut self, batch: &Batch) {
        let now = Timestamp::now();
        if self.shown.is_hidden() {
            for job in &batch.running {
                if let Some(wait) = job.waiting {
                    self.waits.see(&job.label, wait, now);
                }
            }
            let under_way: Vec<&str> = batch.running.iter().map(|job| job.label.as_str()).collect();
            self.lines.show(batch.counts, batch.bytes, &under_way, now);
            return;
        }
        let mut before = std::mem::take(&mut self.jobs);
        for job in &batch.running {
            let known = before.iter().position(|(label, _)| *label == job.label);
            let bar = known.map_or_else(|| self.add(), |at| before.swap_remove(at).1);
            show_job(&bar, job, now);
            self.jobs.push((job.label.clone(), bar));
        }
        for (_, ended) in &before {
            self.remove(ended);
        }
        if let Some(whole) = &self.whole {
            show_whole(whole, batch.counts, batch.bytes);
        }
    }

    /// Shows the run without its jobs.
    pub fn show_whole(&mut self, counts: Counts, bytes: Bytes) {
        match &self.whole {
            _ if self.shown.is_hidden() => self.lines.show(counts, bytes, &[], Timestamp::now()),
            Some(whole) => show_whole(whole, counts, bytes),
            None => {}
        }
    }

    /// Runs `say` while the bars are hidden.
    pub fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.shown.suspend(say)
    }

    fn add(&self) -> ProgressBar {
        let bar = ProgressBar::no_length();
        match &self.whole {
            Some(whole) => self.shown.insert_before(whole, bar),
            None => self.shown.add(bar),
        }
    }

    fn remove(&self, bar: &ProgressBar) {
        bar.finish_and_clear();
        self.shown.remove(bar);
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        for bar in self.jobs.iter().map(|(_, bar)| bar).chain(&self.whole) {
            self.remove(bar);
        }
    }
}

fn show_job(bar: &ProgressBar, job: &RunningJob, now: Timestamp) {
    let (done, total) = job.bytes.unwrap_or_default();
    set_style(bar, if total.is_some() { BYTES } else { WORDS });
    let left = job
        .waiting
        .map(|(until, reason)| reason.in_words(waits::seconds(waits::left(until, now))));
    bar.set_message(left.map_or_else(
        || job.label.clone(),
        |left| format!("{}  {left}", job.label),
    ));
    set_bytes(bar, Bytes { done, total });
}

fn show_whole(bar: &ProgressBar, counts: Counts, bytes: Bytes) {
    set_style(bar, if bytes.total.is_some() { WHOLE } else { WORDS });
    bar.set_message(in_words(counts));
    set_bytes(bar, bytes);
}

/// Formats counts as `12 of 40, 1 failed`.
fn in_words(counts: Counts) -> String {
    let failed = if counts.failed > 0 {
        format!(", {} failed", counts.failed)
    } else {
        String::new()
    };
    format!("{} of {}{failed}", counts.settled(), counts.total)
}

/// Progress in plain lines, where no one sees bars: in the log of an overnight run.
#[derive(Debug)]
struct PlainLines {
    format: Format,
    every: Duration,
    /// The time of the last line, or of the start, and the bytes done by then.
    last: (Timestamp, u64),
}

impl PlainLines {
    fn show(&mut self, counts: Counts, bytes: Bytes, under_way: &[&str], now: Timestamp) {
        let (shown_at, done) = self.last;
        let Ok(since) = Duration::try_from(now.duration_since(shown_at)) else {
            return;
        };
        if since < self.every {
            return;
        }
        let rate = bytes.done.saturating_sub(done) / since.as_secs().max(1);
        stderr::note(self.format, &plain_line(counts, bytes, under_way, rate));
        self.last = (now, bytes.done);
    }
}

/// Formats a line such as `12 of 40, 1 failed, 120 of 900 MB, 2.0 MB/s, 6:30 left, now: a.bin,
/// b.bin`.
fn plain_line(counts: Counts, bytes: Bytes, under_way: &[&str], rate: u64) -> String {
    let mut parts = vec![in_words(counts)];
    if let Some(total) = bytes.total.filter(|total| *total > 0) {
        parts.push(figures::size_of(bytes.done, total));
        if rate > 0 {
            parts.push(format!("{}/s", figures::size(rate)));
            parts.push(format!(
                "{} left",
                figures::elapsed(total.saturating_sub(bytes.done) / rate)
            ));
        }
    }
    if !under_way.is_empty() {
        parts.push(format!("now: {}", under_way.join(", ")));
    }
    parts.join(", ")
}

fn set_bytes(bar: &ProgressBar, bytes: Bytes) {
    if let Some(total) = bytes.total {
        bar.set_length(total);
    }
    bar.set_position(bytes.done);
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("##-"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_has_counts_bytes_rate_time_left_and_what_is_under_way() {
        let counts = Counts {
            total: 40,
            done: 11,
            failed: 1,
            running: 2,
            cancelled: 0,
        };
        let bytes = Bytes {
            done: 120_000_000,
            total: Some(900_000_000),
        };
        assert_eq!(
            plain_line(counts, bytes, &["a.bin", "b.bin"], 2_000_000),
            "12 of 40, 1 failed, 120 of 900 MB, 2.0 MB/s, 6:30 left, now: a.bin, b.bin"
        );
        assert_eq!(
            plain_line(
                Counts {
                    failed: 0,
                    ..counts
                },
                Bytes::default(),
                &[],
                0
            ),
            "11 of 40"
        );
    }

    #[test]
    fn a_line_comes_each_minute_with_the_rate_since_the_last_one() {
        let format = Format {
            json: false,
            quiet: true,
        };
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        let mut lines = PlainLines {
            format,
            every: SELDOM,
            last: (at(0), 0),
        };
        let mut show = |seconds| {
            lines.show(
                Counts::default(),
                Bytes {
                    done: 60_000,
                    total: None,
                },
                &[],
                at(seconds),
            );
            lines.last
        };
        assert_eq!(show(59), (at(0), 0), "not yet");
        assert_eq!(show(60), (at(60), 60_000));
    }
}
