//! The upload dialog: the local files and folders, the folder for them, access and lifetime; and,
//! behind "more", names, the encoding of texts and the rule for the same content. It stays open
//! until the typed paths are found to exist.

use super::creation;
use super::field::{Field, FieldChoice, PathKind};
use super::form::Form;
use super::modal::Modal;
use super::reply::Reply;
use crate::api::ServiceTime;
use crate::api::model::UploadOptions;
use crate::engine::message::FolderRef;
use crate::engine::question::PlanUpload;
use crate::engine::sending::Sending;
use crate::engine::tree_filter::TreeRules;
use crate::tui::clocks::Clocks;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::input::paste;

#[derive(Debug, Clone)]
pub struct UploadDialog {
    pub form: Form,
    /// The folder that the dialog was opened for.
    pub into: FolderRef,
    local: LocalPaths,
    options: Sending,
}

const PATHS: usize = 0;
const FOLDER: usize = 1;
const ACCESS: usize = 2;
const TTL: usize = 3;
const NAME: usize = 4;
const NAMED_BY: usize = 5;
const CHARSET: usize = 6;
const DUPLICATES: usize = 7;
const SCOPE: usize = 8;

const NAMERS: [FieldChoice; 2] = [
    FieldChoice {
        word: "you",
        then: "The name above, or that of the local file.",
    },
    FieldChoice {
        word: "the service",
        then: "The service makes a name from the content.",
    },
];

impl UploadDialog {
    /// Creates a dialog for these local paths, as typed, or for paths yet to be typed.
    pub fn new(paths: &str, into: FolderRef, local: LocalPaths) -> Self {
        let help = "Files, folders, patterns; quote names with spaces.";
        let fields = vec![
            Field::path("Files", paths, help, PathKind::Locals),
            creation::folder_field(&into.path),
            creation::access_field(),
            creation::ttl_field(),
            Field::text("Name", "", "For one file only.")
                .hinting("the file's own")
                .rarely(),
            Field::choice("Name chosen by", &NAMERS, 0).rarely(),
            creation::charset_field(),
            creation::duplicates_field(),
            creation::scope_field(),
        ];
        let mut form = Form::new("Upload files", "upload", fields);
        if !paths.is_empty() {
            form.focus = ACCESS;
        }
        let options = UploadOptions::new(creation::access(0)).into();
        Self {
            form,
            into,
            local,
            options,
        }
    }

    pub fn options(&self) -> &Sending {
        &self.options
    }

    fn request(&mut self, now: ServiceTime) -> Result<PlanUpload, (usize, String)> {
        let line = self.form.text(PATHS);
        if line.is_empty() {
            return Err((PATHS, "Type the path of a local file or folder.".to_owned()));
        }
        let typed = vec![self.local.typed(line)];
        let into = creation::folder(self.form.text(FOLDER), &self.into)
            .map_err(|problem| (FOLDER, problem))?;
        let (name, unnamed) = (self.form.filled(NAME), self.form.chosen(NAMED_BY) == 1);
        if let Some(name) = &name {
            creation::check_name(name).map_err(|problem| (NAME, problem))?;
            if unnamed {
                return Err((
                    NAMED_BY,
                    "Clear the name above to let the service create one.".to_owned(),
                ));
            }
        }
        let charset =
            creation::charset(self.form.filled(CHARSET)).map_err(|problem| (CHARSET, problem))?;
        let options = creation::options(&self.form, [ACCESS, TTL, DUPLICATES, SCOPE], now)?;
        self.options = Sending {
            charset,
            unnamed,
            ..options.into()
        };
        Ok(PlanUpload {
            typed,
            into,
            name,
            unnamed,
            rules: TreeRules::default(),
        })
    }
}

impl Modal for UploadDialog {
    fn submitted(&mut self, now: Clocks) -> Result<Reply, (usize, String)> {
        let request = self.request(now.service)?;
        Ok(Reply::PlanUpload(Box::new(request)))
    }

    fn on_paste(&mut self, text: &str) {
        if self.form.focus == PATHS {
            self.form.paste(&paste::field(text));
        } else {
            self.form.paste(text);
        }
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }
}
