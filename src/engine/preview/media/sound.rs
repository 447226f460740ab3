//! Facts of sound, from the headers of MP3, FLAC, WAV, AIFF, AAC and Ogg files. Tags and covers are
//! not read.

use std::time::Duration;

use lofty::config::ParseOptions;
use lofty::file::{AudioFile as _, FileType};
use lofty::probe::Probe;

use crate::engine::preview::model::MediaFacts;
use crate::engine::preview::partial_file::PartialFile;

const KNOWN: [(&str, FileType); 9] = [
    ("mp3", FileType::Mpeg),
    ("flac", FileType::Flac),
    ("wav", FileType::Wav),
    ("aif", FileType::Aiff),
    ("aiff", FileType::Aiff),
    ("aac", FileType::Aac),
    ("ogg", FileType::Vorbis),
    ("oga", FileType::Vorbis),
    ("opus", FileType::Opus),
];

pub(super) fn is_known(extension: &str) -> bool {
    kind(extension).is_some()
}

fn kind(extension: &str) -> Option<FileType> {
    KNOWN
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(extension))
        .map(|(_, kind)| *kind)
}

pub(super) fn facts(file: &PartialFile, extension: &str) -> Option<MediaFacts> {
    let options = ParseOptions::new().read_tags(false).read_cover_art(false);
    // An Ogg file may hold Vorbis, Opus or Speex.
    let probe = Probe::with_file_type(file.reader(), kind(extension)?)
        .options(options)
        .guess_file_type()
        .ok()?;
    let kind = probe.file_type()?;
    let read = probe.read().ok()?;
    let properties = read.properties();
    Some(MediaFacts {
        length: Some(properties.duration()).filter(|length| *length > Duration::ZERO),
        codecs: vec![name(kind).to_owned()],
        sample_rate: properties.sample_rate(),
        channels: properties.channels().map(u16::from),
        bit_rate: properties.audio_bitrate(),
        ..MediaFacts::default()
    })
}

fn name(kind: FileType) -> &'static str {
    match kind {
        FileType::Aac => "AAC",
        FileType::Aiff => "AIFF",
        FileType::Ape => "Monkey's Audio",
        FileType::Flac => "FLAC",
        FileType::Mpeg => "MP3",
        FileType::Mp4 => "MP4",
        FileType::Mpc => "Musepack",
        FileType::Opus => "Opus",
        FileType::Vorbis => "Vorbis",
        FileType::Speex => "Speex",
        FileType::Wav => "WAV",
        FileType::WavPack => "WavPack",
        _ => "sound",
    }
}
