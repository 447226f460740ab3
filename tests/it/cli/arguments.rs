use rstest::rstest;

use super::binary::{Binary, Service, TOKEN};

#[test]
fn a_token_as_an_argument_is_refused_and_not_repeated() {
    let run = Binary::new().run(&["ls", "--token", TOKEN]).expect(2);
    assert!(run.stderr.contains("FILEDECK_TOKEN"), "{}", run.stderr);
    assert!(run.stdout.is_empty());
}

#[test]
fn an_authority_for_a_service_without_https_is_refused() {
    let service = Service::start();
    let run = Binary::on(&service)
        .run(&["ls", "/", "--ca-cert", "nowhere.pem"])
        .expect(2);
    assert!(
        run.stderr.contains("--ca-cert is for accounts with https"),
        "{}",
        run.stderr
    );
}

#[test]
fn help_goes_to_standard_output_and_names_verbs_environment_and_exit_codes() {
    let run = Binary::new().run(&["--help"]).expect(0);
    for part in [
        "ls",
        "put",
        "serve",
        "--demo",
        "FILEDECK_DATA_DIR",
        "  5                   some items failed",
    ] {
        assert!(
            run.stdout.contains(part),
            "{part} is missing:\n{}",
            run.stdout
        );
    }
}

#[rstest]
#[case::unknown_verb(&["frobnicate"], "frobnicate")]
#[case::relative_remote_path(&["ls", "marketing"], "begins with '/'")]
#[case::climbing_remote_path(&["get", "/a/../b"], "'..'")]
#[case::ttl_of_an_hour(&["put", "a", "/", "--ttl", "PT1H"], "1 day at least and 1 year at most")]
#[case::ttl_of_two_years(&["put", "a", "/", "--ttl", "P2Y"], "1 day at least and 1 year at most")]
#[case::ttl_of_words(&["put", "a", "/", "--ttl", "2 weeks"], "an ISO period such as P30D")]
#[case::none_at_once(&["put", "a", "/", "--jobs", "0"], "a number from 1 to 32")]
#[case::too_many_at_once(&["get", "/a", "--jobs", "33"], "a number from 1 to 32")]
#[case::limit_of_nothing(&["put", "a", "/", "--limit-rate", "0"], "bytes a second as 500K or 2M, from 10K on, or off")]
#[case::limit_of_a_command_here(&["--limit-rate", "2M", "serve"], "'filedeck serve' has no option --limit-rate")]
#[case::screen_without_a_terminal(&[], "terminal")]
#[case::demo_without_a_terminal(&["--demo"], "terminal")]
fn a_wrong_command_line_exits_with_two_and_says_why(#[case] words: &[&str], #[case] message: &str) {
    let run = Binary::new().run(words).expect(2);
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert!(run.stdout.is_empty());
}

#[rstest]
#[case::unknown_account(&["--account", "nobody", "ls"], "", "there is no account \"nobody\"")]
#[case::account_in_doubt(&["ls"], "theme =\n", "the account to use is not known, and no other one is opened: config.toml, line 1")]
#[case::broken_account(&["ls", "--account", "a"], "[accounts.a]\nread_only = true\n", "no other one is used: config.toml, line 1")]
#[case::missing_token_file(&["ls"], "account = \"a\"\n[accounts.a]\ntoken_file = \"gone\"\n", "token_file of account 'a' does not exist")]
#[case::unknown_version(&["ls"], "account = \"a\"\n[accounts.a]\ntoken_file = \"t\"\nversion = \"v9\"\n", "account 'a': this version")]
fn a_wrong_configuration_exits_with_two_and_says_where(
    #[case] words: &[&str],
    #[case] config: &str,
    #[case] message: &str,
) {
    let binary = Binary::new();
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    private(&binary.config_dir().join("t"), TOKEN);
    let run = binary.run(words).expect(2);
    assert_eq!(
        run.stderr.matches(message).count(),
        1,
        "said once: {}",
        run.stderr
    );
}

#[test]
fn what_is_wrong_in_the_configuration_is_warned_of_and_the_run_goes_on() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let config = "sparkle = true\nsettle_time = 0\n[accounts.a]\n";
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    let run = binary.run(&["ls"]).expect(0);
    let told: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(told.len(), 3, "{}", run.stderr);
    assert_eq!(
        told[0],
        "filedeck: config.toml, line 1: unknown key 'sparkle' is ignored"
    );
    assert!(told[1].ends_with(
        "line 2: settle_time = 0 is not a whole number of seconds from 1 on; 30 is used"
    ));
    assert!(
        told[2].contains("line 3: the account 'a' cannot be used"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_command_says_nothing_of_what_only_the_screen_uses() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let config = "theme = 3\nsymbols = \"fancy\"\npreset = \"emacs\"\nlimit_rate = \"fast\"\n";
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    std::fs::write(binary.config_dir().join("keys.toml"), "[files").unwrap();
    let run = binary.run(&["ls"]).expect(0);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("config.toml, line 4: limit_rate"),
        "{}",
        run.stderr
    );
    let doctor = binary.run(&["doctor"]).expect(1).stdout;
    assert_eq!(doctor.matches("config.toml, line").count(), 4, "{doctor}");
}

