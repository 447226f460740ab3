//! A web server for tests: serves raw bytes for paths, counts connections, and can hold responses
//! back.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

pub struct Web {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    /// `false` while responses are held back.
    open: watch::Sender<bool>,
}

impl Web {
    /// Responds with 200 and the body for a path; with 404 to other paths.
    pub async fn serving(files: &[(&str, &[u8])]) -> Self {
        let answers = files
            .iter()
            .map(|(path, body)| ((*path).to_owned(), found(body)))
            .collect();
        Self::answering(answers).await
    }

    pub async fn answering(answers: HashMap<String, Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let open = watch::Sender::new(true);
        let (count, gate, answers) = (
            Arc::clone(&connections),
            open.subscribe(),
            Arc::new(answers),
        );
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(answer(stream, Arc::clone(&answers), gate.clone()));
            }
        });
        Self {
            address,
            connections,
            open,
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn hold(&self) {
        self.open.send_replace(false);
    }

    pub fn release(&self) {
        self.open.send_replace(true);
    }
}

fn found(body: &[u8]) -> Vec<u8> {
    let mut answer =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
    answer.extend_from_slice(body);
    answer
}

async fn answer(
    mut stream: TcpStream,
    answers: Arc<HashMap<String, Vec<u8>>>,
    mut gate: watch::Receiver<bool>,
) {
    let mut head = vec![0; 8192];
    let read = stream.read(&mut head).await.unwrap_or(0);
    let head = String::from_utf8_lossy(&head[..read]).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default();
    // Fails only when the test is over.
    let _ = gate.wait_for(|open| *open).await;
    let missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec();
    let bare = path.split('?').next().unwrap_or_default();
    let _ = stream
        .write_all(answers.get(path).or(answers.get(bare)).unwrap_or(&missing))
        .await;
}
