//! The accept loop: hyper with the timeouts that `axum::serve` lacks
//! (`guarantees.md#slow-and-large-requests-have-bounds`), limits on connections, and a graceful
//! shutdown.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use jiff::Timestamp;
use prometheus_client::metrics::gauge::Gauge;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::io::{InspectReader, InspectWriter};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::access_note::{self, AccessNote};
use super::connection_slots::{ConnectionSlot, ConnectionSlots, NoSlot, Peer};
use super::layers::host::LocalAddress;
use super::patience::Patience;
use super::probes;
use super::response_stream::ResponseStream;
use crate::service::access_log::{AccessLog, AccessRecord};
use crate::service::connection_limits::ConnectionLimits;
use crate::service::metrics::{ConnectionMetrics, CountedIn};
use crate::service::network::Network;
use crate::service::policy;

/// The pause after a failed accept, for instance for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The rules for the connections of a listener.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: ConnectionLimits,
    most: usize,
    metrics: ConnectionMetrics,
    access_log: Option<Arc<AccessLog>>,
}

impl Connections {
    pub(crate) fn new(limits: ConnectionLimits, metrics: ConnectionMetrics) -> Self {
        Self {
            limits,
            most: most_connections(),
            metrics,
            access_log: None,
        }
    }

    pub(crate) fn noted_in(self, access_log: Option<AccessLog>) -> Self {
        Self {
            access_log: access_log.map(Arc::new),
            ..self
        }
    }

    /// Serves until `stop`, then gives requests in progress a limited time to finish.
    pub(crate) async fn serve(
        self,
        listener: TcpListener,
        router: Router,
        stop: CancellationToken,
    ) {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(policy::HEADER_TIMEOUT)
            .max_buf_size(policy::MAX_READ_HEAD_BYTES)
            .half_close(false);
        let mut open = OpenConnections {
            slots: ConnectionSlots::new(self.most, self.limits.connections_per_client),
            // Whoever watches the service has to reach it also while its clients have all slots.
            probe_slots: ConnectionSlots::new(policy::PROBE_CONNECTIONS, policy::PROBE_CONNECTIONS),
            only_probes: probes::only(router.clone()),
            router,
            http,
            graceful: GracefulShutdown::new(),
            tasks: JoinSet::new(),
            stop: stop.clone(),
            rules: &self,
        };
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => open.begin(stream, peer),
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
                Some(_) = open.tasks.join_next() => {}
            }
        }
        // Who has connected before the stop is still served: closing the listener resets those that
        // wait in its queue.
        if let Ok(queue) = listener.into_std() {
            while let Ok((stream, peer)) = queue.accept() {
                if let Ok(stream) = stream
                    .set_nonblocking(true)
                    .and_then(|()| TcpStream::from_std(stream))
                {
                    open.begin(stream, peer);
                }
            }
        }
        open.end().await;
    }

    /// Returns the stream of a connection that counts its bytes and watches its responses.
    fn observed(
        &self,
        stream: TcpStream,
        slot: Arc<ConnectionSlot>,
    ) -> impl AsyncRead + AsyncWrite + Unpin + use<> {
        // Small responses must not be delayed for more data; a failure only costs time.
        let _ = stream.set_nodelay(true);
        let (received, sent) = (self.metrics.received.clone(), self.metrics.sent.clone());
        let stream = InspectReader::new(stream, move |bytes| {
            received.inc_by(bytes.len() as u64);
        });
        let stream = InspectWriter::new(stream, move |bytes| {
            sent.inc_by(bytes.len() as u64);
        });
        ResponseStream::new(
            stream,
            slot,
            Patience::new(self.limits.min_download_rate, policy::RESPONSE_PATIENCE),
        )
    }

    /// Returns the client that a connection counts for; `None` for this machine, and for proxies
    /// with many clients.
    fn counted(&self, peer: IpAddr) -> Option<Peer> {
        let is_exempt = peer.to_canonical().is_loopback()
            || self
                .limits
                .trusted_proxies
                .iter()
                .any(|proxy| proxy.contains(peer));
        (!is_exempt).then(|| Peer::from(peer))
    }
}

/// Returns the maximum number of open connections; requests need descriptors for files, too.
fn most_connections() -> usize {
    #[cfg(unix)]
    if let Some(descriptors) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current
    {
        let most = usize::try_from(descriptors / 2).unwrap_or(usize::MAX);
        return policy::MAX_CONNECTIONS.min(most.max(1));
    }
    policy::MAX_CONNECTIONS
}

/// The connections of a listener that are being served.
struct OpenConnections<'a> {
    rules: &'a Connections,
    router: Router,
    only_probes: Router,
    slots: ConnectionSlots,
    probe_slots: ConnectionSlots,
    http: http1::Builder,
    graceful: GracefulShutdown,
    tasks: JoinSet<()>,
    stop: CancellationToken,
}

