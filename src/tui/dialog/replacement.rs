//! The dialog that replaces a file in the account with a local one. It stays open until the local
//! file is known to be ready to send.

use std::path::Path;

use super::access::LEVEL;
use super::creation;
use super::field::{Field, PathKind};
use super::form::Form;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::model::{Access, File};
use crate::api::text::visible;
use crate::engine::item::Item;
use crate::engine::job::{Job, can_replace};
use crate::engine::source::FileSource;
use crate::tui::clocks::Clocks;
use crate::tui::input::local_paths::LocalPaths;

#[derive(Debug, Clone)]
pub struct ReplaceDialog {
    form: Form,
    file: Item,
    access: Option<Access>,
    local: LocalPaths,
}

pub const OTHER_EXTENSION: &str =
    "The extension must stay the same: upload it as a new file instead.";

const FILE: usize = 0;
const ACCESS: usize = 1;
const CHARSET: usize = 2;

impl ReplaceDialog {
    pub fn new(file: &File, local: LocalPaths) -> Self {
        let help = "Its extension stays, as do id, links and expiry.";
        let extension = file
            .extension
            .as_deref()
            .filter(|extension| !extension.is_empty());
        let wanted = extension.map_or_else(
            || "file".to_owned(),
            |extension| format!(".{}", visible(extension)),
        );
        let lost = "The current content is lost and cannot be restored.";
        let fields = vec![
            Field::path("File", "", help, PathKind::Local)
                .hinting(format!("path of a {wanted} on this machine"))
                .warning(lost),
            Field::choice("Access", &LEVEL, 0),
            creation::charset_field(),
        ];
        let item = Item::of(file);
        let mut form = Form::new(
            format!("Replace {}", visible(&item.path)),
            "replace",
            fields,
        );
        form.is_danger = true;
        Self {
            form,
            file: item,
            access: file.access.clone(),
            local,
        }
    }

    /// Returns `true` if a local file may replace this one: the extension stays.
    pub fn can_take(&self, local: &Path) -> bool {
        can_replace(local, &self.file.name)
    }
}

impl Modal for ReplaceDialog {
    fn submitted(&mut self, _: Clocks) -> Result<Reply, (usize, String)> {
        let typed = self.form.text(FILE);
        if typed.is_empty() {
            return Err((FILE, "Type the path of a local file.".to_owned()));
        }
        let local = self.local.resolve(typed);
        if !self.can_take(&local) {
            return Err((FILE, OTHER_EXTENSION.to_owned()));
        }
        let charset =
            creation::charset(self.form.filled(CHARSET)).map_err(|problem| (CHARSET, problem))?;
        let level = self
            .form
            .chosen(ACCESS)
            .checked_sub(1)
            .and_then(|at| creation::LEVELS.get(at))
            .cloned();
        let is_published = level.as_ref().is_some_and(Access::is_public)
            && !self.access.as_ref().is_some_and(Access::is_public);
        let job = Job::Replace {
            source: FileSource::Local(local.clone()),
            file: self.file.clone(),
            seen: None,
            charset,
            access: level,
        };
        let intent = if is_published {
            Intent::Publish {
                jobs: vec![job],
                private: vec![visible(&self.file.name).into_owned()],
            }
        } else {
            Intent::Jobs(vec![job])
        };
        Ok(Reply::Replace {
            local,
            intent: Box::new(intent),
        })
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }
}
