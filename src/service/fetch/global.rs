//! Decides which addresses are public, by an allowlist (global unicast) rather than a list of bad
//! ranges. IPv6 addresses that embed an IPv4 address are judged by that address
//! (`guarantees.md#imports-do-not-reach-inside`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub(super) fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => is_global_v6(address),
    }
}

/// Excludes IANA's special-purpose registry, and the one public address at which a cloud serves its
/// own machines.
fn is_global_v4(address: Ipv4Addr) -> bool {
    !matches!(
        address.octets(),
        [0 | 10 | 127 | 224..=255, ..]
            | [100, 64..=127, ..]
            | [168, 63, 129, 16]
            | [169, 254, ..]
            | [172, 16..=31, ..]
            | [192, 0, 0 | 2, _]
            | [192, 88, 99, _]
            | [192, 168, ..]
            | [198, 18..=19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
    )
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Teredo: its server, and the client's address with every bit inverted.
        [0x2001, 0, server_high, server_low, _, _, high, low] => {
            is_global_v4(join(server_high, server_low)) && is_global_v4(join(!high, !low))
        }
        // The rest of the protocol assignments, and both documentation ranges.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Compatible and mapped; NAT64 with the well-known prefix; 6to4; ISATAP inside a global
        // prefix.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..]
        | [0x2000..=0x3fff, _, _, _, 0 | 0x200, 0x5efe, high, low] => is_global_v4(join(high, low)),
        [first, ..] => (0x2000..=0x3fff).contains(&first),
    }
}

fn join(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every forbidden range, with its first and last address.
    const INSIDE: &str = "
        0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1
        127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
        192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7
        203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::a00:1
        ::ffff:127.0.0.1 ::ffff:0.0.0.0 ::ffff:10.1.2.3 ::ffff:169.254.169.254 ::ffff:192.168.1.1
        ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b:1::808:808
        64:ff9b:1::7f00:1 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:c0a8:101:: 2001:0:7f00:1::
        2001:0:808:808:0:0:80ff:fffe 2001:0:808:808:0:0:5601:5601 2001:2::1 2001:10::1 2001:20::1
        2001:1ff::1 2001:db8::1 3fff::1 3fff:fff::1 2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:127.0.0.1
        fc00::1 fd00::1 fd00:ec2::254 fdff:ffff::1 fe80::1 fe80::5efe:127.0.0.1 febf::1 fec0::1 ff02::1
        ff0e::1 100::1 5f00::1 4000::1 1fff::1
    ";

    const OUTSIDE: &str = "
        1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
        168.63.129.15 169.253.255.255 169.255.0.1 172.15.255.255 172.32.0.1 192.0.1.1 192.167.255.255
        192.169.0.1 198.17.255.255 198.20.0.1 203.0.112.1 223.255.255.254 2001:200::1 2001:4860:4860::8888
        2606:4700:4700::1111 2a00:1450::1 3ffe::1 ::ffff:8.8.8.8 ::8.8.8.8 64:ff9b::808:808 2002:808:808::1
        2001:0:808:808:0:0:f7f7:f7f7 2620:fe::5efe:9.9.9.9
    ";

    #[test]
    fn addresses_inside_are_not_global() {
        for text in INSIDE.split_whitespace() {
            assert!(!is_global(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn public_addresses_are_global() {
        for text in OUTSIDE.split_whitespace() {
            assert!(is_global(text.parse().unwrap()), "{text}");
        }
    }
}
