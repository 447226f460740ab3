//! PDF documents, SVG pictures and fonts, drawn in a process of their own, which has bounds on memory and time: a hostile
//! file can end that process and nothing else. Fetches nothing and opens no files but the fonts of the system.

mod drawer;
#[cfg(feature = "previews")]
mod font;
#[cfg(feature = "previews")]
mod pdf;
mod request;
mod serve;
#[cfg(feature = "previews")]
mod svg;

pub use drawer::Drawer;
pub use request::{DrawKind, DrawRequest, Drawing, Undrawable};
pub use serve::{is_asked, serve};
