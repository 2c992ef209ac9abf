//! What shows and measures Portolan: the sample org that demos, tests and benches run on, the demo, and
//! the benches.

pub mod bench;
pub mod demo;
mod plain;
pub mod sample_org;
