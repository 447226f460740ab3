//! Links to a file: its address, a signed one, its path, id and name, in the notations that others
//! need. They are copied and shown, or opened in the browser.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::edit;
use crate::api::model::{Access, File, FileKind, SignedUrl};
use crate::api::paths::ApiPaths;
use crate::api::text::visible;
use crate::api::{Error, ServiceTime, SignedUrlOptions};
use crate::engine::message::Target;
use crate::engine::question::{GetFile, SignUrl};
use crate::engine::{Item, OpId};
use crate::tui::dialog::{Dialog, Notice, Sign};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::copy;
use crate::tui::state::effect::Effect;
use crate::tui::state::{JsonRead, LinkRead, MessageLevel, State, ThenLink};
use crate::tui::style::symbols::BETWEEN;
use crate::tui::terminal::clipboard;
use crate::tui::widget::figures;
use crate::tui::wording::share;

/// The default validity of a signed address, in seconds.
const HOUR: u64 = 3_600;

pub(crate) fn copy(state: &mut State, action: Action) {
    let of_item: fn(&Item) -> String = match action {
        Action::LinkPath => |item| item.path.clone(),
        Action::LinkId => |item| item.target.id().to_owned(),
        Action::LinkName => |item| item.name.clone(),
        Action::LinkCurl => return curl(state),
        _ => return of_files(state, action),
    };
    let texts: Vec<String> = edit::chosen(state)
        .iter()
        .map(|item| visible(&of_item(item)).into_owned())
        .collect();
    copy::copied(state, action, &texts);
}

/// Copies the links that only files have.
fn of_files(state: &mut State, action: Action) {
    let rows = edit::chosen_rows(state);
    let files = edit::files(state, &rows);
    let is_open = files.iter().all(is_open);
    match (action, files.as_slice()) {
        (_, []) => {}
        (Action::LinkUrl | Action::LinkMarkdown | Action::LinkHtml, _) => {
            plain(state, action, &files);
        }
        (Action::LinkAuto, _) if is_open => plain(state, action, &files),
        (Action::LinkSignedFor, _) => state.dialogs.push(Dialog::Sign(Sign::new(files))),
        (Action::LinkJson, _) => JsonRead::ask(state, files, Vec::new()),
        (Action::Browse, [file]) => match &file.url {
            Some(address) if is_open => state.effects.push(Effect::OpenBrowser(address.clone())),
            _ => sign(state, files, an_hour(), ThenLink::Browse),
        },
        _ => sign(state, files, an_hour(), ThenLink::Copy),
    }
}

fn is_open(file: &File) -> bool {
    file.access.as_ref().is_some_and(Access::is_public) && file.url.is_some()
}

fn name(file: &File) -> String {
    visible(&file.full_name()).into_owned()
}

/// Copies addresses as the service gave them.
fn plain(state: &mut State, action: Action, files: &[File]) {
    let written = |file: &File| {
        let (address, name) = (file.url.as_deref()?, file.full_name());
        let is_picture = file.kind == Some(FileKind::Image);
        let text = match action {
            Action::LinkMarkdown => share::markdown(&name, address, is_picture),
            Action::LinkHtml => share::html(&name, address, is_picture),
            _ => address.to_owned(),
        };
        Some(visible(&text).into_owned())
    };
    let texts: Vec<String> = files.iter().filter_map(written).collect();
    if texts.len() < files.len() {
        return state.say(
            MessageLevel::Hint,
            "The service gave no address for this file; a signed one may work.",
        );
    }
    let confirmed = copy::confirmation(state, action, &texts);
    if files.iter().all(is_open) {
        say(state, MessageLevel::Info, confirmed);
    } else {
        let private = "Private files do not open at this address.";
        say(state, MessageLevel::Warn, format!("{private} {confirmed}"));
    }
    state.effects.push(Effect::Copy(texts.join("\n")));
}

/// Reports a copied link, and if so, that nothing but filedeck itself answers at it.
fn say(state: &mut State, level: MessageLevel, text: String) {
    if !state.session.account.source.is_embedded() {
        return state.say(level, text);
    }
    let next = if text.ends_with('.') {
        "Only this filedeck serves it.".to_owned()
    } else {
        format!("{BETWEEN} only this filedeck serves it")
    };
    state.say_then(level, text, next);
}

/// Copies a command that requests the chosen items from the API; the account's token is not in it.
fn curl(state: &mut State) {
    let known = state
        .accounts
        .iter()
        .find(|known| known.source == state.session.account.source);
    let paths = known.and_then(|known| {
        Some(ApiPaths::new(
            known.address.as_ref()?,
            known.version.parse().ok()?,
        ))
    });
    let Some(paths) = paths else {
        return state.say(
            MessageLevel::Hint,
            "Only this filedeck can reach the service of this account.",
        );
    };
    let resource = |item: &Item| match &item.target {
        Target::File(id) => paths.file(id).ok(),
        Target::Folder(id) => paths.folder(id).ok(),
    };
    let resources = edit::chosen(state)
        .iter()
        .filter_map(resource)
        .collect::<Vec<_>>();
    let texts: Vec<String> = resources.iter().map(share::curl).collect();
    copy::copied(state, Action::LinkCurl, &texts);
}

fn an_hour() -> SignedUrlOptions {
    SignedUrlOptions {
        seconds: Some(HOUR),
        ..SignedUrlOptions::default()
    }
}

