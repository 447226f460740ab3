//! Servers whose certificate the user's own authority has signed, and servers that are not trusted.

use std::path::Path;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rstest::rstest;
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;

use super::binary::{Binary, TOKEN};
use crate::support::service::listener;

pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(super) pem: String,
}

impl Authority {
    pub(super) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self {
            issuer: Issuer::new(params, key),
            pem,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Shown {
    Right,
    Expired,
    OtherName,
    SelfSigned,
    OtherAuthority,
}

fn certificate(shown: Shown, authority: &Authority) -> (CertificateDer<'static>, KeyPair) {
    let name = if matches!(shown, Shown::OtherName) {
        "elsewhere.example"
    } else {
        "localhost"
    };
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params
        .distinguished_name
        .push(DnType::CommonName, "the server");
    if matches!(shown, Shown::Expired) {
        params.not_after = date_time_ymd(2020, 1, 1);
    }
    let key = KeyPair::generate().unwrap();
    let made = match shown {
        Shown::SelfSigned => params.self_signed(&key),
        Shown::OtherAuthority => params.signed_by(&key, &Authority::new("somebody else").issuer),
        Shown::Right | Shown::Expired | Shown::OtherName => {
            params.signed_by(&key, &authority.issuer)
        }
    };
    (made.unwrap().der().clone(), key)
}

pub(super) fn acceptor(shown: Shown, authority: &Authority) -> TlsAcceptor {
    let (certificate, key) = certificate(shown, authority);
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let config = builder
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// Serves one empty page for any request over TLS, and returns the address.
async fn serve(shown: Shown, authority: &Authority) -> String {
    let (acceptor, listener) = (acceptor(shown, authority), listener().await);
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let mut stream = acceptor.accept(stream).await.ok()?;
                let mut bytes = Vec::new();
                while !bytes.ends_with(b"\r\n\r\n") {
                    (stream.read_buf(&mut bytes).await.ok()? > 0).then_some(())?;
                }
                let body = r#"{"results": []}"#;
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ";
                stream
                    .write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes())
                    .await
                    .ok()?;
                stream.shutdown().await.ok()
            });
        }
    });
    format!("https://localhost:{port}/")
}

fn binary_at(url: &str) -> Binary {
    Binary::new()
        .env("FILEDECK_BASE_URL", url)
        .env("FILEDECK_TOKEN", TOKEN)
}

fn write_pem(binary: &Binary, authority: &Authority) -> String {
    // A file with several certificates is accepted.
    let both = authority.pem.clone() + &Authority::new("another").pem;
    binary
        .write("ca.pem", both.as_bytes())
        .to_str()
        .unwrap()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_of_the_user_is_trusted_where_it_is_named() {
    let authority = Authority::new("ours");
    let url = serve(Shown::Right, &authority).await;
    let binary = binary_at(&url);
    let pem = write_pem(&binary, &authority);
    binary.run(&["ls", "--ca-cert", &pem]).expect(0);
    let by_environment = binary_at(&url).env("SSL_CERT_FILE", &pem);
    by_environment.run(&["ls"]).expect(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_names_its_authority_in_the_configuration_folder() {
    let authority = Authority::new("ours");
    let url = serve(Shown::Right, &authority).await;
    let binary = Binary::new();
    let config = format!(
        "[accounts.acme]\nbase_url = \"{url}\"\ntoken_file = \"acme.token\"\nca_cert = \"ours.pem\"\n"
    );
    write_private(&binary.config_dir().join("acme.token"), TOKEN);
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    let run = binary.run(&["ls", "--account", "acme"]).expect(1);
    assert!(
        run.stderr.contains("cannot read") && run.stderr.contains("ours.pem"),
        "{}",
        run.stderr
    );
    std::fs::write(binary.config_dir().join("ours.pem"), "no certificate").unwrap();
    let run = binary.run(&["ls", "--account", "acme"]).expect(1);
    assert!(
        run.stderr.contains("has no certificates in PEM format"),
        "{}",
        run.stderr
    );
    std::fs::write(binary.config_dir().join("ours.pem"), &authority.pem).unwrap();
    binary.run(&["ls", "--account", "acme"]).expect(0);
}

#[rstest]
#[case::expired(Shown::Expired, "is not trusted: its certificate has expired")]
#[case::wrong_name(
    Shown::OtherName,
    "is not trusted: its certificate is for another name"
)]
#[case::self_signed(Shown::SelfSigned, "is not trusted: its certificate is self-signed")]
#[case::wrong_authority(
    Shown::OtherAuthority,
    "is not trusted: its certificate is from an authority that is not trusted, \"somebody else\""
)]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_trusted_is_refused_at_once_with_the_reason(
    #[case] shown: Shown,
    #[case] says: &str,
) {
    let authority = Authority::new("ours");
    let binary = binary_at(&serve(shown, &authority).await);
    let pem = write_pem(&binary, &authority);
    let run = binary.run(&["ls", "--ca-cert", &pem]);
    assert_ne!(run.code, 0);
    let told = run
        .stderr
        .lines()
        .filter(|line| line.contains("trusted"))
        .collect::<Vec<_>>();
    assert!(told.len() == 1 && told[0].contains(says), "{}", run.stderr);
    let adds = run.stderr.contains("--ca-cert FILE adds the authority");
    let lacks_authority = says.contains("somebody else") || says.contains("self-signed");
    assert_eq!(adds, lacks_authority, "{}", run.stderr);
}

#[test]
fn an_authority_is_of_no_use_to_what_speaks_to_no_server() {
    let run = Binary::new()
        .run(&["man", "serve", "--ca-cert", "x.pem"])
        .expect(2);
    assert!(
        run.stderr.contains("unexpected argument '--ca-cert'"),
        "{}",
        run.stderr
    );
}

pub(super) fn write_private(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}
