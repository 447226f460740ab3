//! The contexts of keys: bindings of a narrower context win over those of a wider one.

use strum::{Display, EnumString, VariantNames};

/// A group of bindings; its name in the key file is lowercase.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub enum Context {
    /// Everywhere, unless a dialog or a text field is open.
    Global,
    /// The files view, whichever pane has the focus.
    Files,
    Tree,
    List,
    /// The list, while it is a grid of pictures.
    Grid,
    /// The local list, and the details of its row.
    Local,
    /// The local list, while a dialog waits for the user's choice.
    Choose,
    Compare,
    Details,
    Tasks,
    Limits,
    Activity,
}

impl Context {
    /// This context and the wider ones around it, narrowest first.
    pub fn chain(self) -> &'static [Self] {
        match self {
            Self::Global => &[Self::Global],
            Self::Files => &[Self::Files, Self::Global],
            Self::Tree => &[Self::Tree, Self::Files, Self::Global],
            Self::List => &[Self::List, Self::Files, Self::Global],
            Self::Grid => &[Self::Grid, Self::List, Self::Files, Self::Global],
            Self::Local => &[Self::Local, Self::Global],
            Self::Choose => &[Self::Choose, Self::Local, Self::Global],
            Self::Compare => &[Self::Compare, Self::Global],
            Self::Details => &[Self::Details, Self::Files, Self::Global],
            Self::Tasks => &[Self::Tasks, Self::Global],
            Self::Limits => &[Self::Limits, Self::Global],
            Self::Activity => &[Self::Activity, Self::Global],
        }
    }
    /// The place in words, for lists of keys.
    pub fn place(self) -> &'static str {
        match self {
            Self::Global => "everywhere",
            Self::Files => "files",
            Self::Tree => "tree",
            Self::List => "list",
            Self::Grid => "grid",
            Self::Local => "this machine",
            Self::Choose => "choosing files",
            Self::Compare => "comparison",
            Self::Details => "details",
            Self::Tasks => "tasks",
            Self::Limits => "limits",
            Self::Activity => "activity",
        }
    }
}
