//! The errors of a call, as plain data: status, message and advice. Contains no address, token or
//! other secret.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Unit};
use serde::{Deserialize, Serialize};

use super::text::visible;

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Error {
    /// The kind of failure, for code.
    pub kind: Kind,
    /// The service's message, or ours if it sent none. Unescaped: make it visible before printing.
    pub message: String,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The category that the service gave, in capitals.
    pub category: Option<String>,
    /// Identifies the call in the service's logs.
    pub correlation_id: Option<String>,
    /// The wait that the service asked for.
    pub retry_after: Option<Duration>,
    /// Further causes that the service listed.
    pub details: Vec<String>,
    /// Set if the call may have been carried out although it failed: check before repeating it.
    pub in_doubt: bool,
    /// The next step, where the error is made for one reason only.
    #[serde(default)]
    pub next: Option<NextStep>,
    /// The error below this one; not kept where an error is stored.
    #[serde(skip)]
    pub(crate) source: Option<ErrorSource>,
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.source.as_ref()?.0)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// An error of a library, or of the system. Two errors are equal whatever is below them.
#[derive(Debug, Clone)]
pub(crate) struct ErrorSource(Arc<dyn std::error::Error + Send + Sync>);

impl PartialEq for ErrorSource {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ErrorSource {}

/// The place where an error is shown; the next steps differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdvicePlace {
    /// Standard error of a command, perhaps in a script.
    Command,
    /// The screen, where tasks wait and lists can be read again.
    Screen,
    /// A program that uses the library.
    Library,
}

/// A next step that is known where an error is made, and not by its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum NextStep {
    /// Trust the authority of the server's certificate.
    AddAuthority,
    /// Correct the scheme or the port: https was sent to a server without TLS.
    CheckScheme,
    /// Correct the host, whose name was not found.
    CheckHost,
    /// Start the proxy, or correct the variable that names it.
    CheckProxy,
    /// Correct the address or the version: another program answers than the service.
    CheckAddress,
    /// Look at what has changed in the meantime.
    LookAgain,
}

/// The kind of a failure; determines retries, exit codes and advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Kind {
    /// 401: no token, or one that the service does not know.
    Unauthorized,
    /// 403: the token lacks a scope, or the account lacks the feature.
    Forbidden,
    /// 404.
    NotFound,
    /// 409: something with this name or content already exists.
    Conflict,
    /// 429 that lasted longer than we wait.
    RateLimited,
    /// 429 for the day: the service refuses every request until midnight in the account's time
    /// zone.
    DaySpent,
    /// Any other 4xx: the request was not acceptable.
    Invalid,
    /// 5xx.
    Server,
    /// No connection: refused, or the name was not found. The next call would fail the same way.
    Unreachable,
    /// The connection broke.
    Network,
    /// No answer in time.
    Timeout,
    /// A response that could not be understood.
    Decode,
    /// A response from an intermediary instead of the service, such as a network's sign-in page.
    Portal,
    /// A file or folder of this machine could not be read or written.
    Local,
    /// This machine's disk, or the user's quota on it, is full.
    DiskFull,
    /// The service ended the task without a result.
    TaskFailed,
    /// Refused by filedeck itself, before anything was sent.
    Refused,
    /// A defect of filedeck.
    Internal,
}

