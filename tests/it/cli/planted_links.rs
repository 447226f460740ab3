//! Links planted where filedeck keeps its own files: their targets are never written to.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::account::run_with;
use super::binary::{Binary, Serving, TOKEN};
use crate::support::disk::files_below;

const MINE: &str = "mine";

/// A served store, and a client that has used it in every way that leaves something on the disk.
fn worked() -> (Binary, Serving, Binary) {
    let served = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let serving = Serving::start(&served, &["--data-dir", "store"]);
    let client = Binary::new();
    client.write("a.txt", b"a");
    work(&client, serving.base_url());
    (served, serving, client)
}

fn work(client: &Binary, url: &str) {
    run_with(
        client,
        &format!("{TOKEN}\n"),
        &["account", "add", "acme", "--base-url", url],
    );
    for words in [
        &["put", "a.txt", "/"][..],
        &["ls"],
        &["get", "/a.txt", "--on-clash", "replace"],
        &["mkdir", "/b"],
        &["mv", "/a.txt", "/b/a.txt"],
        &["rm", "/b/a.txt", "--yes"],
        &["tasks", "list"],
        &["account", "use", "acme"],
    ] {
        client.run(words);
    }
}

/// The files that filedeck has left in its folders, and those that SQLite and killed runs may leave
/// beside them.
fn own_files(client: &Binary) -> Vec<PathBuf> {
    let home = client.home.path();
    let mut found: Vec<PathBuf> = ["state", "config"]
        .iter()
        .flat_map(|folder| files_below(&home.join(folder)))
        .collect();
    let journal = home.join("state/journal.db");
    assert!(found.contains(&journal), "{found:?}");
    let beside = ["-wal", "-shm", ".gate", ".unfinished"];
    found.extend(beside.map(|end| PathBuf::from(format!("{}{end}", journal.display()))));
    found.sort();
    found.dedup();
    found
}

#[test]
fn a_link_in_the_place_of_any_own_file_leaves_its_target_untouched() {
    let (_served, serving, client) = worked();
    let target = client.home.path().join("target");
    for planted in own_files(&client) {
        for content in [Some(MINE), None] {
            let _ = fs::remove_file(&target);
            if let Some(content) = content {
                fs::write(&target, content).unwrap();
                fs::set_permissions(&target, Permissions::from_mode(0o644)).unwrap();
            }
            let _ = fs::remove_file(&planted);
            fs::create_dir_all(planted.parent().unwrap()).unwrap();
            symlink(&target, &planted).unwrap();
            work(&client, serving.base_url());
            let found = fs::read_to_string(&target).ok();
            assert_eq!(found.as_deref(), content, "through {}", planted.display());
            if content.is_some() {
                assert_eq!(mode(&target), 0o644, "through {}", planted.display());
            }
            let _ = fs::remove_file(&planted);
        }
    }
}

#[test]
fn own_files_are_private_whatever_the_mode_of_their_folder() {
    let (_served, serving, client) = worked();
    let state = client.home.path().join("state");
    fs::set_permissions(&state, Permissions::from_mode(0o755)).unwrap();
    // The other files are replaced as a whole, never written to.
    let is_kept_open = |file: &PathBuf| {
        file.extension()
            .is_some_and(|end| end == "gate" || end.to_string_lossy().starts_with("db"))
    };
    for file in files_below(&state).into_iter().filter(is_kept_open) {
        fs::set_permissions(file, Permissions::from_mode(0o644)).unwrap();
    }
    work(&client, serving.base_url());
    for file in files_below(&state) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(mode(&file), 0o600, "{name}");
    }
}

#[test]
fn a_state_folder_that_others_can_write_to_is_refused_with_the_command_that_mends_it() {
    let (_served, _serving, client) = worked();
    let state = client.home.path().join("state");
    for open in [0o777, 0o775, 0o757, 0o1777] {
        fs::set_permissions(&state, Permissions::from_mode(open)).unwrap();
        let run = client.run(&["ls"]).expect(1);
        assert!(
            run.stderr
                .contains(&format!("run: chmod go-w '{}'", state.display())),
            "{run:?}"
        );
    }
    fs::set_permissions(&state, Permissions::from_mode(0o755)).unwrap();
    client.run(&["ls"]).expect(0);
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
