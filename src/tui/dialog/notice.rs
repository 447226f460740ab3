//! Text to read, and often to copy: links, errors, a task's details.

/// A few lines under a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub title: String,
    /// Safe to show; an empty one parts paragraphs.
    pub lines: Vec<String>,
    /// What `y` copies.
    pub copy: Option<String>,
}
