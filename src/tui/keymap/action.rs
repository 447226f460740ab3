//! All actions that a key can have: one row each, in groups, with a word for hints and a
//! description. The order of the rows is the order of the help. Key files use the names in snake
//! case.

use strum::{Display, EnumString};

macro_rules! actions {
    ($([$group:literal] $($variant:ident, $hint:literal, $description:literal;)+)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString)]
        #[strum(serialize_all = "snake_case")]
        pub enum Action {
            $($(#[doc = $description] $variant,)+)+
        }

        impl Action {
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)+)+];

            /// A word or two for the hint line.
            pub fn hint(self) -> &'static str {
                match self { $($(Self::$variant => $hint,)+)+ }
            }

            pub fn description(self) -> &'static str {
                match self { $($(Self::$variant => $description,)+)+ }
            }

            /// The group in the help: one word.
            pub fn group(self) -> &'static str {
                match self { $($(Self::$variant => $group,)+)+ }
            }
        }
    };
}

actions! {
    ["move"]
    MoveDown, "down", "One row down";
    MoveUp, "up", "One row up";
    MoveTop, "top", "First row";
    MoveBottom, "bottom", "Last row; loads all of a long folder";
    HalfPageDown, "half page", "Half a page down";
    HalfPageUp, "half page", "Half a page up";
    PageDown, "page", "A page down";
    PageUp, "page", "A page up";
    Open, "open", "Open the folder, or show details";
    Leave, "up", "Go up a level, or back";
    HistoryBack, "back", "Back in the history";
    HistoryForward, "forward", "Forward in the history";
    GoRoot, "root", "Go to the root folder";
    GoPath, "path", "Go to a path";
    GoId, "id", "Go to a file or folder by its id";
    GoFolder, "its folder", "Go to the folder of the row";
    SetBookmark, "bookmark", "Bookmark this folder or search";
    Bookmarks, "bookmarks", "Open or remove a bookmark";
    MoveLeft, "left", "One picture to the left";
    MoveRight, "right", "One picture to the right";
    ["panes"]
    NextPane, "next pane", "Focus the next pane";
    PreviousPane, "previous pane", "Focus the previous pane";
    Zoom, "zoom", "Zoom the focused pane";
    ToggleTree, "tree", "Show or hide the folder tree";
    ToggleLocal, "this machine", "Show or close this machine's files";
    ToggleDetails, "details", "Show or hide the details";
    TogglePreview, "preview", "Show or hide the preview";
    ToggleGrid, "grid", "Show the list as pictures, or back";
    WidenPane, "wider", "Make this pane wider";
    NarrowPane, "narrower", "Make this pane narrower";
    RaiseStrip, "more tasks", "Make the tasks below the files higher";
    LowerStrip, "fewer tasks", "Make the tasks below the files lower";
    ResetPanes, "reset sizes", "Reset the sizes of the panes";
    ToggleSource, "source", "Show Markdown rendered, or its source";
    NextPage, "next page", "Next page of a document";
    PreviousPage, "previous page", "Previous page of a document";
    ScrollDown, "scroll", "Scroll the preview down";
    ScrollUp, "scroll up", "Scroll the preview up";
    ViewFiles, "files", "Files";
    ViewTasks, "tasks", "Tasks";
    ViewLimits, "limits", "Limits of the account";
    ViewActivity, "activity", "Activity of this session";
    ToggleTasks, "tasks", "Open or close the tasks";
    ToggleSame, "hide same", "Show or hide what is the same";
    ["find"]
    Filter, "filter", "Filter this list by name";
    Find, "find", "Find files and folders in the account";
    FindPublic, "public", "Public files";
    FindUnlisted, "unlisted", "Unlisted files";
    FindPrivate, "private", "Private files";
    FindExpiring, "expiring", "Files that expire in a week";
    FindLarge, "large", "Files larger than 1 MB";
    FindRecent, "recent", "Files changed in a week";
    FindDuplicates, "duplicates", "Duplicates by content";
    FileDuplicates, "its duplicates", "Find the duplicates of this file";
    SaveSearch, "save view", "Save this search as a view";
    SavedViews, "saved views", "Open or remove a saved view";
    Deletions, "deletions", "Deleted files, with receipts";
    UnsavedEdits, "unsaved edits", "Unsaved edits of texts";
    ["list"]
    SortName, "by name", "Sort by name";
    SortSize, "by size", "Sort by size";
    SortKind, "by kind", "Sort by kind";
    SortCreated, "by creation", "Sort by creation time";
    SortUpdated, "by update", "Sort by update time";
    SortExpires, "by expiry", "Sort by expiry";
    SortAccess, "by access", "Sort by access level";
    SortUsage, "by usage", "Sort by percentage used";
    SortLeft, "by remaining", "Sort by what remains";
    SortGrowth, "by growth", "Sort by growth";
    SortReverse, "reverse", "Reverse the order";
    ToggleHidden, "hidden", "Show or hide dot files";
    ["mark"]
    Mark, "mark", "Mark or unmark, and go down";
    MarkRange, "range", "Start or end a range of marks";
    MarkAll, "all", "Mark all";
    MarkInvert, "invert", "Invert the marks";
    Back, "back", "End filter, marks, cut, zoom, search, two lists";
    ["transfer"]
    Choose, "choose", "Choose the marks or this file; open this folder";
    Upload, "upload", "Upload files and folders of this machine";
    Compare, "compare", "Compare this machine's folder with the account's";
    MakeThereLikeHere, "sync up", "Bring the changes of this machine to the account";
    MakeHereLikeThere, "sync down", "Bring the changes of the account to this machine";
    Replace, "replace", "Replace the content; links stay";
    EditText, "edit", "Edit a text file in your editor";
    Save, "download", "Download into the local folder";
    SaveAs, "download to", "Download into another local folder";
    Import, "import", "Import files from addresses";
    ["change"]
    NewFolder, "new folder", "New folder; a/b/c creates the parents too";
    Rename, "rename", "Rename; several in your editor";
    Cut, "cut", "Cut, to move to another folder";
    Paste, "move here", "Move the cut items into this folder";
    EditAccess, "access", "Change access, expiry or use in content";
    Undo, "undo", "Undo the last rename, move or change of access";
    Delete, "delete", "Delete";
    Purge, "purge", "Delete permanently, for data protection";
    ["share"]
    LinkAuto, "link", "Copy a link, plain or signed";
    LinkUrl, "address", "Copy the plain link";
    LinkSigned, "signed", "Copy a signed link, for 1 hour";
    LinkSignedFor, "signed for", "Copy a custom-expiry signed link";
    LinkPath, "path", "Copy the path";
    LinkId, "id", "Copy the id";
    LinkName, "name", "Copy the name";
    LinkMarkdown, "markdown", "Copy a Markdown link";
    LinkHtml, "html", "Copy the HTML of a link or picture";
    LinkJson, "json", "Copy the details as JSON";
    LinkCurl, "curl", "Copy a curl command (no token)";
    Browse, "browser", "Open in the browser";
    CopyMessage, "copy", "Copy a message with its correlation id";
    ["limits"]
    CopyTable, "copy as table", "Copy as a tab-separated table";
    ExportTable, "write CSV", "Write a CSV file to the local folder";
    AllAccounts, "all accounts", "Show the fullest limit of each account";
    FromType, "associations", "Show the associations of an object type by its id";
    ["tasks"]
    Unfold, "unfold", "Unfold the task: show its items, or its details";
    Fold, "fold", "Fold the task: hide its items";
    CancelTask, "cancel", "Cancel the task or item, or stop watching it";
    PauseTask, "pause", "Pause or resume the task";
    RetryTask, "retry", "Retry or resume the task or item";
    RetryFailed, "retry all", "Retry everything that failed";
    AddressMap, "address map", "Write a CSV map of old and new addresses of copies";
    MoveTaskToTop, "to top", "Move the task to the top of the queue";
    PauseQueue, "pause all", "Pause or resume the whole queue";
    ServiceTask, "by id", "Show the status of a service task by its id";
    CopyTaskId, "task id", "Copy the id of the task at the service";
    LimitRate, "limit rate", "Limit the bytes a second of all transfers";
    ClearTasks, "clear done", "Clear finished tasks";
    ["filedeck"]
    Palette, "palette", "Search actions, folders, files and accounts";
    Settings, "settings", "Show and change settings";
    Themes, "theme", "Change the theme";
    Accounts, "accounts", "Switch accounts; add, edit or remove one";
    Refresh, "refresh", "Reload";
    ClearThumbnails, "clear thumbnails", "Clear thumbnails and kept names";
    Redraw, "redraw", "Redraw the screen";
    Suspend, "suspend", "Suspend filedeck";
    Tour, "tour", "Take the tour of the screen, in six steps";
    Help, "help", "Show the most used keys here, and all keys";
    Quit, "quit", "Quit; asks first if tasks are running";
    Interrupt, "quit", "Close the dialog, or ask to quit";
}

