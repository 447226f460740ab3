//! The CRM usage, stored as the JSON of a usage file.

use super::tables::PostgresTables;
use super::values::unreadable;
use crate::service::crm::Usage;
use crate::service::store::error::StoreError;
use crate::service::store::sql::UsageTable;

impl UsageTable for PostgresTables<'_> {
    fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError> {
        let mut usage = usage.clone();
        usage
            .associations
            .iter_mut()
            .for_each(|pair| pair.records.sort_by_key(|record| record.object_id));
        let json = serde_json::to_string(&usage).map_err(unreadable)?;
        self.execute("DELETE FROM crm_usage", &[])?;
        self.execute(
            "INSERT INTO crm_usage (usage) VALUES ($1::TEXT::JSONB)",
            &[&json],
        )
        .map(drop)
    }

    fn crm_usage(&self) -> Result<Option<Usage>, StoreError> {
        self.first("SELECT usage::TEXT FROM crm_usage", &[], |row| {
            serde_json::from_str(row.try_get(0)?).map_err(unreadable)
        })
    }
}
