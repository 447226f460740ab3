//! Sends requests to a service, which may be in another process, as raw JSON.

use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::binary::{Serving, TOKEN};
use crate::support::http;

/// Far more than any response takes. A request whose connection is cut was seen to get lost between
/// connections, once in many thousands, and to wait forever.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    base_url: String,
}

impl Client {
    pub(super) fn new(serving: &Serving) -> Self {
        Self::at(serving.base_url())
    }

    pub(crate) fn at(base_url: &str) -> Self {
        let base_url = format!("{}/files/v3", base_url.trim_end_matches('/'));
        let http = http::builder().timeout(PATIENCE).build().unwrap();
        Self { http, base_url }
    }

    /// The status and the body; after an error, the outcome of the request is unknown.
    pub(crate) async fn try_ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<(u16, Value), reqwest::Error> {
        let request = self
            .http
            .request(method, format!("{}{path}", self.base_url))
            .bearer_auth(TOKEN);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        read(request).await
    }

    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        self.try_ask(method, path, body).await.unwrap()
    }

    pub(crate) async fn try_upload(
        &self,
        folder: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<(u16, Value), reqwest::Error> {
        let form = form(name, bytes).text("folderPath", folder.to_owned());
        read(
            self.http
                .post(format!("{}/files", self.base_url))
                .bearer_auth(TOKEN)
                .multipart(form),
        )
        .await
    }

    pub(crate) async fn try_replace(
        &self,
        id: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<(u16, Value), reqwest::Error> {
        let request = self
            .http
            .put(format!("{}/files/{id}", self.base_url))
            .bearer_auth(TOKEN);
        read(request.multipart(form(name, bytes))).await
    }

    pub(crate) async fn download(&self, id: &str) -> (u16, Vec<u8>) {
        let url = format!("{}/files/{id}/download", self.base_url);
        let answer = self.http.get(url).bearer_auth(TOKEN).send().await.unwrap();
        (
            answer.status().as_u16(),
            answer.bytes().await.unwrap().to_vec(),
        )
    }

    /// Requests an import; returns the path of its status.
    pub(crate) async fn try_import(
        &self,
        url: &str,
        name: &str,
    ) -> Result<Option<String>, reqwest::Error> {
        let body = json!({"url": url, "access": "PRIVATE", "name": name, "folderPath": "/"});
        let (status, accepted) = self
            .try_ask(Method::POST, "/files/import-from-url/async", Some(body))
            .await?;
        let path = |id: &str| format!("/files/import-from-url/async/tasks/{id}/status");
        Ok((status == 202).then(|| path(accepted["id"].as_str().unwrap())))
    }

    pub(crate) async fn task(&self, path: &str) -> Value {
        loop {
            let (code, status) = self.ask(Method::GET, path, None).await;
            assert_eq!(code, 200, "{status}");
            if status["status"] == "COMPLETE" || status["status"] == "CANCELED" {
                return status;
            }
        }
    }
}

fn form(name: &str, bytes: &[u8]) -> Form {
    let part = Part::bytes(bytes.to_vec()).file_name(name.to_owned());
    Form::new()
        .part("file", part)
        .text("options", r#"{"access":"PRIVATE"}"#)
}

async fn read(request: reqwest::RequestBuilder) -> Result<(u16, Value), reqwest::Error> {
    let answer = request.send().await?;
    let status = answer.status().as_u16();
    Ok((
        status,
        serde_json::from_slice(&answer.bytes().await?).unwrap_or_default(),
    ))
}
