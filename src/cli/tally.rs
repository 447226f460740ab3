//! Counts the results of a command's items, prints the counts at the end, even if a signal ends the
//! run, and determines the exit code.

use std::collections::VecDeque;
use std::fmt::Display;
use std::num::NonZeroUsize;

use super::exit::Exit;
use super::format::Format;
use super::named_job::NamedJob;
use super::stderr;
use crate::api::{Error, Kind};
use crate::engine::plan::{PlanRow, PlanSource};
use crate::engine::{Job, JobKind};
use crate::tui::widget::figures;

/// A failure, as far as the exit code and messages need it.
#[derive(Debug, Clone, Copy)]
struct Failed {
    exit: Exit,
    /// Set if every other item would fail for the same reason.
    meets_all: bool,
    /// Set if it was one of the tasks.
    was_tried: bool,
    /// Set if someone else has changed the source or the target, which a person has to look at.
    is_clash: bool,
}

/// The counts of a run. If dropped before it is finished, it prints how far the run came.
#[derive(Debug)]
pub struct RunTally {
    format: Format,
    asked: usize,
    done: usize,
    present: usize,
    failed: Vec<Failed>,
    /// The number of files and folders that could not be read, and so were left alone.
    unread: usize,
    /// Failures that are not reported yet, because they may be retried.
    later: Vec<(NamedJob, Error)>,
    /// Tasks that were begun and are not settled, in order.
    tasks: VecDeque<NamedJob>,
    /// The most tasks under way at once: the first ones in `tasks`.
    at_once: usize,
    /// The command that finishes the rest, if one can.
    finish_with: Option<String>,
    /// Set from `begin` to `finish`, while dropping the tally has to report the end.
    is_open: bool,
}

/// The most names to list; others are only counted.
const MOST_NAMES: usize = 3;

/// The number of tasks from which on a failure that they have in common is reported once.
const MANY: usize = 10;

impl RunTally {
    pub fn new(format: Format, asked: usize) -> Self {
        Self {
            format,
            asked,
            done: 0,
            present: 0,
            failed: Vec::new(),
            unread: 0,
            later: Vec::new(),
            tasks: VecDeque::new(),
            at_once: 0,
            finish_with: None,
            is_open: false,
        }
    }

    pub fn format(&self) -> Format {
        self.format
    }

    /// Adds to the number of requested items.
    pub fn also(&mut self, more: usize) {
        self.asked += more;
    }

    /// Counts the items that some stand for instead of these: a pattern for several, an item that
    /// was given before for none.
    pub fn instead(&mut self, of: usize, items: usize) {
        self.asked = (self.asked + items).saturating_sub(of);
    }

    /// Counts a row of a plan. Reports one that cannot be transferred, and returns `None` for it;
    /// `command` is a verb such as `copy`.
    pub fn fit(&mut self, row: PlanRow, command: &str) -> Option<PlanRow> {
        // A folder is created for its content, and does not count.
        self.also(usize::from(row.source != PlanSource::EmptyFolder));
        let PlanSource::Unfit(why) = &row.source else {
            return Some(row);
        };
        let error = Error::new(Kind::Refused, why.clone());
        self.failed(&format!("cannot {command} {}", row.name), &error);
        None
    }

    /// Begins tasks, which are worked on in order, `at_once` at a time.
    pub fn begin(
        &mut self,
        tasks: Vec<NamedJob>,
        at_once: NonZeroUsize,
        finish_with: Option<String>,
    ) {
        (self.tasks, self.at_once, self.finish_with, self.is_open) =
            (tasks.into(), at_once.get(), finish_with, true);
    }

    pub fn settle(&mut self, job: &Job) -> NamedJob {
        let at = self.tasks.iter().position(|task| task.job == *job);
        let task = at.and_then(|at| self.tasks.remove(at));
        task.unwrap_or_else(|| NamedJob {
            name: job.label(),
            job: job.clone(),
        })
    }

    /// Records a failure to be reported later.
    pub fn fail_later(&mut self, task: NamedJob, error: Error) {
        self.later.push((task, error));
    }

    /// Returns the number of tasks that failed and may be retried, or were not tried.
    pub fn undone(&self) -> usize {
        self.later.len() + self.tasks.len()
    }

    /// Counts no task as under way until some are begun again.
    pub fn pause(&mut self) {
        self.at_once = 0;
    }

