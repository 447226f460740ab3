//! Turns bytes into a preview: text in colors, a table, or a picture. Fetches nothing: that is
//! `ops::preview`.

mod archive;
mod drawn;
mod highlight;
mod json;
mod kind;
mod markdown;
mod media;
mod model;
mod office;
mod partial_file;
mod photo;
mod table;
mod text;
mod work_limit;

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use archive::Archive;
pub(super) use drawn::{of_file, of_picture, too_large};
pub use kind::{OfficeKind, PreviewKind};
pub use model::{
    ArchiveContents, ArchiveEntry, Class, CutAt, DocumentPage, FolderContents, FolderFile, Line,
    MediaFacts, NoPreview, Photo, PhotoFacts, Picture, Preview, PreviewMarkdown, PreviewTable,
    PreviewTarget, PreviewText, WIDEST_CELL, over,
};
pub(super) use partial_file::PartialFile;

/// The time for coloring a text; well within the time limit of a preview.
const HIGHLIGHT_LIMIT: Duration = Duration::from_millis(1_200);

/// Previews the beginning of a file as text or as a table; `is_cut` is set if the file has more
/// bytes.
pub(super) async fn of_start(
    name: String,
    extension: String,
    bytes: Vec<u8>,
    is_cut: bool,
) -> Preview {
    let of = extension.clone();
    // The grammars are built in, so a hostile file cannot prolong this.
    let _ = tokio::task::spawn_blocking(highlight::load).await;
    let cut = is_cut.then_some(CutAt::Bytes(bytes.len() as u64));
    let read = work_limit::work(work_limit::LIMIT, move || {
        let decoded = text::decode(&bytes, is_cut)?;
        Some(match PreviewKind::of(&of, None) {
            PreviewKind::Table => PreviewFormat::Table(table::read(&decoded, &of, cut)),
            PreviewKind::Markdown => PreviewFormat::Markdown(
                markdown::render(&decoded),
                text::first_lines(&decoded, &of),
            ),
            _ => PreviewFormat::Lines(text::first_lines(&decoded, &of)),
        })
    });
    match read.await {
        Ok(Some(PreviewFormat::Table(table))) => Preview::Table(table),
        Ok(Some(PreviewFormat::Markdown((rendered, has_more), (lines, has_more_lines)))) => {
            let rendered = PreviewText::of(rendered, true, has_more, cut);
            let source = PreviewText::of(
                highlighted(lines, name, extension).await,
                true,
                has_more_lines,
                cut,
            );
            Preview::Markdown(PreviewMarkdown { rendered, source })
        }
        Ok(Some(PreviewFormat::Lines((lines, has_more)))) => {
            let is_prose = text::is_prose(&extension);
            let lines = highlighted(lines, name, extension).await;
            Preview::Text(PreviewText::of(lines, is_prose, has_more, cut))
        }
        Ok(None) => Preview::Nothing(NoPreview::Binary),
        Err(why) => Preview::Nothing(why),
    }
}

enum PreviewFormat {
    Table(PreviewTable),
    Markdown((Vec<Line>, bool), (Vec<String>, bool)),
    Lines((Vec<String>, bool)),
}

/// Returns the lines in colors, or plain if that takes too long.
async fn highlighted(lines: Vec<String>, name: String, extension: String) -> Vec<Line> {
    let lines: Arc<[String]> = lines.into();
    let shared = lines.clone();
    let work = work_limit::work(work_limit::LIMIT, move || {
        highlight::highlight(&shared, &name, &extension, Instant::now() + HIGHLIGHT_LIMIT)
    });
    work.await
        .unwrap_or_else(|_| lines.iter().map(|line| highlight::plain(line)).collect())
}

/// The result of looking into a file of which some parts have been fetched.
pub(super) enum PartialLook {
    Seen(Preview),
    /// These bytes must be fetched first.
    Lacks(PartialFile, Range<u64>),
}

/// Previews a file from the parts of it that have been fetched.
pub(super) async fn of_parts(
    file: PartialFile,
    kind: PreviewKind,
    extension: String,
) -> PartialLook {
    let look = work_limit::work(work_limit::LIMIT, move || {
        let seen = look(&file, kind, &extension);
        let lacking = file.lacking();
        (file, seen, lacking)
    });
    match look.await {
        Ok((file, _, Some(Ok(range)))) => PartialLook::Lacks(file, range),
        Ok((_, _, Some(Err(_)))) => PartialLook::Seen(Preview::Nothing(NoPreview::TooLarge(None))),
        Ok((_, Some(seen), None)) => PartialLook::Seen(seen),
        Ok((_, None, None)) => PartialLook::Seen(Preview::Nothing(NoPreview::Damaged)),
        Err(why) => PartialLook::Seen(Preview::Nothing(why)),
    }
}

fn look(file: &PartialFile, kind: PreviewKind, extension: &str) -> Option<Preview> {
    if kind == PreviewKind::Media {
        return media::facts(file, extension).map(Preview::Media);
    }
    let archive = Archive::open(file)?;
    let inside = match kind {
        PreviewKind::Office(OfficeKind::Document) => office::document(&archive),
        PreviewKind::Office(OfficeKind::Sheet) => office::sheet(&archive),
        PreviewKind::Office(OfficeKind::Slides) => office::slides(&archive),
        _ => None,
    };
    Some(inside.unwrap_or_else(|| Preview::Archive(archive.contents())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hostile;

    fn of_office(kind: OfficeKind) -> PreviewKind {
        PreviewKind::Office(kind)
    }

    fn samples() -> Vec<Vec<u8>> {
        [
            include_bytes!("../../assets/sample/library/letter.docx").to_vec(),
            include_bytes!("../../assets/sample/library/press-kit.zip").to_vec(),
        ]
        .to_vec()
    }

    proptest! {
        #[test]
        fn hostile_archives_are_refused_or_shown(
            bytes in hostile::bytes(samples()),
            kind in prop::sample::select(vec![
                PreviewKind::Archive,
                of_office(OfficeKind::Document),
                of_office(OfficeKind::Sheet),
                of_office(OfficeKind::Slides),
            ]),
        ) {
            let mut file = PartialFile::new(bytes.len() as u64);
            file.add(0, bytes);
            let _ = look(&file, kind, "zip");
            prop_assert_eq!(file.lacking(), None);
        }

        #[test]
        fn hostile_films_and_sound_are_refused_or_shown(
            bytes in hostile::bytes(vec![include_bytes!("../../assets/sample/library/bell.wav")[..4096].to_vec()]),
            extension in prop::sample::select(vec!["mp4", "wav", "mp3", "ogg", "flac"]),
        ) {
            let mut file = PartialFile::new(bytes.len() as u64);
            file.add(0, bytes);
            let _ = look(&file, PreviewKind::Media, extension);
        }
    }
}
