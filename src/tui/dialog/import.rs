//! The import dialog: from which addresses, into which folder, under which name and rules.

use super::creation;
use super::field::Field;
use super::form::{Form, FormReply};
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::ServiceTime;
use crate::api::model::{ImportRequest, UploadOptions};
use crate::api::text::visible;
use crate::engine::Job;
use crate::engine::message::FolderRef;
use crate::tui::clocks::Clocks;
use crate::tui::input::period;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// An import being set up.
#[derive(Debug, Clone)]
pub struct ImportDialog {
    pub form: Form,
    /// The folder that the dialog was opened for.
    pub into: FolderRef,
}

const ADDRESS: usize = 0;
const NAME: usize = 1;
const FOLDER: usize = 2;
const ACCESS: usize = 3;
const TTL: usize = 4;
const DUPLICATES: usize = 5;
const SCOPE: usize = 6;

impl ImportDialog {
    /// For these addresses, a space between two, or for some yet to be typed.
    pub fn new(addresses: &str, into: FolderRef) -> Self {
        let mut form = Form::new(
            "Import from addresses",
            "import",
            vec![
                Field::text(
                    "Address",
                    addresses,
                    "http or https addresses that the service can reach, separated by spaces.",
                ),
                Field::text("Name", "", "Name of the new file; empty uses the address. For one address only."),
                creation::folder_field(&into.path),
                creation::access_field(),
                creation::ttl_field(),
                creation::duplicates_field(),
                creation::scope_field(),
            ],
        );
        if !addresses.is_empty() {
            form.focus = NAME;
        }
        Self { form, into }
    }

    fn jobs(&self, now: ServiceTime) -> Result<Vec<Job>, (usize, String)> {
        let addresses: Vec<&str> = self.form.text(ADDRESS).split_whitespace().collect();
        if addresses.is_empty() {
            return Err((ADDRESS, "Type an address that starts with http:// or https://.".to_owned()));
        }
        if let Some(wrong) = addresses.iter().find(|address| !is_address(address)) {
            let wrong = visible(wrong);
            return Err((ADDRESS, format!("{wrong} does not start with http:// or https://.")));
        }
        let name = self.form.filled(NAME);
        if let Some(name) = &name {
            creation::check_name(name).map_err(|problem| (NAME, problem))?;
            if addresses.len() > 1 {
                return Err((NAME, "A name works for one file only; leave it empty.".to_owned()));
            }
        }
        let folder = creation::folder(self.form.text(FOLDER)).map_err(|problem| (FOLDER, problem))?;
        let ttl = match self.form.filled(TTL) {
            Some(ttl) => Some(period::read(&ttl, now).map_err(|problem| (TTL, problem))?.0),
            None => None,
        };
        let folder_id = self.into.id.clone().filter(|_| folder == self.into.path);
        let strategy = creation::strategy(self.form.chosen(DUPLICATES));
        let options = UploadOptions {
            ttl,
            duplicate_validation_scope: strategy.as_ref().map(|_| creation::scope(self.form.chosen(SCOPE))),
            duplicate_validation_strategy: strategy,
            ..UploadOptions::new(creation::access(self.form.chosen(ACCESS)))
        };
        let job = |url: &str| {
            let request = ImportRequest {
                url: url.to_owned(),
                name: name.clone(),
                folder_path: folder_id.is_none().then(|| folder.to_owned()),
                folder_id: folder_id.clone(),
                options: options.clone(),
            };
            Job::Import { request: Box::new(request), folder: folder.to_owned() }
        };
        Ok(addresses.into_iter().map(job).collect())
    }
}

impl Modal for ImportDialog {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        match self.form.on(key) {
            FormReply::Open | FormReply::Complete(_) => Reply::Open,
            FormReply::CompleteThere(folder) => Reply::CompleteThere(folder),
            FormReply::Cancelled => Reply::Closed,
            FormReply::Submitted => match self.jobs(now.service) {
                Ok(jobs) => Reply::Accepted(Intent::Jobs(jobs)),
                Err((field, problem)) => {
                    self.form.refuse(field, problem);
                    Reply::Open
                }
            },
        }
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        self.form.draw(screen, buf, theme)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }
}

fn is_address(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}
