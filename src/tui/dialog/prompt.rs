//! Dialogs of one line: a name, a path, an id.

use std::collections::BTreeSet;
use std::path::Path;

use crossterm::event::KeyCode;
use jiff::tz::TimeZone;

use super::creation::check_name;
use super::field::{Field, PathKind};
use super::form::Form;
use super::hit_target::DialogTarget;
use super::modal::Modal;
use super::path_matches::PathMatches;
use super::reply::{Intent, Reply};
use crate::api::ServiceTime;
use crate::api::ids::FolderId;
use crate::api::model::{Access, File, FileUpdate};
use crate::api::paths::join;
use crate::api::text::visible;
use crate::config::favorites::FavoritesChange;
use crate::config::{LimitRate, Setting, quoted};
use crate::engine::item::{Item, Target, what};
use crate::engine::job::Job;
use crate::engine::message::FolderRef;
use crate::engine::query::{self, Completed, Query, QueryError};
use crate::engine::question::PlanDownload;
use crate::tui::clocks::Clocks;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::input::recall::Recall;
use crate::tui::keymap::Key;

#[derive(Debug, Clone)]
pub struct Prompt {
    pub form: Form,
    pub purpose: PromptPurpose,
    past: Recall,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PromptPurpose {
    /// A new folder; `taken` are the known paths of folders.
    NewFolder {
        parent: FolderRef,
        taken: BTreeSet<String>,
    },
    /// A new name for a file, of which only the stem can be changed.
    RenameFile {
        file: Item,
        stem: String,
    },
    RenameFolder {
        folder: FolderId,
        from: String,
        name: String,
    },
    GoTo(PathMatches),
    GoToId,
    Keep(String),
    /// A search of the whole account; ages count from `now`, and days are those of the zone.
    Find {
        now: ServiceTime,
        zone: TimeZone,
    },
    /// An object type, from which associations start.
    FromType,
    Save {
        items: Vec<Item>,
        local: LocalPaths,
    },
    ServiceTask,
    /// The most bytes per second of all transfers.
    LimitRate(Setting),
}

impl Prompt {
    fn of(
        title: impl Into<String>,
        submit: &'static str,
        field: Field,
        purpose: PromptPurpose,
    ) -> Self {
        Self {
            form: Form::new(title, submit, vec![field]),
            purpose,
            past: Recall::default(),
        }
    }

    /// Creates a prompt for a new folder; `taken` are the known paths of folders.
    pub fn new_folder(parent: FolderRef, taken: BTreeSet<String>) -> Self {
        let field = Field::text("Name", "", "a/b/c creates the parent folders too.");
        Self::of(
            format!("New folder in {}", visible(&parent.path)),
            "create",
            field,
            PromptPurpose::NewFolder { parent, taken },
        )
    }

    pub fn rename_file(file: &File) -> Self {
        let stem = file.name.clone().unwrap_or_default();
        let help = if file.extension.as_deref().unwrap_or_default().is_empty() {
            ""
        } else {
            "The extension stays."
        };
        let is_open = file.access.as_ref().is_some_and(Access::is_public);
        let warning = if is_open {
            "Links to the old name stop working."
        } else {
            ""
        };
        let ending = ending(&file.full_name()).map(|ending| visible(&ending).into_owned());
        let field = Field::text("Name", stem.clone(), help)
            .warning(warning)
            .before(ending.unwrap_or_default());
        Self::of(
            format!("Rename {}", visible(&file.full_name())),
            "rename",
            field,
            PromptPurpose::RenameFile {
                file: Item::of(file),
                stem,
            },
        )
    }

    pub fn rename_folder(folder: FolderId, from: String, name: String) -> Self {
        let field = Field::text(
            "Name",
            name.clone(),
            "The service renames folders in the background; the tasks say when it is done.",
        );
        Self::of(
            format!("Rename folder {}", visible(&from)),
            "rename",
            field,
            PromptPurpose::RenameFolder { folder, from, name },
        )
    }

