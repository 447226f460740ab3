//! The properties of a video or audio file, one per line.

use ratatui::text::{Line, Span};

use crate::engine::preview::MediaFacts;
use crate::tui::style::symbols::TIMES;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::right;

const LABEL: usize = 9;

pub(crate) fn lines<'a>(facts: &MediaFacts, theme: &Theme) -> Vec<Line<'a>> {
    let MediaFacts {
        length,
        size,
        codecs,
        sample_rate,
        channels,
        bit_rate,
    } = facts;
    let kilohertz = |rate: u32| format!("{}.{} kHz", rate / 1_000, rate % 1_000 / 100);
    let facts = [
        (
            "length",
            length.map(|length| {
                figures::elapsed(
                    length
                        .as_millis()
                        .div_ceil(1_000)
                        .try_into()
                        .unwrap_or(u64::MAX),
                )
            }),
        ),
        (
            "pixels",
            size.map(|(width, height)| format!("{width} {TIMES} {height}")),
        ),
        ("codec", (!codecs.is_empty()).then(|| codecs.join(", "))),
        ("rate", sample_rate.map(kilohertz)),
        ("channels", channels.map(|count| count.to_string())),
        ("bits", bit_rate.map(|rate| format!("{rate} kbit/s"))),
    ];
    let line = |(label, value): (&'static str, Option<String>)| {
        let label = Span::styled(format!("{}  ", right(label, LABEL)), theme.dim);
        Some(Line::from(vec![label, Span::styled(value?, theme.text)]))
    };
    facts.into_iter().filter_map(line).collect()
}
