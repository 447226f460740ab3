//! Messages in, effects out: what keys, pasted text and answers of the engine do to the state. No runtime, no screen.

mod accounts;
mod browse;
mod catalogue;
mod delete;
mod deletions;
mod edit;
mod edit_text;
mod everything;
mod favourites;
mod find;
mod keys;
mod limits;
mod mark;
mod mouse;
mod own_accounts;
mod pages;
mod panes;
mod plan;
mod preview;
mod queue;
mod rename;
mod reply;
mod tasks;
mod telling;
mod transfer;
mod world;