    /// Creates a prompt for a path, which may be relative to the folder `here`. `known` are paths
    /// of folders, and `lack` is the remark on unknown ones.
    pub fn go_to(here: String, known: Vec<String>, lack: &'static str) -> Self {
        let help =
            "A path, absolute or from here. Letters of a folder's path are enough; Tab completes.";
        let field = Field::path("Path", "", help, PathKind::There).hinting("/marketing/logo.png");
        let matches = PathMatches::new(here, known, lack.is_empty());
        let mut prompt = Self::of("Go to", "go", field, PromptPurpose::GoTo(matches));
        prompt.form.aside = lack;
        prompt.form.list(Vec::new(), None);
        prompt
    }

    /// Restores the prompt after nothing was found: keeps the typed text, with the reason below it.
    #[must_use]
    pub fn again(mut self, typed: String, problem: String) -> Self {
        self.form.set_text(0, typed);
        self.form.problem = Some(problem);
        self
    }

    pub fn go_to_id() -> Self {
        let field = Field::text(
            "Id",
            "",
            "The id of a file or folder, also of a hidden file if the token may read it.",
        );
        Self::of("Go to an id", "go", field, PromptPurpose::GoToId)
    }

    pub fn keep(search: String) -> Self {
        let field = Field::text("Name", "", "An existing view with this name is replaced.");
        Self::of(
            format!("Save {}", visible(&search)),
            "save",
            field,
            PromptPurpose::Keep(search),
        )
    }

    pub fn find(line: &str, now: ServiceTime, zone: TimeZone) -> Self {
        let help =
            "Part of a name, or filters: type:image size:>1M updated:<7d. Tab completes a word.";
        let field = Field::text("Find", line, help);
        let purpose = PromptPurpose::Find { now, zone };
        let mut prompt = Self::of("Find in the whole account", "find", field, purpose);
        prompt.edited();
        prompt
    }

    pub fn from_type() -> Self {
        let field = Field::text(
            "Id",
            "",
            "The object type to start from: 0-1 for contacts, 2-7 for a custom type.",
        );
        Self::of("Associations from", "open", field, PromptPurpose::FromType)
    }

    /// Creates a prompt for the folder of a download, by default the local folder.
    pub fn save(items: Vec<Item>, local: LocalPaths) -> Self {
        let folder = join(&local.dir.to_string_lossy(), "");
        let field = Field::path(
            "Folder",
            folder,
            "A local folder; a missing one is created.",
            PathKind::Local,
        );
        let slash = if let [
            Item {
                target: Target::Folder(_),
                ..
            },
        ] = items.as_slice()
        {
            "/"
        } else {
            ""
        };
        Self::of(
            format!("Download {}{slash}", what(&items)),
            "download",
            field,
            PromptPurpose::Save { items, local },
        )
    }

    pub fn service_task() -> Self {
        let help = "The id of an import, or of a folder's rename or move.";
        let field = Field::text("Id", "", help);
        Self::of("Service task", "look", field, PromptPurpose::ServiceTask)
    }

    pub fn limit_rate(setting: Setting, now: LimitRate) -> Self {
        let help = "Bytes a second of all transfers together: 500K, 2M, off.";
        let field = Field::text("Limit", now.to_string(), help);
        Self::of(
            "Limit the rate of transfers",
            "set",
            field,
            PromptPurpose::LimitRate(setting),
        )
    }

    /// Lets Up and Down recall these lines, the newest of which is last.
    #[must_use]
    pub fn recalling(mut self, lines: &[String]) -> Self {
        self.past = Recall::new(lines.to_vec());
        if !self.past.is_empty() {
            self.form.keys = TYPED_BEFORE;
        }
        self
    }

    /// Puts an earlier line into the field; returns `true` if the key was for that.
    fn recall(&mut self, key: Key) -> bool {
        let line = match key.code {
            _ if self.past.is_empty() || !key.modifiers.is_empty() || self.has_list() => {
                return false;
            }
            KeyCode::Up => self.past.back(self.form.text(0)),
            KeyCode::Down => self.past.forth(),
            _ => return false,
        };
        if let Some(line) = line {
            self.form.problem = None;
            self.form.set_text(0, line);
            self.edited();
        }
        true
    }

    /// Returns `true` if the arrows move in a list of folders, and not among earlier lines.
    fn has_list(&self) -> bool {
        let typed = self.form.text(0);
        let is_free = self.past.is_empty() || !(typed.is_empty() || self.past.holds(typed));
        matches!(self.purpose, PromptPurpose::GoTo(_)) && is_free && self.form.has_list()
    }

