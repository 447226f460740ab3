//! Does what a dialog was accepted for.

use std::path::Path;

use super::{browse, link, load, submit, transfer};
use crate::api::ids::FileId;
use crate::api::model::FileUpdate;
use crate::api::text::visible;
use crate::engine::Request;
use crate::tui::dialog::{Confirm, Dialog, Intent};
use crate::tui::message::Effect;
use crate::tui::state::{Level, State, TaskKind, join, parent_path};
use crate::tui::widget::figures;

pub(super) fn accept(state: &mut State, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Quit => vec![Effect::Quit],
        Intent::Delete { targets, permanent } => {
            state.listing.marks.clear();
            state.listing.range = None;
            let label = match targets.as_slice() {
                [(_, path)] => visible(path).into_owned(),
                _ => figures::count(targets.len(), "item"),
            };
            let kind = if permanent { TaskKind::Purge } else { TaskKind::Delete };
            vec![submit::task(state, kind, label, Request::Delete { targets, permanent })]
        }
        Intent::ChangeFiles { changes, label } => vec![change(state, changes, label)],
        Intent::Publish { changes, label, private } => {
            ask_publish(state, changes, label, private);
            Vec::new()
        }
        Intent::Upload { paths, into, name, options } => {
            let folder = visible(&into.path).into_owned();
            let upload = |state: &mut State, path: &String| {
                let local = state.local_path(path);
                let shown = local.file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
                let label = format!("{} -> {folder}", visible(&shown));
                let request =
                    Request::Upload { local, into: into.clone(), name: name.clone(), options: options.clone() };
                submit::task(state, TaskKind::Upload, label, request)
            };
            paths.iter().map(|path| upload(state, path)).collect()
        }
        Intent::Import(request) => {
            let folder = request.folder_path.clone().unwrap_or_else(|| state.listing.place.path.clone());
            let name = request.name.clone().unwrap_or_else(|| request.url.clone());
            let label = format!("{} -> {}", visible(&name), visible(&folder));
            vec![submit::task(state, TaskKind::Import, label, Request::Import { request })]
        }
        Intent::CreateFolder { parent, name } => {
            let label = visible(&join(&parent.path, &name)).into_owned();
            vec![submit::task(state, TaskKind::NewFolder, label, Request::CreateFolder { parent, name })]
        }
        Intent::RenameFolder { folder, from, name } => {
            let to = join(&parent_path(&from).unwrap_or_default(), &name);
            let label = format!("{} -> {}", visible(&from), visible(&to));
            let request = Request::UpdateFolder { folder, from, name: Some(name), parent: None };
            vec![submit::task(state, TaskKind::MoveFolder, label, request)]
        }
        Intent::GoTo(path) => browse::locate(state, &path),
        Intent::Save { files, folder } => {
            let folder = state.local_path(&folder);
            transfer::download(state, files, Path::new(&folder))
        }
        Intent::Sign { file, name, seconds } => vec![link::sign(state, file, name, seconds)],
    }
}

fn change(state: &mut State, changes: Vec<(FileId, FileUpdate)>, label: String) -> Effect {
    state.listing.marks.clear();
    state.listing.range = None;
    submit::task(state, TaskKind::Change, label, Request::UpdateFiles { changes })
}

fn ask_publish(state: &mut State, changes: Vec<(FileId, FileUpdate)>, label: String, private: Vec<String>) {
    let title = format!("Make public: {}", figures::count(private.len(), "file"));
    let intent = Intent::ChangeFiles { changes, label };
    let confirm = Confirm::new(title, "Make public", intent, state.now)
        .naming(private)
        .saying(format!("Account: {}", visible(&state.account.name)))
        .saying("Anyone with the address can fetch what is private now.");
    state.dialogs.push(Dialog::Confirm(confirm));
}

/// Quits, after a question while tasks run.
pub(super) fn quit(state: &mut State) -> Vec<Effect> {
    if state.ops.live().next().is_none() {
        return vec![Effect::Quit];
    }
    ask_quit(state);
    Vec::new()
}

/// Asks to quit, whether tasks run or not.
pub(super) fn ask_quit(state: &mut State) {
    let running = state.ops.live().count();
    let mut confirm = Confirm::new("Quit filedeck?", "Quit", Intent::Quit, state.now);
    if running > 0 {
        let text = format!(
            "{} under way. Uploads, downloads and changes stop; imports and folder moves go on at the service \
             and are watched again at the next start.",
            figures::count(running, "task")
        );
        confirm = confirm.saying(text);
    }
    state.dialogs.push(Dialog::Confirm(confirm));
}

/// Ctrl-C: quits at the second press within 2 s, closes the dialog or the filter's field, else asks to quit.
pub(super) fn interrupt(state: &mut State) -> Vec<Effect> {
    const AGAIN_MS: i64 = 2_000;
    let since = state.interrupted_at.map(|at| state.now.as_millisecond() - at.as_millisecond());
    if since.is_some_and(|since| since <= AGAIN_MS) {
        return vec![Effect::Quit];
    }
    if state.dialogs.pop().is_some() {
        return Vec::new();
    }
    if state.is_typing() {
        state.listing.filter = None;
        state.listing.refilter();
        return load::next_page(state).into_iter().collect();
    }
    state.interrupted_at = Some(state.now);
    ask_quit(state);
    let key = state.keymap.key_of(state.context(), crate::tui::keymap::Action::Interrupt).unwrap_or_default();
    state.say(Level::Info, format!("{key} again quits at once."));
    Vec::new()
}
