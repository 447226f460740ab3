//! Access levels on the command line: the words of the screen, with the API's names as aliases.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::api::model::Access;

pub fn levels() -> impl TypedValueParser<Value = Access> {
    let value = |level: Access| {
        let name = level.as_str().to_owned();
        // The spelling from before levels had words of their own.
        let with_dashes = name.to_lowercase().replace('_', "-");
        PossibleValue::new(level.word())
            .aliases([name, with_dashes])
            .help(meaning(&level))
    };
    PossibleValuesParser::new(Access::SETTABLE.map(value))
        .try_map(|word| Access::from_word(&word).ok_or("it is no access level"))
}

fn meaning(level: &Access) -> &'static str {
    match level {
        Access::PublicIndexable => "Anyone with the address; search engines may list it",
        Access::PublicNotIndexable => {
            "Anyone with the address; search engines are told not to list it"
        }
        _ => "Signed addresses only",
    }
}
