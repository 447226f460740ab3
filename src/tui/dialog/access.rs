//! The dialog for what can be changed of files in place: access level, use in content, expiry.

use jiff::Timestamp;

use super::field::{Choice, Field};
use super::form::{Form, FormReply};
use super::reply::{Intent, Reply};
use crate::api::model::{Access as Level, File, FileUpdate, time};
use crate::api::text::visible;
use crate::engine::{Item, Job};
use crate::tui::keymap::Key;
use crate::tui::period;
use crate::tui::widget::figures;

/// Changes of some files being set up.
#[derive(Debug, Clone)]
pub struct Access {
    pub form: Form,
    pub files: Vec<File>,
}

const ACCESS: usize = 0;
const USABLE: usize = 1;
const EXPIRY: usize = 2;
const LEVELS: [Level; 3] = [Level::Private, Level::PublicNotIndexable, Level::PublicIndexable];
const LEVEL: [Choice; 4] = [
    Choice { word: "as it is", then: "" },
    Choice { word: "private", then: "the plain link answers 404" },
    Choice { word: "unlisted", then: "anyone with the link" },
    Choice { word: "public", then: "search engines index it, too" },
];
const USE: [Choice; 3] =
    [Choice { word: "as it is", then: "" }, Choice { word: "yes", then: "" }, Choice { word: "no", then: "" }];

impl Access {
    /// For these files; fields show what the files have in common.
    pub fn new(files: Vec<File>) -> Self {
        let title = match files.as_slice() {
            [file] => format!("Access of {}", visible(&file.full_name())),
            files => format!("Access of {}", figures::count(files.len(), "file")),
        };
        let level = common(files.iter().map(|file| file.access.clone()));
        let level = level.and_then(|level| LEVELS.iter().position(|known| *known == level)).map_or(0, |at| at + 1);
        let usable = common(files.iter().map(|file| file.is_usable_in_content));
        let form = Form::new(
            title,
            "change",
            vec![
                Field::choice("Access", &LEVEL, level),
                Field::choice("In content", &USE, usable.map_or(0, |usable| if usable { 1 } else { 2 })),
                Field::text("Expires", "", "30d, 2w, 3m, 1y from now, a date, or never.").hinting("as it is"),
            ],
        );
        Self { form, files }
    }

    pub fn on(&mut self, key: Key, now: Timestamp) -> Reply {
        match self.form.on(key) {
            FormReply::Open | FormReply::Complete(_) => Reply::Open,
            FormReply::Cancelled => Reply::Closed,
            FormReply::Submitted => match self.intent(now) {
                Ok(Some(intent)) => Reply::Accepted(intent),
                Ok(None) => Reply::Closed,
                Err(problem) => {
                    self.form.refuse(EXPIRY, problem);
                    Reply::Open
                }
            },
        }
    }

    /// None when nothing would change.
    fn intent(&self, now: Timestamp) -> Result<Option<Intent>, String> {
        let level = self.form.chosen(ACCESS).checked_sub(1).and_then(|at| LEVELS.get(at)).cloned();
        let usable = match self.form.chosen(USABLE) {
            1 => Some(true),
            2 => Some(false),
            _ => None,
        };
        let expiry = expiry(self.form.text(EXPIRY), now)?;
        let mut jobs = Vec::new();
        let mut private = Vec::new();
        for file in &self.files {
            let update = FileUpdate {
                access: level.clone().filter(|level| file.access.as_ref() != Some(level)),
                is_usable_in_content: usable.filter(|usable| file.is_usable_in_content != Some(*usable)),
                expires_at: if let Expiry::At(time) = expiry { Some(time) } else { None },
                clear_expires: (expiry == Expiry::Never).then_some(true),
                ..FileUpdate::default()
            };
            if update == FileUpdate::default() {
                continue;
            }
            let was_public = file.access.as_ref().is_some_and(Level::is_public);
            if update.access.as_ref().is_some_and(Level::is_public) && !was_public {
                private.push(visible(&file.full_name()).into_owned());
            }
            jobs.push(Job::Change { file: Item::of(file), update: Box::new(update) });
        }
        Ok(match (jobs.is_empty(), private.is_empty()) {
            (true, _) => None,
            (false, true) => Some(Intent::Jobs(jobs)),
            (false, false) => Some(Intent::Publish { jobs, private }),
        })
    }
}

/// What all have in common; none if they differ or one has nothing.
fn common<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Expiry {
    AsItIs,
    Never,
    At(Timestamp),
}

fn expiry(text: &str, now: Timestamp) -> Result<Expiry, String> {
    match text {
        "" => Ok(Expiry::AsItIs),
        "never" => Ok(Expiry::Never),
        text => {
            let date = time::parse(text).filter(|_| text.contains('-')).or_else(|| {
                let date: jiff::civil::Date = text.parse().ok().filter(|_| text.contains('-'))?;
                Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
            });
            match date {
                Some(date) if date > now => Ok(Expiry::At(date)),
                Some(_) => Err("That time is past.".to_owned()),
                None => period::read(text, now).map(|(_, date)| Expiry::At(date)),
            }
        }
    }
}
