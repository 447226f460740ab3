use rstest::rstest;
use secrecy::ExposeSecret;

use super::*;
use crate::config::{
    AccountColor, AccountError, ConfigFile, CredentialKind, Environment, TokenLocation, accounts,
};

fn own_accounts(paths: &Paths) -> SavedAccounts {
    SavedAccounts::new(paths, Keyring::default())
}

fn paths(dir: &Path) -> Paths {
    Paths {
        config: dir.join("config"),
        data: dir.into(),
        state: dir.into(),
    }
}

/// Saved accounts in a temporary folder, which lasts as long as the first value.
fn saved(keyring: Keyring) -> (tempfile::TempDir, Paths, SavedAccounts) {
    let dir = tempfile::tempdir().unwrap();
    let paths = paths(dir.path());
    let own = SavedAccounts::new(&paths, keyring);
    (dir, paths, own)
}

/// A draft of a new account if `token` is given.
fn draft(name: &str, token: Option<&str>) -> Draft {
    Draft {
        name: name.to_owned(),
        is_new: token.is_some(),
        entry: AccountEntry {
            base_url: "http://127.0.0.1:9".to_owned(),
            version: "2026-03".to_owned(),
            read_only: false,
            production: true,
            color: Some(AccountColor::Purple),
            token: TokenLocation::File(format!("tokens/{name}.token").into()),
            kind: CredentialKind::Token,
            ca_cert: None,
            origin: Origin::Own,
        },
        token: token.and_then(Token::new),
    }
}

fn token_of(paths: &Paths, name: &str) -> String {
    let mut config = Config::default();
    config.add_own(own_accounts(paths).read());
    accounts::configured(&config, paths, Keyring::default(), name)
        .unwrap()
        .credentials
        .token()
        .expose_secret()
        .to_owned()
}

#[test]
fn what_is_kept_is_there_again_and_is_gone_when_forgotten() {
    let (_dir, paths, own) = saved(Keyring::default());
    assert_eq!(own.read(), AccountsFile::default());
    own.change(&AccountChange::Keep(draft("acme", Some(" pat-1\n"))))
        .unwrap();
    own.change(&AccountChange::Keep(draft("béta.2", Some("pat-2"))))
        .unwrap();
    let kept = own.read().entries;
    assert_eq!(kept.keys().collect::<Vec<_>>(), ["acme", "béta.2"]);
    assert_eq!(kept["acme"], draft("acme", None).entry);
    assert_eq!(token_of(&paths, "acme"), "pat-1");

    own.change(&AccountChange::Keep(draft("acme", None)))
        .unwrap();
    assert_eq!(
        token_of(&paths, "acme"),
        "pat-1",
        "without a new token the old one stays"
    );
    own.change(&AccountChange::Keep(Draft {
        is_new: false,
        ..draft("acme", Some("pat-3"))
    }))
    .unwrap();
    assert_eq!(token_of(&paths, "acme"), "pat-3");
    assert_eq!(
        tokens(&paths),
        ["acme~1.token", "béta.2.token"],
        "the old one is gone"
    );

    own.change(&AccountChange::Forget("acme".to_owned()))
        .unwrap();
    assert_eq!(own.read().entries.keys().collect::<Vec<_>>(), ["béta.2"]);
    assert_eq!(tokens(&paths), ["béta.2.token"]);
}

