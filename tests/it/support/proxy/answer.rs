//! A response of the service, or of the proxy itself, and its transmission: byte by byte as a fault
//! requires, which no HTTP library would do.

use std::io;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::watch;

/// An endless body is sent in pieces of this size, with pauses that leave the machine to others.
const PIECE: usize = 64 << 10;
const PAUSE: Duration = Duration::from_millis(5);
/// A slow body is sent in pieces of this size, with pauses of this length.
const SMALL: usize = 6 << 10;
const BETWEEN: Duration = Duration::from_millis(100);

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The declared length, if it is not the body's.
    pub(super) length: Option<usize>,
    /// `true` if no length is declared and the body is chunked.
    pub(super) chunked: bool,
    /// `true` for a byte per second.
    pub(super) drips: bool,
    /// Present if the body is sent in small pieces until the value is `true`.
    pub(super) slow: Option<watch::Receiver<bool>>,
    pub(super) end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Close,
    Reset,
    /// Nothing, on a connection that stays open.
    Silence,
    /// More of it, forever.
    Endless,
    /// Nothing, on a connection that is reset as soon as another request arrives: it has been idle
    /// for too long.
    Stale,
}

impl Answer {
    pub(super) fn of(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let body = body.as_bytes().to_vec();
        Self {
            status,
            headers,
            body,
            length: None,
            chunked: false,
            drips: false,
            slow: None,
            end: End::Close,
        }
    }

    pub(super) async fn read(response: reqwest::Response) -> Self {
        let is_framing =
            |name: &str| matches!(name, "content-length" | "transfer-encoding" | "connection");
        let headers = response
            .headers()
            .iter()
            .filter(|(name, _)| !is_framing(name.as_str()));
        let headers = headers
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        let status = response.status().as_u16();
        Self {
            headers,
            body: response.bytes().await.unwrap().to_vec(),
            ..Self::of(status, &[], "")
        }
    }

    /// Sends the response, and reports the number of body bytes sent so far. Returns the end to
    /// apply.
    pub(super) async fn send(
        &self,
        stream: &mut TcpStream,
        told: impl Fn(usize),
    ) -> io::Result<End> {
        stream.write_all(self.head().as_bytes()).await?;
        if self.drips {
            for (number, byte) in self.body.iter().enumerate() {
                stream.write_all(&[*byte]).await?;
                told(number + 1);
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        } else if let Some(hurry) = self.slow.clone() {
            self.send_slowly(stream, told, hurry).await?;
            return Ok(self.end);
        } else {
            self.send_piece(stream, &self.body).await?;
            told(self.body.len());
        }
        if self.end == End::Endless {
            self.send_for_ever(stream, told).await?;
        }
        Ok(self.end)
    }

    async fn send_slowly(
        &self,
        stream: &mut TcpStream,
        told: impl Fn(usize),
        mut hurry: watch::Receiver<bool>,
    ) -> io::Result<()> {
        for (number, piece) in self.body.chunks(SMALL).enumerate() {
            stream.write_all(piece).await?;
            told(number * SMALL + piece.len());
            let _ = tokio::time::timeout(BETWEEN, hurry.wait_for(|hurry| *hurry)).await;
        }
        Ok(())
    }

    async fn send_for_ever(&self, stream: &mut TcpStream, told: impl Fn(usize)) -> io::Result<()> {
        let (more, mut sent) = (vec![b'.'; PIECE], self.body.len());
        loop {
            self.send_piece(stream, &more).await?;
            sent += more.len();
            told(sent);
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn send_piece(&self, stream: &mut TcpStream, piece: &[u8]) -> io::Result<()> {
        if !self.chunked {
            return stream.write_all(piece).await;
        }
        stream
            .write_all(format!("{:x}\r\n", piece.len()).as_bytes())
            .await?;
        stream.write_all(piece).await?;
        stream.write_all(b"\r\n").await
    }

    fn head(&self) -> String {
        let framing = match self.length.unwrap_or(self.body.len()) {
            _ if self.chunked => "transfer-encoding: chunked\r\n".to_owned(),
            // Neither a body nor a length may follow.
            0 if self.status == 204 => String::new(),
            length => format!("content-length: {length}\r\n"),
        };
        let headers = self
            .headers
            .iter()
            .fold(String::new(), |all, (name, value)| {
                all + name + ": " + value + "\r\n"
            });
        let connection = if self.end == End::Stale {
            ""
        } else {
            "connection: close\r\n"
        };
        format!(
            "HTTP/1.1 {} -\r\n{headers}{framing}{connection}\r\n",
            self.status
        )
    }
}