impl Error {
    /// Creates an error that is not based on a response of the service.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            status: None,
            category: None,
            correlation_id: None,
            retry_after: None,
            details: Vec::new(),
            in_doubt: false,
            next: None,
            source: None,
        }
    }

    /// Adds the error below this one.
    #[must_use]
    pub(crate) fn caused_by(
        self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self {
            source: Some(ErrorSource(source.into().into())),
            ..self
        }
    }

    /// Adds the next step.
    #[must_use]
    #[doc(hidden)]
    pub fn then(self, next: NextStep) -> Self {
        Self {
            next: Some(next),
            ..self
        }
    }

    /// Creates an error for this machine's disk from the failed action and the system's reason.
    #[doc(hidden)]
    pub fn local(what: &str, error: &std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Kind::DiskFull,
            _ => Kind::Local,
        };
        let source = error
            .raw_os_error()
            .map_or_else(|| error.kind().into(), std::io::Error::from_raw_os_error);
        Self::new(kind, format!("{what}: {}", reason(error))).caused_by(source)
    }

    /// Names the possible effect of a call that is in doubt: `or_it("may have been stored: look
    /// first")`.
    #[must_use]
    #[doc(hidden)]
    pub fn or_it(mut self, may: &str) -> Self {
        if self.in_doubt {
            self.message = format!("it {may} ({})", self.message);
        }
        self
    }

    /// Returns `true` if the next call of a batch would most likely fail for the same reason.
    #[doc(hidden)]
    pub fn meets_all(&self) -> bool {
        self.kind.meets_all() || self.lacks_scope()
    }

    /// Returns `true` if the same call would fail again, whatever is mended around it: another call
    /// is needed, or another token. What filedeck itself refuses can be mended, such as a taken name.
    #[doc(hidden)]
    pub fn is_final(&self) -> bool {
        self.retry_after.is_none()
            && matches!(self.kind, Kind::Forbidden | Kind::NotFound | Kind::Invalid)
    }

    /// Returns the narrowest scope that the token lacks, unescaped; `None` for any other refusal.
    pub fn scope(&self) -> Option<&str> {
        let scopes = self.scopes()?;
        let is_narrow = |scope: &&&str| scope.contains('.') && !is_of_hidden(scope);
        scopes.iter().find(is_narrow).or(scopes.first()).copied()
    }

    /// The scopes named in the causes, any one of which suffices.
    fn scopes(&self) -> Option<Vec<&str>> {
        if !self.lacks_scope() {
            return None;
        }
        let after = |name: &str| {
            self.details
                .iter()
                .find_map(|detail| Some(detail.split_once(name)?.1))
        };
        let named = SCOPES.iter().find_map(|name| after(&format!("{name}: ")))?;
        Some(
            named
                .split(';')
                .next()
                .unwrap_or(named)
                .split(", ")
                .collect(),
        )
    }

    fn lacks_scope(&self) -> bool {
        self.kind == Kind::Forbidden && self.category.as_deref() == Some(MISSING_SCOPES)
    }

    /// Returns the message, safe to display. A refused token always has the same words: the service
    /// describes other ways to send one.
    pub fn reason(&self) -> Cow<'_, str> {
        match self.status {
            Some(401) => "The service refused the token.".into(),
            _ => visible(&self.message),
        }
    }

    /// Returns one sentence of advice on the next step in a place, if one is known that helps.
    /// Safe to display. Names no keys, and only options of every command that can meet the error.
    pub fn advice(&self, place: AdvicePlace) -> Option<String> {
        if self.status == Some(LOCKED) {
            return Some("Another change holds it: wait a moment, then try again.".into());
        }
        if let Some(wait) = self.retry_after.filter(|wait| !wait.is_zero()) {
            let wait = in_words(wait);
            return Some(format!(
                "The service asks for a wait of {wait}; try again after that."
            ));
        }
        if let Some(scopes) = self.scopes() {
            let names = visible(&scopes.join(", ")).into_owned();
            let scope = if let [_] = scopes.as_slice() {
                "the scope"
            } else {
                "one of the scopes"
            };
            return Some(format!(
                "Add {scope} {names} to the token, or use another account."
            ));
        }
        let words = match self.next {
            None if self.category.as_deref() == Some(OAUTH_REFUSED)
                && place == AdvicePlace::Library =>
            {
                "Install the app in the account again, and use its new refresh token."
            }
            None if self.category.as_deref() == Some(OAUTH_REFUSED) => {
                "Install the app in the account again, then store its new refresh token: in the account's oauth_file, or by 'filedeck account remove' and 'filedeck account add --oauth'."
            }
            None if self.lacks_scope() => {
                "Add the scope for it to the token, or use another account."
            }
            None if self.kind == Kind::Server && self.correlation_id.is_some() => {
                "The service has a problem; try again, and report the correlation id if it persists."
            }
            _ if self.in_doubt => {
                "The result is not known: check it, and repeat it only if it was not done."
            }
            Some(next) => next.words(place),
            None => self.kind.advice(place)?,
        };
        Some(words.into())
    }
}

