//! Pictures, PDF documents, SVG and fonts, drawn in processes of their own, which have bounds on memory and time: a hostile
//! file can end such a process and nothing else. Fetches nothing and opens no files but the fonts of the system.

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
