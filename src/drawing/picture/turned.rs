//! Rooms for pictures that are turned once they are decoded.

use image::metadata::Orientation;

/// The room before the picture is turned into it.
pub(super) fn turned(room: (u32, u32), orientation: Orientation) -> (u32, u32) {
    let is_turned = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    if is_turned { (room.1, room.0) } else { room }
}
