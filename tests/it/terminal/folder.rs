//! A folder of two hundred files is uploaded through its plan, with taken names and hostile names;
//! each is stored once, at the right path.

use std::collections::BTreeMap;
use std::fs;

use portable_pty::CommandBuilder;
use serde_json::json;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::pty::Pty;
use crate::support::service::TestService;

const FILES: usize = 200;

struct World {
    runtime: Runtime,
    service: TestService,
    home: TempDir,
    work: TempDir,
}

impl World {
    /// The folder on the disk, and one of the same name on the service that has some of its files.
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let (home, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = work.path().join("my set");
        fs::create_dir_all(folder.join("deep/er")).unwrap();
        let service = runtime.block_on(async {
            let service = TestService::start().await;
            for number in 0..FILES {
                let mine = format!("mine {number}");
                fs::write(folder.join(name(number)), &mine).unwrap();
                let theirs = match number % 10 {
                    0 => mine,
                    1 => format!("theirs {number}"),
                    _ => continue,
                };
                let (above, last) = remote(number);
                let options = json!({ "access": "PUBLIC_INDEXABLE" });
                service
                    .upload(&above, &last, theirs.as_bytes(), options)
                    .await
                    .expect(201);
            }
            service
        });
        for hostile in ["esc \u{1b}[2J.txt", "two\nlines.txt"] {
            fs::write(folder.join(hostile), "hostile").unwrap();
        }
        for odd in ["gpj.\u{202e}txt", "-rf", "it's \"quoted\" [x] *.txt", "~"] {
            fs::write(folder.join(odd), odd).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", folder.join("link")).unwrap();
        Self {
            runtime,
            service,
            home,
            work,
        }
    }

    fn screen(&self) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_filedeck"));
        command.cwd(self.work.path());
        for name in ["CONFIG", "DATA", "STATE"] {
            command.env(format!("FILEDECK_{name}_DIR"), self.home.path().join(name));
        }
        command.env(
            "FILEDECK_BASE_URL",
            self.service.running.base_url().as_str(),
        );
        command.env("FILEDECK_TOKEN", self.service.token());
        command.env_remove("FILEDECK_ACCOUNT");
        command.env("TERM", "xterm-256color");
        command.env_remove("TMUX");
        command.env_remove("NO_COLOR");
        Pty::spawn(command, 120, 40)
    }

    /// The size and access of all files on the service, by path.
    fn stored(&self) -> BTreeMap<String, (u64, String)> {
        self.runtime.block_on(async {
            let (mut found, mut after) = (BTreeMap::new(), 0);
            loop {
                let page = format!("/files/v3/files/search?limit=100&after={after}&sort=id");
                let page = self.service.get(&page).await.json();
                let results = page["results"].as_array().unwrap();
                for file in results {
                    let path = file["path"].as_str().unwrap().to_owned();
                    let told = (
                        file["size"].as_u64().unwrap(),
                        file["access"].as_str().unwrap().to_owned(),
                    );
                    assert_eq!(found.insert(path, told), None, "{file}");
                }
                after += results.len();
                if page["paging"].is_null() {
                    return found;
                }
            }
        })
    }
}

fn name(number: usize) -> String {
    let above = ["", "deep/", "deep/er/"][number % 3];
    format!("{above}{number:03}.txt")
}

fn remote(number: usize) -> (String, String) {
    let path = format!("/my set/{}", name(number));
    let (above, last) = path.rsplit_once('/').unwrap();
    (above.to_owned(), last.to_owned())
}

#[test]
fn a_folder_goes_up_as_its_plan_says_and_nothing_of_it_twice() {
    let world = World::new();
    let mut pty = world.screen();
    pty.wait_for_text("my set/");
    pty.send("u");
    pty.wait_for_text("Upload files");
    // Only the beginning of the folder's name: the rest is completed, with its space escaped.
    pty.send("my\t");
    pty.wait_for_text("my\\ set/");
    pty.send("\r");
    pty.wait_for_text("Upload 164 files, replace 20");
    pty.wait_for_text("20 names taken");
    pty.wait_for_text("20 already there");
    pty.wait_for_text("3 not sent");
    pty.wait_for_text("control characters");
    pty.wait_for_text("a link, which is not followed");
    // The first taken name is kept beside; all others are replaced.
    pty.send("\u{1b}[B\u{1b}[B\u{1b}[B\u{1b}[C");
    pty.wait_for_text("‹ keep both ›");
    pty.send("\r");
    pty.wait_for_text("Uploaded 184 files → /my set");
    pty.send("q");
    assert!(pty.wait_for_end().success());

    let stored = world.stored();
    assert_eq!(stored.len(), FILES + 4 + 1, "{:?}", stored.keys());
    let kept: Vec<_> = stored
        .keys()
        .filter(|path| path.ends_with("-1.txt"))
        .collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    for number in 0..FILES {
        let (above, last) = remote(number);
        let (size, access) = &stored[&format!("{above}/{last}")];
        let is_kept = kept[0].starts_with(&format!("{above}/{}-", last.trim_end_matches(".txt")));
        let content = if is_kept {
            format!("theirs {number}")
        } else {
            format!("mine {number}")
        };
        assert_eq!(*size, content.len() as u64, "{last}");
        let expected = if number % 10 < 2 {
            "PUBLIC_INDEXABLE"
        } else {
            "PRIVATE"
        };
        assert_eq!(
            access, expected,
            "{last}: what is replaced in place keeps its access"
        );
    }
    for odd in ["gpj.\u{202e}txt", "-rf", "it's \"quoted\" [x] *.txt", "~"] {
        assert!(stored.contains_key(&format!("/my set/{odd}")), "{odd}");
    }
}
