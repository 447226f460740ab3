//! Rows of the CRM usage, written and read as the JSON of a usage file.

use super::tables::SqliteTables;
use super::values::unreadable;
use crate::service::crm::Usage;
use crate::service::store::error::StoreError;
use crate::service::store::sql::UsageTable;

/// Children first, since the tables refer to each other.
const EMPTY: &str = "
    DELETE FROM crm_association_records;
    DELETE FROM crm_association_labels;
    DELETE FROM crm_associations;
    DELETE FROM crm_object_types;
    DELETE FROM crm_limits";

/// Each statement gets the whole usage as its parameter.
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

impl UsageTable for SqliteTables<'_> {
    fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError> {
        let json = serde_json::to_string(usage).map_err(unreadable)?;
        self.0.execute_batch(EMPTY)?;
        FILL.iter()
            .try_for_each(|statement| self.execute(statement, [&json]).map(drop))
    }

    fn crm_usage(&self) -> Result<Option<Usage>, StoreError> {
        self.first(READ, [], |row| {
            serde_json::from_str(row.get_ref(0)?.as_str()?).map_err(unreadable)
        })
    }
}
