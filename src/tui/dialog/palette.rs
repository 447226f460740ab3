//! Everything that can be done or gone to, in one list that typing narrows.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::filtered_list::{FilteredList, ListHead, Searched, UNFIT};
use super::hit_target::{DialogTarget, Drawn};
use super::modal::Modal;
use super::reply::{Intent, Reply};
use crate::api::text::visible;
use crate::engine::message::FolderRef;
use crate::tui::clocks::Clocks;
use crate::tui::keymap::Key;
use crate::tui::style::theme::Theme;
use crate::tui::widget::scroll::ListCursor;
use crate::tui::widget::{matched, text};

#[derive(Debug, Clone)]
pub struct CommandPalette {
    list: FilteredList,
    /// The items; the first one searches the whole account for the typed text and is the last row.
    items: Vec<PaletteItem>,
    /// The folders, perhaps tens of thousands: their rows follow those of the items, and are
    /// created when drawn.
    folders: Vec<FolderRef>,
}

/// Something to choose, with texts that are safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct PaletteItem {
    pub name: String,
    /// The object of the action.
    pub about: String,
    pub synonyms: &'static str,
    /// The keys that do the same; empty if there are none.
    pub keys: String,
    pub kind: &'static str,
    /// The rank; items of a lower one come first.
    pub rank: u8,
    /// Set if it cannot be done; `about` says why.
    pub is_grayed: bool,
    pub intent: Intent,
}

const WIDTH: u16 = 84;
/// The height in lines, with the field and the keys.
const LINES: usize = 20;
/// The cells for the word at the end of a row, with a gap before it.
const KIND: usize = 10;
const SEARCH: usize = 0;

impl CommandPalette {
    /// Creates the palette; `lack` is the remark on folders that are not known yet.
    pub fn new(items: Vec<PaletteItem>, folders: &[FolderRef], lack: &'static str) -> Self {
        let searched = |item: &PaletteItem| Searched {
            text: format!("{} {}", item.name, item.keys),
            synonyms: item.synonyms,
            rank: if item.is_grayed { UNFIT } else { item.rank },
        };
        let items: Vec<PaletteItem> = [PaletteItem::search("")].into_iter().chain(items).collect();
        let mut list = FilteredList::new(items.iter().map(searched).collect());
        list.show_last(SEARCH);
        let mut palette = Self {
            list,
            items,
            folders: Vec::new(),
        };
        palette.take_folders(folders, lack);
        palette
    }

    fn item(&self, index: usize) -> Option<PaletteItem> {
        let folder = |at| self.folders.get(at).map(PaletteItem::folder);
        if index == SEARCH {
            return Some(PaletteItem::search(self.list.typed.text().trim()));
        }
        self.items
            .get(index)
            .cloned()
            .or_else(|| index.checked_sub(self.items.len()).and_then(folder))
    }
}

impl PaletteItem {
    const RANK_OF_FOLDER: u8 = 2;

    /// Creates a row without keys and synonyms.
    pub fn plain(name: String, kind: &'static str, rank: u8, intent: Intent) -> Self {
        Self {
            name,
            about: String::new(),
            synonyms: "",
            keys: String::new(),
            kind,
            rank,
            is_grayed: false,
            intent,
        }
    }

    fn folder(place: &FolderRef) -> Self {
        let name = format!("Go to {}", visible(&place.path));
        Self::plain(
            name,
            "folder",
            Self::RANK_OF_FOLDER,
            Intent::Open(place.clone()),
        )
    }

    fn search(typed: &str) -> Self {
        let name = format!("Find \"{}\" in the whole account", visible(typed));
        Self::plain(name, "search", 0, Intent::FindTyped(typed.to_owned()))
    }

    /// Returns the words beside the name: `about`, or the synonym that a typed word begins and that
    /// the name lacks.
    fn aside(&self, typed: &str) -> &str {
        let (name, typed) = (self.name.to_lowercase(), typed.to_lowercase());
        let mut unnamed = typed
            .split_whitespace()
            .filter(|word| !name.contains(word) && !self.kind.contains(word));
        let synonym = unnamed.find_map(|word| {
            self.synonyms
                .split(' ')
                .find(|known| known.starts_with(word))
        });
        if self.is_grayed {
            &self.about
        } else {
            synonym.unwrap_or(&self.about)
        }
    }
}

