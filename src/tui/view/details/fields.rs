//! The fields of a file or a folder as labels and values, safe to show. Fields that are absent are left out.

use jiff::Timestamp;
use ratatui::style::Style;
use serde_json::{Map, Value};

use crate::api::ids::FolderId;
use crate::api::model::{Access, File, FileKind, Folder};
use crate::api::text::visible;
use crate::tui::keymap::{Action, Context};
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::view::access;
use crate::tui::widget::figures;

/// One line of the pane, or more.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) label: &'static str,
    pub(super) value: String,
    pub(super) style: Style,
}

pub(super) fn of_file(file: &File, state: &State, theme: &Theme) -> Vec<Field> {
    let text = |label, value: Option<&str>| {
        value.map(|value| Field { label, value: visible(value).into_owned(), style: theme.text })
    };
    let kind = [file.kind.as_ref().map(FileKind::as_str), file.encoding.as_deref()];
    let kind = kind.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let pixels = file.width.zip(file.height).map(|(width, height)| format!("{width} x {height}"));
    let size = file.size.map(|size| match size {
        ..1024 => format!("{size} B"),
        _ => format!("{} B ({})", figures::grouped(size), figures::size(size)),
    });
    let usable = file.is_usable_in_content.map(|usable| if usable { "in content" } else { "not in content" });
    let hosting = file.default_hosting_url.as_deref().filter(|hosting| Some(*hosting) != file.url.as_deref());
    let mut fields: Vec<Field> = [
        file.access.as_ref().map(|level| access_field(level, theme)),
        text("Size", size.as_deref()),
        text("Pixels", pixels.as_deref()),
        text("Type", Some(kind.as_str()).filter(|kind| !kind.is_empty())),
        text("Path", file.path.as_deref()),
        text("Id", Some(file.id.as_str())),
        text("Folder id", file.parent_folder_id.as_ref().map(FolderId::as_str)),
        text("MD5", file.file_md5.as_deref()),
        time("Created", file.created_at, state, theme),
        time("Updated", file.updated_at, state, theme),
        Some(expires(file.expires_at, state, theme)),
        text("Usable", usable),
        time("Archived", file.archived_at, state, theme),
        text("Source", file.source_group.as_deref()),
    ]
    .into_iter()
    .flatten()
    .collect();
    fields.extend(address(file, state, theme));
    fields.extend(hosting.map(|hosting| Field {
        label: "Hosting",
        value: visible(hosting).into_owned(),
        style: theme.link,
    }));
    fields.extend(unknown(&file.extra, theme));
    fields
}

pub(super) fn of_folder(folder: &Folder, path: &str, state: &State, theme: &Theme) -> Vec<Field> {
    let text = |label, value: &str| Field { label, value: visible(value).into_owned(), style: theme.text };
    let mut fields = vec![text("Folder", path), text("Id", folder.id.as_str())];
    fields.extend(folder.parent_folder_id.as_ref().map(|id| text("Inside", id.as_str())));
    fields.extend(time("Created", folder.created_at, state, theme));
    fields.extend(time("Updated", folder.updated_at, state, theme));
    fields.extend(time("Archived", folder.archived_at, state, theme));
    fields.extend(unknown(&folder.extra, theme));
    fields
}

fn access_field(level: &Access, theme: &Theme) -> Field {
    let value = match access::word(Some(level)) {
        "????" => format!("{}: {}", visible(level.as_str()), access::meaning(level)),
        word => format!("{word} {}", access::meaning(level)),
    };
    Field { label: "Access", value, style: access::style(Some(level), theme) }
}

/// The plain address, or why it answers nobody.
fn address(file: &File, state: &State, theme: &Theme) -> Option<Field> {
    if file.access.as_ref().is_some_and(|access| !access.is_public()) {
        let link = state.keymap.key_of(Context::List, Action::LinkAuto).unwrap_or_default();
        let value = format!("the plain address answers 404 while the file is private; {link} copies a signed one");
        return Some(Field { label: "Address", value, style: theme.warn });
    }
    file.url.as_deref().map(|url| Field { label: "Address", value: visible(url).into_owned(), style: theme.link })
}

fn time(label: &'static str, at: Option<Timestamp>, state: &State, theme: &Theme) -> Option<Field> {
    at.map(|at| {
        let value = format!("{} ({})", figures::date_time(at, &state.zone), figures::ago(at, state.now));
        Field { label, value, style: theme.text }
    })
}

fn expires(at: Option<Timestamp>, state: &State, theme: &Theme) -> Field {
    let (value, style) = match at {
        None => ("never".to_owned(), theme.text),
        Some(at) if at <= state.now => (format!("{} (past)", figures::date_time(at, &state.zone)), theme.warn),
        Some(at) => {
            let left = figures::until(at, state.now);
            (format!("{} (in {left}), then deleted for good", figures::date_time(at, &state.zone)), theme.warn)
        }
    };
    Field { label: "Expires", value, style }
}

/// Fields that this version does not know, as the service named them.
fn unknown<'a>(extra: &'a Map<String, Value>, theme: &'a Theme) -> impl Iterator<Item = Field> + 'a {
    extra.iter().map(|(name, value)| Field {
        label: "Other",
        value: format!("{}: {}", visible(name), visible(&value.to_string())),
        style: theme.dim,
    })
}
