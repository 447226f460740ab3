//! The nine CRM limits reports: read-only, without request body or paging.

use super::client::Client;
use super::error::Error;
use super::json_call::Call;
use super::model::{
    AssociationLabelLimits, AssociationLimits, AssociationPairLimits, ByDefinition,
    CalculatedPropertyLimits, CustomObjectTypeLimits, CustomPropertyLimits,
};

impl Client {
    /// Fetches the number of custom properties in use and their limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn custom_property_limits(&self) -> Result<CustomPropertyLimits, Error> {
        self.json(Call::get(self.paths().custom_properties())).await
    }

    /// Fetches the number of calculated properties in use and their limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn calculated_property_limits(&self) -> Result<CalculatedPropertyLimits, Error> {
        self.json(Call::get(self.paths().calculated_properties()))
            .await
    }

    /// Fetches the number of custom object types and their limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn custom_object_type_limits(&self) -> Result<CustomObjectTypeLimits, Error> {
        self.json(Call::get(self.paths().custom_object_types()))
            .await
    }

    /// Fetches the number of records and their limits.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn record_limits(&self) -> Result<ByDefinition, Error> {
        self.json(Call::get(self.paths().records())).await
    }

    /// Fetches the number of pipelines and their limits.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn pipeline_limits(&self) -> Result<ByDefinition, Error> {
        self.json(Call::get(self.paths().pipelines())).await
    }

    /// Fetches the association labels in use and their limit, for each pair of object types.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn association_label_limits(&self) -> Result<AssociationLabelLimits, Error> {
        self.json(Call::get(self.paths().association_labels()))
            .await
    }

    /// Fetches the object types that have records at or near an association limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn association_source_limits(&self) -> Result<AssociationLimits, Error> {
        self.json(Call::get(self.paths().association_sources()))
            .await
    }

    /// Fetches the object types to which records of type `from` (such as `0-1`) are at or near the
    /// association limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn association_limits(&self, from: &str) -> Result<AssociationLimits, Error> {
        self.json(Call::get(self.paths().associations(from)?)).await
    }

    /// Fetches the number of records of type `from` at or near the limit of associations with type
    /// `to`, with samples.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn association_pair_limits(
        &self,
        from: &str,
        to: &str,
    ) -> Result<AssociationPairLimits, Error> {
        self.json(Call::get(self.paths().association_pair(from, to)?))
            .await
    }
}