impl OpenConnections<'_> {
    /// Begins to serve a connection, or turns it away.
    fn begin(&mut self, stream: TcpStream, peer: SocketAddr) {
        let Connections {
            limits,
            metrics,
            access_log,
            ..
        } = self.rules;
        let place = match self.slots.take(self.rules.counted(peer.ip())) {
            Ok(slot) => Some((slot, self.router.clone())),
            Err(NoSlot::AtAll) => self
                .probe_slots
                .take(None)
                .ok()
                .map(|slot| (slot, self.only_probes.clone())),
            Err(NoSlot::OfClient) => None,
        };
        let Some((local, (slot, router))) = stream.local_addr().ok().zip(place) else {
            metrics.refused.inc();
            self.tasks.spawn(turn_away(stream));
            return;
        };
        let lost = slot.is_lost();
        let accepted = Accepted {
            local,
            peer: peer.ip(),
            trusted_proxies: limits.trusted_proxies.clone(),
            slot: slot.clone(),
            under_way: metrics.under_way.clone(),
            access_log: access_log.clone(),
            stop: self.stop.clone(),
        };
        let stream = TokioIo::new(self.rules.observed(stream, slot));
        let connection = self.graceful.watch(
            self.http
                .serve_connection(stream, service(router, accepted)),
        );
        let open = CountedIn::new(&metrics.open);
        self.tasks.spawn(async move {
            let _until_it_ends = open;
            tokio::select! {
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended badly");
                },
                () = lost => tracing::debug!("a connection that was idle made room for another one"),
            }
        });
    }

    /// Waits for requests in progress, then cuts those that are left.
    async fn end(mut self) {
        // A connection on which nothing was read yet would be closed, though its request may have
        // been sent.
        let _ =
            tokio::time::timeout(policy::FIRST_REQUEST_PATIENCE, self.slots.all_have_begun()).await;
        if tokio::time::timeout(self.rules.limits.stop_timeout, self.graceful.shutdown())
            .await
            .is_err()
        {
            tracing::warn!("requests that did not end in time were cut");
        }
        self.tasks.shutdown().await;
    }
}

/// A connection whose requests are answered.
struct Accepted {
    local: SocketAddr,
    peer: IpAddr,
    trusted_proxies: Vec<Network>,
    slot: Arc<ConnectionSlot>,
    under_way: Gauge,
    access_log: Option<Arc<AccessLog>>,
    stop: CancellationToken,
}

impl Accepted {
    /// Begins the line of a request in the access log.
    fn note(&self, request: &Request) -> Option<AccessNote> {
        let record = AccessRecord {
            time: Timestamp::now(),
            peer: access_note::client(self.peer, request.headers(), &self.trusted_proxies),
            token: None,
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            status: 0,
            bytes: 0,
            correlation_id: None,
            object: None,
        };
        Some(AccessNote {
            log: self.access_log.clone()?,
            record,
        })
    }
}

/// Returns the router as a hyper service. Every request gets the local address it arrived at, and
/// keeps the slot of its connection until its response has left.
fn service(
    router: Router,
    accepted: Accepted,
) -> impl hyper::service::Service<
    Request<Incoming>,
    Response = axum::response::Response,
    Error = io::Error,
    Future: Send,
> {
    hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request
            .extensions_mut()
            .insert(LocalAddress(accepted.local));
        let (router, answering) = (router.clone(), accepted.slot.begin());
        let (counted, mut note) = (CountedIn::new(&accepted.under_way), accepted.note(&request));
        let stop = accepted.stop.clone();
        async move {
            // It arrived while its connection was being closed, so it is not processed.
            let made_room =
                || io::Error::other("the connection was closed to make room for another one");
            let answering = answering.ok_or_else(made_room)?;
            let Ok(mut answer) = router.oneshot(request).await;
            if stop.is_cancelled() {
                // The client must not send another request on this connection.
                answer
                    .headers_mut()
                    .insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            if let Some(note) = &mut note {
                note.answered(&answer);
            }
            Ok(answer.map(|body| {
                Body::new(body.map_frame(move |frame| {
                    let _until_the_body_is_dropped = (&answering, &counted);
                    if let (Some(note), Some(bytes)) = (&mut note, frame.data_ref()) {
                        note.record.bytes += bytes.len() as u64;
                    }
                    frame
                }))
            }))
        }
    })
}