    /// Queues what failed again, before what was not tried.
    pub fn begin_again(&mut self, at_once: NonZeroUsize) {
        self.at_once = at_once.get();
        let failed: Vec<NamedJob> = self.later.drain(..).map(|(task, _)| task).collect();
        for task in failed.into_iter().rev() {
            self.tasks.push_front(task);
        }
    }

    /// Reports the failures of tasks.
    pub fn tell_failures(&mut self) {
        let failures = std::mem::take(&mut self.later).into_iter();
        let failures = failures.map(|(task, error)| {
            let kind = task.job.kind();
            let what = attempt(kind, &error);
            (what, task.name, error)
        });
        self.tell(failures.collect(), true);
    }

    /// Reports items that cannot be found or read; `command` is a verb such as `delete`. Returns
    /// `true` if later items would fail for the same reason.
    pub fn failed_items(&mut self, command: &str, failures: Vec<(String, Error)>) -> bool {
        let meets_all = failures.iter().any(|(_, error)| error.meets_all());
        let what = format!("cannot {command}");
        let failures = failures.into_iter();
        let failures = failures.map(|(name, error)| (what.clone(), name, error));
        self.tell(failures.collect(), false);
        meets_all
    }

    /// Reports and counts failures, each as an attempt, a name and the error; for a person, one
    /// that many items have in common is reported once.
    fn tell(&mut self, mut failures: Vec<(String, String, Error)>, was_tried: bool) {
        while let Some((what, _, error)) = failures.first().cloned() {
            let is_same = |(attempt, _, other): &mut (String, String, Error)| {
                let reason = (&other.message, other.status, &other.details);
                *attempt == what && reason == (&error.message, error.status, &error.details)
            };
            let same: Vec<_> = failures.extract_if(.., is_same).collect();
            let mut names: Vec<&str> = same.iter().map(|(_, name, _)| &**name).collect();
            let names = if same.len() < MANY || self.format.json {
                names.into_iter().map(str::to_owned).collect()
            } else {
                names.sort_unstable();
                vec![format!("{} items ({})", same.len(), in_words(&names))]
            };
            for (name, (_, _, error)) in names.iter().zip(&same) {
                stderr::report(self.format, &format!("{what} {name}"), error);
            }
            for (_, _, error) in &same {
                self.count(error, was_tried);
            }
        }
    }

