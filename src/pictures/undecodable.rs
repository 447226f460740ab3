//! Why there is no picture of some bytes.

use image::ImageError;

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undecodable {
    /// Decoding it would take more memory than is allowed.
    #[error("the picture is too large")]
    TooLarge,
    /// The bytes are not a picture, or a damaged one.
    #[error("the picture is damaged or of another type")]
    Damaged,
}

impl From<ImageError> for Undecodable {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooLarge,
            _ => Self::Damaged,
        }
    }
}
