use std::path::Path;

use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::config::{SymbolSet, TokenLocation, accounts, environment::Environment};
use crate::hostile;

fn read(text: &str) -> ConfigFile {
    ConfigFile::read(Ok(Some(TomlText::new("config.toml", text))))
}

fn warnings(text: &str) -> Vec<String> {
    read(text)
        .warnings
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// The account selected with this configuration, given the `--account` flag.
fn chosen(text: &str, flag: Option<&str>) -> Result<String, String> {
    let chosen = accounts::choose(&read(text).config, &Environment::default(), flag);
    chosen
        .map(|source| source.name().to_owned())
        .map_err(|error| error.to_string())
}

#[test]
fn an_account_needs_only_its_token_file() {
    let ConfigFile {
        config,
        warnings,
        lines,
    } = read("account = \"acme\"\n[accounts.acme]\ntoken_file = \"acme.token\"\n");
    assert!(warnings.is_empty());
    assert_eq!(lines, BTreeMap::from([("account", 1)]));
    assert_eq!(config.account.as_deref(), Some("acme"));
    let account = config.accounts.get("acme").unwrap();
    assert_eq!(account.base_url, "https://api.hubapi.com");
    assert_eq!(account.version, "v3");
    assert!(!account.read_only);
}

#[test]
fn a_token_is_in_a_file_or_in_the_keyring() {
    let text = "[accounts.a]\ntoken_file = \"a.token\"\n[accounts.b]\nkeyring = \"b\"\n";
    let ConfigFile {
        config, warnings, ..
    } = read(text);
    assert_eq!(
        config.accounts["a"].token,
        TokenLocation::File("a.token".into())
    );
    assert_eq!(
        config.accounts["b"].token,
        TokenLocation::Keyring("b".to_owned())
    );
    assert_eq!(warnings, []);
    for entry in config.accounts.values() {
        let written = toml::to_string(entry).unwrap();
        assert_eq!(
            &toml::from_str::<AccountEntry>(&written).unwrap(),
            entry,
            "{written}"
        );
    }
}

#[test]
fn unknown_keys_are_named_with_their_line_and_passed_over() {
    let text = "theme = \"mono\"\nsparkle = true\n\n[cellar]\nleft = 1\n";
    assert_eq!(read(text).config.theme, "mono");
    assert_eq!(
        warnings(text),
        [
            "config.toml, line 2: unknown key 'sparkle' is ignored",
            "config.toml, line 4: unknown key 'cellar' is ignored",
        ]
    );
}

#[rstest]
#[case::unknown_word(
    "\nsymbols = \"fancy\"",
    "line 2: symbols = \"fancy\" is not one of auto, unicode, ascii, nerd; auto is used"
)]
#[case::wrong_type(
    "theme = 3",
    "line 1: theme = 3 is not the name of a theme; auto is used"
)]
#[case::no_switch(
    "mouse = \"yes\"",
    "line 1: mouse = \"yes\" is not one of true, false; true is used"
)]
#[case::no_time(
    "settle_time = 0",
    "line 1: settle_time = 0 is not a whole number of seconds from 1 on; 30 is used"
)]
#[case::no_file(
    "keys = []",
    "line 1: keys = [] is not the name of a file; it is ignored"
)]
#[case::token(
    "symbols = \"pat-na1-canary\"",
    "line 1: symbols = … is not one of auto, unicode, ascii, nerd; auto is used"
)]
#[case::token_as_seconds(
    "settle_time = \"pat-na1-canary\"",
    "settle_time = … is not a whole number"
)]
#[case::columns(
    "columns = [\"size\", \"hue\"]",
    "is not a list of access, size, type, updated, created, expires: \"hue\" is not one of them; [\"access\", \"size\", \"type\", \"updated\", \"expires\"] is used"
)]
#[case::no_columns(
    "columns = \"size\"",
    "columns = \"size\" is not a list of access, size"
)]
#[case::color(
    "[accounts.a]\ntoken_file = \"t\"\ncolor = \"pink\"",
    "line 3: color = \"pink\" is not one of blue, green, yellow, red, purple; it is ignored"
)]
fn a_wrong_value_leaves_the_default_and_says_what_would_be_right(
    #[case] text: &str,
    #[case] warning: &str,
) {
    let warnings = warnings(text);
    assert!(
        warnings.len() == 1 && warnings[0].contains(warning),
        "{warnings:#?}"
    );
}

