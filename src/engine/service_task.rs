//! A task of the service as the service reports it: an import, or a folder's rename or move. Plain
//! data.

use jiff::Timestamp;
use serde::Serialize;

use super::batch::JobId;
use super::item::{Entry, Target};
use crate::api::ids::TaskId;
use crate::api::model::{File, Folder, Task, TaskStatus};

/// A task; its JSON is what the service returned.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ServiceTask {
    Import(Task<File>),
    Folder(Task<Folder>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// Its own id, as somebody has typed it.
    Id(TaskId),
    /// The job that it belongs to, as the journal has it.
    Of(JobId),
}

impl ServiceTask {
    /// Returns its subject, to begin a sentence.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Import(_) => "Import",
            Self::Folder(_) => "Change of a folder",
        }
    }

    pub fn status(&self) -> &TaskStatus {
        match self {
            Self::Import(task) => &task.status,
            Self::Folder(task) => &task.status,
        }
    }

    /// Returns when it was requested, started, and ended. The service gives all three before
    /// (`contract.md#tasks`).
    pub fn times(&self) -> [(&'static str, Option<Timestamp>); 3] {
        let (asked, begun, ended) = match self {
            Self::Import(task) => (task.requested_at, task.started_at, task.completed_at),
            Self::Folder(task) => (task.requested_at, task.started_at, task.completed_at),
        };
        let status = self.status();
        let (has_begun, is_over) = (*status != TaskStatus::Pending, status.is_final());
        [
            ("Requested", asked),
            ("Started", begun.filter(|_| has_begun)),
            ("Ended", ended.filter(|_| is_over)),
        ]
    }

    pub fn result(&self) -> Option<Entry> {
        match self {
            Self::Import(task) => task.result.clone().map(Entry::File),
            Self::Folder(task) => task.result.clone().map(Entry::Folder),
        }
    }

    /// Returns the number of errors, if the service gives it, and the errors that it names.
    pub fn errors(&self) -> (Option<u64>, Vec<String>) {
        match self {
            Self::Import(task) => (task.num_errors, task.causes()),
            Self::Folder(task) => (task.num_errors, task.causes()),
        }
    }

    /// Returns lines for a person, not yet safe to show: a label, spaces, and a value.
    pub fn lines(&self, id: Option<&TaskId>, time: impl Fn(Timestamp) -> String) -> Vec<String> {
        let mut lines = vec![format!(
            "State     {}",
            self.status().as_str().to_lowercase()
        )];
        let own_id = match self {
            Self::Import(task) => task.task_id.as_ref(),
            Self::Folder(task) => task.task_id.as_ref(),
        };
        lines.extend(own_id.or(id).map(|id| format!("Task id   {id}")));
        let times = self
            .times()
            .into_iter()
            .filter_map(|(label, at)| Some((label, at?)));
        lines.extend(times.map(|(label, at)| format!("{label:<10}{}", time(at))));
        if let Some(entry) = self.result() {
            let (path, name) = match &entry {
                Entry::File(file) => (file.path.clone(), file.full_name()),
                Entry::Folder(folder) => (folder.path.clone(), folder.full_name()),
            };
            let sort = if matches!(entry.target(), Target::File(_)) {
                "file"
            } else {
                "folder"
            };
            lines.push(format!("Result    {}", path.unwrap_or(name)));
            lines.push(format!("Id        {}, a {sort}", entry.id()));
        }
        let (count, causes) = self.errors();
        lines.extend(
            count
                .filter(|count| *count > 0)
                .map(|count| format!("Errors    {count}")),
        );
        lines.extend(causes.into_iter().map(|cause| format!("- {cause}")));
        lines
    }
}
