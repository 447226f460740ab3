//! A library sets nothing for the whole process, which belongs to another program.

use filedeck::api::ids::FileId;
use rustls::crypto::CryptoProvider;
use serde_json::json;
use url::Url;

use crate::support::capture::{Capture, Reply};
use crate::support::clients::client;

#[tokio::test]
async fn calls_install_no_tls_provider() {
    let service =
        Capture::start(|_, _| Reply::json(200, &json!({ "id": "7", "archived": false }))).await;
    client(&service.url)
        .files()
        .get(&FileId::new("7"))
        .await
        .unwrap();
    // Nothing listens there; certificates are loaded all the same.
    let elsewhere = client(&Url::parse("https://127.0.0.1:1/").unwrap());
    elsewhere
        .with_call_budget()
        .files()
        .get(&FileId::new("7"))
        .await
        .unwrap_err();
    assert!(CryptoProvider::get_default().is_none());
}
