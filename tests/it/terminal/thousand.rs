//! A thousand files marked and downloaded: interrupted, resumed, and each is saved once.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, thread};

use filedeck::service::faults::Faults;
use portable_pty::CommandBuilder;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::pty::Pty;
use crate::support::service::TestService;

const FILES: usize = 1_000;

struct World {
    _runtime: Runtime,
    service: TestService,
    faults: Faults,
    home: TempDir,
    target: TempDir,
}

impl World {
    fn new(fault: &str) -> Self {
        let faults = Faults::new([fault.parse().unwrap()]);
        let runtime = Runtime::new().unwrap();
        let service = runtime.block_on(async {
            let service = TestService::start().await;
            for number in 0..FILES {
                let content = number.to_string();
                let options = json!({ "access": "PRIVATE" });
                service
                    .upload("/", &name(number), content.as_bytes(), options)
                    .await
                    .expect(201);
            }
            let (dir, clock) = service.stop().await;
            TestService::start_with(dir, clock, |options| options.faults = faults.clone()).await
        });
        let (home, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        Self {
            _runtime: runtime,
            service,
            faults,
            home,
            target,
        }
    }

    fn screen(&self) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_filedeck"));
        command.cwd(self.target.path());
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
        let pty = Pty::spawn(command, 120, 40);
        pty.wait_for_text(&name(0));
        pty
    }

    fn wait_for(&self, count: usize) {
        while saved(self.target.path()).len() < count {
            thread::yield_now();
        }
    }

    #[track_caller]
    fn assert_each_is_there_once(&self) {
        let expected: BTreeSet<String> = (0..FILES).map(name).collect();
        let found = saved(self.target.path());
        assert_eq!(
            found.difference(&expected).collect::<Vec<_>>(),
            Vec::<&String>::new()
        );
        assert_eq!(
            expected.difference(&found).collect::<Vec<_>>(),
            Vec::<&String>::new()
        );
        for number in 0..FILES {
            let content = fs::read_to_string(self.target.path().join(name(number))).unwrap();
            assert_eq!(content, number.to_string());
        }
    }
}

fn name(number: usize) -> String {
    format!("f{number:04}.txt")
}

/// The names in a folder, except for partial files.
fn saved(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.contains(".filedeck-")).collect()
}

fn save_all(pty: &mut Pty) {
    pty.send("\u{1}");
    pty.wait_for_text("1000 marked");
    pty.send("s");
    pty.wait_for_text("Download 1,000 files");
    pty.send("\r");
}

fn quit(pty: &mut Pty) {
    pty.send("q");
    assert!(pty.wait_for_end().success());
}

#[test]
fn what_was_cancelled_in_the_middle_is_finished_after_a_restart() {
    // The three parallel downloads stall long before the last file, so that the task does not end
    // before the key.
    let world = World::new("delay=3600s,every=100,path=/files/v3/files/1");
    let mut pty = world.screen();
    save_all(&mut pty);
    world.wait_for(50);
    pty.send("2");
    pty.wait_for_text("1000 files");
    pty.send("x");
    pty.wait_for_text("Stop this task");
    pty.answer_on("l", "Stop");
    pty.wait_for_text("not done");
    let done = saved(world.target.path()).len();
    assert!(done < FILES, "it was over before it was canceled");
    pty.wait_for_text(&format!("{done} of 1,000 items done"));
    quit(&mut pty);
    world.faults.clear();

    let mut pty = world.screen();
    assert_eq!(
        saved(world.target.path()).len(),
        done,
        "what was canceled stays so"
    );
    pty.send("2");
    // Older tasks are unfolded because nothing else is listed.
    pty.wait_for_text("▾ 1 older task");
    pty.wait_for_text("1000 files");
    pty.send("jr");
    pty.wait_for_text("Downloaded 1000 files");
    quit(&mut pty);
    world.assert_each_is_there_once();
}

#[test]
fn what_was_killed_goes_on_by_itself_at_the_next_start() {
    // Slow enough that a thousand files take a while.
    let world = World::new("delay=4ms");
    let mut pty = world.screen();
    save_all(&mut pty);
    for round in 1..=3 {
        world.wait_for(round * 150);
        let process = Pid::from_raw(i32::try_from(pty.process_id()).unwrap()).unwrap();
        kill_process(process, Signal::KILL).unwrap();
        pty.wait_for_end();
        pty = world.screen();
    }
    world.wait_for(FILES);
    pty.send("2");
    pty.wait_until("the end", |screen| {
        screen
            .contents()
            .lines()
            .any(|line| line.contains("1000 files") && line.contains("done"))
    });
    quit(&mut pty);
    world.assert_each_is_there_once();
    assert!(
        fs::read_dir(world.target.path()).unwrap().count() == FILES,
        "no part is left"
    );
}
