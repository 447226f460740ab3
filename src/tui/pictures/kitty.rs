//! The kitty protocol: the picture is sent once with a number, and is shown wherever cells name it.
//! Text that is written over it replaces it, in tmux too. Nothing is read from files or shared
//! memory, and no reply is requested.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;

use super::id::color;
use crate::engine::preview::Picture;

/// The bytes of base64 in one sequence.
const CHUNK: usize = 4096;

/// The number of rows that a cell can name.
pub(super) const MOST_ROWS: usize = ROWS.len();

/// Returns the sequences that send a picture, to be shown in this many cells.
pub(super) fn transmission(seen: &Picture, size: Size, id: u32) -> Vec<String> {
    let (dots, _) = seen.rgba.as_chunks::<4>();
    let rgb: Vec<u8> = dots
        .iter()
        .flat_map(|[red, green, blue, _]| [*red, *green, *blue])
        .collect();
    let data = STANDARD.encode(rgb);
    let (
        Size {
            width: columns,
            height: rows,
        },
        Picture { width, height, .. },
    ) = (size, seen);
    let mut head = format!("a=T,U=1,t=d,f=24,i={id},s={width},v={height},c={columns},r={rows},");
    let mut rest = data.as_str();
    let mut sequences = Vec::with_capacity(data.len() / CHUNK + 1);
    loop {
        let (chunk, after) = rest.split_at_checked(CHUNK).unwrap_or((rest, ""));
        let more = u8::from(!after.is_empty());
        sequences.push(format!(
            "\x1b_G{}q=2,m={more};{chunk}\x1b\\",
            std::mem::take(&mut head)
        ));
        if after.is_empty() {
            return sequences;
        }
        rest = after;
    }
}

/// Returns the sequence that deletes a picture from the terminal.
pub(super) fn deletion(id: u32) -> String {
    format!("\x1b_Ga=d,d=I,i={id},q=2\x1b\\")
}

/// Fills the area with cells that name the picture by their color, and the row by a mark on its
/// first cell; the terminal derives the columns of the others.
pub(super) fn place(id: u32, area: Rect, buffer: &mut Buffer) {
    for (y, mark) in (area.top()..area.bottom()).zip(ROWS) {
        for x in area.left()..area.right() {
            let Some(cell) = buffer.cell_mut((x, y)) else {
                continue;
            };
            cell.reset();
            let first = [PLACEHOLDER, mark, FIRST_COLUMN];
            let symbol: String = if x == area.left() {
                first.iter().collect()
            } else {
                PLACEHOLDER.into()
            };
            cell.set_symbol(&symbol)
                .set_style(Style::new().fg(color(id)));
        }
    }
}

const PLACEHOLDER: char = '\u{10eeee}';
const FIRST_COLUMN: char = ROWS[0];

/// The diacritics for the numbers from 0 on, in the protocol's order.
const ROWS: [char; 128] = [
    '\u{305}', '\u{30d}', '\u{30e}', '\u{310}', '\u{312}', '\u{33d}', '\u{33e}', '\u{33f}',
    '\u{346}', '\u{34a}', '\u{34b}', '\u{34c}', '\u{350}', '\u{351}', '\u{352}', '\u{357}',
    '\u{35b}', '\u{363}', '\u{364}', '\u{365}', '\u{366}', '\u{367}', '\u{368}', '\u{369}',
    '\u{36a}', '\u{36b}', '\u{36c}', '\u{36d}', '\u{36e}', '\u{36f}', '\u{483}', '\u{484}',
    '\u{485}', '\u{486}', '\u{487}', '\u{592}', '\u{593}', '\u{594}', '\u{595}', '\u{597}',
    '\u{598}', '\u{599}', '\u{59c}', '\u{59d}', '\u{59e}', '\u{59f}', '\u{5a0}', '\u{5a1}',
    '\u{5a8}', '\u{5a9}', '\u{5ab}', '\u{5ac}', '\u{5af}', '\u{5c4}', '\u{610}', '\u{611}',
    '\u{612}', '\u{613}', '\u{614}', '\u{615}', '\u{616}', '\u{617}', '\u{657}', '\u{658}',
    '\u{659}', '\u{65a}', '\u{65b}', '\u{65d}', '\u{65e}', '\u{6d6}', '\u{6d7}', '\u{6d8}',
    '\u{6d9}', '\u{6da}', '\u{6db}', '\u{6dc}', '\u{6df}', '\u{6e0}', '\u{6e1}', '\u{6e2}',
    '\u{6e4}', '\u{6e7}', '\u{6e8}', '\u{6eb}', '\u{6ec}', '\u{730}', '\u{732}', '\u{733}',
    '\u{735}', '\u{736}', '\u{73a}', '\u{73d}', '\u{73f}', '\u{740}', '\u{741}', '\u{743}',
    '\u{745}', '\u{747}', '\u{749}', '\u{74a}', '\u{7eb}', '\u{7ec}', '\u{7ed}', '\u{7ee}',
    '\u{7ef}', '\u{7f0}', '\u{7f1}', '\u{7f3}', '\u{816}', '\u{817}', '\u{818}', '\u{819}',
    '\u{81b}', '\u{81c}', '\u{81d}', '\u{81e}', '\u{81f}', '\u{820}', '\u{821}', '\u{822}',
    '\u{823}', '\u{825}', '\u{826}', '\u{827}', '\u{829}', '\u{82a}', '\u{82b}', '\u{82c}',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(width: u32, height: u32) -> Picture {
        Picture {
            width,
            height,
            rgba: vec![128; width as usize * height as usize * 4].into(),
        }
    }

    #[test]
    fn a_picture_is_sent_in_parts_that_want_no_reply() {
        let sequences = transmission(
            &gray(100, 60),
            Size {
                width: 20,
                height: 6,
            },
            7,
        );
        assert_eq!(
            sequences.len(),
            (100 * 60 * 3_usize).div_ceil(3) * 4 / CHUNK + 1
        );
        assert!(
            sequences[0].starts_with("\x1b_Ga=T,U=1,t=d,f=24,i=7,s=100,v=60,c=20,r=6,q=2,m=1;"),
            "{}",
            sequences[0]
        );
        let (last, others) = sequences.split_last().unwrap();
        assert!(others.iter().all(|part| part.contains("q=2,m=1;")) && last.contains("q=2,m=0;"));
        assert!(
            sequences
                .iter()
                .all(|part| part.len() <= CHUNK + 100 && part.ends_with("\x1b\\"))
        );
    }

    #[test]
    fn cells_name_the_picture_and_their_row() {
        let area = Rect {
            x: 1,
            y: 1,
            width: 2,
            height: 2,
        };
        let mut buffer = Buffer::empty(Rect {
            x: 0,
            y: 0,
            width: 4,
            height: 4,
        });
        place(0x01_02_03, area, &mut buffer);
        assert_eq!(buffer[(1, 2)].symbol(), "\u{10eeee}\u{30d}\u{305}");
        assert_eq!(buffer[(2, 2)].symbol(), "\u{10eeee}");
        assert_eq!(buffer[(2, 2)].fg, ratatui::style::Color::Rgb(1, 2, 3));
        assert_eq!(buffer[(0, 0)].symbol(), " ");
    }
}
