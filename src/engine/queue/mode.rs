//! Who works with a queue, which decides what it takes up and when it ends.

/// Who works with the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueMode {
    /// A person: what earlier runs left is taken over, and what all jobs would fail for is waited out.
    Screen,
    /// A script: it does what it was asked for, and ends where all would fail.
    Script,
}
