//! Exports the old and the new addresses of the files that a task has copied.

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::address_map::{AddressRow, cells};
use crate::engine::question::ReadAddressMap;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::export;
use crate::tui::state::{AddressMapRead, MessageLevel, State};
use crate::tui::widget::{csv, figures};

pub(crate) fn ask_for_map(state: &mut State) {
    let Some(batch) = state.session.tasks.selected_batch() else {
        return;
    };
    let batch = batch.id;
    let account = state.session.account.name().to_owned();
    ask(state, AddressMapRead, ReadAddressMap { account, batch });
    state.say(
        MessageLevel::Hint,
        "Reading the addresses of both accounts.",
    );
}

impl OnAnswer for AddressMapRead {
    type Question = ReadAddressMap;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<AddressRow>) {
        let account = state.session.account.name();
        let date = figures::date(state.now, &state.zone);
        let name = format!("addresses-{account}-{date}.csv");
        export::write(state, name, csv::table(cells(&answer)));
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The addresses could not be read", error);
    }
}
