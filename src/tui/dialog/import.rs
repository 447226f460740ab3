//! The import dialog: the addresses, the folder, the name and the rules.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::creation;
use super::field::{Field, FieldChoice, PathKind};
use super::form::{Form, FormReply};
use super::hit_target::Drawn;
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::ServiceTime;
use crate::api::model::ImportRequest;
use crate::api::text::visible;
use crate::engine::Job;
use crate::engine::message::FolderRef;
use crate::engine::plan::PlanChoice;
use crate::engine::question::PlanImport;
use crate::engine::sending::IntoFolder;
use crate::tui::clocks::Clocks;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::{figures, text};

#[derive(Debug, Clone)]
pub struct ImportDialog {
    pub form: Form,
    /// The folder that the dialog was opened for.
    pub into: FolderRef,
    local: LocalPaths,
}

const ADDRESS: usize = 0;
const NAME: usize = 1;
const FOLDER: usize = 2;
const ACCESS: usize = 3;
const TTL: usize = 4;
const LIST: usize = 5;
const TAKEN: usize = 6;
const DUPLICATES: usize = 7;
const SCOPE: usize = 8;

/// The cells for a line of a list that is no address.
const WIDEST_LINE: usize = 20;

/// The choices in the order of `TAKEN_NAMES`.
const RULES: [PlanChoice; 4] = [
    PlanChoice::KeepBoth,
    PlanChoice::Replace,
    PlanChoice::Skip,
    PlanChoice::Stop,
];
const TAKEN_NAMES: [FieldChoice; 4] = [
    FieldChoice {
        word: "keep both",
        then: "The new file gets a name with a number.",
    },
    FieldChoice {
        word: "replace",
        then: "The old file is deleted; the new one has another id.",
    },
    FieldChoice {
        word: "skip",
        then: "The new file is left out.",
    },
    FieldChoice {
        word: "stop",
        then: "Nothing at all is imported.",
    },
];

impl ImportDialog {
    /// Creates a dialog for these addresses, separated by spaces, or for some yet to be typed.
    pub fn new(addresses: &str, into: FolderRef, local: LocalPaths) -> Self {
        let help =
            "A local file with one address a line, or a table with commas; read into Address.";
        let mut form = Form::new(
            "Import from addresses",
            "import",
            vec![
                Field::text(
                    "Address",
                    addresses,
                    "http or https addresses that the service can reach, separated by spaces.",
                ),
                Field::text(
                    "Name",
                    "",
                    "Name of the new file; empty uses the address. For one address only.",
                )
                .hinting("as in the address"),
                creation::folder_field(&into.path),
                creation::access_field(),
                creation::ttl_field(),
                Field::path("From file", "", help, PathKind::Local),
                Field::choice("Taken names", &TAKEN_NAMES, 0).rarely(),
                creation::duplicates_field(),
                creation::scope_field(),
            ],
        );
        if !addresses.is_empty() {
            form.focus = NAME;
        }
        Self { form, into, local }
    }

    /// Adds the addresses among the lines of a list, for the user to check before the import.
    pub fn add(&mut self, lines: &[String]) {
        // An address may have commas of its own.
        let commas = |line: &String| line.matches(',').count();
        let is_table = lines.split_first().is_some_and(|(heading, rows)| {
            let count = commas(heading);
            count > 0 && column(heading) == heading && rows.iter().all(|row| commas(row) == count)
        });
        let (addresses, others): (Vec<&str>, Vec<&str>) = lines
            .iter()
            .map(|line| if is_table { column(line) } else { line })
            .partition(|line| is_address(line));
        let before = self.form.text(ADDRESS);
        let text = before
            .split_whitespace()
            .chain(addresses.iter().copied())
            .collect::<Vec<_>>()
            .join(" ");
        self.form.set_text(ADDRESS, text);
        self.form.set_text(LIST, String::new());
        self.form.focus = ADDRESS;
        let count = addresses.len();
        let what = if count == 1 {
            "1 address".to_owned()
        } else {
            format!("{} addresses", figures::number(count))
        };
        let left_out = match others.as_slice() {
            [] => String::new(),
            [first, rest @ ..] => {
                let first = visible(first);
                let first = text::truncate_middle(&first, WIDEST_LINE);
                let more = match rest.len() {
                    0 => String::new(),
                    count => format!(" and {} more", figures::number(count)),
                };
                format!(", left out \"{first}\"{more}")
            }
        };
        self.form.note = Some(format!("Read {what}{left_out}: enter imports."));
    }

