//! The protocol between the program and its child processes: requests and answers are a line of JSON, then bytes.

use serde::{Deserialize, Serialize};

/// The first argument of a process that draws.
pub(super) const ASKED: &str = "--draw-preview";

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DrawKind {
    /// The first frame of a PNG, JPEG, GIF, WebP, BMP, ICO or TIFF.
    Picture,
    Svg,
    /// A page of it.
    Pdf,
    /// A sample of its letters.
    Font,
}

/// How it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRequest {
    pub kind: DrawKind,
    /// Width and height that it fits into, in pixels.
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

/// What was drawn, four bytes a pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    pub width: u32,
    pub height: u32,
    /// Pages that there are.
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
    /// It is not what it says it is, or uses what is not known here.
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
    /// Width and height that something of that size is drawn with, and the scale; none if it has no size.
    #[cfg(feature = "previews")]
    pub(super) fn fit(&self, width: f32, height: f32) -> Option<(u32, u32, f32)> {
        /// Nothing is larger, in pixels.
        const MOST: u32 = 2_000;
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let room = (self.room.0.clamp(1, MOST) as f32, self.room.1.clamp(1, MOST) as f32);
        let scale = (room.0 / width).min(room.1 / height);
        if !scale.is_finite() || scale <= 0.0 || !(width * height).is_normal() {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the room")]
        let side = |side: f32| (side * scale).round().max(1.0) as u32;
        Some((side(width).min(MOST), side(height).min(MOST), scale))
    }
}
