//! Rows of the CRM usage: written as a whole, read as a whole, as the JSON that a file of usage has. The reports are
//! computed elsewhere.

use rusqlite::{Connection, Row};

use super::error::StoreError;
use super::sqlite::database::Store;
use super::sqlite::statements::{execute, first};
use super::sqlite::values::unreadable;
use crate::service::crm::Usage;

/// Children first: the tables refer to each other.
const EMPTY: &str = "
    DELETE FROM crm_association_records;
    DELETE FROM crm_association_labels;
    DELETE FROM crm_associations;
    DELETE FROM crm_object_types;
    DELETE FROM crm_limits";

/// Each takes the whole usage.
const FILL: [&str; 5] = [
    "INSERT INTO crm_limits (custom_properties, calculated_properties, custom_object_types, custom_object_records,
        custom_object_pipelines)
      SELECT value ->> 'customProperties', value ->> 'calculatedProperties', value ->> 'customObjectTypes',
        value ->> 'customObjectRecords', value ->> 'customObjectPipelines'
      FROM (SELECT ?1 -> 'limits' AS value)",
    "INSERT INTO crm_object_types (id, position, singular_label, plural_label, property_limit, property_usage,
        calculated_properties, record_usage, record_limit, pipeline_usage, pipeline_limit)
      SELECT value ->> 'id', key, value ->> 'singularLabel', value ->> 'pluralLabel',
        value ->> '$.customProperties.limit', value ->> '$.customProperties.usage', value ->> 'calculatedProperties',
        value ->> '$.records.usage', value ->> '$.records.limit', value ->> '$.pipelines.usage',
        value ->> '$.pipelines.limit'
      FROM json_each(?1, '$.objectTypes')",
    "INSERT INTO crm_associations (from_type, to_type, position, label_limit, record_limit)
      SELECT value ->> 'from', value ->> 'to', key, value ->> 'labelLimit', value ->> 'recordLimit'
      FROM json_each(?1, '$.associations')",
    "INSERT INTO crm_association_labels (from_type, to_type, position, label)
      SELECT pair.value ->> 'from', pair.value ->> 'to', label.key, label.value
      FROM json_each(?1, '$.associations') pair, json_each(pair.value, '$.labels') label",
    "INSERT INTO crm_association_records (from_type, to_type, object_id, label, usage)
      SELECT pair.value ->> 'from', pair.value ->> 'to', record.value ->> 'objectId', record.value ->> 'label',
        record.value ->> 'usage'
      FROM json_each(?1, '$.associations') pair, json_each(pair.value, '$.records') record",
];

const READ: &str = "SELECT json_object(
    'limits', json_object('customProperties', custom_properties, 'calculatedProperties', calculated_properties,
      'customObjectTypes', custom_object_types, 'customObjectRecords', custom_object_records,
      'customObjectPipelines', custom_object_pipelines),
    'objectTypes', json((SELECT json_group_array(json_object('id', id, 'singularLabel', singular_label,
        'pluralLabel', plural_label,
        'customProperties', json_object('limit', property_limit, 'usage', property_usage),
        'calculatedProperties', calculated_properties,
        'records', json_object('usage', record_usage, 'limit', record_limit),
        'pipelines', json(iif(pipeline_usage IS NULL, NULL,
          json_object('usage', pipeline_usage, 'limit', pipeline_limit)))) ORDER BY position)
      FROM crm_object_types)),
    'associations', json((SELECT json_group_array(json_object('from', from_type, 'to', to_type,
        'labelLimit', label_limit, 'recordLimit', record_limit,
        'labels', json((SELECT json_group_array(label ORDER BY position) FROM crm_association_labels label
          WHERE label.from_type = pair.from_type AND label.to_type = pair.to_type)),
        'records', json((SELECT json_group_array(json_object('objectId', object_id, 'label', label, 'usage', usage)
            ORDER BY object_id) FROM crm_association_records record
          WHERE record.from_type = pair.from_type AND record.to_type = pair.to_type))) ORDER BY position)
      FROM crm_associations pair)))
  FROM crm_limits";

impl Store {
    /// Puts this usage in place of the old one.
    pub(crate) async fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError> {
        let json = serde_json::to_string(usage).map_err(unreadable)?;
        self.write(move |transaction| {
            transaction.execute_batch(EMPTY)?;
            for statement in FILL {
                execute(transaction, statement, [&json])?;
            }
            Ok(())
        })
        .await
    }

    /// The usage; none if it was never written.
    pub(crate) async fn crm_usage(&self) -> Result<Option<Usage>, StoreError> {
        self.read(read_usage).await
    }
}

/// The usage; none if it was never written.
pub(super) fn read_usage(connection: &Connection) -> Result<Option<Usage>, StoreError> {
    let read = |row: &Row<'_>| serde_json::from_str(row.get_ref(0)?.as_str()?).map_err(unreadable);
    Ok(first(connection, READ, [], read)?)
}

#[cfg(test)]
mod tests {
    use crate::service::crm::Usage;
    use crate::service::store::sqlite::query_plans;

    #[tokio::test]
    async fn a_usage_is_read_as_it_was_written_and_replaces_the_one_before() {
        let (_dir, store) = query_plans::store().await;
        assert_eq!(store.crm_usage().await.unwrap(), None);
        let mut usage = Usage::sample().unwrap();
        // The order in which they are reported.
        usage.associations.iter_mut().for_each(|pair| pair.records.sort_by_key(|record| record.object_id));
        store.replace_crm_usage(&usage).await.unwrap();
        assert_eq!(store.crm_usage().await.unwrap().as_ref(), Some(&usage));
        usage.object_types.reverse();
        usage.associations.iter_mut().for_each(|pair| pair.labels.reverse());
        usage.object_types.iter_mut().for_each(|object_type| object_type.pipelines = None);
        store.replace_crm_usage(&usage).await.unwrap();
        assert_eq!(store.crm_usage().await.unwrap(), Some(usage));
    }
}
