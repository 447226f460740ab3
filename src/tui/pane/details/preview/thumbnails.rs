//! Thumbnails of the newest pictures in a folder, with their names. Their space is reserved before
//! they arrive.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::api::model::File;
use crate::api::text::visible;
use crate::engine::preview::Picture;
use crate::tui::state::{PreviewKey, PreviewState, State, THUMBNAIL};
use crate::tui::style::theme::Theme;
use crate::tui::widget::picture;
use crate::tui::widget::text::truncate_middle;

const GAP: u16 = 1;
pub(crate) const ROWS: u16 = THUMBNAIL.1 + 1;

/// The places of the thumbnails that fit into a row.
fn places(row: Rect, files: &[File]) -> impl Iterator<Item = (Rect, &File)> {
    let (width, height) = THUMBNAIL;
    let left = (row.x..row.right()).step_by(usize::from(width + GAP));
    let fitting = left.take_while(move |x| x + width <= row.right());
    fitting
        .map(move |x| Rect {
            x,
            width,
            height,
            ..row
        })
        .zip(files)
}

/// The pictures that have arrived, and their areas.
pub(crate) fn seen<'a>(
    row: Rect,
    files: &'a [File],
    state: &'a State,
) -> impl Iterator<Item = (PreviewKey, &'a Picture, Rect)> {
    places(row, files).filter_map(|(place, file)| {
        let key = PreviewKey::thumbnail(file);
        let Some(PreviewState::Seen(preview)) = state.files.previews.of(&key) else {
            return None;
        };
        let seen = preview.picture()?;
        Some((
            key,
            seen,
            picture::fit(seen, place, state.picture_support.cell()),
        ))
    })
}

pub(crate) fn draw(frame: &mut Frame<'_>, row: Rect, files: &[File], state: &State, theme: &Theme) {
    for (place, file) in places(row, files) {
        let preview_state = state.files.previews.of(&PreviewKey::thumbnail(file));
        let is_picture = matches!(preview_state, Some(PreviewState::Seen(preview)) if preview.picture().is_some());
        if !is_picture {
            frame.buffer_mut().set_style(place, theme.track);
        }
        if preview_state.is_some() && !is_picture {
            let middle = Rect {
                y: place.y + place.height / 2,
                height: 1,
                ..place
            };
            frame.render_widget(Line::styled("no preview", theme.dim).centered(), middle);
        }
        let name = visible(&file.full_name()).into_owned();
        let name = Line::styled(
            truncate_middle(&name, usize::from(place.width - GAP)).into_owned(),
            theme.dim,
        );
        frame.render_widget(
            name,
            Rect {
                y: place.bottom(),
                height: 1,
                ..place
            },
        );
    }
    for (_, seen, area) in seen(row, files, state) {
        picture::draw(
            seen,
            area,
            state.picture_support.mosaic(),
            theme,
            frame.buffer_mut(),
        );
    }
}
