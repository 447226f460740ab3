//! A network named by the operator, one that imports may reach or a proxy is in: `127.0.0.0/8`,
//! `fd00::/8`, or one address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

const LOOPBACK_V4: Ipv4Net = Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8);
const LOOPBACK_V6: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    pub fn loopback() -> [Self; 2] {
        [Self(IpNet::V4(LOOPBACK_V4)), Self(IpNet::V6(LOOPBACK_V6))]
    }

    /// An IPv4 address that is written as an IPv6 one counts as IPv4.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a network; write one as 192.168.0.0/16 or fd00::/8")]
pub struct InvalidNetwork(String);

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let net = text
            .parse::<IpNet>()
            .or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        net.map(|net| Self(net.trunc()))
            .map_err(|_| InvalidNetwork(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_none_is_named() {
        let error = "10.0.0.0/33".parse::<Network>().unwrap_err();
        assert!(error.to_string().contains("10.0.0.0/33"));
    }
}