    /// Moves in the list of folders, or takes one of it into the field; returns `true` if the key
    /// was for that.
    fn choose(&mut self, key: Key) -> bool {
        let has_list = self.has_list();
        let PromptPurpose::GoTo(folders) = &mut self.purpose else {
            return false;
        };
        let typed = self.form.text(0);
        match key.code {
            _ if !key.modifiers.is_empty() => return false,
            KeyCode::Up | KeyCode::Down if has_list => {
                folders.step(typed, key.code == KeyCode::Down);
            }
            KeyCode::Tab => {
                let Some(folder) = folders.completed(typed) else {
                    return false;
                };
                self.form.set_text(0, folder);
            }
            _ => return false,
        }
        self.edited();
        true
    }

    /// Completes the word before the cursor, or lists what may complete it.
    fn complete(&mut self) {
        let Some(field) = self.form.field_mut(0) else {
            return;
        };
        let Completed {
            line,
            cursor,
            candidates,
        } = query::complete(field.text(), field.cursor());
        if let Some(written) = line.get(..cursor).filter(|_| line != field.text()) {
            // The text behind the cursor stays there.
            field.replace(0..field.cursor(), written);
        }
        self.edited();
        if !candidates.is_empty() {
            self.form.note = Some(candidates.join("  "));
        }
    }

    /// Returns the reply; `None` if nothing would change.
    fn reply(&self) -> Result<Option<Reply>, String> {
        let text = self.form.text(0);
        Ok(match &self.purpose {
            PromptPurpose::NewFolder { parent, taken } => {
                let name = text.trim_matches('/');
                name.split('/').try_for_each(check_name)?;
                let path = join(&parent.path, name);
                if taken.contains(&path) {
                    return Err(format!("The folder {} exists already.", visible(&path)));
                }
                Some(job(Job::CreateFolder {
                    parent: parent.clone(),
                    name: name.to_owned(),
                }))
            }
            PromptPurpose::RenameFile { file, stem } => {
                check_name(text)?;
                // A typed extension must not be added twice.
                let typed = ending(&file.name)
                    .and_then(|ending| text.strip_suffix(&ending))
                    .filter(|typed| !typed.is_empty());
                let text = typed.unwrap_or(text);
                let update = FileUpdate {
                    name: Some(text.to_owned()),
                    ..FileUpdate::default()
                };
                (text != stem).then(|| {
                    job(Job::Change {
                        file: file.clone(),
                        update: Box::new(update),
                        seen: None,
                    })
                })
            }
            PromptPurpose::RenameFolder { folder, from, name } => {
                check_name(text)?;
                let (folder, from) = (folder.clone(), from.clone());
                let rename = || Job::UpdateFolder {
                    folder,
                    from,
                    name: Some(text.to_owned()),
                    parent: None,
                    seen: None,
                };
                (text != name).then(|| job(rename()))
            }
            PromptPurpose::GoTo(folders) => folders
                .target(text)
                .map(|path| Reply::Accepted(Intent::GoTo(path))),
            PromptPurpose::GoToId
                if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                Some(Reply::Accepted(Intent::GoToId(text.to_owned())))
            }
            PromptPurpose::GoToId => return Err("An id has digits only.".to_owned()),
            PromptPurpose::Keep(_) if text.is_empty() => return Err("Type a name.".to_owned()),
            PromptPurpose::Keep(search) => {
                let change = FavoritesChange::View {
                    name: text.to_owned(),
                    search: Some(search.clone()),
                };
                Some(Reply::Accepted(Intent::Keep(change)))
            }
            PromptPurpose::Find { now, zone } => {
                let query = Query::read(text, *now, zone).map_err(|error| sentence(&error))?;
                Some(Reply::Accepted(Intent::Find(query)))
            }
            PromptPurpose::FromType if is_type_id(text) => {
                Some(Reply::Accepted(Intent::FromType(text.to_owned())))
            }
            PromptPurpose::FromType => return Err("Type two numbers with a dash: 0-1.".to_owned()),
            PromptPurpose::Save { .. } if text.is_empty() => {
                return Err("Type a local folder.".to_owned());
            }
            PromptPurpose::Save { items, local } => Some(Reply::PlanDownload(PlanDownload {
                items: items.clone(),
                into: local.resolve(text).components().collect(),
            })),
            PromptPurpose::ServiceTask if text.is_empty() || text.contains(char::is_whitespace) => {
                return Err("Type one id.".to_owned());
            }
            PromptPurpose::ServiceTask => {
                Some(Reply::Accepted(Intent::ServiceTask(text.to_owned())))
            }
            PromptPurpose::LimitRate(setting) => {
                let limit: LimitRate = text
                    .parse()
                    .map_err(|_| "Type 500K or 2M, at least 10K, or off.".to_owned())?;
                Some(Reply::Accepted(Intent::Change {
                    setting: *setting,
                    value: quoted(&limit.to_string()),
                }))
            }
        })
    }
}