impl Action {
    /// The names that an action has in other programs.
    pub fn synonyms(self) -> &'static str {
        match self {
            Self::LinkAuto | Self::LinkUrl | Self::LinkSigned | Self::LinkSignedFor => "share",
            Self::EditAccess => {
                "publish permissions visibility sharing private public expire expires"
            }
            Self::Compare => "sync synchronize mirror same diff difference",
            Self::MakeThereLikeHere | Self::MakeHereLikeThere => "sync synchronize mirror alike",
            Self::ToggleGrid => "gallery grid thumbnails",
            Self::ToggleLocal => "dual two panes computer local disk",
            Self::WidenPane | Self::NarrowPane | Self::ResetPanes => {
                "resize width narrow wide columns"
            }
            Self::Upload => "publish send add",
            Self::Save | Self::SaveAs => "download get fetch",
            Self::Replace => "overwrite update",
            Self::Delete => "remove trash",
            Self::Purge => "erase gdpr",
            Self::Deletions => "restore undelete trash recover proof receipt privacy",
            Self::Undo => "revert back",
            Self::Settings => "preferences options configuration desktop-keys",
            Self::LimitRate => "bandwidth throttle speed",
            Self::Themes => "colors dark light appearance",
            Self::Accounts => "sign out log in logout login switch token",
            Self::NewFolder => "mkdir create directory",
            Self::Cut => "move",
            Self::Find => "search",
            Self::Help => "manual shortcuts keys",
            Self::Tour => "tutorial introduction guide start",
            Self::Quit => "exit",
            _ => "",
        }
    }

    /// Returns `true` for the keys of the cursor, which nobody looks up: lists show them last.
    pub fn moves_cursor(self) -> bool {
        self.group() == Self::Open.group()
    }
}
