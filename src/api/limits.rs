//! The nine CRM limits reports: read-only, without request body or paging.

use super::client::Client;
use super::error::Error;
use super::json_call::Call;
use super::model::{
    AssociationLabelLimits, AssociationLimits, AssociationPairLimits, ByDefinition,
    CalculatedPropertyLimits, CustomObjectTypeLimits, CustomPropertyLimits,
};

/// The reports of the CRM limits.
#[derive(Debug, Clone, Copy)]
pub struct LimitsApi<'a> {
    pub(super) client: &'a Client,
}

impl Client {
    /// Returns the reports of the CRM limits.
    pub fn limits(&self) -> LimitsApi<'_> {
        LimitsApi { client: self }
    }
}

impl LimitsApi<'_> {
    /// Fetches the number of custom properties in use and their limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn custom_properties(self) -> Result<CustomPropertyLimits, Error> {
        self.client
            .json(Call::get(self.client.paths().custom_properties()))
            .await
    }

    /// Fetches the number of calculated properties in use and their limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn calculated_properties(self) -> Result<CalculatedPropertyLimits, Error> {
        self.client
            .json(Call::get(self.client.paths().calculated_properties()))
            .await
    }

    /// Fetches the number of custom object types and their limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn custom_object_types(self) -> Result<CustomObjectTypeLimits, Error> {
        self.client
            .json(Call::get(self.client.paths().custom_object_types()))
            .await
    }

    /// Fetches the number of records and their limits.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn records(self) -> Result<ByDefinition, Error> {
        self.client
            .json(Call::get(self.client.paths().records()))
            .await
    }

    /// Fetches the number of pipelines and their limits.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn pipelines(self) -> Result<ByDefinition, Error> {
        self.client
            .json(Call::get(self.client.paths().pipelines()))
            .await
    }

    /// Fetches the association labels in use and their limit, for each pair of object types.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn association_labels(self) -> Result<AssociationLabelLimits, Error> {
        self.client
            .json(Call::get(self.client.paths().association_labels()))
            .await
    }

    /// Fetches the object types that have records at or near an association limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn association_sources(self) -> Result<AssociationLimits, Error> {
        self.client
            .json(Call::get(self.client.paths().association_sources()))
            .await
    }

    /// Fetches the object types to which records of type `from` (such as `0-1`) are at or near the
    /// association limit.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn associations(self, from: &str) -> Result<AssociationLimits, Error> {
        self.client
            .json(Call::get(self.client.paths().associations(from)?))
            .await
    }

    /// Fetches the number of records of type `from` at or near the limit of associations with type
    /// `to`, with samples.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn association_pair(
        self,
        from: &str,
        to: &str,
    ) -> Result<AssociationPairLimits, Error> {
        self.client
            .json(Call::get(self.client.paths().association_pair(from, to)?))
            .await
    }
}
