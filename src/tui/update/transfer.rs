//! Bytes in and out: opens the upload, import and save dialogs, saves into the local folder, takes pasted text.

use std::path::Path;

use super::{edit, submit};
use crate::api::model::File;
use crate::api::text::visible;
use crate::engine::Request;
use crate::tui::dialog::{Dialog, Import, Prompt, Upload};
use crate::tui::message::Effect;
use crate::tui::paste::{self, Pasted};
use crate::tui::state::{Level, Row, State, TaskKind, View};

pub(super) fn ask_upload(state: &mut State, paths: &[String]) {
    let into = edit::destination(state);
    state.dialogs.push(Dialog::Upload(Upload::new(paths, into)));
}

pub(super) fn ask_import(state: &mut State, address: &str) {
    let into = edit::destination(state);
    state.dialogs.push(Dialog::Import(Import::new(address, into)));
}

/// Text pasted, or a file dropped, while no text field is open.
pub(super) fn pasted(state: &mut State, text: &str) {
    let pasted = paste::read(text);
    if pasted == Pasted::Neither {
        state.say(Level::Warn, "The pasted text is neither a local path nor an address.");
    } else if state.account.read_only {
        submit::refuse_change(state);
    } else {
        state.view = View::Files;
        match pasted {
            Pasted::Paths(paths) => ask_upload(state, &paths),
            Pasted::Address(address) => ask_import(state, &address),
            Pasted::Neither => {}
        }
    }
}

/// The files that can be saved; says why when there are none.
fn files_to_save(state: &mut State) -> Vec<File> {
    let rows = edit::chosen(state);
    let files: Vec<File> = rows.iter().filter_map(Row::file).cloned().collect();
    if files.len() < rows.len() {
        state.say(Level::Info, "Only files can be saved; open a folder to save what is in it.");
    }
    files
}

/// Downloads into the local folder.
pub(super) fn save(state: &mut State) -> Vec<Effect> {
    let files = files_to_save(state);
    let folder = state.local_dir.clone();
    download(state, files, &folder)
}

pub(super) fn ask_save_as(state: &mut State) {
    let files = files_to_save(state);
    if !files.is_empty() {
        let folder = state.local_dir.to_string_lossy().into_owned();
        let folder = if folder.ends_with('/') { folder } else { folder + "/" };
        state.dialogs.push(Dialog::Prompt(Prompt::save(files, &folder)));
    }
}

/// Starts one download for each file.
pub(super) fn download(state: &mut State, files: Vec<File>, into: &Path) -> Vec<Effect> {
    if !files.is_empty() {
        state.listing.marks.clear();
        state.listing.range = None;
    }
    files
        .into_iter()
        .map(|file| {
            let label = visible(&file.full_name()).into_owned();
            let request = Request::Download { file: Box::new(file), into: into.to_owned() };
            submit::task(state, TaskKind::Download, label, request)
        })
        .collect()
}
