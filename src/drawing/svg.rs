//! SVG pictures. What they name elsewhere, and pictures inside of them, are left out.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use super::request::{DrawRequest, Drawing};

pub(super) fn draw(bytes: &[u8], request: DrawRequest) -> Option<Drawing> {
    let image_href_resolver =
        ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let mut options = Options { image_href_resolver, ..Options::default() };
    // To look for fonts takes time.
    if memchr::memmem::find(bytes, b"<text").is_some() {
        options.fontdb_mut().load_system_fonts();
    }
    let tree = Tree::from_data(bytes, &options).ok()?;
    let size = tree.size();
    let (width, height, scale) = request.fit(size.width(), size.height())?;
    let mut pixmap = Pixmap::new(width, height)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Some(Drawing { width, height, pages: 1, rgba: pixmap.take_demultiplied() })
}
