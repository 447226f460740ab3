//! `serve` and `store` with servers whose certificates the user's own authority has signed: a
//! database, a bucket, and those that imports fetch from.

use std::net::SocketAddr;

use rstest::rstest;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::binary::{Binary, Run, Serving, TOKEN};
use super::tls::{Authority, Shown, acceptor};
use crate::support::bucket::{ADDRESS, SECRET, TestBucket};
use crate::support::http::listener;
use crate::support::web::Web;

const SSL_REQUEST: u32 = 80_877_103;
/// The answer of the database to everyone, as an `ErrorResponse` of PostgreSQL.
const REFUSAL: &[u8] = b"SFATAL\0C28000\0Mnobody is let in\0\0";
const UNKNOWN: &str =
    "its certificate is from an authority that is not trusted, \"ours\"; --ca-cert FILE";

/// A server of PostgreSQL that lets nobody in, with TLS or without. Returns its port.
async fn database(tls: Option<TlsAcceptor>) -> u16 {
    let listener = listener().await;
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let tls = tls.clone();
            tokio::spawn(async move {
                let length = stream.read_u32().await.ok()?;
                if length == 8 && stream.read_u32().await.ok()? == SSL_REQUEST {
                    stream
                        .write_all(if tls.is_some() { b"S" } else { b"N" })
                        .await
                        .ok()?;
                    let mut stream = tls?.accept(stream).await.ok()?;
                    let length = stream.read_u32().await.ok()?;
                    refuse(&mut stream, length).await
                } else {
                    refuse(&mut stream, length).await
                }
            });
        }
    });
    port
}

async fn refuse(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), length: u32) -> Option<()> {
    stream
        .read_exact(&mut vec![0; usize::try_from(length).unwrap() - 4])
        .await
        .ok()?;
    stream.write_u8(b'E').await.ok()?;
    stream
        .write_u32(u32::try_from(REFUSAL.len()).unwrap() + 4)
        .await
        .ok()?;
    stream.write_all(REFUSAL).await.ok()?;
    stream.shutdown().await.ok()
}

/// Adds TLS to a server. Returns the port.
async fn with_tls(tls: TlsAcceptor, server: SocketAddr) -> u16 {
    let listener = listener().await;
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let tls = tls.clone();
            tokio::spawn(async move {
                let mut stream = tls.accept(stream).await.ok()?;
                copy_bidirectional(&mut stream, &mut TcpStream::connect(server).await.ok()?)
                    .await
                    .ok()
            });
        }
    });
    port
}

/// A program with the file `ours.pem` of this authority, and `other.pem` of another one.
fn binary(ours: &Authority) -> Binary {
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    binary.write("ours.pem", ours.pem.as_bytes());
    binary.write("other.pem", Authority::new("another").pem.as_bytes());
    binary
}

fn serve(binary: &Binary, words: &[&str]) -> Run {
    binary.run(
        &[
            &["serve", "--listen", "127.0.0.1:0", "--data-dir", "store"],
            words,
        ]
        .concat(),
    )
}

// Seen to fail with the authorities of the address, or of the command line, left out of the
// connection.
#[rstest]
#[case::by_the_command_line("sslmode=verify-full", &["--ca-cert", "ours.pem"])]
#[case::by_the_address("sslmode=require&sslrootcert=ours%2Epem", &[])]
#[case::by_both("sslmode=verify-ca&sslrootcert=ours.pem", &["--ca-cert", "other.pem"])]
#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_trusted_by_an_authority_of_the_user(
    #[case] query: &str,
    #[case] words: &[&str],
) {
    let ours = Authority::new("ours");
    let port = database(Some(acceptor(Shown::Right, &ours))).await;
    let (binary, address) = (
        binary(&ours),
        format!("postgres://me@localhost:{port}/files?{query}"),
    );
    let run = serve(&binary, &[&["--database", &address], words].concat()).expect(1);
    assert!(run.stderr.contains("nobody is let in"), "{}", run.stderr);
    let copy = ["store", "copy", "--from-database", &address, "./back"];
    for care in [&copy[..], &["store", "verify", "--database", &address]] {
        let run = binary.run(&[care, words].concat()).expect(1);
        assert!(run.stderr.contains("nobody is let in"), "{}", run.stderr);
    }
}

