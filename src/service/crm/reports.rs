//! The nine limits reports, each a pure function of the usage (`contract.md#crm-limits`). Reports
//! on an object type that the account does not have fail with `UnknownObjectType`.

use super::share::LimitShare;
use super::usage::{Association, ObjectType, Usage, UsageCount};
use crate::api::model::{
    AssociationFlags, AssociationLabelLimits, AssociationLabels, AssociationLimits,
    AssociationPairLimits, ByDefinition, CalculatedPropertyLimits, CustomObjectTypeLimits,
    CustomObjectTypesUsage, CustomPropertyLimits, ObjectTypeCount, ObjectTypeName, ObjectTypeUsage,
    RecordAtLimit, RecordNearLimit,
};
use crate::service::policy;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unknown object type id: {0}")]
pub(crate) struct UnknownObjectType(pub(crate) String);

pub(crate) fn custom_properties(usage: &Usage) -> CustomPropertyLimits {
    let by_object_type: Vec<_> = usage
        .object_types
        .iter()
        .map(|object_type| share_of(object_type, object_type.custom_properties))
        .collect();
    let used = by_object_type.iter().map(|share| share.usage).sum();
    let overall = LimitShare {
        limit: usage.limits.custom_properties,
        usage: used,
    };
    CustomPropertyLimits {
        overall_limit: overall.limit,
        overall_usage: overall.usage,
        overall_percentage: overall.percentage(),
        by_object_type,
    }
}

pub(crate) fn calculated_properties(usage: &Usage) -> CalculatedPropertyLimits {
    let by_object_type: Vec<_> = usage
        .object_types
        .iter()
        .map(|object_type| count_of(object_type, object_type.calculated_properties))
        .collect();
    let used = by_object_type.iter().map(|count| count.usage).sum();
    let overall = LimitShare {
        limit: usage.limits.calculated_properties,
        usage: used,
    };
    CalculatedPropertyLimits {
        overall_limit: overall.limit,
        overall_usage: overall.usage,
        overall_percentage: overall.percentage(),
        by_object_type,
    }
}

pub(crate) fn custom_object_types(usage: &Usage) -> CustomObjectTypeLimits {
    let count = usage
        .object_types
        .iter()
        .filter(|object_type| object_type.is_custom())
        .count();
    let share = LimitShare {
        limit: usage.limits.custom_object_types,
        usage: count.try_into().unwrap_or(u64::MAX),
    };
    CustomObjectTypeLimits {
        limit: share.limit,
        usage: share.usage,
        percentage: share.percentage(),
    }
}

pub(crate) fn records(usage: &Usage) -> ByDefinition {
    by_definition(usage, usage.limits.custom_object_records, |object_type| {
        Some(object_type.records)
    })
}

pub(crate) fn pipelines(usage: &Usage) -> ByDefinition {
    by_definition(usage, usage.limits.custom_object_pipelines, |object_type| {
        object_type.pipelines
    })
}

