use ratatui::style::Color;
use rstest::rstest;

use super::*;
use crate::tui::style::theme::Depth;

fn seen() -> Picture {
    let rgba: Vec<u8> = (0..40 * 20)
        .flat_map(|at: u32| [at.to_le_bytes()[0], 90, 20, 255])
        .collect();
    Picture {
        width: 40,
        height: 20,
        rgba: rgba.into(),
    }
}

#[rstest]
#[case::asked(Images::Auto, Some(Protocol::Kitty), Some(Protocol::Kitty), PictureSupport::Pixels { cell: Size::new(9, 18) })]
#[case::cannot(Images::Auto, None, None, PictureSupport::Blocks)]
#[case::wanted(Images::Sixel, None, Some(Protocol::Sixel), PictureSupport::Pixels { cell: Size::new(9, 18) })]
#[case::blocks(Images::Blocks, Some(Protocol::Kitty), None, PictureSupport::Blocks)]
#[case::off(Images::Off, Some(Protocol::Kitty), None, PictureSupport::None)]
fn the_choice_goes_before_what_the_terminal_says(
    #[case] images: Images,
    #[case] found: Option<Protocol>,
    #[case] protocol: Option<Protocol>,
    #[case] room: PictureSupport,
) {
    let probe = Probe {
        protocol: found,
        cell: Some((9, 18)),
        ..Probe::default()
    };
    let output = PictureOutput::choose(images, &probe);
    assert_eq!((output.protocol, output.room), (protocol, room));
}

#[test]
fn blocks_have_six_dots_where_the_terminal_draws_them() {
    let probe = |has_sextants| Probe {
        has_sextants,
        ..Probe::default()
    };
    let room = |images, has_sextants| PictureOutput::choose(images, &probe(has_sextants)).room;
    assert_eq!(room(Images::Auto, true), PictureSupport::Sextants);
    assert_eq!(room(Images::Blocks, true), PictureSupport::Sextants);
    assert_eq!(room(Images::Blocks, false), PictureSupport::Blocks);
    assert_eq!(room(Images::Off, true), PictureSupport::None);
}

#[test]
fn blocks_under_anything_else_stay() {
    let (screen, area) = (Rect::new(0, 0, 60, 20), Rect::new(5, 2, 40, 10));
    let theme = Theme::named("dark", Depth::True).unwrap();
    let mut buffer = Buffer::empty(screen);
    picture::draw(&seen(), area, Mosaic::Quadrants, &theme, &mut buffer);
    assert!(is_bare(&seen(), area, &theme, &buffer));
    buffer[(10, 5)].set_symbol("│");
    assert!(
        !is_bare(&seen(), area, &theme, &buffer),
        "a dialog's border"
    );
    picture::draw(&seen(), area, Mosaic::Quadrants, &theme, &mut buffer);
    buffer[(44, 11)].set_bg(Color::Reset);
    assert!(!is_bare(&seen(), area, &theme, &buffer), "a shade");
}

#[test]
fn every_cell_of_a_picture_is_written_when_it_comes_changes_and_goes() {
    let (screen, area) = (Rect::new(0, 0, 10, 4), Rect::new(2, 1, 4, 2));
    let empty = Buffer::empty(screen);
    let with = |id| {
        let mut buffer = empty.clone();
        blank(id, area, &mut buffer);
        buffer
    };
    let (one, other) = (with(1), with(2));
    for (before, after) in [(&empty, &one), (&one, &other), (&one, &empty)] {
        assert_eq!(before.diff(after).len(), 8);
    }
    assert!(one.diff(&one).is_empty());
}

#[rstest]
#[case::kitty(Protocol::Kitty, "\x1bPtmux;\x1b\x1b_G")]
#[case::iterm2(Protocol::Iterm2, "\x1bPtmux;\x1b\x1b]1337;")]
#[case::sixel(Protocol::Sixel, "\x1bP0;1;0q")]
fn tmux_hands_on_what_it_does_not_know(#[case] protocol: Protocol, #[case] start: &str) {
    let output = PictureOutput {
        room: PictureSupport::Pixels {
            cell: Size::new(10, 20),
        },
        protocol: Some(protocol),
        is_tmux: true,
    };
    let data = encode(
        &seen(),
        Size {
            width: 10,
            height: 3,
        },
        7,
        protocol,
        output,
    )
    .unwrap();
    assert!(
        data.starts_with(start),
        "{:?}",
        data.chars().take(30).collect::<String>()
    );
}

#[rstest]
fn what_is_sent_is_bounded(
    #[values(Protocol::Kitty, Protocol::Iterm2, Protocol::Sixel)] protocol: Protocol,
) {
    let output = PictureOutput {
        room: PictureSupport::Pixels {
            cell: Size::new(20, 40),
        },
        protocol: Some(protocol),
        is_tmux: false,
    };
    let (width, height) = output.room.dots(Size::new(400, 100));
    // Noise, which does not compress.
    let mut seed = 1_u32;
    let mut noise = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.to_be_bytes()[0]
    };
    let rgba: Vec<u8> = (0..width * height * 4).map(|_| noise()).collect();
    let seen = Picture {
        width,
        height,
        rgba: rgba.into(),
    };
    let data = encode(
        &seen,
        Size {
            width: 42,
            height: 15,
        },
        7,
        protocol,
        output,
    )
    .unwrap();
    assert!(data.len() <= 3 * 1024 * 1024, "{}", data.len());
}
