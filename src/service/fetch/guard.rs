//! The targets that an import may connect to: public ones on the web's ports, and networks that the
//! operator allows.

use std::net::SocketAddr;

use super::global::is_global;
use crate::service::network::Network;

const WEB_PORTS: [u16; 2] = [80, 443];

/// Checks addresses; without allowed networks, only public ones pass.
#[derive(Debug, Clone, Default)]
pub(crate) struct AddressGuard {
    allowed: Vec<Network>,
}

impl AddressGuard {
    pub(crate) fn new(allowed: Vec<Network>) -> Self {
        Self { allowed }
    }

    pub(crate) fn permits(&self, target: SocketAddr) -> bool {
        self.allowed
            .iter()
            .any(|network| network.contains(target.ip()))
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
    fn public_web_ports_and_allowed_networks_pass(
        #[case] target: SocketAddr,
        #[case] expected: bool,
    ) {
        let guard = AddressGuard::new(vec![
            "10.1.0.0/16".parse().unwrap(),
            "fd00::7".parse().unwrap(),
        ]);
        assert_eq!(guard.permits(target), expected);
    }

    #[test]
    fn loopback_is_the_whole_of_this_machine_and_no_more() {
        let guard = AddressGuard::new(Network::loopback().to_vec());
        for inside in ["127.0.0.1:1", "127.9.9.9:80", "[::1]:5000"] {
            assert!(guard.permits(inside.parse().unwrap()), "{inside}");
        }
        for outside in [
            "128.0.0.1:1",
            "0.0.0.0:80",
            "[::2]:80",
            "169.254.169.254:80",
        ] {
            assert!(!guard.permits(outside.parse().unwrap()), "{outside}");
        }
    }
}
