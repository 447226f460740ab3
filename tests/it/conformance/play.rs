//! The description of a row: a list of steps, each a call with its expected response, in a small
//! library that every row starts with. `{name}` stands for an id of the library or one that an
//! earlier step kept; `<…>` in an expected value stands for any value of that kind.

use std::collections::HashMap;

use filedeck::service::network::Network;
use jiff::SignedDuration;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::support::http;
use crate::support::pictures::picture;
use crate::support::service::{Answer, TestService, answer, list_tokens};
use crate::support::web::Web;

enum Body {
    None,
    Json(Value),
    /// Form fields in order; the one called `file` has a name and bytes.
    Form(Vec<(&'static str, String)>, Option<(&'static str, Vec<u8>)>),
    Raw(&'static str, &'static str),
}

enum Token {
    /// The service's own token, which has every scope.
    Own,
    /// A token with this scope alone; the scope's name is the token.
    Of(&'static str),
    None,
}

pub(crate) struct Step {
    method: Method,
    path: String,
    body: Body,
    sent: Vec<(&'static str, &'static str)>,
    status: u16,
    expected: Value,
    headers: Vec<(&'static str, &'static str)>,
    bytes: Option<Vec<u8>>,
    keep: Vec<(&'static str, &'static str)>,
    token: Token,
    hides: Option<&'static str>,
    until: bool,
    after: SignedDuration,
}

fn step(method: Method, path: &str, body: Body) -> Step {
    Step {
        method,
        path: path.to_owned(),
        body,
        sent: Vec::new(),
        status: 200,
        expected: Value::Null,
        headers: Vec::new(),
        bytes: None,
        keep: Vec::new(),
        token: Token::Own,
        hides: None,
        until: false,
        after: SignedDuration::ZERO,
    }
}

pub(crate) fn get(path: &str) -> Step {
    step(Method::GET, path, Body::None)
}

pub(crate) fn delete(path: &str) -> Step {
    step(Method::DELETE, path, Body::None)
        .answers(204)
        .bytes(b"")
}

pub(crate) fn post(path: &str, body: Value) -> Step {
    step(Method::POST, path, Body::Json(body))
}

pub(crate) fn patch(path: &str, body: Value) -> Step {
    step(Method::PATCH, path, Body::Json(body))
}

pub(crate) fn head(path: &str) -> Step {
    step(Method::HEAD, path, Body::None).bytes(b"")
}

pub(crate) fn raw(
    method: Method,
    path: &str,
    media_type: &'static str,
    body: &'static str,
) -> Step {
    step(method, path, Body::Raw(media_type, body))
}

pub(crate) fn upload(name: &'static str, bytes: &[u8], fields: &[(&'static str, &str)]) -> Step {
    form(Method::POST, "/files/v3/files", Some((name, bytes)), fields).answers(201)
}

