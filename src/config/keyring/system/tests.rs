use std::sync::LazyLock;

use keyring_core::mock::{self, Cred};
use rstest::rstest;

use super::*;

impl Keyring {
    /// A keyring that all tests of this process share, and that ends with it.
    pub(crate) fn in_memory() -> Self {
        Self {
            connect: || Ok(in_memory()),
            patience: Duration::from_secs(20),
        }
    }

    /// A machine without a keyring.
    pub(crate) fn nowhere() -> Self {
        Self {
            connect: || Err(platform_says("connection refused")),
            ..Self::in_memory()
        }
    }
}

fn in_memory() -> Arc<CredentialStore> {
    static STORE: LazyLock<Arc<mock::Store>> = LazyLock::new(|| mock::Store::new().unwrap());
    Arc::<mock::Store>::clone(&STORE)
}

fn platform_says(what: &str) -> Error {
    Error::PlatformFailure(what.into())
}

fn secret(text: &str) -> SecretString {
    SecretString::from(text)
}

#[test]
fn what_was_written_is_read_until_it_is_removed() {
    let keyring = Keyring::in_memory();
    assert_eq!(keyring.read("acme~1").unwrap_err(), KeyringError::NoEntry);
    keyring.write("acme~1", &secret("pat-1")).unwrap();
    keyring.write("acme~2", &secret("pat-2")).unwrap();
    assert_eq!(keyring.read("acme~1").unwrap().expose_secret(), "pat-1");
    keyring.remove("acme~1").unwrap();
    assert_eq!(keyring.read("acme~1").unwrap_err(), KeyringError::NoEntry);
    assert_eq!(
        keyring.remove("acme~1"),
        Ok(()),
        "it is not there any more, as was wanted"
    );
    assert_eq!(keyring.read("acme~2").unwrap().expose_secret(), "pat-2");
}

#[rstest]
#[case::typed_by_hand("by hand", "pat-1\n", Some("pat-1"))]
#[case::nothing("nothing", " \n", None)]
#[case::two_lines("two lines", "pat-1\npat-2", None)]
fn what_another_program_has_written_is_one_line(
    #[case] entry: &str,
    #[case] held: &str,
    #[case] expected: Option<&str>,
) {
    let keyring = Keyring::in_memory();
    keyring.write(entry, &secret(held)).unwrap();
    let read = keyring.read(entry);
    assert_eq!(
        read.as_ref().ok().map(ExposeSecret::expose_secret),
        expected
    );
    assert!(!format!("{read:?}").contains("pat-"), "{read:?}");
}

#[rstest]
#[case::locked("is locked", Error::NoStorageAccess("no prompt".into()), KeyringError::Locked)]
#[case::broken("is broken", platform_says("line cut"), KeyringError::Failed("line cut".to_owned()))]
#[case::no_text("is not a text file", Error::BadEncoding(b"pat-1".to_vec()), KeyringError::Failed("the entry is not text".to_owned()))]
#[case::unnamed("is unnamed", Error::Invalid("user".into(), "pat-1".into()), KeyringError::Failed("it does not support that".to_owned()))]
fn what_stands_in_the_way_is_said(
    #[case] entry: &str,
    #[case] error: Error,
    #[case] expected: KeyringError,
) {
    let held = in_memory().build(SERVICE, entry, None).unwrap();
    held.as_any()
        .downcast_ref::<Cred>()
        .unwrap()
        .set_error(error);
    let read = Keyring::in_memory().read(entry).unwrap_err();
    assert_eq!(read, expected);
    assert!(!format!("{read} {read:?}").contains("pat-1"));
}

#[test]
fn a_machine_without_one_says_so() {
    assert_eq!(
        Keyring::nowhere().read("acme~1").unwrap_err(),
        KeyringError::NotHere
    );
    assert_eq!(
        Keyring::nowhere().write("acme~1", &secret("pat-1")),
        Err(KeyringError::NotHere)
    );
}

#[test]
fn one_that_does_not_answer_is_not_waited_for() {
    let connect = || loop {
        std::thread::park();
    };
    let keyring = Keyring {
        connect,
        patience: Duration::from_millis(1),
    };
    assert!(matches!(
        keyring.read("acme~1"),
        Err(KeyringError::NoAnswer(_))
    ));
}

#[test]
fn a_token_that_is_taken_too_late_is_taken_back() {
    let (tell, answers) = mpsc::sync_channel(0);
    drop(answers);
    answer(
        || Ok(in_memory()),
        "late~1",
        |entry| entry.set_password("pat-1"),
        &tell,
        take_back,
    );
    assert_eq!(
        Keyring::in_memory().read("late~1").unwrap_err(),
        KeyringError::NoEntry
    );
}