    /// Returns `true` if none of the begun tasks is left.
    pub fn is_settled(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Returns the remaining tasks, which somebody else settles.
    pub fn take_tasks(&mut self) -> VecDeque<NamedJob> {
        std::mem::take(&mut self.tasks)
    }

    /// Drops the remaining tasks, of which none is running.
    pub fn end(&mut self) {
        self.tasks.clear();
    }

    pub fn has_failed(&self) -> bool {
        !self.failed.is_empty()
    }

    /// Returns `true` if a task that was tried has failed.
    pub fn has_failed_jobs(&self) -> bool {
        self.failed.iter().any(|failed| failed.was_tried)
    }

    /// Returns `true` if something failed that would affect every item.
    pub fn met_all(&self) -> bool {
        self.failed.iter().any(|failed| failed.meets_all)
    }

    /// Returns `true` if the service refused the token.
    pub fn is_refused(&self) -> bool {
        self.failed
            .iter()
            .any(|failed| failed.meets_all && failed.exit == Exit::NotAuthorized)
    }

    /// Counts files and folders that could not be read: the run cannot end as if it had handled
    /// everything.
    pub fn unread(&mut self, count: usize) {
        self.unread += count;
    }

    pub fn done(&mut self) {
        self.done += 1;
    }

    /// Counts items that an earlier run has done.
    pub fn done_before(&mut self, count: usize) {
        self.done += count;
    }

    /// Counts an item for which there was nothing to do.
    pub fn present(&mut self) {
        self.present += 1;
    }

    /// Reports a failure. Returns `true` if later items would fail for the same reason.
    pub fn failed(&mut self, what: &dyn Display, error: &Error) -> bool {
        stderr::report(self.format, what, error);
        self.count(error, false);
        error.meets_all()
    }

    /// Records a failure; `was_tried` is set for that of a task.
    fn count(&mut self, error: &Error, was_tried: bool) {
        self.failed.push(Failed {
            exit: error.kind.into(),
            meets_all: error.meets_all(),
            was_tried,
            is_clash: error.kind == Kind::Conflict && was_tried,
        });
    }

    /// Prints the counts if more than one item was requested and some failed, and returns the exit
    /// code.
    pub fn finish(mut self) -> Exit {
        self.is_open = false;
        if self.asked > 1 && !self.failed.is_empty() && self.format.is_talkative() {
            stderr::say(&self.counts(0));
        }
        match self.failed.as_slice() {
            _ if self.unread > 0 => Exit::SomeFailed,
            [] => Exit::Ok,
            all if all.iter().all(|failed| failed.is_clash) => Exit::Conflict,
            [first, rest @ ..] if self.done + self.present == 0 && Self::is_one(*first, rest) => {
                first.exit
            }
            _ => Exit::SomeFailed,
        }
    }

    /// Returns `true` if all failures are the same one, met by several items.
    fn is_one(first: Failed, rest: &[Failed]) -> bool {
        let is_same = |failed: &Failed| failed.meets_all && failed.exit == first.exit;
        rest.is_empty() || (first.meets_all && rest.iter().all(is_same))
    }

    fn counts(&self, under_way: usize) -> String {
        let dealt_with = self.done + self.present + self.failed.len() + under_way;
        let untried = self.asked.saturating_sub(dealt_with);
        let present = if self.present > 0 {
            format!("{} there already, ", self.present)
        } else {
            String::new()
        };
        format!(
            "{} done, {present}{} failed, {untried} not tried",
            self.done,
            self.failed.len()
        )
    }

    fn stopped(&self) -> String {
        let under_way: Vec<&NamedJob> = self.tasks.iter().take(self.at_once).collect();
        let counts = if self.asked > 1 {
            format!(": {}", self.counts(under_way.len()))
        } else {
            String::new()
        };
        let finish = self.how_to_finish();
        let [first, ..] = under_way.as_slice() else {
            return format!("stopped{counts}{finish}");
        };
        let names: Vec<&str> = under_way.iter().map(|task| task.name.as_str()).collect();
        format!(
            "stopped{counts}; under way: {}{}{finish}",
            in_words(&names),
            fate(first.job.kind())
        )
    }

    /// Returns the hint on finishing the rest: only the command itself knows the items that are no
    /// tasks yet.
    fn how_to_finish(&self) -> String {
        let tried = self.failed.iter().filter(|failed| failed.was_tried).count();
        let dealt_with = self.done + self.present + self.failed.len() + self.undone();
        match (
            self.asked.saturating_sub(dealt_with),
            self.undone() + tried,
            &self.finish_with,
        ) {
            (0, 0, _) => String::new(),
            (0, _, Some(command)) => format!("; finish it with: {command}"),
            _ => "; give the command again to finish it".to_owned(),
        }
    }
}

impl Drop for RunTally {
    fn drop(&mut self) {
        if self.is_open {
            self.tell_failures();
            stderr::warn(self.format, &self.stopped());
        }
    }
}

/// Notes the number of files that need not be transferred.
pub fn note_present(format: Format, files: usize) {
    if files > 0 {
        let are = if files == 1 { "is" } else { "are" };
        let files = figures::count(files, "file");
        stderr::note(
            format,
            &format!("{files} {are} there already with the same content"),
        );
    }
}

/// Returns the possible outcome of a job that was under way.
fn fate(command: JobKind) -> &'static str {
    match command {
        JobKind::Upload | JobKind::Copy => ", which may have been stored",
        JobKind::Delete | JobKind::Purge => ", which may be deleted",
        _ => "",
    }
}

