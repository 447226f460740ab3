//! Has the service fetch a file from an address, and reports the progress: `cargo run --example
//! follow_import -- https://example.com/logo.png /marketing`. The variables `FILEDECK_BASE_URL` and
//! `FILEDECK_TOKEN` name the account.

use std::env;
use std::error::Error;
use std::io::{self, Write};

use filedeck::api::model::{Access, ImportRequest, UploadOptions};
use filedeck::api::{Client, Endpoint, SecretString};
use futures::TryStreamExt;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = SecretString::from(env::var("FILEDECK_TOKEN")?);
    let client = Client::new(Endpoint::new(
        env::var("FILEDECK_BASE_URL")?.parse()?,
        token,
    ))?;
    let mut words = env::args().skip(1);
    let (Some(address), Some(folder)) = (words.next(), words.next()) else {
        return Err("name an address and a folder of the account".into());
    };
    import(&client, &address, &folder, &mut io::stdout()).await
}

/// Starts an import and writes each state, then the path of the file.
pub(crate) async fn import(
    client: &Client,
    address: &str,
    folder: &str,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut request = ImportRequest::new(address, UploadOptions::new(Access::Private));
    request.folder_path = Some(folder.to_owned());
    let task = client.imports().start(&request).await?.id;
    let mut states = client.imports().follow(&task);
    while let Some(state) = states.try_next().await? {
        writeln!(out, "{}", state.status)?;
        if let Some(file) = state.success() {
            writeln!(out, "{}", file.path.as_deref().unwrap_or_default())?;
        }
        for cause in state.causes() {
            writeln!(out, "{cause}")?;
        }
    }
    Ok(())
}
