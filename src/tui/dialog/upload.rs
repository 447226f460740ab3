//! The upload dialog: which local files, under which name, who may read them, for how long.

use jiff::Timestamp;

use super::creation;
use super::form::{Field, Form, FormReply};
use super::reply::{Intent, Reply};
use crate::api::model::UploadOptions;
use crate::api::text::visible;
use crate::engine::Job;
use crate::engine::message::Place;
use crate::tui::keymap::Key;
use crate::tui::local_paths::LocalPaths;
use crate::tui::{paste, period};

/// An upload being set up.
#[derive(Debug, Clone)]
pub struct Upload {
    pub form: Form,
    pub into: Place,
    local: LocalPaths,
}

const PATHS: usize = 0;
const NAME: usize = 1;
const ACCESS: usize = 2;
const TTL: usize = 3;
const DUPLICATES: usize = 4;
const SCOPE: usize = 5;

impl Upload {
    /// For these local paths, or for paths yet to be typed.
    pub fn new(paths: &[String], into: Place, local: LocalPaths) -> Self {
        let paths = paths.iter().map(|path| paste::quote(path)).collect::<Vec<_>>().join(" ");
        let mut form = Form::new(
            format!("Upload into {}", visible(&into.path)),
            "upload",
            vec![
                Field::path("Files", paths, "Local paths; quote what has spaces when there are several."),
                Field::text("Name", "", "Name in the store; empty keeps the file's own. For one file only."),
                creation::access_field(),
                creation::ttl_field(),
                creation::duplicates_field(),
                creation::scope_field(),
            ],
        );
        if !form.text(PATHS).is_empty() {
            form.focus = ACCESS;
        }
        Self { form, into, local }
    }

    pub fn on(&mut self, key: Key, now: Timestamp) -> Reply {
        match self.form.on(key) {
            FormReply::Open => Reply::Open,
            FormReply::Cancelled => Reply::Closed,
            FormReply::Complete(folder) => Reply::Complete(folder),
            FormReply::Submitted => match self.intent(now) {
                Ok(intent) => Reply::Accepted(intent),
                Err((field, problem)) => {
                    self.form.refuse(field, problem);
                    Reply::Open
                }
            },
        }
    }

    fn intent(&self, now: Timestamp) -> Result<Intent, (usize, String)> {
        let paths = paste::paths(self.form.text(PATHS));
        if paths.is_empty() {
            return Err((PATHS, "Type the path of a local file.".to_owned()));
        }
        if paths.iter().any(|path| path.ends_with('/')) {
            return Err((PATHS, "Folders cannot be uploaded; name the files in it.".to_owned()));
        }
        let name = self.form.filled(NAME);
        if let Some(name) = &name {
            if paths.len() > 1 {
                return Err((NAME, "A name can be given to one file only; leave it empty.".to_owned()));
            }
            creation::check_name(name).map_err(|problem| (NAME, problem))?;
        }
        let mut options = UploadOptions::new(creation::access(self.form.chosen(ACCESS)));
        if let Some(ttl) = self.form.filled(TTL) {
            let (ttl, _) = period::read(&ttl, now).map_err(|problem| (TTL, problem))?;
            options.ttl = Some(ttl);
        }
        if let Some(strategy) = creation::strategy(self.form.chosen(DUPLICATES)) {
            options.duplicate_validation_strategy = Some(strategy);
            options.duplicate_validation_scope = Some(creation::scope(self.form.chosen(SCOPE)));
        }
        let job = |path: &String| Job::Upload {
            local: self.local.resolve(path),
            into: self.into.clone(),
            name: name.clone(),
            options: options.clone(),
            present: false,
        };
        Ok(Intent::Jobs(paths.iter().map(job).collect()))
    }
}
