//! The CRM limits reports: read only, no body, no pages.

use super::client::Client;
use super::error::Error;
use super::json_call::Call;
use super::model::{AssociationLimits, CustomPropertyLimits};

impl Client {
    /// How many custom properties the account uses, of how many.
    pub async fn custom_property_limits(&self) -> Result<CustomPropertyLimits, Error> {
        self.json(Call::get(self.paths().custom_properties())).await
    }

    /// The object types to which records of type `from` (such as `0-1`) are at or near the association limit.
    pub async fn association_limits(&self, from: &str) -> Result<AssociationLimits, Error> {
        self.json(Call::get(self.paths().associations(from)?)).await
    }
}
