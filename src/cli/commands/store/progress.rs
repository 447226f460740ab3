//! The progress of a copy or a backup, and its waits, on standard error.

#[cfg(feature = "tui")]
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "tui")]
use crate::cli::format::Format;
#[cfg(feature = "tui")]
use crate::cli::progress::{Bars, SELDOM};
use crate::cli::stderr::say;
#[cfg(feature = "tui")]
use crate::engine::batch::{Bytes, Counts};
use crate::service::maintenance::CopyNews;

fn report_wait(reason: &str) {
    say(&format!(
        "filedeck: waiting for the bucket, for ten minutes at most: {reason}"
    ));
}

/// Returns a function that shows the progress of the copy.
#[cfg(feature = "tui")]
pub(super) fn reporter() -> impl Fn(CopyNews) + Sync {
    let bars = Mutex::new(None);
    move |news| {
        let mut bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
        match news {
            CopyNews::Copied { done, total } => {
                let count = |files| usize::try_from(files).unwrap_or(usize::MAX);
                let counts = Counts {
                    total: count(total.files),
                    done: count(done.files),
                    ..Counts::default()
                };
                let bytes = Bytes {
                    done: done.bytes,
                    total: Some(total.bytes),
                };
                bars.get_or_insert_with(|| Bars::new(counts.total, Format::default(), SELDOM))
                    .show_whole(counts, bytes);
            }
            CopyNews::Waiting { reason } => match &*bars {
                Some(bars) => bars.aside(|| report_wait(&reason)),
                None => report_wait(&reason),
            },
        }
    }
}

/// Returns a function that shows only waits: there are no bars without the screen.
#[cfg(not(feature = "tui"))]
pub(super) fn reporter() -> impl Fn(CopyNews) + Sync {
    |news| {
        if let CopyNews::Waiting { reason } = news {
            report_wait(&reason);
        }
    }
}
