//! Reads the names of the account's folders page by page, once a dialog needs them, and passes them
//! to the dialog. Requests pages only while there are spare requests.

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::question::{FolderNamesPage, ListFolderNames};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{ConnectionLoss, FolderNamesRead, State};

pub(crate) fn follow(state: &mut State) {
    if !state.session.folder_names.lacks_page() || !state.has_spare_requests() {
        return;
    }
    let from = state.session.folder_names.next_page();
    state.session.folder_names.asked();
    ask(state, FolderNamesRead, ListFolderNames { from });
}

impl OnAnswer for FolderNamesRead {
    type Question = ListFolderNames;

    fn answered(self, state: &mut State, _: OpId, answer: FolderNamesPage) {
        let new = state.session.folder_names.add_page(answer);
        let lack = state.session.folder_names.lack();
        for dialog in &mut state.dialogs {
            dialog.take_folders(&new, lack);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state
            .session
            .folder_names
            .fail(ConnectionLoss::of(error.kind).is_some());
        let lack = state.session.folder_names.lack();
        for dialog in &mut state.dialogs {
            dialog.take_folders(&[], lack);
        }
    }
}
