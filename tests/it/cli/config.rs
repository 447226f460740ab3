use std::path::Path;

use super::binary::Binary;

const SAMPLE: &str = include_str!("../../../assets/config.toml");

/// An editor that puts a line first into the file.
fn editor_that_writes(binary: Binary, line: &str) -> Binary {
    let script = binary.write(
        "editor.sh",
        format!("#!/bin/sh\nsed -i.bak '1i\\\n{line}\n' \"$1\"\n").as_bytes(),
    );
    binary
        .env("VISUAL", &format!("sh {}", script.display()))
        .env("EDITOR", "false")
}

#[test]
fn the_sample_and_the_path_are_printed() {
    let binary = Binary::new();
    assert_eq!(binary.run(&["config", "print"]).expect(0).stdout, SAMPLE);
    let path = binary.run(&["config", "path"]).expect(0).stdout;
    assert_eq!(
        Path::new(path.trim_end()),
        binary.config_dir().join("config.toml")
    );
}

#[cfg(unix)]
#[test]
fn a_missing_file_is_edited_from_the_sample() {
    let binary = editor_that_writes(Binary::new(), "# mine");
    let run = binary.run(&["config", "edit"]).expect(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    let file = binary.config_dir().join("config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, format!("# mine\n{SAMPLE}"));
    std::fs::write(&file, "dates = \"absolute\"\n").unwrap();
    binary.run(&["config", "edit"]).expect(0);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "# mine\ndates = \"absolute\"\n");
}

#[cfg(unix)]
#[test]
fn every_mistake_of_the_edited_file_is_named() {
    for (line, mistake) in [
        (
            "sparkle = true",
            "config.toml, line 1: unknown key 'sparkle' is ignored",
        ),
        (
            "theme = \"nrd\"",
            "config.toml, line 1: theme = \"nrd\" is not auto, ",
        ),
        (
            "keys = \"k.toml\"",
            "config.toml, line 1: the key file that the setting names does not exist",
        ),
        ("dates =", "config.toml, line 1: it is not valid TOML"),
    ] {
        let binary = editor_that_writes(Binary::new(), line);
        std::fs::write(binary.config_dir().join("config.toml"), "mouse = true\n").unwrap();
        let run = binary.run(&["config", "edit"]).expect(2);
        assert!(
            run.stderr.starts_with(&format!("filedeck: {mistake}")),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_missing_or_failing_editor_is_named() {
    for (editor, failure) in [
        ("false", "the editor ended with"),
        ("no-such-editor", "the editor could not be started"),
    ] {
        let binary = Binary::new().env("VISUAL", editor);
        let run = binary.run(&["config", "edit"]).expect(1);
        assert!(
            run.stderr.contains(failure) && run.stderr.contains("set VISUAL or EDITOR"),
            "{}",
            run.stderr
        );
    }
}
