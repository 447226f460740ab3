//! Pictures in pixels, if the terminal supports them: over the blocks that the view has drawn, once
//! they are encoded for the terminal. Encoding runs off the loop, once for each picture and size,
//! and the latest results are kept. Anything drawn over a picture brings the blocks back.

mod id;
mod iterm2;
mod kitty;
mod sixel;

use std::io::{self, Write, stdout};
use std::num::NonZeroUsize;

use crossterm::cursor::{MoveTo, RestorePosition, SavePosition};
use crossterm::queue;
use lru::LruCache;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use tokio::task::JoinHandle;

use self::id::color;
use super::state::{PictureSupport, PreviewKey, State};
use super::style::theme::Theme;
use super::terminal::probe::{Probe, Protocol, through_tmux};
use super::view::pictures_on;
use super::widget::picture::{self, Mosaic};
use crate::config::Images;
use crate::engine::preview::Picture;

/// The size of a cell in pixels where the terminal does not report it.
const USUAL_CELL: (u16, u16) = (10, 20);

/// The way pictures are shown on this terminal, by the setting and by its abilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureOutput {
    pub room: PictureSupport,
    protocol: Option<Protocol>,
    is_tmux: bool,
}

impl PictureOutput {
    pub fn choose(images: Images, probe: &Probe) -> Self {
        let protocol = match images {
            Images::Auto => probe.protocol,
            Images::Kitty => Some(Protocol::Kitty),
            Images::Iterm2 => Some(Protocol::Iterm2),
            Images::Sixel => Some(Protocol::Sixel),
            Images::Blocks | Images::Off => None,
        };
        let room = match (protocol, images) {
            (_, Images::Off) => PictureSupport::None,
            (Some(_), _) => PictureSupport::Pixels {
                cell: probe.cell.unwrap_or(USUAL_CELL).into(),
            },
            (None, _) if probe.has_sextants => PictureSupport::Sextants,
            (None, _) => PictureSupport::Blocks,
        };
        Self {
            room,
            protocol,
            is_tmux: probe.is_tmux,
        }
    }
}

/// A picture at a size, in cells, over a color.
type PictureKey = (PreviewKey, Size, [u8; 3]);

/// The output to the terminal for a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Encoded {
    /// Unique among all pictures sent; not 0.
    id: u32,
    /// `None` if the terminal cannot show it: the blocks stay.
    data: Option<String>,
}

#[derive(Debug)]
pub struct Pictures {
    output: PictureOutput,
    encoded: LruCache<PictureKey, Encoded>,
    encoding: Option<(PictureKey, JoinHandle<Option<String>>)>,
    last_id: u32,
    /// The ids of the pictures that a terminal with kitty's protocol stores.
    sent: Vec<u32>,
    /// The ids and areas of the pictures drawn over the text of the terminal.
    shown: Vec<(u32, Rect)>,
    /// The size of the last frame: a change of size wipes the screen.
    screen: Size,
}

/// The number of pictures in a grid on a large screen.
const KEPT: NonZeroUsize = NonZeroUsize::new(128).unwrap();
/// The bytes of five large pictures, or of a grid.
const MOST_KEPT: usize = 12 * 1024 * 1024;

impl Pictures {
    pub fn new(output: PictureOutput) -> Self {
        // Programs in one terminal share the ids, so each begins at a different one.
        let last_id = (std::process::id() & 0x7fff) << 8;
        Self {
            output,
            encoded: LruCache::new(KEPT),
            encoding: None,
            last_id,
            sent: Vec::new(),
            shown: Vec::new(),
            screen: Size::default(),
        }
    }

    /// Begins to encode a picture that is on the screen, unless all are encoded already or one is
    /// being encoded.
    pub fn want(&mut self, state: &State, theme: &Theme) {
        let Some(protocol) = self.output.protocol.filter(|_| self.encoding.is_none()) else {
            return;
        };
        let pictures = pictures_on(state.size, state).into_iter();
        let mut lacking =
            pictures.filter(|(_, _, area)| !area.is_empty() && protocol.can_fill(*area));
        let background = theme.background();
        let Some((key, seen, area)) = lacking.find(|(key, _, area)| {
            !self
                .encoded
                .contains(&(key.clone(), area.as_size(), background))
        }) else {
            return;
        };
        let wanted = (key, area.as_size(), background);
        self.last_id += 1;
        let (id, seen, output, size) = (self.last_id, seen.clone(), self.output, area.as_size());
        let work = tokio::task::spawn_blocking(move || {
            encode(&seen.over(background), size, id, protocol, output)
        });
        self.encoding = Some((wanted, work));
    }

    /// Waits until a picture is encoded; forever if none is being encoded. Cancel-safe.
    pub async fn encoded(&mut self) {
        let Some((_, work)) = &mut self.encoding else {
            return std::future::pending().await;
        };
        let data = work.await.ok().flatten();
        if let Some((wanted, _)) = self.encoding.take() {
            self.encoded.put(
                wanted,
                Encoded {
                    id: self.last_id,
                    data,
                },
            );
        }
        let bytes =
            |(_, encoded): (&PictureKey, &Encoded)| encoded.data.as_ref().map_or(0, String::len);
        while self.encoded.len() > 1 && self.encoded.iter().map(bytes).sum::<usize>() > MOST_KEPT {
            self.encoded.pop_lru();
        }
    }

