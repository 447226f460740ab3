use rstest::rstest;

use super::*;

fn parse(text: &str) -> Result<(Config, Vec<Warning>), ConfigError> {
    Config::parse(text, Path::new("config.toml"))
}

#[test]
fn an_account_needs_only_its_token_file() {
    let (config, warnings) = parse("account = \"acme\"\n[accounts.acme]\ntoken_file = \"acme.token\"\n").unwrap();
    assert!(warnings.is_empty());
    assert_eq!(config.account.as_deref(), Some("acme"));
    let account = config.accounts.get("acme").unwrap();
    assert_eq!(account.base_url, "https://api.hubapi.com");
    assert_eq!(account.version, "v3");
    assert!(!account.read_only);
}

#[test]
fn unknown_keys_are_named_with_their_line_and_passed_over() {
    let text =
        "theme = \"mono\"\nsparkle = true\n\n[accounts.acme]\ntoken_file = \"t\"\nretries = 3\n[panes]\nleft = 1\n";
    let (config, warnings) = parse(text).unwrap();
    assert_eq!(config.theme, "mono");
    let lines: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "line 2: unknown key 'sparkle' is passed over",
            "line 6: unknown key 'accounts.acme.retries' is passed over",
            "line 7: unknown key 'panes' is passed over",
        ]
    );
}

#[rstest]
#[case::wrong_type("\n\ntheme = 3\n", 3)]
#[case::unknown_symbols("symbols = \"runes\"\n", 1)]
#[case::not_toml("theme = \"dark\"\naccount =\n", 2)]
#[case::account_without_token("\n[accounts.acme]\nread_only = true\n", 2)]
#[case::accounts_is_no_table("accounts = 1", 1)]
fn a_wrong_value_is_an_error_with_its_line(#[case] text: &str, #[case] line: usize) {
    let error = parse(text).unwrap_err();
    assert!(error.to_string().starts_with(&format!("config.toml, line {line}: ")), "{error}");
}

#[rstest]
#[case::as_symbols("symbols = \"pat-na1-canary\"")]
#[case::as_seconds("stall_timeout = \"pat-na1-canary\"")]
#[case::as_a_flag("[accounts.a]\ntoken_file = \"t\"\nread_only = \"pat-na1-canary\"")]
fn a_token_in_the_wrong_setting_is_not_repeated(#[case] text: &str) {
    let error = parse(text).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
    assert!(error.to_string().contains("expected"), "{error}");
}

#[test]
fn waits_of_no_time_are_refused() {
    assert!(parse("settle_time = 0").is_err());
}

#[test]
fn no_file_means_the_defaults() {
    let (config, warnings) = Config::load(Path::new("/nonexistent/config.toml")).unwrap();
    assert_eq!(config, Config::default());
    assert!(warnings.is_empty());
}
