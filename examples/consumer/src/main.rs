//! `FILEDECK_TOKEN=… filedeck-consumer`: serves the relay of uploads on port 8080.

#[cfg(feature = "client")]
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    use filedeck::api::{Client, SecretString};

    let client = Client::hubspot(SecretString::from(std::env::var("FILEDECK_TOKEN")?))?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, filedeck_consumer::relay(client)).await?;
    Ok(())
}

#[cfg(not(feature = "client"))]
fn main() {}
