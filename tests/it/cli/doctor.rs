use super::binary::{Binary, Service};

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
    for check in [
        "config", "account", "service", "clock", "files", "limits", "journal",
    ] {
        assert_eq!(states(&run, check), ["ok"], "{check}\n{}", run.stdout);
    }
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
        (vec!["warn".to_owned()], vec!["fail".to_owned()])
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
