//! The CRM limits as the screen shows them: the reports, their entries, and their history.

mod entry;
mod fold;
mod history;
mod report;

pub use entry::{EntrySubject, LimitEntry, Measure, Share};
pub use fold::{
    association_flags, association_labels, association_pair, by_definition, calculated_properties,
    custom_object_types, custom_properties,
};
pub use history::{Day, LimitHistory, Reading, Snapshot, readings};
pub use report::Report;
