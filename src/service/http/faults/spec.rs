//! The text form of fault rules, for `serve --fault`:
//! `status=503,every=5,method=GET,path=/files/v3/files`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use axum::http::Method;
use jiff::SignedDuration;

use super::rule::{Fault, FaultRule, FaultSchedule, FaultScope};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultSpecError {
    #[error(
        "a fault begins with one of delay=600ms, status=503, lock=2s, rate-limit=SECONDLY, portal, cut=BYTES and \
         slow=BYTES (a second)"
    )]
    Kind,
    #[error(
        "'{0}' is not one of every=N, times=N, method=METHOD, path=START and retry-after=SECONDSs"
    )]
    Key(String),
    #[error("'{value}' is not what {key} takes: {takes}")]
    Value {
        key: String,
        value: String,
        takes: &'static str,
    },
}

impl FromStr for FaultRule {
    type Err = FaultSpecError;

    fn from_str(text: &str) -> Result<Self, FaultSpecError> {
        let mut words = text
            .split(',')
            .map(|word| word.trim().split_once('=').unwrap_or((word.trim(), "")));
        let (key, value) = words.next().ok_or(FaultSpecError::Kind)?;
        let mut fault = parse_fault(key, value)?;
        let (mut scope, mut when) = (FaultScope::default(), FaultSchedule::Always);
        for (key, value) in words {
            let wrong = |takes| FaultSpecError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                takes,
            };
            let count = || {
                value
                    .parse()
                    .ok()
                    .filter(|count| *count > 0)
                    .ok_or_else(|| wrong("a number above 0"))
            };
            match (key, &mut fault) {
                ("every", _) => when = FaultSchedule::EveryNth(count()?),
                ("times", _) => when = FaultSchedule::Times(count()?),
                ("method", _) => {
                    let method = value.to_ascii_uppercase().parse::<Method>();
                    scope.method = Some(method.map_err(|_| wrong("a method, as in GET"))?);
                }
                ("path", _) if value.starts_with('/') => value.clone_into(&mut scope.path),
                ("path", _) => return Err(wrong("the start of a path, as in /files/v3/files")),
                (
                    "retry-after",
                    Fault::Refuse { retry_after, .. } | Fault::RateLimit { retry_after, .. },
                ) => {
                    *retry_after = Some(duration(value).ok_or_else(|| wrong("a time, as in 2s"))?);
                }
                _ => return Err(FaultSpecError::Key(format!("{key}={value}"))),
            }
        }
        Ok(Self { scope, when, fault })
    }
}

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::Delay(time) => write!(f, "delay={}", in_words(*time))?,
            Fault::Refuse { status, .. } => write!(f, "status={status}")?,
            Fault::Lock(time) => write!(f, "lock={}", in_words(*time))?,
            Fault::RateLimit { policy, .. } => write!(f, "rate-limit={policy}")?,
            Fault::Portal => f.write_str("portal")?,
            Fault::CutBody { after } => write!(f, "cut={after}")?,
            Fault::SlowBody { bytes_per_second } => write!(f, "slow={bytes_per_second}")?,
        }
        if let Fault::Refuse {
            retry_after: Some(time),
            ..
        }
        | Fault::RateLimit {
            retry_after: Some(time),
            ..
        } = &self.fault
        {
            write!(f, ",retry-after={}", in_words(*time))?;
        }
        match self.when {
            FaultSchedule::Always => {}
            FaultSchedule::Times(times) => write!(f, ",times={times}")?,
            FaultSchedule::EveryNth(nth) => write!(f, ",every={nth}")?,
        }
        if let Some(method) = &self.scope.method {
            write!(f, ",method={method}")?;
        }
        if self.scope.path.is_empty() {
            Ok(())
        } else {
            write!(f, ",path={}", self.scope.path)
        }
    }
}

fn in_words(time: Duration) -> String {
    format!(
        "{:#}",
        SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX)
    )
}