/// Signs files one after another.
pub(crate) fn sign(state: &mut State, files: Vec<File>, signing: SignedUrlOptions, then: ThenLink) {
    LinkRead {
        files,
        signing,
        signed: Vec::new(),
        then,
    }
    .go_on(state);
}

impl LinkRead {
    /// Signs the next file, or copies or opens the links after the last.
    fn go_on(self, state: &mut State) {
        let Some(file) = self.files.get(self.signed.len()) else {
            return self.end(state);
        };
        let question = SignUrl {
            file: file.id.clone(),
            signing: self.signing.clone(),
        };
        ask(state, self, question);
    }

    fn end(self, state: &mut State) {
        let Self { files, signed, .. } = self;
        if self.then == ThenLink::Browse {
            let links = signed.into_iter().map(|link| Effect::OpenBrowser(link.url));
            return state.effects.extend(links);
        }
        for (file, link) in files.iter().zip(&signed) {
            let until = link.expires_at.map(|time| (file.id.clone(), time));
            state.session.signed_until.extend(until);
        }
        let until = signed.iter().filter_map(|link| link.expires_at).min();
        let until = until
            .map(|time| validity(time, state.service_now(), &state.zone))
            .unwrap_or_default();
        let copied = state.settings.copied();
        let (title, label) = match files.as_slice() {
            [file] => ("Signed link".to_owned(), name(file)),
            files => {
                let number = figures::number(files.len());
                (format!("{number} signed links"), format!("{number} files"))
            }
        };
        let addresses: Vec<String> = signed
            .iter()
            .map(|link| visible(&link.url).into_owned())
            .collect();
        let all_properties: Vec<Vec<String>> = signed.iter().map(properties).collect();
        let message = match all_properties.as_slice() {
            [properties] if !properties.is_empty() => {
                format!("{title} {copied}{until}; {}.", properties.join(", "))
            }
            _ => format!("{title} {copied}{until}."),
        };
        say(state, MessageLevel::Info, message);
        let has_properties = all_properties
            .iter()
            .any(|properties| !properties.is_empty());
        if has_properties && state.dialogs.is_empty() && !state.is_typing() {
            let mut lines = Vec::new();
            for ((file, properties), address) in files.iter().zip(all_properties).zip(&addresses) {
                if files.len() > 1 {
                    lines.extend((!lines.is_empty()).then(String::new));
                    lines.push(name(file));
                }
                lines.extend(properties);
                lines.extend([String::new(), address.clone()]);
            }
            let mut notice = Notice::new(format!("{title} to {label}"), lines);
            notice.copy = Some(addresses.join("\n"));
            state.dialogs.push(Dialog::Notice(notice));
        }
        state.effects.push(Effect::Copy(addresses.join("\n")));
    }
}

/// The requested properties of the file, safe to show: `encoding utf-8`.
fn properties(signed: &SignedUrl) -> Vec<String> {
    let property = |(name, value): (&String, &serde_json::Value)| {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        visible(&format!("{name} {value}")).into_owned()
    };
    signed.others.iter().map(property).collect()
}

fn validity(until: Timestamp, now: ServiceTime, zone: &TimeZone) -> String {
    let is_today = figures::date(until, zone) == figures::date(now.timestamp(), zone);
    let time = if is_today {
        figures::minute(until, zone)
    } else {
        figures::day_and_minute(until, now.timestamp(), zone)
    };
    format!(", valid until {time} ({})", figures::until(until, now))
}

/// Handles the browser's result; an address that was not opened is copied instead.
pub(crate) fn browsed(state: &mut State, address: &str, result: Result<(), String>) {
    match result {
        Ok(()) => state.say(
            MessageLevel::Info,
            format!("Opened in the browser: {}", visible(address)),
        ),
        Err(problem) => {
            let address = visible(address).into_owned();
            state.say(
                MessageLevel::Warn,
                format!(
                    "Not opened: {problem}. Address {}: {address}",
                    state.settings.copied()
                ),
            );
            state.effects.push(Effect::Copy(address));
        }
    }
}

/// Reports a text that is too long for the terminal's clipboard.
pub(crate) fn not_copied(state: &mut State) {
    state.say(
        MessageLevel::Warn,
        "Too long for the terminal's clipboard: nothing was copied.",
    );
}

impl OnAnswer for LinkRead {
    type Question = SignUrl;

    fn answered(mut self, state: &mut State, _: OpId, answer: SignedUrl) {
        self.signed.push(answer);
        self.go_on(state);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        not_read(state, self.files.get(self.signed.len()), error);
    }
}

impl JsonRead {
    fn ask(state: &mut State, files: Vec<File>, lines: Vec<String>) {
        let Some(file) = files.get(lines.len()).map(|file| file.id.clone()) else {
            return copy::copied(state, Action::LinkJson, &lines);
        };
        ask(state, Self { files, lines }, GetFile { file });
    }
}

impl OnAnswer for JsonRead {
    type Question = GetFile;

    fn answered(mut self, state: &mut State, _: OpId, answer: File) {
        self.lines
            .push(clipboard::json(&answer).unwrap_or_default());
        Self::ask(state, self.files, self.lines);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        not_read(state, self.files.get(self.lines.len()), error);
    }
}

fn not_read(state: &mut State, file: Option<&File>, error: &Error) {
    let label = file.map(name).unwrap_or_default();
    state.say_failed(&format!("Nothing copied for {label}"), error);
}