impl Modal for CommandPalette {
    fn on_key(&mut self, key: Key, _: Clocks) -> Reply {
        match key.code {
            KeyCode::Esc => Reply::Closed,
            KeyCode::Enter => {
                let item = self.list.selected().and_then(|index| self.item(index));
                item.map_or(Reply::Open, |item| Reply::Accepted(item.intent))
            }
            _ => {
                self.list.on(key);
                Reply::Open
            }
        }
    }

    /// Runs the clicked row.
    fn on_click(&mut self, target: DialogTarget, _: bool, now: Clocks) -> Reply {
        let DialogTarget::Row(row) = target else {
            return Reply::Open;
        };
        self.list.cursor.go_to(row);
        self.on_key(Key::plain(KeyCode::Enter), now)
    }

    fn on_paste(&mut self, pasted: &str) {
        self.list.paste(pasted);
    }

    fn take_folders(&mut self, new: &[FolderRef], lack: &'static str) {
        let searched = |place: &FolderRef| Searched {
            text: format!("Go to {}", visible(&place.path)),
            synonyms: "",
            rank: PaletteItem::RANK_OF_FOLDER,
        };
        self.folders.extend_from_slice(new);
        self.list.extend(new.iter().map(searched));
        self.list.aside = lack;
    }

    fn draw(&self, screen: Rect, buf: &mut Buffer, theme: &Theme) -> Drawn {
        let hint = "an action, a folder, a file, an account";
        let head = ListHead {
            title: "Palette",
            noun: "choice",
            hint,
            width: WIDTH,
            lines: LINES,
        };
        let (mut pen, cursor) = self.list.open(head, screen, buf, theme);
        let keys = self
            .items
            .iter()
            .map(|item| text::width(&item.keys))
            .max()
            .unwrap_or(0)
            .min(pen.width() / 4);
        let names = pen.width().saturating_sub(keys + 2 + KIND);
        for (at, index) in self.list.visible(pen.left().saturating_sub(2), &mut pen) {
            let Some(item) = self.item(index) else {
                continue;
            };
            let is_cursor = at == self.list.cursor.at();
            let style = if is_cursor { theme.title } else { theme.text };
            let style = if item.is_grayed { theme.dim } else { style };
            let about = item.aside(self.list.typed.text());
            let about = match about {
                "" => String::new(),
                about if item.is_grayed => format!("  ({about})"),
                about => format!("  {about}"),
            };
            let name =
                text::truncate_middle(&item.name, names - text::width(&about).min(names / 2));
            // An item that cannot be chosen is quieter, and so is the word for its kind.
            let quiet = theme.dim.add_modifier(Modifier::UNDERLINED);
            let matched = if item.is_grayed { quiet } else { theme.matched };
            let mut spans = matched::spans(&name, &self.list.matched(&name), style, matched);
            spans.push(Span::styled(
                text::left(&about, names.saturating_sub(text::width(&name))),
                theme.dim,
            ));
            let key = if item.is_grayed {
                theme.dim
            } else {
                theme.cursor
            };
            spans.push(Span::styled(
                format!("  {}", text::right(&item.keys, keys)),
                key,
            ));
            spans.push(Span::raw(
                " ".repeat(KIND.saturating_sub(text::width(item.kind))),
            ));
            spans.extend(matched::spans(
                item.kind,
                &self.list.matched(item.kind),
                theme.dim,
                quiet,
            ));
            pen.target(DialogTarget::Row(at));
            pen.row(Line::from(spans), is_cursor);
        }
        pen.keys(&[
            ("type", "search"),
            ("↑↓", "move"),
            ("enter", "run"),
            ("esc", "close"),
        ]);
        pen.done(cursor)
    }

    fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        Some(&mut self.list.cursor)
    }
}
