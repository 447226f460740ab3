//! Everything that a key can mean: one row for each, in groups, with a word for hints and a description. The order of the
//! rows is the order of the help. The name of a row, in snake case, stands in key files; it never changes.

use strum::{Display, EnumString};

macro_rules! actions {
    ($([$group:literal] $($variant:ident, $hint:literal, $description:literal;)+)+) => {
        /// What a key means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString)]
        #[strum(serialize_all = "snake_case")]
        pub enum Action {
            $($(#[doc = $description] $variant,)+)+
        }

        impl Action {
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)+)+];

            /// A word or two for the line of hints.
            pub fn hint(self) -> &'static str {
                match self { $($(Self::$variant => $hint,)+)+ }
            }

            /// What it does, for the help.
            pub fn description(self) -> &'static str {
                match self { $($(Self::$variant => $description,)+)+ }
            }

            /// The group that it stands in: a word.
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
    Open, "open", "Open the folder, or show the details";
    Leave, "leave", "To the folder above; in the tree: close; in the limits: back to the lists";
    HistoryBack, "back", "Back to the folder before";
    HistoryForth, "forth", "Forth again in the history";
    GoRoot, "root", "Go to the root folder";
    GoPath, "path", "Go to a path";
    GoId, "id", "Go to a file or folder by its id";
    GoFolder, "its folder", "Go to the folder that holds the row, from a search";
    SetBookmark, "bookmark", "Bookmark where you are under a character";
    Bookmarks, "bookmarks", "Go to a bookmark by its character, or remove one";
    ["panes"]
    NextPane, "next pane", "Focus the next pane";
    PreviousPane, "pane before", "Focus the pane before";
    Zoom, "zoom", "Whole screen for the focused pane, or not";
    ToggleTree, "tree", "Show or hide the folder tree";
    ToggleDetails, "details", "Show or hide the details";
    TogglePreview, "preview", "Show or hide what is inside the file or folder";
    ResetPanes, "usual sizes", "Panes as large as they are set, or as usual, whatever was dragged";
    ScrollDown, "scroll", "Scroll the preview down";
    ScrollUp, "scroll up", "Scroll the preview up";
    ViewFiles, "files", "Files";
    ViewTasks, "tasks", "Tasks";
    ViewLimits, "limits", "Limits of the account";
    ViewActivity, "activity", "What has happened in this run";
    ToggleTasks, "tasks", "Open or close the tasks";
    ["find"]
    Filter, "filter", "Filter this list by name";
    Find, "find", "Find files and folders of the whole account";
    FindPublic, "public", "Public files";
    FindUnlisted, "unlisted", "Unlisted files";
    FindPrivate, "private", "Private files";
    FindExpiring, "expiring", "Files that expire in a week";
    FindLarge, "large", "Files larger than 1 MB";
    FindRecent, "recent", "Files changed in a week";
    FindDuplicates, "duplicates", "Duplicates by content";
    KeepSearch, "keep", "Keep this search as a view";
    OwnViews, "own views", "Open or remove a view kept";
    ["list"]
    SortName, "by name", "Sort by name";
    SortSize, "by size", "Sort by size";
    SortKind, "by kind", "Sort by kind";
    SortCreated, "by creation", "Sort by creation time";
    SortUpdated, "by update", "Sort by update time";
    SortPressure, "by pressure", "Sort by how full the limits are";
    SortLeft, "by what is left", "Sort by what is left";
    SortGrowth, "by growth", "Sort by how fast they grow";
    SortReverse, "reverse", "Reverse the order";
    ["mark"]
    Mark, "mark", "Mark or unmark, and go down";
    MarkRange, "range", "Begin or end a range of marks";
    MarkAll, "all", "Mark all";
    MarkInvert, "invert", "Invert the marks";
    Back, "back", "Back out: filter, marks, cut, zoom";
    ["transfer"]
    Upload, "upload", "Upload local files and folders into this folder";
    Replace, "replace", "Put a local file's content under this file's id and address";
    EditText, "edit", "Edit a text in your editor, and replace it in place";
    KeptTexts, "edited texts", "Edited texts that are kept, because they did not come into their place";
    Save, "save", "Download into the local folder";
    SaveAs, "save as", "Download into another local folder";
    Import, "import", "Import files from addresses";
    ["change"]
    NewFolder, "new folder", "New folder; a/b/c makes the parents too";
    Rename, "rename", "Rename; what is marked, in your editor";
    Cut, "cut", "Cut, to move into another folder";
    Paste, "move here", "Move what was cut into this folder";
    EditAccess, "access", "Access level, expiry and use in content";
    Delete, "delete", "Delete";
    Deletions, "deleted", "What was deleted from here, and the receipts of what was for good";
    Purge, "purge", "Delete permanently, for data protection";
    ["share"]
    LinkAuto, "link", "Copy a link, plain or signed";
    LinkUrl, "address", "Copy the plain address";
    LinkSigned, "signed", "Copy a signed address, for 1 hour";
    LinkSignedFor, "signed for", "Copy a signed address for a period";
    LinkPath, "path", "Copy the path";
    LinkId, "id", "Copy the id";
    LinkName, "name", "Copy the name";
    LinkMarkdown, "markdown", "Copy a link in Markdown";
    LinkHtml, "html", "Copy a link or a picture in HTML";
    LinkJson, "json", "Copy the file's details as JSON";
    LinkCurl, "curl", "Copy a curl command without token";
    Browse, "browser", "Open in the browser";
    ["limits"]
    CopyTable, "copy as table", "Copy what is shown as a table, with tabs between columns";
    ExportTable, "write CSV", "Write the table into a new CSV file, in the local folder";
    FromType, "from type", "Associations from an object type by its id";
    ["tasks"]
    Unfold, "unfold", "List the items of the task; of one that has none, the details";
    Fold, "fold", "Hide the items of the task";
    CancelTask, "cancel", "Cancel the task or the item, or stop watching it";
    PauseTask, "pause", "Pause the task, or go on with it";
    RetryTask, "retry", "Do the task or the item again, or go on with what waits";
    RetryFailed, "retry all", "Do again all that failed";
    SoonerTask, "sooner", "Put the task before all others";
    Drain, "drain", "Begin nothing new of any task, or go on";
    ServiceTask, "by id", "How a task of the service stands, by its id";
    ClearTasks, "clear done", "Clear the tasks that have ended";
    ["filedeck"]
    Palette, "everything", "Everything: actions, folders, files, accounts";
    Settings, "settings", "Settings: what each is, where it comes from, and what may stand there";
    Accounts, "accounts", "Accounts: go to another, add, edit, remove";
    Refresh, "refresh", "Read again what is on the screen";
    Redraw, "redraw", "Draw the screen anew";
    Suspend, "suspend", "Suspend filedeck";
    Help, "help", "All keys, searchable";
    Quit, "quit", "Quit; asks only while tasks run";
    Interrupt, "quit", "Close the dialog, or ask to quit";
}
