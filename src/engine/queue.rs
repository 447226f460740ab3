//! The queue: batches of jobs, written down before they are begun, carried out by lane, and told of as they end.
//! It is a task of its own; who asks waits for an answer, never for the work.

mod ask;
mod caller;
mod cause;
mod control;
mod ends;
mod ground;
mod intake;
mod keeper;
mod listed;
mod live;
mod one;
mod order;
mod places;
mod telling;
mod way;
mod worker;

pub(super) use ask::{Ask, ORDERS, Order};
pub use caller::Caller;
pub(super) use keeper::Keeper;
pub use places::AtOnce;
