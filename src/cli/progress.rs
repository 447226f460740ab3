//! The bar of a running transfer: on standard error, and only where a person sees it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::Form;
use super::talk;
use crate::api::text;
use crate::engine::message::Progress;
use crate::engine::report::Report;

/// Removed when it is dropped.
#[derive(Debug)]
pub struct Bar {
    shown: ProgressBar,
    name: String,
    form: Form,
}

const TEMPLATE: &str = "{msg}  [{bar:30}] {percent:>3}%  {bytes}/{total_bytes}  {bytes_per_sec}  {eta}";

impl Bar {
    /// A bar for the transfer of `name`; `total` in bytes, if it is known already.
    pub fn new(name: &str, total: Option<u64>, form: Form) -> Self {
        let target = if talk::is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let shown = ProgressBar::with_draw_target(total, target);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            shown.set_style(style.progress_chars("##-"));
        }
        let name = text::visible(name).into_owned();
        shown.set_message(name.clone());
        Self { shown, name, form }
    }

    /// What an operation tells its progress to, and its client its waits. Where no bar is seen, waits are said in lines.
    pub fn report(&self) -> Report {
        let (bar, name, lines) = (self.shown.clone(), self.name.clone(), talk::waits(self.form));
        Report::new(move |progress| match progress {
            Progress::Bytes { done, total } => {
                if let Some(total) = total {
                    bar.set_length(total);
                }
                bar.set_message(name.clone());
                bar.set_position(done);
            }
            Progress::Waiting { .. } if bar.is_hidden() => lines.tell(progress),
            Progress::Waiting { wait, reason } => {
                bar.set_message(format!("{name}  {}", reason.in_words(talk::seconds(wait))));
            }
            Progress::Started | Progress::Items { .. } | Progress::Accepted { .. } | Progress::Task { .. } => {}
        })
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.finish_and_clear();
    }
}
