//! The terminal's modes: raw, alternate screen, bracketed paste, the mouse. They are restored
//! however the screen ends. Tells the screen's own panics from others; draws nothing itself.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::execute;
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::{Position, Rect, Size};
use ratatui::{Frame, TerminalOptions, Viewport};

use super::backend::Backend;
use crate::signals;

/// Set while the terminal's modes are taken. Global, because the panic hook has no other way to
/// know.
static ENTERED: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// Presses, drags and the wheel, with cells as decimal numbers. Mere movement sends nothing.
const MOUSE_ON: &str = "\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l";

tokio::task_local! {
    /// Set while the screen's own future is polled; other tasks may run on the same thread.
    static IS_SCREEN: ();
}

/// Marks a future as the screen's own: a panic in it restores the terminal before it is reported. A
/// panic anywhere else is logged and leaves the screen alone.
pub async fn guard<F: Future>(screen: F) -> F::Output {
    IS_SCREEN.scope((), screen).await
}

/// The terminal in use by this process. Dropping it restores the modes.
#[derive(Debug)]
pub struct Terminal {
    inner: ratatui::Terminal<Backend<Stdout>>,
    /// The size of the frames.
    size: Size,
    mouse: bool,
}

impl Terminal {
    /// Takes over the terminal, with or without its mouse. Fails if standard output is not a
    /// terminal.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        HOOK.call_once(install_hook);
        signals::set_last_act(restore);
        let size = crossterm::terminal::size()?.into();
        let inner = with_frames_of(size)?;
        take_modes(mouse)?;
        Ok(Self { inner, size, mouse })
    }

    /// Turns mouse reporting on or off; does nothing if it already is.
    pub fn use_mouse(&mut self, mouse: bool) -> io::Result<()> {
        if self.mouse == mouse {
            return Ok(());
        }
        self.mouse = mouse;
        execute!(stdout(), Print(if mouse { MOUSE_ON } else { MOUSE_OFF }))
    }

    /// Draws one frame of this size, unless the terminal is released. `render` returns `true` to
    /// show the cursor.
    pub fn draw(
        &mut self,
        size: Size,
        render: impl FnOnce(&mut Frame<'_>) -> bool,
    ) -> io::Result<()> {
        if ENTERED.load(Ordering::SeqCst) {
            if self.size != size {
                self.size = size;
                self.inner.resize(whole(size))?;
            }
            let is_visible = self.inner.backend().visibility();
            self.inner.draw(|frame| is_visible.set(render(frame)))?;
        }
        Ok(())
    }

    /// Clears what was written before the first frame.
    pub fn wipe(&mut self) -> io::Result<()> {
        execute!(stdout(), Clear(ClearType::All))
    }

    /// Restores the terminal's modes while something else uses it.
    pub fn leave(&mut self) {
        restore();
    }

    /// Takes over the terminal again; the next draw paints every cell. Also needed after something
    /// else wrote to it.
    pub fn re_enter(&mut self) -> io::Result<()> {
        // The other program may have changed the modes.
        restore();
        take_modes(self.mouse)?;
        // ratatui's own clear asks the terminal for the cursor position, and the input stream would
        // swallow the answer.
        self.inner = with_frames_of(self.size)?;
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Returns a terminal whose frames have this size, even if the terminal has another one by now: the
/// state that is drawn was laid out for it.
fn with_frames_of(size: Size) -> io::Result<ratatui::Terminal<Backend<Stdout>>> {
    let viewport = Viewport::Fixed(whole(size));
    ratatui::Terminal::with_options(Backend::new(stdout()), TerminalOptions { viewport })
}

fn whole(size: Size) -> Rect {
    Rect::from((Position::ORIGIN, size))
}

fn take_modes(mouse: bool) -> io::Result<()> {
    ENTERED.store(true, Ordering::SeqCst);
    let mouse = if mouse { MOUSE_ON } else { "" };
    let taken = enable_raw_mode().and_then(|()| {
        execute!(
            stdout(),
            EnterAlternateScreen,
            EnableBracketedPaste,
            Print(mouse),
            Clear(ClearType::All)
        )
    });
    if taken.is_err() {
        restore();
    }
    taken
}

/// Does nothing unless the modes are taken. Errors are ignored: the terminal is gone then.
fn restore() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        let _ = disable_raw_mode();
        let _ = execute!(
            stdout(),
            Print(MOUSE_OFF),
            DisableBracketedPaste,
            LeaveAlternateScreen,
            Show
        );
    }
}

fn install_hook() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let is_screen = IS_SCREEN.try_with(|()| ()).is_ok();
        if is_screen {
            restore();
        }
        if ENTERED.load(Ordering::SeqCst) {
            // Printing would corrupt the screen; the code that awaits the task reports its end
            // there.
            tracing::error!("panic in a task: {info}");
        } else {
            previous(info);
        }
    }));
}
