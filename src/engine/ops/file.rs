//! Requests for one file: its metadata, and a signed URL.

use super::perform::{OpContext, Perform};
use crate::api::Error;
use crate::api::model::{File, SignedUrl};
use crate::engine::question::{GetFile, SignUrl};

impl Perform for GetFile {
    async fn perform(self, context: &OpContext) -> Result<File, Error> {
        context.client.files().get(&self.file).await
    }
}

impl Perform for SignUrl {
    async fn perform(self, context: &OpContext) -> Result<SignedUrl, Error> {
        context
            .client
            .files()
            .signed_url(&self.file, &self.signing)
            .await
    }
}
