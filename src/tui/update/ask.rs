//! Asks the engine, and takes each answer to the code that asked for it.

use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::{Answer, OpId, Question};
use crate::tui::effect::Effect;
use crate::tui::state::{Read, ReadOf, State, reads};

/// What becomes of the answer to a question.
pub(super) trait OnAnswer: ReadOf {
    fn answered(self, state: &mut State, op: OpId, answer: <Self::Question as Question>::Answer);

    fn failed(self, state: &mut State, op: OpId, error: &Error);
}

/// Asks a question, and gives its id; `read` is what is remembered of it until the answer comes.
pub(super) fn ask<R: OnAnswer>(state: &mut State, read: R, question: R::Question) -> OpId {
    let op = state.current.ops.read(read);
    state.effects.push(Effect::Submit(op, question.into()));
    op
}

/// Says in the open dialog why what it asks for cannot be done. What was typed stays.
pub(super) fn refused_in_dialog(state: &mut State, error: &Error) {
    if let Some(dialog) = state.dialogs.last_mut() {
        dialog.say_wrong(format!("{}.", visible(error.message.trim_end_matches('.'))));
    }
}

macro_rules! define {
    ($($read:ident asks $question:ident,)*) => {
        /// A read has ended. The answers of reads that were given up do not come here.
        pub(super) fn answered(
            state: &mut State,
            op: OpId,
            read: Read,
            result: Result<Answer, Error>,
        ) {
            match read {
                $(Read::$read(read) => end(state, op, read, result),)*
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
