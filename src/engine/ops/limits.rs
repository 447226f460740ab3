//! Reads a report on limits.

use crate::api::{Client, Error};
use crate::engine::limits::{self, LimitEntry, Report};

pub async fn read(client: &Client, report: &Report) -> Result<Vec<LimitEntry>, Error> {
    Ok(match report {
        Report::CustomProperties => limits::custom_properties(client.custom_property_limits().await?),
        Report::Records => limits::by_definition(client.record_limits().await?),
        Report::Pipelines => limits::by_definition(client.pipeline_limits().await?),
        Report::Labels => limits::association_labels(client.association_label_limits().await?.results),
        Report::CalculatedProperties => limits::calculated_properties(client.calculated_property_limits().await?),
        Report::CustomObjectTypes => limits::custom_object_types(&client.custom_object_type_limits().await?),
        Report::Sources => limits::association_flags(client.association_source_limits().await?.results),
        Report::Targets { from } => limits::association_flags(client.association_limits(from).await?.results),
        Report::Pair { from, to } => limits::association_pair(client.association_pair_limits(from, to).await?),
    })
}
