//! How things look: named styles from a theme, and the symbols for a terminal. Draws nothing.

pub mod symbols;
pub mod theme;
