//! The command line: one verb a file. Wires the layers together.
