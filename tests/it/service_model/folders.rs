//! Steps on folders: the required responses, and the effects.

use reqwest::Method;
use serde_json::json;

use super::compare;
use super::history::Place;
use super::run::{FOLDERS, NOBODY, Run, Spot, body, nth, status};

impl Run {
    pub(super) async fn create_folder(&mut self, parent: &Place, name: &str) -> Result<(), String> {
        let target = self.target(parent);
        let field = if target.by_path {
            "parentFolderPath"
        } else {
            "parentFolderId"
        };
        let answer = self
            .send_json(
                Method::POST,
                FOLDERS,
                &json!({ "name": name, field: target.value }),
            )
            .await;
        let Spot::Here(parent) = target.location else {
            return status(&answer, 404);
        };
        if self.library.folder_in(&parent, name).is_some() {
            return status(&answer, 409);
        }
        let body = body(&answer, 201)?;
        let id = self.new_id(&body)?;
        self.library.add_folder(id.clone(), name, parent);
        compare::fields(&body, &self.library.folder_json(&id))
    }

    pub(super) async fn change_folder(
        &mut self,
        folder: u8,
        name: Option<&str>,
        parent: Option<&Place>,
    ) -> Result<(), String> {
        let found = nth(self.library.folders.keys(), folder);
        let id = found.clone().unwrap_or_else(|| NOBODY.to_owned());
        let mut request = serde_json::Map::new();
        if let Some(name) = name {
            request.insert("name".to_owned(), json!(name));
        }
        let location = parent.map(|parent| self.target(parent).location);
        if let Some(location) = &location {
            let id = match location {
                Spot::Here(Some(id)) => id.as_str(),
                Spot::Here(None) => "0",
                Spot::Free(_) | Spot::Missing => NOBODY,
            };
            request.insert(
                "parentFolderId".to_owned(),
                json!(id.parse::<i64>().unwrap()),
            );
        }
        let answer = self
            .send_json(Method::PATCH, &format!("{FOLDERS}/{id}"), &request.into())
            .await;
        let Some(id) = found else {
            return status(&answer, 404);
        };
        let parent = match location {
            None => None,
            Some(Spot::Here(parent)) => Some(parent),
            Some(Spot::Free(_) | Spot::Missing) => return status(&answer, 404),
        };
        let now = &self.library.folders[&id];
        let (new_name, new_parent) = (
            name.unwrap_or(&now.name),
            parent.as_ref().unwrap_or(&now.parent),
        );
        if self.library.is_within(new_parent, &id) {
            return status(&answer, 400);
        }
        if self
            .library
            .folder_in(new_parent, new_name)
            .is_some_and(|other| other != id)
        {
            return status(&answer, 409);
        }
        self.library.change_folder(&id, name, parent);
        compare::fields(&body(&answer, 200)?, &self.library.folder_json(&id))
    }

    pub(super) async fn delete_folder(&mut self, folder: u8, by_path: bool) -> Result<(), String> {
        let found = nth(self.library.folders.keys(), folder);
        let path = match &found {
            Some(id) if by_path => {
                format!("{FOLDERS}{}", self.library.folder_path(&Some(id.clone())))
            }
            Some(id) => format!("{FOLDERS}/{id}"),
            None => format!("{FOLDERS}/{NOBODY}"),
        };
        let answer = self.send_delete(&path).await;
        let Some(id) = found else {
            return status(&answer, 404);
        };
        self.library.delete_folder(&id);
        status(&answer, 204)
    }
}
