//! Sends questions to the engine, and passes each answer to the code that asked.

use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::{Answer, OpId, Question};
use crate::tui::state::effect::Effect;
use crate::tui::state::{Read, State, reads};

/// The handler of a question's answer.
pub(crate) trait OnAnswer: Into<Read> {
    type Question: Question;

    fn answered(self, state: &mut State, op: OpId, answer: <Self::Question as Question>::Answer);

    fn failed(self, state: &mut State, op: OpId, error: &Error);
}

/// Sends a question and returns its id; `read` is remembered until the answer arrives.
pub(crate) fn ask<R: OnAnswer>(state: &mut State, read: R, question: R::Question) -> OpId {
    let op = state.session.ops.read(read);
    state.effects.push(Effect::Submit(op, question.into()));
    op
}

/// Shows in the open dialog why its request failed. The typed text stays.
pub(crate) fn refused_in_dialog(state: &mut State, error: &Error) {
    if let Some(dialog) = state.dialogs.last_mut() {
        dialog.say_wrong(format!("{}.", visible(error.message.trim_end_matches('.'))));
    }
}

macro_rules! define {
    ($(read $(of_pane($own:pat))? {
        $(#[$doc:meta])* pub struct $name:ident $($rest:tt)*
    })*) => {
        /// Passes the result of a read to its handler. Results of canceled reads never get here.
        pub(crate) fn answered(
            state: &mut State,
            op: OpId,
            read: Read,
            result: Result<Answer, Error>,
        ) {
            match read {
                $(Read::$name(read) => end(state, op, read, result),)*
            }
        }
    };
}
reads!(define);

fn end<R: OnAnswer>(state: &mut State, op: OpId, read: R, result: Result<Answer, Error>) {
    let other = || Error::new(Kind::Internal, "The engine answered another question.");
    match result.and_then(|answer| R::Question::unwrap(answer).ok_or_else(other)) {
        Ok(answer) => read.answered(state, op, answer),
        Err(error) => read.failed(state, op, &error),
    }
}
