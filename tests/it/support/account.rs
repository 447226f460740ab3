//! Engines for tests of a service.

use std::sync::Arc;
use std::time::Duration;

use filedeck::api::{Client, Error};
use filedeck::drawing::Drawer;
use filedeck::engine::source_accounts::SourceAccounts;
use filedeck::engine::{
    self, AtOnce, Batch, BatchId, EngineSetup, Event, Handle, Job, Journal, OpId, Outcome,
    QueueMode, Request, SessionId, Settled,
};
use tokio::sync::mpsc;

pub use super::clients::*;
use filedeck::engine::Answer;
use filedeck::engine::question::AddJobs;

fn drawer() -> Option<Drawer> {
    option_env!("CARGO_BIN_EXE_filedeck").map(|program| Drawer::new(program.into()))
}

pub struct Engine {
    pub handle: Handle,
    pub events: mpsc::Receiver<Event>,
    last: u64,
}

impl Engine {
    /// An engine whose journal is only in memory.
    pub async fn start(client: Client) -> Self {
        Self::with_journal(client, Journal::in_memory("test").await.unwrap())
    }

    pub fn with_journal(client: Client, journal: Journal) -> Self {
        Self::of(client, journal, false, drawer())
    }

    /// An engine without child processes.
    pub fn without_drawer(client: Client, journal: Journal) -> Self {
        Self::of(client, journal, false, None)
    }

    pub fn read_only(client: Client, journal: Journal) -> Self {
        Self::of(client, journal, true, drawer())
    }

    fn of(client: Client, journal: Journal, read_only: bool, drawer: Option<Drawer>) -> Self {
        let setup = EngineSetup {
            client,
            journal,
            caller: QueueMode::Screen,
            at_once: AtOnce::default(),
            read_only,
            sources: SourceAccounts::default(),
            leaves_tasks: false,
            drawer,
        };
        let (handle, events) = engine::spawn(setup);
        Self {
            handle,
            events,
            last: 0,
        }
    }

    pub fn submit(&mut self, request: Request) -> OpId {
        self.last += 1;
        let op = OpId {
            session: SessionId::FIRST,
            number: self.last,
        };
        self.handle.submit(op, request).unwrap();
        op
    }

    pub async fn next(&mut self) -> Event {
        let wait = Duration::from_secs(20);
        tokio::time::timeout(wait, self.events.recv())
            .await
            .unwrap()
            .unwrap()
    }

    pub async fn run(&mut self, request: Request) -> Result<Answer, Error> {
        let op = self.submit(request);
        loop {
            if let Event::Done { op: of, result } = self.next().await
                && of == op
            {
                return result;
            }
        }
    }

    pub async fn answer(&mut self, request: Request) -> Answer {
        self.run(request).await.unwrap()
    }

    pub async fn queue(&mut self, jobs: Vec<Job>) -> BatchId {
        match self.answer(Request::AddJobs(AddJobs(jobs))).await {
            Answer::AddJobs(id) => id,
            other => panic!("{other:?}"),
        }
    }

    /// Waits for the end of a batch; returns the results of its jobs, and the batch. `seen` gets
    /// each event.
    pub async fn end_of(
        &mut self,
        id: BatchId,
        mut seen: impl FnMut(&Handle, &Event),
    ) -> (Vec<Settled>, Batch) {
        let mut all = Vec::new();
        loop {
            let event = self.next().await;
            seen(&self.handle, &event);
            match event {
                Event::Settled { batch, settled } if batch == id => all.extend(settled),
                Event::Ended(batch) if batch.id == id => {
                    return (all, Arc::unwrap_or_clone(batch));
                }
                _ => {}
            }
        }
    }

    pub async fn settle(&mut self, jobs: Vec<Job>) -> (Vec<Settled>, Batch) {
        let id = self.queue(jobs).await;
        self.end_of(id, |_, _| {}).await
    }

    pub async fn carry_out(&mut self, job: Job) -> Result<Outcome, Error> {
        self.carry_out_with(job, |_| {}).await
    }

    pub async fn carry_out_with(
        &mut self,
        job: Job,
        mut seen: impl FnMut(&Event),
    ) -> Result<Outcome, Error> {
        let id = self.queue(vec![job]).await;
        let (mut settled, _) = self.end_of(id, |_, event| seen(event)).await;
        settled.remove(0).result
    }

    /// Carries out a job that must succeed.
    pub async fn job(&mut self, job: Job) -> Outcome {
        self.carry_out(job).await.unwrap()
    }
}