fn parse_fault(key: &str, value: &str) -> Result<Fault, FaultSpecError> {
    let wrong = |takes| FaultSpecError::Value {
        key: key.to_owned(),
        value: value.to_owned(),
        takes,
    };
    let bytes = || {
        value
            .parse::<bytesize::ByteSize>()
            .ok()
            .and_then(|size| usize::try_from(size.as_u64()).ok())
    };
    Ok(match key {
        "delay" => Fault::Delay(duration(value).ok_or_else(|| wrong("a time, as in 600ms"))?),
        "status" => {
            let status = value
                .parse()
                .ok()
                .filter(|status| (400..600).contains(status));
            Fault::Refuse {
                status: status.ok_or_else(|| wrong("a status from 400 to 599"))?,
                retry_after: None,
            }
        }
        "lock" => Fault::Lock(duration(value).ok_or_else(|| wrong("a time, as in 2s"))?),
        "rate-limit" => {
            let policies = ["SECONDLY", "TEN_SECONDLY_ROLLING", "DAILY"];
            let policy = policies
                .into_iter()
                .find(|policy| policy.eq_ignore_ascii_case(value));
            let policy = policy.ok_or_else(|| wrong("SECONDLY, TEN_SECONDLY_ROLLING or DAILY"))?;
            Fault::RateLimit {
                policy,
                retry_after: None,
            }
        }
        "portal" if value.is_empty() => Fault::Portal,
        "cut" => Fault::CutBody {
            after: bytes().ok_or_else(|| wrong("a size, as in 20 or 64KiB"))?,
        },
        "slow" => {
            let pace = bytes()
                .filter(|pace| *pace > 0)
                .ok_or_else(|| wrong("a size above 0, as in 64KiB"))?;
            Fault::SlowBody {
                bytes_per_second: pace,
            }
        }
        _ => return Err(FaultSpecError::Kind),
    })
}

fn duration(text: &str) -> Option<Duration> {
    text.parse::<SignedDuration>().ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn always(fault: Fault) -> FaultRule {
        FaultRule {
            scope: FaultScope::default(),
            when: FaultSchedule::Always,
            fault,
        }
    }

    #[rstest]
    #[case::latency("delay=600ms", Fault::Delay(Duration::from_millis(600)))]
    #[case::server_error("status=503", Fault::Refuse { status: 503, retry_after: None })]
    #[case::migration("status=477,retry-after=60s", Fault::Refuse { status: 477, retry_after: Some(Duration::from_mins(1)) })]
    #[case::lock("lock=2s", Fault::Lock(Duration::from_secs(2)))]
    #[case::rate_limit("rate-limit=secondly,retry-after=1s", Fault::RateLimit { policy: "SECONDLY", retry_after: Some(Duration::from_secs(1)) })]
    #[case::sign_in_page("portal", Fault::Portal)]
    #[case::cut_body("cut=20", Fault::CutBody { after: 20 })]
    #[case::slow_body("slow=64KiB", Fault::SlowBody { bytes_per_second: 65_536 })]
    fn each_fault_has_its_words(#[case] text: &str, #[case] fault: Fault) {
        assert_eq!(text.parse(), Ok(always(fault)));
    }

    #[rstest]
    #[case("delay=600ms,every=3")]
    #[case("status=477,retry-after=90s,times=2,method=POST,path=/files/v3/files")]
    #[case("lock=2s,times=1")]
    #[case("rate-limit=DAILY,retry-after=1s,method=GET")]
    #[case("portal")]
    #[case("cut=20,path=/hubfs")]
    #[case("slow=64KiB")]
    fn a_rule_is_told_in_words_that_mean_the_same(#[case] text: &str) {
        let rule: FaultRule = text.parse().unwrap();
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }

    #[test]
    fn a_rule_says_which_requests_and_how_often() {
        let rule: FaultRule = "status=500, times=2, method=post, path=/files/v3/folders"
            .parse()
            .unwrap();
        assert_eq!(
            rule.scope,
            FaultScope {
                method: Some(Method::POST),
                path: "/files/v3/folders".to_owned()
            }
        );
        assert_eq!(rule.when, FaultSchedule::Times(2));
        assert_eq!(
            "cut=1,every=3".parse::<FaultRule>().unwrap().when,
            FaultSchedule::EveryNth(3)
        );
    }

    #[rstest]
    #[case::nothing("", "begins with")]
    #[case::unknown_fault("explode=1", "begins with")]
    #[case::success("status=200", "400 to 599")]
    #[case::unknown_policy("rate-limit=HOURLY", "SECONDLY")]
    #[case::page_with_a_value("portal=1", "begins with")]
    #[case::no_unit("delay=600", "600ms")]
    #[case::no_pace("slow=0", "above 0")]
    #[case::never("status=500,times=0", "above 0")]
    #[case::unknown_key("status=500,often=1", "often=1")]
    #[case::wait_without_refusal("delay=1s,retry-after=1s", "retry-after=1s")]
    #[case::relative_path("status=500,path=files", "/files/v3/files")]
    fn a_mistake_is_told_with_what_would_do(#[case] text: &str, #[case] expected: &str) {
        let error = text.parse::<FaultRule>().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
