//! An upload over a bare connection that has begun, and continues on demand.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::service::TestService;

/// The upload of a private file in the root, `late.txt`.
const BODY: &str = "--x\r\ncontent-disposition: form-data; name=\"options\"\r\n\r\n{\"access\":\"PRIVATE\"}\r\n\
    --x\r\ncontent-disposition: form-data; name=\"folderPath\"\r\n\r\n/\r\n\
    --x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"late.txt\"\r\n\r\nlate\r\n--x--\r\n";

pub struct HalfSent {
    pub stream: TcpStream,
    rest: &'static str,
}

impl HalfSent {
    /// Begins the upload; returns once its first bytes are on the disk.
    pub async fn to(service: &TestService) -> Self {
        let before = service.blob_count().await;
        let (first, rest) = BODY.split_at(BODY.len() - 8);
        let head = format!(
            "POST /files/v3/files HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nconnection: close\r\n\
             content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
            service.token(),
            BODY.len()
        );
        let mut stream = service.connect().await;
        stream
            .write_all(format!("{head}{first}").as_bytes())
            .await
            .unwrap();
        service.wait_for_blobs(|count| count == before + 1).await;
        Self { stream, rest }
    }

    pub async fn finish(mut self) -> String {
        self.stream.write_all(self.rest.as_bytes()).await.unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}
