//! Connections that come and go without a request keep nobody from the service.

use std::collections::VecDeque;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::half_sent::HalfSent;
use crate::support::service::TestService;

/// More connections than the service accepts at a time.
const HELD: usize = 1_400;
const ALL: usize = 5_000;

/// Raises the limit, because both ends of all connections are in this process.
fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: maximum,
            maximum,
        },
    )
    .unwrap();
}

// Seen to fail with 503 while idle connections kept their places.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_are_answered_while_idle_connections_come_and_go() {
    allow_many_files();
    let service = TestService::start().await;
    let address = service.connect().await.peer_addr().unwrap();
    // The upload begins before the others come and ends after they are gone.
    let upload = HalfSent::to(&service).await;
    let mut idle_ones = VecDeque::new();
    for number in 0..ALL {
        let mut idle = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            // Half a head is not a request.
            idle.write_all(b"GET / HTTP/1.1\r\nhost: ").await.unwrap();
        }
        idle_ones.push_back(idle);
        if idle_ones.len() > HELD {
            idle_ones.pop_front();
        }
        if number % 100 == 99 {
            let mut request = TcpStream::connect(address).await.unwrap();
            request
                .write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                .await
                .unwrap();
            let mut answer = String::new();
            request.read_to_string(&mut answer).await.unwrap();
            assert!(
                answer.starts_with("HTTP/1.1 200"),
                "after {number} connections: {answer:?}"
            );
        }
    }
    let answer = upload.finish().await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer:?}");
}
