//! The nine CRM limits reports (`contract.md#crm-limits`). Percentages are 0–100 with three
//! decimals.

use serde::{Deserialize, Serialize};

/// The number of custom properties in use, overall and for each object type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CustomPropertyLimits {
    /// The limit over all object types.
    pub overall_limit: u64,
    /// The number in use.
    pub overall_usage: u64,
    /// The usage in percent of the limit, 0 to 100.
    pub overall_percentage: f64,
    /// The usage of each object type.
    #[serde(default)]
    pub by_object_type: Vec<ObjectTypeUsage>,
}

/// The usage of an object type with a limit of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ObjectTypeUsage {
    /// The id of the object type, such as `0-1`.
    pub object_type_id: String,
    /// The singular name.
    #[serde(default)]
    pub singular_label: String,
    /// The plural name.
    #[serde(default)]
    pub plural_label: String,
    /// The limit of the account.
    pub limit: u64,
    /// The number in use.
    pub usage: u64,
    /// `usage` in percent of `limit`, 0 to 100.
    pub percentage: f64,
}

/// Object types to which records of the starting type are near or at the association limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct AssociationLimits {
    /// The entries, in the order of the service.
    pub results: Vec<AssociationFlags>,
}

/// Tells if records of an object type are near or at the association limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AssociationFlags {
    /// The id of the object type, such as `0-1`.
    pub object_type_id: String,
    /// The singular name.
    #[serde(default)]
    pub singular_label: String,
    /// The plural name.
    #[serde(default)]
    pub plural_label: String,
    /// Set if some records are at the limit. Absent if the answer does not say, which is not a
    /// "no".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = bool, required))]
    pub has_records_at_limit: Option<bool>,
    /// Set if some records are near the limit. Absent if the report does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = bool, required))]
    pub has_records_near_limit: Option<bool>,
}

/// An object type, by id and labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ObjectTypeName {
    /// The id of the object type, such as `0-1`.
    pub object_type_id: String,
    /// The singular name.
    #[serde(default)]
    pub singular_label: String,
    /// The plural name.
    #[serde(default)]
    pub plural_label: String,
}

impl ObjectTypeName {
    /// Creates an object type from its id, singular name and plural name.
    pub fn new(
        id: impl Into<String>,
        singular: impl Into<String>,
        plural: impl Into<String>,
    ) -> Self {
        Self {
            object_type_id: id.into(),
            singular_label: singular.into(),
            plural_label: plural.into(),
        }
    }
}

/// A count for an object type that has no limit of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ObjectTypeCount {
    /// The object type.
    #[serde(flatten)]
    pub object_type: ObjectTypeName,
    /// The number in use.
    pub usage: u64,
}

/// The number of calculated properties in use; one limit applies over all object types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CalculatedPropertyLimits {
    /// The limit over all object types.
    pub overall_limit: u64,
    /// The number in use.
    pub overall_usage: u64,
    /// The usage in percent of the limit, 0 to 100.
    pub overall_percentage: f64,
    /// The usage of each object type.
    #[serde(default)]
    pub by_object_type: Vec<ObjectTypeCount>,
}

/// The number of custom object types of the account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct CustomObjectTypeLimits {
    /// The limit of the account.
    pub limit: u64,
    /// The number in use.
    pub usage: u64,
    /// `usage` in percent of `limit`, 0 to 100.
    pub percentage: f64,
}

/// Records or pipelines: a limit for each type that the service defines, and one over all custom
/// types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ByDefinition {
    /// The object types that the service defines.
    #[serde(default)]
    pub hubspot_defined_object_types: Vec<ObjectTypeUsage>,
    /// The object types that the account defines.
    pub custom_object_types: CustomObjectTypesUsage,
}

/// The usage of all custom object types together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CustomObjectTypesUsage {
    /// The limit over all object types.
    pub overall_limit: u64,
    /// The number in use.
    pub overall_usage: u64,
    /// The usage in percent of the limit, 0 to 100.
    pub overall_percentage: f64,
    /// The usage of each object type.
    #[serde(default)]
    pub by_object_type: Vec<ObjectTypeCount>,
}

/// The association labels in use, for each pair of object types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct AssociationLabelLimits {
    /// The entries, in the order of the service.
    pub results: Vec<AssociationLabels>,
}

/// The association labels between two object types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AssociationLabels {
    /// The object type at which the association starts.
    pub from_object_type: ObjectTypeName,
    /// The object type to which the association leads.
    pub to_object_type: ObjectTypeName,
    /// The limit of the account.
    pub limit: u64,
    /// The number in use.
    pub usage: u64,
    /// `usage` in percent of `limit`, 0 to 100.
    pub percentage: f64,
    /// The labels.
    #[serde(default)]
    pub all_labels: Vec<String>,
}

/// Records of one type that are at or near the limit of associations with another type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AssociationPairLimits {
    /// The limit of the account.
    pub limit: u64,
    /// The number of records that are at the limit.
    pub total_records_at_limit: u64,
    /// The number of records that are near the limit.
    pub total_records_near_limit: u64,
    /// A sample of the records at the limit.
    #[serde(default)]
    pub at_limit_from_record_samples: Vec<RecordAtLimit>,
    /// A sample of the records near the limit.
    #[serde(default)]
    pub near_limit_from_record_samples: Vec<RecordNearLimit>,
}

/// A record that is at the limit of its associations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RecordAtLimit {
    /// The id of the record.
    pub object_id: i64,
    /// The label of the record.
    #[serde(default)]
    pub label: String,
}

/// A record that is near the limit of its associations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RecordNearLimit {
    /// The id of the record.
    pub object_id: i64,
    /// The label of the record.
    #[serde(default)]
    pub label: String,
    /// The number in use.
    pub usage: u64,
    /// `usage` in percent of `limit`, 0 to 100.
    pub percentage: f64,
}
