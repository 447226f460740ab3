//! Documents and samples that must agree with the code.

use std::path::Path;

use filedeck::config::Config;

const SAMPLE: &str = include_str!("../../assets/config.toml");

#[test]
fn the_sample_configuration_equals_the_defaults() {
    let (config, warnings) = Config::parse(SAMPLE, Path::new("config.toml")).unwrap();
    assert_eq!(config, Config::default());
    assert_eq!(warnings, []);
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
    let (config, warnings) = Config::parse(&uncommented, Path::new("config.toml")).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(config.account.as_deref(), Some("acme"));
    let minimal = "[accounts.acme]\ntoken_file = \"acme.token\"\ncolor = \"green\"";
    let (minimal, _) = Config::parse(minimal, Path::new("config.toml")).unwrap();
    assert_eq!(config.accounts, minimal.accounts);
}
