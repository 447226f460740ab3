//! Facts of films and sound in an MP4 or `QuickTime` container, from the headers of the movie and
//! its tracks, wherever they are in the file. No size in them is trusted.

use std::io;
use std::ops::Range;
use std::time::Duration;

use mp4_atom::{
    Atom as _, DecodeMaybe as _, FourCC, Hdlr, Header, Mdhd, Mdia, Minf, Moov, Mvhd, Stbl, Stsd,
    Tkhd, Trak,
};

use crate::api::text::visible;
use crate::engine::preview::model::MediaFacts;
use crate::engine::preview::partial_file::PartialFile;

/// The most atoms to look at in one container.
const MOST_ATOMS: usize = 64;
/// The most bytes of an atom to decode.
const MOST_BYTES: u64 = 4 * 1024;

const CODECS: [(&[u8; 4], &str); 17] = [
    (b"avc1", "H.264"),
    (b"avc3", "H.264"),
    (b"hvc1", "H.265"),
    (b"hev1", "H.265"),
    (b"av01", "AV1"),
    (b"vp08", "VP8"),
    (b"vp09", "VP9"),
    (b"mp4v", "MPEG-4"),
    (b"apch", "ProRes"),
    (b"apcn", "ProRes"),
    (b"mp4a", "AAC"),
    (b".mp3", "MP3"),
    (b"Opus", "Opus"),
    (b"fLaC", "FLAC"),
    (b"alac", "ALAC"),
    (b"ac-3", "AC-3"),
    (b"ec-3", "E-AC-3"),
];

/// The kind of an atom, and the range of its body.
type Atom = (FourCC, Range<u64>);

pub(super) fn facts(file: &PartialFile) -> Option<MediaFacts> {
    let (_, movie) = find(file, 0..file.size(), Moov::KIND).ok()??;
    let (mut facts, movie) = (MediaFacts::default(), atoms(file, movie).ok()?);
    for (kind, body) in movie {
        match kind {
            Mvhd::KIND => {
                let header = Mvhd::decode_body(&mut start(file, &body).ok()?).ok()?;
                facts.length = length(header.duration, header.timescale);
            }
            Trak::KIND => track(file, body, &mut facts).ok()?,
            _ => {}
        }
    }
    Some(facts)
}

fn length(units: u64, scale: u32) -> Option<Duration> {
    let millis = u128::from(units) * 1_000 / u128::from(scale).max(1);
    u64::try_from(millis)
        .ok()
        .filter(|millis| *millis > 0 && scale > 0)
        .map(Duration::from_millis)
}

fn track(file: &PartialFile, track: Range<u64>, facts: &mut MediaFacts) -> io::Result<()> {
    let parts = atoms(file, track)?;
    if let Some((_, body)) = parts.iter().find(|(kind, _)| *kind == Tkhd::KIND) {
        let header = Tkhd::decode_body(&mut start(file, body)?).map_err(io::Error::other)?;
        let (width, height) = (header.width.integer(), header.height.integer());
        if width > 0 && height > 0 && !header.size_is_aspect_ratio {
            facts.size.get_or_insert((width.into(), height.into()));
        }
    }
    let Some((_, media)) = parts.into_iter().find(|(kind, _)| *kind == Mdia::KIND) else {
        return Ok(());
    };
    let parts = atoms(file, media)?;
    let part = |wanted| parts.iter().find(|(kind, _)| *kind == wanted);
    if let (Some((_, body)), None) = (part(Mdhd::KIND), facts.length) {
        let header = Mdhd::decode_body(&mut start(file, body)?).map_err(io::Error::other)?;
        facts.length = length(header.duration, header.timescale);
    }
    let handler = part(Hdlr::KIND)
        .map(|(_, body)| start(file, body))
        .transpose()?
        .and_then(|body| body.get(8..12));
    let (Some((_, information)), Some(is_sound)) =
        (part(Minf::KIND), handler.map(|handler| handler == b"soun"))
    else {
        return Ok(());
    };
    if !is_sound && handler != Some(b"vide") {
        return Ok(());
    }
    let Some((_, table)) = find(file, information.clone(), Stbl::KIND)? else {
        return Ok(());
    };
    let Some((_, kinds)) = find(file, table, Stsd::KIND)? else {
        return Ok(());
    };
    // A version and a count, then an entry: its size, its codec, and its fields.
    let Some(entry) = start(file, &kinds)?.get(8..) else {
        return Ok(());
    };
    if let Some(name) = entry.get(4..).and_then(<[u8]>::first_chunk::<4>) {
        let known = CODECS
            .iter()
            .find(|(code, _)| *code == name)
            .map(|(_, name)| (*name).to_owned());
        facts
            .codecs
            .push(known.unwrap_or_else(|| visible(&String::from_utf8_lossy(name)).into_owned()));
    }
    let number = |at: usize| {
        entry
            .get(at..)
            .and_then(<[u8]>::first_chunk::<2>)
            .map(|bytes| u16::from_be_bytes(*bytes))
    };
    if is_sound && facts.channels.is_none() {
        facts.channels = number(24).filter(|channels| *channels > 0);
        facts.sample_rate = number(32).filter(|rate| *rate > 0).map(u32::from);
    }
    Ok(())
}

