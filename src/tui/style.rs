//! The look of things: named styles from a theme, and symbols for a terminal. Draws nothing.

pub mod access;
pub mod kind;
pub mod symbols;
pub mod theme;