fn tokens(paths: &Paths) -> Vec<String> {
    let files = std::fs::read_dir(paths.config.join("tokens")).unwrap();
    let mut names: Vec<_> = files
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn accounts_that_are_added_at_once_are_all_kept_and_a_name_goes_to_one() {
    let (_dir, paths, own) = saved(Keyring::default());
    let add = |number: usize| {
        let (own, name) = (&own, format!("a{}", number / 2));
        move || {
            own.change(&AccountChange::Keep(draft(
                &name,
                Some(&number.to_string()),
            )))
            .is_ok()
        }
    };
    let added = std::thread::scope(|scope| {
        let all: Vec<_> = (0..16).map(|number| scope.spawn(add(number))).collect();
        all.into_iter()
            .map(|handle| handle.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert_eq!(own.read().entries.len(), 8);
    for (number, pair) in added.chunks(2).enumerate() {
        assert_ne!(
            pair[0], pair[1],
            "one of them is told that the name is taken"
        );
        let of_first = usize::from(!pair[0]);
        assert_eq!(
            token_of(&paths, &format!("a{number}")),
            (2 * number + of_first).to_string()
        );
    }
}

#[test]
fn what_another_filedeck_has_added_or_removed_meanwhile_stays_so() {
    let (_dir, paths, own) = saved(Keyring::default());
    own.change(&AccountChange::Keep(draft("acme", Some("pat-1"))))
        .unwrap();
    let taken = own
        .change(&AccountChange::Keep(draft("ACME", Some("pat-2"))))
        .unwrap_err();
    assert!(matches!(taken, SavedAccountsError::Taken(_)), "{taken:?}");
    assert_eq!(token_of(&paths, "acme"), "pat-1");
    let gone = own
        .change(&AccountChange::Keep(draft("other", None)))
        .unwrap_err();
    assert!(matches!(gone, SavedAccountsError::Gone(_)), "{gone:?}");
}

#[test]
fn a_token_stays_with_its_address() {
    let (_dir, paths, own) = saved(Keyring::default());
    own.change(&AccountChange::Keep(draft("acme", Some("pat-1"))))
        .unwrap();
    let mut moved = draft("acme", None);
    moved.entry.base_url = "https://elsewhere.example".to_owned();
    let mut config = Config::default();
    config.add_own(own.read());
    let tried = accounts::drafted(&config, &paths, Keyring::default(), &moved).unwrap_err();
    assert!(matches!(tried, AccountError::OtherAddress(_)), "{tried:?}");
    let kept = own.change(&AccountChange::Keep(moved)).unwrap_err();
    assert!(
        matches!(kept, SavedAccountsError::OtherAddress(_)),
        "{kept:?}"
    );
}

#[test]
fn a_change_that_breaks_off_leaves_the_old_token_with_the_old_address() {
    let (_dir, paths, own) = saved(Keyring::default());
    own.change(&AccountChange::Keep(draft("acme", Some("pat-1"))))
        .unwrap();
    own.tokens
        .write_file("acme", &Token::new("pat-2").unwrap())
        .unwrap();
    assert_eq!(token_of(&paths, "acme"), "pat-1");
    own.change(&AccountChange::Keep(Draft {
        is_new: false,
        ..draft("acme", Some("pat-3"))
    }))
    .unwrap();
    assert_eq!(token_of(&paths, "acme"), "pat-3");
    assert_eq!(
        tokens(&paths),
        ["acme~2.token"],
        "nothing of the one that broke off is left"
    );
}

// Used to fail: the change was reported as failed after it was made.
#[test]
fn a_token_that_cannot_be_removed_is_told_and_the_change_is_made() {
    let (_dir, paths, own) = saved(Keyring::default());
    own.change(&AccountChange::Keep(draft("acme", Some("pat-1"))))
        .unwrap();
    // A folder in place of a file cannot be removed as a file.
    std::fs::create_dir(paths.config.join("tokens/acme~7.token")).unwrap();
    let again = AccountChange::Keep(Draft {
        is_new: false,
        ..draft("acme", Some("pat-2"))
    });
    let left = own.change(&again).unwrap().left;
    assert!(left.is_some_and(|left| left.to_string().contains("acme~7.token")));
    assert_eq!(token_of(&paths, "acme"), "pat-2");
    assert!(
        !paths.config.join("tokens/acme.token").exists(),
        "what can be removed is"
    );
    let left = own
        .change(&AccountChange::Forget("acme".to_owned()))
        .unwrap()
        .left;
    assert!(left.is_some());
    assert!(own.read().entries.is_empty());
}

#[cfg(unix)]
#[test]
fn file_and_tokens_are_for_their_owner_alone_and_no_token_is_in_the_file() {
    use std::os::unix::fs::PermissionsExt;

    let (_dir, paths, own) = saved(Keyring::default());
    own.change(&AccountChange::Keep(draft("acme", Some("canary"))))
        .unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(own.path()), 0o600);
    assert_eq!(mode(&paths.config.join("tokens")), 0o700);
    assert_eq!(mode(&paths.config.join("tokens/acme.token")), 0o600);
    let text = std::fs::read_to_string(own.path()).unwrap();
    assert!(text.starts_with("# Written by filedeck"), "{text}");
    assert!(!text.contains("canary"), "{text}");
    assert!(!format!("{:?}", draft("acme", Some("canary"))).contains("canary"));
}

#[test]
fn an_account_of_the_configuration_wins() {
    let dir = tempfile::tempdir().unwrap();
    let own = own_accounts(&paths(dir.path()));
    for name in ["acme", "other"] {
        own.change(&AccountChange::Keep(draft(name, Some("t"))))
            .unwrap();
    }
    let text = "[accounts.acme]\ntoken_file = \"mine\"\ncolor = \"green\"\n";
    let mut config = ConfigFile::read(Ok(Some(TomlText::new("config.toml", text)))).config;
    assert_eq!(config.add_own(own.read()), ["acme"]);
    assert_eq!(
        config.accounts["acme"].token,
        TokenLocation::File("mine".into())
    );
    assert_eq!(config.accounts["acme"].color, Some(AccountColor::Green));
    assert_eq!(config.accounts["other"].origin, Origin::Own);
}

#[test]
fn what_a_newer_filedeck_wrote_stays_and_is_not_used_where_it_is_about_an_account() {
    let (_dir, paths, own) = saved(Keyring::default());
    std::fs::create_dir_all(&paths.config).unwrap();
    let text = "newer = 1\n[accounts.other]\ntoken_file = \"t\"\nsparkle = true\n";
    std::fs::write(own.path(), text).unwrap();
    let found = own.read();
    assert_eq!((found.entries.len(), found.warnings.len()), (0, 2));
    assert!(
        found
            .account_errors
            .of("other")
            .is_some_and(|why| why.contains("`sparkle`")),
        "{:?}",
        found.account_errors
    );
    own.change(&AccountChange::Keep(draft("acme", Some("t"))))
        .unwrap();
    for change in [
        AccountChange::Keep(draft("other", None)),
        AccountChange::Forget("other".to_owned()),
    ] {
        assert!(
            matches!(own.change(&change), Err(SavedAccountsError::Unreadable(_))),
            "{change:?}"
        );
    }
    let taken = own
        .change(&AccountChange::Keep(draft("Other", Some("t"))))
        .unwrap_err();
    assert!(matches!(taken, SavedAccountsError::Taken(_)), "{taken:?}");
    let text = std::fs::read_to_string(own.path()).unwrap();
    assert!(
        text.contains("newer = 1") && text.contains("sparkle = true"),
        "{text}"
    );
    assert_eq!(own.read().entries.keys().collect::<Vec<_>>(), ["acme"]);
}

#[rstest]
#[case::not_toml("accounts =")]
#[case::wrong_value("[accounts.acme]\ntoken_file = 3")]
#[case::no_table("accounts = 1")]
fn what_cannot_be_read_is_left_as_it_is(#[case] text: &str) {
    let (_dir, paths, own) = saved(Keyring::default());
    std::fs::create_dir_all(&paths.config).unwrap();
    std::fs::write(own.path(), text).unwrap();
    assert!(own.read().account_errors.of("acme").is_some());
    assert!(
        own.change(&AccountChange::Keep(draft("acme", Some("t"))))
            .is_err()
    );
    assert_eq!(std::fs::read_to_string(own.path()).unwrap(), text);
    assert!(
        !paths.config.join("tokens").exists(),
        "nor is the token written"
    );
}

#[test]
fn accounts_in_doubt_are_not_used_and_those_of_the_configuration_are() {
    let dir = tempfile::tempdir().unwrap();
    let paths = paths(dir.path());
    std::fs::create_dir_all(&paths.config).unwrap();
    let choose = |own: &str, name| {
        std::fs::write(own_accounts(&paths).path(), own).unwrap();
        let text = "[accounts.mine]\ntoken_file = \"t\"\n";
        let mut config = ConfigFile::read(Ok(Some(TomlText::new("config.toml", text)))).config;
        config.add_own(own_accounts(&paths).read());
        accounts::choose(&config, &Environment::default(), Some(name))
    };
    let broken =
        "[accounts.a]\ntoken_file = 3\n[accounts.b]\ntoken_file = \"t\"\n[accounts.mine]\n";
    for (own, name, is_known) in [
        ("accounts =", "a", false),
        ("accounts =", "mine", true),
        (broken, "a", false),
        (broken, "b", true),
        (broken, "mine", true),
    ] {
        let chosen = choose(own, name);
        assert_eq!(chosen.is_ok(), is_known, "{own} {name} {chosen:?}");
        assert!(
            is_known || matches!(chosen, Err(AccountError::InDoubt(_))),
            "{chosen:?}"
        );
    }
}

#[rstest]
#[case::empty("")]
#[case::ours("Local")]
#[case::another_folder("../acme")]
#[case::hidden(".acme")]
#[case::an_option("-acme")]
#[case::two_words("acme prod")]
#[case::control("acme\u{1b}")]
#[case::invisible("acme\u{200b}")]
fn a_name_that_cannot_stand_is_refused(#[case] name: &str) {
    assert!(check_name(name).is_err());
    assert_eq!(check_name("acme-prod_2.eu"), Ok(()));
}

#[cfg(feature = "keyring")]
mod in_the_keyring {
    use super::*;
    use crate::config::KeyringError;

    /// A draft whose token is to be in the keyring.
    fn wanted(name: &str, token: Option<&str>) -> Draft {
        let draft = draft(name, token);
        Draft {
            entry: AccountEntry {
                token: TokenLocation::Keyring(String::new()),
                ..draft.entry
            },
            ..draft
        }
    }

    fn again(draft: Draft) -> AccountChange {
        AccountChange::Keep(Draft {
            is_new: false,
            ..draft
        })
    }

    fn entry_of(own: &SavedAccounts, name: &str) -> String {
        match own.read().entries.remove(name).unwrap().token {
            TokenLocation::Keyring(entry) => entry,
            TokenLocation::File(file) => panic!("it is in {}", file.display()),
        }
    }

    fn held(entry: &str) -> Result<String, KeyringError> {
        Keyring::in_memory()
            .read(entry)
            .map(|token| token.expose_secret().to_owned())
    }

    #[test]
    fn a_token_is_there_until_it_is_replaced_or_its_account_removed() {
        let (_dir, paths, own) = saved(Keyring::in_memory());
        assert_eq!(
            own.change(&AccountChange::Keep(wanted("replaced", Some("pat-1"))))
                .unwrap()
                .refused,
            None
        );
        let first = entry_of(&own, "replaced");
        assert_eq!(held(&first).unwrap(), "pat-1");
        assert_eq!(tokens(&paths), [""; 0], "and nowhere else");
        assert!(
            !std::fs::read_to_string(own.path())
                .unwrap()
                .contains("pat-1")
        );

        own.change(&again(wanted("replaced", None))).unwrap();
        assert_eq!(
            entry_of(&own, "replaced"),
            first,
            "without a new token the old one stays"
        );
        own.change(&again(wanted("replaced", Some("pat-2"))))
            .unwrap();
        let second = entry_of(&own, "replaced");
        assert_eq!(
            (held(&first), held(&second).unwrap().as_str()),
            (Err(KeyringError::NoEntry), "pat-2")
        );

        own.change(&AccountChange::Forget("replaced".to_owned()))
            .unwrap();
        assert_eq!(held(&second), Err(KeyringError::NoEntry));
    }

    #[test]
    fn a_new_token_can_go_from_one_place_to_the_other() {
        let (_dir, paths, own) = saved(Keyring::in_memory());
        own.change(&AccountChange::Keep(draft("moved", Some("pat-1"))))
            .unwrap();
        own.change(&again(wanted("moved", Some("pat-2")))).unwrap();
        let entry = entry_of(&own, "moved");
        assert_eq!(held(&entry).unwrap(), "pat-2");
        assert_eq!(tokens(&paths), [""; 0], "the file is gone");
        own.change(&again(draft("moved", Some("pat-3")))).unwrap();
        assert_eq!(held(&entry), Err(KeyringError::NoEntry));
        assert_eq!(token_of(&paths, "moved"), "pat-3");
    }

    #[test]
    fn without_a_keyring_the_account_is_kept_with_its_token_in_a_file() {
        let (_dir, paths, own) = saved(Keyring::nowhere());
        let refused = own
            .change(&AccountChange::Keep(wanted("alone", Some("pat-1"))))
            .unwrap()
            .refused;
        assert_eq!(refused, Some(KeyringError::NotHere));
        assert_eq!(token_of(&paths, "alone"), "pat-1");
    }

    #[test]
    fn an_account_whose_keyring_is_gone_can_be_given_a_token_and_removed() {
        let (_dir, paths, there) = saved(Keyring::in_memory());
        let gone = SavedAccounts::new(&paths, Keyring::nowhere());
        there
            .change(&AccountChange::Keep(wanted("left", Some("pat-1"))))
            .unwrap();
        let entry = entry_of(&there, "left");
        assert_eq!(
            gone.change(&again(draft("left", Some("pat-2"))))
                .unwrap()
                .refused,
            Some(KeyringError::NotHere)
        );
        assert_eq!(token_of(&paths, "left"), "pat-2");
        assert_eq!(held(&entry).unwrap(), "pat-1", "which is why it is said");
        there
            .change(&AccountChange::Keep(wanted("other", Some("pat-3"))))
            .unwrap();
        assert_eq!(
            gone.change(&AccountChange::Forget("other".to_owned()))
                .unwrap()
                .refused,
            Some(KeyringError::NotHere)
        );
        assert!(!gone.read().entries.contains_key("other"));
    }

    #[test]
    fn a_token_never_takes_the_place_of_one_that_another_address_may_have() {
        let dir = tempfile::tempdir().unwrap();
        let [here, elsewhere] = ["here", "elsewhere"].map(|name| paths(&dir.path().join(name)));
        let own = |paths: &Paths| SavedAccounts::new(paths, Keyring::in_memory());
        own(&here)
            .change(&AccountChange::Keep(wanted("twice", Some("pat-1"))))
            .unwrap();
        let first = entry_of(&own(&here), "twice");
        std::fs::remove_file(own(&here).path()).unwrap();
        own(&here)
            .change(&AccountChange::Keep(wanted("twice", Some("pat-2"))))
            .unwrap();
        own(&elsewhere)
            .change(&AccountChange::Keep(wanted("twice", Some("pat-3"))))
            .unwrap();
        assert_eq!(held(&first).unwrap(), "pat-1");
        assert_eq!(held(&entry_of(&own(&here), "twice")).unwrap(), "pat-2");
    }

    #[test]
    fn a_change_that_cannot_be_written_down_leaves_the_keyring_as_it_was() {
        let (_dir, _, own) = saved(Keyring::in_memory());
        own.change(&AccountChange::Keep(wanted("broken", Some("pat-1"))))
            .unwrap();
        let entry = entry_of(&own, "broken");
        std::fs::write(own.path(), "accounts =").unwrap();
        assert!(own.change(&again(wanted("broken", Some("pat-2")))).is_err());
        assert!(
            own.change(&AccountChange::Forget("broken".to_owned()))
                .is_err()
        );
        assert_eq!(held(&entry).unwrap(), "pat-1");
    }

    // Used to be left in the keyring.
    #[test]
    fn what_a_change_that_broke_off_has_left_in_it_is_removed_later() {
        let (_dir, paths, own) = saved(Keyring::in_memory());
        own.change(&AccountChange::Keep(wanted("cut", Some("pat-1"))))
            .unwrap();
        let kept = entry_of(&own, "cut");
        own.tokens
            .give_up("cut", Some(&TokenLocation::Keyring(kept.clone())))
            .unwrap();
        let put = own.tokens.put(
            "cut",
            &Token::new("pat-2").unwrap(),
            &TokenLocation::Keyring(String::new()),
        );
        let (TokenLocation::Keyring(left), None) = put.unwrap() else {
            panic!("the keyring has not taken it")
        };
        own.sweep(&Config::default()).unwrap();
        assert_eq!(
            (held(&left), held(&kept).unwrap().as_str()),
            (Err(KeyringError::NoEntry), "pat-1")
        );
        assert_eq!(tokens(&paths), [""; 0], "nothing is left to do");
    }

    #[test]
    fn a_token_that_a_keyring_would_not_give_up_is_removed_once_it_does() {
        let (_dir, paths, there) = saved(Keyring::in_memory());
        let gone = SavedAccounts::new(&paths, Keyring::nowhere());
        there
            .change(&AccountChange::Keep(wanted("kept", Some("pat-1"))))
            .unwrap();
        let entry = entry_of(&there, "kept");
        gone.change(&AccountChange::Forget("kept".to_owned()))
            .unwrap();
        gone.sweep(&Config::default()).unwrap();
        assert_eq!(held(&entry).unwrap(), "pat-1");
        there.sweep(&Config::default()).unwrap();
        assert_eq!(held(&entry), Err(KeyringError::NoEntry));
    }

    #[test]
    fn what_an_account_names_or_may_name_stays() {
        let (_dir, _, own) = saved(Keyring::in_memory());
        own.change(&AccountChange::Keep(wanted("doubted", Some("pat-1"))))
            .unwrap();
        let entry = entry_of(&own, "doubted");
        own.tokens
            .give_up("doubted", Some(&TokenLocation::Keyring(entry.clone())))
            .unwrap();
        let text = std::fs::read_to_string(own.path()).unwrap();
        for text in [format!("{text}sparkle = true\n"), "accounts =".to_owned()] {
            std::fs::write(own.path(), text).unwrap();
            own.sweep(&Config::default()).unwrap();
            assert_eq!(held(&entry).unwrap(), "pat-1");
        }
        std::fs::remove_file(own.path()).unwrap();
        let moved = format!("[accounts.moved]\nkeyring = \"{entry}\"\n");
        own.sweep(&ConfigFile::read(Ok(Some(TomlText::new("config.toml", &moved)))).config)
            .unwrap();
        assert_eq!(held(&entry).unwrap(), "pat-1", "the user has taken it over");
    }

    #[test]
    fn an_entry_of_the_users_own_stays_where_its_account_is_removed() {
        let (_dir, paths, own) = saved(Keyring::in_memory());
        std::fs::create_dir_all(&paths.config).unwrap();
        Keyring::in_memory()
            .write("by hand", Token::new("pat-1").unwrap().secret())
            .unwrap();
        std::fs::write(own.path(), "[accounts.acme]\nkeyring = \"by hand\"\n").unwrap();
        own.change(&AccountChange::Forget("acme".to_owned()))
            .unwrap();
        assert_eq!(held("by hand").unwrap(), "pat-1");
    }

    #[test]
    fn its_token_is_not_tried_at_another_address() {
        let (_dir, paths, own) = saved(Keyring::in_memory());
        own.change(&AccountChange::Keep(wanted("steady", Some("pat-1"))))
            .unwrap();
        let mut moved = wanted("steady", None);
        let mut config = Config::default();
        config.add_own(own.read());
        let tried = |draft: &Draft| accounts::drafted(&config, &paths, Keyring::in_memory(), draft);
        assert_eq!(
            tried(&moved).unwrap().credentials.token().expose_secret(),
            "pat-1"
        );
        moved.entry.base_url = "https://elsewhere.example".to_owned();
        assert!(matches!(tried(&moved), Err(AccountError::OtherAddress(_))));
        assert!(matches!(
            own.change(&AccountChange::Keep(moved)),
            Err(SavedAccountsError::OtherAddress(_))
        ));
    }
}
