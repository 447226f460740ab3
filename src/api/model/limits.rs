//! The nine CRM limits reports (`contract.md#crm-limits`; `contract.md#crm-limits`). Percentages are 0–100 with three
//! decimals.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many custom properties the account uses, over all and for each object type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomPropertyLimits {
    pub overall_limit: u64,
    pub overall_usage: u64,
    pub overall_percentage: f64,
    #[serde(default)]
    pub by_object_type: Vec<ObjectTypeUsage>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectTypeUsage {
    pub object_type_id: String,
    #[serde(default)]
    pub singular_label: String,
    #[serde(default)]
    pub plural_label: String,
    pub limit: u64,
    pub usage: u64,
    pub percentage: f64,
}

/// Object types for which the starting type has records near or at the association limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AssociationLimits {
    pub results: Vec<AssociationFlags>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssociationFlags {
    pub object_type_id: String,
    #[serde(default)]
    pub singular_label: String,
    #[serde(default)]
    pub plural_label: String,
    /// None where the answer does not say: that is not "no".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required)]
    pub has_records_at_limit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required)]
    pub has_records_near_limit: Option<bool>,
}

/// An object type by id and labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectTypeName {
    pub object_type_id: String,
    #[serde(default)]
    pub singular_label: String,
    #[serde(default)]
    pub plural_label: String,
}

/// A count for an object type that has no limit of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectTypeCount {
    #[serde(flatten)]
    pub object_type: ObjectTypeName,
    pub usage: u64,
}

/// How many calculated properties the account uses; one limit over all object types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalculatedPropertyLimits {
    pub overall_limit: u64,
    pub overall_usage: u64,
    pub overall_percentage: f64,
    #[serde(default)]
    pub by_object_type: Vec<ObjectTypeCount>,
}

/// How many custom object types the account has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CustomObjectTypeLimits {
    pub limit: u64,
    pub usage: u64,
    pub percentage: f64,
}

/// Records, or pipelines: a limit for each type that the service defines, one over all custom types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ByDefinition {
    #[serde(default)]
    pub hubspot_defined_object_types: Vec<ObjectTypeUsage>,
    pub custom_object_types: CustomObjectTypesUsage,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomObjectTypesUsage {
    pub overall_limit: u64,
    pub overall_usage: u64,
    pub overall_percentage: f64,
    #[serde(default)]
    pub by_object_type: Vec<ObjectTypeCount>,
}

/// Association labels in use, for each pair of object types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AssociationLabelLimits {
    pub results: Vec<AssociationLabels>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssociationLabels {
    pub from_object_type: ObjectTypeName,
    pub to_object_type: ObjectTypeName,
    pub limit: u64,
    pub usage: u64,
    pub percentage: f64,
    #[serde(default)]
    pub all_labels: Vec<String>,
}

/// Records of one type that are at or near the limit of associations with another type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssociationPairLimits {
    pub limit: u64,
    pub total_records_at_limit: u64,
    pub total_records_near_limit: u64,
    #[serde(default)]
    pub at_limit_from_record_samples: Vec<RecordAtLimit>,
    #[serde(default)]
    pub near_limit_from_record_samples: Vec<RecordNearLimit>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordAtLimit {
    pub object_id: i64,
    #[serde(default)]
    pub label: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordNearLimit {
    pub object_id: i64,
    #[serde(default)]
    pub label: String,
    pub usage: u64,
    pub percentage: f64,
}
