//! Performs what `update` asked for. With the terminal, the only part of the screen that acts on the world.

use std::io::{self, Write, stdout};

use super::sessions::Sessions;
use crate::config::{AccountSource, PaneSizes};
use crate::tui::dialog::Names;
use crate::tui::message::{Effect, Msg};
use crate::tui::terminal::editor::{self, Edit};
use crate::tui::terminal::{browser, clipboard};

/// What the loop has left to do after an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum FollowUp {
    Nothing,
    /// Hand this to `update`.
    Handle(Msg),
    /// Give the terminal to an editor.
    Edit(Edit),
    /// Give it to an editor for names.
    EditNames(Names),
    /// Remember the sizes of panes.
    SavePaneSizes(PaneSizes),
    /// Remember the value of a setting.
    KeepSetting(&'static str, String),
    /// Remember that this account is on the screen.
    RememberAccount(AccountSource),
    /// Tell a user who looks elsewhere.
    Notify(String),
    /// Paint every cell again.
    Repaint,
    /// Give the terminal back and stop until continued.
    Suspend,
    Quit,
}

pub fn perform(effect: Effect, sessions: &mut Sessions) -> io::Result<FollowUp> {
    Ok(match effect {
        Effect::Submit(op, request) => match sessions.submit(op, request) {
            Ok(()) => FollowUp::Nothing,
            Err(_full) => FollowUp::Handle(Msg::Refused(op)),
        },
        Effect::Cancel(op) => {
            sessions.cancel(op);
            FollowUp::Nothing
        }
        Effect::Connect(session, source) => {
            sessions.connect(session, source);
            FollowUp::Nothing
        }
        Effect::TryAccount(draft) => {
            sessions.try_account(draft);
            FollowUp::Nothing
        }
        Effect::ChangeAccounts(change) => {
            sessions.change_accounts(change);
            FollowUp::Nothing
        }
        Effect::Close(session) => {
            sessions.close(session);
            FollowUp::Nothing
        }
        Effect::SaveFavorites(session, change) => match sessions.keep(session, change) {
            Ok(()) => FollowUp::Nothing,
            Err(why) => FollowUp::Handle(Msg::SaveFailed(why)),
        },
        Effect::SavePaneSizes(sizes) => FollowUp::SavePaneSizes(sizes),
        Effect::KeepSetting(name, value) => FollowUp::KeepSetting(name, value),
        Effect::RememberAccount(source) => FollowUp::RememberAccount(source),
        Effect::Copy(text) => match clipboard::sequence(&text, std::env::var_os("TMUX").is_some()) {
            Some(sequence) => {
                let mut terminal = stdout();
                terminal.write_all(sequence.as_bytes())?;
                terminal.flush()?;
                FollowUp::Nothing
            }
            None => FollowUp::Handle(Msg::CopyFailed),
        },
        Effect::OpenBrowser(address) => {
            let result = browser::open(&address);
            FollowUp::Handle(Msg::BrowserOpened(address, result))
        }
        Effect::Edit(edit) => FollowUp::Edit(edit),
        Effect::EditNames(names) => FollowUp::EditNames(names),
        Effect::Discard(path) => {
            editor::discard(&path);
            FollowUp::Nothing
        }
        Effect::Notify(words) => FollowUp::Notify(words),
        Effect::Redraw => FollowUp::Repaint,
        Effect::Suspend => FollowUp::Suspend,
        Effect::Quit => FollowUp::Quit,
    })
}
