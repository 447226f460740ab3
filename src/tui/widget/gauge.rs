//! Gauges of ASCII characters: `[######----]`.

/// A bar of `cells` in all, brackets included. More than 0 % shows at least one `#`, and only 100 % fills it.
pub fn bar(percent: f64, cells: usize) -> String {
    let Some(room) = cells.checked_sub(2).filter(|room| *room > 0) else {
        return String::new();
    };
    let filled = filled(percent, room);
    format!("[{}{}]", "#".repeat(filled), "-".repeat(room - filled))
}

fn filled(percent: f64, room: usize) -> usize {
    if percent.is_nan() || percent <= 0.0 {
        return 0;
    }
    if percent >= 100.0 {
        return room;
    }
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0..room")]
    let cells = (percent / 100.0 * room as f64).round() as usize;
    cells.clamp(1, room.saturating_sub(1).max(1))
}

/// The sign that goes with a percentage: nothing below 75, `!` below 90, then `!!`.
pub fn sign(percent: f64) -> &'static str {
    match percent {
        p if p >= 90.0 => "!!",
        p if p >= 75.0 => "!",
        _ => "",
    }
}

/// A percentage without decimals, rounded down, so that 100 is only shown when it is reached.
pub fn percent(value: f64) -> String {
    format!("{:.0}%", if value.is_finite() { value.max(0.0).floor() } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::empty(0.0, "[----------]")]
    #[case::just_begun(0.2, "[#---------]")]
    #[case::some(62.0, "[######----]")]
    #[case::almost_full(99.9, "[#########-]")]
    #[case::full(100.0, "[##########]")]
    #[case::over(130.0, "[##########]")]
    #[case::not_a_number(f64::NAN, "[----------]")]
    fn a_bar_shows_how_full(#[case] percent: f64, #[case] expected: &str) {
        assert_eq!(bar(percent, 12), expected);
    }

    #[test]
    fn a_bar_without_room_is_nothing() {
        assert_eq!(bar(50.0, 2), "");
        assert_eq!(bar(50.0, 0), "");
        assert_eq!(bar(50.0, 3), "[#]");
    }

    #[rstest]
    #[case(74.9, "", "74%")]
    #[case(75.0, "!", "75%")]
    #[case(89.9, "!", "89%")]
    #[case(90.0, "!!", "90%")]
    #[case(99.999, "!!", "99%")]
    fn marks_stand_at_75_and_90(#[case] value: f64, #[case] mark: &str, #[case] text: &str) {
        assert_eq!((sign(value), percent(value).as_str()), (mark, text));
    }
}
