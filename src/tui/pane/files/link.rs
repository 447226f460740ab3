//! Links to a file: its address, a signed one, its path, id and name, in the notations that others
//! need. They are copied and shown, or opened in the browser.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::edit;
use crate::api::ids::FileId;
use crate::api::model::{Access, File, FileKind, SignedUrl};
use crate::api::paths::ApiPaths;
use crate::api::text::visible;
use crate::api::{Error, ServiceTime, Signing};
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
        (_, [_, _, ..]) => {
            state.say(
                MessageLevel::Hint,
                "This is for one file at a time: clear the marks with esc.",
            );
        }
        (Action::LinkSignedFor, [file]) => state.dialogs.push(Dialog::Sign(Sign::new(file))),
        (Action::LinkJson, [file]) => {
            ask(
                state,
                JsonRead { label: name(file) },
                GetFile {
                    file: file.id.clone(),
                },
            );
        }
        (Action::Browse, [file]) => match &file.url {
            Some(address) if is_open => state.effects.push(Effect::OpenBrowser(address.clone())),
            _ => sign(
                state,
                file.id.clone(),
                name(file),
                an_hour(),
                ThenLink::Browse,
            ),
        },
        (_, [file]) => sign(
            state,
            file.id.clone(),
            name(file),
            an_hour(),
            ThenLink::Copy,
        ),
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

fn an_hour() -> Signing {
    Signing {
        seconds: Some(HOUR),
        ..Signing::default()
    }
}

pub(crate) fn sign(
    state: &mut State,
    file: FileId,
    label: String,
    signing: Signing,
    then: ThenLink,
) {
    ask(
        state,
        LinkRead {
            file: file.clone(),
            label,
            then,
        },
        SignUrl { file, signing },
    );
}

fn signed(state: &mut State, LinkRead { file, label, then }: LinkRead, signed: SignedUrl) {
    if then == ThenLink::Browse {
        return state.effects.push(Effect::OpenBrowser(signed.url));
    }
    let until = signed
        .expires_at
        .map(|time| validity(time, state.service_now(), &state.zone))
        .unwrap_or_default();
    state
        .session
        .signed_until
        .extend(signed.expires_at.map(|time| (file, time)));
    let copied = state.settings.copied();
    let (address, properties) = (visible(&signed.url).into_owned(), properties(&signed));
    let message = if properties.is_empty() {
        format!("Signed link {copied}{until}.")
    } else {
        format!("Signed link {copied}{until}; {}.", properties.join(", "))
    };
    say(state, MessageLevel::Info, message);
    if !properties.is_empty() && state.dialogs.is_empty() && !state.is_typing() {
        let mut lines = properties;
        lines.extend([String::new(), address.clone()]);
        let mut notice = Notice::new(format!("Signed link to {label}"), lines);
        notice.copy = Some(address.clone());
        state.dialogs.push(Dialog::Notice(notice));
    }
    state.effects.push(Effect::Copy(address));
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
    fn answered(self, state: &mut State, _: OpId, answer: SignedUrl) {
        signed(state, self, answer);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed(&format!("Nothing copied for {}", self.label), error);
    }
}

impl OnAnswer for JsonRead {
    fn answered(self, state: &mut State, _: OpId, answer: File) {
        if let Some(text) = clipboard::json(&answer) {
            copy::copied(state, Action::LinkJson, &[text]);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed(&format!("Nothing copied for {}", self.label), error);
    }
}
