//! Where a key is pressed: bindings of a narrower context win over those of a wider one.

/// A group of bindings in the key file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Everywhere, unless a dialog or a text field is open.
    Global,
    /// The files view, whichever pane has the focus.
    Files,
    Tree,
    List,
    Details,
    Tasks,
    Limits,
    Activity,
}

impl Context {
    pub const ALL: [Self; 8] =
        [Self::Global, Self::Files, Self::Tree, Self::List, Self::Details, Self::Tasks, Self::Limits, Self::Activity];

    /// Its name in the key file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Files => "files",
            Self::Tree => "tree",
            Self::List => "list",
            Self::Details => "details",
            Self::Tasks => "tasks",
            Self::Limits => "limits",
            Self::Activity => "activity",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }

    /// This context and those around it, narrowest first.
    pub fn chain(self) -> &'static [Self] {
        match self {
            Self::Global => &[Self::Global],
            Self::Files => &[Self::Files, Self::Global],
            Self::Tree => &[Self::Tree, Self::Files, Self::Global],
            Self::List => &[Self::List, Self::Files, Self::Global],
            Self::Details => &[Self::Details, Self::Files, Self::Global],
            Self::Tasks => &[Self::Tasks, Self::Global],
            Self::Limits => &[Self::Limits, Self::Global],
            Self::Activity => &[Self::Activity, Self::Global],
        }
    }
}
