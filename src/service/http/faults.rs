//! Injected faults in front of the routes: delays, refusals, cut and slow bodies. For tests and the
//! demo. They are counted, never random, so that a run can be repeated.

mod rule;
mod spec;

pub use rule::{Fault, FaultRule, FaultSchedule, FaultScope, Faults};
pub use spec::FaultSpecError;
