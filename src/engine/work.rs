//! Turns a request into what answers it: an operation or the queue.

use futures::future::BoxFuture;

use super::ops::perform::{OpContext, Perform as _};
use super::question::{Answer, Request, questions};
use super::queue::QueueCommand;
use crate::api::Error;

pub(super) enum Work {
    Read(BoxFuture<'static, Result<Answer, Error>>),
    Queue(QueueCommand),
}

macro_rules! define_work {
    (read { $($read:ident -> $read_answer:ty,)* } queue { $($queue:ident -> $queue_answer:ty,)* }) => {
        /// Returns the work behind a request. Nothing is done before it is awaited.
        pub(super) fn work(request: Request, context: OpContext) -> Work {
            match request {
                $(Request::$read(question) => Work::Read(Box::pin(async move {
                    question.perform(&context).await.map(Answer::$read)
                })),)*
                $(Request::$queue(question) => Work::Queue(QueueCommand::$queue(question)),)*
            }
        }
    };
}
questions!(define_work);
