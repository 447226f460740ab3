//! A sync while somebody else works on the same folders: changes since the comparison are reported,
//! and stay.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rstest::rstest;

use super::binary::{Binary, Service, names};
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};

/// The binary behind a proxy that does the work once, after the first such response and before that
/// arrives.
fn meanwhile(
    service: &Service,
    calls: Calls,
    work: impl Fn() + Send + Sync + 'static,
) -> (Proxy, Binary) {
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    let is_done = Arc::new(AtomicBool::new(false));
    proxy.rules(vec![Rule::new(
        calls,
        Which::All,
        Fault::changed(move |_, _| {
            if !is_done.swap(true, Ordering::SeqCst) {
                tokio::task::block_in_place(&work);
            }
        }),
    )]);
    let binary = Binary::on(service).env("FILEDECK_BASE_URL", proxy.url.as_str());
    (proxy, binary)
}

fn uploaded(service: &Service, files: &[(&str, &str)]) -> Binary {
    let binary = Binary::on(service);
    for (path, content) in files {
        let (folder, name) = path.rsplit_once('/').unwrap();
        binary.write(name, content.as_bytes());
        binary.run(&["put", name, &format!("{folder}/")]).expect(0);
    }
    binary
}

#[rstest]
#[case::a_name_that_was_free(&[("/web/a.txt", "a")], &[], "a.txt")]
#[case::a_file_that_is_replaced(&[("/web/a.txt", "a")], &[("a.txt", "old")], "a.txt")]
#[case::a_file_that_is_deleted(&[("/web/a.txt", "a")], &[("b.txt", "b")], "b.txt")]
fn what_was_written_here_during_a_sync_down_stays(
    #[case] there: &[(&str, &str)],
    #[case] here: &[(&str, &str)],
    #[case] path: &'static str,
) {
    let service = Service::start();
    let _other = uploaded(&service, there);
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in here {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let written = folder.path().join(path);
    let calls = Calls::to("GET", "/files/v3/files/").naming("/download");
    let (_proxy, binary) = meanwhile(&service, calls, move || {
        fs::write(&written, "of somebody else").unwrap();
    });
    let target = format!("file:{}", folder.path().display());
    let run = binary.run(&["sync", "/web", &target, "--delete"]).expect(7);
    assert!(
        run.stderr
            .contains(&format!("{path} has changed since it was looked at")),
        "{}",
        run.stderr
    );
    assert_eq!(
        fs::read_to_string(folder.path().join(path)).unwrap(),
        "of somebody else"
    );
    assert!(
        names(folder.path())
            .iter()
            .all(|name| !name.contains("(1)")),
        "{:?}",
        names(folder.path())
    );
}

#[rstest]
#[case::a_file("/web/old.txt", "/web/old.txt")]
#[case::a_folder("/web/gone/old.txt", "/web/gone/new.txt")]
fn what_was_changed_in_the_account_during_a_sync_up_is_not_deleted(
    #[case] old: &str,
    #[case] changed: &'static str,
) {
    let service = Service::start();
    let other = uploaded(&service, &[(old, "old")]);
    let calls = Calls::to("POST", "/files/v3/files");
    let (folder, name) = changed.rsplit_once('/').unwrap();
    let (_proxy, binary) = meanwhile(&service, calls, move || {
        other.write(name, b"of somebody else");
        other
            .run(&["put", name, &format!("{folder}/"), "--on-clash", "replace"])
            .expect(0);
    });
    fs::create_dir(binary.work().join("site")).unwrap();
    binary.write("site/a.txt", b"a");
    let run = binary.run(&["sync", "site", "/web", "--delete"]).expect(7);
    assert!(
        run.stderr.contains("has changed since it was looked at"),
        "{}",
        run.stderr
    );
    assert_eq!(
        binary.run(&["cat", changed]).expect(0).stdout,
        "of somebody else"
    );
    binary.run(&["cat", old]).expect(0);
}

#[rstest]
#[case::sync(&["sync", "site", "/web"])]
#[case::put(&["put", "site/a.txt", "/web/", "--on-clash", "replace"])]
#[case::replace(&["replace", "site/a.txt", "/web/a.txt"])]
fn what_another_stores_while_a_replacement_is_sent_stays(#[case] words: &[&str]) {
    let service = Service::start();
    let other = uploaded(&service, &[("/web/a.txt", "old")]);
    // The file is looked up by its id before the first byte.
    let (_proxy, binary) = meanwhile(&service, Calls::to("GET", "/files/v3/files/1"), move || {
        other.write("a.txt", b"of somebody else");
        other.run(&["replace", "a.txt", "/web/a.txt"]).expect(0);
    });
    fs::create_dir(binary.work().join("site")).unwrap();
    binary.write("site/a.txt", b"mine");
    let run = binary.run(words).expect(7);
    assert!(
        run.stderr.contains("has changed since it was looked at"),
        "{}",
        run.stderr
    );
    assert_eq!(
        binary.run(&["cat", "/web/a.txt"]).expect(0).stdout,
        "of somebody else"
    );
}

#[test]
fn a_file_that_another_replaced_after_it_was_looked_up_is_not_removed() {
    let service = Service::start();
    let other = uploaded(&service, &[("/web/a.txt", "a"), ("/web/b.txt", "b")]);
    let (_proxy, binary) = meanwhile(&service, Calls::to("GET", "/files/v3/files"), move || {
        other.write("a.txt", b"of somebody else");
        other
            .run(&["put", "a.txt", "/web/", "--on-clash", "replace"])
            .expect(0);
    });
    let run = binary.run(&["rm", "--yes", "/web/a.txt"]).expect(7);
    assert!(
        run.stderr.contains("has changed since it was looked at"),
        "{}",
        run.stderr
    );
    assert_eq!(
        binary.run(&["cat", "/web/a.txt"]).expect(0).stdout,
        "of somebody else"
    );
    binary.run(&["rm", "--yes", "/web/a.txt"]).expect(0);
}

#[rstest]
fn two_gets_into_one_folder_leave_one_copy_of_each_file(
    #[values("replace", "skip", "keep-both", "stop")] rule: &str,
) {
    let service = Service::start();
    let binary = Binary::on(&service);
    fs::create_dir(binary.work().join("web")).unwrap();
    for number in 0..40 {
        binary.write(&format!("web/{number}.txt"), &vec![b'x'; number * 1_000]);
    }
    binary.run(&["put", "web", "/", "--jobs", "16"]).expect(0);
    fs::create_dir(binary.work().join("copy")).unwrap();
    let words = ["get", "/web", "--output", "copy", "--on-clash", rule];
    let runs = [(); 3].map(|()| binary.command(&words).spawn().unwrap());
    for mut run in runs {
        assert_eq!(run.wait().unwrap().code(), Some(0));
    }
    assert_eq!(names(&binary.work().join("copy/web")).len(), 40);
}

#[test]
fn a_name_that_is_taken_during_a_get_is_numbered_only_where_both_are_to_be_kept() {
    for (rule, code, count) in [
        ("stop", 7, 1),
        ("skip", 7, 1),
        ("replace", 7, 1),
        ("keep-both", 0, 2),
    ] {
        let service = Service::start();
        let _other = uploaded(&service, &[("/web/a.txt", "a")]);
        let folder = tempfile::tempdir().unwrap();
        let written = folder.path().join("a.txt");
        let calls = Calls::to("GET", "/files/v3/files/").naming("/download");
        let (_proxy, binary) = meanwhile(&service, calls, move || {
            fs::write(&written, "of somebody else").unwrap();
        });
        let target = folder.path().to_str().unwrap();
        binary
            .run(&["get", "/web/a.txt", "--output", target, "--on-clash", rule])
            .expect(code);
        assert_eq!(
            fs::read_to_string(folder.path().join("a.txt")).unwrap(),
            "of somebody else"
        );
        assert_eq!(names(folder.path()).len(), count, "{rule}");
    }
}

#[test]
fn two_syncs_into_one_folder_leave_one_copy_of_each_file() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let contents: Vec<(String, Vec<u8>)> = (0..60)
        .map(|number| (format!("{number}.txt"), vec![b'x'; number * 1_000]))
        .collect();
    fs::create_dir(binary.work().join("site")).unwrap();
    for (name, content) in &contents {
        binary.write(&format!("site/{name}"), content);
    }
    binary
        .run(&["sync", "site", "/web", "--jobs", "16"])
        .expect(0);
    let runs = [(); 2].map(|()| {
        binary
            .command(&["sync", "/web", "copy", "--jobs", "8"])
            .spawn()
            .unwrap()
    });
    for mut run in runs {
        assert_eq!(run.wait().unwrap().code(), Some(0));
    }
    assert_eq!(names(&binary.work().join("copy")).len(), contents.len());
    for (name, content) in &contents {
        assert_eq!(
            fs::read(binary.work().join("copy").join(name)).unwrap(),
            *content,
            "{name}"
        );
    }
}
