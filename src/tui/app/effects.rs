//! Performs the effects that `update` returns. With the terminal, the only part of the screen that
//! has side effects.

use std::io::{self, Write, stdout};
use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;

use super::event_loop::Screen;
use super::exit::ScreenExit;
use crate::engine::text_file::{LARGEST, md5};
use crate::regular_file::{self, Links};
use crate::signals::{self, EndSignal, Signal};
use crate::tui::dialog::Names;
use crate::tui::message::Msg;
use crate::tui::state::effect::Effect;
use crate::tui::terminal::editor::{self, Edit};
use crate::tui::terminal::{browser, clipboard, notify};

/// The most bytes read back from the editor for names.
const MOST_NAMES: u64 = 64 << 20;

impl Screen<'_, '_> {
    /// Performs an effect. Returns the messages that it leads to, or the end of the screen.
    pub(super) async fn perform(
        &mut self,
        effect: Effect,
    ) -> io::Result<ControlFlow<ScreenExit, Vec<Msg>>> {
        let mut answer = None;
        match effect {
            Effect::Submit(op, request) => {
                answer = self
                    .sessions
                    .submit(op, request)
                    .err()
                    .map(|_full| Msg::Refused(op));
            }
            Effect::Cancel(op) => self.sessions.cancel(op),
            Effect::Connect(session, source) => self.sessions.connect(session, source),
            Effect::TryAccount(draft) => self.sessions.try_account(draft),
            Effect::ReadAccounts(names) => self.sessions.read_accounts(names),
            Effect::ChangeAccounts(change) => self.sessions.change_accounts(change),
            Effect::Close(session) => self.sessions.close(session),
            Effect::SaveFavorites(session, change) => {
                answer = self
                    .sessions
                    .keep(session, change)
                    .err()
                    .map(Msg::SaveFailed);
            }
            Effect::SavePaneSizes(sizes) => {
                let file = self.sizes.clone();
                let failed = |error| format!("pane sizes: {error}");
                self.sessions
                    .write(move || file.write(sizes).map_err(failed));
            }
            Effect::KeepSetting(name, value) => {
                let file = self.chosen.clone();
                let failed = move |error| format!("{name}: {error}");
                self.sessions
                    .write(move || file.keep(name, &value).map_err(failed));
            }
            Effect::RememberAccount(source) => {
                let file = self.last.clone();
                self.sessions.write(move || {
                    if let Err(error) = file.write(&source) {
                        tracing::warn!("the last account was not saved: {error}");
                    }
                    Ok(())
                });
            }
            Effect::Copy(text) => {
                let in_tmux = std::env::var_os("TMUX").is_some();
                match clipboard::sequence(&text, in_tmux) {
                    Some(sequence) => send(&sequence)?,
                    None => answer = Some(Msg::CopyFailed),
                }
            }
            Effect::OpenBrowser(address) => {
                let result = browser::open(&address);
                answer = Some(Msg::BrowserOpened(address, result));
            }
            Effect::Edit(text) => return Ok(self.edit(text).await?.map_continue(after_an_edit)),
            Effect::EditNames(names) => {
                return Ok(self.edit_names(names).await?.map_continue(after_an_edit));
            }
            Effect::Discard(path) => editor::discard(&path),
            Effect::Notify(words) => self.notify(&words)?,
            Effect::Redraw => self.repaint()?,
            Effect::Suspend => self.stop(signals::stop_group)?,
            Effect::Quit => return Ok(ControlFlow::Break(ScreenExit::Quit)),
        }
        Ok(ControlFlow::Continue(answer.into_iter().collect()))
    }

    fn notify(&self, words: &str) -> io::Result<()> {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let is_tmux = !variable("TMUX").is_empty();
        let means = self.state.settings.config.notify;
        match notify::sequence(means, words, &variable("TERM"), is_tmux) {
            Some(sequence) => send(&sequence),
            None => Ok(()),
        }
    }

    pub(super) fn repaint(&mut self) -> io::Result<()> {
        self.pictures.forget();
        self.terminal.re_enter()
    }

    /// Edits a text of the service. If a signal ends the screen, the text stays on disk.
    async fn edit(&mut self, edit: Edit) -> io::Result<ControlFlow<ScreenExit, Msg>> {
        let ended = self.run_editor(&edit.text.path).await?;
        Ok(ended.map_continue(|failure| {
            let end = match failure {
                Some(why) => Err(why),
                // Compared with the service's content, because an earlier run may have changed the
                // text already.
                None => regular_file::read(&edit.text.path, Links::Refused, LARGEST)
                    .map(|text| md5(&text) != edit.text.seen)
                    .map_err(|error| error.to_string()),
            };
            Msg::Edited(edit, end)
        }))
    }

    /// Edits names. Nothing of them stays on this machine.
    async fn edit_names(&mut self, names: Names) -> io::Result<ControlFlow<ScreenExit, Msg>> {
        let path = match editor::lay_out("names.txt", &names.text) {
            Ok(path) => path,
            Err(error) => {
                let end = Err(error.to_string());
                return Ok(ControlFlow::Continue(Msg::NamesEdited(names, end)));
            }
        };
        let ended = self.run_editor(&path).await;
        let text = regular_file::read(&path, Links::Refused, MOST_NAMES)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let text = text.map_err(|error| error.to_string());
        editor::discard(&path);
        Ok(ended?.map_continue(|failure| Msg::NamesEdited(names, failure.map_or(text, Err))))
    }

    /// Gives the terminal to the user's editor while it runs. Returns its failure, or the signal
    /// that ends the screen.
    async fn run_editor(
        &mut self,
        path: &Path,
    ) -> io::Result<ControlFlow<ScreenExit, Option<String>>> {
        // Keys belong to the editor: dropping the stream stops reading.
        self.input = None;
        self.terminal.leave();
        let mut ended = editor::start(path);
        let ended = loop {
            tokio::select! {
                ended = &mut ended => break ended.unwrap_or_else(|error| Err(io::Error::other(error))),
                signal = self.signals.next() => match signal {
                    // Ctrl-C in an editor is meant for the editor.
                    Signal::End(EndSignal::Interrupted) | Signal::Continued => {}
                    Signal::End(signal) => {
                        return Ok(ControlFlow::Break(ScreenExit::Signalled(signal)));
                    }
                    Signal::Suspend => signals::stop_process()?,
                },
            }
        };
        self.repaint()?;
        Ok(ControlFlow::Continue(editor::failure(ended)))
    }

    /// Restores the terminal and stops. `Signal::Continued` follows and takes the terminal over
    /// again.
    pub(super) fn stop(&mut self, stop: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.pictures.forget();
        self.terminal.leave();
        if stop().is_err() {
            self.terminal.re_enter()?;
        }
        Ok(())
    }
}

/// Puts the clock before the result of an edit, because the edit took time.
fn after_an_edit(msg: Msg) -> Vec<Msg> {
    vec![Msg::Clock(Timestamp::now()), msg]
}

fn send(sequence: &str) -> io::Result<()> {
    let mut terminal = stdout();
    terminal.write_all(sequence.as_bytes())?;
    terminal.flush()
}
