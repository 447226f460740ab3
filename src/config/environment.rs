//! The environment variables that filedeck uses, read once. An empty value counts as unset.

use std::ffi::OsString;
use std::time::Duration;

use secrecy::SecretString;

/// The environment. Tokens and credentials are separate secrets, so that `Debug` shows none.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a variable of its own"
)]
pub struct Environment {
    pub config_dir: Option<OsString>,
    pub data_dir: Option<OsString>,
    pub state_dir: Option<OsString>,
    pub account: Option<String>,
    pub base_url: Option<String>,
    pub token: Option<SecretString>,
    /// Set if `FILEDECK_TOKEN` is set but empty: an account was intended, and its token is missing.
    pub token_is_empty: bool,
    /// The token that `serve` requires of its clients.
    pub service_token: Option<SecretString>,
    /// The user with which `serve` connects to a database whose address names none.
    pub database_user: Option<String>,
    pub database_password: Option<SecretString>,
    pub ssl_cert_file: Option<OsString>,
    /// Set if core files and tracers are wanted, even though they may expose tokens.
    pub allow_core: bool,
    /// The time limit of a completion, from the start of the program.
    pub completion_wait: Option<Duration>,
    /// Disables colors on the screen (no-color.org).
    pub no_color: bool,
    /// Set if the terminal shows more than ASCII: a UTF-8 locale, and neither the Linux console nor
    /// `dumb`.
    pub utf8: bool,
    /// The collector to which `serve` sends spans. OpenTelemetry's library reads its other
    /// variables itself.
    pub traces_endpoint: Option<String>,
    pub traces_timeout: Option<Duration>,
    pub bucket: Vec<(&'static str, SecretString)>,
}

const OF_A_BUCKET: [&str; 16] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT",
    "AWS_ALLOW_HTTP",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
];

impl Environment {
    pub fn read() -> Self {
        Self::from_lookup(|name| std::env::var_os(name))
    }

    pub fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let os = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let text = |name: &str| os(name).map(|value| value.to_string_lossy().into_owned());
        let millis = |name: &str| {
            text(name)
                .and_then(|millis| millis.parse().ok())
                .map(Duration::from_millis)
        };
        let secret = |name: &str| {
            text(name)
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
                .map(SecretString::from)
        };
        Self {
            config_dir: os("FILEDECK_CONFIG_DIR"),
            data_dir: os("FILEDECK_DATA_DIR"),
            state_dir: os("FILEDECK_STATE_DIR"),
            account: text("FILEDECK_ACCOUNT"),
            // An empty one is an error, so that no token goes to another service than the one that
            // was meant.
            base_url: lookup("FILEDECK_BASE_URL").map(|value| value.to_string_lossy().into_owned()),
            token: secret("FILEDECK_TOKEN"),
            token_is_empty: lookup("FILEDECK_TOKEN").is_some()
                && secret("FILEDECK_TOKEN").is_none(),
            service_token: secret("FILEDECK_SERVICE_TOKEN"),
            database_user: text("PGUSER"),
            database_password: secret("PGPASSWORD"),
            ssl_cert_file: os("SSL_CERT_FILE"),
            allow_core: os("FILEDECK_ALLOW_CORE").is_some_and(|value| value == "1"),
            completion_wait: millis("FILEDECK_COMPLETE_WAIT"),
            no_color: os("NO_COLOR").is_some(),
            utf8: is_utf8(text),
            traces_endpoint: text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
                .or_else(|| text("OTEL_EXPORTER_OTLP_ENDPOINT")),
            traces_timeout: millis("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT")
                .or_else(|| millis("OTEL_EXPORTER_OTLP_TIMEOUT")),
            bucket: OF_A_BUCKET
                .iter()
                .filter_map(|name| Some((*name, secret(name)?)))
                .collect(),
        }
    }
}

fn is_utf8(text: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(&text)
        .unwrap_or_default()
        .to_lowercase();
    let is_plain = text("TERM").is_some_and(|term| matches!(term.as_str(), "linux" | "dumb"));
    !is_plain && (locale.contains("utf-8") || locale.contains("utf8"))
}
