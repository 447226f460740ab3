//! The event loop: waits for keys, answers, signals and timers, hands all that is queued to
//! `update`, draws once, and performs the effects. It sleeps while nothing happens: no timer, no
//! redraw.

use std::io::{self, Write, stdout};
use std::path::Path;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use crossterm::event::{Event as Input, EventStream, KeyEventKind};
use futures::StreamExt;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::oneshot;

use super::appearance::Appearance;
use super::effects::{self, FollowUp};
use super::exit::ScreenExit;
use super::sessions::Sessions;
use crate::api::Bandwidth;
use crate::config::{AccountSummary, ChosenSettings, LastAccount, PaneSizes, PaneSizesFile};
use crate::engine::text_file::{LARGEST, md5};
use crate::regular_file::{self, Links};
use crate::signals::{self, EndSignal, Signal, Signals};
use crate::tui::dialog::Names;
use crate::tui::effect::Effect;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::input::mouse::Mouse;
use crate::tui::keymap::{Key, Keymap};
use crate::tui::message::Msg;
use crate::tui::pictures::{PictureOutput, Pictures};
use crate::tui::state::{Account, RunSettings, Start, State};
use crate::tui::style::symbols::Symbols;
use crate::tui::style::theme::Theme;
use crate::tui::terminal::editor::{self, Edit};
use crate::tui::terminal::modes::{self, Terminal};
use crate::tui::terminal::notify;
use crate::tui::terminal::probe::{self, Late, Probe};
use crate::tui::update::{apply_settings, update};
use crate::tui::view::view;

/// The most bytes read back from the editor for names.
const MOST_NAMES: u64 = 64 << 20;

/// The most messages handled before the next draw, so that the screen is updated even under a
/// flood.
const BATCH: usize = 256;

const LAST_SIGNAL: Duration = Duration::from_millis(100);

#[derive(Debug, Clone)]
pub struct ScreenSetup {
    /// The account of the first session.
    pub account: Account,
    pub accounts: Vec<AccountSummary>,
    pub keymap: Keymap,
    pub look: Appearance,
    pub settings: RunSettings,
    /// Saves settings that are changed on the screen.
    pub chosen: ChosenSettings,
    /// The bandwidth limit of all transfers, which a setting changes.
    pub bandwidth: Bandwidth,
    /// Pane sizes from the settings, those set by dragging, and the file that saves the latter.
    pub pane_sizes: PaneSizes,
    pub dragged: PaneSizes,
    pub sizes: PaneSizesFile,
    /// Saves which account is on the screen.
    pub last: LastAccount,
    /// The download folder, from which relative local paths start, too.
    pub local: LocalPaths,
    pub is_first_run: bool,
    pub warnings: Vec<String>,
}

/// Runs the screen until the user quits or a signal ends it. Restores the terminal in every case.
/// The sessions are left open; the caller closes them.
pub async fn run(
    setup: ScreenSetup,
    sessions: &mut Sessions,
    signals: &mut Signals<'_>,
) -> io::Result<ScreenExit> {
    modes::guard(Box::pin(async {
        // Comes first: a stop before it would leave the terminal as it is.
        signals.hear_job_control()?;
        let mut terminal = Terminal::enter(setup.settings.config.mouse && !setup.look.is_plain)?;
        let asked = probe::ask();
        // Some terminals print queries that they do not know.
        terminal.wipe()?;
        let mut state = State::new(Start {
            now: Timestamp::now(),
            size: crossterm::terminal::size()?,
            account: setup.account,
            accounts: setup.accounts,
            local: setup.local,
            keymap: setup.keymap,
        });
        state.panes.plain = setup.look.is_plain;
        state.panes.dragged = setup.dragged;
        state.panes.set = setup.pane_sizes;
        state.zone = TimeZone::system();
        let output = PictureOutput::choose(setup.settings.config.images, &asked.probe);
        state.settings = RunSettings {
            pictures: output.room,
            confirms_copies: asked.probe.has_clipboard,
            ..setup.settings
        };
        apply_settings(&mut state);
        state.is_first_run = setup.is_first_run;
        state.warn_at_start(&setup.warnings);
        let screen = Screen {
            state,
            look: setup.look,
            probe: asked.probe,
            theme: (String::new(), Theme::default()),
            pictures: Pictures::new(output),
            terminal,
            sizes: setup.sizes,
            chosen: setup.chosen,
            bandwidth: setup.bandwidth,
            last: setup.last,
            sessions,
            input: None,
            late: asked.late,
            signals,
        };
        Box::pin(screen.run(asked.typed)).await
    }))
    .await
}