/// Joins names as `a`, `a and b`, or `a, b, c and 5 more`.
fn in_words(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(MOST_NAMES));
    match (shown, more.len()) {
        ([rest @ .., last], 0) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (shown, 0) => shown.join(", "),
        (shown, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Describes a failed job before the name of its item: that it could not be done, or just the
/// attempt if the outcome is in doubt.
fn attempt(kind: JobKind, error: &Error) -> String {
    match kind {
        JobKind::CreateFolder | JobKind::CreateLocalFolder if error.in_doubt => {
            "creation of".to_owned()
        }
        kind if error.in_doubt => format!("{} of", kind.noun().to_lowercase()),
        kind => {
            let command = kind.imperative().split(' ').next();
            format!("cannot {}", command.unwrap_or_default().to_lowercase())
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::api::ids::FileId;
    use crate::engine::Item;
    use crate::engine::message::Target;

    #[rstest]
    #[case::all_done(3, 3, &[], Exit::Ok)]
    #[case::the_only_one_failed(1, 0, &[Kind::Conflict], Exit::Conflict)]
    #[case::the_first_failed_and_stopped_the_run(3, 0, &[Kind::Unauthorized], Exit::NotAuthorized)]
    #[case::some_failed(3, 2, &[Kind::NotFound], Exit::SomeFailed)]
    #[case::all_of_several_failed(2, 0, &[Kind::NotFound, Kind::NotFound], Exit::SomeFailed)]
    #[case::several_met_what_stopped_the_run(5, 0, &[Kind::Unauthorized, Kind::Unauthorized], Exit::NotAuthorized)]
    #[case::all_failures_are_clashes(9, 3, &[Kind::Conflict, Kind::Conflict], Exit::Conflict)]
    #[case::a_clash_and_another_failure(9, 3, &[Kind::Conflict, Kind::NotFound], Exit::SomeFailed)]
    #[case::several_failed_before_it(5, 0, &[Kind::NotFound, Kind::Unauthorized], Exit::SomeFailed)]
    fn the_exit_code_tells_one_failure_from_some(
        #[case] asked: usize,
        #[case] done: usize,
        #[case] failures: &[Kind],
        #[case] exit: Exit,
    ) {
        let mut tally = RunTally::new(
            Format {
                json: true,
                quiet: false,
            },
            asked,
        );
        (0..done).for_each(|_| tally.done());
        for kind in failures {
            tally.count(&Error::new(*kind, ""), true);
        }
        assert_eq!(tally.finish(), exit);
    }

    fn deletion(name: &str) -> NamedJob {
        let target = Target::File(FileId::new(name));
        let item = Item {
            target,
            path: name.to_owned(),
            name: name.to_owned(),
            size: None,
            md5: None,
        };
        NamedJob {
            name: name.to_owned(),
            job: Job::Delete {
                item,
                permanent: false,
                state: None,
            },
        }
    }

    #[test]
    fn between_two_tries_nothing_is_under_way() {
        let mut tally = RunTally::new(
            Format {
                json: true,
                quiet: false,
            },
            2,
        );
        let (failed, untried) = (deletion("/a"), deletion("/b"));
        let once = NonZeroUsize::MIN;
        tally.begin(
            vec![failed.clone(), untried],
            once,
            Some("again".to_owned()),
        );
        let failed = tally.settle(&failed.job);
        tally.fail_later(failed, Error::new(Kind::Unreachable, ""));
        tally.pause();
        assert_eq!(
            tally.stopped(),
            "stopped: 0 done, 0 failed, 2 not tried; finish it with: again"
        );
        tally.begin_again(once);
        let under_way =
            "stopped: 0 done, 0 failed, 1 not tried; under way: /a, which may be deleted";
        assert_eq!(
            tally.stopped(),
            format!("{under_way}; finish it with: again")
        );
        tally.finish();
    }

    #[rstest]
    #[case::the_only_one(1, 1, 0, "stopped; under way: /0, which may be deleted")]
    #[case::in_order(
        4,
        1,
        2,
        "stopped: 2 done, 0 failed, 1 not tried; under way: /2, which may be deleted"
    )]
    #[case::two(
        4,
        2,
        1,
        "stopped: 1 done, 0 failed, 1 not tried; under way: /1 and /2, which may be deleted"
    )]
    #[case::many(
        9,
        5,
        0,
        "stopped: 0 done, 0 failed, 4 not tried; under way: /0, /1, /2 and 2 more, which may be deleted"
    )]
    #[case::just_at_the_end(2, 3, 2, "stopped: 2 done, 0 failed, 0 not tried")]
    fn a_run_that_is_ended_says_how_far_it_came(
        #[case] asked: usize,
        #[case] at_once: usize,
        #[case] done: usize,
        #[case] expected: &str,
    ) {
        let mut tally = RunTally::new(
            Format {
                json: true,
                quiet: false,
            },
            asked,
        );
        let tasks: Vec<NamedJob> = (0..asked)
            .map(|number| deletion(&format!("/{number}")))
            .collect();
        tally.begin(
            tasks.clone(),
            NonZeroUsize::new(at_once).unwrap(),
            Some("again".to_owned()),
        );
        for task in tasks.iter().take(done).rev() {
            assert_eq!(tally.settle(&task.job), *task);
            tally.done();
        }
        let finish = if done < asked {
            "; finish it with: again"
        } else {
            ""
        };
        assert_eq!(tally.stopped(), format!("{expected}{finish}"));
        tally.also(1);
        assert!(
            tally
                .stopped()
                .ends_with("; give the command again to finish it"),
            "more than its tasks is left"
        );
        tally.finish();
    }
}
