//! The dialog for the properties of files that can be changed in place: access level, use in
//! content, expiry.

use jiff::tz::TimeZone;

use super::creation;
use super::field::{Field, FieldChoice};
use super::form::Form;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::ServiceTime;
use crate::api::model::{Access as Level, File, FileUpdate};
use crate::api::text::visible;
use crate::engine::{Item, Job};
use crate::tui::clocks::Clocks;
use crate::tui::input::expiry::{self, Expiry};
use crate::tui::keymap::Key;
use crate::tui::widget::figures;

#[derive(Debug, Clone)]
pub struct Access {
    pub form: Form,
    pub files: Vec<File>,
    /// The time of the last key, from which periods count.
    now: ServiceTime,
    zone: TimeZone,
}

const ACCESS: usize = 0;
const USABLE: usize = 1;
const EXPIRY: usize = 2;
pub(super) const LEVEL: [FieldChoice; 4] = [
    FieldChoice {
        word: "unchanged",
        then: "Stays as it is for each file.",
    },
    creation::ACCESS[0],
    creation::ACCESS[1],
    creation::ACCESS[2],
];
const USE: [FieldChoice; 3] = [
    FieldChoice {
        word: "unchanged",
        then: "Stays as it is for each file.",
    },
    FieldChoice {
        word: "yes",
        then: "Pages and emails of the account can use it.",
    },
    FieldChoice {
        word: "no",
        then: "Pages and emails of the account cannot use it.",
    },
];

impl Access {
    /// Creates a dialog whose fields show what the files have in common; `folders` counts the
    /// folders selected, too.
    pub fn new(files: Vec<File>, folders: usize, now: ServiceTime, zone: &TimeZone) -> Self {
        let what = match files.as_slice() {
            [file] => visible(&file.full_name()).into_owned(),
            files => figures::count(files.len(), "file"),
        };
        let without = if folders == 0 {
            ""
        } else {
            "; folders have none"
        };
        let title = format!("Access for {what}{without}");
        let level = common(files.iter().map(|file| file.access.clone()));
        let level =
            level.and_then(|level| creation::LEVELS.iter().position(|known| *known == level));
        let usable = common(files.iter().map(|file| file.is_usable_in_content));
        let usable = usable.map(|usable| usize::from(!usable));
        let expiry = common(files.iter().map(|file| Some(file.expires_at)));
        let stays = match expiry {
            Some(Some(time)) => format!("{} (unchanged)", figures::date_time(time, zone)),
            Some(None) => "never (unchanged)".to_owned(),
            None => "unchanged for each file".to_owned(),
        };
        let form = Form::new(
            title,
            "apply",
            vec![
                choice("Access", &LEVEL, level),
                choice("Use in content", &USE, usable),
                Field::text(
                    "Expires",
                    "",
                    "30d, 2w or 1y from now, a day such as 2026-12-31, or never.",
                )
                .hinting(stays),
            ],
        );
        let mut dialog = Self {
            form,
            files,
            now,
            zone: zone.clone(),
        };
        dialog.edited();
        dialog
    }

    /// Returns the choice in a field; `None` for "unchanged", which comes first in a field with
    /// `all` options.
    fn chosen(&self, field: usize, all: usize) -> Option<usize> {
        let has_unchanged = self.form.choices(field) == all;
        self.form
            .chosen(field)
            .checked_sub(usize::from(has_unchanged))
    }

    fn wanted(&self) -> Result<AccessForm, String> {
        Ok(AccessForm {
            level: self
                .chosen(ACCESS, LEVEL.len())
                .and_then(|at| creation::LEVELS.get(at))
                .cloned(),
            usable: self.chosen(USABLE, USE.len()).map(|at| at == 0),
            expiry: expiry::read(self.form.text(EXPIRY), self.now)?,
        })
    }

    /// Returns the intent; `None` if nothing would change.
    fn intent(&self) -> Result<Option<Intent>, String> {
        let form = self.wanted()?;
        let mut jobs = Vec::new();
        let mut private = Vec::new();
        for file in &self.files {
            let update = form.update(file);
            if update == FileUpdate::default() {
                continue;
            }
            let was_public = file.access.as_ref().is_some_and(Level::is_public);
            if update.access.as_ref().is_some_and(Level::is_public) && !was_public {
                private.push(visible(&file.full_name()).into_owned());
            }
            jobs.push(Job::Change {
                file: Item::of(file),
                update: Box::new(update),
                seen: None,
            });
        }
        Ok(match (jobs.is_empty(), private.is_empty()) {
            (true, _) => None,
            (false, true) => Some(Intent::Jobs(jobs)),
            (false, false) => Some(Intent::Publish { jobs, private }),
        })
    }
}

