//! The fields of a file or folder as labels and values that are safe to display. Absent fields are
//! omitted; on the whole screen, there are more fields and exact values.

use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use ratatui::style::Style;
use serde_json::{Map, Value};

use crate::api::ids::FolderId;
use crate::api::model::{Access, File, FileKind, Folder};
use crate::api::text::visible;
use crate::engine::message::FolderRef;
use crate::tui::keymap::{Action, Context};
use crate::tui::state::State;
use crate::tui::style::access;
use crate::tui::style::symbols::{BETWEEN, ELLIPSIS, TIMES};
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::wording::access as words;

/// One or more lines of the pane.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DetailField {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    /// Replacements for a value that does not fit, the longest first.
    pub(crate) shorter: Vec<String>,
    pub(crate) style: Style,
    /// Set if the start of a value that does not fit may be cut; otherwise it wraps.
    pub(crate) is_cut: bool,
}

impl DetailField {
    fn new(label: &'static str, value: impl Into<String>, style: Style) -> Self {
        Self {
            label,
            value: value.into(),
            shorter: Vec::new(),
            style,
            is_cut: false,
        }
    }

    fn cut(self) -> Self {
        Self {
            is_cut: true,
            ..self
        }
    }
}

pub(crate) fn of_file(file: &File, state: &State, theme: &Theme) -> Vec<DetailField> {
    let is_zoomed = state.panes.are_one();
    let text = |label, value: Option<&str>| {
        value.map(|value| DetailField::new(label, visible(value), theme.text))
    };
    let exact = |label, value: Option<&str>| text(label, value).filter(|_| is_zoomed);
    let pixels = file
        .width
        .zip(file.height)
        .map(|(width, height)| format!("{width} {TIMES} {height}"));
    let size = file.size.map(|size| match size {
        ..1000 => figures::count(usize::try_from(size).unwrap_or(0), "byte"),
        _ if is_zoomed => format!("{} bytes ({})", figures::grouped(size), figures::size(size)),
        _ => format!("{} bytes", figures::grouped(size)),
    });
    let kind = file.kind.as_ref().map(FileKind::as_str);
    let is_picture = file.kind == Some(FileKind::Image);
    let is_to_come = pixels.is_none() && is_picture && state.needs_details() == Some(&file.id);
    let pixels = pixels.or_else(|| is_to_come.then(|| ELLIPSIS.to_owned()));
    let usable = file.is_usable_in_content.map(|usable| {
        if usable {
            "in content"
        } else {
            "not in content"
        }
    });
    let is_public = file.access.as_ref().is_none_or(Access::is_public);
    // An additional row would shrink the preview.
    let signed = signed(file, state, theme).filter(|_| is_zoomed || !is_public);
    let link = address(file, state, theme).filter(|_| is_public || signed.is_none());
    // In search results, the folder identifies the file.
    let is_found = state.files.listing.of.query().is_some();
    let folder = file
        .path
        .as_deref()
        .and_then(|path| path.rsplit_once('/'))
        .map(|(folder, _)| folder);
    let folder = folder
        .filter(|_| is_found && !is_zoomed)
        .map(|folder| if folder.is_empty() { "/" } else { folder });
    let mut fields: Vec<DetailField> = [
        text("folder", folder),
        file.access.as_ref().map(|level| access_field(level, theme)),
        text("size", size.as_deref()),
        text("pixels", pixels.as_deref()),
        text("type", media_type(file).as_deref()).map(DetailField::cut),
        Some(expires(file.expires_at, state, theme)),
        signed,
        link,
        time("updated", file.updated_at, state, theme),
        time("created", file.created_at, state, theme),
        text("id", Some(file.id.as_str())),
        text("md5", file.file_md5.as_deref()).map(DetailField::cut),
        text("use", usable),
        exact("path", file.path.as_deref()).map(DetailField::cut),
        exact(
            "folder id",
            file.parent_folder_id.as_ref().map(FolderId::as_str),
        ),
        archived(file.archived, file.archived_at, state, theme),
    ]
    .into_iter()
    .flatten()
    .collect();
    fields.extend(text("category", kind));
    fields.extend(text("encoding", file.encoding.as_deref()));
    if is_zoomed {
        fields.extend(text("source", file.source_group.as_deref()));
        let hosting = file
            .default_hosting_url
            .as_deref()
            .filter(|hosting| Some(*hosting) != file.url.as_deref());
        fields.extend(
            hosting.map(|hosting| DetailField::new("hosting", visible(hosting), theme.link)),
        );
        fields.extend(unknown(&file.extra, theme));
    }
    fields
}

