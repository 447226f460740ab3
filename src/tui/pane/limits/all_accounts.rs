//! The fullest limit of each configured account, in a dialog.

use super::columns::{used, words};
use crate::api::text::visible;
use crate::config::AccountSource;
use crate::engine::limits::Measure;
use crate::tui::dialog::{AllLimits, Dialog, FullestLimit};
use crate::tui::state::effect::Effect;
use crate::tui::state::limits::{AccountReading, flags, forecast, gauge};
use crate::tui::state::{MessageLevel, State};
use crate::tui::widget::{figures, gauge as bar};

/// Opens the list, and has each account read.
pub(crate) fn ask(state: &mut State) {
    let sources = state.accounts.iter().map(|known| &known.source);
    let is_configured = |source: &&AccountSource| matches!(source, AccountSource::Configured(_));
    let sources: Vec<AccountSource> = sources.filter(is_configured).cloned().collect();
    if sources.is_empty() {
        return state.say(
            MessageLevel::Hint,
            "No account is configured; @ and then a adds one.",
        );
    }
    let names = sources
        .iter()
        .map(|source| source.name().to_owned())
        .collect();
    let dialog = AllLimits::new(sources, &state.session.account.source);
    state.dialogs.push(Dialog::AllLimits(dialog));
    state.effects.push(Effect::ReadAccounts(names));
}

/// Adds the reading of an account to the list, if that is open.
pub(crate) fn add(state: &mut State, reading: &AccountReading) {
    for warning in &reading.warnings {
        let text = format!("{}: {}", visible(&reading.name), visible(warning));
        state.mention(MessageLevel::Warn, text);
    }
    let fullest = fullest(state, reading);
    for dialog in &mut state.dialogs {
        if let Dialog::AllLimits(dialog) = dialog {
            dialog.add(&AccountSource::Configured(reading.name.clone()), &fullest);
        }
    }
}

fn fullest(state: &State, reading: &AccountReading) -> FullestLimit {
    let mut row = FullestLimit::default();
    if reading.has_read() {
        row.read_at = figures::minute(reading.read_at, &state.zone);
    }
    if let Some((report, entry)) = reading.worst() {
        row.limit = gauge(report, &entry.subject, state.panes.plain);
        row.percentage = entry.percentage();
        if let Measure::Share(share) = entry.measure {
            let (sign, percent) = (
                bar::sign(share.percentage),
                figures::percent(share.percentage),
            );
            let past = reading.book.past(report, entry);
            row.used = format!("{sign} {percent}");
            row.left = figures::grouped(share.left());
            row.full = words(forecast(share, past, reading.read_at));
            row.note = format!("{}: {} used. ", row.limit, used(share));
        } else {
            row.used = flags(entry)
                .first()
                .map(|flag| flag.word().to_owned())
                .unwrap_or_default();
        }
    }
    match reading.why_not() {
        Some(why) if reading.has_read() => row.note = format!("{}Not read: {why}", row.note),
        Some(why) => row.note = why,
        None => {}
    }
    row
}
