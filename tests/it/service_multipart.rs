//! Upload bodies as raw bytes over a bare connection: malformed and hostile ones are refused at
//! once and leave nothing, unusual but valid ones are stored byte by byte.
//!
//! Seen to fail, each planted alone in `src/service/http/routes/upload`: parts without a name taken
//! as fields, a second file in place of the first, the last of two fields, no limit on boundaries,
//! part headers, fields, parts, headers without an end or text before or after the parts, nested
//! forms; and in `intake/spool.rs`: bytes of refused forms that stay; and in `pace.rs`: refusals
//! that come after a pause.

mod exchange;
mod forms;
mod framing;
mod heads;
mod texts;
mod unusual;
