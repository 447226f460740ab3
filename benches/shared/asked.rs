//! Requests to the service under measurement.

use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method};
use serde_json::json;

use crate::served::TOKEN;

pub(crate) struct Asked {
    http: Client,
    base: String,
}

impl Asked {
    pub(crate) fn of(address: &str) -> Self {
        Self {
            http: Client::new(),
            base: format!("{address}/files/v3"),
        }
    }

    pub(crate) async fn upload(&self, name: String) -> Duration {
        let form = Form::new()
            .part("file", Part::text("new").file_name(name))
            .text(
                "options",
                json!({"access": "PRIVATE", "overwrite": true}).to_string(),
            )
            .text("folderPath", "/new");
        let begun = Instant::now();
        let request = self
            .http
            .post(format!("{}/files", self.base))
            .bearer_auth(TOKEN)
            .multipart(form);
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
        answer.bytes().await.unwrap();
        begun.elapsed()
    }

    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<serde_json::Value>,
    ) -> Duration {
        let begun = Instant::now();
        let request = self
            .http
            .request(method, format!("{}{path}", self.base))
            .bearer_auth(TOKEN);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.bytes().await.unwrap();
        begun.elapsed()
    }
}
