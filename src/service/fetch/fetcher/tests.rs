//! Targets that an import must not reach, in every spelling. Only the check of addresses is tested,
//! so nothing here is ever contacted, not even with a broken guard.

use std::collections::HashMap;

use rstest::rstest;

use super::*;
use crate::service::fetch::named::TestNames;

// The tests fail with each of these faults in `src/service/fetch`: mapped, compatible, NAT64, 6to4,
// Teredo or ISATAP addresses taken literally; private, shared, link-local, metadata, benchmark or
// multicast addresses taken for public; literals that are not checked; only the first address of a
// name checked; any port permitted; user names permitted.

/// Hosts with internal addresses.
const LITERALS: &[&str] = &[
    "127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 127.0.0.1. 127.65535 127.00.000.01",
    "0177.0.0.1 0177.0.0.01 0177.1 017700000001 00000000177.0.0.1 0177.0.0x0.1",
    "0x7f.0.0.1 0x7F.0x0.0x0.0x1 0x7f.1 0x7f000001 0x7F000001 0x0000007f.0.0.1 0x7f000001. 127.0x1 127.0.0.0x1",
    "2130706433 2130706433. 2147483647",
    "①②⑦.⓪.⓪.① ①②⑦。⓪。⓪。① １２７.０.０.１ １２７。０。０。１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "127.0.0.１ ¹²⁷.⁰.⁰.¹ ０ｘ７ｆ.1",
    "%31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.%31 %30%78%37f000001 127%E3%80%820%E3%80%820%E3%80%821",
    "0.0.0.0 0 0x0 00 0.0 0.1 0.255.255.255 000.000.000.000 0x00.0 0.0.0.0.",
    "10.0.0.1 10.255.255.255 012.0.0.1 0xa.1 0x0a000001 167772161 172.16.0.1 172.31.255.255 2886729729 0xac100001",
    "192.168.0.1 192.168.255.255 192.168.1 3232235521 0xc0a80001 0300.0250.0.1",
    "100.64.0.1 100.100.100.200 100.127.255.255 1684301000 0x64.0x40.0.1",
    "169.254.169.254 169.254.169.254. 169.254.0.1 169.254.170.2 2852039166 0xa9fea9fe 0251.0376.0251.0376",
    "169.254.43518 169.16689662 ①⑥⑨.②⑤④.①⑥⑨.②⑤④ 168.63.129.16 192.0.0.192",
    "192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250",
    "240.0.0.1 255.255.255.255 4294967295 0xffffffff",
    "[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::] [::127.0.0.1] [::7f00:1] [::10.0.0.1]",
    "[::ffff:127.0.0.1] [::FFFF:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0.0.0.0]",
    "[::ffff:10.0.0.1] [::ffff:192.168.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:100.64.0.1]",
    "[::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b:1::1]",
    "[2002:7f00:1::] [2002:a00:1::] [2002:a9fe:a9fe::1] [2002:c0a8:1::1]",
    "[2001:0:7f00:1::] [2001:0:808:808::80ff:fffe] [2001:0:808:808::5601:5601]",
    "[2606:4700::5efe:127.0.0.1] [2606:4700::200:5efe:10.0.0.1] [fe80::5efe:127.0.0.1]",
    "[fc00::1] [fd00::1] [fd00:ec2::254] [fdff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1]",
    "[2001:db8::1] [2001:2::1] [2001:10::1] [3fff::1] [100::1] [5f00::1] [4000::1]",
];

/// Tricks with the host, ports that are not the web's, and addresses that are not web addresses.
const URLS: &[&str] = &[
    "HTTP://127.0.0.1/",
    "https://127.0.0.1/",
    "http://127.0.0.1:80/",
    "http://127.0.0.1:443/",
    "http:127.0.0.1/",
    "http:/127.0.0.1/",
    "http:///127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    " http://127.0.0.1/ ",
    "http://127.\t0.0.1/",
    "http://127.0.0\n.1/",
    "http://127.0.0.1#@example.com/",
    "http://127.0.0.1?@example.com/",
    "http://127.0.0.1\\@example.com/",
    "http://@127.0.0.1/",
    "http://:@127.0.0.1/",
    "http://public.example@127.0.0.1/",
    "http://public.example:80@127.0.0.1/",
    "http://127.0.0.1@public.example/",
    "http://user:secret@public.example/",
    "http://8.8.8.8:22/",
    "http://8.8.8.8:25/",
    "http://8.8.8.8:6379/",
    "http://8.8.8.8:8080/",
    "http://8.8.8.8:0/",
    "http://[2606:4700:4700::1111]:11211/",
    "http://public.example:2375/",
    "http://public.example:65535/",
    "http://[example.com]/",
    "http://[127.0.0.1]/",
    "http://[::1%25lo]/",
    "http://[fe80::1%lo]/",
    "http://[::1/",
    "http://256.0.0.1/",
    "http://127.0.0.1.1/",
    "http://0x7f.0.0.0.1/",
    "http://99999999999/",
    "http://1.2.3.08/",
    "http://127.0.0.0x100/",
    "http://public.example:99999/",
    "http://%00/",
    "http://a b/",
    "http://",
    "http:///",
    "//127.0.0.1/",
    "127.0.0.1",
    "/etc/passwd",
    "",
    "file:///etc/passwd",
    "ftp://public.example/a",
    "data:,x",
    "gopher://127.0.0.1:6379/_x",
    "dict://127.0.0.1:11211/",
    "ldap://127.0.0.1/",
    "javascript:alert(1)",
    "unix:/run/docker.sock",
    "jar:http://public.example/a!/",
];

