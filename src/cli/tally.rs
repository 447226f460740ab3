//! Counts what came of each item of a verb that takes several, says it at the end, also when a signal makes the end, and
//! gives the run's exit code.

use std::fmt::Display;

use super::exit::Exit;
use super::output::Form;
use super::talk;
use crate::api::{Error, Kind};

/// Dropped before it is finished, it says how far the run came.
#[derive(Debug)]
pub struct Tally {
    form: Form,
    asked: usize,
    done: usize,
    present: usize,
    failed: Vec<Exit>,
    /// The item that is being worked on, in words.
    under_way: Option<String>,
    finished: bool,
}

impl Tally {
    /// Of a run over `asked` items.
    pub fn new(form: Form, asked: usize) -> Self {
        Self { form, asked, done: 0, present: 0, failed: Vec::new(), under_way: None, finished: false }
    }

    /// The next item is worked on; `what` tells of it if the run ends there.
    pub fn begin(&mut self, what: impl Into<String>) {
        self.under_way = Some(what.into());
    }

    pub fn done(&mut self) {
        (self.done, self.under_way) = (self.done + 1, None);
    }

    /// Nothing was to be done for an item.
    pub fn present(&mut self) {
        (self.present, self.under_way) = (self.present + 1, None);
    }

    /// Says that `what` failed. Gives whether the items after it would fail for the same reason.
    pub fn failed(&mut self, what: &dyn Display, error: &Error) -> bool {
        talk::report(self.form, what, error);
        self.count(error.kind)
    }

    fn count(&mut self, kind: Kind) -> bool {
        self.under_way = None;
        self.failed.push(kind.into());
        kind.meets_all()
    }

    /// Says how it went where more than one item was asked for, and gives the exit code.
    pub fn finish(mut self) -> Exit {
        self.finished = true;
        if self.asked > 1 && !self.failed.is_empty() && self.form == Form::Text {
            talk::say(&self.counts());
        }
        match self.failed.as_slice() {
            [] => Exit::Ok,
            [only] if self.done + self.present == 0 => *only,
            _ => Exit::SomeFailed,
        }
    }

    fn counts(&self) -> String {
        let dealt_with = self.done + self.present + self.failed.len() + usize::from(self.under_way.is_some());
        let untried = self.asked.saturating_sub(dealt_with);
        let present = if self.present > 0 { format!("{} there already, ", self.present) } else { String::new() };
        format!("{} done, {present}{} failed, {untried} not tried", self.done, self.failed.len())
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        if !self.finished {
            let counts = if self.asked > 1 { format!(": {}", self.counts()) } else { String::new() };
            let under_way = self.under_way.as_ref().map(|what| format!("; under way: {what}")).unwrap_or_default();
            talk::warn(self.form, &format!("stopped{counts}{under_way}"));
        }
    }
}

/// What an error is said of: that it could not be done, or only what was tried where nobody knows.
pub fn attempt(verb: &str, noun: &str, what: &dyn Display, error: &Error) -> String {
    if error.in_doubt { format!("{noun} of {what}") } else { format!("cannot {verb} {what}") }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::all_done(3, 3, &[], Exit::Ok)]
    #[case::the_only_one_failed(1, 0, &[Kind::Conflict], Exit::Conflict)]
    #[case::the_first_failed_and_stopped_the_run(3, 0, &[Kind::Unauthorized], Exit::NotAuthorised)]
    #[case::some_failed(3, 2, &[Kind::NotFound], Exit::SomeFailed)]
    #[case::all_of_several_failed(2, 0, &[Kind::NotFound, Kind::NotFound], Exit::SomeFailed)]
    fn the_exit_code_tells_one_failure_from_some(
        #[case] asked: usize,
        #[case] done: usize,
        #[case] failures: &[Kind],
        #[case] exit: Exit,
    ) {
        let mut tally = Tally::new(Form::Json, asked);
        (0..done).for_each(|_| tally.done());
        for kind in failures {
            tally.count(*kind);
        }
        assert_eq!(tally.finish(), exit);
    }
}
