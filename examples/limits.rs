//! Prints the usage of the account's CRM limits: `cargo run --example limits`. The variables
//! `FILEDECK_BASE_URL` and `FILEDECK_TOKEN` name the account.

use std::env;
use std::error::Error;
use std::io::{self, Write};

use filedeck::api::{Client, Endpoint, SecretString};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = SecretString::from(env::var("FILEDECK_TOKEN")?);
    let client = Client::new(Endpoint::new(
        env::var("FILEDECK_BASE_URL")?.parse()?,
        token,
    ))?;
    limits(&client, &mut io::stdout()).await
}

/// Writes the totals over all object types, then those of each.
pub(crate) async fn limits(client: &Client, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let found = client.limits().custom_properties().await?;
    writeln!(
        out,
        "{} of {} custom properties",
        found.overall_usage, found.overall_limit
    )?;
    for of in &found.by_object_type {
        writeln!(
            out,
            "{}: {} of {}, {}%",
            of.plural_label, of.usage, of.limit, of.percentage
        )?;
    }
    Ok(())
}