/// Creates a choice field. If all files have the same value, it is chosen, and leaving it changes
/// nothing.
fn choice(label: &'static str, options: &'static [FieldChoice], common: Option<usize>) -> Field {
    match (common, options) {
        (Some(at), [_, others @ ..]) => Field::choice(label, others, at),
        _ => Field::choice(label, options, 0),
    }
}

impl Modal for Access {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        self.now = now.service;
        self.on_form_key(key, now)
    }

    fn submitted(&mut self, _: Clocks) -> Result<Reply, (usize, String)> {
        match self.intent().map_err(|problem| (EXPIRY, problem))? {
            Some(intent) => Ok(Reply::Accepted(intent)),
            None => Err((
                self.form.focus,
                "No changes yet: choose with ← and →, or press esc.".to_owned(),
            )),
        }
    }

    /// Updates the note: how many of several files would change, or the expiry of a single file,
    /// since a day means its first minute.
    fn edited(&mut self) {
        let is_help = self.form.focus == EXPIRY && self.form.text(EXPIRY).is_empty();
        self.form.note = match self.wanted() {
            Ok(form) if self.files.len() > 1 && !is_help => Some(form.in_words(&self.files)),
            Ok(AccessForm {
                expiry: Expiry::At(time),
                ..
            }) => Some(format!("Expires {}.", figures::date_time(time, &self.zone))),
            _ => None,
        };
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }
}

/// The values wanted for the files, as far as these change.
struct AccessForm {
    level: Option<Level>,
    usable: Option<bool>,
    expiry: Expiry,
}

impl AccessForm {
    fn update(&self, file: &File) -> FileUpdate {
        let expires_at = if let Expiry::At(time) = self.expiry {
            Some(time)
        } else {
            None
        };
        FileUpdate {
            access: self
                .level
                .clone()
                .filter(|level| file.access.as_ref() != Some(level)),
            is_usable_in_content: self
                .usable
                .filter(|usable| file.is_usable_in_content != Some(*usable)),
            expires_at: expires_at.filter(|time| file.expires_at != Some(*time)),
            clear_expires: (self.expiry == Expiry::Never && file.expires_at.is_some())
                .then_some(true),
            ..FileUpdate::default()
        }
    }

    fn in_words(&self, files: &[File]) -> String {
        let updates: Vec<FileUpdate> = files.iter().map(|file| self.update(file)).collect();
        let count = |changes: fn(&FileUpdate) -> bool| {
            updates.iter().filter(|update| changes(update)).count()
        };
        let counted = |count: usize, singular: &str, plural: &str| {
            format!(
                "{} {}",
                figures::number(count),
                if count == 1 { singular } else { plural }
            )
        };
        let part = |changed: usize,
                    [singular, plural]: [&str; 2],
                    [same_singular, same_plural]: [&str; 2]| {
            let same = files.len() - changed;
            match (changed, same) {
                (0, _) => None,
                (_, 0) => Some(format!("all {plural}")),
                _ => Some(format!(
                    "{}, {}",
                    counted(changed, singular, plural),
                    counted(same, same_singular, same_plural)
                )),
            }
        };
        let becomes = |what: &str, changed: usize| {
            let words = ["becomes", "become"].map(|kind| format!("{kind} {what}"));
            part(
                changed,
                words.each_ref().map(String::as_str),
                ["already has it", "already have it"],
            )
        };
        let level = self
            .level
            .as_ref()
            .and_then(|level| creation::LEVELS.iter().position(|known| known == level));
        let level = level.and_then(|at| LEVEL.get(at + 1));
        let parts = [
            level.and_then(|level| becomes(level.word, count(|update| update.access.is_some()))),
            self.usable.and_then(|usable| {
                let what = if usable {
                    "usable in content"
                } else {
                    "unusable in content"
                };
                becomes(what, count(|update| update.is_usable_in_content.is_some()))
            }),
            match self.expiry {
                Expiry::AsItIs => None,
                Expiry::Never => {
                    let changed = count(|update| update.clear_expires.is_some());
                    part(
                        changed,
                        ["no longer expires", "no longer expire"],
                        ["never did", "never did"],
                    )
                }
                Expiry::At(_) => {
                    let changed = count(|update| update.expires_at.is_some());
                    part(
                        changed,
                        ["expires then", "expire then"],
                        ["already does", "already do"],
                    )
                }
            },
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let changed = count(|update| *update != FileUpdate::default());
        let of = format!(
            "{} of {}",
            figures::number(changed),
            figures::count(files.len(), "file")
        );
        let kind = if changed == 1 { "changes" } else { "change" };
        if parts.is_empty() {
            format!("{of} {kind}.")
        } else {
            format!("{of} {kind}: {}.", parts.join("; "))
        }
    }
}

/// Returns the value that all have in common; `None` if they differ or one has none.
fn common<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next()??;
    values
        .all(|value| value.as_ref() == Some(&first))
        .then_some(first)
}
