//! The JSON in the row of a task: checked when the task was requested, carried out later.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::api::model::Access;
use crate::service::store::{DuplicateRule, FolderChange, FolderKey, Placement};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ImportOrder {
    pub(crate) url: String,
    pub(crate) name: Option<String>,
    pub(crate) target: Placement,
    pub(crate) access: Access,
    /// Counted from the time at which the file is created.
    pub(crate) ttl: Option<String>,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) overwrite: bool,
    #[serde(flatten)]
    pub(crate) duplicates: DuplicateRule,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FolderOrder {
    pub(crate) folder: FolderKey,
    #[serde(flatten)]
    pub(crate) change: FolderChange,
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;

    fn rewritten<T: Serialize + DeserializeOwned>(row: &Value) -> Value {
        serde_json::to_value(serde_json::from_value::<T>(row.clone()).unwrap()).unwrap()
    }

    // Rows in existing databases must stay readable.
    #[rstest]
    #[case::by_id(json!({"Id": 100_000_000_001_i64}))]
    #[case::by_path(json!({"Path": "/a/b c"}))]
    #[case::root(json!({"Path": ""}))]
    fn the_form_of_stored_orders_stays(#[case] target: Value) {
        let import = json!({"url": "https://example.com/a", "name": null, "target": target, "access": "PRIVATE",
                            "ttl": "P1M", "expires_at": "2026-03-01T00:00:00Z", "overwrite": true,
                            "scope": "EXACT_FOLDER", "strategy": "REJECT"});
        assert_eq!(rewritten::<ImportOrder>(&import), import);
        let update = json!({"folder": 100_000_000_002_i64, "name": "new", "parent": target});
        assert_eq!(rewritten::<FolderOrder>(&update), update);
    }

    #[test]
    fn an_order_that_leaves_name_and_parent_says_so() {
        let update = json!({"folder": 7, "name": null, "parent": null});
        assert_eq!(rewritten::<FolderOrder>(&update), update);
    }
}
