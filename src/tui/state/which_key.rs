//! The menu of keys that may follow those pressed so far, with the current sort order. Draws
//! nothing.

use jiff::SignedDuration;

use super::files_pane::FilesPane;
use super::limits::LimitSortKey;
use super::panes::{Pane, View};
use super::program::State;
use super::row::last_part;
use super::sorting::action_of;
use crate::api::text::visible;
use crate::tui::keymap::{Action, Context, spell};
use crate::tui::style::symbols::BETWEEN;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhichKey {
    pub pressed: String,
    /// A word for what most of the rows do, with its object where that matters; safe to show.
    pub title: String,
    /// The link that will be copied.
    pub link: &'static str,
    /// The remaining keys of each sequence, and their actions.
    pub rows: Vec<(String, Action)>,
    /// The action of the current sort order, and whether it is descending.
    pub order: Option<(Action, bool)>,
}

/// The delay before the menu appears.
pub const WHICH_KEY_AFTER: SignedDuration = SignedDuration::from_millis(300);

impl State {
    /// The menu, once the user has paused for it.
    pub fn which_key(&self) -> Option<WhichKey> {
        let since = self.pending_since.filter(|_| !self.pending.is_empty())?;
        if self.now.duration_since(since) < WHICH_KEY_AFTER {
            return None;
        }
        let mut rows = self.keymap.continuations(self.context(), &self.pending);
        let group = main_group(&rows);
        rows.sort_by_key(|(_, action)| match action {
            Action::GoRoot => 0,
            Action::GoPath => 1,
            Action::FileDuplicates => 4,
            action if action.group() == group => 2,
            _ => 3,
        });
        let title = match self.in_hand(self.context()).filter(|_| group == "share") {
            Some(name) => format!("{} {BETWEEN} {name}", title(group)),
            None => title(group),
        };
        Some(WhichKey {
            pressed: spell(&self.pending),
            title,
            link: self.link(),
            rows,
            order: self.order(),
        })
    }

    /// The rows or the folder that the keys of a context act on; safe to show.
    pub fn in_hand(&self, context: Context) -> Option<String> {
        let FilesPane { tree, listing, .. } = &self.files;
        match context {
            Context::Tree => Some(visible(last_part(&tree.selected()?.place.path)).into_owned()),
            Context::List | Context::Grid | Context::Details => listing.in_hand(),
            _ => None,
        }
    }

    /// The kind of link that copying gives by default: a plain one works only for public files.
    fn link(&self) -> &'static str {
        let listing = &self.files.listing;
        let access = listing
            .current()
            .filter(|_| listing.marks.is_empty())
            .and_then(|row| row.access.as_ref());
        match access {
            Some(access) if access.is_public() => "Best link: plain (public)",
            Some(_) => "Best link: signed (not public)",
            None => "Best link: signed if not public",
        }
    }

    fn order(&self) -> Option<(Action, bool)> {
        match self.view {
            View::Files if self.focus != Pane::Tree => {
                let sort = if self.is_on_local() {
                    self.local_side.list.sort
                } else {
                    self.files.listing.list.sort
                };
                action_of(sort.key).map(|action| (action, sort.descending))
            }
            View::Limits => {
                let order = self.session.limits.order;
                let (action, descends) = match order.key {
                    LimitSortKey::Pressure => (Action::SortUsage, true),
                    LimitSortKey::Left => (Action::SortLeft, false),
                    LimitSortKey::Name => (Action::SortName, false),
                    LimitSortKey::Growth => (Action::SortGrowth, true),
                };
                Some((action, descends != order.is_reversed))
            }
            _ => None,
        }
    }
}

/// The group of most rows; on a tie, the first.
fn main_group(rows: &[(String, Action)]) -> &'static str {
    let count = |group: &str| {
        rows.iter()
            .filter(|(_, action)| action.group() == group)
            .count()
    };
    rows.iter()
        .map(|(_, action)| action.group())
        .rev()
        .max_by_key(|group| count(group))
        .unwrap_or_default()
}

fn title(group: &str) -> String {
    match group {
        "list" => "Sort".to_owned(),
        "move" => "Go".to_owned(),
        "share" => "Copy".to_owned(),
        "find" => "Quick searches".to_owned(),
        group => {
            let mut chars = group.chars();
            chars
                .next()
                .map(|first| first.to_uppercase().chain(chars).collect())
                .unwrap_or_default()
        }
    }
}
