//! A fault proxy between a client and the real service: it relays HTTP/1.1 requests, applies
//! network faults to chosen ones, and logs them. It accepts one request per connection, so that
//! every attempt of a client is seen.

mod answer;
mod fault;
mod rule;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use url::Url;

use super::capture::Seen;
use super::http::{self, listener};
pub use answer::{Answer, End};
pub use fault::{Fault, Passed};
pub use rule::{Calls, Rule, Which};

#[derive(Debug, Clone)]
pub struct Relayed {
    pub seen: Seen,
    /// The service's statuses, one for each time that the request was passed on.
    pub answered: Vec<u16>,
    /// Bytes of a body that were handed to the client's connection.
    pub down: usize,
}

pub struct Proxy {
    pub url: Url,
    relay: Arc<Relay>,
}

struct Relay {
    upstream: Url,
    http: reqwest::Client,
    rules: Mutex<Vec<Rule>>,
    log: watch::Sender<Vec<Relayed>>,
    held: Mutex<Vec<Held>>,
}

/// A request that is passed on only after its client's connection has ended.
struct Held {
    number: usize,
    seen: Seen,
    /// The number of the request that it is passed on before.
    until: usize,
}

impl Proxy {
    /// Relays to the service at this address, without faults until there are rules.
    pub async fn start(upstream: Url) -> Self {
        let http = http::builder()
            .no_proxy()
            .no_gzip()
            .redirect(reqwest::redirect::Policy::none());
        let relay = Arc::new(Relay {
            upstream,
            http: http.build().unwrap(),
            rules: Mutex::default(),
            log: watch::Sender::default(),
            held: Mutex::default(),
        });
        let listener = listener().await;
        let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let accepting = relay.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(accepting.clone().serve(stream));
            }
        });
        Self { url, relay }
    }

    /// Replaces the rules; the first one that matches a request applies.
    pub fn rules(&self, rules: Vec<Rule>) {
        *self.relay.rules.lock().unwrap() = rules;
    }

    pub fn log(&self) -> Vec<Relayed> {
        self.relay.log.borrow().clone()
    }

    pub fn count(&self, calls: Calls) -> usize {
        self.relay
            .log
            .borrow()
            .iter()
            .filter(|relayed| calls.hold(&relayed.seen))
            .count()
    }

    pub async fn until(&self, wanted: impl Fn(&[Relayed]) -> bool) {
        let mut log = self.relay.log.subscribe();
        let waiting = log.wait_for(|log| wanted(log));
        assert!(
            tokio::time::timeout(Duration::from_mins(1), waiting)
                .await
                .is_ok(),
            "it was never seen"
        );
    }

    /// Passes on every request that is still held back.
    pub async fn settled(&self) {
        self.relay.let_through(usize::MAX).await;
    }
}

impl Relay {
    async fn serve(self: Arc<Self>, mut stream: TcpStream) -> Option<()> {
        let mut seen = Seen::begun(&mut stream).await?;
        let fault = self.fault(&mut seen, &mut stream).await?;
        if let Some(read) = fault
            .as_ref()
            .map_or(Some(seen.length()), |fault| fault.reads(seen.length()))
        {
            seen.read_to(&mut stream, read).await?;
        }
        let number = self.note(seen.clone());
        self.let_through(number).await;
        let answer = match fault {
            None => self.pass_on(number, &seen).await,
            Some(Fault::ResetBefore | Fault::ResetWithin) => return reset(&stream),
            Some(Fault::Reset(passed)) => {
                self.pass(number, &seen, passed).await;
                return reset(&stream);
            }
            Some(Fault::Silence(passed)) => {
                self.pass(number, &seen, passed).await;
                // Keeps the connection until the test is over.
                return std::future::pending().await;
            }
            Some(Fault::Answer(passed, change)) => {
                let mut answer = self.pass(number, &seen, passed).await;
                change(&seen, &mut answer);
                answer
            }
        };
        let told = |down| self.log.send_modify(|log| log[number].down = down);
        // An error means that the client has gone away.
        let end = answer.send(&mut stream, told).await.ok()?;
        match end {
            End::Close => stream.shutdown().await.ok(),
            End::Reset => reset(&stream),
            End::Silence | End::Endless => std::future::pending().await,
            End::Stale => {
                stream.read_u8().await.ok()?;
                reset(&stream)
            }
        }
    }

    /// The fault for this request. Reads the beginning of its body if a rule looks for a name in
    /// it.
    async fn fault(&self, seen: &mut Seen, stream: &mut TcpStream) -> Option<Option<Fault>> {
        let length = self
            .rules
            .lock()
            .unwrap()
            .iter()
            .map(|rule| rule.reads(seen.length()))
            .max();
        seen.read_to(stream, length.unwrap_or(0)).await?;
        Some(
            self.rules
                .lock()
                .unwrap()
                .iter()
                .find(|rule| rule.takes(seen))
                .map(|rule| rule.fault.clone()),
        )
    }

    fn note(&self, seen: Seen) -> usize {
        let mut number = 0;
        self.log.send_modify(|log| {
            number = log.len();
            log.push(Relayed {
                seen,
                answered: Vec::new(),
                down: 0,
            });
        });
        number
    }

    /// Passes a request on as a fault requires; returns an empty 200 if there is no response yet.
    async fn pass(&self, number: usize, seen: &Seen, passed: Passed) -> Answer {
        match passed {
            Passed::Never => Answer::of(200, &[], ""),
            Passed::Now => self.pass_on(number, seen).await,
            Passed::Twice => {
                self.pass_on(number, seen).await;
                self.pass_on(number, seen).await
            }
            Passed::Whole => {
                let mut whole = seen.clone();
                whole.headers.retain(|(name, _)| name != "range");
                self.pass_on(number, &whole).await
            }
            Passed::After(others) => {
                self.held.lock().unwrap().push(Held {
                    number,
                    seen: seen.clone(),
                    until: number + others,
                });
                Answer::of(200, &[], "")
            }
        }
    }

    /// Passes on the requests held back until this one, and waits for the responses.
    async fn let_through(&self, until: usize) {
        let due: Vec<Held> = self
            .held
            .lock()
            .unwrap()
            .extract_if(.., |held| held.until <= until)
            .collect();
        for held in due {
            self.pass_on(held.number, &held.seen).await;
        }
    }

    async fn pass_on(&self, number: usize, seen: &Seen) -> Answer {
        let url = format!(
            "{}{}",
            self.upstream.as_str().trim_end_matches('/'),
            seen.target
        );
        let mut request = self.http.request(seen.method.parse().unwrap(), url);
        for (name, value) in &seen.headers {
            if !matches!(name.as_str(), "host" | "connection" | "content-length") {
                request = request.header(name, value);
            }
        }
        if !seen.body.is_empty() {
            request = request.body(seen.body.clone());
        }
        let answer = Answer::read(request.send().await.unwrap()).await;
        self.log
            .send_modify(|log| log[number].answered.push(answer.status));
        answer
    }
}

fn reset(stream: &TcpStream) -> Option<()> {
    stream.set_zero_linger().ok()
}
