//! Sends the spans of `serve` to an OpenTelemetry collector, by OTLP over HTTP: a thread sends them
//! in batches, and drops what a slow or missing collector does not accept.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use http_body_util::{BodyExt as _, Limited};
use opentelemetry::trace::{SpanBuilder, SpanKind, Tracer, TracerProvider as _};
use opentelemetry::{Context, Key};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use reqwest::{Client, redirect};
use tokio::runtime::Handle;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::Layer;
use tracing_subscriber::registry::LookupSpan;

use super::stderr::InvalidUsage;
use crate::config::Environment;
use crate::tls::{self, ExtraRoots};

/// The longest wait for the last spans at the end.
const LAST_WAIT: Duration = Duration::from_secs(5);
/// The default timeout in the OTLP specification.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes read of a collector's response, which is short.
const MOST_ANSWER_BYTES: usize = 64 * 1024;
/// The methods of HTTP; clients can make up others.
const METHODS: [&str; 9] = [
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
];

/// A pipeline that sends spans until it is dropped, which waits briefly for the rest.
pub(super) struct Traces {
    provider: SdkTracerProvider,
    collector: Arc<Collector>,
}

impl Traces {
    /// Starts to send spans, on the caller's runtime; `None` if the environment names no collector.
    pub(super) fn start(environment: &Environment) -> anyhow::Result<Option<Self>> {
        let Some(endpoint) = &environment.traces_endpoint else {
            return Ok(None);
        };
        let patience = environment.traces_timeout.unwrap_or(PATIENCE);
        let collector = Arc::new(Collector::new(endpoint, patience).context("cannot send traces")?);
        let exporter = SpanExporter::builder()
            .with_http()
            .with_shared_http_client(collector.clone())
            .build();
        let exporter =
            exporter.map_err(|error| InvalidUsage(format!("cannot send traces: {error}")))?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource())
            .build();
        Ok(Some(Self {
            provider,
            collector,
        }))
    }

    /// Returns a layer for requests and jobs, and the database and bucket calls within them. Events
    /// go only to the log.
    pub(super) fn layer<S: Subscriber + for<'span> LookupSpan<'span>>(
        &self,
        is_root: fn(&Metadata<'_>) -> bool,
    ) -> impl Layer<S> + use<S> {
        let is_ours = |metadata: &Metadata<'_>| {
            metadata.is_span() && metadata.target().starts_with("filedeck")
        };
        let is_traced = dynamic_filter_fn(move |metadata, context| {
            is_ours(metadata) && (is_root(metadata) || context.lookup_current().is_some())
        });
        let is_traced = is_traced
            .with_callsite_filter(move |site| {
                if is_ours(site) {
                    Interest::sometimes()
                } else {
                    Interest::never()
                }
            })
            .with_max_level_hint(LevelFilter::DEBUG);
        tracing_opentelemetry::layer()
            .with_tracer(NamingTracer(self.provider.tracer("filedeck")))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            // Nothing here uses OpenTelemetry's current span.
            .with_context_activation(false)
            .with_filter(is_traced)
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        if self.provider.shutdown_with_timeout(LAST_WAIT).is_err() {
            self.collector
                .fails(&"it did not take the last spans in time");
        }
    }
}

/// Returns the resource that the environment describes, named after the program if that gives no
/// name.
fn resource() -> Resource {
    let from_environment = Resource::builder().build();
    let name = from_environment.get_ref(&Key::from_static_str("service.name"));
    if name.is_some_and(|name| !name.as_str().starts_with("unknown_service")) {
        return from_environment;
    }
    Resource::builder().with_service_name("filedeck").build()
}

/// A tracer that gives request spans the names that OpenTelemetry has for HTTP, and job spans those
/// of their kinds.
#[derive(Debug)]
struct NamingTracer(SdkTracer);

impl Tracer for NamingTracer {
    type Span = Span;

    fn build_with_context(&self, span: SpanBuilder, parent: &Context) -> Span {
        let span = match &*span.name {
            "request" => as_http(span),
            "job" => as_job(span),
            _ => span,
        };
        self.0.build_with_context(span, parent)
    }
}

fn as_http(mut span: SpanBuilder) -> SpanBuilder {
    let (mut method, mut route) = (Cow::from("HTTP"), Cow::from(""));
    for attribute in span.attributes.iter_mut().flatten() {
        let name = match attribute.key.as_str() {
            "id" => "filedeck.correlation_id",
            "object" => "filedeck.object_id",
            "method" if METHODS.contains(&&*attribute.value.as_str()) => {
                method = attribute.value.as_str().into_owned().into();
                "http.request.method"
            }
            "method" => {
                attribute.value = "_OTHER".into();
                "http.request.method"
            }
            "route" => {
                route = attribute.value.as_str().into_owned().into();
                "http.route"
            }
            _ => continue,
        };
        attribute.key = Key::from_static_str(name);
    }
    span.name = format!("{method} {route}").into();
    span.with_kind(SpanKind::Server)
}

fn as_job(mut span: SpanBuilder) -> SpanBuilder {
    for attribute in span.attributes.iter_mut().flatten() {
        match attribute.key.as_str() {
            "object" => attribute.key = Key::from_static_str("filedeck.object_id"),
            "job" => span.name = attribute.value.as_str().into_owned().into(),
            _ => {}
        }
    }
    span
}

/// The receiver of the spans. Logs once that it fails, and once that it has recovered.
#[derive(Debug)]
struct Collector {
    client: Client,
    /// The caller's runtime, because the sending thread has none of its own.
    runtime: Handle,
    is_failing: AtomicBool,
}

impl Collector {
    fn new(endpoint: &str, patience: Duration) -> anyhow::Result<Self> {
        let is_plain = endpoint.starts_with("http:");
        let tls = if is_plain {
            tls::without_authorities()
        } else {
            ExtraRoots::default().client_config()
        };
        let client = Client::builder()
            .tls_backend_preconfigured(tls?)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .timeout(patience)
            .build()?;
        Ok(Self {
            client,
            runtime: Handle::current(),
            is_failing: AtomicBool::new(false),
        })
    }

    fn fails(&self, reason: &dyn Display) {
        if !self.is_failing.swap(true, Ordering::Relaxed) {
            tracing::warn!(%reason, "the collector of traces does not take spans; they are dropped until it does");
        }
    }

    fn takes_spans(&self) {
        if self.is_failing.swap(false, Ordering::Relaxed) {
            tracing::info!("the collector of traces takes spans again");
        }
    }
}

#[async_trait::async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self
            .runtime
            .spawn(send(self.client.clone(), request))
            .await?;
        match &sent {
            Ok(answer) if answer.status().is_success() => self.takes_spans(),
            Ok(answer) => self.fails(&format_args!("it answers {}", answer.status())),
            Err(error) => self.fails(&format_args!("{error:#}")),
        }
        Ok(sent?)
    }
}

async fn send(client: Client, request: Request<Bytes>) -> anyhow::Result<Response<Bytes>> {
    // The URL may contain credentials.
    let answer = client
        .execute(request.try_into()?)
        .await
        .map_err(reqwest::Error::without_url)?;
    let (head, body) = Response::<reqwest::Body>::from(answer).into_parts();
    let body = Limited::new(body, MOST_ANSWER_BYTES)
        .collect()
        .await
        .map_err(anyhow::Error::from_boxed)?;
    Ok(Response::from_parts(head, body.to_bytes()))
}
