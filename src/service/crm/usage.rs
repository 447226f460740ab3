//! The account's CRM usage in a file: object types, properties, records, pipelines and
//! associations. Everything is checked when it is read, so that all that is in the database can be
//! reported.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::share::LimitShare;

/// The largest count that every JSON reader keeps exactly.
const MAX_COUNT: u64 = 1 << 53;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Usage {
    pub(crate) limits: AccountLimits,
    pub(crate) object_types: Vec<ObjectType>,
    #[serde(default)]
    pub(crate) associations: Vec<Association>,
}

/// The limits of the account as a whole, which are not the sums of the limits of its object types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AccountLimits {
    pub(crate) custom_properties: u64,
    pub(crate) calculated_properties: u64,
    pub(crate) custom_object_types: u64,
    /// For all custom object types together.
    pub(crate) custom_object_records: u64,
    /// For all custom object types together.
    pub(crate) custom_object_pipelines: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ObjectType {
    /// `0-1` for a type that the service defines, `2-1` for a custom one.
    pub(crate) id: String,
    pub(crate) singular_label: String,
    pub(crate) plural_label: String,
    pub(crate) custom_properties: LimitShare,
    #[serde(default)]
    pub(crate) calculated_properties: u64,
    pub(crate) records: UsageCount,
    /// Absent for a type that has no pipelines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pipelines: Option<UsageCount>,
}

impl ObjectType {
    pub(crate) fn is_custom(&self) -> bool {
        self.id.starts_with("2-")
    }
}

/// A count; custom object types have no limit of their own for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageCount {
    pub(crate) usage: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Association {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) label_limit: u64,
    #[serde(default)]
    pub(crate) labels: Vec<String>,
    /// The number of records of the second type that one record of the first may have.
    pub(crate) record_limit: u64,
    #[serde(default)]
    pub(crate) records: Vec<RecordUsage>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RecordUsage {
    pub(crate) object_id: i64,
    pub(crate) label: String,
    pub(crate) usage: u64,
}

impl RecordUsage {
    pub(crate) fn share(&self, limit: u64) -> LimitShare {
        LimitShare {
            limit,
            usage: self.usage,
        }
    }
}

/// The reason why a usage file was refused, with the place in it.
#[derive(Debug, thiserror::Error)]
pub enum UsageFileError {
    #[error("not a CRM usage file: {0}")]
    Form(#[from] serde_json::Error),
    #[error("{place}: {reason}")]
    Content { place: String, reason: String },
}

impl Usage {
    pub(crate) fn sample() -> Result<Self, UsageFileError> {
        Self::parse(include_bytes!("../../../assets/sample/crm.json"))
    }

    pub fn parse(json: &[u8]) -> Result<Self, UsageFileError> {
        let usage: Self = serde_json::from_slice(json)?;
        usage.check()?;
        Ok(usage)
    }

    pub(crate) fn object_type(&self, id: &str) -> Option<&ObjectType> {
        self.object_types
            .iter()
            .find(|object_type| object_type.id == id)
    }

