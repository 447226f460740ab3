//! Faults of a network or a service on a bad day, in the whole program, and its recovery without
//! help.

use filedeck::service::ServiceOptions;
use filedeck::service::faults::{Fault, FaultRule, FaultSchedule, FaultScope, Faults};
use portable_pty::CommandBuilder;
use tempfile::TempDir;

use super::pty::Pty;
use crate::cli::binary::Service;

struct World {
    pty: Pty,
    faults: Faults,
    _service: Service,
    _home: TempDir,
}

impl World {
    fn start(fault: Fault) -> Self {
        let faults = Faults::new([FaultRule {
            scope: FaultScope::default(),
            when: FaultSchedule::Always,
            fault,
        }]);
        let service = Service::start_with(|options| ServiceOptions {
            faults: faults.clone(),
            ..options
        });
        let home = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_filedeck"));
        command.cwd(home.path());
        for name in ["CONFIG", "DATA", "STATE"] {
            command.env(format!("FILEDECK_{name}_DIR"), home.path().join(name));
        }
        std::fs::create_dir(home.path().join("STATE")).unwrap();
        command.env_remove("FILEDECK_ACCOUNT");
        command.env("FILEDECK_BASE_URL", service.base_url());
        command.env("FILEDECK_TOKEN", service.token());
        command.env("TERM", "xterm-256color");
        command.env_remove("TMUX");
        Self {
            pty: Pty::spawn(command, 120, 40),
            faults,
            _service: service,
            _home: home,
        }
    }

    fn ends(mut self) {
        self.pty.send("q");
        assert!(self.pty.wait_for_end().success());
        self.pty.assert_given_back();
    }
}

#[test]
fn a_networks_sign_in_page_is_told_and_waited_for() {
    let world = World::start(Fault::Portal);
    world.pty.wait_for_text("✗ sign in");
    world.pty.wait_for_text("Guest WiFi");
    world.faults.clear();
    // Without any key.
    world.pty.wait_for_text("This folder is empty");
    world.pty.wait_until("the header without it", |screen| {
        screen
            .contents()
            .lines()
            .next()
            .is_some_and(|header| !header.contains("sign in"))
    });
    world.ends();
}

#[test]
fn a_spent_day_is_told_and_a_key_asks_again() {
    let mut world = World::start(Fault::RateLimit {
        policy: "DAILY",
        retry_after: None,
    });
    world.pty.wait_for_text("day limit");
    world.pty.wait_for_text("at midnight in the");
    world.faults.clear();
    world.pty.send("\u{12}");
    world.pty.wait_for_text("This folder is empty");
    world.ends();
}
