//! The upload dialog: which local files and folders, who may read them, for how long; and, behind "more", a name and what to
//! do with the same content. It stays until what was typed is found to be there.

use crossterm::event::{KeyCode, KeyModifiers};
use jiff::Timestamp;

use super::creation;
use super::field::Field;
use super::form::{Form, FormReply};
use super::reply::Reply;
use crate::api::model::UploadOptions;
use crate::api::text::visible;
use crate::engine::Request;
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
    /// What was asked for when the form was submitted.
    options: UploadOptions,
}

const PATHS: usize = 0;
const ACCESS: usize = 1;
const TTL: usize = 2;
const NAME: usize = 3;
const DUPLICATES: usize = 4;
const SCOPE: usize = 5;

impl Upload {
    /// For these local paths, as they are typed, or for paths yet to be typed.
    pub fn new(paths: &str, into: Place, local: LocalPaths) -> Self {
        let help = "Files, folders, patterns; quote what has spaces.";
        let fields = vec![
            Field::path("Files", paths, help),
            creation::access_field(),
            creation::ttl_field(),
            Field::text("Name", "", "For one file only.").hinting("the file's own").rarely(),
            creation::duplicates_field(),
            creation::scope_field(),
        ];
        let mut form = Form::new(format!("Upload into {}", visible(&into.path)), "upload", fields).of_several_paths();
        form.keys = &[("ctrl-o", "choose files")];
        if !paths.is_empty() {
            form.focus = ACCESS;
        }
        let options = UploadOptions::new(creation::access(0));
        Self { form, into, local, options }
    }

    pub fn on(&mut self, key: Key, now: Timestamp) -> Reply {
        match (key.code, key.modifiers) {
            (KeyCode::Char('o'), KeyModifiers::CONTROL) => return Reply::Pick(self.local.dir.clone()),
            _ => match self.form.on(key) {
                FormReply::Open => {}
                FormReply::Cancelled => return Reply::Closed,
                FormReply::Complete(folder) => return Reply::Complete(folder),
                FormReply::Submitted => match self.request(now) {
                    Ok(request) => return Reply::Plan(request),
                    Err((field, problem)) => self.form.refuse(field, problem),
                },
            },
        }
        Reply::Open
    }

    /// Puts pasted paths where the cursor is.
    pub fn paste(&mut self, text: &str) {
        if self.form.focus == PATHS { self.form.paste(&paste::field(text)) } else { self.form.paste(text) }
    }

    /// Adds local paths that were chosen.
    pub fn add(&mut self, paths: &[std::path::PathBuf]) {
        let written: Vec<_> = paths.iter().map(|path| self.local.written(path)).collect();
        let before = self.form.text(PATHS);
        let gap = if before.is_empty() { "" } else { " " };
        let text = format!("{before}{gap}{}", written.join(" "));
        self.form.set_text(PATHS, text);
        self.form.focus = PATHS;
    }

    /// What the files are to be given.
    pub fn options(&self) -> &UploadOptions {
        &self.options
    }

    fn request(&mut self, now: Timestamp) -> Result<Request, (usize, String)> {
        let line = self.form.text(PATHS);
        if line.is_empty() {
            return Err((PATHS, "Type the path of a local file or folder.".to_owned()));
        }
        let typed = vec![self.local.typed(line)];
        let name = self.form.filled(NAME);
        if let Some(name) = &name {
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
        self.options = options;
        Ok(Request::PlanUpload { typed, into: self.into.clone(), name })
    }
}
