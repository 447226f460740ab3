//! A call with a JSON answer or none: method, address, body, repeatability, and the expected
//! success status.

use reqwest::header::HeaderValue;
use reqwest::{Method, Request, StatusCode};
use serde::Serialize;
use url::Url;

use super::error::{Error, Kind};
use super::failure::Repeat;
use super::rate_limit::RequestClass;

pub(super) struct Call {
    method: Method,
    url: Url,
    body: Option<Vec<u8>>,
    pub(super) repeat: Repeat,
    pub(super) expected: StatusCode,
    pub(super) class: RequestClass,
}

impl Call {
    pub(super) fn new(method: Method, url: Url, repeat: Repeat, expected: StatusCode) -> Self {
        Self {
            method,
            url,
            body: None,
            repeat,
            expected,
            class: RequestClass::Read,
        }
    }

    pub(super) fn get(url: Url) -> Self {
        Self::new(Method::GET, url, Repeat::Read, StatusCode::OK)
    }

    /// A call that creates something, so it is not repeated if in doubt.
    pub(super) fn create(url: Url, body: &impl Serialize) -> Result<Self, Error> {
        Self::new(Method::POST, url, Repeat::Unsafe, StatusCode::CREATED).with(body)
    }

    /// A call that starts a task, so it is not repeated if in doubt.
    pub(super) fn start(url: Url, body: &impl Serialize) -> Result<Self, Error> {
        Self::new(Method::POST, url, Repeat::Unsafe, StatusCode::ACCEPTED).with(body)
    }

    /// A call that sets fields to values; idempotent.
    pub(super) fn patch(url: Url, body: &impl Serialize) -> Result<Self, Error> {
        Self::new(Method::PATCH, url, Repeat::Safe, StatusCode::OK).with(body)
    }

    /// Marks a call that no user is waiting for.
    pub(super) fn in_background(self) -> Self {
        Self {
            class: RequestClass::Transfer,
            ..self
        }
    }

    fn with(self, body: &impl Serialize) -> Result<Self, Error> {
        let body = serde_json::to_vec(body).map_err(|error| {
            Error::new(
                Kind::Internal,
                format!("A request could not be written as JSON: {error}"),
            )
        })?;
        Ok(Self {
            body: Some(body),
            ..self
        })
    }

    pub(super) fn request(&self) -> Request {
        let mut request = Request::new(self.method.clone(), self.url.clone());
        request.headers_mut().insert(
            reqwest::header::ACCEPT,
            HeaderValue::from_static("application/json"),
        );
        if let Some(body) = &self.body {
            let json = HeaderValue::from_static("application/json");
            request
                .headers_mut()
                .insert(reqwest::header::CONTENT_TYPE, json);
            *request.body_mut() = Some(body.clone().into());
        }
        request
    }
}
