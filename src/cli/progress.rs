//! The bar of a running transfer: on standard error, and only where a person sees it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::talk;
use crate::api::text;

/// Removed when it is dropped.
#[derive(Debug)]
pub struct Bar(ProgressBar);

const TEMPLATE: &str = "{msg}  [{bar:30}] {percent:>3}%  {bytes}/{total_bytes}  {bytes_per_sec}  {eta}";
const TEMPLATE_WITHOUT_TOTAL: &str = "{msg}  {spinner} {bytes}  {bytes_per_sec}";

impl Bar {
    /// A bar for the transfer of `name`; `total` in bytes, if it is known.
    pub fn new(name: &str, total: Option<u64>) -> Self {
        let target = if talk::is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total, target);
        let template = if total.is_some() { TEMPLATE } else { TEMPLATE_WITHOUT_TOTAL };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("##-").tick_chars("-\\|/ "));
        }
        bar.set_message(text::visible(name).into_owned());
        Self(bar)
    }

    pub fn set(&self, bytes: u64) {
        self.0.set_position(bytes);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
