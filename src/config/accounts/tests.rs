use std::ffi::OsString;

use rstest::rstest;
use secrecy::ExposeSecret;

use super::*;
use crate::config::{ConfigFile, TomlText};

const CONFIG: &str = r#"
account = "acme"

[accounts.acme]
token_file = "acme.token"
read_only = true

[accounts.staging]
base_url = "http://127.0.0.1:8787"
version = "2026-03"
token_file = "missing.token"
"#;

fn parsed(text: &str) -> Config {
    ConfigFile::read(Ok(Some(TomlText::new("config.toml", text)))).config
}

/// A configuration folder with the file above and acme's token in it.
fn configured() -> (tempfile::TempDir, Config, Paths) {
    let dir = tempfile::tempdir().unwrap();
    secret_file::create(
        &dir.path().join("acme.token"),
        &SecretString::from("acme-token"),
    )
    .unwrap();
    let config = parsed(CONFIG);
    let paths = Paths {
        config: dir.path().into(),
        data: dir.path().into(),
        state: dir.path().into(),
    };
    (dir, config, paths)
}

fn environment(set: &[(&str, &str)]) -> Environment {
    Environment::from_lookup(|name| {
        set.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| OsString::from(value))
    })
}

fn account(
    config: &Config,
    paths: &Paths,
    environment: &Environment,
    flag: Option<&str>,
) -> Result<RemoteAccount, AccountError> {
    match choose(config, environment, flag)? {
        AccountSource::Configured(name) => {
            super::configured(config, paths, Keyring::default(), &name)
        }
        AccountSource::Environment => of_environment(environment),
        on_this_machine => panic!("{on_this_machine:?} was chosen"),
    }
}

#[test]
fn with_nothing_configured_the_local_store_is_chosen() {
    let choice = choose(&Config::default(), &environment(&[]), None).unwrap();
    assert_eq!(choice, AccountSource::LocalStore);
}

#[test]
fn the_configured_account_comes_with_its_token() {
    let (_dir, config, paths) = configured();
    let chosen = choose(&config, &environment(&[]), None).unwrap();
    assert_eq!(chosen, AccountSource::Configured("acme".to_owned()));
    let account = account(&config, &paths, &environment(&[]), None).unwrap();
    assert_eq!(account.base_url.as_str(), "https://api.hubapi.com/");
    assert_eq!(account.credentials.token().expose_secret(), "acme-token");
    assert!(account.read_only);
}

#[test]
fn the_environment_makes_an_account_that_goes_before_the_configured_one() {
    let (_dir, config, paths) = configured();
    let alone = environment(&[("FILEDECK_TOKEN", "t")]);
    assert_eq!(
        account(&config, &paths, &alone, None)
            .unwrap()
            .base_url
            .as_str(),
        "https://api.hubapi.com/"
    );
    let both = environment(&[
        ("FILEDECK_TOKEN", "t"),
        ("FILEDECK_BASE_URL", "http://127.0.0.1:9"),
    ]);
    let chosen = account(&config, &paths, &both, None).unwrap();
    assert_eq!(
        (
            chosen.base_url.as_str(),
            chosen.credentials.token().expose_secret()
        ),
        ("http://127.0.0.1:9/", "t")
    );
}

#[test]
fn the_flag_goes_before_the_environment_and_local_names_the_local_store() {
    let (_dir, config, _) = configured();
    let set = environment(&[("FILEDECK_TOKEN", "t"), ("FILEDECK_ACCOUNT", "staging")]);
    let choose = |flag| choose(&config, &set, Some(flag)).unwrap();
    assert_eq!(choose("acme"), AccountSource::Configured("acme".to_owned()));
    assert_eq!(choose("local"), AccountSource::LocalStore);
}

#[rstest]
#[case::unknown_name(&[("FILEDECK_ACCOUNT", "nobody")], "no account \"nobody\"")]
#[case::a_token_as_a_name(&[("FILEDECK_ACCOUNT", "pat-na1-00000000-1111-2222-3333-444444444444")], "no account of that name")]
#[case::unknown_name_lists_the_known(&[("FILEDECK_ACCOUNT", "nobody")], "acme, staging, local")]
#[case::name_and_token(&[("FILEDECK_ACCOUNT", "acme"), ("FILEDECK_TOKEN", "t")], "unset one of them")]
#[case::address_without_token(&[("FILEDECK_BASE_URL", "https://x.example")], "FILEDECK_TOKEN is not")]
#[case::missing_token_file(&[("FILEDECK_ACCOUNT", "staging")], "token_file of account 'staging' does not exist")]
#[case::not_an_address(&[("FILEDECK_TOKEN", "t"), ("FILEDECK_BASE_URL", "x.example")], "is not an address")]
#[case::empty(&[("FILEDECK_TOKEN", "t"), ("FILEDECK_BASE_URL", "")], "is not an address")]
#[case::plain_http(&[("FILEDECK_TOKEN", "t"), ("FILEDECK_BASE_URL", "http://x.example")], "use https")]
#[case::password(&[("FILEDECK_TOKEN", "t"), ("FILEDECK_BASE_URL", "https://u:p@x.example")], "must not contain a user name")]
fn a_choice_that_cannot_stand_says_why(#[case] set: &[(&str, &str)], #[case] message: &str) {
    let (_dir, config, paths) = configured();
    let error = account(&config, &paths, &environment(set), None).unwrap_err();
    assert!(error.to_string().contains(message), "{error}");
}

