//! Describes an error: the failed action, the service's message and the next step.

use ratatui::style::Style;

use crate::api::text::visible;
use crate::api::{AdvicePlace, Error, Kind};
use crate::tui::state::State;
use crate::tui::style::theme::Theme;

/// Paragraphs for the place where the result was expected; `next` names keys and their actions.
pub(crate) fn paragraphs(
    what: &str,
    error: &Error,
    next: &str,
    state: &State,
    theme: &Theme,
) -> Vec<(String, Style)> {
    let mut paragraphs = vec![
        (what.to_owned(), theme.error),
        (error.reason().into_owned(), theme.text),
    ];
    paragraphs.extend(
        error
            .details
            .iter()
            .map(|detail| (visible(detail).into_owned(), theme.text)),
    );
    let facts = facts(error);
    if !facts.is_empty() {
        paragraphs.push((facts, theme.dim));
    }
    // For a task that the service ended, the keys are all the advice there is.
    let has_advice = next.is_empty() || error.kind != Kind::TaskFailed;
    let advice = error.advice(AdvicePlace::Screen).filter(|_| has_advice);
    let keys = (!next.is_empty()).then(|| next.to_owned());
    let sentences: Vec<String> = [advice, state.token_advice(error), keys]
        .into_iter()
        .flatten()
        .collect();
    if !sentences.is_empty() {
        paragraphs.push((sentences.join(" "), theme.text));
    }
    paragraphs
}

/// `HTTP 404, OBJECT_NOT_FOUND, correlation id 5e1c..`; empty without a response of the service.
pub(crate) fn facts(error: &Error) -> String {
    let status = error.status.map(|status| format!("HTTP {status}"));
    let category = error
        .category
        .as_deref()
        .map(|category| visible(category).into_owned());
    let id = error
        .correlation_id
        .as_deref()
        .map(|id| format!("correlation id {}", visible(id)));
    [status, category, id]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}
