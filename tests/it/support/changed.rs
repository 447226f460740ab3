//! Values that another crate cannot write down field by field.

/// The value with some of its fields set.
pub fn changed<T>(mut value: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut value);
    value
}
