//! The state of a played history, with helpers for all steps: the service, the model beside it, and
//! the request log.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::history::Place;
use super::library::{Library, Parent};
use crate::support::service::{Answer, TestService, answer};

pub(super) const FILES: &str = "/files/v3/files";
pub(super) const FOLDERS: &str = "/files/v3/folders";
pub(super) const NOBODY: &str = "5";

pub(super) struct Run {
    pub(super) service: TestService,
    pub(super) library: Library,
    pub(super) log: Vec<String>,
}

/// A location as a request names it, and the item there.
pub(super) struct Target {
    pub(super) by_path: bool,
    pub(super) value: String,
    pub(super) location: Spot,
}

#[derive(Clone)]
pub(super) enum Spot {
    Here(Parent),
    /// A path that has no folder yet.
    Free(String),
    /// An id that no folder has.
    Missing,
}

impl Run {
    pub(super) async fn send(&mut self, told: String, request: RequestBuilder) -> Answer {
        let answer = answer(request).await;
        self.log
            .push(format!("{told} -> {}", answer.status.as_u16()));
        answer
    }

    pub(super) async fn send_json(&mut self, method: Method, path: &str, body: &Value) -> Answer {
        let request = self.service.request(method.clone(), path).json(body);
        self.send(format!("{method} {path} {body}"), request).await
    }

    pub(super) async fn send_delete(&mut self, path: &str) -> Answer {
        let request = self.service.request(Method::DELETE, path);
        self.send(format!("DELETE {path}"), request).await
    }

    pub(super) fn target(&self, place: &Place) -> Target {
        let by_id = |id: &str, location| Target {
            by_path: false,
            value: id.to_owned(),
            location,
        };
        let by_path = |path: &str, location| Target {
            by_path: true,
            value: path.to_owned(),
            location,
        };
        match place {
            Place::Root => by_path("/", Spot::Here(None)),
            Place::Missing => by_id(NOBODY, Spot::Missing),
            Place::Folder(number) => match nth(self.library.folders.keys(), *number) {
                Some(id) => by_id(&id, Spot::Here(Some(id.clone()))),
                None => by_id("0", Spot::Here(None)),
            },
            Place::FolderByPath(number) => match nth(self.library.folders.keys(), *number) {
                Some(id) => by_path(
                    &self.library.folder_path(&Some(id.clone())),
                    Spot::Here(Some(id)),
                ),
                None => by_path("/", Spot::Here(None)),
            },
            Place::Path(path) => match self.library.folder_at(path) {
                Some(folder) => by_path(path, Spot::Here(folder)),
                None => by_path(path, Spot::Free((*path).to_owned())),
            },
        }
    }

    /// The id in a response; an error if it was ever used before.
    pub(super) fn new_id(&self, body: &Value) -> Result<String, String> {
        let id = body["id"].as_str().ok_or("the answer has no id")?;
        let library = &self.library;
        let is_known = library.files.contains_key(id)
            || library.folders.contains_key(id)
            || library.gone_folders.contains(id)
            || library.deleted.contains_key(id)
            || library.erased.contains(id);
        if is_known {
            Err(format!("the id {id} is given a second time"))
        } else {
            Ok(id.to_owned())
        }
    }
}

pub(super) fn nth<'a>(
    mut ids: impl ExactSizeIterator<Item = &'a String>,
    number: u8,
) -> Option<String> {
    let count = ids.len();
    if count == 0 {
        None
    } else {
        ids.nth(usize::from(number) % count).cloned()
    }
}

pub(super) fn status(answer: &Answer, wanted: u16) -> Result<(), String> {
    if answer.status.as_u16() == wanted {
        return Ok(());
    }
    Err(format!(
        "the last request should have answered {wanted}; it answered {} {}",
        answer.status,
        answer.text()
    ))
}

pub(super) fn body(answer: &Answer, wanted: u16) -> Result<Value, String> {
    status(answer, wanted)?;
    Ok(answer.json())
}
