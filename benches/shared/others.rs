//! Other file servers, for comparison with the service where they are installed.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(crate) fn is_there(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

pub(crate) struct Other {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    child: Child,
}

impl Other {
    /// Starts it and waits until it accepts connections; `None` if it is not installed.
    pub(crate) fn start(name: &'static str, command: &mut Command, port: u16) -> Option<Self> {
        if !is_there(name) {
            println!("{name} is not installed: nothing is put beside it");
            return None;
        }
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        while TcpStream::connect(address).is_err() {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none(), "{name} does not start");
            std::thread::yield_now();
        }
        Some(Self {
            name,
            address,
            child,
        })
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// Runs without `sendfile`, which no server that checks the data it sends can use.
pub(crate) fn nginx(work: &Path) -> Option<Other> {
    let port = free_port();
    let (dir, config) = (work.display(), work.join("nginx.conf"));
    let text = format!(
        "daemon off; master_process off; pid {dir}/nginx.pid; error_log /dev/null; events {{}}
         http {{ access_log off; keepalive_requests 1000000000; sendfile off; output_buffers 2 128k;
           client_body_temp_path {dir}/nginx-body;
           server {{ listen 127.0.0.1:{port}; root {dir}; }} }}"
    );
    fs::write(&config, text).unwrap();
    Other::start(
        "nginx",
        Command::new("nginx")
            .arg("-p")
            .arg(work)
            .arg("-c")
            .arg(config),
        port,
    )
}
