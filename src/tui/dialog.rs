//! The dialogs, one file each, and the type that holds any of them. Knows nothing of what is behind
//! them.

mod access;
mod account;
mod accounts;
mod all_limits;
mod choice_list;
mod completion;
mod confirm;
mod creation;
mod deletions;
mod edited_names;
mod field;
mod filtered_list;
mod form;
mod frame;
mod help;
mod hit_target;
mod import;
mod listed_line;
mod modal;
mod notice;
mod palette;
pub(super) mod path_matches;
mod plan;
mod prompt;
mod renames;
mod replacement;
mod reply;
mod settings;
mod sign;
mod themes;
mod tour;
mod unsaved_edits;
mod upload;

#[cfg(test)]
mod tests;

use std::ops::{Deref, DerefMut};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::clocks::Clocks;
use super::style::theme::Theme;

pub use access::Access;
pub use account::AccountForm;
pub use accounts::{AccountRow, AccountsDialog};
pub use all_limits::{AllLimits, FullestLimit};
pub use choice_list::{ChoiceList, ChoiceRow};
pub use confirm::{Confirm, ConfirmFocus, ConfirmNote, SizeCount, TypedConfirmation};
pub use deletions::Deletions;
pub use edited_names::{Named, Names};
pub use field::{Field, FieldValue, PathKind};
pub use form::{Form, FormReply};
pub use help::{Help, UsefulKeys};
pub use hit_target::{DialogTarget, Drawn};
pub use import::ImportDialog;
pub use modal::Modal;
pub use notice::{Followed, Notice};
pub use palette::{CommandPalette, PaletteItem};
pub use plan::{Plan, PlanSides};
pub use prompt::{Prompt, PromptPurpose};
pub use renames::Renames;
pub use replacement::{OTHER_EXTENSION, ReplaceDialog};
pub use reply::{Intent, PlannedJobs, Reply};
pub use settings::Settings;
pub use sign::Sign;
pub use themes::Themes;
pub use tour::{Tour, TourStep};
pub use unsaved_edits::UnsavedEditsDialog;
pub use upload::UploadDialog;

/// Defines the enum of all dialogs and its dispatch to each of them.
macro_rules! dialogs {
    ($($name:ident($dialog:ty),)*) => {
        /// A dialog on the stack; the last one is on top and receives the keys.
        #[derive(Debug, Clone)]
        pub enum Dialog {
            $($name($dialog),)*
        }

        impl Deref for Dialog {
            type Target = dyn Modal;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$name(dialog) => dialog,)*
                }
            }
        }

        impl DerefMut for Dialog {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    $(Self::$name(dialog) => dialog,)*
                }
            }
        }
    };
}

dialogs! {
    Confirm(Confirm),
    Upload(UploadDialog),
    Plan(Plan),
    Import(ImportDialog),
    Access(Access),
    Accounts(AccountsDialog),
    Account(AccountForm),
    AllLimits(AllLimits),
    Prompt(Prompt),
    Replace(ReplaceDialog),
    Sign(Sign),
    Notice(Notice),
    Help(Help),
    Palette(CommandPalette),
    Settings(Settings),
    Themes(Themes),
    Tour(Tour),
    Choice(ChoiceList),
    Renames(Renames),
    Deletions(Deletions),
    UnsavedEdits(UnsavedEditsDialog),
}

impl Dialog {
    /// Handles a click on a part of the dialog; a click on a key's name presses the key.
    pub fn click(&mut self, target: DialogTarget, is_double: bool, now: Clocks) -> Reply {
        match target {
            DialogTarget::Key(key) => self.on_key(key, now),
            target => self.on_click(target, is_double, now),
        }
    }

    /// The clickable parts, on a screen of this size.
    pub fn targets(&self, screen: Rect) -> Vec<(Rect, Option<DialogTarget>)> {
        self.draw(screen, &mut Buffer::empty(screen), &Theme::default())
            .targets
    }
}
