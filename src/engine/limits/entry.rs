//! One line of a report: what it is about, and how much there is of it.

use crate::api::model::ObjectTypeName;

/// What a report says of one thing. The texts are as the service sent them.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitEntry {
    pub subject: EntrySubject,
    pub measure: Measure,
    /// The labels of a pair of types.
    pub labels: Vec<String>,
}

/// What an entry is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntrySubject {
    /// All that the report is about.
    All,
    /// All object types that the account has made.
    Custom,
    Type(ObjectTypeName),
    /// From one type to another.
    Pair(ObjectTypeName, ObjectTypeName),
    Record {
        id: i64,
        label: String,
    },
}

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    Share(Share),
    /// Something without a limit of its own.
    Count(u64),
    /// Whether there are records at the limit, and near it; none where the report does not say.
    Flags {
        at: Option<bool>,
        near: Option<bool>,
    },
    /// How many records are at a limit, and how many near it.
    Totals {
        limit: u64,
        at: u64,
        near: u64,
    },
}

/// A limit and how much of it is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    pub usage: u64,
    pub limit: u64,
    /// 0–100 and above, as the service has worked it out.
    pub percentage: f64,
}

impl Share {
    pub fn left(self) -> u64 {
        self.limit.saturating_sub(self.usage)
    }
}

impl LimitEntry {
    pub fn new(subject: EntrySubject, measure: Measure) -> Self {
        Self { subject, measure, labels: Vec::new() }
    }

    pub fn share(&self) -> Option<Share> {
        match self.measure {
            Measure::Share(share) => Some(share),
            _ => None,
        }
    }

    /// The object type that it is about.
    pub fn object_type(&self) -> Option<&ObjectTypeName> {
        match &self.subject {
            EntrySubject::Type(name) => Some(name),
            _ => None,
        }
    }

    /// The ids of its types.
    pub fn id(&self) -> Option<String> {
        match &self.subject {
            EntrySubject::Type(name) => Some(name.object_type_id.clone()),
            EntrySubject::Pair(from, to) => Some(format!("{} {}", from.object_type_id, to.object_type_id)),
            EntrySubject::Record { id, .. } => Some(id.to_string()),
            EntrySubject::All | EntrySubject::Custom => None,
        }
    }
}
