//! A job with the name of the item that it is for.

use crate::engine::Job;

#[derive(Debug, Clone, PartialEq)]
pub struct NamedJob {
    /// The name in messages.
    pub name: String,
    pub job: Job,
}