#[rstest]
#[case::as_an_address(&[("FILEDECK_TOKEN", "t"), ("FILEDECK_BASE_URL", "pat-na1-canary")], "")]
#[case::as_a_name(&[("FILEDECK_ACCOUNT", "pat-na1-canary")], "")]
#[case::as_a_token_file(&[("FILEDECK_ACCOUNT", "a")], "[accounts.a]\ntoken_file = \"pat-na1-canary\"")]
#[case::as_an_account(&[], "account = \"pat-na1-canary\"")]
fn a_token_in_the_wrong_setting_is_not_repeated(#[case] set: &[(&str, &str)], #[case] file: &str) {
    let (_dir, _, paths) = configured();
    let config = parsed(file);
    let error = account(&config, &paths, &environment(set), None).unwrap_err();
    assert!(
        !format!("{error} {error:?}").contains("canary"),
        "{error:?}"
    );
}

#[test]
fn debug_output_of_an_account_holds_no_token() {
    let (_dir, config, paths) = configured();
    let set = environment(&[
        ("FILEDECK_TOKEN", "canary"),
        ("FILEDECK_SERVICE_TOKEN", "canary"),
    ]);
    let shown = format!(
        "{set:?} {:?}",
        account(&config, &paths, &set, None).unwrap()
    );
    assert!(!shown.contains("canary"), "{shown}");
}

#[test]
fn all_accounts_are_listed_without_opening_any() {
    let (_dir, mut config, paths) = configured();
    config.accounts.get_mut("staging").unwrap().base_url = "pat-na1-canary".to_owned();
    let set = environment(&[
        ("FILEDECK_TOKEN", "t"),
        ("FILEDECK_BASE_URL", "http://127.0.0.1:9"),
    ]);
    let known = known(&config, &paths, &set);
    let listed: Vec<_> = known
        .iter()
        .map(|it| {
            (
                it.source.name(),
                it.address.as_ref().map(Url::as_str),
                it.read_only,
            )
        })
        .collect();
    assert_eq!(
        listed,
        [
            ("acme", Some("https://api.hubapi.com/"), true),
            ("staging", None, false),
            ("environment", Some("http://127.0.0.1:9/"), false),
            ("local", None, false),
            ("demo", None, false),
        ]
    );
    let names = super::known(&Config::default(), &paths, &environment(&[]));
    assert_eq!(
        names.iter().map(|it| it.source.name()).collect::<Vec<_>>(),
        ["local", "demo"]
    );
}

#[rstest]
#[case::the_last("", &[], None, Some("staging"), "staging")]
#[case::this_machine("", &[], None, Some("local"), "local")]
#[case::none_yet("", &[], None, None, "local")]
#[case::gone("", &[], None, Some("nobody"), "local")]
#[case::the_configured_one("account = \"acme\"", &[], None, Some("staging"), "acme")]
#[case::that_of_the_flag("", &[], Some("local"), Some("staging"), "local")]
#[case::that_of_the_environment("", &[("FILEDECK_ACCOUNT", "acme")], None, Some("staging"), "acme")]
#[case::that_of_a_token("", &[("FILEDECK_TOKEN", "t")], None, Some("staging"), "environment")]
fn the_screen_opens_the_last_account_where_none_is_named(
    #[case] file: &str,
    #[case] set: &[(&str, &str)],
    #[case] flag: Option<&str>,
    #[case] last: Option<&str>,
    #[case] name: &str,
) {
    let config = parsed(&format!(
        "{file}\n[accounts.acme]\ntoken_file = \"t\"\n[accounts.staging]\ntoken_file = \"t\"\n"
    ));
    let chosen = choose_for_screen(&config, &environment(set), flag, last);
    assert_eq!(chosen.unwrap().name(), name);
}

#[test]
fn the_last_account_is_not_replaced_by_the_local_store_while_it_is_in_doubt() {
    let config = parsed("theme = \"dark\"\n[accounts.bad]\n");
    let chosen = choose_for_screen(&config, &environment(&[]), None, Some("bad"));
    let error = chosen.unwrap_err();
    assert!(matches!(error, AccountError::LastInDoubt(_)), "{error:?}");
    for part in ["config.toml, line 2", "Correct it", "--account local"] {
        assert!(
            error.to_string().contains(part),
            "{part} is missing: {error}"
        );
    }
}

#[test]
fn what_cannot_be_known_is_not_replaced_by_the_last_account() {
    let chosen = choose_for_screen(&parsed("theme ="), &environment(&[]), None, Some("local"));
    assert!(
        matches!(chosen, Err(AccountError::NoDefault(_))),
        "{chosen:?}"
    );
}

#[cfg(feature = "keyring")]
#[rstest]
#[case::of_the_configuration(Origin::Config, "use token_file instead")]
#[case::of_filedecks_making(Origin::Own, "the list of accounts on the screen")]
fn a_token_that_is_not_in_the_keyring_says_what_to_do(
    #[case] origin: Origin,
    #[case] remedy: &str,
) {
    let (_dir, _, paths) = configured();
    let mut config = parsed("[accounts.a]\nkeyring = \"pat-canary\"\n");
    config.accounts.get_mut("a").unwrap().origin = origin;
    for keyring in [Keyring::in_memory(), Keyring::nowhere()] {
        let error = super::configured(&config, &paths, keyring, "a").unwrap_err();
        assert!(error.to_string().contains(remedy), "{error}");
        assert!(
            !format!("{error} {error:?}").contains("canary"),
            "what it should name may be the token itself"
        );
    }
}
