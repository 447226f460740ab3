//! Progress bars of a command that moves several files at once.

use tokio::sync::watch;

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};

#[test]
fn files_that_are_fetched_at_once_have_a_bar_each_and_a_line_for_the_whole_which_go() {
    let service = Service::start();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", proxy.url.as_str())
        .env("FILEDECK_TOKEN", &service.token());
    let names = ["a.bin", "b.bin", "c.bin"];
    for (number, name) in (1_u8..).zip(names) {
        let path = binary.write(name, &vec![number; 4 << 20]);
        binary.run(&["put", name, "/"]).expect(0);
        std::fs::remove_file(path).unwrap();
    }
    let (hurry, slow) = watch::channel(false);
    proxy.rules(vec![Rule::new(
        Calls::to("GET", "/files/v3/files/1"),
        Which::All,
        Fault::slow(slow),
    )]);
    let run = binary.command(&["get", "--jobs", "2", "/a.bin", "/b.bin", "/c.bin"]);
    let mut command = in_terminal(&run);
    command.env("TERM", "xterm-256color");
    let mut pty = Pty::spawn(command, 100, 20);
    let bars = |screen: &vt100::Screen| {
        let text = screen.contents();
        let has = |parts: &[&str]| {
            text.lines()
                .any(|line| parts.iter().all(|part| line.contains(part)))
        };
        has(&["a.bin", "%", "kB/s"])
            && has(&["b.bin", "%", "kB/s"])
            && has(&["0 of 3", "/12.58 MB", "kB/s"])
    };
    pty.wait_until("a bar for each of two, and the whole", bars);
    hurry.send(true).unwrap();
    assert!(pty.wait_for_end().success());
    let mut lines: Vec<String> = pty
        .contents()
        .lines()
        .map(str::to_owned)
        .filter(|line| !line.is_empty())
        .collect();
    lines.sort_unstable();
    assert_eq!(lines, ["./a.bin", "./b.bin", "./c.bin"]);
}
