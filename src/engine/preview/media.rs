//! Facts of films and sound: how long, how large, coded how. Nothing of the content is decoded.

mod film;
mod sound;

use super::model::MediaFacts;
use super::partial_file::PartialFile;

/// The facts; none if the file is not what its extension says.
pub(super) fn facts(file: &PartialFile, extension: &str) -> Option<MediaFacts> {
    if sound::is_known(extension) { sound::facts(file, extension) } else { film::facts(file) }
}
