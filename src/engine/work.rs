//! Turns a request into what answers it: an operation or the queue.

use futures::future::BoxFuture;

use super::ops::perform::{OpContext, Perform as _};
use super::question::{Answer, Request, questions};
use super::queue::QueueCommand;
use super::running::ReadPool;
use crate::api::Error;

pub(super) enum Work {
    Read(ReadPool, BoxFuture<'static, Result<Answer, Error>>),
    Queue(QueueCommand),
}

macro_rules! in_pool {
    (Queue $name:ident($question:ident) $context:ident) => {
        Work::Queue(QueueCommand::$name($question))
    };
    ($pool:ident $name:ident($question:ident) $context:ident) => {
        Work::Read(
            ReadPool::$pool,
            Box::pin(async move { $question.perform(&$context).await.map(Answer::$name) }),
        )
    };
}

macro_rules! define_work {
    ($($pool:ident -> $answer:ty $(, service($given:pat))? {
        $(#[$doc:meta])* pub $form:ident $name:ident $($rest:tt)*
    })*) => {
        /// Returns the work behind a request. Nothing is done before it is awaited.
        pub(super) fn work(request: Request, context: OpContext) -> Work {
            match request {
                $(Request::$name(question) => in_pool!($pool $name(question) context),)*
            }
        }
    };
}
questions!(define_work);