#[test]
fn what_is_right_beside_a_wrong_value_is_taken() {
    let ConfigFile {
        config, warnings, ..
    } = read("symbols = \"ascii\"\nimages = \"big\"\nmouse = 1\nlimits_refresh = 5\n");
    assert_eq!(warnings.len(), 2);
    let expected = Config {
        symbols: SymbolSet::Ascii,
        limits_refresh: 5.try_into().unwrap(),
        ..Config::default()
    };
    assert_eq!(config, expected);
}

/// A valid account, and one that is in doubt.
const HALF: &str = "[accounts.good]\ntoken_file = \"t\"\n[accounts.bad]\ntoken_file = \"t\"\nread_only = \"pat-na1-canary\"\n";

#[rstest]
#[case::no_toml("theme =", None, "line 1: it is not valid TOML")]
#[case::no_toml_and_a_name("theme =", Some("acme"), "line 1: it is not valid TOML")]
#[case::no_name(
    "account = 3",
    None,
    "line 1: account = 3 is not the name of an account"
)]
#[case::read_only_or_not(
    HALF,
    Some("bad"),
    "line 3: the account 'bad' cannot be used: in line 5, expected a boolean"
)]
#[case::misspelled(
    "[accounts.acme]\ntoken_file = \"t\"\nreadonly = true\n",
    Some("acme"),
    "line 1: the account 'acme' cannot be used: in line 3, unknown field `readonly`, expected one of `base_url`, "
)]
#[case::without_a_token(
    "\n[accounts.acme]\nread_only = true\n",
    Some("acme"),
    "line 2: the account 'acme' cannot be used"
)]
#[case::no_place(
    "[accounts.acme]",
    Some("acme"),
    "it does not say where its token is: token_file, keyring or oauth_file"
)]
#[case::two_places(
    "[accounts.acme]\ntoken_file = \"t\"\nkeyring = \"acme\"",
    Some("acme"),
    "its token can be in one place only: token_file, keyring or oauth_file"
)]
#[case::no_account(
    "[accounts]\nacme = 1",
    Some("acme"),
    "line 2: the account 'acme' cannot be used: it is not a table"
)]
#[case::no_accounts(
    "accounts = 1",
    Some("acme"),
    "line 1: accounts must be tables such as [accounts.acme]"
)]
#[case::configured_and_wrong(
    "account = \"acme\"\n[accounts.acme]\n",
    None,
    "line 2: the account 'acme' cannot be used"
)]
fn an_account_that_cannot_be_known_is_not_guessed(
    #[case] text: &str,
    #[case] flag: Option<&str>,
    #[case] why: &str,
) {
    let error = chosen(text, flag).unwrap_err();
    assert!(
        error.contains(why) && error.contains("no other one"),
        "{error}"
    );
    assert!(
        !error.contains("canary") && !format!("{:?}", read(text).warnings).contains("canary"),
        "{error}"
    );
}

#[rstest]
#[case::named_beside_a_broken_one(HALF, Some("good"), "good")]
#[case::none_asked_for_beside_a_broken_one(HALF, None, "local")]
#[case::this_machine_needs_no_file("theme =", Some("local"), "local")]
#[case::none_asked_for("accounts = 1", None, "local")]
#[case::named_instead_of_a_default_in_doubt(
    "account = 3\n[accounts.good]\ntoken_file = \"t\"",
    Some("good"),
    "good"
)]
fn an_account_that_is_known_is_used(
    #[case] text: &str,
    #[case] flag: Option<&str>,
    #[case] name: &str,
) {
    assert_eq!(chosen(text, flag), Ok(name.to_owned()));
}

#[test]
fn no_file_means_the_defaults() {
    let found = ConfigFile::read(TomlText::read(
        Path::new("/nonexistent/config.toml"),
        Path::new("/nonexistent"),
    ));
    assert_eq!(found, ConfigFile::default());
    assert_eq!(found.config, Config::default());
}

#[test]
fn a_file_that_cannot_be_read_is_warned_of_and_leaves_every_account_in_doubt() {
    let dir = tempfile::tempdir().unwrap();
    let found = ConfigFile::read(TomlText::read(dir.path(), dir.path()));
    assert_eq!(found.warnings.len(), 1);
    assert!(
        found.config.account_errors.all.is_some() && found.config.account_errors.default.is_some()
    );
}

proptest! {
    #[test]
    fn hostile_configurations_are_read_with_warnings(text in hostile::text(&[include_str!("../../../assets/config.toml")])) {
        let found = read(&text);
        prop_assert!(found.warnings.iter().all(|warning| !warning.to_string().is_empty()));
    }
}
