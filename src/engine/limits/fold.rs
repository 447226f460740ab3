//! Turns the reports of the service into entries of one form.

use super::entry::{EntrySubject, LimitEntry, Measure, Share};
use crate::api::model::{
    AssociationFlags, AssociationLabels, AssociationPairLimits, ByDefinition,
    CalculatedPropertyLimits, CustomObjectTypeLimits, CustomPropertyLimits, ObjectTypeCount,
    ObjectTypeName, ObjectTypeUsage,
};

pub fn custom_properties(report: CustomPropertyLimits) -> Vec<LimitEntry> {
    let all = share(
        report.overall_usage,
        report.overall_limit,
        report.overall_percentage,
    );
    [LimitEntry::new(EntrySubject::All, all)]
        .into_iter()
        .chain(report.by_object_type.into_iter().map(usage))
        .collect()
}

pub fn calculated_properties(report: CalculatedPropertyLimits) -> Vec<LimitEntry> {
    let all = share(
        report.overall_usage,
        report.overall_limit,
        report.overall_percentage,
    );
    [LimitEntry::new(EntrySubject::All, all)]
        .into_iter()
        .chain(report.by_object_type.into_iter().map(count))
        .collect()
}

pub fn custom_object_types(report: &CustomObjectTypeLimits) -> Vec<LimitEntry> {
    vec![LimitEntry::new(
        EntrySubject::All,
        share(report.usage, report.limit, report.percentage),
    )]
}

/// Turns a report on records or pipelines into entries.
pub fn by_definition(report: ByDefinition) -> Vec<LimitEntry> {
    let custom = report.custom_object_types;
    let all = share(
        custom.overall_usage,
        custom.overall_limit,
        custom.overall_percentage,
    );
    let defined = report.hubspot_defined_object_types.into_iter().map(usage);
    defined
        .chain([LimitEntry::new(EntrySubject::Custom, all)])
        .chain(custom.by_object_type.into_iter().map(count))
        .collect()
}

pub fn association_labels(pairs: Vec<AssociationLabels>) -> Vec<LimitEntry> {
    let entry = |pair: AssociationLabels| LimitEntry {
        subject: EntrySubject::Pair(pair.from_object_type, pair.to_object_type),
        measure: share(pair.usage, pair.limit, pair.percentage),
        labels: pair.all_labels,
    };
    pairs.into_iter().map(entry).collect()
}

/// Turns object types into entries: those that associations start from, or those that the records
/// of one type lead to.
pub fn association_flags(types: Vec<AssociationFlags>) -> Vec<LimitEntry> {
    let entry = |flags: AssociationFlags| {
        let (at, near) = (flags.has_records_at_limit, flags.has_records_near_limit);
        let subject = name(
            flags.object_type_id,
            flags.singular_label,
            flags.plural_label,
        );
        LimitEntry::new(subject, Measure::Flags { at, near })
    };
    types.into_iter().map(entry).collect()
}

/// Returns the numbers of records, then some of these records.
pub fn association_pair(report: AssociationPairLimits) -> Vec<LimitEntry> {
    let AssociationPairLimits {
        limit,
        total_records_at_limit: at,
        total_records_near_limit: near,
        ..
    } = report;
    let full = report
        .at_limit_from_record_samples
        .into_iter()
        .map(|record| {
            let subject = EntrySubject::Record {
                id: record.object_id,
                label: record.label,
            };
            LimitEntry::new(subject, share(limit, limit, 100.0))
        });
    let nearly = report
        .near_limit_from_record_samples
        .into_iter()
        .map(|record| {
            let subject = EntrySubject::Record {
                id: record.object_id,
                label: record.label,
            };
            LimitEntry::new(subject, share(record.usage, limit, record.percentage))
        });
    [LimitEntry::new(
        EntrySubject::All,
        Measure::Totals { limit, at, near },
    )]
    .into_iter()
    .chain(full)
    .chain(nearly)
    .collect()
}

fn share(usage: u64, limit: u64, percentage: f64) -> Measure {
    Measure::Share(Share {
        usage,
        limit,
        percentage,
    })
}

fn usage(usage: ObjectTypeUsage) -> LimitEntry {
    let subject = name(
        usage.object_type_id,
        usage.singular_label,
        usage.plural_label,
    );
    LimitEntry::new(subject, share(usage.usage, usage.limit, usage.percentage))
}

fn count(count: ObjectTypeCount) -> LimitEntry {
    LimitEntry::new(
        EntrySubject::Type(count.object_type),
        Measure::Count(count.usage),
    )
}

fn name(object_type_id: String, singular_label: String, plural_label: String) -> EntrySubject {
    EntrySubject::Type(ObjectTypeName {
        object_type_id,
        singular_label,
        plural_label,
    })
}