impl Modal for Prompt {
    fn on_key(&mut self, key: Key, now: Clocks) -> Reply {
        if self.recall(key) || self.choose(key) {
            return Reply::Open;
        }
        if matches!(self.purpose, PromptPurpose::Find { .. }) && key == Key::plain(KeyCode::Tab) {
            self.complete();
            return Reply::Open;
        }
        self.on_form_key(key, now)
    }

    fn submitted(&mut self, _: Clocks) -> Result<Reply, (usize, String)> {
        let reply = self.reply().map_err(|problem| (0, problem))?;
        Ok(reply.unwrap_or(Reply::Closed))
    }

    /// Chooses the clicked folder of the list; a double click goes there.
    fn on_click(&mut self, target: DialogTarget, is_double: bool, now: Clocks) -> Reply {
        let (DialogTarget::Row(row), PromptPurpose::GoTo(folders)) = (target, &mut self.purpose)
        else {
            self.form.click(target);
            return Reply::Open;
        };
        folders.choose(self.form.text(0), row);
        self.edited();
        if is_double {
            self.on_key(Key::plain(KeyCode::Enter), now)
        } else {
            Reply::Open
        }
    }

    /// Describes under the field what a search would find, as far as it can be read, or lists the
    /// folders near a path.
    fn edited(&mut self) {
        if let PromptPurpose::GoTo(folders) = &self.purpose {
            let (lines, chosen) = folders.lines(self.form.text(0));
            self.form.list(lines, chosen);
            self.form.keys = match () {
                () if self.has_list() => &[("↑↓", "choose")],
                () if self.past.is_empty() => &[],
                () => TYPED_BEFORE,
            };
        }
        if let PromptPurpose::Find { now, zone } = &self.purpose {
            let explanation = match Query::read(self.form.text(0), *now, zone) {
                Ok(query) => Some([vec![query.in_words()], query.caveats()].concat().join(" ")),
                Err(QueryError::Empty) => None,
                Err(error) => Some(sentence(&error)),
            };
            self.form.note =
                explanation.map(|explanation| format!("{}\n{FILTERS}", visible(&explanation)));
        }
    }

    fn take_folders(&mut self, new: &[FolderRef], lack: &'static str) {
        let PromptPurpose::GoTo(folders) = &mut self.purpose else {
            return;
        };
        folders.extend(new.iter().map(|place| place.path.clone()), lack.is_empty());
        self.form.aside = lack;
        if !self.form.text(0).is_empty() {
            self.edited();
        }
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }
}

const FILTERS: &str = "Filters: type: size: access: (tab completes them, ! leaves out)";
const TYPED_BEFORE: &[(&str, &str)] = &[("↑↓", "typed before")];

fn ending(name: &str) -> Option<String> {
    Path::new(name)
        .extension()
        .map(|extension| format!(".{}", extension.display()))
}

/// Turns the problem with a search into a sentence, safe to show. A filter at its start stays as it
/// was typed.
fn sentence(error: &QueryError) -> String {
    let text = error.to_string();
    let text = visible(&text);
    if text
        .split(' ')
        .next()
        .is_some_and(|word| word.contains(':'))
    {
        return format!("{text}.");
    }
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

fn is_type_id(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-')
        .is_some_and(|(before, after)| is_number(before) && is_number(after))
}

fn job(job: Job) -> Reply {
    Reply::Accepted(Intent::Jobs(vec![job]))
}