    /// Reports the names that stopped the import, on the field with the rule for taken names.
    pub fn refuse_taken(&mut self, names: &[String]) {
        let first = names.first().map(|name| visible(name)).unwrap_or_default();
        let problem = match names.len() {
            1 => format!("{first} is taken: nothing was imported."),
            count => format!(
                "{} are taken, such as {first}: nothing was imported.",
                figures::count(count, "name")
            ),
        };
        self.form.refuse(TAKEN, problem);
        self.form.note = None;
    }

    /// Returns the imports, or a request to check the names in the folder first.
    fn submit(&self, now: ServiceTime) -> Result<Reply, (usize, String)> {
        let into = creation::folder(self.form.text(FOLDER), &self.into)
            .map_err(|problem| (FOLDER, problem))?;
        let on_taken = RULES
            .get(self.form.chosen(TAKEN))
            .copied()
            .unwrap_or(PlanChoice::KeepBoth);
        let jobs = self.jobs(&into, on_taken, now)?;
        Ok(match on_taken {
            PlanChoice::Skip | PlanChoice::Stop => Reply::PlanImport {
                plan: PlanImport { jobs, into },
                on_taken,
            },
            _ => Reply::Accepted(Intent::Jobs(jobs)),
        })
    }

    fn jobs(
        &self,
        into: &IntoFolder,
        on_taken: PlanChoice,
        now: ServiceTime,
    ) -> Result<Vec<Job>, (usize, String)> {
        let addresses: Vec<&str> = self.form.text(ADDRESS).split_whitespace().collect();
        if addresses.is_empty() {
            return Err((
                ADDRESS,
                "Type an address that starts with http:// or https://.".to_owned(),
            ));
        }
        if let Some(wrong) = addresses.iter().find(|address| !is_address(address)) {
            let wrong = visible(wrong);
            return Err((
                ADDRESS,
                format!("{wrong} does not start with http:// or https://."),
            ));
        }
        let name = self.form.filled(NAME);
        if let Some(name) = &name {
            creation::check_name(name).map_err(|problem| (NAME, problem))?;
            if addresses.len() > 1 {
                return Err((
                    NAME,
                    "A name works for one file only; leave it empty.".to_owned(),
                ));
            }
        }
        let (id, path) = match into {
            IntoFolder::Place(FolderRef { id, path }) => (id.clone(), path.clone()),
            IntoFolder::Id(id) => (Some(id.clone()), format!("id:{id}")),
            IntoFolder::Path(path) => (None, path.clone()),
        };
        let mut options = creation::options(&self.form, [ACCESS, TTL, DUPLICATES, SCOPE], now)?;
        options.overwrite = (on_taken == PlanChoice::Replace).then_some(true);
        let job = |url: &str| {
            let request = ImportRequest {
                url: url.to_owned(),
                name: name.clone(),
                folder_path: id.is_none().then(|| path.clone()),
                folder_id: id.clone(),
                options: options.clone(),
            };
            Job::Import {
                request: Box::new(request),
                folder: path.clone(),
                free_name: None,
            }
        };
        Ok(addresses.into_iter().map(job).collect())
    }
}

impl Modal for ImportDialog {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        match self.form.on(key) {
            FormReply::Open => {
                self.form.note = None;
                Reply::Open
            }
            FormReply::Asked(reply) => reply,
            FormReply::Cancelled => Reply::Closed,
            FormReply::Submitted if !self.form.text(LIST).is_empty() => {
                Reply::ReadAddresses(self.local.resolve(self.form.text(LIST)))
            }
            FormReply::Submitted => match self.submit(now.service) {
                Ok(reply) => reply,
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

/// The address in a row of a table with commas; the whole row if it has none.
fn column(row: &str) -> &str {
    let mut columns = row.split(',').map(|text| text.trim_matches([' ', '"']));
    columns.find(|text| is_address(text)).unwrap_or(row)
}

fn is_address(text: &str) -> bool {
    url::Url::parse(text)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}
