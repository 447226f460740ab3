//! Carries out jobs for a script: one batch, with the queue, the journal, and the rules of the
//! screen. A failure that all jobs would meet ends it: the job that met it fails, the rest counts
//! as cancelled.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::batch::{Batch, BatchId, Control};
use super::handle::Handle;
use super::job::Job;
use super::message::{Event, OpId, SessionId, Settled};
use super::question::{AddJobs, Answer, ControlQueue};
use super::queue::QueueMode;
use super::spawn::{EngineSetup, spawn};
use crate::api::{Error, Kind};

/// A running batch. Dropped, it stops where it is; what was not started stays in the journal.
#[derive(Debug)]
pub struct Run {
    handle: Handle,
    events: mpsc::Receiver<Event>,
    pub batch: BatchId,
    /// Events from before the id of the batch was known.
    early: VecDeque<Event>,
    over: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    Settled(Vec<Settled>),
    /// The state of the batch, four times a second at most.
    Standing(Arc<Batch>),
    Ended(Arc<Batch>),
}

const ADD: OpId = OpId {
    session: SessionId::FIRST,
    number: 1,
};
const RETRY: OpId = OpId {
    session: SessionId::FIRST,
    number: 2,
};

/// Records the jobs and starts them.
pub async fn run(setup: EngineSetup, jobs: Vec<Job>) -> Result<Run, Error> {
    let (handle, mut events) = spawn(EngineSetup {
        caller: QueueMode::Script,
        ..setup
    });
    let stopped = || Error::new(Kind::Internal, "The engine stopped unexpectedly");
    handle.submit(ADD, AddJobs(jobs)).map_err(|_| stopped())?;
    let mut early = VecDeque::new();
    loop {
        match events.recv().await {
            Some(Event::Done {
                result: Ok(Answer::AddJobs(batch)),
                ..
            }) => {
                return Ok(Run {
                    handle,
                    events,
                    batch,
                    early,
                    over: false,
                });
            }
            Some(Event::Done {
                result: Err(error), ..
            }) => return Err(error),
            Some(event) => early.push_back(event),
            None => return Err(stopped()),
        }
    }
}

/// Takes over what an ended run has left of a batch, and starts it.
pub async fn finish(setup: EngineSetup, batch: BatchId) -> Result<Run, Error> {
    let (handle, events) = spawn(EngineSetup {
        caller: QueueMode::Script,
        ..setup
    });
    let mut run = Run {
        handle,
        events,
        batch,
        early: VecDeque::new(),
        over: false,
    };
    run.retry().await?;
    Ok(run)
}

impl Run {
    /// Returns the next event; `None` after the end.
    pub async fn next(&mut self) -> Option<RunEvent> {
        while !self.over {
            let event = match self.early.pop_front() {
                Some(event) => event,
                None => self.events.recv().await?,
            };
            match event {
                Event::Settled { batch, settled } if batch == self.batch => {
                    return Some(RunEvent::Settled(settled));
                }
                Event::Ended(batch) if batch.id == self.batch => {
                    self.over = true;
                    return Some(RunEvent::Ended(batch));
                }
                Event::Queue(view) => {
                    let mut batches = view.batches.into_iter();
                    if let Some(batch) = batches.find(|batch| batch.id == self.batch) {
                        return Some(RunEvent::Standing(batch));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Retries what failed and what was not tried, once all has ended; `next` continues.
    pub async fn retry(&mut self) -> Result<(), Error> {
        let stopped = || Error::new(Kind::Internal, "The engine stopped unexpectedly");
        self.handle
            .submit(RETRY, ControlQueue(Control::Retry(self.batch)))
            .map_err(|_| stopped())?;
        loop {
            match self.events.recv().await {
                Some(Event::Done { op: RETRY, result }) => {
                    self.over = result.is_err();
                    return result.map(drop);
                }
                Some(event) => self.early.push_back(event),
                None => return Err(stopped()),
            }
        }
    }

    pub async fn end(self) {
        self.handle.shutdown().await;
    }
}
