//! What another process draws: documents page by page, SVG pictures, samples of fonts.

use super::model::{DocumentPage, NoPreview, Picture, Preview};
use crate::drawing::{DrawKind, DrawRequest, Drawer, Drawing, Undrawable};

/// Has the document drawn, as a preview.
pub(in crate::engine) async fn of_document(drawer: &Drawer, request: DrawRequest, bytes: Vec<u8>) -> Preview {
    match drawer.draw(request, bytes).await {
        Ok(Drawing { width, height, pages, rgba }) => {
            let picture = Picture { width, height, rgba: rgba.into() };
            match request.kind {
                DrawKind::Pdf => Preview::Page(DocumentPage {
                    picture,
                    // It may have fewer pages than it had.
                    number: request.page.min(pages.saturating_sub(1)),
                    count: pages,
                }),
                DrawKind::Svg | DrawKind::Font => Preview::Picture(picture),
            }
        }
        Err(Undrawable::TooMuch) => Preview::Nothing(NoPreview::TooLarge(None)),
        Err(Undrawable::TooSlow) => Preview::Nothing(NoPreview::TooSlow),
        Err(Undrawable::Damaged) => Preview::Nothing(NoPreview::Damaged),
        Err(Undrawable::Unavailable) => Preview::Nothing(NoPreview::Binary),
    }
}
