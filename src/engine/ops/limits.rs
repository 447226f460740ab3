//! Reads a report on limits.

use std::collections::BTreeMap;

use super::perform::{OpContext, Perform};
use crate::api::{Client, Error};
use crate::engine::limits::{self, LimitEntry, LimitHistory, Report};
use crate::engine::question::{ReadLimits, SaveSnapshot};

pub async fn read(client: &Client, report: &Report) -> Result<Vec<LimitEntry>, Error> {
    Ok(match report {
        Report::CustomProperties => {
            limits::custom_properties(client.custom_property_limits().await?)
        }
        Report::Records => limits::by_definition(client.record_limits().await?),
        Report::Pipelines => limits::by_definition(client.pipeline_limits().await?),
        Report::Labels => {
            limits::association_labels(client.association_label_limits().await?.results)
        }
        Report::CalculatedProperties => {
            limits::calculated_properties(client.calculated_property_limits().await?)
        }
        Report::CustomObjectTypes => {
            limits::custom_object_types(&client.custom_object_type_limits().await?)
        }
        Report::Sources => {
            limits::association_flags(client.association_source_limits().await?.results)
        }
        Report::Targets { from } => {
            limits::association_flags(client.association_limits(from).await?.results)
        }
        Report::Pair { from, to } => {
            limits::association_pair(client.association_pair_limits(from, to).await?)
        }
    })
}

impl Perform for ReadLimits {
    async fn perform(self, context: &OpContext) -> Result<Vec<LimitEntry>, Error> {
        read(&context.client, &self.0).await
    }
}

impl Perform for SaveSnapshot {
    async fn perform(self, context: &OpContext) -> Result<BTreeMap<String, LimitHistory>, Error> {
        context.journal.keep_snapshot(&self.0).await
    }
}
