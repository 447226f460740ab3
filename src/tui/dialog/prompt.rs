//! Dialogs of one line: a name, a path, a length of time.

use super::creation::check_name;
use super::form::{Field, Form, FormReply};
use super::reply::{Intent, Reply};
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, FileUpdate};
use crate::api::text::visible;
use crate::engine::message::Place;
use crate::tui::keymap::Key;
use crate::tui::period;
use crate::tui::widget::figures;

/// One line being typed.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub form: Form,
    pub purpose: Purpose,
}

/// What the line is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    NewFolder {
        parent: Place,
    },
    /// Of a file only the stem can be changed.
    RenameFile {
        file: FileId,
        stem: String,
    },
    RenameFolder {
        folder: FolderId,
        from: String,
        name: String,
    },
    GoTo,
    Save {
        files: Vec<File>,
    },
    Sign {
        file: FileId,
        name: String,
    },
}

impl Prompt {
    pub fn new_folder(parent: Place) -> Self {
        let field = Field::text("Name", "", "a/b/c makes the folders on the way too.");
        let form = Form::new(format!("New folder in {}", visible(&parent.path)), "make it", vec![field]);
        Self { form, purpose: Purpose::NewFolder { parent } }
    }

    pub fn rename_file(file: &File) -> Self {
        let stem = file.name.clone().unwrap_or_default();
        let help = if file.extension.as_deref().unwrap_or_default().is_empty() {
            "The addresses change with the name."
        } else {
            "Without the extension, which cannot be changed. The addresses change with the name."
        };
        let field = Field::text("Name", stem.clone(), help);
        let form = Form::new(format!("Rename {}", visible(&file.full_name())), "rename", vec![field]);
        Self { form, purpose: Purpose::RenameFile { file: file.id.clone(), stem } }
    }

    pub fn rename_folder(folder: FolderId, from: String, name: String) -> Self {
        let field = Field::text(
            "Name",
            name.clone(),
            "The service renames a folder on its own time; the tree shows when it is done.",
        );
        let form = Form::new(format!("Rename folder {}", visible(&from)), "rename", vec![field]);
        Self { form, purpose: Purpose::RenameFolder { folder, from, name } }
    }

    pub fn go_to(path: &str) -> Self {
        let field = Field::text("Path", path, "From the root folder: /marketing/logo.png");
        Self { form: Form::new("Go to", "go", vec![field]), purpose: Purpose::GoTo }
    }

    /// `folder` is where files go unless another one is typed.
    pub fn save(files: Vec<File>, folder: &str) -> Self {
        let title = match files.as_slice() {
            [file] => format!("Save {}", visible(&file.full_name())),
            files => format!("Save {}", figures::count(files.len(), "file")),
        };
        let field = Field::path("Folder", folder, "A folder of this machine. Files keep their names.");
        Self { form: Form::new(title, "save", vec![field]), purpose: Purpose::Save { files } }
    }

    pub fn sign(file: &File) -> Self {
        let name = visible(&file.full_name()).into_owned();
        let field = Field::text("Valid for", "1h", "90s, 20m, 6h; 6 hours at most.");
        let form = Form::new(format!("Signed address of {name}"), "copy", vec![field]);
        Self { form, purpose: Purpose::Sign { file: file.id.clone(), name } }
    }

    pub fn on(&mut self, key: Key) -> Reply {
        match self.form.on(key) {
            FormReply::Open => Reply::Open,
            FormReply::Cancelled => Reply::Closed,
            FormReply::Complete(folder) => Reply::Complete(folder),
            FormReply::Submitted => match self.intent() {
                Ok(Some(intent)) => Reply::Accepted(intent),
                Ok(None) => Reply::Closed,
                Err(problem) => {
                    self.form.refuse(0, problem);
                    Reply::Open
                }
            },
        }
    }

    /// None when nothing would change.
    fn intent(&self) -> Result<Option<Intent>, String> {
        let text = self.form.text(0);
        Ok(match &self.purpose {
            Purpose::NewFolder { parent } => {
                let name = text.trim_matches('/');
                name.split('/').try_for_each(check_name)?;
                Some(Intent::CreateFolder { parent: parent.clone(), name: name.to_owned() })
            }
            Purpose::RenameFile { file, stem } => {
                check_name(text)?;
                let update = FileUpdate { name: Some(text.to_owned()), ..FileUpdate::default() };
                let label = format!("{} -> {}", visible(stem), visible(text));
                (text != stem).then(|| Intent::ChangeFiles { changes: vec![(file.clone(), update)], label })
            }
            Purpose::RenameFolder { folder, from, name } => {
                check_name(text)?;
                let intent = Intent::RenameFolder { folder: folder.clone(), from: from.clone(), name: text.to_owned() };
                (text != name).then_some(intent)
            }
            Purpose::GoTo if text.is_empty() => None,
            Purpose::GoTo => {
                let path = if text.starts_with('/') { text.to_owned() } else { format!("/{text}") };
                Some(Intent::GoTo(path))
            }
            Purpose::Save { .. } if text.is_empty() => return Err("Type a folder of this machine.".to_owned()),
            Purpose::Save { files } => Some(Intent::Save { files: files.clone(), folder: text.to_owned() }),
            Purpose::Sign { file, name } => {
                let seconds = period::read_seconds(text)?;
                Some(Intent::Sign { file: file.clone(), name: name.clone(), seconds })
            }
        })
    }
}
