//! One line of a report: its subject and a measure.

use crate::api::model::ObjectTypeName;

/// The percentage from which a report calls a record near its limit (`contract.md#crm-limits`).
const NEAR: f64 = 80.0;
const FULL: f64 = 100.0;

/// A report's statement on one thing. The texts are as the service sent them.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitEntry {
    pub subject: EntrySubject,
    pub measure: Measure,
    pub labels: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntrySubject {
    /// Everything that the report covers.
    All,
    /// All object types that the account has created.
    Custom,
    Type(ObjectTypeName),
    /// From one type to another.
    Pair(ObjectTypeName, ObjectTypeName),
    Record {
        id: i64,
        label: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    Share(Share),
    /// Something without a limit of its own.
    Count(u64),
    /// Set if there are records at the limit, and near it; `None` if the report does not say.
    Flags {
        at: Option<bool>,
        near: Option<bool>,
    },
    /// The number of records at a limit, and near it.
    Totals {
        limit: u64,
        at: u64,
        near: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    pub usage: u64,
    pub limit: u64,
    /// From 0 to 100 and above, as the service has calculated it.
    pub percentage: f64,
}

impl Share {
    pub fn left(self) -> u64 {
        self.limit.saturating_sub(self.usage)
    }
}

impl LimitEntry {
    pub fn new(subject: EntrySubject, measure: Measure) -> Self {
        Self {
            subject,
            measure,
            labels: Vec::new(),
        }
    }

    pub fn share(&self) -> Option<Share> {
        match self.measure {
            Measure::Share(share) => Some(share),
            _ => None,
        }
    }

    /// Returns the percentage that is used, or that flags say is used at least; `None` without a
    /// limit.
    pub fn percentage(&self) -> Option<f64> {
        let (at, near) = match self.measure {
            Measure::Share(share) => return Some(share.percentage),
            Measure::Count(_) => return None,
            Measure::Flags { at, near } => (at == Some(true), near == Some(true)),
            Measure::Totals { at, near, .. } => (at > 0, near > 0),
        };
        Some(match (at, near) {
            (true, _) => FULL,
            (_, true) => NEAR,
            _ => 0.0,
        })
    }

    pub fn object_type(&self) -> Option<&ObjectTypeName> {
        match &self.subject {
            EntrySubject::Type(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the ids of its types, or of its record.
    pub fn id(&self) -> Option<String> {
        match &self.subject {
            EntrySubject::Type(name) => Some(name.object_type_id.clone()),
            EntrySubject::Pair(from, to) => {
                Some(format!("{} {}", from.object_type_id, to.object_type_id))
            }
            EntrySubject::Record { id, .. } => Some(id.to_string()),
            EntrySubject::All | EntrySubject::Custom => None,
        }
    }
}
