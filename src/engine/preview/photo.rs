//! The metadata that a camera wrote into a picture: its name, when and where it was taken. Anyone
//! who has the file can read that, too.

use std::io::Cursor;

use exif::{DateTime, Exif, In, Reader, Tag, Value};

use super::model::PhotoFacts;
use crate::api::text::visible;

/// The most characters of a name.
const LONGEST: usize = 80;

/// Reads the facts from a picture or its beginning; `None` if there are none.
pub(super) fn facts(bytes: &[u8]) -> Option<PhotoFacts> {
    let read = Reader::new()
        .continue_on_error(true)
        .read_from_container(&mut Cursor::new(bytes));
    let exif = read
        .or_else(|error| error.distill_partial_result(|_| {}))
        .ok()?;
    let facts = PhotoFacts {
        camera: camera(&exif),
        taken: taken(&exif),
        place: place(&exif),
    };
    (facts != PhotoFacts::default()).then_some(facts)
}

/// Returns maker and model, or the model alone if it repeats the maker, as most do.
fn camera(exif: &Exif) -> Option<String> {
    let (make, model) = (text(exif, Tag::Make), text(exif, Tag::Model));
    match (make, model) {
        (Some(make), Some(model)) if !model.to_lowercase().starts_with(&make.to_lowercase()) => {
            Some(format!("{make} {model}"))
        }
        (make, model) => model.or(make),
    }
}

fn text(exif: &Exif, tag: Tag) -> Option<String> {
    let text = String::from_utf8_lossy(ascii(exif, tag)?)
        .chars()
        .take(LONGEST)
        .collect::<String>();
    let text = visible(text.trim()).into_owned();
    (!text.is_empty()).then_some(text)
}

fn ascii(exif: &Exif, tag: Tag) -> Option<&[u8]> {
    match &exif.get_field(tag, In::PRIMARY)?.value {
        Value::Ascii(texts) => texts.first().map(Vec::as_slice),
        _ => None,
    }
}

/// Returns the time by the camera's clock.
fn taken(exif: &Exif) -> Option<String> {
    let written = ascii(exif, Tag::DateTimeOriginal).or_else(|| ascii(exif, Tag::DateTime))?;
    let DateTime {
        year,
        month,
        day,
        hour,
        minute,
        ..
    } = DateTime::from_ascii(written).ok()?;
    (year > 0).then(|| format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"))
}

/// Returns degrees north and east.
fn place(exif: &Exif) -> Option<(f64, f64)> {
    let north = degrees(exif, Tag::GPSLatitude, Tag::GPSLatitudeRef, b"S")?;
    let east = degrees(exif, Tag::GPSLongitude, Tag::GPSLongitudeRef, b"W")?;
    (north.abs() <= 90.0 && east.abs() <= 180.0).then_some((north, east))
}

fn degrees(exif: &Exif, tag: Tag, side: Tag, negative: &[u8]) -> Option<f64> {
    let Value::Rational(parts) = &exif.get_field(tag, In::PRIMARY)?.value else {
        return None;
    };
    let of_a_degree = [1.0, 60.0, 3_600.0];
    let degrees: f64 = parts
        .iter()
        .zip(of_a_degree)
        .map(|(part, of)| part.to_f64() / of)
        .sum();
    let is_negative = ascii(exif, side).is_some_and(|side| side.starts_with(negative));
    degrees
        .is_finite()
        .then_some(if is_negative { -degrees } else { degrees })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hostile;

    /// A picture without pixels that has a maker and, optionally, GPS coordinates.
    fn photo(maker: &[u8], place: bool) -> Vec<u8> {
        let entry = |tag: u16, kind: u16, count: usize, value: u32| {
            let count = u32::try_from(count).unwrap();
            [
                &tag.to_be_bytes()[..],
                &kind.to_be_bytes(),
                &count.to_be_bytes(),
                &value.to_be_bytes(),
            ]
            .concat()
        };
        let at = |offset: usize| u32::try_from(offset).unwrap();
        // Two entries, their values, then the GPS directory.
        let values = 8 + 2 + 2 * 12 + 4;
        let places = values + maker.len() + maker.len() % 2;
        let numbers = places + 2 + 4 * 12 + 4;
        let mut bytes = b"MM\0\x2a\0\0\0\x08\0\x02".to_vec();
        bytes.extend(entry(0x010f, 2, maker.len(), at(values)));
        bytes.extend(entry(0x8825, 4, 1, if place { at(places) } else { 0 }));
        bytes.extend([0; 4]);
        bytes.extend(maker);
        bytes.resize(places, 0);
        bytes.extend([0, 4]);
        bytes.extend(entry(1, 2, 2, u32::from_be_bytes(*b"N\0\0\0")));
        bytes.extend(entry(2, 5, 3, at(numbers)));
        bytes.extend(entry(3, 2, 2, u32::from_be_bytes(*b"W\0\0\0")));
        bytes.extend(entry(4, 5, 3, at(numbers)));
        bytes.extend([0; 4]);
        for number in [48_u32, 30, 0] {
            bytes.extend(number.to_be_bytes());
            bytes.extend(1_u32.to_be_bytes());
        }
        let length = u16::try_from(bytes.len() + 8).unwrap();
        [
            b"\xff\xd8\xff\xe1",
            length.to_be_bytes().as_slice(),
            b"Exif\0\0",
            &bytes,
            b"\xff\xd9",
        ]
        .concat()
    }

    #[test]
    fn a_picture_says_by_what_and_where_it_was_taken() {
        let camera = Some("Acme\\u{1b}[2J One".to_owned());
        let facts = facts(&photo(b"Acme\x1b[2J One\0", true)).unwrap();
        assert_eq!(
            facts,
            PhotoFacts {
                camera,
                taken: None,
                place: Some((48.5, -48.5))
            }
        );
        assert_eq!(super::facts(&photo(b"Acme\0", false)).unwrap().place, None);
        assert_eq!(super::facts(b"\xff\xd8\xff\xd9"), None);
    }

    #[test]
    fn damaged_facts_never_panic() {
        let whole = photo(b"Acme\0", true);
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] = value;
                let _ = facts(&damaged);
            }
            let _ = facts(&whole[..at]);
        }
    }

    proptest! {
        #[test]
        fn hostile_facts_never_panic(bytes in hostile::bytes(vec![photo(b"Acme\0", true), photo(b"Acme One\0", false)])) {
            let _ = facts(&bytes);
        }
    }
}
