//! Values of types that another crate cannot construct field by field.

pub fn changed<T>(mut value: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut value);
    value
}
