//! Uploads a file that only the account can read, and prints a URL of it, valid for an hour: `cargo
//! run --example share_file -- report.pdf /shared`. The variables `FILEDECK_BASE_URL` and
//! `FILEDECK_TOKEN` name the account.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use filedeck::api::{Client, Endpoint, SecretString, SignedUrlOptions};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = SecretString::from(env::var("FILEDECK_TOKEN")?);
    let client = Client::new(Endpoint::new(
        env::var("FILEDECK_BASE_URL")?.parse()?,
        token,
    ))?;
    let mut words = env::args().skip(1);
    let (Some(local), Some(folder)) = (words.next(), words.next()) else {
        return Err("name a file and a folder of the account".into());
    };
    share(&client, Path::new(&local), &folder, &mut io::stdout()).await
}

/// Uploads into a folder, which is created if it is missing, and writes the URL.
pub(crate) async fn share(
    client: &Client,
    local: &Path,
    folder: &str,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let name = local
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or("the file has no name that can be sent")?;
    let path = format!("{}/{name}", folder.trim_end_matches('/'));
    let sent = client.files().upload(&path).from_path(local).send().await?;
    let mut signing = SignedUrlOptions::default();
    signing.seconds = Some(3600);
    writeln!(
        out,
        "{}",
        client
            .files()
            .signed_url(&sent.file.id, &signing)
            .await?
            .url
    )?;
    Ok(())
}
