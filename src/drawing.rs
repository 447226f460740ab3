//! Draws pictures, PDF documents, SVG and fonts as pixels in child processes with limits on memory
//! and time: a hostile file can end its child process and nothing else. Fetches nothing, and opens
//! no files but the system's fonts.

mod bounds;
mod drawer;
#[cfg(feature = "previews")]
mod font;
#[cfg(feature = "previews")]
mod pdf;
mod picture;
mod request;
mod serve;
#[cfg(feature = "previews")]
mod svg;

pub use drawer::{DrawTurn, Drawer};
pub use picture::PictureSource;
pub use request::{DrawKind, DrawRequest, Drawing, Undrawable};
pub use serve::{is_asked, serve};
