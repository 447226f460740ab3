//! The contents of the sample library: single files and series from the manifest, with bytes that
//! are built in.

use std::cmp::Reverse;

use bytes::Bytes;
use jiff::SignedDuration;
use serde::Deserialize;

use crate::api::model::Access;
use crate::service::answer::error::ApiError;

const MANIFEST: &str = include_str!("../../../assets/sample/library.json");

/// The placeholder for the number of a file in a series, in its name and in the bytes of a text.
const NUMBER: &str = "{}";

macro_rules! sources {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../assets/sample/library/", $name)))),+]
    };
}

const SOURCES: &[(&str, &[u8])] = sources![
    "abstract.png",
    "agenda.md",
    "aurora.jpg",
    "bell.wav",
    "brand-guide.pdf",
    "budget.csv",
    "channels-chart.png",
    "customer-interviews.md",
    "deploy.yaml",
    "desk.log",
    "desk.toml",
    "favicon.ico",
    "harbour.jpg",
    "hero-banner.jpg",
    "hills-at-dawn.jpg",
    "index.html",
    "late-orders.sql",
    "launch-plan.md",
    "letter.docx",
    "lighthouse.gif",
    "logo-mono.png",
    "logo-white.png",
    "logo.png",
    "logo.svg",
    "meadow.webp",
    "night-city.jpg",
    "objections.csv",
    "orders-chart.png",
    "orders-export.csv",
    "panorama.jpg",
    "portrait-imre.png",
    "portrait-noor.png",
    "portrait-zoe.png",
    "poster.png",
    "press-kit.zip",
    "press-release.txt",
    "product-chair-1.jpg",
    "product-chair-2.jpg",
    "product-chair-3.jpg",
    "product-chair-4.jpg",
    "product-lamp-1.jpg",
    "product-lamp-2.jpg",
    "product-lamp-3.jpg",
    "product-lamp-4.jpg",
    "product-mug-1.jpg",
    "product-mug-2.jpg",
    "product-mug-3.jpg",
    "product-mug-4.jpg",
    "product-vase-1.jpg",
    "product-vase-2.jpg",
    "product-vase-3.jpg",
    "product-vase-4.jpg",
    "products.csv",
    "publish.sh",
    "receipt-long.txt",
    "receipt-return.txt",
    "receipt-short.txt",
    "receipt.csv",
    "revenue-chart.png",
    "screenshot.png",
    "sessions.tsv",
    "settings.json",
    "site.css",
    "site.ts",
    "skyscraper.png",
    "social-card.jpg",
    "spinner.gif",
    "sticker.png",
    "stock.py",
    "stock.xlsx",
    "supplier-contract.pdf",
    "teaser.mp4",
    "totals.rs",
    "venue.jpg",
    "welcome.txt",
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// Folders without files, parents first.
    folders: Vec<String>,
    files: Vec<SampleFile>,
    series: Vec<Series>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleFile {
    source: String,
    pub(super) folder: String,
    pub(super) name: String,
    pub(super) access: Access,
    /// The time since the file was added.
    pub(super) age: SignedDuration,
    pub(super) ttl: Option<String>,
    #[serde(skip)]
    number: Option<String>,
}

/// Numbered files, oldest first. Sources and access levels alternate; the extension is that of the
/// source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Series {
    sources: Vec<String>,
    folder: String,
    name: String,
    from: u32,
    count: u32,
    access: Vec<Access>,
    age: SignedDuration,
    /// The time between one file and the next.
    apart: SignedDuration,
    ttl: Option<String>,
}

/// Returns the folders without files, parents first, and all files, oldest first.
pub(super) fn library() -> Result<(Vec<String>, Vec<SampleFile>), ApiError> {
    let manifest: Manifest = serde_json::from_str(MANIFEST)
        .map_err(|error| ApiError::internal("read the sample library", &error))?;
    let mut files = manifest.files;
    files.extend(manifest.series.iter().flat_map(Series::files));
    files.sort_by_key(|file| Reverse(file.age));
    Ok((manifest.folders, files))
}

impl SampleFile {
    pub(super) fn bytes(&self) -> Result<Bytes, ApiError> {
        let source = SOURCES.iter().find(|(name, _)| *name == self.source);
        let (_, bytes) = source.ok_or_else(ApiError::defect)?;
        Ok(match (&self.number, std::str::from_utf8(bytes)) {
            (Some(number), Ok(text)) => text.replace(NUMBER, number).into(),
            _ => Bytes::from_static(bytes),
        })
    }
}

impl Series {
    fn files(&self) -> impl Iterator<Item = SampleFile> {
        let last = self.from + self.count.saturating_sub(1);
        let width = last.to_string().len();
        let turns = self.sources.iter().cycle().zip(self.access.iter().cycle());
        (self.from..=last)
            .zip(0_i32..)
            .zip(turns)
            .map(move |((number, at), (source, access))| {
                let number = format!("{number:0width$}");
                let extension = source
                    .rsplit_once('.')
                    .map_or("", |(_, extension)| extension);
                SampleFile {
                    source: source.clone(),
                    folder: self.folder.clone(),
                    name: format!("{}.{extension}", self.name.replace(NUMBER, &number)),
                    access: access.clone(),
                    age: self.age.saturating_sub(self.apart.saturating_mul(at)),
                    ttl: self.ttl.clone(),
                    number: Some(number),
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_manifest_the_sources_and_the_directory_name_the_same_files() {
        let (_, files) = library().unwrap();
        let listed: BTreeSet<_> = files.into_iter().map(|file| file.source).collect();
        let built_in: BTreeSet<_> = SOURCES.iter().map(|(name, _)| (*name).to_owned()).collect();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/library");
        let on_disk: BTreeSet<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(listed, built_in);
        assert_eq!(built_in, on_disk);
    }

    #[test]
    fn the_binary_does_not_grow_by_more_than_it_is_worth() {
        assert!(SOURCES.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 1_500_000);
    }

    #[test]
    fn files_of_a_series_differ_by_their_number() {
        let (_, files) = library().unwrap();
        let receipts: Vec<_> = files
            .iter()
            .filter(|file| file.name.starts_with("receipt "))
            .collect();
        assert_eq!(
            (receipts[0].name.as_str(), receipts[2].name.as_str()),
            ("receipt 001.txt", "receipt 003.csv")
        );
        assert!(
            receipts[0]
                .bytes()
                .unwrap()
                .windows(16)
                .any(|part| part == b"Receipt 001 of 2")
        );
        assert!(
            receipts.is_sorted_by(|before, after| before.age > after.age),
            "each came after the one before"
        );
        let contents: BTreeSet<_> = receipts.iter().map(|file| file.bytes().unwrap()).collect();
        assert_eq!(contents.len(), receipts.len());
    }
}
