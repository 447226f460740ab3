//! The protocol between the program and its child processes: requests and answers are a line of
//! JSON, then bytes.

use serde::{Deserialize, Serialize};

/// The first argument of a process that draws.
pub(super) const ASKED: &str = "--draw-preview";

/// The type of file to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DrawKind {
    /// The first frame of a PNG, JPEG, GIF, WebP, BMP, ICO or TIFF.
    Picture,
    Svg,
    /// One page of the document.
    Pdf,
    /// A sample of its letters.
    Font,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRequest {
    pub kind: DrawKind,
    /// The width and height that the drawing fits into, in pixels.
    pub room: (u32, u32),
    /// The page of a document, from 0.
    pub page: u32,
}

/// The line before the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RequestHead {
    pub(super) request: DrawRequest,
    pub(super) length: u64,
}

/// A drawing, four bytes per pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    pub width: u32,
    pub height: u32,
    /// The number of pages of the document; 1 for other files.
    pub pages: u32,
    pub rgba: Vec<u8>,
}

/// The reason why there is no drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Undrawable {
    #[error("it takes more memory than it may")]
    TooMuch,
    #[error("it takes longer than it may")]
    TooSlow,
    /// The file is malformed, of another type, or uses an unsupported feature.
    #[error("it is damaged or of another type")]
    Damaged,
    #[error("no process that draws it can be started")]
    Unavailable,
}

/// The line before the pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum DrawAnswer {
    Drawn { width: u32, height: u32, pages: u32 },
    Undrawable(Undrawable),
}

impl DrawRequest {
    /// Returns the width and height to draw something of that size with, and the scale; `None` if
    /// it has no size.
    #[cfg(feature = "previews")]
    pub(super) fn fit(&self, width: f32, height: f32) -> Option<(u32, u32, f32)> {
        /// The largest width or height in pixels.
        const MOST: u32 = 2_000;
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let room = (
            self.room.0.clamp(1, MOST) as f32,
            self.room.1.clamp(1, MOST) as f32,
        );
        let scale = (room.0 / width).min(room.1 / height);
        if !scale.is_finite() || scale <= 0.0 || !(width * height).is_normal() {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most the room"
        )]
        let side = |side: f32| (side * scale).round().max(1.0) as u32;
        Some((side(width).min(MOST), side(height).min(MOST), scale))
    }
}