    /// Puts the cells of the pictures into the frame, in place of their blocks, unless
    /// something lies over them.
    pub fn place(
        &mut self,
        state: &State,
        theme: &Theme,
        buffer: &mut Buffer,
    ) -> io::Result<Placed> {
        if std::mem::replace(&mut self.screen, buffer.area.as_size()) != buffer.area.as_size() {
            self.shown.clear();
        }
        let mut placed = Vec::new();
        for (key, seen, area) in pictures_on(buffer.area.as_size(), state) {
            let wanted = (key, area.as_size(), theme.background());
            let Some(Encoded {
                id,
                data: Some(data),
            }) = self.encoded.get(&wanted)
            else {
                continue;
            };
            if !is_bare(seen, area, theme, buffer) {
                continue;
            }
            if self.output.protocol == Some(Protocol::Kitty) {
                // The terminal must have the picture before it can place it.
                if !self.sent.contains(id) {
                    stdout().write_all(data.as_bytes())?;
                    self.sent.push(*id);
                }
                kitty::place(*id, area, buffer);
            } else {
                blank(*id, area, buffer);
                placed.push((*id, area, wanted));
            }
        }
        Ok(Placed(placed))
    }

    /// Draws the placed pictures over the frame that is on the terminal now.
    pub fn show(&mut self, placed: Placed) -> io::Result<()> {
        let before = std::mem::take(&mut self.shown);
        let Placed(placed) = placed;
        self.free()?;
        let mut terminal = stdout();
        for (id, area, wanted) in placed {
            self.shown.push((id, area));
            let encoded = self
                .encoded
                .get(&wanted)
                .filter(|_| !before.contains(&(id, area)));
            let Some(data) = encoded.and_then(|encoded| encoded.data.as_ref()) else {
                continue;
            };
            queue!(terminal, SavePosition, MoveTo(area.x, area.y))?;
            terminal.write_all(data.as_bytes())?;
            queue!(terminal, RestorePosition)?;
            terminal.flush()?;
        }
        Ok(())
    }

    /// Forgets the shown pictures after the terminal was wiped or given to another program.
    pub fn forget(&mut self) {
        self.shown.clear();
        // The terminal may have lost the pictures, so they are sent again under new ids.
        self.encoded.clear();
        if let Err(error) = self.free() {
            tracing::debug!("pictures remain in the terminal: {error}");
        }
    }

    /// Deletes the pictures from the terminal that are no longer kept here.
    fn free(&mut self) -> io::Result<()> {
        let kept: Vec<u32> = self.encoded.iter().map(|(_, encoded)| encoded.id).collect();
        let is_tmux = self.output.is_tmux;
        for id in self.sent.extract_if(.., |id| !kept.contains(id)) {
            stdout().write_all(wrapped(&kitty::deletion(id), is_tmux).as_bytes())?;
        }
        Ok(())
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        self.forget();
    }
}

/// The pictures to draw once the frame is on the terminal.
#[derive(Debug)]
#[must_use]
pub struct Placed(Vec<(u32, Rect, PictureKey)>);

impl Protocol {
    /// Returns `true` if the protocol can address a picture of that size.
    fn can_fill(self, area: Rect) -> bool {
        self != Self::Kitty || usize::from(area.height) <= kitty::MOST_ROWS
    }
}

/// Encodes a picture without transparency, which the protocols would put on different backgrounds.
fn encode(
    seen: &Picture,
    size: Size,
    id: u32,
    protocol: Protocol,
    output: PictureOutput,
) -> Option<String> {
    match protocol {
        Protocol::Kitty => {
            let parts = kitty::transmission(seen, size, id);
            Some(
                parts
                    .iter()
                    .map(|part| wrapped(part, output.is_tmux))
                    .collect(),
            )
        }
        Protocol::Iterm2 => {
            iterm2::sequence(seen, size).map(|sequence| wrapped(&sequence, output.is_tmux))
        }
        // tmux either supports sixels by itself, or not at all.
        Protocol::Sixel => sixel::sequence(seen, size, output.room.cell()),
    }
}

fn wrapped(sequence: &str, is_tmux: bool) -> String {
    if is_tmux {
        through_tmux(sequence)
    } else {
        sequence.to_owned()
    }
}

/// Returns `true` if nothing lies over the picture's blocks.
fn is_bare(seen: &Picture, area: Rect, theme: &Theme, buffer: &Buffer) -> bool {
    let mut alone = Buffer::empty(area);
    picture::draw(seen, area, Mosaic::Quadrants, theme, &mut alone);
    area.positions().all(|position| {
        let drawn = buffer.cell(position).zip(alone.cell(position));
        drawn.is_some_and(|(drawn, alone)| {
            (drawn.symbol(), drawn.fg, drawn.bg) == (alone.symbol(), alone.fg, alone.bg)
        })
    })
}

/// Writes blanks that differ from those of any other picture, so that they are sent when the
/// picture appears, and again when it disappears, which wipes it.
fn blank(id: u32, area: Rect, buffer: &mut Buffer) {
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.reset();
            cell.set_symbol(" ").set_style(Style::new().fg(color(id)));
        }
    }
}

#[cfg(test)]
mod tests;
