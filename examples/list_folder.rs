//! Lists a folder of any length: `cargo run --example list_folder -- /marketing`. The variables
//! `FILEDECK_BASE_URL` and `FILEDECK_TOKEN` name the account.

use std::env;
use std::error::Error;
use std::io::{self, Write};

use filedeck::api::{Client, Endpoint, SecretString};
use futures::TryStreamExt;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = SecretString::from(env::var("FILEDECK_TOKEN")?);
    let client = Client::new(Endpoint::new(
        env::var("FILEDECK_BASE_URL")?.parse()?,
        token,
    ))?;
    let path = env::args().nth(1).unwrap_or_else(|| "/".to_owned());
    list(&client, &path, &mut io::stdout()).await
}

/// Writes a line for each folder and file, as the pages arrive.
pub(crate) async fn list(
    client: &Client,
    path: &str,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let folder = if path == "/" {
        None
    } else {
        Some(client.folders().get_by_path(path).await?.id)
    };
    let mut folders = client.folders().in_folder(folder.as_ref());
    while let Some(folder) = folders.try_next().await? {
        writeln!(out, "{}/", folder.full_name())?;
    }
    let mut files = client.files().in_folder(folder.as_ref());
    while let Some(file) = files.try_next().await? {
        writeln!(out, "{}", file.full_name())?;
    }
    Ok(())
}