/// Returns the labels of all pairs of types, or of those that start or end at the given types.
pub(crate) fn association_labels(
    usage: &Usage,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<AssociationLabelLimits, UnknownObjectType> {
    for id in [from, to].into_iter().flatten() {
        known(usage, id)?;
    }
    let results = usage
        .associations
        .iter()
        .filter(|pair| from.is_none_or(|id| pair.from == id) && to.is_none_or(|id| pair.to == id))
        .filter_map(|pair| {
            let share = LimitShare {
                limit: pair.label_limit,
                usage: pair.labels.len().try_into().unwrap_or(u64::MAX),
            };
            Some(AssociationLabels {
                from_object_type: name_of(usage.object_type(&pair.from)?),
                to_object_type: name_of(usage.object_type(&pair.to)?),
                limit: share.limit,
                usage: share.usage,
                percentage: share.percentage(),
                all_labels: pair.labels.clone(),
            })
        })
        .collect();
    Ok(AssociationLabelLimits { results })
}

/// Returns the types that have records at or near the limit of their associations with any other
/// type.
pub(crate) fn association_sources(usage: &Usage) -> AssociationLimits {
    flagged(usage, |object_type, pair| pair.from == object_type.id)
}

/// Returns the types with which records of the starting type are at or near the limit of their
/// associations.
pub(crate) fn association_targets(
    usage: &Usage,
    from: &str,
) -> Result<AssociationLimits, UnknownObjectType> {
    known(usage, from)?;
    Ok(flagged(usage, |object_type, pair| {
        pair.from == from && pair.to == object_type.id
    }))
}

pub(crate) fn association_pair(
    usage: &Usage,
    from: &str,
    to: &str,
) -> Result<AssociationPairLimits, UnknownObjectType> {
    known(usage, from)?;
    known(usage, to)?;
    let pair = usage
        .associations
        .iter()
        .find(|pair| pair.from == from && pair.to == to);
    let limit = pair.map_or(policy::ASSOCIATIONS_PER_RECORD, |pair| pair.record_limit);
    let records = pair.map_or(&[][..], |pair| &pair.records);
    let at: Vec<_> = records
        .iter()
        .filter(|record| record.share(limit).is_at())
        .collect();
    let near: Vec<_> = records
        .iter()
        .filter(|record| record.share(limit).is_near())
        .collect();
    Ok(AssociationPairLimits {
        limit,
        total_records_at_limit: at.len().try_into().unwrap_or(u64::MAX),
        total_records_near_limit: near.len().try_into().unwrap_or(u64::MAX),
        at_limit_from_record_samples: at
            .into_iter()
            .take(policy::RECORD_SAMPLES)
            .map(|record| RecordAtLimit {
                object_id: record.object_id,
                label: record.label.clone(),
            })
            .collect(),
        near_limit_from_record_samples: near
            .into_iter()
            .take(policy::RECORD_SAMPLES)
            .map(|record| RecordNearLimit {
                object_id: record.object_id,
                label: record.label.clone(),
                usage: record.usage,
                percentage: record.share(limit).percentage(),
            })
            .collect(),
    })
}

fn flagged(
    usage: &Usage,
    concerns: impl Fn(&ObjectType, &Association) -> bool,
) -> AssociationLimits {
    let flags = |object_type: &ObjectType| {
        let pairs = usage
            .associations
            .iter()
            .filter(|pair| concerns(object_type, pair));
        let shares: Vec<_> = pairs
            .flat_map(|pair| {
                pair.records
                    .iter()
                    .map(|record| record.share(pair.record_limit))
            })
            .collect();
        let (at, near) = (
            shares.iter().any(|share| share.is_at()),
            shares.iter().any(|share| share.is_near()),
        );
        let ObjectTypeName {
            object_type_id,
            singular_label,
            plural_label,
        } = name_of(object_type);
        (at || near).then_some(AssociationFlags {
            object_type_id,
            singular_label,
            plural_label,
            has_records_at_limit: Some(at),
            has_records_near_limit: Some(near),
        })
    };
    AssociationLimits {
        results: usage.object_types.iter().filter_map(flags).collect(),
    }
}

fn by_definition(
    usage: &Usage,
    custom_limit: u64,
    count: impl Fn(&ObjectType) -> Option<UsageCount>,
) -> ByDefinition {
    let mut defined = Vec::new();
    let mut custom = Vec::new();
    for object_type in &usage.object_types {
        match count(object_type) {
            Some(UsageCount {
                usage,
                limit: Some(limit),
            }) => {
                defined.push(share_of(object_type, LimitShare { limit, usage }));
            }
            Some(UsageCount { usage, limit: None }) => custom.push(count_of(object_type, usage)),
            None => {}
        }
    }
    let overall = LimitShare {
        limit: custom_limit,
        usage: custom.iter().map(|count| count.usage).sum(),
    };
    ByDefinition {
        hubspot_defined_object_types: defined,
        custom_object_types: CustomObjectTypesUsage {
            overall_limit: overall.limit,
            overall_usage: overall.usage,
            overall_percentage: overall.percentage(),
            by_object_type: custom,
        },
    }
}

fn known(usage: &Usage, id: &str) -> Result<(), UnknownObjectType> {
    usage
        .object_type(id)
        .map(|_| ())
        .ok_or_else(|| UnknownObjectType(id.to_owned()))
}

fn name_of(object_type: &ObjectType) -> ObjectTypeName {
    ObjectTypeName {
        object_type_id: object_type.id.clone(),
        singular_label: object_type.singular_label.clone(),
        plural_label: object_type.plural_label.clone(),
    }
}

fn share_of(object_type: &ObjectType, share: LimitShare) -> ObjectTypeUsage {
    let ObjectTypeName {
        object_type_id,
        singular_label,
        plural_label,
    } = name_of(object_type);
    ObjectTypeUsage {
        object_type_id,
        singular_label,
        plural_label,
        limit: share.limit,
        usage: share.usage,
        percentage: share.percentage(),
    }
}

fn count_of(object_type: &ObjectType, usage: u64) -> ObjectTypeCount {
    ObjectTypeCount {
        object_type: name_of(object_type),
        usage,
    }
}

#[cfg(test)]
mod tests;
