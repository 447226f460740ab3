//! A folder of the sample library as the README shows it: the cursor on a picture, two marks,
//! running tasks.

use std::fs;
use std::io::Cursor;

use filedeck::api::ids::FileId;
use filedeck::api::model::{Access, FileKind};
use filedeck::engine::message::Entry;
use filedeck::engine::preview::{Picture, Preview};
use filedeck::tui::state::{PreviewKey, PreviewState, State};
use jiff::SignedDuration;
use serde_json::Value;

use super::library::{browsing, file, folder, listing, now, place, with_tasks};

const PICTURE: &str = "hills at dawn.jpg";

fn source(name: &str) -> Vec<u8> {
    fs::read(format!(
        "{}/assets/sample/library/{name}",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap()
}

fn files() -> Vec<Entry> {
    let manifest: Value =
        serde_json::from_str(include_str!("../../../assets/sample/library.json")).unwrap();
    let is_here = |sample: &&Value| sample["folder"] == place().path;
    let mut here: Vec<&Value> = manifest["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(is_here)
        .collect();
    here.sort_by_key(|sample| sample["name"].as_str().unwrap());
    let entry = |(number, sample): (usize, &Value)| {
        let text = |field: &str| sample[field].as_str().unwrap();
        let access: Access = serde_json::from_value(sample["access"].clone()).unwrap();
        let bytes = source(text("source"));
        let age: SignedDuration = text("age").parse().unwrap();
        let mut file = file(
            text("name"),
            &access,
            bytes.len().try_into().unwrap(),
            age.as_hours(),
        );
        file.id = FileId::new(format!("8{number:02}"));
        file.expires_at = sample["ttl"].as_str().map(|ttl| {
            let days: i64 = ttl.trim_matches(['P', 'D']).parse().unwrap();
            now() + SignedDuration::from_hours(24 * days)
        });
        let size = image::ImageReader::new(Cursor::new(bytes))
            .with_guessed_format()
            .unwrap()
            .into_dimensions();
        (file.width, file.height) = size.ok().unzip();
        file.created_at = file.updated_at;
        file.kind = match text("source").rsplit_once('.').unwrap().1 {
            "mp4" => Some(FileKind::Movie),
            _ if file.width.is_some() => Some(FileKind::Image),
            _ => file.kind,
        };
        Entry::File(file)
    };
    here.into_iter().enumerate().map(entry).collect()
}

pub(super) fn showcase() -> State {
    let mut state = browsing();
    let mut entries = vec![Entry::Folder(folder("901", "/marketing/q3-launch/banners"))];
    entries.extend(files());
    state.files.listing = listing(entries, false);
    let row = |state: &State, name: &str| {
        (0..state.files.listing.len())
            .find(|at| state.files.listing.at(*at).unwrap().1.name.as_ref() == name)
            .unwrap()
    };
    for name in ["orders chart.png", "revenue chart.png"] {
        let target = state
            .files
            .listing
            .at(row(&state, name))
            .unwrap()
            .1
            .target
            .clone();
        state.files.listing.mark(&target);
    }
    state.files.listing.move_to(row(&state, PICTURE));
    let picture = image::load_from_memory(&source("hills-at-dawn.jpg"))
        .unwrap()
        .thumbnail(160, 160)
        .into_rgba8();
    let (width, height) = picture.dimensions();
    let look = PreviewState::Seen(Preview::Picture(Picture {
        width,
        height,
        rgba: picture.into_raw().into(),
    }));
    let key = PreviewKey::of(state.files.listing.current().unwrap());
    state.files.previews.turn_to(Some(&key), state.now);
    state.files.previews.keep(key, look, state.now);
    with_tasks(&mut state);
    state
}