pub(crate) fn form(
    method: Method,
    path: &str,
    file: Option<(&'static str, &[u8])>,
    fields: &[(&'static str, &str)],
) -> Step {
    let fields = fields
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect();
    step(
        method,
        path,
        Body::Form(fields, file.map(|(name, bytes)| (name, bytes.to_vec()))),
    )
}

impl Step {
    pub(crate) fn sending(mut self, name: &'static str, value: &'static str) -> Self {
        self.sent.push((name, value));
        self
    }

    pub(crate) fn answers(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The expected content of the response; other fields may have any value.
    pub(crate) fn with(mut self, expected: Value) -> Self {
        self.expected = expected;
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The expected body, byte for byte.
    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.bytes = Some(bytes.to_vec());
        self
    }

    /// Drops the expectation on the body's bytes.
    pub(crate) fn any_body(mut self) -> Self {
        self.bytes = None;
        self
    }

    pub(crate) fn keep(mut self, name: &'static str, pointer: &'static str) -> Self {
        self.keep.push((name, pointer));
        self
    }

    /// Leaves the token out. The path may be a full URL.
    pub(crate) fn anonymous(mut self) -> Self {
        self.token = Token::None;
        self
    }

    pub(crate) fn holding(mut self, scope: &'static str) -> Self {
        self.token = Token::Of(scope);
        self
    }

    /// Hides the file with this kept id first.
    pub(crate) fn hiding(mut self, name: &'static str) -> Self {
        self.hides = Some(name);
        self
    }

    /// Repeats the request until the response is as expected, for background work of the service.
    pub(crate) fn eventually(mut self) -> Self {
        self.until = true;
        self
    }

    /// Advances the clock by this much first.
    pub(crate) fn after(mut self, seconds: i64) -> Self {
        self.after = SignedDuration::from_secs(seconds);
        self
    }

    /// Expects 400 `VALIDATION_ERROR` with these words in its message.
    pub(crate) fn refused(self, words: &str) -> Self {
        self.fails(400, "VALIDATION_ERROR", words)
    }

    pub(crate) fn fails(self, status: u16, category: &str, words: &str) -> Self {
        self.answers(status).with(json!({
            "status": "error", "category": category, "message": format!("<contains>{words}"), "correlationId": "<uuid>"
        }))
    }
}

/// The size limit for files in the service of a row, in bytes.
pub(crate) const LARGEST: usize = 10_000;

/// The scopes for each of which there is a token with that scope alone.
const SCOPES: [&str; 5] = [
    "files",
    "files.ui_hidden.read",
    "files.ui_hidden.write",
    "files_ui_hidden.read",
    "files_ui_hidden.write",
];

pub(crate) async fn play(steps: Vec<Step>) {
    let service = TestService::configured(|options| {
        let tokens = SCOPES.map(|scope| json!({"name": scope, "token": scope, "scopes": [scope]}));
        options.token_file = Some(list_tokens(&options.data_dir, &json!({ "tokens": tokens })));
        options.import_allow = Network::loopback().to_vec();
        options.max_file_bytes = LARGEST as u64;
    })
    .await;
    let web = Web::serving(&[
        ("/deep/logo.png", &picture()),
        ("/page.txt", b"from the web"),
        ("/largest.txt", &[b'x'; LARGEST]),
        ("/larger.txt", &[b'x'; LARGEST + 1]),
    ])
    .await;
    let mut names: HashMap<String, String> = HashMap::new();
    names.insert("base".to_owned(), service.url(""));
    names.insert("web".to_owned(), web.url(""));
    let http = http::client();
    for step in library().into_iter().chain(steps) {
        run(&service, &http, step, &mut names).await;
    }
}

/// Folders `/docs`, `/docs/sub` and `/other`; the public text `/docs/a.txt`, the private picture
/// `/docs/logo.png`, and `/root.txt`, public and not indexable.
fn library() -> Vec<Step> {
    let folder = "/files/v3/folders";
    vec![
        post(folder, json!({"name": "docs"}))
            .answers(201)
            .keep("docs", "/id"),
        post(folder, json!({"name": "sub", "parentFolderId": "{docs}"}))
            .answers(201)
            .keep("sub", "/id"),
        post(folder, json!({"name": "other"}))
            .answers(201)
            .keep("other", "/id"),
        upload(
            "a.txt",
            b"text of a",
            &[
                ("options", r#"{"access":"PUBLIC_INDEXABLE"}"#),
                ("folderId", "{docs}"),
            ],
        )
        .keep("a", "/id")
        .keep("a_url", "/url"),
        upload(
            "logo.png",
            &picture(),
            &[
                ("options", r#"{"access":"PRIVATE"}"#),
                ("folderId", "{docs}"),
            ],
        )
        .keep("logo", "/id")
        .keep("logo_url", "/url"),
        upload(
            "root.txt",
            b"root",
            &[
                ("options", r#"{"access":"PUBLIC_NOT_INDEXABLE"}"#),
                ("folderPath", "/"),
            ],
        )
        .keep("root", "/id")
        .keep("root_url", "/url"),
    ]
}

async fn run(
    service: &TestService,
    http: &Client,
    step: Step,
    names: &mut HashMap<String, String>,
) {
    service.clock.advance(step.after);
    if let Some(name) = step.hides {
        service.hide(&names[name]).await;
    }
    let expected = fill_value(&step.expected, names);
    let mut found = call(service, http, &step, names).await;
    if step.until {
        let patience = std::time::Duration::from_secs(20);
        let asking = async {
            while found.status.as_u16() != step.status
                || differ(&expected, &found.json(), "").is_some()
            {
                found = call(service, http, &step, names).await;
            }
        };
        tokio::time::timeout(patience, asking)
            .await
            .unwrap_or_else(|_| panic!("{} never came to be", step.path));
    }
    let told = format!("{} {}", step.method, fill(&step.path, names));
    assert_eq!(
        found.status.as_u16(),
        step.status,
        "{told}: {}",
        found.text()
    );
    for (name, value) in &step.headers {
        assert_eq!(found.header(name), Some(*value), "{told}: {name}");
    }
    if let Some(bytes) = &step.bytes {
        assert_eq!(found.text(), String::from_utf8_lossy(bytes), "{told}");
    }
    if !expected.is_null()
        && let Some(difference) = differ(&expected, &found.json(), "")
    {
        panic!("{told}: {difference} in {}", found.text());
    }
    for (name, pointer) in step.keep {
        let body = found.json();
        let value = body
            .pointer(pointer)
            .unwrap_or_else(|| panic!("{told}: nothing at {pointer} in {body}"));
        names.insert(
            name.to_owned(),
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
        );
    }
}

async fn call(
    service: &TestService,
    http: &Client,
    step: &Step,
    names: &HashMap<String, String>,
) -> Answer {
    let path = fill(&step.path, names);
    let url = if path.starts_with("http") {
        path
    } else {
        service.url(&path)
    };
    let request = http.request(step.method.clone(), url);
    let request = match step.token {
        Token::Own => request.bearer_auth(service.token()),
        Token::Of(scope) => request.bearer_auth(scope),
        Token::None => request,
    };
    let request = step.sent.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    answer(match &step.body {
        Body::None => request,
        Body::Json(body) => request.json(&fill_value(body, names)),
        Body::Raw(media_type, body) => request
            .header("content-type", *media_type)
            .body(fill(body, names)),
        Body::Form(fields, file) => {
            let form = fields.iter().fold(Form::new(), |form, (name, value)| {
                form.text(*name, fill(value, names))
            });
            request.multipart(match file {
                Some((name, bytes)) => {
                    form.part("file", Part::bytes(bytes.clone()).file_name(*name))
                }
                None => form,
            })
        }
    })
    .await
}

fn fill(text: &str, names: &HashMap<String, String>) -> String {
    names.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

fn fill_value(value: &Value, names: &HashMap<String, String>) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text, names)),
        Value::Array(items) => items.iter().map(|item| fill_value(item, names)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| (name.clone(), fill_value(field, names)))
            .collect(),
        other => other.clone(),
    }
}

fn differ(expected: &Value, found: &Value, at: &str) -> Option<String> {
    let wrong = || Some(format!("{at} is {found}, not {expected},"));
    match expected {
        Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            let at = format!("{at}/{name}");
            match (field.as_str(), found.get(name)) {
                (Some("<absent>"), None) => None,
                (Some("<absent>"), Some(value)) => Some(format!("{at} is there: {value}")),
                (_, None) => Some(format!("{at} is missing")),
                (_, Some(value)) => differ(field, value, &at),
            }
        }),
        Value::Array(items) => match found.as_array() {
            Some(values) if values.len() == items.len() => items
                .iter()
                .zip(values)
                .find_map(|(item, value)| differ(item, value, at)),
            _ => wrong(),
        },
        Value::String(kind) if kind.starts_with('<') => {
            let text = found.as_str().unwrap_or_default();
            let is_good = match kind.as_str() {
                "<text>" => found.is_string(),
                "<integer>" => found.is_i64(),
                "<digits>" => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()),
                "<uuid>" => uuid::Uuid::parse_str(text).is_ok(),
                // 2026-11-21T08:30:00.000Z
                "<time>" => {
                    text.len() == 24
                        && text.ends_with('Z')
                        && text.parse::<jiff::Timestamp>().is_ok()
                }
                _ => kind
                    .strip_prefix("<contains>")
                    .is_some_and(|words| text.contains(words)),
            };
            if is_good { None } else { wrong() }
        }
        expected if expected == found => None,
        _ => wrong(),
    }
}

/// An error in the machinery would make every row pass.
#[tokio::test]
#[should_panic(expected = "/size is 9, not 10,")]
async fn a_row_that_does_not_hold_fails() {
    play(vec![get("/files/v3/files/{a}").with(json!({"size": 10}))]).await;
}

#[tokio::test]
#[should_panic(expected = "/nothing is missing")]
async fn a_field_that_is_not_there_fails() {
    play(vec![
        get("/files/v3/files/{a}").with(json!({"nothing": "<text>"})),
    ])
    .await;
}
