//! Reads a report on limits.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::perform::{OpContext, Perform};
use crate::api::{Client, Error, Kind};
use crate::engine::limits::{self, LimitEntry, LimitHistory, Report};
use crate::engine::question::{ReadLimits, SaveSnapshot};

/// Returns a report as the service sent it, and its entries.
pub async fn read(client: &Client, report: &Report) -> Result<(Value, Vec<LimitEntry>), Error> {
    fn both<T: Serialize>(
        found: T,
        entries: impl FnOnce(T) -> Vec<LimitEntry>,
    ) -> Result<(Value, Vec<LimitEntry>), Error> {
        let sent = serde_json::to_value(&found)
            .map_err(|error| Error::new(Kind::Internal, error.to_string()))?;
        Ok((sent, entries(found)))
    }
    match report {
        Report::CustomProperties => both(
            client.limits().custom_properties().await?,
            limits::custom_properties,
        ),
        Report::Records => both(client.limits().records().await?, limits::by_definition),
        Report::Pipelines => both(client.limits().pipelines().await?, limits::by_definition),
        Report::Labels => both(client.limits().association_labels().await?, |found| {
            limits::association_labels(found.results)
        }),
        Report::CalculatedProperties => both(
            client.limits().calculated_properties().await?,
            limits::calculated_properties,
        ),
        Report::CustomObjectTypes => both(client.limits().custom_object_types().await?, |found| {
            limits::custom_object_types(&found)
        }),
        Report::Sources => both(client.limits().association_sources().await?, |found| {
            limits::association_flags(found.results)
        }),
        Report::Targets { from } => both(client.limits().associations(from).await?, |found| {
            limits::association_flags(found.results)
        }),
        Report::Pair { from, to } => both(
            client.limits().association_pair(from, to).await?,
            limits::association_pair,
        ),
    }
}

impl Perform for ReadLimits {
    async fn perform(self, context: &OpContext) -> Result<Vec<LimitEntry>, Error> {
        Ok(read(&context.client, &self.0).await?.1)
    }
}

impl Perform for SaveSnapshot {
    async fn perform(self, context: &OpContext) -> Result<BTreeMap<String, LimitHistory>, Error> {
        context.journal.keep_snapshot(&self.0).await
    }
}