async fn turn_away(mut stream: TcpStream) {
    let answer =
        b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    // The peer may be gone already, and nothing can be done about that.
    let _ = tokio::time::timeout(policy::HEADER_TIMEOUT, stream.write_all(answer)).await;
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use axum::routing::get;
    use futures::{StreamExt as _, stream};
    use tokio::io::AsyncReadExt as _;

    use super::*;

    fn connections(most: usize) -> Connections {
        Connections {
            most,
            ..Connections::new(ConnectionLimits::default(), ConnectionMetrics::default())
        }
    }

    async fn request(server: SocketAddr, path: &str) -> String {
        let mut client = TcpStream::connect(server).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        client.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        answer
    }

    // Fails if slots that are taken keep the operator's probes out, and if more than probes is
    // answered beside them.
    #[tokio::test]
    async fn probes_are_answered_while_clients_have_all_slots() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/slow", get(std::future::pending::<()>))
            .route("/other", get(async || "other"))
            .route("/healthz", get(async || "well"));
        let server = tokio::spawn(connections(2).serve(listener, router, CancellationToken::new()));
        let mut clients = Vec::new();
        for _ in 0..2 {
            let mut client = TcpStream::connect(address).await.unwrap();
            client
                .write_all(b"GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n")
                .await
                .unwrap();
            clients.push(client);
        }
        while request(address, "/other").await.starts_with("HTTP/1.1 200") {}
        // More than there are places for probes, and none of them sends a request.
        for _ in 0..=policy::PROBE_CONNECTIONS {
            clients.push(TcpStream::connect(address).await.unwrap());
        }
        let answer = request(address, "/healthz").await;
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.ends_with("well"),
            "{answer}"
        );
        let answer = request(address, "/other").await;
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        server.abort();
    }

    // Seen to fail when the listener is closed with connections in its queue, and when a new
    // connection is closed unread.
    #[tokio::test]
    async fn who_has_connected_before_the_stop_is_answered() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(async || "answered"));
        let stop = CancellationToken::new();
        // None is accepted yet, because the server has not begun.
        let clients: Vec<_> = (0..5)
            .map(|_| std::net::TcpStream::connect(address).unwrap())
            .collect();
        stop.cancel();
        let server = tokio::spawn(connections(9).serve(listener, router, stop));
        tokio::task::yield_now().await;
        for client in clients {
            client.set_nonblocking(true).unwrap();
            let mut client = TcpStream::from_std(client).unwrap();
            client
                .write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
                .await
                .unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            assert!(
                answer.contains("connection: close") && answer.ends_with("answered"),
                "{answer}"
            );
        }
        server.await.unwrap();
    }

    // Waits forever without the write timeout.
    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_nothing_of_its_answer_is_cut_off() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        client
            .write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            .await
            .unwrap();
        let (held, released) = tokio::sync::oneshot::channel::<()>();
        let endless = Body::from_stream(stream::repeat(Bytes::from(vec![b'.'; 65536])).map(
            move |chunk| {
                let _ = &held;
                Ok::<_, std::convert::Infallible>(chunk)
            },
        ));
        let answer = Arc::new(std::sync::Mutex::new(Some(endless)));
        let handler = move || std::future::ready(answer.lock().unwrap().take().unwrap());
        let router = Router::new().route("/", get(handler));
        let began = tokio::time::Instant::now();
        let server = tokio::spawn(connections(2).serve(listener, router, CancellationToken::new()));
        assert!(
            released.await.is_err(),
            "the answer is dropped with the connection"
        );
        assert!(began.elapsed() >= policy::RESPONSE_PATIENCE);
        server.abort();
        drop(client);
    }

    // Fails if a request ends with its body, which hyper may still hold then.
    #[tokio::test]
    async fn an_answer_that_waits_for_its_reader_keeps_its_place() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let large = Bytes::from(vec![b'.'; 32 << 20]);
        let router = Router::new().route("/", get(move || std::future::ready(large.clone())));
        let stop = CancellationToken::new();
        let server = tokio::spawn(connections(2).serve(listener, router, stop.clone()));
        let mut reader = TcpStream::connect(address).await.unwrap();
        reader
            .write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .await
            .unwrap();
        let mut begun = [0];
        reader.read_exact(&mut begun).await.unwrap();
        for _ in 0..4 {
            let mut other = TcpStream::connect(address).await.unwrap();
            other
                .write_all(b"HEAD / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                .await
                .unwrap();
            let mut answer = String::new();
            other.read_to_string(&mut answer).await.unwrap();
            assert!(
                answer.starts_with("HTTP/1.1 200") && answer.contains("content-length: 33554432"),
                "{answer}"
            );
            // Idle connections that close one another.
            let _idle = [
                TcpStream::connect(address).await.unwrap(),
                TcpStream::connect(address).await.unwrap(),
            ];
        }
        let mut answer = Vec::new();
        reader.read_to_end(&mut answer).await.unwrap();
        assert!(answer.len() > 32 << 20, "{} bytes came", answer.len());
        stop.cancel();
        server.await.unwrap();
    }
}
