//! The nine CRM limits reports: read only, no body, no pages.

use super::client::Client;
use super::error::Error;
use super::json_call::Call;
use super::model::{
    AssociationLabelLimits, AssociationLimits, AssociationPairLimits, ByDefinition, CalculatedPropertyLimits,
    CustomObjectTypeLimits, CustomPropertyLimits,
};

impl Client {
    /// How many custom properties the account uses, of how many.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn custom_property_limits(&self) -> Result<CustomPropertyLimits, Error> {
        self.json(Call::get(self.paths().custom_properties())).await
    }

    /// How many calculated properties the account uses, of how many.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn calculated_property_limits(&self) -> Result<CalculatedPropertyLimits, Error> {
        self.json(Call::get(self.paths().calculated_properties())).await
    }

    /// How many object types of its own the account has, of how many.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn custom_object_type_limits(&self) -> Result<CustomObjectTypeLimits, Error> {
        self.json(Call::get(self.paths().custom_object_types())).await
    }

    /// How many records the account has, of how many.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn record_limits(&self) -> Result<ByDefinition, Error> {
        self.json(Call::get(self.paths().records())).await
    }

    /// How many pipelines the account has, of how many.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn pipeline_limits(&self) -> Result<ByDefinition, Error> {
        self.json(Call::get(self.paths().pipelines())).await
    }

    /// The labels of associations that the account has, for each pair of object types.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn association_label_limits(&self) -> Result<AssociationLabelLimits, Error> {
        self.json(Call::get(self.paths().association_labels())).await
    }

    /// The object types that have records at or near a limit of associations.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn association_source_limits(&self) -> Result<AssociationLimits, Error> {
        self.json(Call::get(self.paths().association_sources())).await
    }

    /// The object types to which records of type `from` (such as `0-1`) are at or near the association limit.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn association_limits(&self, from: &str) -> Result<AssociationLimits, Error> {
        self.json(Call::get(self.paths().associations(from)?)).await
    }

    /// How many records of type `from` are at or near the limit of associations to records of type `to`, and some of them.
    ///
    /// # Errors
    ///
    /// Why the call failed.
    pub async fn association_pair_limits(&self, from: &str, to: &str) -> Result<AssociationPairLimits, Error> {
        self.json(Call::get(self.paths().association_pair(from, to)?)).await
    }
}
