//! Documents and samples that must agree with the code.

use filedeck::config::{Config, Found, Setting, TomlText};

const SAMPLE: &str = include_str!("../../assets/config.toml");

fn read(text: &str) -> Found {
    Found::read(Ok(Some(TomlText::new("config.toml", text))))
}

#[test]
fn the_sample_configuration_equals_the_defaults() {
    let found = read(SAMPLE);
    assert_eq!(found.config, Config::default());
    assert_eq!(found.warnings, []);
}

#[test]
fn the_sample_configuration_has_every_setting_in_its_order() {
    let setting = |line: &'static str| {
        let (name, _) = line.trim_start_matches('#').split_once(" = ")?;
        (!line.starts_with("# ")).then_some(name)
    };
    let (settings, _) = SAMPLE.split_once("[accounts.acme]").unwrap();
    let names: Vec<&str> = settings.lines().filter_map(setting).collect();
    assert_eq!(names, Setting::ALL.iter().map(|setting| setting.name).collect::<Vec<_>>());
    for setting in Setting::ALL {
        let example = format!("#{} = ", setting.name);
        let is_example = settings.lines().any(|line| line.starts_with(&example));
        assert_eq!(is_example, Config::default().toml_of(*setting).is_none(), "{}", setting.name);
    }
}

#[test]
fn the_examples_of_the_sample_configuration_are_accepted_and_show_the_defaults() {
    let uncommented: String = SAMPLE
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(example) if !example.is_empty() && !example.starts_with(' ') => format!("{example}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let Found { config, warnings, .. } = read(&uncommented);
    assert_eq!(warnings, []);
    assert_eq!(config.account.as_deref(), Some("acme"));
    let minimal = "[accounts.acme]\ntoken_file = \"acme.token\"\ncolor = \"green\"";
    assert_eq!(config.accounts, read(minimal).config.accounts);
}
