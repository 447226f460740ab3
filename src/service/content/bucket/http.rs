//! Requests to the bucket, with a client of our own: it has no process-wide settings, and errors
//! have only the server's code and message, because some servers repeat the access key in the rest.

use std::time::Duration;

use axum::http::HeaderValue;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use object_store::{ClientConfigKey, Error};
use reqwest::{Client, redirect};
use tracing::Instrument as _;
use tracing::field::Empty;

use super::options::{BucketOptions, is_yes};
use super::xml::text;
use crate::service::policy;
use crate::tls::{self, ExtraRoots};

#[derive(Debug)]
pub(super) struct BucketConnector {
    is_plain: bool,
    patience: Duration,
    roots: ExtraRoots,
}

impl BucketConnector {
    pub(super) fn of(options: &BucketOptions) -> Self {
        Self {
            is_plain: options.is_plain(),
            patience: options.patience,
            roots: options.settings.roots().clone(),
        }
    }

    pub(super) fn client(&self, is_plain_allowed: bool) -> Result<HttpClient, Error> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Generic {
            store: "S3",
            source,
        };
        // On a machine without certificate authorities, not even an unused TLS client could be
        // built.
        let tls = if self.is_plain {
            tls::without_authorities()
        } else {
            self.roots.client_config()
        };
        let client = Client::builder()
            .tls_backend_preconfigured(tls.map_err(|error| failed(error.into()))?)
            .https_only(!is_plain_allowed)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .user_agent(concat!("filedeck/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(policy::BUCKET_CONNECT.min(self.patience))
            .read_timeout(self.patience)
            .build();
        Ok(HttpClient::new(DiscreetClient(
            client.map_err(|error| failed(error.into()))?,
        )))
    }
}

impl HttpConnector for BucketConnector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient, Error> {
        let is_plain_allowed = options
            .get_config_value(&ClientConfigKey::AllowHttp)
            .is_some_and(|value| is_yes(&value));
        self.client(is_plain_allowed)
    }
}

#[derive(Debug)]
struct DiscreetClient(Client);

#[async_trait::async_trait]
impl HttpService for DiscreetClient {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        for name in ["authorization", "x-amz-security-token"] {
            if let Some(value) = request.headers_mut().get_mut(name) {
                value.set_sensitive(true);
            }
        }
        // Has the names that OpenTelemetry defines, and no object names.
        let span = tracing::debug_span!(
            "bucket",
            otel.name = %format_args!("bucket {}", request.method()),
            otel.kind = "client",
            http.request.method = %request.method(),
            http.response.status_code = Empty,
        );
        let response = HttpService::call(&self.0, request)
            .instrument(span.clone())
            .await?;
        span.record(
            "http.response.status_code",
            i64::from(response.status().as_u16()),
        );
        if !(response.status().is_client_error() || response.status().is_server_error()) {
            return Ok(response);
        }
        let (mut parts, body) = response.into_parts();
        let body = body.bytes().await?;
        let message = ["Code", "Message"]
            .map(|name| text(&body, name))
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(": ");
        parts
            .headers
            .insert("content-length", HeaderValue::from(message.len()));
        Ok(HttpResponse::from_parts(
            parts,
            HttpResponseBody::from(message),
        ))
    }
}
