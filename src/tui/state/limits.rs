//! The limits dashboard: the property report, and the association report of the chosen starting type.

use jiff::Timestamp;

use crate::api::Error;
use crate::api::model::{AssociationLimits, CustomPropertyLimits, ObjectTypeUsage};
use crate::engine::OpId;
use crate::tui::widget::scroll::Stand;

/// One report: what is known, what is being asked and what went wrong last. All three can be there at once.
#[derive(Debug, Clone)]
pub struct Report<T> {
    pub data: Option<T>,
    pub loading: Option<OpId>,
    pub problem: Option<Error>,
    pub loaded_at: Option<Timestamp>,
}

impl<T> Default for Report<T> {
    fn default() -> Self {
        Self { data: None, loading: None, problem: None, loaded_at: None }
    }
}

/// The starting object type of the association report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromType {
    pub id: String,
    /// Safe to show.
    pub label: String,
}

/// What the limits view and the limits corner of the files view draw.
#[derive(Debug, Clone, Default)]
pub struct LimitsPanel {
    /// Object types are sorted by percentage, fullest first.
    pub properties: Report<CustomPropertyLimits>,
    pub from: Option<FromType>,
    pub associations: Report<AssociationLimits>,
    /// Index into the object types of `properties`.
    pub cursor: usize,
    pub stand: Stand,
}

impl LimitsPanel {
    /// The object types, fullest first; empty while nothing is loaded.
    pub fn types(&self) -> &[ObjectTypeUsage] {
        self.properties.data.as_ref().map_or(&[], |report| &report.by_object_type)
    }

    /// The object type under the cursor.
    pub fn selected(&self) -> Option<&ObjectTypeUsage> {
        self.types().get(self.cursor)
    }
}
