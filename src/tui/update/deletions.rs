//! The list of past deletions, shown once it arrives, and the files that were deleted with one of
//! its folders.

use crate::api::Error;
use crate::api::text::visible;
use crate::engine::deletion::{Deletion, Receipt};
use crate::engine::message::Target;
use crate::engine::question::{ListDeletedWith, ListDeletions};
use crate::engine::{Item, OpId};
use crate::tui::dialog::{Deletions, Dialog, Notice};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::files::delete;
use crate::tui::pane::submit;
use crate::tui::state::{DeletedWithRead, DeletionsRead, MessageLevel, State, ThenDeleted};

pub(super) fn list(state: &mut State) {
    ask(state, DeletionsRead, ListDeletions);
}

/// Shows the list, unless the user has opened a dialog or is typing by now.
fn show(state: &mut State, list: Vec<Deletion>) {
    if list.is_empty() {
        state.say(
            MessageLevel::Info,
            "filedeck has deleted nothing from this account in the last 30 days.",
        );
    } else if is_free(state) {
        let list = dialog(state, list);
        state.dialogs.push(Dialog::Deletions(list));
    } else {
        say_again(state);
    }
}

fn dialog(state: &State, rows: Vec<Deletion>) -> Deletions {
    let (account, zone) = (state.session.account.name(), state.zone.clone());
    Deletions::new(rows, account, zone, state.trash())
}

pub(super) fn show_receipt(state: &mut State, deletion: &Deletion) {
    let receipt = Receipt {
        account: state.session.account.name(),
        deletion,
    };
    let mut notice = Notice::new(receipt.title(), receipt.lines());
    notice.copy = Some(receipt.text());
    notice.save_as = Some(receipt.file_name());
    state.dialogs.push(Dialog::Notice(notice));
}

/// Requests the files that were deleted with a folder.
pub(super) fn ask_with(state: &mut State, folder: Deletion, then: ThenDeleted) {
    let Target::Folder(id) = folder.target.clone() else {
        return;
    };
    ask(
        state,
        DeletedWithRead {
            folder: Box::new(folder),
            then,
        },
        ListDeletedWith(id),
    );
}

fn show_deleted_with(
    state: &mut State,
    folder: &Deletion,
    then: ThenDeleted,
    files: Vec<Deletion>,
) {
    match then {
        ThenDeleted::List => {
            if matches!(state.dialogs.last(), Some(Dialog::Deletions(list)) if !list.is_of_folder())
            {
                let list = dialog(state, files).of(folder);
                state.dialogs.push(Dialog::Deletions(list));
            }
        }
        ThenDeleted::Purge if is_free(state) => {
            let others = if folder.missing().is_some() {
                " Other files may have gone with it; they are not known and stay."
            } else {
                ""
            };
            let about = format!("Deleted with {}.{others}", visible(&folder.path));
            delete::ask_of(
                state,
                files.into_iter().map(item).collect(),
                true,
                Some(about),
            );
        }
        ThenDeleted::Purge => say_again(state),
    }
}

/// Asks before an item that is already deleted is deleted permanently.
pub(super) fn purge(state: &mut State, deletion: Deletion) {
    if state.session.account.read_only {
        return submit::refuse_change(state);
    }
    // The list of a folder's files covers the full list; both will be outdated.
    state
        .dialogs
        .retain(|dialog| !matches!(dialog, Dialog::Deletions(_)));
    match deletion.target {
        Target::Folder(_) => ask_with(state, deletion, ThenDeleted::Purge),
        Target::File(_) => delete::ask_of(state, vec![item(deletion)], true, None),
    }
}

fn say_again(state: &mut State) {
    let key = state
        .keymap
        .key_of(state.context(), Action::Deletions)
        .unwrap_or_default();
    state.say(
        MessageLevel::Hint,
        format!("{key} again shows what was deleted."),
    );
}

fn is_free(state: &State) -> bool {
    state.dialogs.is_empty() && !state.is_typing()
}

fn item(row: Deletion) -> Item {
    let name = row.path.rsplit('/').next().unwrap_or(&row.path).to_owned();
    Item {
        target: row.target,
        path: row.path,
        name,
        size: row.size,
        md5: row.md5,
    }
}

impl OnAnswer for DeletionsRead {
    type Question = ListDeletions;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<Deletion>) {
        show(state, answer);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The deletions could not be read", error);
    }
}

impl OnAnswer for DeletedWithRead {
    type Question = ListDeletedWith;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<Deletion>) {
        show_deleted_with(state, &self.folder, self.then, answer);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The deletions could not be read", error);
    }
}
