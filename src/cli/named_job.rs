//! One of the things that a command is asked for.

use crate::engine::Job;

#[derive(Debug, Clone, PartialEq)]
pub struct NamedJob {
    /// What messages call it.
    pub name: String,
    pub job: Job,
}
