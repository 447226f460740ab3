//! All filters: the values that each takes, and the words that complete it.

#[derive(Debug, Clone, Copy)]
pub(super) struct FilterName {
    pub(super) key: &'static str,
    /// The values allowed after the colon.
    pub(super) takes: &'static str,
    /// Values, or starts of some.
    pub(super) values: &'static [&'static str],
}

const fn filter(
    key: &'static str,
    takes: &'static str,
    values: &'static [&'static str],
) -> FilterName {
    FilterName { key, takes, values }
}

const NUMBERS: &[&str] = &[">", "<"];
const PAST: &[&str] = &["<1d", "<7d", "<30d", ">30d", ">1y"];
const AGES: &str =
    "<7d (newer), >7d (older), or a day such as >2026-11-01; units h d w m y, hours to years";

pub(super) const FILTERS: [FilterName; 18] = [
    filter("name", "part of a name", &[]),
    filter(
        "type",
        "image, document, audio, movie or other, or several: image,movie",
        &["image", "document", "audio", "movie", "other"],
    ),
    filter("ext", "an extension such as png, or several: png,jpg", &[]),
    filter(
        "size",
        ">1M, <=500K or exactly 412338; K, M and G are powers of 1000",
        &[">1M", ">10M", ">100M", "<100K"],
    ),
    filter(
        "access",
        "public, unlisted or private, or several: public,unlisted",
        &["public", "unlisted", "private"],
    ),
    filter("updated", AGES, PAST),
    filter(
        "before",
        "a day such as 2026-11-01, for the last change",
        &[],
    ),
    filter(
        "after",
        "a day such as 2026-11-01, for the last change",
        &[],
    ),
    filter("created", AGES, PAST),
    filter(
        "expires",
        "<7d (within), >7d (later), a day such as <2026-12-31, or never",
        &["<1d", "<7d", "<30d", ">30d", "never"],
    ),
    filter("in", "the path of a folder such as /marketing", &["/"]),
    filter(
        "is",
        "file, folder or duplicate",
        &["file", "folder", "duplicate"],
    ),
    filter("usable", "yes or no", &["yes", "no"]),
    filter("width", ">1000, <=800 or exactly 600, in pixels", NUMBERS),
    filter("height", ">1000, <=800 or exactly 600, in pixels", NUMBERS),
    filter("md5", "32 hexadecimal digits", &[]),
    filter("url", "the plain address of a file", &["https://"]),
    filter(
        "sort",
        "name, size, type, created, updated or expires; - before it reverses the order",
        &["name", "-size", "type", "-created", "-updated", "expires"],
    ),
];

/// Returns the single values of a filter, which may take several with commas between them.
pub(super) fn values<'a>(key: &str, value: &'a str) -> Vec<&'a str> {
    match key {
        "type" | "ext" | "access" => value.split(',').collect(),
        _ => vec![value],
    }
}

pub(super) fn named(key: &str) -> Option<&'static FilterName> {
    FILTERS.iter().find(|filter| filter.key == key)
}
