//! Where filedeck keeps things and which account it talks to: defaults, then file, then environment, then flags.
//! Knows nothing of terminals or HTTP.
