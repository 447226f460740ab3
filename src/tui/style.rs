//! How things look: named styles from a theme, and the symbols for a terminal. Draws nothing.

pub mod access;
pub mod kind;
pub mod symbols;
pub mod theme;
