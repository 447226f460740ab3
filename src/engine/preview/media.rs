//! Facts of films and sound, such as length, size and codecs. None of the content is decoded.

mod film;
mod sound;

use super::model::MediaFacts;
use super::partial_file::PartialFile;

/// Returns the facts; `None` if the file is not what its extension says.
pub(super) fn facts(file: &PartialFile, extension: &str) -> Option<MediaFacts> {
    if sound::is_known(extension) {
        sound::facts(file, extension)
    } else {
        film::facts(file)
    }
}
