//! One integration binary: the client against the real service, the screen, the command line, the architecture.

mod support;
