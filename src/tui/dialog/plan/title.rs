//! The title of a plan, and its work, which the first button names, too.

use super::selection::PlanTotals;
use crate::api::text::visible;
use crate::tui::widget::{figures, text};

/// Describes the work, with its bytes, and the folders. If there is too little room, the bytes go
/// first; then each folder keeps its end.
pub(super) fn title(work: [String; 2], from: Option<&str>, into: &str, cells: usize) -> String {
    let [short, long] = work;
    let Some(from) = from else {
        return format!("{long}, into {into}");
    };
    let whole = format!("{long}: {from} → {into}");
    if text::width(&whole) <= cells {
        return whole;
    }
    let room = cells.saturating_sub(text::width(&short) + text::width(":  → "));
    let room_from = room.saturating_sub(text::width(into)).max(room / 2);
    let from = text::truncate_start_at(from, "/", room_from);
    let room_into = room.saturating_sub(text::width(&from));
    let into = text::truncate_start_at(into, "/", room_into);
    format!("{short}: {from} → {into}")
}

/// Describes the jobs that would be started, with or without their bytes.
pub(super) fn work(tally: PlanTotals, kind: &str, with_bytes: bool) -> String {
    let work = match (tally.going, tally.new_folders) {
        _ if tally.is_idle() => return "Nothing to do".to_owned(),
        (0, 0) => return format!("Delete {}", figures::number(tally.deleted)),
        (0, folders) => format!("Make {}", figures::count(folders, "folder")),
        (files, _) if files == tally.replaced => {
            format!("Replace {}", figures::count(files, "file"))
        }
        (files, _) => format!("{kind} {}", figures::count(files - tally.replaced, "file")),
    };
    let is_mixed = tally.replaced > 0 && tally.going > tally.replaced;
    let replaced = is_mixed.then(|| format!("replace {}", figures::number(tally.replaced)));
    let bytes = (with_bytes && tally.going > 0).then(|| figures::size(tally.going_bytes));
    let deletions =
        (tally.deleted > 0).then(|| format!("delete {}", figures::number(tally.deleted)));
    let parts: Vec<String> = [Some(work), replaced, bytes, deletions]
        .into_iter()
        .flatten()
        .collect();
    parts.join(", ")
}

/// Returns a place with the folders below it that all names begin with; the place is safe to show.
pub(super) fn below(place: String, folders: &str) -> String {
    let folders = visible(folders.trim_end_matches('/'));
    let slash = if folders.is_empty() || place.ends_with('/') {
        ""
    } else {
        "/"
    };
    place + slash + &folders
}
