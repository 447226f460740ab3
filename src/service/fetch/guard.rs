//! The targets that an import may connect to: public ones on the web's ports, and networks that the operator allows.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::global::is_global;

const WEB_PORTS: [u16; 2] = [80, 443];
const LOOPBACK_V4: Ipv4Net = Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8);
const LOOPBACK_V6: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128);

/// A network that imports may reach on any port although it is not public: `127.0.0.0/8`, `fd00::/8`, or one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowedNetwork(IpNet);

impl AllowedNetwork {
    pub fn loopback() -> [Self; 2] {
        [Self(IpNet::V4(LOOPBACK_V4)), Self(IpNet::V6(LOOPBACK_V6))]
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a network; write one as 192.168.0.0/16 or fd00::/8")]
pub struct InvalidNetwork(String);

impl FromStr for AllowedNetwork {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let net = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        net.map(|net| Self(net.trunc())).map_err(|_| InvalidNetwork(text.to_owned()))
    }
}

/// Checks addresses; without allowed networks, only public ones pass.
#[derive(Debug, Clone, Default)]
pub(crate) struct AddressGuard {
    allowed: Vec<AllowedNetwork>,
}

impl AddressGuard {
    pub(crate) fn new(allowed: Vec<AllowedNetwork>) -> Self {
        Self { allowed }
    }

    pub(crate) fn permits(&self, target: SocketAddr) -> bool {
        let address = target.ip().to_canonical();
        self.allowed.iter().any(|AllowedNetwork(net)| net.contains(&address))
            || (is_global(target.ip()) && WEB_PORTS.contains(&target.port()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::public_web("8.8.8.8:443", true)]
    #[case::public_other_port("8.8.8.8:8080", false)]
    #[case::mail_port("8.8.8.8:25", false)]
    #[case::loopback("127.0.0.1:80", false)]
    #[case::allowed_any_port("10.1.2.3:8080", true)]
    #[case::allowed_but_mapped("[::ffff:10.1.2.3]:9", true)]
    #[case::beside_the_allowed("10.2.0.1:80", false)]
    #[case::allowed_v6("[fd00::7]:81", true)]
    fn public_web_ports_and_allowed_networks_pass(#[case] target: SocketAddr, #[case] expected: bool) {
        let guard = AddressGuard::new(vec!["10.1.0.0/16".parse().unwrap(), "fd00::7".parse().unwrap()]);
        assert_eq!(guard.permits(target), expected);
    }

    #[test]
    fn loopback_is_the_whole_of_this_machine_and_no_more() {
        let guard = AddressGuard::new(AllowedNetwork::loopback().to_vec());
        for inside in ["127.0.0.1:1", "127.9.9.9:80", "[::1]:5000"] {
            assert!(guard.permits(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["128.0.0.1:1", "0.0.0.0:80", "[::2]:80", "169.254.169.254:80"] {
            assert!(!guard.permits(outside.parse().unwrap()), "{outside}");
        }
    }

    #[test]
    fn a_network_that_is_none_is_named() {
        let error = "10.0.0.0/33".parse::<AllowedNetwork>().unwrap_err();
        assert!(error.to_string().contains("10.0.0.0/33"));
    }
}
