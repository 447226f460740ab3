//! A limit on the bytes per second of all transfers, in its written form: `2M`, `500K`, `off`.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

/// In bytes per second; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LimitRate(Option<NonZeroU64>);

/// The valid values, to continue the words "it is not".
pub const LIMIT_RATE: &str = "bytes a second as 500K or 2M, from 10K on, or off";

/// Services drop very slow bodies (filedeck's own, below 1 KiB per second), and several transfers
/// share the limit.
const LEAST: u64 = 10_000;
const OFF: &str = "off";

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not {LIMIT_RATE}")]
pub struct NoLimitRate;

impl LimitRate {
    /// In bytes per second.
    pub fn bytes(self) -> Option<NonZeroU64> {
        self.0
    }
}

impl FromStr for LimitRate {
    type Err = NoLimitRate;

    fn from_str(text: &str) -> Result<Self, NoLimitRate> {
        let text = text.trim();
        if text.eq_ignore_ascii_case(OFF) {
            return Ok(Self(None));
        }
        let bytes = text.parse::<ByteSize>().map_err(|_| NoLimitRate)?.as_u64();
        NonZeroU64::new(bytes)
            .filter(|bytes| bytes.get() >= LEAST)
            .map(|bytes| Self(Some(bytes)))
            .ok_or(NoLimitRate)
    }
}

impl fmt::Display for LimitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.map_or(0, NonZeroU64::get) {
            0 => f.write_str(OFF),
            bytes if bytes % 1_000_000 == 0 => write!(f, "{}M", bytes / 1_000_000),
            bytes if bytes % 1_000 == 0 => write!(f, "{}K", bytes / 1_000),
            bytes => write!(f, "{bytes}"),
        }
    }
}

impl TryFrom<String> for LimitRate {
    type Error = NoLimitRate;

    fn try_from(text: String) -> Result<Self, NoLimitRate> {
        text.parse()
    }
}

impl From<LimitRate> for String {
    fn from(rate: LimitRate) -> Self {
        rate.to_string()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::millions("2M", Some(2_000_000), "2M")]
    #[case::a_part("1.5M", Some(1_500_000), "1500K")]
    #[case::small_letters("500k", Some(500_000), "500K")]
    #[case::with_its_unit("64 KiB", Some(65_536), "65536")]
    #[case::bytes("14096", Some(14_096), "14096")]
    #[case::none("Off", None, "off")]
    fn limits_are_read_and_written(
        #[case] text: &str,
        #[case] bytes: Option<u64>,
        #[case] written: &str,
    ) {
        let rate: LimitRate = text.parse().unwrap();
        assert_eq!(rate.bytes().map(NonZeroU64::get), bytes);
        assert_eq!(rate.to_string(), written);
        assert_eq!(written.parse(), Ok(rate));
    }

    #[rstest]
    #[case::nothing("")]
    #[case::a_word("fast")]
    #[case::too_little("9999")]
    #[case::zero("0")]
    #[case::less("-2M")]
    fn others_are_refused(#[case] text: &str) {
        assert_eq!(text.parse::<LimitRate>(), Err(NoLimitRate));
    }
}
