//! Values as the text that they are kept as.

/// Plain data always has a JSON form.
pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A name as it is kept.
pub(super) fn word<T: serde::Serialize>(name: T) -> String {
    json(&name).trim_matches('"').to_owned()
}

pub(super) fn of_word<T: serde::de::DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(word.into()).ok()
}
