//! Generates hostile input for parser tests: examples with a few changes, and arbitrary bytes.
//! `PROPTEST_CASES` sets the number of cases per test (`guarantees.md#hostile-bytes-are-refused`).

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A change to bytes, at a position within their length.
#[derive(Debug, Clone)]
enum Change {
    Overwrite(Index, Vec<u8>),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    /// Position, length and the number of repetitions.
    Repeat(Index, usize, usize),
    CutOff(Index),
}

impl Change {
    fn any() -> impl Strategy<Value = Self> {
        let few = || {
            prop_oneof![
                vec(any::<u8>(), 1..5),
                select(vec![
                    vec![0],
                    vec![0xff; 4],
                    vec![0x80, 0, 0, 0],
                    b"\r\n".to_vec()
                ])
            ]
        };
        prop_oneof![
            4 => (any::<Index>(), few()).prop_map(|(at, bytes)| Self::Overwrite(at, bytes)),
            2 => (any::<Index>(), few()).prop_map(|(at, bytes)| Self::Insert(at, bytes)),
            2 => (any::<Index>(), 1..16_usize).prop_map(|(at, length)| Self::Remove(at, length)),
            1 => (any::<Index>(), 1..64_usize, 1..20_usize).prop_map(|(at, length, times)| Self::Repeat(at, length, times)),
            1 => any::<Index>().prop_map(Self::CutOff),
        ]
    }

    fn apply(self, bytes: &mut Vec<u8>) {
        let place = |at: Index, bytes: &[u8]| at.index(bytes.len() + 1);
        match self {
            Self::Overwrite(at, new) => {
                let at = place(at, bytes);
                for (old, new) in bytes.iter_mut().skip(at).zip(new) {
                    *old = new;
                }
            }
            Self::Insert(at, new) => {
                let at = place(at, bytes);
                bytes.splice(at..at, new);
            }
            Self::Remove(at, length) => {
                let at = place(at, bytes);
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Self::Repeat(at, length, times) => {
                let at = place(at, bytes);
                let again = bytes[at..(at + length).min(bytes.len())].repeat(times);
                bytes.splice(at..at, again);
            }
            Self::CutOff(at) => bytes.truncate(place(at, bytes)),
        }
    }
}

/// One of the examples with up to seven changes, or arbitrary bytes.
pub(crate) fn bytes(examples: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let changed = (select(examples), vec(Change::any(), 0..8)).prop_map(|(mut bytes, changes)| {
        for change in changes {
            change.apply(&mut bytes);
        }
        bytes
    });
    prop_oneof![9 => changed, 1 => vec(any::<u8>(), 0..512)]
}

/// Like `bytes`, as text; invalid UTF-8 is replaced.
pub(crate) fn text(examples: &[&str]) -> impl Strategy<Value = String> {
    let examples = examples
        .iter()
        .map(|example| example.as_bytes().to_vec())
        .collect();
    bytes(examples).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
