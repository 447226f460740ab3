//! Everything that a key can mean: one row for each, in groups, with its name in the key file, a word for hints and a
//! description. The order of the rows is the order of the help.

macro_rules! actions {
    ($([$group:literal] $($variant:ident, $name:literal, $hint:literal, $description:literal;)+)+) => {
        /// What a key means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $($(#[doc = $description] $variant,)+)+
        }

        impl Action {
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)+)+];

            /// Its name in the key file; never changes.
            pub fn name(self) -> &'static str {
                match self { $($(Self::$variant => $name,)+)+ }
            }

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

            pub fn named(name: &str) -> Option<Self> {
                match name { $($($name => Some(Self::$variant),)+)+ _ => None }
            }
        }
    };
}

actions! {
    ["move"]
    MoveDown, "move_down", "down", "One row down";
    MoveUp, "move_up", "up", "One row up";
    MoveTop, "move_top", "top", "First row";
    MoveBottom, "move_bottom", "bottom", "Last row; loads all of a long folder";
    HalfPageDown, "half_page_down", "half page", "Half a page down";
    HalfPageUp, "half_page_up", "half page", "Half a page up";
    PageDown, "page_down", "page", "A page down";
    PageUp, "page_up", "page", "A page up";
    Open, "open", "open", "Open the folder, or show the details";
    Leave, "leave", "leave", "To the folder above; in the tree: close; in the limits: back to the lists";
    HistoryBack, "history_back", "back", "Back to the folder before";
    HistoryForth, "history_forth", "forth", "Forth again in the history";
    GoRoot, "go_root", "root", "Go to the root folder";
    GoPath, "go_path", "path", "Go to a path";
    GoId, "go_id", "id", "Go to a file or folder by its id";
    GoFolder, "go_folder", "its folder", "Go to the folder that holds the row, from a search";
    SetBookmark, "set_bookmark", "bookmark", "Bookmark where you are under a character";
    Bookmarks, "bookmarks", "bookmarks", "Go to a bookmark by its character, or remove one";
    ["panes"]
    NextPane, "next_pane", "next pane", "Focus the next pane";
    PreviousPane, "previous_pane", "pane before", "Focus the pane before";
    Zoom, "zoom", "zoom", "Whole screen for the focused pane, or not";
    ToggleTree, "toggle_tree", "tree", "Show or hide the folder tree";
    ToggleDetails, "toggle_details", "details", "Show or hide the details";
    TogglePreview, "toggle_preview", "preview", "Show or hide what is inside the file or folder";
    ResetPanes, "reset_panes", "usual sizes", "Panes as large as they are set, or as usual, whatever was dragged";
    ScrollDown, "scroll_down", "scroll", "Scroll the preview down";
    ScrollUp, "scroll_up", "scroll up", "Scroll the preview up";
    ViewFiles, "view_files", "files", "Files";
    ViewTasks, "view_tasks", "tasks", "Tasks";
    ViewLimits, "view_limits", "limits", "Limits of the account";
    ViewActivity, "view_activity", "activity", "What has happened in this run";
    ToggleTasks, "toggle_tasks", "tasks", "Open or close the tasks";
    ["find"]
    Filter, "filter", "filter", "Filter this list by name";
    Find, "find", "find", "Find files and folders of the whole account";
    FindPublic, "find_public", "public", "Public files";
    FindUnlisted, "find_unlisted", "unlisted", "Unlisted files";
    FindPrivate, "find_private", "private", "Private files";
    FindExpiring, "find_expiring", "expiring", "Files that expire in a week";
    FindLarge, "find_large", "large", "Files larger than 1 MB";
    FindRecent, "find_recent", "recent", "Files changed in a week";
    FindDuplicates, "find_duplicates", "duplicates", "Duplicates by content";
    KeepSearch, "keep_search", "keep", "Keep this search as a view";
    OwnViews, "own_views", "own views", "Open or remove a view kept";
    ["list"]
    SortName, "sort_name", "by name", "Sort by name";
    SortSize, "sort_size", "by size", "Sort by size";
    SortKind, "sort_kind", "by kind", "Sort by kind";
    SortCreated, "sort_created", "by creation", "Sort by creation time";
    SortUpdated, "sort_updated", "by update", "Sort by update time";
    SortPressure, "sort_pressure", "by pressure", "Sort by how full the limits are";
    SortLeft, "sort_left", "by what is left", "Sort by what is left";
    SortGrowth, "sort_growth", "by growth", "Sort by how fast they grow";
    SortReverse, "sort_reverse", "reverse", "Reverse the order";
    ["mark"]
    Mark, "mark", "mark", "Mark or unmark, and go down";
    MarkRange, "mark_range", "range", "Begin or end a range of marks";
    MarkAll, "mark_all", "all", "Mark all";
    MarkInvert, "mark_invert", "invert", "Invert the marks";
    Back, "back", "back", "Back out: filter, marks, cut, zoom";
    ["transfer"]
    Upload, "upload", "upload", "Upload local files and folders into this folder";
    Replace, "replace", "replace", "Put a local file's content under this file's id and address";
    EditText, "edit_text", "edit", "Edit a text in your editor, and replace it in place";
    Save, "save", "save", "Download into the local folder";
    SaveAs, "save_as", "save as", "Download into another local folder";
    Import, "import", "import", "Import files from addresses";
    ["change"]
    NewFolder, "new_folder", "new folder", "New folder; a/b/c makes the parents too";
    Rename, "rename", "rename", "Rename; what is marked, in your editor";
    Cut, "cut", "cut", "Cut, to move into another folder";
    Paste, "paste", "move here", "Move what was cut into this folder";
    EditAccess, "edit_access", "access", "Access level, expiry and use in content";
    Delete, "delete", "delete", "Delete";
    Deletions, "deletions", "deleted", "What was deleted from here, and the receipts of what was for good";
    Purge, "purge", "purge", "Delete permanently, for data protection";
    ["share"]
    LinkAuto, "link_auto", "link", "Copy a link, plain or signed";
    LinkUrl, "link_url", "address", "Copy the plain address";
    LinkSigned, "link_signed", "signed", "Copy a signed address, for 1 hour";
    LinkSignedFor, "link_signed_for", "signed for", "Copy a signed address for a period";
    LinkPath, "link_path", "path", "Copy the path";
    LinkId, "link_id", "id", "Copy the id";
    LinkName, "link_name", "name", "Copy the name";
    LinkMarkdown, "link_markdown", "markdown", "Copy a link in Markdown";
    LinkHtml, "link_html", "html", "Copy a link in HTML; of a picture, the picture";
    LinkJson, "link_json", "json", "Copy all that the service tells of the file, as JSON";
    LinkCurl, "link_curl", "curl", "Copy a curl command, without the token";
    Browse, "browse", "browser", "Open in the browser";
    ["limits"]
    CopyTable, "copy_table", "copy as table", "Copy what is shown as a table, with tabs between columns";
    ExportTable, "export_table", "write CSV", "Write the table into a new CSV file, in the local folder";
    FromType, "from_type", "from type", "Associations from an object type by its id";
    ["tasks"]
    Unfold, "unfold", "unfold", "List the items of the task; of one that has none, the details";
    Fold, "fold", "fold", "Hide the items of the task";
    CancelTask, "cancel_task", "cancel", "Cancel the task or the item, or stop watching it";
    PauseTask, "pause_task", "pause", "Pause the task, or go on with it";
    RetryTask, "retry_task", "retry", "Do the task or the item again, or go on with what waits";
    RetryFailed, "retry_failed", "retry all", "Do again all that failed";
    SoonerTask, "sooner_task", "sooner", "Put the task before all others";
    Drain, "drain", "drain", "Begin nothing new of any task, or go on";
    ServiceTask, "service_task", "by id", "How a task of the service stands, by its id";
    ClearTasks, "clear_tasks", "clear done", "Clear the tasks that have ended";
    ["filedeck"]
    Palette, "palette", "everything", "Everything: actions, folders, files, accounts";
    Settings, "settings", "settings", "Settings: what each is, where it comes from, and what may stand there";
    Accounts, "accounts", "accounts", "Go to another account";
    Refresh, "refresh", "refresh", "Read again what is on the screen";
    Redraw, "redraw", "redraw", "Draw the screen anew";
    Suspend, "suspend", "suspend", "Suspend filedeck";
    Help, "help", "help", "All keys, searchable";
    Quit, "quit", "quit", "Quit; asks only while tasks run";
    Interrupt, "interrupt", "quit", "Close the dialog, or ask to quit";
}
