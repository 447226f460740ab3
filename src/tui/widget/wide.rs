//! Wide characters that are partly covered.

use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr;

/// Blanks the first half of every wide character whose second half was drawn over: terminals would
/// show the whole character and lose what covers it.
pub fn mend(buf: &mut Buffer) {
    let area = buf.area;
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right().saturating_sub(1) {
            let is_wide = buf
                .cell((x, y))
                .is_some_and(|cell| !cell.symbol().is_ascii() && cell.symbol().width() > 1);
            let is_covered = buf
                .cell((x + 1, y))
                .is_some_and(|cell| cell.symbol() != " ");
            if is_wide
                && is_covered
                && let Some(cell) = buf.cell_mut((x, y))
            {
                cell.set_symbol(" ");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn half_a_character_gives_way_to_what_lies_over_the_other_half() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 6, 1));
        buf.set_string(0, 0, "写真写", Style::new());
        buf.set_string(3, 0, "|", Style::new());
        mend(&mut buf);
        let symbols: Vec<&str> = buf
            .content()
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect();
        assert_eq!(symbols, ["写", " ", " ", "|", "写", " "]);
    }
}
