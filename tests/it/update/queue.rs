//! The queue in a test world: accepts jobs, and reports their results.

use std::ops::Range;
use std::sync::Arc;

use filedeck::api::Error;
use filedeck::engine::batch::{Batch, BatchId, Control, JobId};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::Settled;
use filedeck::engine::queue_view::{BatchJob, QueueView};
use filedeck::engine::service_task::Which;
use filedeck::engine::{Event, Job, OpId, Outcome, Request, SessionId};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use jiff::Timestamp;

use super::world::World;
use crate::support::queue::{ended, queued, view};
use filedeck::engine::Answer;
use filedeck::engine::question::{AddJobs, ControlQueue, GetTask, ListJobs};

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
    /// The newest open request for a batch of this kind.
    pub(super) fn asked_jobs(&self, kind: JobKind) -> (OpId, Vec<Job>) {
        let is_wanted = |request: &Request| matches!(request, Request::AddJobs(AddJobs(jobs)) if jobs.iter().all(|job| job.kind() == kind));
        let (op, request) = self
            .asked_for(is_wanted)
            .unwrap_or_else(|| panic!("no {kind:?} is asked for"));
        let Request::AddJobs(AddJobs(jobs)) = request else {
            panic!()
        };
        (op, jobs)
    }

    pub(super) fn asked_job(&self, kind: JobKind) -> Job {
        let (_, jobs) = self.asked_jobs(kind);
        let [job] = jobs.as_slice() else {
            panic!("{jobs:?}")
        };
        job.clone()
    }

    /// Accepts that batch into the queue.
    pub(super) fn take(&mut self, kind: JobKind) -> Taken {
        let (op, jobs) = self.asked_jobs(kind);
        let id = BatchId(i64::try_from(op.number).unwrap());
        self.done(op, Answer::AddJobs(id));
        Taken {
            id,
            jobs,
            asked_at: self.state.now,
        }
    }

    /// Accepts the newest requested batch, of any kind.
    pub(super) fn take_all(&mut self) -> Taken {
        let (op, request) = self
            .asked_for(|request| matches!(request, Request::AddJobs(_)))
            .unwrap();
        let Request::AddJobs(AddJobs(jobs)) = request else {
            panic!()
        };
        let id = BatchId(i64::try_from(op.number).unwrap());
        self.done(op, Answer::AddJobs(id));
        Taken {
            id,
            jobs,
            asked_at: self.state.now,
        }
    }

    /// Opens the details of a cancelled import; returns the request that they make.
    pub(super) fn shows_cancelled_import(&mut self) -> OpId {
        self.keys("I");
        self.text("https://example.com/logo.png");
        self.keys("enter");
        let taken = self.take(JobKind::Import);
        self.tell(view(&[ended(taken.batch(), 0, 0, self.state.now)]));
        self.keys("w enter");
        let job = JobId {
            batch: taken.id,
            number: 0,
        };
        self.asked(|request| *request == Request::GetTask(GetTask(Which::Of(job))))
    }

    /// Settles the first jobs with these results, together.
    pub(super) fn settle(
        &mut self,
        taken: &Taken,
        results: Vec<Result<Outcome, Error>>,
    ) -> Vec<Effect> {
        self.settle_from(taken, 0, results)
    }

    /// Settles the jobs from this one on with these results, together.
    pub(super) fn settle_from(
        &mut self,
        taken: &Taken,
        first: usize,
        results: Vec<Result<Outcome, Error>>,
    ) -> Vec<Effect> {
        let jobs = taken.jobs.iter().skip(first);
        let settled = jobs.zip(results).map(|(job, result)| Settled {
            job: job.clone(),
            asked_at: taken.asked_at,
            result,
        });
        self.send(Msg::Engine(
            SessionId::FIRST,
            Event::Settled {
                batch: taken.id,
                settled: settled.collect(),
            },
        ))
    }

    /// Ends the batch, with all its jobs done.
    pub(super) fn succeed(&mut self, taken: &Taken) {
        let batch = ended(taken.batch(), taken.jobs.len(), 0, self.state.now);
        self.send(Msg::Engine(SessionId::FIRST, Event::Ended(Arc::new(batch))));
    }

    /// Settles the first jobs with these results, together, and then ends the batch, with the
    /// others cancelled.
    pub(super) fn end(
        &mut self,
        taken: &Taken,
        results: Vec<Result<Outcome, Error>>,
    ) -> Vec<Effect> {
        let done = results.iter().filter(|result| result.is_ok()).count();
        let failed: Vec<_> = taken
            .jobs
            .iter()
            .zip(&results)
            .filter_map(|(job, result)| Some((job, result.as_ref().err()?)))
            .collect();
        let failure = failed
            .last()
            .map(|(job, error)| (job.subject(), (*error).clone()));
        let batch = Batch {
            failure,
            ..ended(taken.batch(), done, failed.len(), self.state.now)
        };
        let mut effects = if results.is_empty() {
            Vec::new()
        } else {
            self.settle(taken, results)
        };
        effects.extend(self.send(Msg::Engine(SessionId::FIRST, Event::Ended(Arc::new(batch)))));
        effects
    }

    /// Ends the batch with these outcomes of all its jobs; returns the effects.
    pub(super) fn end_well(&mut self, taken: &Taken, outcomes: Vec<Outcome>) -> Vec<Effect> {
        assert_eq!(outcomes.len(), taken.jobs.len());
        self.end(taken, outcomes.into_iter().map(Ok).collect())
    }

    /// Presses keys; returns the queue controls of the last one.
    pub(super) fn told(&mut self, keys: &str) -> Vec<Control> {
        let effects = self.keys(keys);
        let controls = effects.iter().filter_map(|effect| match effect {
            Effect::Submit(_, Request::ControlQueue(ControlQueue(control))) => Some(*control),
            _ => None,
        });
        controls.collect()
    }

    /// Answers the newest question about jobs with those of `all` that it asks for; returns their
    /// range.
    pub(super) fn list_jobs(&mut self, all: &[BatchJob]) -> Option<Range<usize>> {
        let (op, request) = self.asked_for(|request| matches!(request, Request::ListJobs(_)))?;
        let Request::ListJobs(ListJobs { range, .. }) = request else {
            panic!()
        };
        self.done(op, Answer::ListJobs(all[range.clone()].to_vec()));
        Some(range)
    }

    pub(super) fn tell(&mut self, view: QueueView) {
        self.send(Msg::Engine(SessionId::FIRST, Event::Queue(Box::new(view))));
    }
}
