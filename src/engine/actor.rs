//! The engine's task: accepts requests, runs each as a task of its own, and answers for those that
//! panic.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::{Id, JoinError, JoinSet};

use super::cancels::Cancels;
use super::handle::EngineOrder;
use super::message::{Event, OpId, Progress};
use super::ops::perform::OpContext;
use super::outbox::Outbox;
use super::parts::Parts;
use super::progress_sink::ProgressSink;
use super::question::Answer;
use super::queue::QueueCommand;
use super::running::{ReadPools, enter};
use super::tools::Tools;
use super::work::{Work, work};
use crate::api::{Error, Kind};

/// The time that cancelled operations get to leave the journal in order.
const GRACE: Duration = Duration::from_secs(3);

pub(super) struct Actor {
    tools: Tools,
    pools: ReadPools,
    cancels: Cancels,
    outbox: Outbox,
    queue: mpsc::Sender<(OpId, QueueCommand)>,
    tasks: JoinSet<()>,
    /// The operation of each task, to answer for one that panics.
    ops: HashMap<Id, OpId>,
}

impl Actor {
    pub(super) fn new(
        tools: Tools,
        cancels: Cancels,
        outbox: Outbox,
        queue: mpsc::Sender<(OpId, QueueCommand)>,
    ) -> Self {
        Self {
            tools,
            pools: ReadPools::new(),
            cancels,
            outbox,
            queue,
            tasks: JoinSet::new(),
            ops: HashMap::new(),
        }
    }

    /// Runs until it is stopped, or nobody can send requests anymore.
    pub(super) async fn run(mut self, mut orders: mpsc::Receiver<EngineOrder>) {
        let stop = self.tools.stop.clone();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(ended) = self.tasks.join_next_with_id() => self.ended(ended).await,
                order = orders.recv() => match order {
                    Some(order) => self.start(order),
                    None => break,
                },
            }
        }
        stop.cancel();
        let all = async { while self.tasks.join_next().await.is_some() {} };
        // What has not ended by then is aborted with the set.
        let _ = tokio::time::timeout(GRACE, all).await;
    }

    fn start(
        &mut self,
        EngineOrder {
            op,
            request,
            cancelled,
        }: EngineOrder,
    ) {
        let report = report(op, &self.outbox);
        let context = OpContext {
            client: self
                .tools
                .client
                .with_observer(self.outbox.observer(&report)),
            journal: self.tools.journal.clone(),
            lists: self.tools.lists.clone(),
            sources: self.tools.sources.clone(),
            report: report.clone(),
            parts: parts(op, &self.outbox),
            drawer: self.tools.drawer.clone(),
            thumbnails: self.tools.thumbnails.clone(),
        };
        match work(request, context) {
            Work::Queue(command) => self.pass_on(op, command),
            Work::Read(pool, answer) => {
                let places = self.pools.places(pool);
                self.spawn(op, async move {
                    let _place = cancelled.run_until_cancelled(enter(places)).await?;
                    report.report(Progress::Started);
                    cancelled.run_until_cancelled(answer).await
                });
            }
        }
    }

    /// Passes a request on to the queue, which answers it directly.
    fn pass_on(&mut self, op: OpId, command: QueueCommand) {
        let (queue, cancels) = (self.queue.clone(), self.cancels.clone());
        self.tasks.spawn(async move {
            cancels.remove(op);
            // The queue ends with the engine.
            let _ = queue.send((op, command)).await;
        });
    }

    /// Runs one operation and answers with its result; `None` counts as cancelled.
    fn spawn(
        &mut self,
        op: OpId,
        work: impl Future<Output = Option<Result<Answer, Error>>> + Send + 'static,
    ) {
        let (outbox, cancels) = (self.outbox.clone(), self.cancels.clone());
        let task = self.tasks.spawn(async move {
            let event = match work.await {
                Some(result) => Event::Done { op, result },
                None => Event::Cancelled { op },
            };
            cancels.remove(op);
            outbox.deliver(event).await;
        });
        self.ops.insert(task.id(), op);
    }

    async fn ended(&mut self, ended: Result<(Id, ()), JoinError>) {
        let (id, panicked) = match &ended {
            Ok((id, ())) => (*id, false),
            Err(error) => (error.id(), error.is_panic()),
        };
        let Some(op) = self.ops.remove(&id) else {
            return;
        };
        if panicked {
            tracing::error!(?op, "an operation panicked");
            self.cancels.remove(op);
            let error = Error::new(Kind::Internal, "The operation ended unexpectedly");
            self.outbox
                .deliver(Event::Done {
                    op,
                    result: Err(error),
                })
                .await;
        }
    }
}

fn report(op: OpId, outbox: &Outbox) -> ProgressSink {
    let outbox = outbox.clone();
    ProgressSink::new(move |progress| outbox.progress(op, progress))
}

fn parts(op: OpId, outbox: &Outbox) -> Parts {
    let outbox = outbox.clone();
    Parts::new(op, move |event| {
        let outbox = outbox.clone();
        Box::pin(async move { outbox.deliver(event).await })
    })
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::api::{Client, Endpoint};
    use crate::engine::Journal;
    use crate::engine::message::SessionId;
    use crate::engine::source_accounts::SourceAccounts;

    #[tokio::test]
    async fn a_panic_ends_its_operation_and_nothing_else() {
        let stop = CancellationToken::new();
        let (events, mut received) = mpsc::channel(8);
        let (_orders, taken) = mpsc::channel(8);
        let base_url = "http://127.0.0.1:9".parse().unwrap();
        let client = Client::new(Endpoint::new(base_url, SecretString::from("t"))).unwrap();
        let journal = Journal::in_memory("a").await.unwrap();
        let lists = std::sync::Arc::default();
        let tools = Tools {
            client,
            journal,
            lists,
            sources: SourceAccounts::default(),
            drawer: None,
            thumbnails: None,
            stop: stop.clone(),
            leaves_tasks: false,
        };
        let outbox = Outbox::new(events, stop.clone());
        let mut actor = Actor::new(
            tools,
            Cancels::new(stop.clone()),
            outbox,
            mpsc::channel(1).0,
        );
        let op = |number| OpId {
            session: SessionId(1),
            number,
        };
        actor.spawn(op(1), async { panic!("on purpose") });
        actor.spawn(op(2), async {
            tokio::task::yield_now().await;
            Some(Ok(Answer::CheckLocalFile(())))
        });
        let task = tokio::spawn(actor.run(taken));
        let mut results = HashMap::new();
        while results.len() < 2 {
            let Some(Event::Done { op, result }) = received.recv().await else {
                panic!("no answer")
            };
            results.insert(op, result);
        }
        assert_eq!(results[&op(2)], Ok(Answer::CheckLocalFile(())));
        assert_eq!(results[&op(1)].as_ref().unwrap_err().kind, Kind::Internal);
        stop.cancel();
        task.await.unwrap();
    }
}
