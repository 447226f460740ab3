//! Accounts whose token is in the system's keyring, on machines where that is missing or does not
//! respond.

use super::binary::{Binary, Service, TOKEN};
#[cfg(feature = "keyring")]
use super::completion::complete;

/// Two accounts on the service: one with its token in the keyring, one with its token in a file.
fn with_accounts(service: &Service, bus: &str) -> Binary {
    let binary = Binary::new().env("DBUS_SESSION_BUS_ADDRESS", bus);
    let base_url = service.base_url();
    let config = format!(
        "[accounts.held]\nbase_url = \"{base_url}\"\nkeyring = \"{TOKEN}\"\n\
         [accounts.filed]\nbase_url = \"{base_url}\"\ntoken_file = \"t\"\n"
    );
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    filedeck::secret_file::create(&binary.config_dir().join("t"), &TOKEN.into()).unwrap();
    binary
}

#[test]
fn without_a_keyring_the_account_says_what_to_do_and_others_work() {
    let service = Service::start();
    let binary = with_accounts(&service, "unix:path=/nowhere/bus");
    let run = binary.run(&["--account", "held", "ls"]).expect(2);
    let why = if cfg!(feature = "keyring") {
        "no system keyring here"
    } else {
        "built without the system keyring"
    };
    for part in [
        "token of account 'held': ",
        why,
        "use token_file instead of keyring",
    ] {
        assert!(
            run.stderr.contains(part),
            "{part} is missing: {}",
            run.stderr
        );
    }
    assert_eq!(
        binary.run(&["--account", "filed", "ls"]).expect(0).stderr,
        ""
    );
}

#[cfg(feature = "keyring")]
#[test]
fn a_keyring_is_asked_for_its_own_account_alone_and_not_waited_for() {
    use std::io::ErrorKind;
    use std::os::unix::net::UnixListener;

    let service = Service::start();
    let dir = tempfile::tempdir().unwrap();
    let bus = dir.path().join("bus");
    let listener = UnixListener::bind(&bus).unwrap();
    listener.set_nonblocking(true).unwrap();
    let binary = with_accounts(&service, &format!("unix:path={}", bus.display()));
    binary.run(&["--account", "filed", "ls"]).expect(0);
    assert_eq!(
        complete(&binary, &["--account", "held", "ls", "/"]),
        [""; 0]
    );
    assert_eq!(
        listener.accept().unwrap_err().kind(),
        ErrorKind::WouldBlock,
        "nobody has asked"
    );
    let run = binary.run(&["--account", "held", "ls"]).expect(2);
    assert!(
        run.stderr
            .contains("the system keyring did not answer within 2 s; unlock it"),
        "{}",
        run.stderr
    );
    listener.accept().unwrap();
}
