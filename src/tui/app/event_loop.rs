//! The event loop: waits for keys, answers, signals and timers, hands all that is queued to
//! `update`, draws once, and has the effects performed. It sleeps while nothing happens: no timer, no
//! redraw.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use crossterm::event::{Event as Input, EventStream, KeyEventKind};
use futures::StreamExt;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::appearance::Appearance;
use super::exit::ScreenExit;
use super::sessions::Sessions;
use crate::api::Bandwidth;
use crate::config::{AccountSummary, ChosenSettings, LastAccount, PaneSizes, PaneSizesFile};
use crate::signals::{self, EndSignal, Signal, Signals};
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::input::mouse::Mouse;
use crate::tui::keymap::{Key, Keymap};
use crate::tui::message::Msg;
use crate::tui::pictures::{PictureOutput, Pictures};
use crate::tui::state::{Account, RunSettings, Start, State};
use crate::tui::style::symbols::Symbols;
use crate::tui::style::theme::Theme;
use crate::tui::terminal::modes::{self, Terminal};
use crate::tui::terminal::probe::{self, Late, Probe};
use crate::tui::update::{apply_settings, update};
use crate::tui::view::view;

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
    pub appearance: Appearance,
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
        let mut terminal =
            Terminal::enter(setup.settings.config.mouse && !setup.appearance.is_plain)?;
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
        state.panes.plain = setup.appearance.is_plain;
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
            appearance: setup.appearance,
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

pub(super) struct Screen<'a, 's> {
    pub(super) state: State,
    appearance: Appearance,
    probe: Probe,
    theme: (String, Theme),
    pub(super) pictures: Pictures,
    pub(super) terminal: Terminal,
    pub(super) sizes: PaneSizesFile,
    pub(super) chosen: ChosenSettings,
    bandwidth: Bandwidth,
    pub(super) last: LastAccount,
    pub(super) sessions: &'a mut Sessions,
    /// The input stream; `None` while input is not read.
    pub(super) input: Option<EventStream>,
    late: Late,
    pub(super) signals: &'a mut Signals<'s>,
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
            appearance,
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
            (*name, *theme) = (wanted.to_owned(), appearance.theme(wanted, probe));
        }
        terminal.use_mouse(state.settings.config.mouse && !appearance.is_plain)?;
        let symbols = if appearance.is_plain {
            Symbols::Plain
        } else {
            state.settings.symbols()
        };
        pictures.want(state, theme);
        let mut placed = Ok(None);
        terminal.draw(state.size, |frame| {
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
        Ok((self.state.size != (cols, rows).into()).then_some(Msg::Resize { cols, rows }))
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
        let mut queue = VecDeque::from(update(&mut self.state, Msg::Clock(Timestamp::now())));
        for msg in batch {
            queue.extend(update(&mut self.state, msg));
        }
        while let Some(effect) = queue.pop_front() {
            match self.perform(effect).await? {
                ControlFlow::Continue(msg) => {
                    queue.extend(msg.into_iter().flat_map(|msg| update(&mut self.state, msg)));
                }
                ControlFlow::Break(exit) => return Ok(Some(exit)),
            }
        }
        Ok(None)
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