// Seen to fail with the message that the database gives no answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_not_trusted_is_refused_with_the_name_of_its_authority() {
    let ours = Authority::new("ours");
    let port = database(Some(acceptor(Shown::Right, &ours))).await;
    let address =
        format!("postgres://me@localhost:{port}/files?sslmode=verify-full&sslrootcert=other.pem");
    let run = serve(&binary(&ours), &["--database", &address]).expect(1);
    assert!(
        run.stderr
            .contains(&format!("{UNKNOWN} or sslrootcert=FILE adds it")),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("gives no answer"), "{}", run.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_tls_is_used_only_where_that_is_written() {
    let (ours, port) = (Authority::new("ours"), database(None).await);
    let (binary, address) = (
        binary(&ours),
        format!("postgres://me@localhost:{port}/files"),
    );
    let with = |mode: &str| {
        serve(
            &binary,
            &[
                "--ca-cert",
                "ours.pem",
                "--database",
                &format!("{address}?sslmode={mode}"),
            ],
        )
    };
    let refused = with("require").expect(1);
    assert!(
        refused.stderr.contains("its server does not support TLS"),
        "{}",
        refused.stderr
    );
    assert!(
        refused.stderr.contains("sslmode=disable"),
        "{}",
        refused.stderr
    );
    let reached = with("disable").expect(1);
    assert!(
        reached.stderr.contains("nobody is let in"),
        "{}",
        reached.stderr
    );
    let unknown = with("prefer").expect(2);
    assert!(
        unknown.stderr.contains("sslmode=prefer is not supported"),
        "{}",
        unknown.stderr
    );
}

// Seen to fail with the message that the file of the database failed.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_machine_without_authorities_is_told_how_to_name_some() {
    let ours = Authority::new("ours");
    let port = database(Some(acceptor(Shown::Right, &ours))).await;
    let address = format!("postgres://me@localhost:{port}/files?sslmode=verify-full");
    let binary = binary(&ours)
        .env("SSL_CERT_FILE", "missing.pem")
        .env("SSL_CERT_DIR", "missing");
    let run = serve(&binary, &["--database", &address]).expect(1);
    assert!(
        run.stderr
            .contains("install them, or name some with --ca-cert FILE"),
        "{}",
        run.stderr
    );
    assert!(
        !run.stderr.contains("the file of the database"),
        "{}",
        run.stderr
    );
}

// Seen to fail with `store verify` that trusts only the authorities of the system.
#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_is_trusted_by_an_authority_of_the_user_and_refused_without_it() {
    let (ours, root) = (Authority::new("ours"), tempfile::tempdir().unwrap());
    let bucket = TestBucket::in_folder(root.path()).await;
    let server = bucket.endpoint.socket_addrs(|| None).unwrap()[0];
    let port = with_tls(acceptor(Shown::Right, &ours), server).await;
    let variables = bucket.variables(SECRET);
    let binary = variables
        .iter()
        .fold(binary(&ours), |binary, (name, value)| {
            binary.env(name, value)
        });
    let binary = binary
        .env("AWS_ENDPOINT_URL", &format!("https://localhost:{port}"))
        .env("AWS_ALLOW_HTTP", "false");
    let run = serve(&binary, &["--objects", ADDRESS, "--ca-cert", "other.pem"]).expect(1);
    assert!(
        run.stderr.contains(&format!("{UNKNOWN} adds it")),
        "{}",
        run.stderr
    );
    assert!(
        !run.stderr.contains("that the server runs"),
        "{}",
        run.stderr
    );
    let words = [
        "--data-dir",
        "store",
        "--objects",
        ADDRESS,
        "--ca-cert",
        "ours.pem",
    ];
    let mut serving = Serving::start(&binary, &words);
    let account = Binary::new()
        .env("FILEDECK_BASE_URL", serving.base_url())
        .env("FILEDECK_TOKEN", TOKEN);
    account.write("one.txt", b"one");
    account.run(&["put", "one.txt", "/"]).expect(0);
    serving.end("TERM");
    binary
        .run(&[
            "store",
            "verify",
            "--data-dir",
            "store",
            "--ca-cert",
            "ours.pem",
        ])
        .expect(0);
    binary
        .run(&[
            "store",
            "backup",
            "--data-dir",
            "store",
            "--ca-cert",
            "ours.pem",
            "copy",
        ])
        .expect(0);
    let run = binary
        .run(&[
            "store",
            "verify",
            "--data-dir",
            "store",
            "--ca-cert",
            "other.pem",
        ])
        .expect(1);
    assert!(run.stderr.contains(UNKNOWN), "{}", run.stderr);
}

// Seen to fail with the same message as for a server that cannot be reached.
#[tokio::test(flavor = "multi_thread")]
async fn an_import_is_trusted_by_an_authority_of_the_user_and_refused_without_it() {
    let ours = Authority::new("ours");
    let web = Web::serving(&[("/a.txt", b"from a")]).await;
    let server = web
        .url("/")
        .parse::<url::Url>()
        .unwrap()
        .socket_addrs(|| None)
        .unwrap()[0];
    let url = format!(
        "https://localhost:{}/a.txt",
        with_tls(acceptor(Shown::Right, &ours), server).await
    );
    let import = |pem: &str| {
        let binary = binary(&ours);
        let serving = Serving::start(
            &binary,
            &[
                "--import-allow",
                "127.0.0.0/8",
                "--import-allow",
                "::1/128",
                "--ca-cert",
                pem,
            ],
        );
        let account = Binary::new()
            .env("FILEDECK_BASE_URL", serving.base_url())
            .env("FILEDECK_TOKEN", TOKEN);
        account.run(&["import", &url, "/"])
    };
    import("ours.pem").expect(0);
    let refused = import("other.pem");
    assert_ne!(refused.code, 0);
    let reason = "its certificate is from an authority that is not trusted, \"ours\".";
    assert!(refused.stderr.contains(reason), "{}", refused.stderr);
}
