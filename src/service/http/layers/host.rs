//! Protects a loopback service from web pages that call it behind their visitor's back
//! (`guarantees.md#loopback-is-not-trust`): a request must name this service as its host, and an
//! API call must not come from another site's page.

use std::net::{IpAddr, SocketAddr};

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{StatusCode, header};
use url::Url;

use crate::service::answer::error::ApiError;

/// The local address of the connection, which the server adds to every request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalAddress(pub(crate) SocketAddr);

/// 421 for a request for another host.
pub(super) fn foreign_host(request: &Request, base: &Url) -> Option<ApiError> {
    let local = request
        .extensions()
        .get::<LocalAddress>()
        .map(|address| address.0.ip());
    let named = named_hosts(request);
    let is_own = !named.is_empty() && named.iter().all(|host| is_own(host, local, base));
    (!is_own).then(|| {
        ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this service does not answer for that host",
        )
    })
}

/// 403 for a call that a browser makes for another site's page.
pub(crate) fn foreign_origin(request: &Request, base: &Url) -> Option<ApiError> {
    let origin = request.headers().get(header::ORIGIN)?;
    let local = request
        .extensions()
        .get::<LocalAddress>()
        .map(|address| address.0);
    let origin = origin.to_str().ok().and_then(|text| Url::parse(text).ok());
    let is_own_origin = origin.is_some_and(|origin| {
        let port = origin.port_or_known_default();
        let same_port =
            port == base.port_or_known_default() || port == local.map(|address| address.port());
        same_port
            && origin
                .host_str()
                .is_some_and(|host| is_own(host, local.map(|address| address.ip()), base))
    });
    (!is_own_origin).then(|| {
        ApiError::new(
            StatusCode::FORBIDDEN,
            "calls from other sites' pages are not answered",
        )
    })
}

/// Returns every host that the request names, in its target and its header.
fn named_hosts(request: &Request) -> Vec<String> {
    let in_target = request
        .uri()
        .authority()
        .map(|authority| authority.host().to_owned());
    let in_header = request.headers().get_all(header::HOST).iter().map(|value| {
        let authority = value
            .to_str()
            .ok()
            .and_then(|text| text.parse::<Authority>().ok());
        authority
            .map(|authority| authority.host().to_owned())
            .unwrap_or_default()
    });
    in_target.into_iter().chain(in_header).collect()
}

fn is_own(host: &str, local: Option<IpAddr>, base: &Url) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    match address.parse::<IpAddr>() {
        Ok(ip) if ip.is_loopback() || Some(ip) == local => true,
        _ => {
            host.eq_ignore_ascii_case("localhost")
                || base
                    .host_str()
                    .is_some_and(|own| own.eq_ignore_ascii_case(host))
        }
    }
}
