//! A page of a PDF document, on white.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};

use super::request::{DrawRequest, Drawing};

pub(super) fn draw(bytes: &[u8], request: DrawRequest) -> Option<Drawing> {
    let pdf = Pdf::new(bytes.to_vec()).ok()?;
    let pages = pdf.pages();
    let count = u32::try_from(pages.len()).ok()?;
    let page = pages.get(usize::try_from(request.page.min(count.checked_sub(1)?)).ok()?)?;
    let (width, height) = page.render_dimensions();
    let (_, _, scale) = request.fit(width, height)?;
    let settings = PixmapSettings {
        x_scale: scale,
        y_scale: scale,
        bg_color: WHITE,
    };
    let (cache, interpreter) = (RenderCache::new(), InterpreterSettings::default());
    let pixmap = render(
        page,
        &cache,
        &interpreter,
        &RenderSettings::default(),
        &settings,
    );
    let (width, height) = (pixmap.width().into(), pixmap.height().into());
    // On a white background nothing is transparent, so premultiplied pixels are the same as
    // straight ones.
    Some(Drawing {
        width,
        height,
        pages: count,
        rgba: pixmap.data_as_u8_slice().to_vec(),
    })
}
