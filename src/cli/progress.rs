//! The bar of a running transfer: on standard error, and only where a person sees it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::talk;
use crate::api::text;
use crate::engine::message::{Progress, WaitReason};
use crate::engine::report::Report;

/// Removed when it is dropped.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    name: String,
}

const TEMPLATE: &str = "{msg}  [{bar:30}] {percent:>3}%  {bytes}/{total_bytes}  {bytes_per_sec}  {eta}";

impl Bar {
    /// A bar for the transfer of `name`; `total` in bytes, if it is known already.
    pub fn new(name: &str, total: Option<u64>) -> Self {
        let target = if talk::is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total, target);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.progress_chars("##-"));
        }
        let name = text::visible(name).into_owned();
        bar.set_message(name.clone());
        Self { bar, name }
    }

    /// What an operation tells its progress to.
    pub fn report(&self) -> Report {
        let (bar, name) = (self.bar.clone(), self.name.clone());
        Report::new(move |progress| match progress {
            Progress::Bytes { done, total } => {
                if let Some(total) = total {
                    bar.set_length(total);
                }
                bar.set_message(name.clone());
                bar.set_position(done);
            }
            Progress::Waiting { wait, reason } => {
                let why = match reason {
                    WaitReason::RateLimit => "for the rate limit",
                    WaitReason::Retry => "before the next try",
                };
                bar.set_message(format!("{name}  waiting {} s {why}", wait.as_secs_f32().ceil()));
            }
            Progress::Started | Progress::Items { .. } | Progress::Accepted { .. } | Progress::Task { .. } => {}
        })
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