struct Screen<'a, 's> {
    state: State,
    look: Appearance,
    probe: Probe,
    theme: (String, Theme),
    pictures: Pictures,
    terminal: Terminal,
    sizes: PaneSizesFile,
    chosen: ChosenSettings,
    bandwidth: Bandwidth,
    last: LastAccount,
    sessions: &'a mut Sessions,
    /// The input stream; `None` while input is not read.
    input: Option<EventStream>,
    late: Late,
    signals: &'a mut Signals<'s>,
}

enum Wake {
    Message(Msg),
    Signal(Signal),
    /// An event without meaning here, such as a key release.
    Nothing,
}

impl Screen<'_, '_> {
    async fn run(mut self, typed: Vec<Input>) -> io::Result<ScreenExit> {
        match self.turn(typed).await {
            // When a terminal hangs up, I/O fails first and the signal follows.
            Err(error) => match tokio::time::timeout(LAST_SIGNAL, self.signals.next()).await {
                Ok(Signal::End(signal)) => Ok(ScreenExit::Signalled(signal)),
                _ => Err(error),
            },
            ended => ended,
        }
    }

    async fn turn(&mut self, typed: Vec<Input>) -> io::Result<ScreenExit> {
        let typed = typed
            .into_iter()
            .filter_map(|input| match self.translate(Some(input)) {
                Wake::Message(msg) => Some(msg),
                Wake::Signal(_) | Wake::Nothing => None,
            });
        let mut first: Vec<Msg> = [Msg::Start].into_iter().chain(typed).collect();
        first.extend(self.resized()?);
        if let Some(exit) = self.handle(first).await? {
            return Ok(exit);
        }
        loop {
            self.draw()?;
            let mut batch = Vec::new();
            match self.wait().await? {
                Wake::Message(msg) => batch.push(msg),
                Wake::Signal(Signal::End(signal)) => return Ok(ScreenExit::Signalled(signal)),
                Wake::Signal(Signal::Suspend) => self.stop(signals::stop_process)?,
                Wake::Signal(Signal::Continued) => self.repaint()?,
                Wake::Nothing => {}
            }
            self.drain(&mut batch).await?;
            batch.extend(self.resized()?);
            if let Some(exit) = self.handle(batch).await? {
                return Ok(exit);
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let Self {
            state,
            look,
            probe,
            theme: (name, theme),
            pictures,
            terminal,
            bandwidth,
            ..
        } = self;
        bandwidth.set(state.settings.config.limit_rate.bytes());
        let wanted = state.settings.theme(&state.dialogs);
        if name != wanted {
            (*name, *theme) = (wanted.to_owned(), look.theme(wanted, probe));
        }
        terminal.use_mouse(state.settings.config.mouse && !look.is_plain)?;
        let symbols = if look.is_plain {
            Symbols::Plain
        } else {
            state.settings.symbols()
        };
        pictures.want(state, theme);
        let mut placed = Ok(None);
        terminal.draw(state.size.into(), |frame| {
            let shows_cursor = view(state, theme, symbols, frame);
            placed = pictures.place(state, theme, frame.buffer_mut()).map(Some);
            shows_cursor
        })?;
        placed?.map_or(Ok(()), |placed| pictures.show(placed))
    }

    /// Returns a message if the terminal's size is no longer that of the state. Its event may still
    /// be on its way, or may have been lost while another program had the terminal.
    fn resized(&self) -> io::Result<Option<Msg>> {
        let (cols, rows) = crossterm::terminal::size()?;
        Ok((self.state.size != (cols, rows)).then_some(Msg::Resize { cols, rows }))
    }

    async fn wait(&mut self) -> io::Result<Wake> {
        let wake = self.state.next_wake();
        let input = self.input.get_or_insert_with(EventStream::new);
        Ok(tokio::select! {
            biased;
            signal = self.signals.next() => Wake::Signal(signal),
            input = input.next() => self.translate(input.transpose()?),
            msg = self.sessions.next() => Wake::Message(msg),
            () = self.pictures.encoded() => Wake::Nothing,
            () = until(wake.unwrap_or_default()), if wake.is_some() => Wake::Nothing,
        })
    }

    async fn drain(&mut self, batch: &mut Vec<Msg>) -> io::Result<()> {
        while batch.len() < BATCH {
            // Polled with this task's own waker: the stream keeps the first one it is given.
            let input = self.input.get_or_insert_with(EventStream::new);
            let woken = match futures::poll!(input.next()) {
                Poll::Ready(input) => self.translate(input.transpose()?),
                Poll::Pending => match futures::poll!(pin!(self.sessions.next())) {
                    Poll::Ready(msg) => Wake::Message(msg),
                    Poll::Pending => return Ok(()),
                },
            };
            match woken {
                Wake::Message(msg) => batch.push(msg),
                // The terminal is gone; the loop will see the end of input again.
                Wake::Signal(_) => return Ok(()),
                Wake::Nothing => {}
            }
        }
        Ok(())
    }

    async fn handle(&mut self, batch: Vec<Msg>) -> io::Result<Option<ScreenExit>> {
        let mut effects = update(&mut self.state, Msg::Clock(Timestamp::now()));
        for msg in batch {
            effects.extend(update(&mut self.state, msg));
        }
        let mut queue = std::collections::VecDeque::from(effects);
        while let Some(effect) = queue.pop_front() {
            match effects::perform(effect, self.sessions)? {
                FollowUp::Nothing => {}
                FollowUp::Handle(msg) => queue.extend(update(&mut self.state, msg)),
                FollowUp::Edit(text) => match self.edit(text).await? {
                    Ok(msg) => queue.extend(self.edited(msg)),
                    Err(exit) => return Ok(Some(exit)),
                },
                FollowUp::EditNames(names) => match self.edit_names(names).await? {
                    Ok(msg) => queue.extend(self.edited(msg)),
                    Err(exit) => return Ok(Some(exit)),
                },
                FollowUp::SavePaneSizes(sizes) => {
                    let file = self.sizes.clone();
                    let failed = |error| format!("pane sizes: {error}");
                    self.sessions
                        .write(move || file.write(sizes).map_err(failed));
                }
                FollowUp::KeepSetting(name, value) => {
                    let file = self.chosen.clone();
                    let failed = move |error| format!("{name}: {error}");
                    self.sessions
                        .write(move || file.keep(name, &value).map_err(failed));
                }
                FollowUp::RememberAccount(source) => {
                    let file = self.last.clone();
                    self.sessions.write(move || {
                        if let Err(error) = file.write(&source) {
                            tracing::warn!("the last account was not saved: {error}");
                        }
                        Ok(())
                    });
                }
                FollowUp::Notify(words) => self.notify(&words)?,
                FollowUp::Repaint => self.repaint()?,
                FollowUp::Suspend => self.stop(signals::stop_group)?,
                FollowUp::Quit => return Ok(Some(ScreenExit::Quit)),
            }
        }
        Ok(None)
    }

    fn notify(&self, words: &str) -> io::Result<()> {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let is_tmux = !variable("TMUX").is_empty();
        let Some(sequence) = notify::sequence(
            self.state.settings.config.notify,
            words,
            &variable("TERM"),
            is_tmux,
        ) else {
            return Ok(());
        };
        let mut terminal = stdout();
        terminal.write_all(sequence.as_bytes())?;
        terminal.flush()
    }

    fn repaint(&mut self) -> io::Result<()> {
        self.pictures.forget();
        self.terminal.re_enter()
    }

    /// Handles the result of an edit, with the clock updated first because the edit took time.
    fn edited(&mut self, msg: Msg) -> Vec<Effect> {
        let mut effects = update(&mut self.state, Msg::Clock(Timestamp::now()));
        effects.extend(update(&mut self.state, msg));
        effects
    }

    /// Edits a text of the service. If a signal ends the screen, the text stays on disk.
    async fn edit(&mut self, edit: Edit) -> io::Result<Result<Msg, ScreenExit>> {
        let end = match self.run_editor(&edit.text.path).await? {
            Err(signalled) => return Ok(Err(signalled)),
            Ok(Some(why)) => Err(why),
            // Compared with the service's content, because an earlier run may have changed the text
            // already.
            Ok(None) => regular_file::read(&edit.text.path, Links::Refused, LARGEST)
                .map(|text| md5(&text) != edit.text.seen)
                .map_err(|error| error.to_string()),
        };
        Ok(Ok(Msg::Edited(edit, end)))
    }

    /// Edits names. Nothing of them stays on this machine.
    async fn edit_names(&mut self, names: Names) -> io::Result<Result<Msg, ScreenExit>> {
        let path = match editor::lay_out("names.txt", &names.text) {
            Ok(path) => path,
            Err(error) => return Ok(Ok(Msg::NamesEdited(names, Err(error.to_string())))),
        };
        let ended = self.run_editor(&path).await;
        let text = regular_file::read(&path, Links::Refused, MOST_NAMES)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let text = text.map_err(|error| error.to_string());
        editor::discard(&path);
        Ok(ended?.map(|failure| Msg::NamesEdited(names, failure.map_or(text, Err))))
    }

    /// Gives the terminal to the user's editor while it runs. Returns its failure, or the signal
    /// that ends the screen.
    async fn run_editor(&mut self, path: &Path) -> io::Result<Result<Option<String>, ScreenExit>> {
        // Keys belong to the editor: dropping the stream stops reading.
        self.input = None;
        self.terminal.leave();
        let path = path.to_owned();
        // A plain thread, because nothing waits for it if the screen ends first.
        let (end, mut ended) = oneshot::channel();
        std::thread::spawn(move || end.send(editor::run(&path)));
        let ended = loop {
            tokio::select! {
                ended = &mut ended => break ended.unwrap_or_else(|error| Err(io::Error::other(error))),
                signal = self.signals.next() => match signal {
                    // Ctrl-C in an editor is meant for the editor.
                    Signal::End(EndSignal::Interrupted) | Signal::Continued => {}
                    Signal::End(signal) => return Ok(Err(ScreenExit::Signalled(signal))),
                    Signal::Suspend => signals::stop_process()?,
                },
            }
        };
        self.repaint()?;
        Ok(Ok(editor::failure(ended)))
    }

    /// Restores the terminal and stops. `Signal::Continued` follows and takes the terminal over
    /// again.
    fn stop(&mut self, stop: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.pictures.forget();
        self.terminal.leave();
        if stop().is_err() {
            self.terminal.re_enter()?;
        }
        Ok(())
    }

    fn translate(&mut self, input: Option<Input>) -> Wake {
        match input {
            Some(Input::Key(key)) if self.late.takes(&key) => Wake::Nothing,
            Some(Input::Key(key)) if key.kind != KeyEventKind::Release => {
                Wake::Message(Msg::Key(Key::from(key)))
            }
            Some(Input::Mouse(event)) => {
                Mouse::of(event).map_or(Wake::Nothing, |it| Wake::Message(Msg::Mouse(it)))
            }
            Some(Input::Paste(text)) => Wake::Message(Msg::Paste(text)),
            Some(Input::Resize(cols, rows)) => Wake::Message(Msg::Resize { cols, rows }),
            Some(_) => Wake::Nothing,
            None => Wake::Signal(Signal::End(EndSignal::HungUp)),
        }
    }
}

async fn until(due: Timestamp) {
    let left = Duration::try_from(due.duration_since(Timestamp::now())).unwrap_or_default();
    tokio::time::sleep(left).await;
}
