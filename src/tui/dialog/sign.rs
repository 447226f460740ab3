//! The dialog for signed addresses: their lifetime, and which copy of a picture.

use super::field::{Field, FieldChoice};
use super::form::Form;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::SignedUrlOptions;
use crate::api::model::{File, FileKind, ThumbnailSize};
use crate::api::text::visible;
use crate::tui::clocks::Clocks;
use crate::tui::input::period;
use crate::tui::widget::figures;

#[derive(Debug, Clone)]
pub struct Sign {
    pub form: Form,
    files: Vec<File>,
}

/// The lifetime if none is typed.
const USUAL: &str = "1h";

const SECONDS: usize = 0;
const SIZE: usize = 1;
const UPSCALE: usize = 2;

/// Returns the index of the last field; the others depend on whether all files are pictures.
fn properties(form: &Form) -> usize {
    form.fields.len() - 1
}

const SIZES: [FieldChoice; 5] = [
    FieldChoice {
        word: "original",
        then: "The file itself.",
    },
    FieldChoice {
        word: "icon",
        then: "The smallest copy.",
    },
    FieldChoice {
        word: "thumb",
        then: "A small copy.",
    },
    FieldChoice {
        word: "medium",
        then: "A copy of medium size.",
    },
    FieldChoice {
        word: "preview",
        then: "A large copy.",
    },
];
const SCALES: [FieldChoice; 2] = [
    FieldChoice {
        word: "no",
        then: "A smaller picture keeps its size.",
    },
    FieldChoice {
        word: "yes",
        then: "A smaller picture is enlarged to the size of the copy.",
    },
];

impl Sign {
    pub fn new(files: Vec<File>) -> Self {
        let valid_for = Field::text("Valid for", "", "90s, 20m, 6h; 6 hours at most.");
        let mut fields = vec![valid_for.hinting(USUAL)];
        // The service makes copies of pictures only (`contract.md#signed-addresses`).
        if files.iter().all(|file| file.kind == Some(FileKind::Image)) {
            fields.push(Field::choice("Size", &SIZES, 0));
            fields.push(Field::choice("Enlarge", &SCALES, 0).rarely());
        }
        let help = "Properties of the file to show with the link: encoding, path, createdAt.";
        fields.push(Field::text("Properties", "", help).hinting("none").rarely());
        let title = match files.as_slice() {
            [file] => format!("Copy a signed link to {}", visible(&file.full_name())),
            files => format!(
                "Copy signed links to {} files",
                figures::number(files.len())
            ),
        };
        Self {
            form: Form::new(title, "copy", fields),
            files,
        }
    }
}

impl Modal for Sign {
    fn submitted(&mut self, _: Clocks) -> Result<Reply, (usize, String)> {
        let valid_for = match self.form.text(SECONDS) {
            "" => USUAL,
            text => text,
        };
        let seconds = period::read_seconds(valid_for).map_err(|problem| (SECONDS, problem))?;
        let properties = self
            .form
            .text(properties(&self.form))
            .split([',', ' '])
            .filter(|name| !name.is_empty());
        let properties = properties.map(str::to_owned).collect();
        let size = match self.form.chosen(SIZE) {
            1 => Some(ThumbnailSize::Icon),
            2 => Some(ThumbnailSize::Thumb),
            3 => Some(ThumbnailSize::Medium),
            4 => Some(ThumbnailSize::Preview),
            _ => None,
        };
        let upscale = self.form.chosen(UPSCALE) == 1;
        if upscale && size.is_none() {
            return Err((
                SIZE,
                "Choose a copy: the original has one size only.".to_owned(),
            ));
        }
        Ok(Reply::Accepted(Intent::Sign {
            files: self.files.clone(),
            signing: SignedUrlOptions {
                seconds: Some(seconds),
                size,
                upscale,
                properties,
            },
        }))
    }

    /// Notes that a number alone counts seconds.
    fn edited(&mut self) {
        let typed = self.form.text(SECONDS).trim();
        let is_bare = !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit());
        self.form.note = is_bare.then(|| format!("{typed} seconds; {typed}m for minutes."));
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }
}
