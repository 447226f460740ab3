//! The room of a picture that is turned after it is decoded.

use image::metadata::Orientation;

/// Returns the room as it is before the orientation is applied.
pub(super) fn turned(room: (u32, u32), orientation: Orientation) -> (u32, u32) {
    let is_turned = matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    if is_turned { (room.1, room.0) } else { room }
}
