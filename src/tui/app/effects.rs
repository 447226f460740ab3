//! Performs the effects that `update` returns. With the terminal, the only part of the screen that
//! has side effects.

use std::io::{self, Write, stdout};

use super::sessions::Sessions;
use crate::config::{AccountSource, PaneSizes};
use crate::tui::dialog::Names;
use crate::tui::effect::Effect;
use crate::tui::message::Msg;
use crate::tui::terminal::editor::{self, Edit};
use crate::tui::terminal::{browser, clipboard};

/// The work left to the event loop after an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum FollowUp {
    Nothing,
    Handle(Msg),
    Edit(Edit),
    EditNames(Names),
    SavePaneSizes(PaneSizes),
    KeepSetting(&'static str, String),
    RememberAccount(AccountSource),
    Notify(String),
    Repaint,
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
        Effect::Copy(text) => {
            let in_tmux = std::env::var_os("TMUX").is_some();
            match clipboard::sequence(&text, in_tmux) {
                Some(sequence) => {
                    let mut terminal = stdout();
                    terminal.write_all(sequence.as_bytes())?;
                    terminal.flush()?;
                    FollowUp::Nothing
                }
                None => FollowUp::Handle(Msg::CopyFailed),
            }
        }
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