/// The fields of the open folder if its list has no rows.
pub(crate) fn of_place(place: &FolderRef, is_empty: bool, theme: &Theme) -> Vec<DetailField> {
    let items = is_empty.then(|| DetailField::new("items", "0", theme.text));
    let id = place
        .id
        .as_ref()
        .map(|id| DetailField::new("id", visible(id.as_str()), theme.text));
    [
        Some(DetailField::new("folder", visible(&place.path), theme.text).cut()),
        items,
        id,
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(crate) fn of_folder(
    folder: &Folder,
    path: &str,
    state: &State,
    theme: &Theme,
) -> Vec<DetailField> {
    let text = |label, value: &str| DetailField::new(label, visible(value), theme.text);
    let mut fields = vec![text("folder", path).cut()];
    fields.extend(time("updated", folder.updated_at, state, theme));
    fields.extend(time("created", folder.created_at, state, theme));
    fields.push(text("id", folder.id.as_str()));
    fields.extend(
        folder
            .parent_folder_id
            .as_ref()
            .map(|id| text("parent id", id.as_str())),
    );
    fields.extend(archived(folder.archived, folder.archived_at, state, theme));
    if state.panes.are_one() {
        fields.extend(unknown(&folder.extra, theme));
    }
    fields
}

fn access_field(level: &Access, theme: &Theme) -> DetailField {
    let style = access::style(Some(level), theme);
    match level {
        Access::Other(name) => DetailField::new(
            "access",
            format!("{}: {}", visible(name), words::meaning(level)),
            style,
        ),
        _ => DetailField {
            shorter: vec![words::word(Some(level)).to_owned()],
            ..DetailField::new("access", words::meaning(level), style)
        },
    }
}

/// `image/jpeg`, from the extension: the service provides only a category.
fn media_type(file: &File) -> Option<String> {
    let extension = file
        .extension
        .as_deref()
        .filter(|extension| !extension.is_empty())?;
    if ["ts", "mts", "cts"].contains(&extension) {
        // The extension is also that of MPEG streams, which are unlikely to be stored here.
        return Some("text/typescript".to_owned());
    }
    mime_guess::from_ext(extension)
        .first_raw()
        .map(str::to_owned)
}

/// The remaining validity of the signed address copied last; `None` once it has expired.
fn signed(file: &File, state: &State, theme: &Theme) -> Option<DetailField> {
    let until = *state.session.signed_until.get(&file.id)?;
    if until <= state.service_now().timestamp() {
        return None;
    }
    let value = format!("works for {}", figures::until(until, state.service_now()));
    let full = format!(
        "{value} {BETWEEN} {}",
        figures::date_time(until, &state.zone)
    );
    Some(DetailField {
        shorter: vec![value],
        ..DetailField::new("signed", full, theme.text)
    })
}

/// The plain address, or a hint if the file is not public.
fn address(file: &File, state: &State, theme: &Theme) -> Option<DetailField> {
    if file
        .access
        .as_ref()
        .is_some_and(|access| !access.is_public())
    {
        let link = state
            .keymap
            .key_of(Context::List, Action::LinkAuto)
            .unwrap_or_default();
        let value = format!("{link} copies a signed link");
        let shorter = vec![format!("{link}: signed link"), format!("signed: {link}")];
        return Some(DetailField {
            shorter,
            ..DetailField::new("link", value, theme.dim)
        });
    }
    file.url.as_deref().map(|url| {
        // It is copied unchanged, but displayed decoded, for people to read.
        let read = percent_decode_str(url).decode_utf8().unwrap_or(url.into());
        let url = visible(&read);
        let shown = if state.panes.are_one() {
            &url
        } else {
            url.trim_start_matches("https://")
                .trim_start_matches("http://")
        };
        DetailField::new("link", shown, theme.link).cut()
    })
}

/// `3h ago · 08-04 14:02`, or a shorter form.
fn time(
    label: &'static str,
    at: Option<Timestamp>,
    state: &State,
    theme: &Theme,
) -> Option<DetailField> {
    let (at, now) = (at?, state.service_now().timestamp());
    let ago = figures::ago(at, now);
    let exact = if state.panes.are_one() {
        figures::date_time(at, &state.zone)
    } else {
        figures::day_and_minute(at, now, &state.zone)
    };
    let shorter = vec![
        format!("{ago} {BETWEEN} {}", figures::date(at, &state.zone)),
        ago.clone(),
    ];
    Some(DetailField {
        shorter,
        ..DetailField::new(label, format!("{ago} {BETWEEN} {exact}"), theme.text)
    })
}

/// The time of archiving. Without one, yes or no, if the file is archived or the whole screen is
/// available.
fn archived(
    is_archived: bool,
    at: Option<Timestamp>,
    state: &State,
    theme: &Theme,
) -> Option<DetailField> {
    let yes_or_no = || {
        DetailField::new(
            "archived",
            if is_archived { "yes" } else { "no" },
            theme.text,
        )
    };
    time("archived", at, state, theme)
        .or_else(|| (is_archived || state.panes.are_one()).then(yes_or_no))
}

fn expires(at: Option<Timestamp>, state: &State, theme: &Theme) -> DetailField {
    let Some(at) = at else {
        return DetailField::new("expires", "never", theme.text);
    };
    let left = if at <= state.service_now().timestamp() {
        "past".to_owned()
    } else {
        format!("in {}", figures::until(at, state.service_now()))
    };
    let value = format!("{left} {BETWEEN} {}", figures::date_time(at, &state.zone));
    let shorter = vec![
        format!("{left} {BETWEEN} {}", figures::date(at, &state.zone)),
        left,
    ];
    DetailField {
        shorter,
        ..DetailField::new("expires", value, theme.warn)
    }
}

/// Fields that this version does not know, with the service's names.
fn unknown<'a>(
    extra: &'a Map<String, Value>,
    theme: &'a Theme,
) -> impl Iterator<Item = DetailField> + 'a {
    extra.iter().map(|(name, value)| {
        DetailField::new(
            "other",
            format!("{}: {}", visible(name), visible(&value.to_string())),
            theme.dim,
        )
    })
}
