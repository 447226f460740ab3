//! Usage against a limit: percentage, "at" and "near" (`contract.md#crm-limits`).

use serde::{Deserialize, Serialize};

use crate::service::policy;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitShare {
    pub(crate) limit: u64,
    pub(crate) usage: u64,
}

impl LimitShare {
    /// 0 to 100 and above, rounded to three decimals. For a limit of 0, any usage is 100.
    #[expect(
        clippy::cast_precision_loss,
        reason = "three decimals of a percentage need far less than 53 bits"
    )]
    pub(crate) fn percentage(self) -> f64 {
        match (self.limit, self.usage) {
            (0, 0) => 0.0,
            (0, _) => 100.0,
            (limit, usage) => (usage as f64 / limit as f64 * 100_000.0).round() / 1_000.0,
        }
    }

    pub(crate) fn is_at(self) -> bool {
        self.usage >= self.limit
    }

    /// Usage at its limit does not also count as near it. Computed with integers, so that rounding
    /// has no influence.
    pub(crate) fn is_near(self) -> bool {
        let is_over = u128::from(self.usage) * 100
            >= u128::from(self.limit) * u128::from(policy::NEAR_PERCENT);
        is_over && !self.is_at()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::nothing_used(1000, 0, 0.0)]
    #[case::a_third(3, 1, 33.333)]
    #[case::two_thirds(3, 2, 66.667)]
    #[case::all(1000, 1000, 100.0)]
    #[case::above(10, 12, 120.0)]
    #[case::ninety_four_of_fifteen_million(15_000_000, 94, 0.001)]
    #[case::one_of_fifteen_million(15_000_000, 1, 0.0)]
    #[case::a_limit_of_nothing_unused(0, 0, 0.0)]
    #[case::a_limit_of_nothing_used(0, 1, 100.0)]
    fn percentages_have_three_decimals(
        #[case] limit: u64,
        #[case] usage: u64,
        #[case] expected: f64,
    ) {
        assert!((LimitShare { limit, usage }.percentage() - expected).abs() < 1e-9);
    }

    #[rstest]
    #[case::just_below_near(50_000, 39_999, false, false)]
    #[case::first_near(50_000, 40_000, true, false)]
    #[case::last_near(50_000, 49_999, true, false)]
    #[case::first_at(50_000, 50_000, false, true)]
    #[case::above(50_000, 50_001, false, true)]
    fn near_starts_at_eighty_percent_and_ends_at_the_limit(
        #[case] limit: u64,
        #[case] usage: u64,
        #[case] near: bool,
        #[case] at: bool,
    ) {
        let share = LimitShare { limit, usage };
        assert_eq!((share.is_near(), share.is_at()), (near, at));
    }
}