impl NextStep {
    fn words(self, place: AdvicePlace) -> &'static str {
        match self {
            Self::AddAuthority if place == AdvicePlace::Command => {
                "--ca-cert FILE adds the authority, and so does ca_cert of the account."
            }
            Self::AddAuthority if place == AdvicePlace::Library => {
                "Add the authority to the roots of the endpoint."
            }
            Self::AddAuthority => {
                "Start filedeck with --ca-cert FILE, or name the file as ca_cert of the account."
            }
            Self::CheckScheme => {
                "Check the address: https needs a port that uses TLS, and http is for this machine only."
            }
            Self::CheckHost => {
                "Check the spelling of the host in the address, and that this machine is online."
            }
            Self::CheckProxy => {
                "Check that the proxy runs, and the variable that names it, such as HTTPS_PROXY."
            }
            Self::CheckAddress => "Check the account's address and its version of the API.",
            Self::LookAgain => "Look at what is there now; then repeat this if it is still right.",
        }
    }
}

/// The status for a file or folder that another change has locked (`contract.md#errors`).
const LOCKED: u16 = 423;

/// The category of a 403 that names what the token lacks, whatever the call (`contract.md#errors`).
const MISSING_SCOPES: &str = "MISSING_SCOPES";

/// Represents every refusal of a refresh token or of its app (`contract.md#oauth-tokens`).
pub(super) const OAUTH_REFUSED: &str = "BAD_REFRESH_TOKEN";

/// Returns `true` if a scope applies to hidden files only (`contract.md#scopes`).
#[doc(hidden)]
pub fn is_of_hidden(scope: &str) -> bool {
    scope.contains("hidden")
}

/// The service's names for the list of scopes, the newer first.
const SCOPES: [&str; 2] = ["requiredGranularScopes", "requiredScopes"];

/// Formats a duration as in `1h 5m 30s`.
fn in_words(wait: Duration) -> String {
    SignedDuration::try_from(wait.max(Duration::from_secs(1))).map_or_else(
        |_| format!("{} s", wait.as_secs()),
        |wait| format!("{:#}", wait.round(Unit::Second).unwrap_or(wait)),
    )
}

/// The system's error message, without the error number and anything that a library appended to it.
pub(super) fn reason(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error ")
        .map_or(text.as_str(), |(words, _)| words)
        .to_owned()
}

impl Kind {
    fn meets_all(self) -> bool {
        matches!(
            self,
            Self::Unauthorized
                | Self::RateLimited
                | Self::DaySpent
                | Self::Unreachable
                | Self::Timeout
                | Self::Portal
                | Self::DiskFull
        )
    }

    /// Returns `true` if the failure means that a task of the service is over: polling it again is
    /// useless.
    #[doc(hidden)]
    pub fn ends_task(self) -> bool {
        matches!(self, Self::TaskFailed | Self::NotFound | Self::Invalid)
    }

