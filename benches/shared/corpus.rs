//! Pictures with many pixels or bytes: near the decoding limits, and far beyond them.

use image::{DynamicImage, ExtendedColorType as Colors, ImageFormat};
use jpeg_encoder::{JpegColorType, SamplingFactor};

use crate::large_pictures::{Jpeg, encoded, flat_png, png};

/// A picture with its unique file name.
pub(crate) type Named = (String, Vec<u8>);

pub(crate) fn large() -> Vec<Named> {
    let mut all = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| all.push((name.to_owned(), bytes));
    for (name, size) in [
        ("12mp", (4000, 3000)),
        ("24mp", (6000, 4000)),
        ("48mp", (8000, 6000)),
        ("square", (6600, 6600)),
    ] {
        for is_progressive in [false, true] {
            let sort = if is_progressive {
                "progressive"
            } else {
                "baseline"
            };
            let flat = Jpeg::flat(size.0, size.1, is_progressive);
            add(&format!("{sort}-{name}-flat.jpg"), flat.bytes());
            // About as many bytes per pixel as a photograph has.
            add(
                &format!("{sort}-{name}.jpg"),
                Jpeg { noise: 7, ..flat }.bytes(),
            );
        }
    }
    let jpeg = Jpeg::flat(6000, 4000, false);
    for is_progressive in [false, true] {
        let sort = if is_progressive {
            "progressive"
        } else {
            "baseline"
        };
        let jpeg = Jpeg {
            is_progressive,
            ..jpeg
        };
        add(
            &format!("{sort}-24mp-cmyk.jpg"),
            Jpeg {
                colors: JpegColorType::Cmyk,
                ..jpeg
            }
            .bytes(),
        );
        add(
            &format!("{sort}-24mp-444.jpg"),
            Jpeg {
                sampling: SamplingFactor::R_4_4_4,
                ..jpeg
            }
            .bytes(),
        );
    }
    let scans = Jpeg {
        sampling: SamplingFactor::F_4_1,
        size: (4000, 3000),
        ..jpeg
    };
    add("baseline-12mp-scan-each.jpg", scans.bytes());
    add(
        "baseline-24mp-scan-each.jpg",
        Jpeg {
            size: (6000, 4000),
            ..scans
        }
        .bytes(),
    );
    // Few pixels, but as many bytes as the largest source of a copy.
    let heavy = Jpeg {
        noise: 255,
        sampling: SamplingFactor::R_4_4_4,
        ..jpeg
    };
    add(
        "heavy.jpg",
        Jpeg {
            size: (3900, 3700),
            ..heavy
        }
        .bytes(),
    );
    add(
        "heavy-8mib.jpg",
        Jpeg {
            size: (2200, 2200),
            ..heavy
        }
        .bytes(),
    );
    add(
        "heavy-progressive.jpg",
        Jpeg {
            size: (3000, 3000),
            is_progressive: true,
            ..heavy
        }
        .bytes(),
    );

    for (name, side) in [("6600", 6600), ("48mib", 3540), ("88mib", 4800)] {
        add(
            &format!("rgba-{name}.png"),
            flat_png(side, side, Colors::Rgba8),
        );
    }
    for (name, side) in [("6600", 6600), ("48mib", 2500), ("88mib", 3390)] {
        add(
            &format!("rgba16-{name}.png"),
            flat_png(side, side, Colors::Rgba16),
        );
    }
    add(
        "noise.png",
        png(2400, 2400, Colors::Rgba8, &noise(2400 * 2400 * 4)),
    );
    // The first 7.5 MiB do not compress.
    let mut pixels = vec![0x99; 5540 * 5540 * 3];
    let random = noise(7 * 1024 * 1024 + 512 * 1024);
    pixels[..random.len()].copy_from_slice(&random);
    add(
        "rgb-88mib-noise.png",
        png(5540, 5540, Colors::Rgb8, &pixels),
    );
    pixels.truncate(4090 * 4090 * 3);
    add(
        "rgb-48mib-noise.png",
        png(4090, 4090, Colors::Rgb8, &pixels),
    );

    for (name, side) in [("5700", 5700), ("48mib", 2680), ("88mib", 3630)] {
        add(
            &format!("rgb-{name}.webp"),
            encoded(&DynamicImage::new_rgb8(side, side), ImageFormat::WebP),
        );
    }
    for (name, side) in [("48mib", 2500), ("88mib", 3390)] {
        add(
            &format!("rgba-{name}.webp"),
            encoded(&DynamicImage::new_rgba8(side, side), ImageFormat::WebP),
        );
    }
    for (name, side) in [("6600", 6600), ("48mib", 2500), ("88mib", 3390)] {
        add(
            &format!("{name}.gif"),
            encoded(&DynamicImage::new_rgb8(side, side), ImageFormat::Gif),
        );
    }
    for (name, format) in [("bmp", ImageFormat::Bmp), ("tiff", ImageFormat::Tiff)] {
        add(
            &format!("24mib.{name}"),
            encoded(&DynamicImage::new_rgb8(2890, 2890), format),
        );
        add(
            &format!("8mib.{name}"),
            encoded(&DynamicImage::new_rgb8(1660, 1660), format),
        );
    }
    all
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = 1_u64;
    let mut next = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33).to_le_bytes()[0]
    };
    std::iter::repeat_with(&mut next).take(length).collect()
}
