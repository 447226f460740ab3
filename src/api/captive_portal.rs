//! Detects responses from an intermediary, such as the sign-in page that a network serves in place
//! of every response: a web page or a redirect where the contract has neither. The host or title in
//! the message is raw text.

use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use url::Url;

use super::error::{Error, Kind};
use super::failure::{Failure, Verdict};

const LONGEST_TITLE: usize = 60;

/// Returns the failure for such a response; `None` for any other. A redirect proves that the call
/// was not carried out; behind a page with a success status, an intermediary may have forwarded it.
pub(super) fn failure(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Option<Failure> {
    let (verdict, whose) = match status {
        StatusCode::NETWORK_AUTHENTICATION_REQUIRED => (Verdict::Final, title(body)),
        _ if status.is_redirection() => (Verdict::Final, host(headers)),
        _ if status.is_success() && is_page(headers, body) => (Verdict::Unrecognized, title(body)),
        _ => return None,
    };
    let whose = whose.map(|whose| format!(" ({whose})")).unwrap_or_default();
    let what = if status.is_redirection() {
        "a redirect to a web page"
    } else {
        "a web page"
    };
    let message = format!(
        "This is not the service's answer but {what}{whose}, such as a network's sign-in page"
    );
    Some(Failure::new(
        Error {
            status: Some(status.as_u16()),
            ..Error::new(Kind::Portal, message)
        },
        verdict,
    ))
}

pub(super) fn is_html(headers: &HeaderMap) -> bool {
    let is_html = |text: &[u8]| {
        text.get(..9)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"text/html"))
    };
    headers
        .get(CONTENT_TYPE)
        .is_some_and(|value| is_html(value.as_bytes()))
}

/// JSON never begins with an angle bracket.
fn is_page(headers: &HeaderMap, body: &[u8]) -> bool {
    is_html(headers) || body.trim_ascii_start().first() == Some(&b'<')
}

fn host(headers: &HeaderMap) -> Option<String> {
    let location = headers.get(LOCATION)?.to_str().ok()?;
    Url::parse(location).ok()?.host_str().map(str::to_owned)
}

fn title(body: &[u8]) -> Option<String> {
    let page = String::from_utf8_lossy(body);
    // ASCII case conversion keeps byte positions valid in the original.
    let lower = page.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let start = open + lower.get(open..)?.find('>')? + 1;
    let end = start + lower.get(start..)?.find("</title")?;
    let words = page
        .get(start..end)?
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let title: String = words.chars().take(LONGEST_TITLE).collect();
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn told(
        status: u16,
        headers: &[(&'static str, &'static str)],
        body: &str,
    ) -> Option<(Kind, Verdict, String)> {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        let failure = failure(
            StatusCode::from_u16(status).unwrap(),
            &headers,
            body.as_bytes(),
        )?;
        Some((failure.error.kind, failure.verdict, failure.error.message))
    }

    #[rstest]
    #[case::html(200, &[("content-type", "Text/HTML; charset=utf-8")], "<TITLE lang=en>\n Hotel \n WiFi </TITLE>", Verdict::Unrecognized, "a web page (Hotel WiFi),")]
    #[case::a_page_that_calls_itself_json(200, &[("content-type", "application/json")], " <!doctype html>", Verdict::Unrecognized, "a web page,")]
    #[case::elsewhere(302, &[("location", "http://portal.example/?back=secret")], "", Verdict::Final, "(portal.example)")]
    #[case::within(303, &[("location", "/login")], "", Verdict::Final, "a redirect to a web page,")]
    #[case::in_words(511, &[], "<title>Sign in</title>", Verdict::Final, "(Sign in)")]
    fn a_page_where_none_is_due_is_the_networks(
        #[case] status: u16,
        #[case] headers: &[(&'static str, &'static str)],
        #[case] body: &str,
        #[case] verdict: Verdict,
        #[case] words: &str,
    ) {
        let (kind, its_verdict, message) = told(status, headers, body).unwrap();
        assert_eq!((kind, its_verdict), (Kind::Portal, verdict));
        assert!(
            message.contains(words) && !message.contains("secret"),
            "{message}"
        );
    }

    #[rstest]
    #[case::json(200, "{\"id\":")]
    #[case::nothing(204, "")]
    #[case::the_services_own_page(404, "<html>")]
    #[case::a_gateway(502, "<html>")]
    fn other_answers_are_not(#[case] status: u16, #[case] body: &str) {
        assert_eq!(told(status, &[], body), None);
    }
}
