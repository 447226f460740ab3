//! The state of a run, on standard error: bars where a person sees them, elsewhere a line for each wait.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use jiff::Timestamp;

use super::format::Format;
use super::stderr::{self, Waits};
use crate::engine::batch::{Batch, Bytes, RunningJob};

/// One bar for each job under way, and below them a line for the whole. Removed when it is dropped.
#[derive(Debug)]
pub struct Bars {
    shown: MultiProgress,
    /// By their labels.
    jobs: Vec<(String, ProgressBar)>,
    /// Where there is more than one job.
    whole: Option<ProgressBar>,
    waits: Waits,
}

const BYTES: &str = "{wide_msg}  [{bar:20}] {percent:>3}%  {bytes}/{total_bytes}  {bytes_per_sec}  {eta}";
const WORDS: &str = "{wide_msg}";
const WHOLE: &str = "{msg}  {bytes_per_sec}  {eta}";

impl Bars {
    /// For a run of so many jobs.
    pub fn new(jobs: usize, format: Format) -> Self {
        let target = if stderr::is_terminal() && !format.quiet {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let shown = MultiProgress::with_draw_target(target);
        let whole = (jobs > 1).then(|| shown.add(ProgressBar::no_length()));
        Self { shown, jobs: Vec::new(), whole, waits: Waits::new(format) }
    }

    /// Shows its state now.
    pub fn show(&mut self, batch: &Batch) {
        let now = Timestamp::now();
        if self.shown.is_hidden() {
            for wait in batch.running.iter().filter_map(|job| job.waiting) {
                self.waits.see(wait, now);
            }
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
            show_whole(whole, batch);
        }
    }

    /// Says something while no bar is in the way.
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
    let left = job.waiting.map(|(until, reason)| reason.in_words(stderr::seconds(stderr::left(until, now))));
    bar.set_message(left.map_or_else(|| job.label.clone(), |left| format!("{}  {left}", job.label)));
    set_bytes(bar, Bytes { done, total });
}

fn show_whole(bar: &ProgressBar, batch: &Batch) {
    set_style(bar, if batch.bytes.total.is_some() { WHOLE } else { WORDS });
    bar.set_message(format!("{} of {}", batch.counts.settled(), batch.counts.total));
    set_bytes(bar, batch.bytes);
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
