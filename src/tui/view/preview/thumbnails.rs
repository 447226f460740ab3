//! Thumbnails of the newest pictures in a folder, side by side, with their names below. Each has its place before it comes.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::api::model::File;
use crate::api::text::visible;
use crate::engine::preview::{Picture, Preview};
use crate::tui::state::{PreviewKey, PreviewState, State, THUMBNAIL};
use crate::tui::style::theme::Theme;
use crate::tui::widget::picture;
use crate::tui::widget::text::truncate_middle;

const GAP: u16 = 1;
/// Rows of a thumbnail and its name.
pub(super) const ROWS: u16 = THUMBNAIL.1 + 1;

/// The places of those that fit into a strip.
fn places(strip: Rect, files: &[File]) -> impl Iterator<Item = (Rect, &File)> {
    let (width, height) = THUMBNAIL;
    let left = (strip.x..strip.right()).step_by(usize::from(width + GAP));
    let fitting = left.take_while(move |x| x + width <= strip.right());
    fitting.map(move |x| Rect { x, width, height, ..strip }).zip(files)
}

/// The pictures that have come, and where each is.
pub(super) fn seen<'a>(
    strip: Rect,
    files: &'a [File],
    state: &'a State,
) -> impl Iterator<Item = (PreviewKey, &'a Picture, Rect)> {
    places(strip, files).filter_map(|(place, file)| {
        let key = PreviewKey::thumbnail(file);
        let Some(PreviewState::Seen(Preview::Picture(seen))) = state.current.previews.of(&key) else { return None };
        Some((key, seen, picture::fit(seen, place, state.picture_support.cell())))
    })
}

pub(super) fn draw(frame: &mut Frame<'_>, strip: Rect, files: &[File], state: &State, theme: &Theme) {
    for (place, file) in places(strip, files) {
        frame.buffer_mut().set_style(place, theme.track);
        let is_over = state.current.previews.of(&PreviewKey::thumbnail(file)).is_some();
        if is_over {
            let row = Rect { y: place.y + place.height / 2, height: 1, ..place };
            frame.render_widget(Line::styled("no preview", theme.dim).centered(), row);
        }
        let name = visible(&file.full_name()).into_owned();
        let name = Line::styled(truncate_middle(&name, usize::from(place.width - GAP)).into_owned(), theme.dim);
        frame.render_widget(name, Rect { y: place.bottom(), height: 1, ..place });
    }
    for (_, seen, area) in seen(strip, files, state) {
        picture::draw(seen, area, theme, frame.buffer_mut());
    }
}
