//! Uploads, imports and downloads: opens their dialogs, saves into the local folder, and takes
//! pasted text.

use std::path::PathBuf;

use super::edit;
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::item::what;
use crate::engine::question::{PlanDownload, ReadAddresses};
use crate::tui::dialog::{Dialog, ImportDialog, Prompt, UploadDialog};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask, refused_in_dialog};
use crate::tui::pane::{other_account, plan};
use crate::tui::state::{AddressesRead, MessageLevel, State};

pub(crate) fn ask_upload(state: &mut State, paths: &str) {
    let Some(into) = state.destination() else {
        return;
    };
    state.dialogs.push(Dialog::Upload(UploadDialog::new(
        paths,
        into,
        state.local.clone(),
    )));
}

/// Asks for files to upload; with another account beside, copies the rows chosen on the left.
pub(crate) fn upload(state: &mut State) {
    if state.mode.other_account().is_some() {
        other_account::copy_chosen(state, Action::Upload);
    } else {
        ask_upload(state, "");
    }
}

pub(crate) fn ask_import(state: &mut State, addresses: &str) {
    let Some(into) = state.destination() else {
        return;
    };
    state.dialogs.push(Dialog::Import(ImportDialog::new(
        addresses,
        into,
        state.local.clone(),
    )));
}

pub(crate) fn read_addresses(state: &mut State, path: PathBuf) {
    plan::note(state, "Reading the list");
    ask(state, AddressesRead, ReadAddresses { path });
}

impl OnAnswer for AddressesRead {
    type Question = ReadAddresses;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<String>) {
        if let Some(Dialog::Import(dialog)) = state.dialogs.last_mut() {
            dialog.add(&answer);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        refused_in_dialog(state, error);
    }
}

/// Downloads the chosen items into the local folder, after a comparison with its content; with
/// another account beside, copies the rows chosen on the right.
pub(crate) fn save(state: &mut State) {
    if state.mode.other_account().is_some() {
        return other_account::copy_chosen(state, Action::Save);
    }
    let items = edit::chosen(state);
    if items.is_empty() {
        return;
    }
    if items.iter().any(|item| item.target.folder().is_some()) {
        state.say(
            MessageLevel::Hint,
            format!("Listing {} for the download.", what(&items)),
        );
    }
    let into = state.download_folder().to_owned();
    plan::download(state, PlanDownload { items, into }, false);
}

pub(crate) fn ask_save_as(state: &mut State) {
    let items = edit::chosen(state);
    if !items.is_empty() {
        state
            .dialogs
            .push(Dialog::Prompt(Prompt::save(items, state.local.clone())));
    }
}
