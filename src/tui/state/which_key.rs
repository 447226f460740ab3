//! What may follow the keys pressed so far: a menu with a title, in an order of its own. Says which order of the list is in
//! force; draws nothing.

use jiff::SignedDuration;

use super::limits::LimitSortKey;
use super::panes::{Pane, View};
use super::program::State;
use super::sorting::action_of;
use crate::tui::keymap::{Action, Context, spell};
use crate::tui::style::symbols::BETWEEN;

/// What may follow the keys pressed so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhichKey {
    /// The keys pressed so far.
    pub pressed: String,
    /// A word for what most of the rows do, and to what where it matters; safe to show.
    pub title: String,
    /// What is copied where a link is.
    pub link: &'static str,
    /// The rest of the keys, and what they do.
    pub rows: Vec<(String, Action)>,
    /// The action whose order is in force, and whether it descends.
    pub order: Option<(Action, bool)>,
}

/// Rests of a sequence are shown after this long.
pub(super) const WHICH_KEY_AFTER: SignedDuration = SignedDuration::from_millis(300);

impl State {
    /// The box of what may follow, once the user has waited for it.
    pub fn which_key(&self) -> Option<WhichKey> {
        let since = self.pending_since.filter(|_| !self.pending.is_empty())?;
        if self.now.duration_since(since) < WHICH_KEY_AFTER {
            return None;
        }
        let mut rows = self.keymap.continuations(self.context(), &self.pending);
        let is_on_folder = self.is_on_folder();
        rows.retain(|(_, action)| !is_on_folder || !action.is_for_files());
        let group = main_group(&rows);
        rows.sort_by_key(|(_, action)| match action {
            Action::GoRoot => 0,
            Action::GoPath => 1,
            Action::FileDuplicates => 4,
            action if action.group() == group => 2,
            _ => 3,
        });
        let title = match self.in_hand().filter(|_| group == "share") {
            Some(name) => format!("{} {BETWEEN} {name}", title(group)),
            None => title(group),
        };
        Some(WhichKey { pressed: spell(&self.pending), title, link: self.link(), rows, order: self.order() })
    }

    /// What keys of the list act on, safe to show.
    fn in_hand(&self) -> Option<String> {
        if !matches!(self.context(), Context::List | Context::Grid | Context::Details) {
            return None;
        }
        let listing = &self.current.listing;
        match listing.marks.len() {
            0 => listing.current().map(|row| row.name.to_string()),
            marked => Some(format!("{marked} marked")),
        }
    }

    /// The link that copying gives by itself: a plain one opens only what is public.
    fn link(&self) -> &'static str {
        let listing = &self.current.listing;
        let access = listing.current().filter(|_| listing.marks.is_empty()).and_then(|row| row.access.as_ref());
        match access {
            Some(access) if access.is_public() => "Best link: plain (public)",
            Some(_) => "Best link: signed (not public)",
            None => "Best link: signed if not public",
        }
    }

    fn order(&self) -> Option<(Action, bool)> {
        match self.view {
            View::Files if self.focus != Pane::Tree => {
                let sort = if self.is_on_local() { self.local_side.sort } else { self.current.listing.sort };
                action_of(sort.key).map(|action| (action, sort.descending))
            }
            View::Limits => {
                let order = self.current.limits.order;
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

/// The group that most rows are of; of several, the one that comes first.
fn main_group(rows: &[(String, Action)]) -> &'static str {
    let count = |group: &str| rows.iter().filter(|(_, action)| action.group() == group).count();
    rows.iter().map(|(_, action)| action.group()).rev().max_by_key(|group| count(group)).unwrap_or_default()
}

fn title(group: &str) -> String {
    match group {
        "list" => "Sort".to_owned(),
        "move" => "Go".to_owned(),
        "share" => "Copy".to_owned(),
        "find" => "Quick searches".to_owned(),
        group => {
            let mut chars = group.chars();
            chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
        }
    }
}
