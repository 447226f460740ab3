//! A color as a terminal reports it.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// Returns `true` if light text is readable on it.
    pub fn is_dark(self) -> bool {
        let Self(red, green, blue) = self;
        u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114 < 128_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_background_is_dark_or_light() {
        assert!(Rgb(0x1e, 0x1e, 0x2e).is_dark());
        assert!(!Rgb(0xfd, 0xf6, 0xe3).is_dark());
    }
}