/// Finds the first atom of that kind. Atoms before it are skipped, however large they are.
fn find(file: &PartialFile, within: Range<u64>, wanted: FourCC) -> io::Result<Option<Atom>> {
    let mut at = within.start;
    for _ in 0..MOST_ATOMS {
        let Some((kind, body)) = atom(file, at, within.end)? else {
            break;
        };
        if kind == wanted {
            return Ok(Some((kind, body)));
        }
        at = body.end;
    }
    Ok(None)
}

fn atoms(file: &PartialFile, within: Range<u64>) -> io::Result<Vec<Atom>> {
    let (mut at, mut atoms) = (within.start, Vec::new());
    while let Some(found) = atom(file, at, within.end)?.filter(|_| atoms.len() < MOST_ATOMS) {
        at = found.1.end;
        atoms.push(found);
    }
    Ok(atoms)
}

fn atom(file: &PartialFile, at: u64, end: u64) -> io::Result<Option<Atom>> {
    let most = end.saturating_sub(at).min(16);
    let mut bytes = file.bytes(at..at.saturating_add(most))?;
    let Some(header) = Header::decode_maybe(&mut bytes).map_err(io::Error::other)? else {
        return Ok(None);
    };
    let start = at.saturating_add(most - bytes.len() as u64);
    let size = header.size.map_or(u64::MAX, |size| size as u64);
    Ok(Some((
        header.kind,
        start..start.saturating_add(size).min(end),
    )))
}

fn start<'a>(file: &'a PartialFile, body: &Range<u64>) -> io::Result<&'a [u8]> {
    file.bytes(body.start..body.end.min(body.start.saturating_add(MOST_BYTES)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(kind: &str, body: &[u8]) -> Vec<u8> {
        let size = u32::try_from(body.len() + 8).unwrap();
        [&size.to_be_bytes(), kind.as_bytes(), body].concat()
    }

    fn track(handler: [u8; 4], size: (u16, u16), entry: &[u8]) -> Vec<u8> {
        let mut header = vec![0; 84];
        header[76..78].copy_from_slice(&size.0.to_be_bytes());
        header[80..82].copy_from_slice(&size.1.to_be_bytes());
        let kinds = atom("stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1], entry].concat());
        let information = atom("minf", &atom("stbl", &kinds));
        let media = [
            atom("hdlr", &[&[0; 8], handler.as_slice(), &[0; 13]].concat()),
            information,
        ]
        .concat();
        atom(
            "trak",
            &[atom("tkhd", &header), atom("mdia", &media)].concat(),
        )
    }

    /// A film of 90 seconds with sound, with its headers at the end.
    fn film() -> Vec<u8> {
        let mut header = vec![0; 100];
        header[12..16].copy_from_slice(&600_u32.to_be_bytes());
        header[16..20].copy_from_slice(&54_000_u32.to_be_bytes());
        let mut sound = vec![0; 28];
        sound[17] = 2;
        sound[24..26].copy_from_slice(&48_000_u16.to_be_bytes());
        let movie = [
            atom("mvhd", &header),
            track(*b"vide", (1920, 1080), &atom("avc1", &[0; 70])),
            track(*b"soun", (0, 0), &atom("mp4a", &sound)),
        ];
        [
            atom("ftyp", b"isom\0\0\0\0mp41"),
            atom("mdat", &[0; 5_000]),
            atom("moov", &movie.concat()),
        ]
        .concat()
    }

    fn whole(bytes: &[u8]) -> PartialFile {
        let mut file = PartialFile::new(bytes.len() as u64);
        file.add(0, bytes.to_vec());
        file
    }

    #[test]
    fn headers_say_length_size_and_codecs_wherever_they_stand() {
        let expected = MediaFacts {
            length: Some(Duration::from_secs(90)),
            size: Some((1920, 1080)),
            codecs: vec!["H.264".to_owned(), "AAC".to_owned()],
            sample_rate: Some(48_000),
            channels: Some(2),
            bit_rate: None,
        };
        assert_eq!(facts(&whole(&film())), Some(expected));
    }

    #[test]
    fn whatever_is_cut_or_flipped_it_neither_panics_nor_runs_on() {
        let film = film();
        for end in (0..film.len()).step_by(3) {
            facts(&whole(&film[..end]));
        }
        for at in (0..60).chain(5_000..film.len()) {
            for value in [0, 1, 0xff] {
                let mut film = film.clone();
                film[at] = value;
                facts(&whole(&film));
            }
        }
    }
}