    /// Returns `true` if a later call may succeed within minutes without anybody's help.
    pub fn passes(self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::Network
                | Self::Timeout
                | Self::Server
                | Self::Decode
                | Self::Portal
                | Self::RateLimited
        )
    }

    /// The advice where nothing more is known. Most refusals have none: their messages say what to
    /// correct.
    fn advice(self, place: AdvicePlace) -> Option<&'static str> {
        Some(match (self, place) {
            (Self::Unauthorized, _) => {
                "Check the account's token: it may be mistyped, expired or revoked."
            }
            (Self::NotFound, AdvicePlace::Screen) => {
                "It may have been moved or deleted; refresh and look again."
            }
            (Self::RateLimited, _) => "The account's request budget is used up; try again later.",
            (Self::DaySpent, _) => {
                "The service does not say which time zone that is: try again later."
            }
            (Self::Server, _) => "The service has a problem; try again.",
            (Self::Unreachable, _) => {
                "Check that the service's address is right and reachable, then try again."
            }
            (Self::Network, _) => "The connection broke; try again.",
            (Self::Timeout, _) => "The service did not answer in time; try again.",
            (Self::Portal, AdvicePlace::Command | AdvicePlace::Library) => {
                "Sign in to the network in a browser. If no sign-in page appears, check the account's address."
            }
            (Self::Portal, AdvicePlace::Screen) => {
                "Sign in to the network in a browser; waiting tasks then continue. If no sign-in page appears, check the account's address."
            }
            (Self::DiskFull, _) => "Free space on this machine's disk, then try again.",
            (Self::TaskFailed, _) => {
                "Correct the reason that the service gives, then start it again."
            }
            (Self::Internal, AdvicePlace::Screen) => "This is a bug in filedeck; see the log.",
            (Self::Internal, AdvicePlace::Command | AdvicePlace::Library) => {
                "This is a bug in filedeck."
            }
            (
                Self::Forbidden
                | Self::NotFound
                | Self::Conflict
                | Self::Invalid
                | Self::Decode
                | Self::Local
                | Self::Refused,
                _,
            ) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The advice of a command; empty if there is none.
    fn advice(error: &Error) -> String {
        error.advice(AdvicePlace::Command).unwrap_or_default()
    }

    #[test]
    fn a_failure_of_the_disk_is_told_in_words_without_numbers_or_names_of_temporary_files() {
        let inner = std::io::Error::from_raw_os_error(2).to_string();
        let error = std::io::Error::other(format!("{inner} at path \"/x/.a.tUTawMVc.part\""));
        let local_error = Error::local("Cannot write into /x", &error);
        assert_eq!(
            local_error.message,
            "Cannot write into /x: No such file or directory"
        );
    }

    #[test]
    fn the_wait_that_the_service_asked_for_is_said() {
        let moving = Error {
            retry_after: Some(Duration::from_mins(90)),
            ..Error::new(Kind::Server, "moving")
        };
        assert!(
            advice(&moving).contains("a wait of 1h 30m"),
            "{}",
            advice(&moving)
        );
        let moment = Error {
            retry_after: Some(Duration::from_millis(1)),
            ..Error::new(Kind::RateLimited, "no")
        };
        assert!(
            advice(&moment).contains("a wait of 1s"),
            "{}",
            advice(&moment)
        );
    }

    #[test]
    fn what_is_locked_has_its_own_advice_and_only_an_id_that_is_there_is_to_be_reported() {
        let locked = Error {
            status: Some(423),
            ..Error::new(Kind::Server, "locked")
        };
        assert!(
            advice(&locked).contains("Another change holds it"),
            "{}",
            advice(&locked)
        );
        let broken = Error {
            status: Some(500),
            ..Error::new(Kind::Server, "oops")
        };
        assert_eq!(advice(&broken), "The service has a problem; try again.");
        let named = Error {
            correlation_id: Some("5e1c".to_owned()),
            ..broken
        };
        assert!(
            advice(&named).contains("report the correlation id"),
            "{}",
            advice(&named)
        );
    }

    #[test]
    fn what_is_in_doubt_is_not_said_to_have_failed() {
        let lost = Error {
            in_doubt: true,
            ..Error::new(Kind::Network, "The connection was cut")
        };
        assert!(
            advice(&lost).contains("check it, and repeat it only if"),
            "{}",
            advice(&lost)
        );
        assert_eq!(
            lost.or_it("may be there").message,
            "it may be there (The connection was cut)"
        );
        assert_eq!(
            Error::new(Kind::Network, "cut")
                .or_it("may be there")
                .message,
            "cut"
        );
    }

    #[test]
    fn advice_fits_the_place_or_is_not_given() {
        let lost = Error::new(Kind::NotFound, "no");
        let shown = lost.advice(AdvicePlace::Screen).unwrap_or_default();
        assert!(shown.contains("refresh and look again"), "{shown}");
        assert_eq!(advice(&lost), "");
        let full = Error::new(Kind::Refused, "the folder is full");
        assert_eq!(
            (advice(&full), full.advice(AdvicePlace::Screen)),
            (String::new(), None)
        );
        let changed = full.then(NextStep::LookAgain);
        assert!(advice(&changed).contains("Look at what is there now"));
        let strange = Error {
            in_doubt: true,
            ..Error::new(Kind::Decode, "odd").then(NextStep::CheckAddress)
        };
        assert!(advice(&strange).contains("repeat it only if it was not done"));
    }

    #[test]
    fn one_refusal_says_nothing_of_the_next_file_unless_the_token_lacks_a_scope() {
        let refused = Error::new(Kind::Forbidden, "This file is not yours");
        assert!(!refused.meets_all());
        assert!(
            Error {
                category: Some("MISSING_SCOPES".into()),
                ..refused
            }
            .meets_all()
        );
        assert!(Error::new(Kind::DiskFull, "The disk is full").meets_all());
    }
}