    fn check(&self) -> Result<(), UsageFileError> {
        let limits = self.limits;
        let counts = [
            limits.custom_properties,
            limits.calculated_properties,
            limits.custom_object_types,
            limits.custom_object_records,
            limits.custom_object_pipelines,
        ];
        check_counts("limits", counts)?;
        let mut ids = BTreeSet::new();
        for object_type in &self.object_types {
            object_type.check()?;
            if !ids.insert(object_type.id.as_str()) {
                return refuse(
                    format!("objectTypes {}", object_type.id),
                    "the id occurs twice",
                );
            }
        }
        let mut pairs = BTreeSet::new();
        for association in &self.associations {
            let place = || format!("associations {} to {}", association.from, association.to);
            for id in [&association.from, &association.to] {
                if !ids.contains(id.as_str()) {
                    return refuse(place(), &format!("objectTypes has no {id}"));
                }
            }
            if !pairs.insert((&association.from, &association.to)) {
                return refuse(place(), "the pair occurs twice");
            }
            association.check(place)?;
        }
        Ok(())
    }
}

impl ObjectType {
    fn check(&self) -> Result<(), UsageFileError> {
        let place = || format!("objectTypes {:?}", self.id);
        if !is_type_id(&self.id) {
            return refuse(place(), "an id has the form 0-1, or 2-1 for a custom type");
        }
        if self.singular_label.trim().is_empty() || self.plural_label.trim().is_empty() {
            return refuse(place(), "singularLabel and pluralLabel must not be empty");
        }
        let counted = [Some(self.records), self.pipelines];
        for count in counted.into_iter().flatten() {
            if self.is_custom() == count.limit.is_some() {
                let reason = if self.is_custom() {
                    "records and pipelines of a custom type have no limit of their own; remove it"
                } else {
                    "records and pipelines need a limit"
                };
                return refuse(place(), reason);
            }
            check_counts(&place(), [count.usage, count.limit.unwrap_or(0)])?;
        }
        check_counts(
            &place(),
            [
                self.custom_properties.limit,
                self.custom_properties.usage,
                self.calculated_properties,
            ],
        )
    }
}

impl Association {
    fn check(&self, place: impl Fn() -> String) -> Result<(), UsageFileError> {
        if self.record_limit == 0 {
            return refuse(place(), "recordLimit must be at least 1");
        }
        check_counts(&place(), [self.label_limit, self.record_limit])?;
        let mut ids = BTreeSet::new();
        for record in &self.records {
            if record.object_id <= 0 || !ids.insert(record.object_id) {
                return refuse(
                    place(),
                    &format!(
                        "record {}: an objectId is above 0 and occurs once",
                        record.object_id
                    ),
                );
            }
            check_counts(&place(), [record.usage])?;
        }
        Ok(())
    }
}

/// `0-` or `2-`, then digits.
fn is_type_id(id: &str) -> bool {
    let number = id
        .strip_prefix("0-")
        .or_else(|| id.strip_prefix("2-"))
        .unwrap_or_default();
    (1..=18).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_counts(place: &str, counts: impl IntoIterator<Item = u64>) -> Result<(), UsageFileError> {
    match counts.into_iter().find(|count| *count > MAX_COUNT) {
        Some(count) => refuse(
            place.to_owned(),
            &format!("{count} is more than {MAX_COUNT}"),
        ),
        None => Ok(()),
    }
}

fn refuse(place: String, reason: &str) -> Result<(), UsageFileError> {
    Err(UsageFileError::Content {
        place,
        reason: reason.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    fn file() -> Value {
        json!({
            "limits": {"customProperties": 10, "calculatedProperties": 5, "customObjectTypes": 2,
                       "customObjectRecords": 100, "customObjectPipelines": 3},
            "objectTypes": [
                {"id": "0-1", "singularLabel": "Contact", "pluralLabel": "Contacts",
                 "customProperties": {"limit": 10, "usage": 4}, "records": {"limit": 100, "usage": 7}},
                {"id": "2-1", "singularLabel": "Boat", "pluralLabel": "Boats",
                 "customProperties": {"limit": 10, "usage": 1}, "records": {"usage": 3}, "pipelines": {"usage": 1}}
            ],
            "associations": [{"from": "0-1", "to": "2-1", "labelLimit": 5, "labels": ["Owner"], "recordLimit": 10,
                              "records": [{"objectId": 5, "label": "Ada", "usage": 10}]}]
        })
    }

    fn parse(file: &Value) -> Result<Usage, UsageFileError> {
        Usage::parse(file.to_string().as_bytes())
    }

    #[test]
    fn a_complete_file_is_read() {
        let usage = parse(&file()).unwrap();
        assert_eq!(usage.object_types.len(), 2);
        assert_eq!(usage.associations[0].records[0].usage, 10);
    }

    #[rstest]
    #[case::id_form("/objectTypes/0/id", json!("contacts"), "the form 0-1")]
    #[case::custom_type_with_a_limit("/objectTypes/0/id", json!("2-1"), "limit of their own")]
    #[case::no_label("/objectTypes/0/pluralLabel", json!(" "), "must not be empty")]
    #[case::negative("/objectTypes/0/customProperties/usage", json!(-1), "not a CRM usage file")]
    #[case::unknown_type("/associations/0/to", json!("2-9"), "objectTypes has no 2-9")]
    #[case::unknown_key("/limits/customPropertys", json!(1), "unknown field")]
    #[case::no_room("/associations/0/recordLimit", json!(0), "at least 1")]
    #[case::huge("/limits/customProperties", json!(u64::MAX), "is more than")]
    fn a_mistake_is_named(#[case] at: &str, #[case] value: Value, #[case] expected: &str) {
        let mut file = file();
        let (parent, key) = at.rsplit_once('/').unwrap();
        match file.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
            object => object[key] = value,
        }
        let message = parse(&file).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}
