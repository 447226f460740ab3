//! The line of a request in the access log, written once its body has been sent or dropped.

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::HeaderMap;
use axum::response::Response;

use crate::service::access::scopes::Principal;
use crate::service::access_log::{AccessLog, AccessRecord, AccessedObject};
use crate::service::network::Network;

pub(super) struct AccessNote {
    pub(super) log: Arc<AccessLog>,
    pub(super) record: AccessRecord,
}

impl AccessNote {
    /// Takes over what the layers and the handler have noted in the response.
    pub(super) fn answered(&mut self, response: &Response) {
        let id = response
            .headers()
            .get("x-request-id")
            .and_then(|id| id.to_str().ok());
        self.record.status = response.status().as_u16();
        self.record.correlation_id = id.map(str::to_owned);
        self.record.token = response
            .extensions()
            .get::<Arc<Principal>>()
            .map(|caller| caller.name.clone());
        self.record.object = response.extensions().get::<AccessedObject>().cloned();
    }
}

impl Drop for AccessNote {
    fn drop(&mut self) {
        self.log.note(&self.record);
    }
}

/// Returns the client of a connection, or the one for which trusted proxies made it: the last
/// address in their header that is not theirs, since anyone can write the addresses before it.
pub(super) fn client(peer: IpAddr, headers: &HeaderMap, trusted_proxies: &[Network]) -> IpAddr {
    let is_proxy = |address: IpAddr| trusted_proxies.iter().any(|proxy| proxy.contains(address));
    let forwarded = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok());
    let addresses: Vec<&str> = forwarded
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .collect();
    let mut client = peer;
    for address in addresses.iter().rev() {
        match address.parse() {
            Ok(address) if is_proxy(client) => client = address,
            _ => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::no_proxy("192.0.2.9", &["198.51.100.1"], "192.0.2.9")]
    #[case::one_proxy("10.0.0.1", &["198.51.100.1"], "198.51.100.1")]
    #[case::two_proxies("10.0.0.1", &["198.51.100.1, 10.0.0.2"], "198.51.100.1")]
    #[case::written_by_the_client("10.0.0.1", &["203.0.113.5", "198.51.100.1"], "198.51.100.1")]
    #[case::no_address("10.0.0.1", &["198.51.100.1, unknown"], "10.0.0.1")]
    #[case::without_the_header("10.0.0.1", &[], "10.0.0.1")]
    fn a_proxys_word_counts_and_no_others(
        #[case] peer: &str,
        #[case] forwarded: &[&str],
        #[case] expected: &str,
    ) {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let found = client(
            peer.parse().unwrap(),
            &headers,
            &["10.0.0.0/8".parse().unwrap()],
        );
        assert_eq!(found, expected.parse::<IpAddr>().unwrap());
    }
}
