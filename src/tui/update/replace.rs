//! Replaces the content of a file with a local one. The dialog stays open until the local file has
//! been checked.

use std::path::PathBuf;

use super::accept;
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::question::CheckLocalFile;
use crate::tui::dialog::Intent;
use crate::tui::pane::ask::{OnAnswer, ask, refused_in_dialog};
use crate::tui::pane::plan;
use crate::tui::state::{ReplacementCheck, State};

pub(super) fn check_local_file(state: &mut State, path: PathBuf, intent: Box<Intent>) {
    plan::note(state, "Checking the local file");
    ask(state, ReplacementCheck(intent), CheckLocalFile { path });
}

impl OnAnswer for ReplacementCheck {
    type Question = CheckLocalFile;

    fn answered(self, state: &mut State, _: OpId, (): ()) {
        plan::close_asker(state);
        accept::accept(state, *self.0);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        refused_in_dialog(state, error);
    }
}
