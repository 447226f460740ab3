//! The user of a queue, which decides what it takes over and when it ends.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueMode {
    /// A person: what earlier runs left is taken over, and a failure that all jobs would meet is
    /// waited out.
    Screen,
    /// A script: does what it was asked to do, and ends at a failure that all jobs would meet.
    Script,
}
