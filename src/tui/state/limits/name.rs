//! The names of reports and gauges on the screen, all safe to show.

use crate::api::model::ObjectTypeName;
use crate::api::text::visible;
use crate::engine::limits::{EntrySubject, Report};
use crate::tui::style::symbols::{BETWEEN, towards};

pub fn title(report: &Report) -> &'static str {
    match report {
        Report::CustomProperties => "Custom properties",
        Report::Records => "Records",
        Report::Pipelines => "Pipelines",
        Report::Labels => "Labels",
        Report::CalculatedProperties => "Calculated properties",
        Report::CustomObjectTypes => "Custom object types",
        Report::Sources | Report::Targets { .. } | Report::Pair { .. } => "Associations",
    }
}

/// The name of a report with the object types that it is about, such as `Associations of 0-1`.
pub(super) fn full_title(report: &Report) -> String {
    let title = title(report);
    match report {
        Report::Targets { from } => format!("{title} of {}", visible(from)),
        Report::Pair { from, to } => format!("{title} of {} with {}", visible(from), visible(to)),
        _ => title.to_owned(),
    }
}

/// The plural label, or the id of a type without one.
pub fn label(name: &ObjectTypeName) -> String {
    let label = [&name.plural_label, &name.singular_label]
        .into_iter()
        .find(|label| !label.is_empty());
    visible(label.unwrap_or(&name.object_type_id)).into_owned()
}

pub fn subject(of: &EntrySubject) -> String {
    subject_in_words(of, false)
}

fn subject_in_words(of: &EntrySubject, is_spoken: bool) -> String {
    match of {
        EntrySubject::All => "All".to_owned(),
        EntrySubject::Custom => "Custom types, all".to_owned(),
        EntrySubject::Type(name) => label(name),
        EntrySubject::Pair(from, to) => towards(&label(from), &label(to), is_spoken),
        EntrySubject::Record { id, label } if label.is_empty() => id.to_string(),
        EntrySubject::Record { label, .. } => visible(label).into_owned(),
    }
}

/// The name of a gauge: its report and its subject, such as `Pipelines · Deals`.
pub fn gauge(report: &Report, of: &EntrySubject, is_spoken: bool) -> String {
    match of {
        EntrySubject::All => full_title(report),
        of => format!(
            "{} {BETWEEN} {}",
            full_title(report),
            subject_in_words(of, is_spoken)
        ),
    }
}
