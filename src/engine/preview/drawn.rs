//! Previews that child processes draw: pictures, pages of documents, samples of fonts.

use super::model::{DocumentPage, NoPreview, Photo, Picture, Preview};
use super::{photo, work_limit};
use crate::drawing::{DrawKind, DrawRequest, Drawer, Drawing, PictureSource, Undrawable};

/// The longest edge in pixels of a picture, which the terminal scales up; the same as that of the
/// service's copies.
const MOST_EDGE: u32 = 1280;

pub(in crate::engine) async fn of_file(
    drawer: &Drawer,
    request: DrawRequest,
    bytes: &[u8],
) -> Preview {
    let mut turn = drawer.turn(request.kind).await;
    match turn.draw(request, bytes).await {
        Ok(Drawing {
            width,
            height,
            pages,
            rgba,
        }) => {
            let picture = Picture {
                width,
                height,
                rgba: rgba.into(),
            };
            match request.kind {
                DrawKind::Pdf => Preview::Page(DocumentPage {
                    picture,
                    // The file may have fewer pages than before.
                    number: request.page.min(pages.saturating_sub(1)),
                    count: pages,
                }),
                DrawKind::Picture | DrawKind::Svg | DrawKind::Font => Preview::Picture(picture),
            }
        }
        Err(Undrawable::TooMuch) => too_large(bytes),
        Err(Undrawable::TooSlow) => Preview::Nothing(NoPreview::TooSlow),
        Err(Undrawable::Damaged) => Preview::Nothing(NoPreview::Damaged),
        Err(Undrawable::Unavailable) => Preview::Nothing(NoPreview::Binary),
    }
}

/// Previews a picture of any format, scaled down to `room`, in pixels. `start` is the beginning of
/// the original file if these bytes are a copy.
pub(in crate::engine) async fn of_picture(
    drawer: &Drawer,
    bytes: Vec<u8>,
    start: Option<Vec<u8>>,
    room: (u32, u32),
) -> Preview {
    let room = (room.0.min(MOST_EDGE), room.1.min(MOST_EDGE));
    let request = DrawRequest {
        kind: DrawKind::Picture,
        room,
        page: 0,
    };
    match of_file(drawer, request, &bytes).await {
        Preview::Picture(picture) => {
            let facts = work_limit::work(work_limit::LIMIT, move || {
                photo::facts(&start.unwrap_or(bytes))
            });
            match facts.await {
                Ok(Some(facts)) => Preview::Photo(Photo { picture, facts }),
                Ok(None) | Err(_) => Preview::Picture(picture),
            }
        }
        other => other,
    }
}

/// Returns the refusal of a picture that has too many bytes or takes too much memory, with the size
/// that its header claims.
pub(in crate::engine) fn too_large(start: &[u8]) -> Preview {
    Preview::Nothing(NoPreview::TooLarge(
        PictureSource::read(start).ok().map(|source| source.size()),
    ))
}
