//! HTTP clients for tests, and a listener. Their TLS has a provider of its own, so that nothing is
//! set for the whole process: the library must not depend on a test for that.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

pub fn builder() -> reqwest::ClientBuilder {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let config = config
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(config)
}

pub fn client() -> reqwest::Client {
    builder().build().unwrap()
}

pub async fn listener() -> tokio::net::TcpListener {
    tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap()
}
