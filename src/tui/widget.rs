//! Drawing code that knows nothing of files or folders: text in cells, gauges, scrolling, lines of
//! hints.

pub mod csv;
pub mod distinct;
pub mod figures;
pub mod gauge;
pub mod hints;
pub mod matched;
pub mod picture;
pub mod scroll;
pub mod spark;
pub mod text;
pub mod wide;
