//! SVG pictures. Files that they refer to, and embedded pictures, are left out.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use super::request::{DrawRequest, Drawing};

pub(super) fn draw(bytes: &[u8], request: DrawRequest) -> Option<Drawing> {
    let image_href_resolver = ImageHrefResolver {
        resolve_data: Box::new(|_, _, _| None),
        resolve_string: Box::new(|_, _| None),
    };
    let mut options = Options {
        image_href_resolver,
        ..Options::default()
    };
    // Loading the fonts takes time.
    if memchr::memmem::find(bytes, b"<text").is_some() {
        load_fonts(options.fontdb_mut());
    }
    let tree = Tree::from_data(bytes, &options).ok()?;
    let size = tree.size();
    let (width, height, scale) = request.fit(size.width(), size.height())?;
    let mut pixmap = Pixmap::new(width, height)?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    Some(Drawing {
        width,
        height,
        pages: 1,
        rgba: pixmap.take_demultiplied(),
    })
}

/// Loads the system's fonts. The serif and sans-serif families fall back to the first font, if
/// there is any.
fn load_fonts(fonts: &mut Database) {
    fonts.load_system_fonts();
    let is_known = |family| {
        fonts
            .query(&Query {
                families: &[family],
                ..Query::default()
            })
            .is_some()
    };
    let known = [is_known(Family::Serif), is_known(Family::SansSerif)];
    let first = fonts
        .faces()
        .find_map(|face| face.families.first())
        .map(|(name, _)| name.clone());
    let Some(first) = first else { return };
    let [has_serif, has_sans_serif] = known;
    if !has_serif {
        fonts.set_serif_family(first.clone());
    }
    if !has_sans_serif {
        fonts.set_sans_serif_family(first);
    }
}
