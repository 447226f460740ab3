//! A trend in one line of eighth blocks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Sparkline, Widget};

/// One cell per value, scaled to the highest.
pub fn line(values: impl IntoIterator<Item = u64>) -> String {
    let values: Vec<u64> = values.into_iter().collect();
    let highest = values.iter().copied().max().unwrap_or(0);
    levels(&values, highest)
}

/// One cell per value, full from `highest` on.
pub fn levels(values: &[u64], highest: u64) -> String {
    let area = Rect::new(0, 0, u16::try_from(values.len()).unwrap_or(u16::MAX), 1);
    let mut buf = Buffer::empty(area);
    Sparkline::default()
        .data(values)
        .max(highest)
        .render(area, &mut buf);
    buf.content()
        .iter()
        .map(ratatui::buffer::Cell::symbol)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_value_fills_its_cell() {
        assert_eq!(line([0, 1, 4, 8]), " ▁▄█");
        assert_eq!(line([]), "");
    }
}
