//! A service in a process of its own that can be killed and restarted at its address, checked over
//! bare HTTP.

use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use crate::cli::binary::{Binary, Serving, authority};
use crate::support::http;
use crate::support::service::{Answer, answer, form};

pub(super) struct Served {
    pub(super) token: &'static str,
    pub(super) base_url: String,
    binary: Binary,
    serving: Option<Serving>,
    runtime: Runtime,
    http: reqwest::Client,
    /// Keeps others from its port while it is down.
    _port: TcpSocket,
}

impl Served {
    pub(super) fn start(token: &'static str) -> Self {
        let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", token);
        let port = TcpSocket::new_v4().unwrap();
        // A listening socket may share a port with one that does not listen.
        port.set_reuseaddr(true).unwrap();
        port.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listen = port.local_addr().unwrap().to_string();
        let serving = Serving::start(&binary, &["--data-dir", "store", "--listen", &listen]);
        let base_url = serving.base_url().to_owned();
        let (runtime, http) = (Runtime::new().unwrap(), http::client());
        Self {
            token,
            base_url,
            binary,
            serving: Some(serving),
            runtime,
            http,
            _port: port,
        }
    }

    pub(super) fn kill(&mut self) {
        self.serving.take().unwrap().end("KILL");
    }

    /// Stores a file while the service is out of reach, as somebody elsewhere would.
    pub(super) fn upload_meanwhile(&self, folder: &str, name: &str, content: &str) {
        let mut elsewhere = Serving::start(&self.binary, &["--data-dir", "store"]);
        self.upload_at(elsewhere.base_url(), folder, name, content);
        assert_eq!(elsewhere.end("TERM"), 0);
    }

    pub(super) fn start_again(&mut self) {
        let listen = authority(&self.base_url);
        let serving = Serving::start(&self.binary, &["--data-dir", "store", "--listen", listen]);
        assert_eq!(serving.base_url(), self.base_url);
        self.serving = Some(serving);
    }

    pub(super) fn upload(&self, folder: &str, name: &str, content: &str) {
        self.upload_at(&self.base_url, folder, name, content);
    }

    fn upload_at(&self, base_url: &str, folder: &str, name: &str, content: &str) {
        let options = json!({ "access": "PRIVATE" }).to_string();
        let form = form(name, content.as_bytes())
            .text("options", options)
            .text("folderPath", folder.to_owned());
        let request = self
            .http
            .post(format!("{base_url}/files/v3/files"))
            .bearer_auth(self.token)
            .multipart(form);
        self.runtime.block_on(answer(request)).expect(201);
    }

    pub(super) fn fetch(&self, address: &str) -> Answer {
        self.runtime.block_on(answer(self.http.get(address)))
    }

    pub(super) fn stat(&self, path: &str) -> Value {
        self.get(&format!("stat{path}"))
    }

    pub(super) fn access_of(&self, part: &str) -> Vec<String> {
        let found = self.get(&format!("search?limit=100&name={part}"));
        let files = found["results"].as_array().unwrap();
        files
            .iter()
            .map(|file| file["access"].as_str().unwrap().to_owned())
            .collect()
    }

    fn get(&self, below: &str) -> Value {
        let request = self
            .http
            .get(format!("{}/files/v3/files/{below}", self.base_url))
            .bearer_auth(self.token);
        self.runtime.block_on(answer(request)).expect(200).json()
    }
}
