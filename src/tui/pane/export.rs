//! Writes a text into a new file of the download folder.

use std::path::PathBuf;

use super::ask::{OnAnswer, ask};
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::question::WriteExport;
use crate::tui::state::{ExportRead, MessageLevel, State};

pub(crate) fn write(state: &mut State, name: String, text: String) {
    let folder = state.local.dir.clone();
    ask(state, ExportRead, WriteExport { folder, name, text });
}

impl OnAnswer for ExportRead {
    type Question = WriteExport;

    fn answered(self, state: &mut State, _: OpId, answer: PathBuf) {
        state.say(
            MessageLevel::Info,
            format!("Written to {}", visible(&answer.to_string_lossy())),
        );
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The file could not be written", error);
    }
}
