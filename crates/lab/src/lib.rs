//! What shows and measures Portolan: the sample org that demos, tests and benches run on, and the
//! benches.

pub mod bench;
pub mod sample_org;
