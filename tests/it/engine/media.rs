//! Previews of films and sound: the contents of their headers, wherever these are, and the limits
//! of damaged ones.

use std::time::Duration;

use filedeck::engine::preview::{MediaFacts, NoPreview, Preview};
use rstest::rstest;

use super::archives::host;
use super::preview::{look, look_into};
use super::*;

/// Two seconds of silence on two channels.
fn wav() -> Vec<u8> {
    let size = 8_000_u32 * 2 * 2 * 2;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((size + 36).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x02\0");
    bytes.extend(8_000_u32.to_le_bytes());
    bytes.extend(32_000_u32.to_le_bytes());
    bytes.extend(b"\x04\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.resize(bytes.len() + size as usize, 0);
    bytes
}

/// Frames of 128 kbit/s at 44.1 kHz, after a tag with this many bytes of cover art.
fn mp3(frames: usize, cover: usize) -> Vec<u8> {
    let mut bytes = b"ID3\x04\0\0".to_vec();
    bytes.extend([21, 14, 7, 0].map(|shift| u8::try_from(cover >> shift & 0x7f).unwrap()));
    bytes.resize(bytes.len() + cover, 0);
    for _ in 0..frames {
        let frame = bytes.len();
        bytes.extend([0xff, 0xfb, 0x90, 0xc0]);
        bytes.resize(frame + 417, 0);
    }
    bytes
}

fn atom(kind: &str, body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len() + 8).unwrap();
    [&size.to_be_bytes(), kind.as_bytes(), body].concat()
}

/// An hour of film whose headers come after its content.
fn film(content: usize) -> Vec<u8> {
    let mut header = vec![0; 100];
    header[12..16].copy_from_slice(&10_u32.to_be_bytes());
    header[16..20].copy_from_slice(&36_000_u32.to_be_bytes());
    let mut track = vec![0; 84];
    track[76..78].copy_from_slice(&1_280_u16.to_be_bytes());
    track[80..82].copy_from_slice(&720_u16.to_be_bytes());
    let movie = [atom("mvhd", &header), atom("trak", &atom("tkhd", &track))].concat();
    [
        atom("ftyp", b"isom\0\0\0\0mp41"),
        atom("mdat", &vec![1; content]),
        atom("moov", &movie),
    ]
    .concat()
}

#[rstest]
#[case::wav("a.wav", wav(), "WAV", 2.0, 8_000, 2)]
#[case::mp3("a.mp3", mp3(383, 0), "MP3", 10.0, 44_100, 1)]
#[case::mp3_with_a_cover("a.mp3", mp3(3_830, 700_000), "MP3", 100.0, 44_100, 1)]
#[tokio::test]
async fn sound_says_how_long_it_is(
    #[case] name: &str,
    #[case] bytes: Vec<u8>,
    #[case] codec: &str,
    #[case] seconds: f64,
    #[case] rate: u32,
    #[case] channels: u16,
) {
    let Preview::Media(facts) = look_into(name, &bytes, Access::Private).await else {
        panic!("no facts")
    };
    assert_eq!(
        (facts.codecs.as_slice(), facts.sample_rate, facts.channels),
        ([codec.to_owned()].as_slice(), Some(rate), Some(channels))
    );
    let length = facts.length.unwrap().as_secs_f64();
    assert!((length - seconds).abs() < seconds / 100.0, "{length}");
}

#[tokio::test]
async fn of_a_large_film_its_headers_are_fetched_wherever_they_stand() {
    let (files, mut engine, target) = host("mp4", film(30_000_000)).await;
    let expected = MediaFacts {
        length: Some(Duration::from_hours(1)),
        size: Some((1_280, 720)),
        ..MediaFacts::default()
    };
    assert_eq!(look(&mut engine, target).await, Preview::Media(expected));
    assert_eq!(files.seen().len(), 2);
}

#[tokio::test]
async fn what_is_damaged_or_something_else_is_words() {
    for (name, bytes) in [
        ("a.mp4", b"<html>".to_vec()),
        ("a.mp3", vec![7; 5_000]),
        ("a.ogg", b"OggS".repeat(500)),
    ] {
        assert_eq!(
            look_into(name, &bytes, Access::Private).await,
            Preview::Nothing(NoPreview::Damaged),
            "{name}"
        );
    }
    let (_service, mut engine, dir) = started().await;
    for (extension, whole) in [
        ("wav", wav()),
        ("mp3", mp3(3, 20)),
        ("flac", b"fLaC\x80\xff\xff\xff".to_vec()),
        ("mp4", film(50)),
    ] {
        for at in (0..whole.len().min(200)).step_by(9) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            for (part, bytes) in [("cut", &whole[..at]), ("damaged", &damaged)] {
                let name = format!("{part}-{at}.{extension}");
                let file = upload(
                    &mut engine,
                    &local(&dir, &name, bytes),
                    &FolderRef::root(),
                    Access::Private,
                )
                .await;
                let seen = look(
                    &mut engine,
                    filedeck::engine::preview::PreviewTarget::File(Box::new(file)),
                )
                .await;
                assert!(
                    matches!(seen, Preview::Media(_) | Preview::Nothing(_)),
                    "{name}: {seen:?}"
                );
            }
        }
    }
}
