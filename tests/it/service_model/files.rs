//! Steps on files: the required responses, and the effects.

use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};

use super::compare;
use super::history::{Expiry, Patch, Upload};
use super::library::{File, Parent, full_name};
use super::run::{FILES, FOLDERS, NOBODY, Run, Spot, body, nth, status};
use crate::support::service::form;

impl Run {
    pub(super) async fn upload(&mut self, upload: &Upload) -> Result<(), String> {
        let target = self.target(&upload.into);
        let mut options = json!({ "access": upload.access });
        for (name, value) in [
            ("overwrite", json!(upload.overwrite)),
            ("duplicateValidationScope", json!(upload.scope)),
            ("duplicateValidationStrategy", json!(upload.strategy)),
            ("ttl", json!(upload.days.map(|days| format!("P{days}D")))),
        ] {
            if !value.is_null() {
                options[name] = value;
            }
        }
        let name = full_name(upload.stem, upload.extension);
        let field = if target.by_path {
            "folderPath"
        } else {
            "folderId"
        };
        let told = format!(
            "upload {name:?} ({:?}) with {field}={} {options}",
            upload.bytes, target.value
        );
        let form = form(&name, upload.bytes.as_bytes()).text("options", options.to_string());
        let form = form.text(field, target.value);
        let request = self.service.request(Method::POST, FILES).multipart(form);
        let answer = self.send(told, request).await;

        let folder = match &target.location {
            Spot::Missing => return status(&answer, 404),
            Spot::Free(_) => None,
            Spot::Here(folder) => Some(folder),
        };
        match (upload.strategy, self.duplicate(upload, folder)) {
            (Some("REJECT"), Some(_)) => return status(&answer, 409),
            (Some("RETURN_EXISTING"), Some(id)) => {
                return compare::fields(&body(&answer, 201)?, &self.library.file_json(&id));
            }
            _ => {}
        }
        let body = body(&answer, 201)?;
        let folder = match target.location {
            Spot::Free(path) => self.learn_folders(&path).await?,
            Spot::Here(folder) => folder,
            Spot::Missing => return Err("unreachable: answered above".to_owned()),
        };
        let old = self.library.file_in(&folder, &name);
        let stem = match &old {
            Some(old) if upload.overwrite == Some(true) => {
                self.library.delete_file(old);
                upload.stem.to_owned()
            }
            Some(_) => self
                .library
                .numbered_stem(&folder, upload.stem, upload.extension),
            None => upload.stem.to_owned(),
        };
        let id = self.new_id(&body)?;
        let file = File {
            stem,
            extension: upload.extension.to_owned(),
            parent: folder,
            bytes: upload.bytes,
            access: upload.access,
            usable: true,
            expires: upload.days.map(|days| self.library.now + days_long(days)),
            created: self.library.now,
            updated: self.library.now,
        };
        self.library.put_file(id.clone(), file);
        compare::fields(&body, &self.library.file_json(&id))
    }

    /// The file with the same content in the upload's scope. A folder that does not exist yet has
    /// none.
    fn duplicate(&self, upload: &Upload, folder: Option<&Parent>) -> Option<String> {
        match upload.scope {
            Some("EXACT_FOLDER") => self.library.duplicate_of(upload.bytes, Some(folder?)),
            _ => self.library.duplicate_of(upload.bytes, None),
        }
    }

    async fn learn_folders(&mut self, path: &str) -> Result<Parent, String> {
        let mut folder: Parent = None;
        let mut walked = String::new();
        for name in path.split('/').skip(1) {
            walked = format!("{walked}/{name}");
            let known = self.library.folder_in(&folder, name);
            let id = if let Some(id) = known {
                id
            } else {
                let made = body(&self.service.get(&format!("{FOLDERS}{walked}")).await, 200)?;
                let id = self.new_id(&made)?;
                self.library.add_folder(id.clone(), name, folder);
                id
            };
            folder = Some(id);
        }
        Ok(folder)
    }

