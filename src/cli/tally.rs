//! Counts what came of each item of a verb that takes several, and gives the run's exit code.

use std::fmt::Display;

use super::exit::Exit;
use super::output::Form;
use super::talk;
use crate::api::{Error, Kind};

#[derive(Debug)]
pub struct Tally {
    form: Form,
    asked: usize,
    done: usize,
    failed: Vec<Exit>,
}

impl Tally {
    /// Of a run over `asked` items.
    pub fn new(form: Form, asked: usize) -> Self {
        Self { form, asked, done: 0, failed: Vec::new() }
    }

    pub fn done(&mut self) {
        self.done += 1;
    }

    /// Says that `what` failed. Gives whether the items after it would fail for the same reason.
    pub fn failed(&mut self, what: &dyn Display, error: &Error) -> bool {
        talk::report(self.form, what, error);
        self.count(error.kind)
    }

    fn count(&mut self, kind: Kind) -> bool {
        self.failed.push(kind.into());
        matches!(kind, Kind::Unauthorized | Kind::RateLimited | Kind::Network)
    }

    /// Says how it went where more than one item was asked for, and gives the exit code.
    pub fn finish(self) -> Exit {
        let untried = self.asked.saturating_sub(self.done + self.failed.len());
        if self.asked > 1 && !self.failed.is_empty() && self.form == Form::Text {
            talk::say(&format!("{} done, {} failed, {untried} not tried", self.done, self.failed.len()));
        }
        match self.failed.as_slice() {
            [] => Exit::Ok,
            [only] if self.done == 0 => *only,
            _ => Exit::SomeFailed,
        }
    }
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
