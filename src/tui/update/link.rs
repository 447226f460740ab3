//! Copies what leads to a file: its address, a signed address, its path, its id, its name.

use super::edit;
use crate::api::ids::FileId;
use crate::api::model::{Access, File};
use crate::engine::{Item, Request};
use crate::tui::dialog::{Dialog, Notice, Prompt};
use crate::tui::keymap::Action;
use crate::tui::message::Effect;
use crate::tui::state::{Level, Read, State};

/// Validity of a signed address unless another one is typed.
const HOUR: u64 = 3_600;

pub(super) fn copy(state: &mut State, action: Action) -> Vec<Effect> {
    let of = |item: &Item| match action {
        Action::LinkPath => item.path.clone(),
        Action::LinkId => item.target.id().to_owned(),
        _ => item.name.clone(),
    };
    let what = match action {
        Action::LinkPath => "Path",
        Action::LinkId => "Id",
        Action::LinkName => "Name",
        _ => {
            let rows = edit::chosen_rows(state);
            let files = edit::files(state, &rows);
            if files.len() < rows.len() {
                state.say(Level::Hint, "Folders have no address; their path can be copied.");
                return Vec::new();
            }
            return if files.is_empty() { Vec::new() } else { address(state, action, &files) };
        }
    };
    let texts: Vec<String> = edit::chosen(state).iter().map(of).collect();
    if texts.is_empty() { Vec::new() } else { show_copied(state, what, &texts) }
}

fn address(state: &mut State, action: Action, files: &[File]) -> Vec<Effect> {
    let is_open = |file: &File| file.access.as_ref().is_some_and(Access::is_public) && file.url.is_some();
    let wants_plain = action == Action::LinkUrl || (action == Action::LinkAuto && files.iter().all(is_open));
    match files {
        _ if wants_plain => {
            let urls: Vec<String> = files.iter().filter_map(|file| file.url.clone()).collect();
            if urls.len() < files.len() {
                state.say(Level::Warn, "The service gave no address for this file; a signed one may work.");
                return Vec::new();
            }
            let effects = show_copied(state, "Address", &urls);
            if !files.iter().all(is_open) {
                state.say(Level::Warn, "A private file's plain address answers 404; a signed one works.");
            }
            effects
        }
        [file] if action == Action::LinkSignedFor => {
            state.dialogs.push(Dialog::Prompt(Prompt::sign(file)));
            Vec::new()
        }
        [file] => vec![sign(state, file.id.clone(), crate::api::text::visible(&file.full_name()).into_owned(), HOUR)],
        _ => {
            state.say(Level::Hint, "Signed addresses are made for one file at a time: clear the marks with esc.");
            Vec::new()
        }
    }
}

/// Asks for a signed address; it is copied when it comes.
pub(super) fn sign(state: &mut State, file: FileId, label: String, seconds: u64) -> Effect {
    let op = state.desk.ops.read(Read::Link { label });
    Effect::Submit(op, Request::Sign { file, seconds: Some(seconds) })
}

/// Copies, and shows the text: a clipboard may be out of the terminal's reach.
fn show_copied(state: &mut State, what: &str, texts: &[String]) -> Vec<Effect> {
    let text = texts.join("\n");
    let notice = match texts {
        [one] => Notice::copied(format!("{what}, copied"), one, Vec::new()),
        _ => Notice::copied_lines(format!("{what}, {} copied", texts.len()), texts),
    };
    state.dialogs.push(Dialog::Notice(notice));
    vec![Effect::Copy(text)]
}
