//! What stands on the screen, style runs included: state in, a snapshot of the cells out.

mod library;
mod snapshot;

mod dialogs;
mod files;
mod limits;
mod over;
mod tasks;
