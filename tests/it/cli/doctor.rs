//! `filedeck doctor`, which tries what a run needs.

use super::binary::{Binary, Service, names};

/// What the first line of a check says.
fn says(run: &super::binary::Run, check: &str) -> String {
    let lines = run.json_lines();
    let line = lines.iter().find(|line| line["check"] == check);
    line.map(|line| line["says"].as_str().unwrap().to_owned())
        .unwrap_or_default()
}

fn states(run: &super::binary::Run, check: &str) -> Vec<String> {
    let findings = run
        .json_lines()
        .into_iter()
        .filter(|finding| finding["check"] == check);
    findings
        .map(|finding| finding["state"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn all_is_well_with_an_account_that_works() {
    let service = Service::start();
    let run = Binary::on(&service).run(&["doctor", "--json"]).expect(0);
    let checks = [
        "config", "settings", "keys", "theme", "account", "proxy", "service", "clock", "read",
        "change", "delete", "limits", "types", "journal",
    ];
    for check in checks {
        assert_eq!(states(&run, check), ["ok"], "{check}\n{}", run.stdout);
    }
    assert_eq!(states(&run, "folder"), ["ok"; 3]);
    for feature in ["change", "delete"] {
        assert!(
            says(&run, feature).starts_with("not known until tried"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn what_the_run_itself_forbids_is_no_feature() {
    let service = Service::start();
    let run = Binary::on(&service)
        .run(&["doctor", "--json", "--read-only"])
        .expect(0);
    assert_eq!(
        says(&run, "change"),
        "no: --read-only is given; leave it out to change something"
    );
}

#[test]
fn every_configuration_file_is_read_as_the_screen_reads_it() {
    let service = Service::start();
    for (file, text, check, wrong) in [
        (
            "config.toml",
            "theme = \"nrod\"\n",
            "theme",
            "config.toml, line 1: theme = \"nrod\" is not auto",
        ),
        (
            "config.toml",
            "dates = 3\n",
            "config",
            "config.toml, line 1: dates = 3 is not one of",
        ),
        (
            "config.toml",
            "keys = \"no.toml\"\n",
            "keys",
            "config.toml, line 1: the key file that the setting names",
        ),
        (
            "keys.toml",
            "[files]\nupload = 3\n",
            "keys",
            "keys.toml, line 2: upload: 3 is not a list of keys",
        ),
        (
            "keys.toml",
            "[files",
            "keys",
            "keys.toml, line 1: it is not valid TOML",
        ),
        (
            "accounts.toml",
            "accounts = 3\n",
            "config",
            "accounts.toml, line 1: accounts must be tables",
        ),
        (
            "../state/settings.toml",
            "mouse =",
            "settings",
            "settings.toml, line 1: it is not valid TOML",
        ),
    ] {
        let binary = Binary::on(&service);
        std::fs::create_dir(binary.home.path().join("state")).unwrap();
        std::fs::write(binary.config_dir().join(file), text).unwrap();
        let run = binary.run(&["doctor", "--json"]).expect(1);
        assert_eq!(states(&run, check), ["fail"], "{file}: {}", run.stdout);
        assert!(
            says(&run, check).starts_with(wrong),
            "{file}: {}",
            run.stdout
        );
    }
    let binary = Binary::on(&service);
    std::fs::create_dir(binary.config_dir().join("themes")).unwrap();
    std::fs::write(
        binary.config_dir().join("themes/mine.toml"),
        "based_on = \"nord\"\n",
    )
    .unwrap();
    std::fs::write(
        binary.config_dir().join("config.toml"),
        "theme = \"mine\"\n",
    )
    .unwrap();
    std::fs::write(
        binary.config_dir().join("keys.toml"),
        "[files]\nupload = [\"f6\"]\n",
    )
    .unwrap();
    let run = binary.run(&["doctor", "--json"]).expect(0);
    assert_eq!(says(&run, "theme"), "'mine', from themes/mine.toml");
    assert_eq!(says(&run, "keys"), "your key file is right");
}

#[test]
fn a_folder_that_cannot_be_written_to_fails_and_trying_leaves_nothing() {
    let service = Service::start();
    for folder in ["config", "data", "state"] {
        let binary = Binary::on(&service);
        let dir = binary.home.path().join(folder);
        let _ = std::fs::remove_dir(&dir);
        std::fs::write(&dir, "no folder").unwrap();
        let run = binary.run(&["doctor", "--json"]).expect(1);
        let failed = run
            .json_lines()
            .into_iter()
            .filter(|line| line["check"] == "folder" && line["state"] == "fail");
        let failed: Vec<_> = failed.map(|line| line["says"].to_string()).collect();
        assert_eq!(failed.len(), 1, "{}", run.stdout);
        assert!(failed[0].contains(dir.to_str().unwrap()), "{failed:?}");
    }
    let binary = Binary::on(&service);
    binary.run(&["doctor"]).expect(0);
    assert_eq!(names(&binary.config_dir()), Vec::<String>::new());
    assert_eq!(names(binary.home.path()), ["config", "state", "work"]);
    binary.run(&["doctor"]).expect(0);
    let left = names(&binary.home.path().join("state"));
    assert!(!left.iter().any(|name| name.contains("probe")), "{left:?}");
}

#[test]
fn the_proxy_is_named_without_its_password_and_a_wrong_one_fails() {
    let remote = || {
        Binary::new()
            .env("FILEDECK_BASE_URL", "https://files.invalid/")
            .env("FILEDECK_TOKEN", super::binary::TOKEN)
    };
    let run = remote()
        .env("HTTPS_PROXY", "http://me:secret@127.0.0.1:9")
        .run(&["doctor", "--json"])
        .expect(1);
    assert_eq!(says(&run, "proxy"), "requests go through 127.0.0.1:9");
    assert!(
        says(&run, "service").contains("through the proxy 127.0.0.1:9"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("secret"));
    let run = Binary::new()
        .env("HTTPS_PROXY", "http://")
        .env("FILEDECK_BASE_URL", &Service::start().base_url())
        .env("FILEDECK_TOKEN", "other")
        .run(&["doctor", "--json"])
        .expect(1);
    assert_eq!(states(&run, "proxy"), ["fail", "ok"], "{}", run.stdout);
}

#[test]
fn what_is_wrong_fails_and_says_what_to_do() {
    let service = Service::start();
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", &service.base_url())
        .env("FILEDECK_TOKEN", "other");
    std::fs::write(binary.config_dir().join("config.toml"), "sparkle = true\n").unwrap();
    let run = binary.run(&["doctor", "--json"]).expect(1);
    assert_eq!(
        (states(&run, "config"), states(&run, "service")),
        (vec!["fail".to_owned()], vec!["fail".to_owned()])
    );
    let run = binary.run(&["doctor"]).expect(1);
    assert!(
        run.stdout
            .lines()
            .any(|line| line.starts_with("fail  service")),
        "{}",
        run.stdout
    );
}

#[cfg(unix)]
#[test]
fn a_token_file_that_others_can_read_fails() {
    use std::os::unix::fs::PermissionsExt as _;
    let binary = Binary::new();
    let config = "account = \"a\"\n[accounts.a]\ntoken_file = \"t\"\n";
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    let token = binary.config_dir().join("t");
    std::fs::write(&token, super::binary::TOKEN).unwrap();
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o644)).unwrap();
    let run = binary.run(&["doctor", "--json"]).expect(1);
    assert_eq!(states(&run, "token"), ["fail"], "{}", run.stdout);
}

#[test]
fn without_a_terminal_nothing_is_said_of_its_colors_and_the_disk_is_looked_at() {
    let service = Service::start();
    let run = Binary::on(&service).run(&["doctor", "--json"]).expect(0);
    assert_eq!(states(&run, "terminal"), ["ok"]);
    assert!(states(&run, "colors").is_empty());
    if cfg!(unix) {
        assert_eq!(states(&run, "disk").len(), 1, "{}", run.stdout);
    }
}
