//! Office documents, spreadsheets and slides: ZIP archives of XML, of which only the parts with
//! text are read.

mod paragraphs;
mod sheet;
mod xml;

use super::archive::Archive;
use super::model::{Class, Line, Preview, PreviewText};

const DOCUMENT: &str = "word/document.xml";
const MOST_SLIDES: usize = 8;

/// Returns the text of a document; `None` if the archive holds no readable one.
pub(super) fn document(archive: &Archive<'_>) -> Option<Preview> {
    let part = archive.part(DOCUMENT)?;
    let (lines, is_cut) = paragraphs::read(&part.text)?;
    Some(Preview::Text(PreviewText::of(
        lines,
        true,
        is_cut || part.is_cut,
        None,
    )))
}

pub(super) fn sheet(archive: &Archive<'_>) -> Option<Preview> {
    sheet::first(archive).map(Preview::Table)
}

pub(super) fn slides(archive: &Archive<'_>) -> Option<Preview> {
    let number = |name: &str| {
        name.strip_prefix("ppt/slides/slide")?
            .strip_suffix(".xml")?
            .parse::<u32>()
            .ok()
    };
    let mut numbers: Vec<u32> = archive.names().filter_map(number).collect();
    numbers.sort_unstable();
    let (mut all, mut has_more): (Vec<Line>, bool) = (Vec::new(), numbers.len() > MOST_SLIDES);
    for number in numbers.into_iter().take(MOST_SLIDES) {
        let part = archive.part(&format!("ppt/slides/slide{number}.xml"))?;
        let (lines, is_cut) = paragraphs::read(&part.text)?;
        if !all.is_empty() {
            all.push(Vec::new());
        }
        all.push(vec![(Class::Comment, format!("Slide {number}"))]);
        all.extend(lines);
        has_more |= is_cut || part.is_cut;
    }
    (!all.is_empty()).then(|| Preview::Text(PreviewText::of(all, true, has_more, None)))
}
