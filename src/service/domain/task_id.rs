//! Ids of tasks: base64 like live ones, and unguessable (`contract.md#tasks`).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::api::ids::TaskId;

pub(crate) fn new_task_id() -> TaskId {
    let mut bytes = Uuid::new_v4().into_bytes();
    // The first character is a letter: programs would take one that starts with a hyphen for an
    // option.
    bytes[0] &= 0x7f;
    TaskId::new(URL_SAFE_NO_PAD.encode(bytes))
}

pub(crate) fn is_task_id(text: &str) -> bool {
    URL_SAFE_NO_PAD
        .decode(text)
        .is_ok_and(|bytes| bytes.len() == 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_option_of_a_command() {
        for _ in 0..1_000 {
            let id = new_task_id();
            assert!(
                id.as_str()
                    .starts_with(|first: char| first.is_ascii_alphabetic()),
                "{id}"
            );
            assert!(is_task_id(id.as_str()));
        }
    }
}
