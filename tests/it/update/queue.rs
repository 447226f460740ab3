//! The queue as a world meets it: takes what is asked for, tells the result of it.

use filedeck::api::Error;
use filedeck::engine::batch::{Batch, BatchId, Control, JobId};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Settled;
use filedeck::engine::queue_view::QueueView;
use filedeck::engine::service_task::Which;
use filedeck::engine::{Event, Job, OpId, Outcome, Request, SessionId};
use filedeck::tui::message::{Effect, Msg};
use jiff::Timestamp;

use super::world::World;
use crate::support::queue::{ended, queued, view};
use filedeck::engine::Answer;
use filedeck::engine::question::{AddJobs, ControlQueue, GetTask};

/// A batch that the queue has taken.
pub(super) struct Taken {
    pub(super) id: BatchId,
    pub(super) jobs: Vec<Job>,
    asked_at: Timestamp,
}

impl Taken {
    pub(super) fn batch(&self) -> Batch {
        queued(self.id.0, &self.jobs, self.asked_at)
    }
}

impl World {
    /// The newest batch of this kind that is asked for and not taken.
    pub(super) fn asked_jobs(&self, kind: JobKind) -> (OpId, Vec<Job>) {
        let is_wanted = |request: &Request| matches!(request, Request::AddJobs(AddJobs(jobs)) if jobs.iter().all(|job| job.kind() == kind));
        let (op, request) = self.asked_for(is_wanted).unwrap_or_else(|| panic!("no {kind:?} is asked for"));
        let Request::AddJobs(AddJobs(jobs)) = request else { panic!() };
        (op, jobs)
    }

    /// The one job of it.
    pub(super) fn asked_job(&self, kind: JobKind) -> Job {
        let (_, jobs) = self.asked_jobs(kind);
        let [job] = jobs.as_slice() else { panic!("{jobs:?}") };
        job.clone()
    }

    /// The queue takes it.
    pub(super) fn take(&mut self, kind: JobKind) -> Taken {
        let (op, jobs) = self.asked_jobs(kind);
        let id = BatchId(i64::try_from(op.number).unwrap());
        self.done(op, Answer::AddJobs(id));
        Taken { id, jobs, asked_at: self.state.now }
    }

    /// The queue takes the newest batch that is asked for, whatever is in it.
    pub(super) fn take_all(&mut self) -> Taken {
        let (op, request) = self.asked_for(|request| matches!(request, Request::AddJobs(_))).unwrap();
        let Request::AddJobs(AddJobs(jobs)) = request else { panic!() };
        let id = BatchId(i64::try_from(op.number).unwrap());
        self.done(op, Answer::AddJobs(id));
        Taken { id, jobs, asked_at: self.state.now }
    }

    /// The details of a cancelled import are open, and ask for this.
    pub(super) fn shows_cancelled_import(&mut self) -> OpId {
        self.keys("I");
        self.text("https://example.com/logo.png");
        self.keys("enter");
        let taken = self.take(JobKind::Import);
        self.tell(view(&[ended(taken.batch(), 0, 0, self.state.now)], 9));
        self.keys("w enter");
        let job = JobId { batch: taken.id, number: 0 };
        self.asked(|request| *request == Request::GetTask(GetTask(Which::Of(job))))
    }

    /// The first jobs settle like this, together.
    pub(super) fn settle(&mut self, taken: &Taken, results: Vec<Result<Outcome, Error>>) -> Vec<Effect> {
        self.settle_from(taken, 0, results)
    }

    /// The jobs from this one on settle like this, together.
    pub(super) fn settle_from(
        &mut self,
        taken: &Taken,
        first: usize,
        results: Vec<Result<Outcome, Error>>,
    ) -> Vec<Effect> {
        let jobs = taken.jobs.iter().skip(first);
        let settled =
            jobs.zip(results).map(|(job, result)| Settled { job: job.clone(), asked_at: taken.asked_at, result });
        self.send(Msg::Engine(SessionId::FIRST, Event::Settled { batch: taken.id, settled: settled.collect() }))
    }

    /// The batch has ended, and all of it has succeeded.
    pub(super) fn succeed(&mut self, taken: &Taken) {
        let batch = ended(taken.batch(), taken.jobs.len(), 0, self.state.now);
        self.send(Msg::Engine(SessionId::FIRST, Event::Ended(Box::new(batch))));
    }

    /// The first jobs settle like this, together; then the batch has ended, and the others are cancelled.
    pub(super) fn end(&mut self, taken: &Taken, results: Vec<Result<Outcome, Error>>) -> Vec<Effect> {
        let done = results.iter().filter(|result| result.is_ok()).count();
        let failed: Vec<_> =
            taken.jobs.iter().zip(&results).filter_map(|(job, result)| Some((job, result.as_ref().err()?))).collect();
        let failure = failed.last().map(|(job, error)| (job.subject(), (*error).clone()));
        let batch = Batch { failure, ..ended(taken.batch(), done, failed.len(), self.state.now) };
        let mut effects = if results.is_empty() { Vec::new() } else { self.settle(taken, results) };
        effects.extend(self.send(Msg::Engine(SessionId::FIRST, Event::Ended(Box::new(batch)))));
        effects
    }

    /// All jobs of the batch come to this; gives what the panes asked for.
    pub(super) fn end_well(&mut self, taken: &Taken, outcomes: Vec<Outcome>) -> Vec<Effect> {
        assert_eq!(outcomes.len(), taken.jobs.len());
        self.end(taken, outcomes.into_iter().map(Ok).collect())
    }

    /// Presses keys; gives what the last one told the queue.
    pub(super) fn told(&mut self, keys: &str) -> Vec<Control> {
        let effects = self.keys(keys);
        let controls = effects.iter().filter_map(|effect| match effect {
            Effect::Submit(_, Request::ControlQueue(ControlQueue(Control::Watch { .. }))) => None,
            Effect::Submit(_, Request::ControlQueue(ControlQueue(control))) => Some(*control),
            _ => None,
        });
        controls.collect()
    }

    /// The queue tells its state.
    pub(super) fn tell(&mut self, view: QueueView) {
        self.send(Msg::Engine(SessionId::FIRST, Event::Queue(Box::new(view))));
    }
}
