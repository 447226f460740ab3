//! The keys that the help shows first: about twenty for each place, the most used on top. Typing finds all others.

use super::action::Action;
use super::context::Context;

impl Context {
    /// The actions that are used most in this place.
    pub fn useful(self) -> &'static [Action] {
        match self {
            Self::Global | Self::Files | Self::List => LIST,
            Self::Grid => GRID,
            Self::Tree => TREE,
            Self::Details => DETAILS,
            Self::Tasks => TASKS,
            Self::Limits => LIMITS,
            Self::Activity => ACTIVITY,
        }
    }
}

/// As many as a screen of 24 lines shows at once.
const LIST: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::Filter,
    Action::Find,
    Action::Mark,
    Action::Upload,
    Action::Save,
    Action::LinkAuto,
    Action::EditAccess,
    Action::Rename,
    Action::NewFolder,
    Action::Cut,
    Action::Delete,
    Action::SortName,
    Action::NextPane,
    Action::ToggleTasks,
    Action::Palette,
    Action::Quit,
];

const TREE: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::Find,
    Action::Upload,
    Action::NewFolder,
    Action::Rename,
    Action::Cut,
    Action::Paste,
    Action::Delete,
    Action::LinkPath,
    Action::GoPath,
    Action::SetBookmark,
    Action::Bookmarks,
    Action::NextPane,
    Action::ToggleTree,
    Action::ToggleTasks,
    Action::Palette,
    Action::Quit,
];

const GRID: &[Action] = &[
    Action::MoveLeft,
    Action::MoveRight,
    Action::Open,
    Action::Leave,
    Action::ToggleGrid,
    Action::Filter,
    Action::Find,
    Action::Mark,
    Action::MarkRange,
    Action::Upload,
    Action::Save,
    Action::LinkAuto,
    Action::EditAccess,
    Action::Rename,
    Action::Delete,
    Action::SortName,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
];

const DETAILS: &[Action] = &[
    Action::ScrollDown,
    Action::ScrollUp,
    Action::Zoom,
    Action::TogglePreview,
    Action::ToggleSource,
    Action::Save,
    Action::LinkAuto,
    Action::Browse,
    Action::EditAccess,
    Action::EditText,
    Action::Replace,
    Action::Rename,
    Action::FileDuplicates,
    Action::Delete,
    Action::Find,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
];

const TASKS: &[Action] = &[
    Action::Open,
    Action::Unfold,
    Action::Fold,
    Action::PauseTask,
    Action::CancelTask,
    Action::RetryTask,
    Action::RetryFailed,
    Action::MoveTaskToTop,
    Action::PauseQueue,
    Action::LimitRate,
    Action::ClearTasks,
    Action::ToggleTasks,
    Action::Find,
    Action::ViewFiles,
    Action::ViewLimits,
    Action::ViewActivity,
    Action::Palette,
    Action::Quit,
];

const LIMITS: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::SortUsage,
    Action::SortLeft,
    Action::SortGrowth,
    Action::SortReverse,
    Action::FromType,
    Action::CopyTable,
    Action::ExportTable,
    Action::LinkId,
    Action::ScrollDown,
    Action::NextPane,
    Action::Refresh,
    Action::Find,
    Action::ViewFiles,
    Action::ViewTasks,
    Action::Palette,
    Action::Quit,
];

const ACTIVITY: &[Action] = &[
    Action::MoveDown,
    Action::MoveUp,
    Action::MoveTop,
    Action::MoveBottom,
    Action::PageDown,
    Action::PageUp,
    Action::CopyMessage,
    Action::Find,
    Action::Deletions,
    Action::UnsavedEdits,
    Action::ViewFiles,
    Action::ViewTasks,
    Action::ViewLimits,
    Action::Accounts,
    Action::Settings,
    Action::Refresh,
    Action::Palette,
    Action::Quit,
];
