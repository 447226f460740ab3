//! The CRM usage, written and read as a whole. The reports are computed elsewhere.

use super::database::Store;
use super::error::StoreError;
use super::sql::Tables;
use crate::service::crm::Usage;

impl Store {
    pub(crate) async fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError> {
        let usage = usage.clone();
        self.write(move |tables| tables.replace_crm_usage(&usage))
            .await
    }

    /// Returns the usage; `None` if it was never written.
    pub(crate) async fn crm_usage(&self) -> Result<Option<Usage>, StoreError> {
        self.read(|tables: &dyn Tables| tables.crm_usage()).await
    }
}

#[cfg(test)]
mod tests {
    use crate::service::crm::Usage;
    use crate::service::store::query_plans;

    #[tokio::test]
    async fn a_usage_is_read_as_it_was_written_and_replaces_the_one_before() {
        let (_dir, store) = query_plans::store().await;
        assert_eq!(store.crm_usage().await.unwrap(), None);
        let mut usage = Usage::sample().unwrap();
        // The order in which they are reported.
        usage
            .associations
            .iter_mut()
            .for_each(|pair| pair.records.sort_by_key(|record| record.object_id));
        store.replace_crm_usage(&usage).await.unwrap();
        assert_eq!(store.crm_usage().await.unwrap().as_ref(), Some(&usage));
        usage.object_types.reverse();
        usage
            .associations
            .iter_mut()
            .for_each(|pair| pair.labels.reverse());
        usage
            .object_types
            .iter_mut()
            .for_each(|object_type| object_type.pipelines = None);
        store.replace_crm_usage(&usage).await.unwrap();
        assert_eq!(store.crm_usage().await.unwrap(), Some(usage));
    }
}
