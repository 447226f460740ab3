//! The two CRM limits reports (`service-seed.md` §2.7, §2.8). Percentages are 0–100 with three decimals.

use serde::{Deserialize, Serialize};

/// How many custom properties the account uses, over all and for each object type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomPropertyLimits {
    pub overall_limit: u64,
    pub overall_usage: u64,
    pub overall_percentage: f64,
    #[serde(default)]
    pub by_object_type: Vec<ObjectTypeUsage>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssociationLimits {
    pub results: Vec<AssociationFlags>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssociationFlags {
    pub object_type_id: String,
    #[serde(default)]
    pub singular_label: String,
    #[serde(default)]
    pub plural_label: String,
    #[serde(default)]
    pub has_records_at_limit: bool,
    #[serde(default)]
    pub has_records_near_limit: bool,
}