const NAMES: &[(&str, &[&str])] = &[
    ("localhost", &["127.0.0.1"]),
    ("localhost.", &["127.0.0.1", "::1"]),
    ("app.localhost", &["::1"]),
    ("metadata.google.internal", &["169.254.169.254"]),
    ("instance-data", &["169.254.169.254"]),
    ("127.0.0.1.nip.io", &["127.0.0.1"]),
    ("last-inside.example", &["8.8.8.8", "1.1.1.1", "10.0.0.1"]),
    ("first-inside.example", &["10.0.0.1", "8.8.8.8"]),
    ("both-families.example", &["8.8.8.8", "::1"]),
    ("mapped.example", &["::ffff:127.0.0.1"]),
    ("nat64.example", &["64:ff9b::a9fe:a9fe"]),
    ("six-to-four.example", &["2002:7f00:1::"]),
    ("unspecified.example", &["0.0.0.0"]),
    ("no-address.example", &[]),
];

/// Other spellings of `localhost`, and a name that does not exist.
const SPELLINGS: &str =
    "LOCALHOST ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ loc%61lhost LocalHost. missing.example";

fn fetcher(names: HashMap<String, Vec<Vec<IpAddr>>>) -> Fetcher {
    Fetcher::new(
        AddressGuard::default(),
        FetchLimits::new(1000, 4),
        TestNames::new(names),
    )
}

fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn judging(names: &[(&str, &[&str])]) -> Fetcher {
    fetcher(
        names
            .iter()
            .map(|(name, list)| ((*name).to_owned(), vec![addresses(list)]))
            .collect(),
    )
}

async fn judge(fetcher: &Fetcher, url: &str) -> Result<Vec<SocketAddr>, FetchError> {
    fetcher.targets(&check_url(url)?).await
}

#[tokio::test]
async fn nothing_inside_is_reached_however_it_is_written() {
    // A literal taken for a name would resolve to a public address and pass.
    let literals: Vec<&str> = LITERALS
        .iter()
        .flat_map(|line| line.split_whitespace())
        .collect();
    let public: Vec<(&str, &[&str])> = literals
        .iter()
        .map(|host| (*host, ["8.8.8.8"].as_slice()))
        .collect();
    let fetcher = judging(
        &[
            &public,
            NAMES,
            &[("public.example", ["8.8.8.8"].as_slice())],
        ]
        .concat(),
    );
    let names = NAMES
        .iter()
        .map(|(name, _)| *name)
        .chain(SPELLINGS.split_whitespace());
    let hosts = literals
        .iter()
        .copied()
        .chain(names)
        .map(|host| format!("http://{host}/"));
    let corpus: Vec<String> = hosts.chain(URLS.iter().map(ToString::to_string)).collect();
    assert!(corpus.len() >= 150, "{} addresses", corpus.len());
    for url in &corpus {
        let refused = judge(&fetcher, url).await;
        assert!(
            matches!(
                refused,
                Err(FetchError::Unreachable | FetchError::InvalidUrl(_))
            ),
            "{url}: {refused:?}"
        );
    }
}

#[rstest]
#[case::address("http://8.8.8.8/", &["8.8.8.8:80"])]
#[case::secure("https://1.1.1.1/a?b", &["1.1.1.1:443"])]
#[case::hexadecimal("http://0x08080808/", &["8.8.8.8:80"])]
#[case::sixth_version("http://[2606:4700:4700::1111]:443/", &["[2606:4700:4700::1111]:443"])]
#[case::name("http://public.example./", &["8.8.8.8:80", "[2606:4700:4700::1111]:80"])]
#[tokio::test]
async fn what_is_public_may_be_reached(#[case] url: &str, #[case] expected: &[&str]) {
    let fetcher = judging(&[("public.example.", &["8.8.8.8", "2606:4700:4700::1111"])]);
    let expected: Vec<SocketAddr> = expected.iter().map(|text| text.parse().unwrap()).collect();
    assert_eq!(judge(&fetcher, url).await, Ok(expected));
}

#[tokio::test]
async fn a_name_is_judged_by_what_it_means_each_time() {
    let answers =
        ["8.8.8.8", "127.0.0.1", "8.8.8.8", "169.254.169.254"].map(|answer| addresses(&[answer]));
    let fetcher = fetcher(HashMap::from([(
        "flips.example".to_owned(),
        answers.to_vec(),
    )]));
    for is_public in [true, false, true, false] {
        assert_eq!(
            judge(&fetcher, "http://flips.example/").await.is_ok(),
            is_public
        );
    }
}
