//! The options of `serve` against slow clients and against clients with many connections.

use bytesize::ByteSize;
use clap::builder::RangedU64ValueParser;
use jiff::SignedDuration;

use crate::service::ConnectionLimits;
use crate::service::network::Network;

#[derive(Debug, clap::Args)]
pub struct ConnectionOptions {
    /// Most connections of a client at once, an IPv4 address or an IPv6 network of 64 bits. This
    /// machine has no limit
    #[arg(long, value_name = "COUNT", default_value_t = ConnectionLimits::default().connections_per_client)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub connections_per_client: usize,

    /// Do not limit the connections of this proxy or network of proxies, as in 10.0.0.5; can be
    /// repeated
    #[arg(long, value_name = "CIDR")]
    pub trusted_proxy: Vec<Network>,

    /// Time that requests in progress get at the end, as in 5m, before they are cut
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub stop_timeout: SignedDuration,

    /// Lowest average speed of an upload, per second, as in 16KiB; slower clients get 408. 0
    /// accepts any [default: 1KiB]
    #[arg(long, value_name = "SIZE")]
    pub min_upload_rate: Option<ByteSize>,

    /// Lowest average speed of a download, per second; slower clients are disconnected. 0 accepts
    /// any [default: 1KiB]
    #[arg(long, value_name = "SIZE")]
    pub min_download_rate: Option<ByteSize>,
}

impl ConnectionOptions {
    pub fn limits(self) -> ConnectionLimits {
        let defaults = ConnectionLimits::default();
        ConnectionLimits {
            min_upload_rate: self
                .min_upload_rate
                .map_or(defaults.min_upload_rate, |size| size.as_u64()),
            min_download_rate: self
                .min_download_rate
                .map_or(defaults.min_download_rate, |size| size.as_u64()),
            connections_per_client: self.connections_per_client,
            stop_timeout: self.stop_timeout.unsigned_abs(),
            trusted_proxies: self.trusted_proxy,
        }
    }
}
