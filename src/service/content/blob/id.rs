//! The id of a blob in rows and on the disk.

/// The name of a blob: 32 random hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BlobId(String);

impl BlobId {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let is_one = name.len() == 32
            && name
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_one.then(|| Self(name.to_owned()))
    }

    pub(crate) fn random() -> Self {
        Self(uuid::Uuid::new_v4().simple().to_string())
    }

    pub(crate) fn from_stored(id: String) -> Self {
        Self(id)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id as a number, which takes less memory; `None` if `random` did not generate it.
    pub(crate) fn number(&self) -> Option<u128> {
        u128::from_str_radix(&self.0, 16).ok()
    }

    pub(crate) fn from_number(number: u128) -> Self {
        Self(format!("{number:032x}"))
    }
}
