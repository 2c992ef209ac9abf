//! What shows and measures Portolan: the sample org that demos, tests and benches run on.

pub mod sample_org;