#[test]
fn a_configuration_that_is_no_toml_leaves_the_account_of_the_environment() {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::write(binary.config_dir().join("config.toml"), "account = acme\n").unwrap();
    std::fs::write(binary.config_dir().join("accounts.toml"), "accounts = 1\n").unwrap();
    let run = binary.run(&["ls"]).expect(0);
    assert!(
        run.stderr
            .contains("config.toml, line 1: it is not valid TOML"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("accounts.toml, line 1: accounts must be tables"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_is_logged_says_nothing_of_its_own() {
    for level in ["trace", "filedeck=loud", "filedeck=off,nonsense=more=less"] {
        let run = Binary::new()
            .env("FILEDECK_LOG", level)
            .run(&["ls", "--account", "local"])
            .expect(0);
        assert!(!run.stderr.contains("directive"), "{level}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_mark_of_the_byte_order_is_passed_over_in_every_file_that_a_person_writes() {
    use std::os::unix::fs::PermissionsExt as _;

    let service = Service::start();
    let binary = Binary::new();
    let folder = binary.config_dir();
    std::fs::create_dir_all(folder.join("themes")).unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    };
    let account = format!(
        "account = \"mine\"\n[accounts.mine]\nbase_url = \"{}\"\ntoken_file = \"t\"\n",
        service.base_url()
    );
    write("config.toml", &account);
    write("keys.toml", "[files]\n");
    write("t", TOKEN);
    let run = binary.run(&["ls", "/"]).expect(0);
    assert_eq!(run.stderr, "");
    binary.write("list.txt", "\u{feff}http://127.0.0.1:1/a.txt\n".as_bytes());
    binary
        .run(&["import", "--from-file", "list.txt", "/", "--dry-run"])
        .expect(0);
    binary.write("usage.json", "\u{feff}{".as_bytes());
    let run = binary
        .run(&["serve", "--crm-usage", "usage.json"])
        .expect(2);
    assert!(
        !run.stderr.contains("expected value"),
        "the mark is read as JSON: {}",
        run.stderr
    );
}

#[test]
fn a_configured_account_is_used_with_its_token_file() {
    let service = Service::start();
    let binary = Binary::new();
    let config = format!(
        "[accounts.mine]\nbase_url = \"{}\"\ntoken_file = \"t\"\n",
        service.base_url()
    );
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    private(&binary.config_dir().join("t"), TOKEN);
    binary.run(&["--account", "mine", "ls"]).expect(0);
    binary.run(&["ls", "--account", "mine"]).expect(0);
}

#[test]
fn a_read_only_account_reads_and_refuses_to_change_anything() {
    let service = Service::start();
    let binary = Binary::new();
    let config = format!(
        "account = \"a\"\n[accounts.a]\nbase_url = \"{}\"\ntoken_file = \"t\"\nread_only = true\n",
        service.base_url()
    );
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    private(&binary.config_dir().join("t"), TOKEN);
    binary.write("a.txt", b"a");
    let run = binary.run(&["put", "a.txt", "/"]).expect(1);
    assert!(run.stderr.contains("read_only"), "{}", run.stderr);
    binary.run(&["rm", "--yes", "/a.txt"]).expect(1);
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "");
}

#[test]
fn for_reading_only_an_account_that_may_be_changed_is_left_as_it_is() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("a.txt", b"a");
    let run = binary.run(&["--read-only", "put", "a.txt", "/"]).expect(1);
    assert!(
        run.stderr.contains("--read-only is given"),
        "{}",
        run.stderr
    );
    assert_eq!(binary.run(&["ls", "--read-only"]).expect(0).stdout, "");
}

#[test]
fn an_account_that_filedeck_made_is_used_and_one_of_the_configuration_goes_before() {
    let service = Service::start();
    let binary = Binary::new();
    let account = format!(
        "[accounts.mine]\nbase_url = \"{}\"\ntoken_file = \"t\"\n",
        service.base_url()
    );
    std::fs::write(binary.config_dir().join("accounts.toml"), &account).unwrap();
    private(&binary.config_dir().join("t"), TOKEN);
    let run = binary.run(&["--account", "mine", "ls"]).expect(0);
    assert_eq!(run.stderr, "");
    std::fs::write(
        binary.config_dir().join("config.toml"),
        "[accounts.mine]\ntoken_file = \"gone\"\n",
    )
    .unwrap();
    let run = binary.run(&["--account", "mine", "ls"]).expect(2);
    assert!(
        run.stderr.contains("the one in config.toml is used"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("token_file of account 'mine' does not exist"),
        "{}",
        run.stderr
    );
}

fn private(path: &std::path::Path, content: &str) {
    filedeck::secret_file::create(path, &content.into()).unwrap();
}
