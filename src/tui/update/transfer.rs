//! Bytes in and out: opens the upload, import and save dialogs, saves into the local folder, takes pasted text.

use std::path::PathBuf;

use super::{edit, plan, submit};
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::item::Item;
use crate::engine::message::Target;
use crate::engine::question::{PlanDownload, ReadAddresses};
use crate::tui::dialog::{Dialog, ImportDialog, Prompt, UploadDialog};
use crate::tui::input::paste::{self, Pasted};
use crate::tui::message::Effect;
use crate::tui::state::{AddressesRead, MessageLevel, State, View};
use crate::tui::update::ask::{OnAnswer, ask};

/// For local paths, as they are typed.
pub(super) fn ask_upload(state: &mut State, paths: &str) {
    let Some(into) = edit::destination(state) else { return };
    state.dialogs.push(Dialog::Upload(UploadDialog::new(paths, into, state.local.clone())));
}

/// For addresses, as they are typed.
pub(super) fn ask_import(state: &mut State, addresses: &str) {
    let Some(into) = edit::destination(state) else { return };
    state.dialogs.push(Dialog::Import(ImportDialog::new(addresses, into, state.local.clone())));
}

/// Reads a list of addresses for the dialog on top.
pub(super) fn read_addresses(state: &mut State, path: PathBuf) -> Effect {
    plan::note(state, "Reading the list");
    ask(state, AddressesRead, ReadAddresses { path })
}

impl OnAnswer for AddressesRead {
    fn answered(self, state: &mut State, _: OpId, answer: Vec<String>) -> Vec<Effect> {
        if let Some(Dialog::Import(dialog)) = state.dialogs.last_mut() {
            dialog.add(&answer);
        }
        Vec::new()
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) -> Vec<Effect> {
        if let Some(dialog) = state.dialogs.last_mut() {
            dialog.say_wrong(format!("{}.", visible(error.message.trim_end_matches('.'))));
        }
        Vec::new()
    }
}

/// Text pasted, or a file dropped, while no text field is open.
pub(super) fn pasted(state: &mut State, text: &str) {
    let pasted = paste::read(text);
    if pasted == Pasted::Neither {
        state.say(MessageLevel::Warn, "The pasted text is not a local path or an address.");
    } else if state.current.account.read_only {
        submit::refuse_change(state);
    } else {
        state.view = View::Files;
        match pasted {
            Pasted::Paths(_) => ask_upload(state, &paste::field(text)),
            Pasted::Addresses(addresses) => ask_import(state, &addresses.join(" ")),
            Pasted::Neither => {}
        }
    }
}

/// The files that can be saved; says why when there are none.
fn files_to_save(state: &mut State) -> Vec<Item> {
    let chosen = edit::chosen(state);
    let count = chosen.len();
    let files: Vec<Item> = chosen.into_iter().filter(|item| matches!(item.target, Target::File(_))).collect();
    if files.len() < count {
        state.say(MessageLevel::Hint, "Only files can be downloaded; open a folder to download its files.");
    }
    files
}

/// Downloads into the local folder, after a look at what is there.
pub(super) fn save(state: &mut State) -> Vec<Effect> {
    let files = files_to_save(state);
    if files.is_empty() {
        return Vec::new();
    }
    let into = state.local.dir.clone();
    // The last press counts: one before it that is not answered is not saved twice.
    let mut effects = plan::give_up_unseen(state);
    effects.push(plan::download(state, PlanDownload { files, into }, false));
    effects
}

pub(super) fn ask_save_as(state: &mut State) {
    let files = files_to_save(state);
    if !files.is_empty() {
        state.dialogs.push(Dialog::Prompt(Prompt::save(files, state.local.clone())));
    }
}
