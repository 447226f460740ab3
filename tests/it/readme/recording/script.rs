//! The keys of the recorded session, their times, and the captions below the picture.

pub(super) struct Step {
    /// Milliseconds since the previous key.
    pub(super) pause: u32,
    pub(super) press: Press,
    pub(super) caption: &'static str,
}

pub(super) enum Press {
    /// Keys in the syntax of the key file.
    Keys(&'static str),
    Text(&'static str),
}

use Press::{Keys, Text};

const fn step(pause: u32, press: Press, caption: &'static str) -> Step {
    Step {
        pause,
        press,
        caption,
    }
}

/// The pause after the last key, in milliseconds.
pub(super) const END: u32 = 3_000;

pub(super) const SCRIPT: &[Step] = &[
    step(1_500, Keys("j j j j"), "j k  up and down"),
    step(700, Keys("enter"), "enter  into a folder"),
    step(800, Keys("enter"), "enter  into a folder"),
    step(
        1_000,
        Keys("j"),
        "previews of tables, pictures, Markdown and more",
    ),
    step(
        1_800,
        Keys("j"),
        "previews of tables, pictures, Markdown and more",
    ),
    step(
        2_200,
        Keys("j"),
        "previews of tables, pictures, Markdown and more",
    ),
    step(2_500, Keys("V"), "V  the folder as a grid of pictures"),
    step(1_500, Keys("+"), "+  on the whole screen"),
    step(3_000, Keys("+"), "V  and as a list again"),
    step(700, Keys("V"), "V  and as a list again"),
    step(1_000, Keys("f"), "f  search the whole account"),
    step(
        800,
        Text("type:image size:>30K access:public"),
        "f  search the whole account, with filters",
    ),
    step(
        1_200,
        Keys("enter"),
        "f  search the whole account, with filters",
    ),
    step(
        1_500,
        Keys("j j"),
        "what was found is a list like any other",
    ),
    step(2_000, Keys("esc"), "esc  back to the folder"),
    step(
        1_000,
        Keys("u"),
        "u  upload files and folders of this machine",
    ),
    step(
        900,
        Text("*"),
        "u  upload files and folders of this machine",
    ),
    step(
        1_200,
        Keys("enter"),
        "a plan comes first: what is new, what is there, which names are taken",
    ),
    step(
        4_500,
        Keys("enter"),
        "enter  the upload is in the queue, and done",
    ),
    step(
        3_000,
        Keys("3"),
        "3  how close the account is to its limits",
    ),
    step(
        1_500,
        Keys("j j"),
        "3  how close the account is to its limits",
    ),
    step(3_000, Keys("1"), "1  back to the files"),
    step(1_200, Keys("?"), "?  the keys that are used most here"),
];
