//! The details of a task as a dialog, which follow the task while they are open.

use crate::engine::Request;
use crate::tui::dialog::{Dialog, Notice};
use crate::tui::message::Effect;
use crate::tui::state::{Failures, Read, State};
use crate::tui::task;

/// Opens the details of the task under the cursor; for a single job that failed, the error.
pub(super) fn show(state: &mut State) {
    let Some(batch) = state.desk.tasks.selected() else { return };
    let title = task::title(batch);
    let failure = batch.failure.as_ref().filter(|_| batch.counts.total == 1 && batch.has_failed());
    let notice = match failure {
        Some((_, error)) => {
            let mut notice = Notice::problem(format!("{title} failed"), error);
            notice.lines.extend(task::again(state));
            notice
        }
        None => Notice::of_task(batch.id, title, task::lines(batch, state)),
    };
    state.dialogs.push(Dialog::Notice(notice));
}

/// Brings open details up to date with their task; asks what failed, where more has failed than is known.
pub(super) fn refresh(state: &mut State) -> Option<Effect> {
    let open = state.dialogs.iter().position(|dialog| matches!(dialog, Dialog::Notice(Notice { task: Some(_), .. })));
    let Some(open) = open else {
        state.desk.tasks.failures = None;
        return None;
    };
    let Some(Dialog::Notice(Notice { task: Some(id), .. })) = state.dialogs.get(open) else { return None };
    let batch = state.desk.tasks.batch(*id)?;
    // A single job's failure is told with its state.
    let failed = if batch.counts.total == 1 { 0 } else { batch.counts.failed };
    let (id, fresh) = (batch.id, task::lines(batch, state));
    if let Some(Dialog::Notice(notice)) = state.dialogs.get_mut(open) {
        notice.lines = fresh;
    }
    let known = state.desk.tasks.failures.as_ref().filter(|failures| failures.batch == id);
    if known.map_or(0, |failures| failures.failed) == failed {
        return None;
    }
    let list = known.map(|failures| failures.list.clone()).unwrap_or_default();
    state.desk.tasks.failures = Some(Failures { batch: id, failed, list });
    let op = state.desk.ops.read(Read::Failures(id));
    Some(Effect::Submit(op, Request::Failures(id)))
}
