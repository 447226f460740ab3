//! The subject of a pane of limits: an object type, or a report.

use super::name::{label, title};
use crate::api::model::ObjectTypeName;
use crate::engine::limits::Report;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topic {
    Type(ObjectTypeName),
    Report(Report),
}

impl Topic {
    /// An identity that survives a change of labels.
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Type(name) => &name.object_type_id,
            Self::Report(report) => report.name(),
        }
    }

    /// Safe to show.
    pub fn label(&self) -> String {
        match self {
            Self::Type(name) => label(name),
            Self::Report(report) => title(report).to_owned(),
        }
    }
}