    pub(super) async fn replace(
        &mut self,
        file: u8,
        bytes: &'static str,
        access: &'static str,
        days: Option<u8>,
    ) -> Result<(), String> {
        let found = nth(self.library.files.keys(), file);
        let id = found.clone().unwrap_or_else(|| NOBODY.to_owned());
        let mut options = json!({ "access": access });
        if let Some(days) = days {
            options["ttl"] = json!(format!("P{days}D"));
        }
        let part = reqwest::multipart::Part::bytes(bytes.as_bytes());
        let form = reqwest::multipart::Form::new()
            .part("file", part)
            .text("options", options.to_string());
        let request = self
            .service
            .request(Method::PUT, &format!("{FILES}/{id}"))
            .multipart(form);
        let answer = self
            .send(format!("replace {id} by {bytes:?} {options}"), request)
            .await;
        let Some(id) = found else {
            return status(&answer, 404);
        };
        let now = self.library.now;
        let file = self.library.files.get_mut(&id).unwrap();
        file.bytes = bytes;
        file.access = access;
        file.updated = now;
        if let Some(days) = days {
            file.expires = Some(now + days_long(days));
        }
        compare::fields(&body(&answer, 200)?, &self.library.file_json(&id))
    }

    pub(super) async fn patch(&mut self, file: u8, change: &Patch) -> Result<(), String> {
        let found = nth(self.library.files.keys(), file);
        let id = found.clone().unwrap_or_else(|| NOBODY.to_owned());
        let target = change.parent.as_ref().map(|parent| self.target(parent));
        let expires = match change.expiry {
            Some(Expiry::InHours(hours)) => {
                Some(self.library.now + SignedDuration::from_hours(hours.into()))
            }
            Some(Expiry::Never) | None => None,
        };
        let fields = [
            ("name", json!(change.stem)),
            ("access", json!(change.access)),
            ("isUsableInContent", json!(change.usable)),
            ("expiresAt", json!(expires.map(|time| time.to_string()))),
            (
                "clearExpires",
                json!(matches!(change.expiry, Some(Expiry::Never)).then_some(true)),
            ),
            (
                "parentFolderPath",
                json!(
                    target
                        .as_ref()
                        .filter(|target| target.by_path)
                        .map(|target| &target.value)
                ),
            ),
            (
                "parentFolderId",
                json!(
                    target
                        .as_ref()
                        .filter(|target| !target.by_path)
                        .map(|target| &target.value)
                ),
            ),
        ];
        let request: Value = fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect();
        let answer = self
            .send_json(Method::PATCH, &format!("{FILES}/{id}"), &request)
            .await;
        let Some(id) = found else {
            return status(&answer, 404);
        };
        let old = &self.library.files[&id];
        let mut file = old.clone();
        match target.map(|target| target.location) {
            None => {}
            Some(Spot::Here(folder)) => file.parent = folder,
            Some(Spot::Free(_) | Spot::Missing) => return status(&answer, 404),
        }
        file.stem = change.stem.map_or(file.stem, str::to_owned);
        if self
            .library
            .file_in(&file.parent, &file.full_name())
            .is_some_and(|other| other != id)
        {
            return status(&answer, 409);
        }
        file.access = change.access.unwrap_or(file.access);
        file.usable = change.usable.unwrap_or(file.usable);
        file.expires = if change.expiry.is_some() {
            expires
        } else {
            file.expires
        };
        file.updated = self.library.now;
        self.library.put_file(id.clone(), file);
        compare::fields(&body(&answer, 200)?, &self.library.file_json(&id))
    }

    /// Deletes a file twice; the second request finds none.
    pub(super) async fn delete(&mut self, file: u8) -> Result<(), String> {
        let found = nth(self.library.files.keys(), file);
        let path = format!("{FILES}/{}", found.as_deref().unwrap_or(NOBODY));
        if let Some(id) = found {
            status(&self.send_delete(&path).await, 204)?;
            self.library.delete_file(&id);
        }
        status(&self.send_delete(&path).await, 404)
    }

    pub(super) async fn erase(&mut self, file: Option<String>) -> Result<(), String> {
        let path = format!("{FILES}/{}/gdpr-delete", file.as_deref().unwrap_or(NOBODY));
        let answer = self.send_delete(&path).await;
        let Some(id) = file else {
            return status(&answer, 404);
        };
        self.library.erase_file(&id);
        status(&answer, 204)
    }
}

fn days_long(days: u8) -> SignedDuration {
    SignedDuration::from_hours(24 * i64::from(days))
}
