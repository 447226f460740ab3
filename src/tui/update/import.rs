//! Imports that skip or stop at a taken name: the dialog stays open until the names in the folder
//! are known.

use super::accept;
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::plan::{PlanChoice, PlannedImport};
use crate::engine::question::PlanImport;
use crate::tui::dialog::{Dialog, Intent};
use crate::tui::pane::ask::{OnAnswer, ask, refused_in_dialog};
use crate::tui::pane::plan;
use crate::tui::state::{ImportPlanRead, MessageLevel, State};
use crate::tui::widget::figures;

pub(super) fn ask_plan(state: &mut State, imports: PlanImport, on_taken: PlanChoice) {
    plan::note(state, "Comparing with the folder");
    ask(state, ImportPlanRead { on_taken }, imports);
}

impl OnAnswer for ImportPlanRead {
    type Question = PlanImport;

    fn answered(self, state: &mut State, _: OpId, answer: PlannedImport) {
        let PlannedImport { free, taken } = answer;
        if self.on_taken == PlanChoice::Stop && !taken.is_empty() {
            if let Some(Dialog::Import(dialog)) = state.dialogs.last_mut() {
                dialog.refuse_taken(&taken);
            }
            return;
        }
        match taken.as_slice() {
            [] => {}
            [name] => state.say(
                MessageLevel::Info,
                format!("{} is taken: skipped.", visible(name)),
            ),
            names => {
                let names = figures::count(names.len(), "name");
                state.say(MessageLevel::Info, format!("{names} are taken: skipped."));
            }
        }
        plan::close_asker(state);
        accept::accept(state, Intent::Jobs(free));
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        refused_in_dialog(state, error);
    }
}
