//! Rows of the CRM usage: written as a whole, read as a whole. The reports are computed elsewhere.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use super::database::Store;
use super::error::StoreError;
use super::values::{integer, number, optional};
use crate::service::crm::Usage;
use crate::service::crm::share::Share;
use crate::service::crm::usage::{AccountLimits, Association, Count, ObjectType, RecordUsage};

impl Store {
    /// Puts this usage in place of the old one.
    pub(crate) async fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        // Children first: the tables refer to each other.
        for statement in [
            "DELETE FROM crm_association_records",
            "DELETE FROM crm_association_labels",
            "DELETE FROM crm_associations",
            "DELETE FROM crm_object_types",
            "DELETE FROM crm_limits",
        ] {
            sqlx::query(statement).execute(&mut *transaction).await?;
        }
        insert_limits(&mut transaction, usage.limits).await?;
        for (position, object_type) in (0..).zip(&usage.object_types) {
            insert_type(&mut transaction, position, object_type).await?;
        }
        for (position, association) in (0..).zip(&usage.associations) {
            insert_association(&mut transaction, position, association).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// The usage; none if it was never written.
    pub(crate) async fn crm_usage(&self) -> Result<Option<Usage>, StoreError> {
        let mut transaction = self.readers.begin().await?;
        read_usage(&mut transaction).await
    }
}

/// The usage; none if it was never written.
pub(super) async fn read_usage(connection: &mut SqliteConnection) -> Result<Option<Usage>, StoreError> {
    let Some(limits) = sqlx::query("SELECT * FROM crm_limits").fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let types = sqlx::query("SELECT * FROM crm_object_types ORDER BY position").fetch_all(&mut *connection).await?;
    let pairs = sqlx::query("SELECT * FROM crm_associations ORDER BY position").fetch_all(&mut *connection).await?;
    let labels = sqlx::query("SELECT * FROM crm_association_labels ORDER BY from_type, to_type, position")
        .fetch_all(&mut *connection)
        .await?;
    let records = sqlx::query("SELECT * FROM crm_association_records ORDER BY from_type, to_type, object_id")
        .fetch_all(&mut *connection)
        .await?;
    let mut associations = pairs.iter().map(association).collect::<Result<Vec<_>, _>>()?;
    for row in &labels {
        if let Some(pair) = pair_of(&mut associations, row)? {
            pair.labels.push(row.try_get("label")?);
        }
    }
    for row in &records {
        if let Some(pair) = pair_of(&mut associations, row)? {
            pair.records.push(record(row)?);
        }
    }
    let object_types = types.iter().map(object_type).collect::<Result<_, _>>()?;
    Ok(Some(Usage { limits: account_limits(&limits)?, object_types, associations }))
}

async fn insert_limits(connection: &mut SqliteConnection, limits: AccountLimits) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO crm_limits VALUES ($1, $2, $3, $4, $5)")
        .bind(integer(limits.custom_properties))
        .bind(integer(limits.calculated_properties))
        .bind(integer(limits.custom_object_types))
        .bind(integer(limits.custom_object_records))
        .bind(integer(limits.custom_object_pipelines))
        .execute(connection)
        .await?;
    Ok(())
}

async fn insert_type(
    connection: &mut SqliteConnection,
    position: i64,
    object_type: &ObjectType,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO crm_object_types (id, position, singular_label, plural_label, property_limit, property_usage,
           calculated_properties, record_usage, record_limit, pipeline_usage, pipeline_limit)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(&object_type.id)
    .bind(position)
    .bind(&object_type.singular_label)
    .bind(&object_type.plural_label)
    .bind(integer(object_type.custom_properties.limit))
    .bind(integer(object_type.custom_properties.usage))
    .bind(integer(object_type.calculated_properties))
    .bind(integer(object_type.records.usage))
    .bind(object_type.records.limit.map(integer))
    .bind(object_type.pipelines.map(|count| integer(count.usage)))
    .bind(object_type.pipelines.and_then(|count| count.limit).map(integer))
    .execute(connection)
    .await?;
    Ok(())
}

async fn insert_association(
    connection: &mut SqliteConnection,
    position: i64,
    association: &Association,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO crm_associations (from_type, to_type, position, label_limit, record_limit)
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&association.from)
    .bind(&association.to)
    .bind(position)
    .bind(integer(association.label_limit))
    .bind(integer(association.record_limit))
    .execute(&mut *connection)
    .await?;
    for (position, label) in (0_i64..).zip(&association.labels) {
        sqlx::query("INSERT INTO crm_association_labels (from_type, to_type, position, label) VALUES ($1, $2, $3, $4)")
            .bind(&association.from)
            .bind(&association.to)
            .bind(position)
            .bind(label)
            .execute(&mut *connection)
            .await?;
    }
    for record in &association.records {
        sqlx::query(
            "INSERT INTO crm_association_records (from_type, to_type, object_id, label, usage)
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&association.from)
        .bind(&association.to)
        .bind(record.object_id)
        .bind(&record.label)
        .bind(integer(record.usage))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

fn account_limits(row: &SqliteRow) -> Result<AccountLimits, sqlx::Error> {
    Ok(AccountLimits {
        custom_properties: count(row, "custom_properties")?,
        calculated_properties: count(row, "calculated_properties")?,
        custom_object_types: count(row, "custom_object_types")?,
        custom_object_records: count(row, "custom_object_records")?,
        custom_object_pipelines: count(row, "custom_object_pipelines")?,
    })
}

fn object_type(row: &SqliteRow) -> Result<ObjectType, sqlx::Error> {
    let pipelines = optional(row, "pipeline_usage", number)?;
    let pipeline_limit = optional(row, "pipeline_limit", number)?;
    Ok(ObjectType {
        id: row.try_get("id")?,
        singular_label: row.try_get("singular_label")?,
        plural_label: row.try_get("plural_label")?,
        custom_properties: Share { limit: count(row, "property_limit")?, usage: count(row, "property_usage")? },
        calculated_properties: count(row, "calculated_properties")?,
        records: Count { usage: count(row, "record_usage")?, limit: optional(row, "record_limit", number)? },
        pipelines: pipelines.map(|usage| Count { usage, limit: pipeline_limit }),
    })
}

fn association(row: &SqliteRow) -> Result<Association, sqlx::Error> {
    Ok(Association {
        from: row.try_get("from_type")?,
        to: row.try_get("to_type")?,
        label_limit: count(row, "label_limit")?,
        labels: Vec::new(),
        record_limit: count(row, "record_limit")?,
        records: Vec::new(),
    })
}

fn record(row: &SqliteRow) -> Result<RecordUsage, sqlx::Error> {
    Ok(RecordUsage { object_id: row.try_get("object_id")?, label: row.try_get("label")?, usage: count(row, "usage")? })
}

/// The pair that a row of a label or record belongs to.
fn pair_of<'a>(
    associations: &'a mut [Association],
    row: &SqliteRow,
) -> Result<Option<&'a mut Association>, sqlx::Error> {
    let (from, to): (&str, &str) = (row.try_get("from_type")?, row.try_get("to_type")?);
    Ok(associations.iter_mut().find(|pair| pair.from == from && pair.to == to))
}

fn count(row: &SqliteRow, column: &str) -> Result<u64, sqlx::Error> {
    number(row.try_get(column)?)
}
