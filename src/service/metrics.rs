//! The metrics of a service for Prometheus. They are part of the state of one service, so that
//! several in a process do not share them. Labels are routes and fixed words: never a path, a name
//! or a token.

use std::borrow::Cow;
use std::fmt;
use std::time::Instant;

use axum::http::{Method, StatusCode};
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::policy;
use super::store::{DatabaseFailures, StoreFigures, TaskKind};

const PREFIX: &str = "filedeck";

type Labels<const N: usize> = [(&'static str, Cow<'static, str>); N];

pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) connections: ConnectionMetrics,
    pub(crate) refusals: RateLimitRefusals,
    requests: Family<Labels<3>, Counter>,
    durations: Family<Labels<2>, Histogram, fn() -> Histogram>,
    ended: Family<Labels<2>, Counter>,
}

/// The metrics of the connections of a listener. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConnectionMetrics {
    pub(crate) open: Gauge,
    pub(crate) refused: Counter,
    pub(crate) under_way: Gauge,
    pub(crate) received: Counter,
    pub(crate) sent: Counter,
}

/// Requests refused because a quota was used up, by its policy. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct RateLimitRefusals(Family<Labels<1>, Counter>);

impl RateLimitRefusals {
    pub(crate) fn count(&self, policy: &'static str) {
        self.0.get_or_create(&[("policy", policy.into())]).inc();
    }
}

#[derive(Debug, Clone, Copy, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum TaskEnd {
    Complete,
    Canceled,
}

/// Counts one in a gauge until it is dropped.
#[derive(Debug)]
pub(crate) struct CountedIn(Gauge);

impl CountedIn {
    pub(crate) fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for CountedIn {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let metrics = Self {
            registry: Registry::with_prefix(PREFIX),
            connections: ConnectionMetrics::default(),
            refusals: RateLimitRefusals::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(policy::DURATION_BUCKETS)),
            ended: Family::default(),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let (to, connections) = (&mut self.registry, &self.connections);
        to.register(
            "requests",
            "Requests that were answered",
            self.requests.clone(),
        );
        let words = "How long requests took until their answers began";
        to.register_with_unit(
            "request_duration",
            words,
            Unit::Seconds,
            self.durations.clone(),
        );
        to.register(
            "requests_under_way",
            "Requests that are being answered",
            connections.under_way.clone(),
        );
        to.register(
            "connections_open",
            "Connections that are open",
            connections.open.clone(),
        );
        to.register(
            "connections_refused",
            "Connections that found no place",
            connections.refused.clone(),
        );
        to.register_with_unit(
            "received",
            "What came in over connections",
            Unit::Bytes,
            connections.received.clone(),
        );
        to.register_with_unit(
            "sent",
            "What went out over connections",
            Unit::Bytes,
            connections.sent.clone(),
        );
        to.register(
            "tasks_ended",
            "Imports and folder updates that ended",
            self.ended.clone(),
        );
        let words = "Requests that found a budget of requests used up";
        to.register("rate_limit_refusals", words, self.refusals.0.clone());
        self
    }

    pub(crate) fn begin(&self, route: &str, method: &Method) -> MeasuredRequest<'_> {
        MeasuredRequest {
            metrics: self,
            began: Instant::now(),
            route: route.to_owned(),
            method: method_word(method),
        }
    }

    pub(crate) fn task_ended(&self, kind: TaskKind, end: TaskEnd) {
        self.ended
            .get_or_create(&[
                ("kind", kind_word(kind)),
                ("result", <&str>::from(end).into()),
            ])
            .inc();
    }

    /// Returns all metrics as text, with those of the store if it has responded.
    pub(crate) fn text(
        &self,
        failures: DatabaseFailures,
        store: Option<&StoreFigures>,
    ) -> Result<String, fmt::Error> {
        let (mut text, mut now) = (String::new(), Registry::with_prefix(PREFIX));
        let failed = Family::<Labels<1>, Counter>::default();
        now.register(
            "database_failures",
            "Reads and changes that the database failed",
            failed.clone(),
        );
        for (operation, count) in [("read", failures.reads), ("change", failures.changes)] {
            failed
                .get_or_create(&[("operation", operation.into())])
                .inc_by(count);
        }
        if let Some(store) = store {
            register_store(&mut now, store);
        }
        encode_registry(&mut text, &self.registry)?;
        encode_registry(&mut text, &now)?;
        encode_eof(&mut text)?;
        Ok(text)
    }
}

fn register_store(to: &mut Registry, store: &StoreFigures) {
    let tasks = Family::<Labels<2>, Gauge>::default();
    to.register(
        "tasks",
        "Imports and folder updates that have not ended",
        tasks.clone(),
    );
    for (kind, counts) in &store.tasks {
        for (state, count) in [("waiting", counts.waiting), ("running", counts.running)] {
            tasks
                .get_or_create(&[("kind", kind_word(*kind)), ("state", state.into())])
                .set(count);
        }
    }
    let ages = [
        (
            "unused_blobs_age",
            "How long the oldest bytes that no file needs have waited to be removed",
            store.unused_blobs,
        ),
        (
            "expiry_backlog",
            "How long ago the oldest file that is still to expire should have done so",
            store.expiry,
        ),
        (
            "erasure_backlog",
            "How long the oldest remains have waited to be erased",
            store.erasure,
        ),
    ];
    for (name, words, age) in ages {
        let gauge = Gauge::<i64>::default();
        gauge.set(age.as_secs());
        to.register_with_unit(name, words, Unit::Seconds, gauge);
    }
}

pub(crate) struct MeasuredRequest<'a> {
    metrics: &'a Metrics,
    began: Instant,
    route: String,
    method: &'static str,
}

impl MeasuredRequest<'_> {
    /// Records the request; to be called when its response begins.
    pub(crate) fn end(self, status: StatusCode) {
        let Self {
            metrics,
            began,
            route,
            method,
        } = self;
        let labels = [("route", Cow::Owned(route)), ("method", method.into())];
        metrics
            .durations
            .get_or_create(&labels)
            .observe(began.elapsed().as_secs_f64());
        let [route, method] = labels;
        metrics
            .requests
            .get_or_create(&[route, method, ("status", status_class(status).into())])
            .inc();
    }
}

/// Clients can invent methods, so all that no route has share one label.
fn method_word(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

fn status_class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

fn kind_word(kind: TaskKind) -> Cow<'static, str> {
    <&str>::from(kind).to_ascii_lowercase().into()
}
