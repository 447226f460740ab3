//! The dimensions of a video in an MP4 or `QuickTime` container, from its track headers, if they
//! are in the first bytes of the file. Nothing else is read, and no size is trusted
//! (`guarantees.md#headers-of-pictures-and-videos-are-not-believed`).

use mp4_atom::{Atom as _, DecodeMaybe as _, FourCC, Header, Moov, Tkhd, Trak};

/// Returns width and height in pixels of the first track that has any; `None` if the headers come
/// later.
pub(super) fn dimensions(head: &[u8]) -> Option<(u32, u32)> {
    let (_, movie) = atoms(head).find(|(kind, _)| *kind == Moov::KIND)?;
    atoms(movie)
        .filter(|(kind, _)| *kind == Trak::KIND)
        .find_map(|(_, track)| picture(track))
}

fn picture(track: &[u8]) -> Option<(u32, u32)> {
    let (_, mut header) = atoms(track).find(|(kind, _)| *kind == Tkhd::KIND)?;
    let header = Tkhd::decode_body(&mut header).ok()?;
    let (width, height) = (header.width.integer(), header.height.integer());
    (width > 0 && height > 0 && !header.size_is_aspect_ratio)
        .then_some((width.into(), height.into()))
}

/// Returns consecutive atoms, each with the part of its body that is in these bytes.
fn atoms(mut bytes: &[u8]) -> impl Iterator<Item = (FourCC, &[u8])> {
    std::iter::from_fn(move || {
        let header = Header::decode_maybe(&mut bytes).ok()??;
        let (body, rest) = bytes.split_at(header.size.unwrap_or(bytes.len()).min(bytes.len()));
        bytes = rest;
        Some((header.kind, body))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(kind: &str, body: &[u8]) -> Vec<u8> {
        let size = u32::try_from(body.len() + 8).unwrap();
        [&size.to_be_bytes(), kind.as_bytes(), body].concat()
    }

    fn track(width: u16, height: u16) -> Vec<u8> {
        let mut header = vec![0; 84];
        header[76..78].copy_from_slice(&width.to_be_bytes());
        header[80..82].copy_from_slice(&height.to_be_bytes());
        atom("trak", &atom("tkhd", &header))
    }

    fn video() -> Vec<u8> {
        let movie = [atom("mvhd", &[0; 100]), track(0, 0), track(1920, 1080)].concat();
        [
            atom("ftyp", b"isom\0\0\0\0mp41"),
            atom("free", b""),
            atom("moov", &movie),
        ]
        .concat()
    }

    #[test]
    fn the_first_track_with_a_picture_says_the_dimensions() {
        assert_eq!(dimensions(&video()), Some((1920, 1080)));
    }

    #[test]
    fn a_header_after_the_content_is_not_looked_for() {
        let mut later = atom("ftyp", b"isom\0\0\0\0mp41");
        later.extend(3_000_000_u32.to_be_bytes());
        later.extend(b"mdat");
        later.extend(video());
        assert_eq!(dimensions(&later), None);
    }

    #[test]
    fn tables_that_do_not_end_in_the_first_bytes_are_no_matter() {
        let mut video = video();
        let movie = video.windows(4).position(|kind| kind == b"moov").unwrap();
        // The atom claims a gigabyte more than there is.
        video[movie - 4..movie].copy_from_slice(&1_000_000_000_u32.to_be_bytes());
        assert_eq!(dimensions(&video), Some((1920, 1080)));
    }

    #[test]
    fn whatever_is_cut_or_flipped_it_neither_panics_nor_runs_on() {
        let video = video();
        for end in 0..video.len() {
            assert_eq!(dimensions(&video[..end]), None, "{end}");
        }
        for at in 0..video.len() {
            for value in [0, 1, 0xff] {
                let mut video = video.clone();
                video[at] = value;
                dimensions(&video);
            }
        }
    }
}
