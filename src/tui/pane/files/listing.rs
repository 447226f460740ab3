//! Reads the open folder or search: pages ahead of the cursor, all of it where needed, and single
//! rows again after a change. Only one read is under way at a time; a new one replaces it.

use crate::engine::OpId;
use crate::engine::question::{List, ListAll, Refresh};
use crate::tui::pane::ask::ask;
use crate::tui::state::effect::Effect;
use crate::tui::state::{
    ListPurpose, ListRead, ListStage, PageRead, Pending, RefreshRead, State, WholeRead,
};

/// Starts a read of the open folder, which replaces the one under way.
pub(crate) fn read(state: &mut State, part: ListRead) {
    drop_read(state);
    let listing = &mut state.files.listing;
    listing.names = state.settings.name_order();
    let of = listing.of.clone();
    let part = match part {
        ListRead::First | ListRead::Next if of.is_read_whole() => {
            ListRead::Whole(ListPurpose::Refresh)
        }
        ListRead::First | ListRead::Next if listing.is_ordered_here() => {
            ListRead::Whole(ListPurpose::Order)
        }
        part => part,
    };
    let sort = listing.list.sort;
    let op = match part {
        ListRead::First => ask(
            state,
            PageRead,
            List {
                of,
                sort,
                after: None,
            },
        ),
        ListRead::Next => {
            let after = listing.next;
            ask(state, PageRead, List { of, sort, after })
        }
        ListRead::Whole(_) => {
            state.files.listing.begin_whole();
            ask(state, WholeRead, ListAll { of })
        }
        ListRead::Look => {
            let (targets, newest) = listing.around_cursor();
            ask(
                state,
                RefreshRead,
                Refresh {
                    of,
                    targets,
                    newest,
                },
            )
        }
    };
    state.files.listing.ask(op, part);
}

/// Requests the next page if the cursor is near the end of the loaded rows. Past the end of the
/// service's own order it requests the whole folder.
pub(crate) fn next_page(state: &mut State) {
    if !state.files.listing.wants_page() {
        return;
    }
    let is_past_end = state
        .files
        .listing
        .next
        .as_ref()
        .is_some_and(|next| next.position.from_id.is_some());
    read(
        state,
        if is_past_end {
            ListRead::Whole(ListPurpose::Order)
        } else {
            ListRead::Next
        },
    );
}

/// Reads the rest of the folder, unless all of it is loaded.
pub(crate) fn whole(state: &mut State, purpose: ListPurpose) {
    if state.files.listing.is_whole() {
        return;
    }
    match state.files.listing.pending {
        Some(Pending {
            op,
            ask: ListRead::Whole(before),
        }) => {
            // Marks that wait for the end of the read must not be lost to another key.
            if !before.marks() || purpose.marks() {
                state.files.listing.ask(op, ListRead::Whole(purpose));
            }
        }
        _ => read(state, ListRead::Whole(purpose)),
    }
}

/// Stops the read of the whole folder, if one is under way. The loaded rows stay.
pub(crate) fn stop_whole(state: &mut State) {
    if state.files.listing.reading_whole().is_some() {
        drop_read(state);
    }
}

/// Reads the open folder again at the user's request; rows stay until they are known to be gone. A
/// read of the whole folder is not canceled, because something waits for it: the refresh follows
/// it.
pub(crate) fn refresh(state: &mut State) {
    let listing = &mut state.files.listing;
    if listing.reading_whole().is_some() {
        listing.stale = true;
        return;
    }
    listing.stale = false;
    if listing.fits_one_answer() {
        return read(state, ListRead::First);
    }
    match listing.stage {
        ListStage::Whole => read(state, ListRead::Whole(ListPurpose::Refresh)),
        // The failed page can be requested again.
        ListStage::Failed(_) => {
            listing.stage = ListStage::Partial;
            read(state, ListRead::Look);
        }
        _ => read(state, ListRead::Look),
    }
}

/// Reads again what a change may have touched, after the read under way: the folder if one answer
/// holds it, else the rows around the cursor.
pub(crate) fn reconcile(state: &mut State) {
    let listing = &mut state.files.listing;
    if listing.pending.is_some() {
        listing.stale = true;
        return;
    }
    listing.stale = false;
    // A search for duplicates would read all files again for one that is gone.
    let is_short = listing.fits_one_answer() && !listing.of.is_read_whole();
    if is_short {
        read(state, ListRead::First);
    } else {
        read(state, ListRead::Look);
    }
}

/// Requests the row that the cursor is to go to, if it is not loaded.
pub(crate) fn sought(state: &mut State) {
    let listing = &state.files.listing;
    let is_lacking = listing.pending.is_none() && listing.stage == ListStage::Partial;
    let Some(target) = listing.seek.clone().filter(|_| is_lacking) else {
        return;
    };
    let question = Refresh {
        of: listing.of.clone(),
        targets: vec![target],
        newest: None,
    };
    let op = ask(state, RefreshRead, question);
    state.files.listing.ask(op, ListRead::Look);
}

/// Applies `listing.list.sort`: locally if all rows are loaded, else by asking the service. Marks and
/// filter stay.
pub(crate) fn resort(state: &mut State) {
    state.files.listing.resort();
    if state.files.listing.is_whole() || state.files.listing.reading_whole().is_some() {
        return;
    }
    let is_in_services_order = state
        .files
        .listing
        .next
        .as_ref()
        .is_some_and(|next| next.position.from_id.is_none());
    match state.files.listing.stage {
        ListStage::Partial if !is_in_services_order => {
            read(state, ListRead::Whole(ListPurpose::Order));
        }
        _ => read(state, ListRead::First),
    }
}

pub(crate) fn drop_read(state: &mut State) {
    if let Some(pending) = state.files.listing.pending.take() {
        state.files.listing.stop_whole();
        forget(state, pending.op);
    }
}

/// Cancels a read: its answer would be stale.
pub(crate) fn forget(state: &mut State, op: OpId) {
    state.session.ops.end_read(op);
    state.effects.push(Effect::Cancel(op));
}
