//! Performs what `update` asked for. With the terminal, the only part of the screen that acts on the world.

use std::io::{self, Write, stdout};

use super::dialog::Names;
use super::editor::{self, Edit};
use super::message::{Effect, Msg};
use super::sessions::Sessions;
use super::{browser, clipboard};
use crate::config::{PaneSizes, Source};

/// What the loop has left to do after an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Rest {
    Nothing,
    /// Hand this to `update`.
    Handle(Msg),
    /// Give the terminal to an editor.
    Edit(Edit),
    /// Give it to an editor for names.
    EditNames(Names),
    /// Remember the sizes of panes.
    KeepSizes(PaneSizes),
    /// Remember that this account is on the screen.
    KeepAccount(Source),
    /// Tell a user who looks elsewhere.
    Notify(String),
    /// Paint every cell anew.
    Repaint,
    /// Give the terminal back and stop until continued.
    Suspend,
    Quit,
}

pub fn perform(effect: Effect, sessions: &mut Sessions) -> io::Result<Rest> {
    Ok(match effect {
        Effect::Submit(op, request) => match sessions.submit(op, request) {
            Ok(()) => Rest::Nothing,
            Err(_full) => Rest::Handle(Msg::Refused(op)),
        },
        Effect::Cancel(op) => {
            sessions.cancel(op);
            Rest::Nothing
        }
        Effect::Connect(session, source) => {
            sessions.connect(session, source);
            Rest::Nothing
        }
        Effect::TryAccount(draft) => {
            sessions.try_account(draft);
            Rest::Nothing
        }
        Effect::ChangeAccounts(change) => {
            sessions.change_accounts(change);
            Rest::Nothing
        }
        Effect::Close(session) => {
            sessions.close(session);
            Rest::Nothing
        }
        Effect::Keep(session, change) => match sessions.keep(session, change) {
            Ok(()) => Rest::Nothing,
            Err(why) => Rest::Handle(Msg::NotKept(why)),
        },
        Effect::KeepSizes(sizes) => Rest::KeepSizes(sizes),
        Effect::KeepAccount(source) => Rest::KeepAccount(source),
        Effect::Copy(text) => match clipboard::sequence(&text, std::env::var_os("TMUX").is_some()) {
            Some(sequence) => {
                let mut terminal = stdout();
                terminal.write_all(sequence.as_bytes())?;
                terminal.flush()?;
                Rest::Nothing
            }
            None => Rest::Handle(Msg::NotCopied),
        },
        Effect::Browse(address) => {
            let result = browser::open(&address);
            Rest::Handle(Msg::Browsed(address, result))
        }
        Effect::Edit(edit) => Rest::Edit(edit),
        Effect::EditNames(names) => Rest::EditNames(names),
        Effect::Discard(path) => {
            editor::discard(&path);
            Rest::Nothing
        }
        Effect::Notify(words) => Rest::Notify(words),
        Effect::Redraw => Rest::Repaint,
        Effect::Suspend => Rest::Suspend,
        Effect::Quit => Rest::Quit,
    })
}
