//! The steps of a history: requests on a small library, chosen so that names, contents and times
//! collide often.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// The most steps of a history. Short ones are drawn too, and a failing one is minimized.
const LONGEST: usize = 75;

const FOLDERS: &[&str] = &["a", "b", "c"];
const PATHS: &[&str] = &["/a", "/a/b", "/b/c/a", "/c/é d"];
const STEMS: &[&str] = &["a", "a", "a-1", "é d"];
const EXTENSIONS: &[&str] = &["txt", "txt", "txt", ""];
const CONTENTS: &[&str] = &["one", "two", "three"];
const LEVELS: &[&str] = &["PUBLIC_INDEXABLE", "PUBLIC_NOT_INDEXABLE", "PRIVATE"];

/// A request, a wait or a restart. A number picks one of the present items: the n-th, modulo their
/// count.
#[derive(Debug, Clone)]
pub(super) enum Step {
    CreateFolder {
        parent: Place,
        name: &'static str,
    },
    ChangeFolder {
        folder: u8,
        name: Option<&'static str>,
        parent: Option<Place>,
    },
    DeleteFolder {
        folder: u8,
        by_path: bool,
    },
    Upload(Upload),
    Replace {
        file: u8,
        bytes: &'static str,
        access: &'static str,
        days: Option<u8>,
    },
    Patch {
        file: u8,
        change: Patch,
    },
    Delete {
        file: u8,
    },
    Erase {
        file: u8,
    },
    EraseDeleted {
        file: u8,
    },
    Wait {
        hours: u8,
    },
    WaitForExpiry {
        milliseconds_short: u8,
    },
    Restart,
}

#[derive(Debug, Clone)]
pub(super) enum Place {
    Root,
    Folder(u8),
    FolderByPath(u8),
    Path(&'static str),
    Missing,
}

#[derive(Debug, Clone)]
pub(super) struct Upload {
    pub(super) into: Place,
    pub(super) stem: &'static str,
    pub(super) extension: &'static str,
    pub(super) bytes: &'static str,
    pub(super) access: &'static str,
    pub(super) overwrite: Option<bool>,
    pub(super) scope: Option<&'static str>,
    pub(super) strategy: Option<&'static str>,
    pub(super) days: Option<u8>,
}

#[derive(Debug, Clone)]
pub(super) struct Patch {
    pub(super) stem: Option<&'static str>,
    pub(super) parent: Option<Place>,
    pub(super) access: Option<&'static str>,
    pub(super) usable: Option<bool>,
    pub(super) expiry: Option<Expiry>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Expiry {
    InHours(u8),
    Never,
}

pub(super) fn histories() -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 1..=LONGEST)
}

fn step() -> impl Strategy<Value = Step> {
    let days = || option::weighted(0.3, 1..4_u8);
    prop_oneof![
        3 => (place(), select(FOLDERS)).prop_map(|(parent, name)| Step::CreateFolder { parent, name }),
        3 => (pick(), option::of(select(FOLDERS)), option::of(place()))
            .prop_map(|(folder, name, parent)| Step::ChangeFolder { folder, name, parent }),
        1 => (pick(), any::<bool>()).prop_map(|(folder, by_path)| Step::DeleteFolder { folder, by_path }),
        14 => upload(days()).prop_map(Step::Upload),
        3 => (pick(), select(CONTENTS), select(LEVELS), days())
            .prop_map(|(file, bytes, access, days)| Step::Replace { file, bytes, access, days }),
        6 => (pick(), patch()).prop_map(|(file, change)| Step::Patch { file, change }),
        3 => pick().prop_map(|file| Step::Delete { file }),
        1 => pick().prop_map(|file| Step::Erase { file }),
        1 => pick().prop_map(|file| Step::EraseDeleted { file }),
        1 => (1..40_u8).prop_map(|hours| Step::Wait { hours }),
        2 => (0..=1_u8).prop_map(|milliseconds_short| Step::WaitForExpiry { milliseconds_short }),
        1 => Just(Step::Restart),
    ]
}

fn pick() -> impl Strategy<Value = u8> {
    0..12_u8
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        6 => Just(Place::Root),
        5 => pick().prop_map(Place::Folder),
        3 => pick().prop_map(Place::FolderByPath),
        4 => select(PATHS).prop_map(Place::Path),
        1 => Just(Place::Missing),
    ]
}

fn upload(days: impl Strategy<Value = Option<u8>>) -> impl Strategy<Value = Upload> {
    let names = (
        select(STEMS),
        select(EXTENSIONS),
        select(CONTENTS),
        select(LEVELS),
    );
    let rules = (
        option::of(any::<bool>()),
        option::of(select(&["ENTIRE_PORTAL", "EXACT_FOLDER"][..])),
        option::of(select(&["NONE", "REJECT", "RETURN_EXISTING"][..])),
    );
    (place(), names, rules, days).prop_map(
        |(into, (stem, extension, bytes, access), (overwrite, scope, strategy), days)| Upload {
            into,
            stem,
            extension,
            bytes,
            access,
            overwrite,
            scope,
            strategy,
            days,
        },
    )
}

fn patch() -> impl Strategy<Value = Patch> {
    let expiry = prop_oneof![(1..60_u8).prop_map(Expiry::InHours), Just(Expiry::Never)];
    (
        option::of(select(STEMS)),
        option::of(place()),
        option::weighted(0.3, select(LEVELS)),
        option::weighted(0.2, any::<bool>()),
        option::weighted(0.3, expiry),
    )
        .prop_map(|(stem, parent, access, usable, expiry)| Patch {
            stem,
            parent,
            access,
            usable,
            expiry,
        })
}
