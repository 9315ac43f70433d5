//! Fuzzes cookies. The checks are in `src/testkit/targets.rs`. Run by `scripts/fuzz.sh`; must not contain checks
//! itself.

#![no_main]

use kvota::testkit::targets;

libfuzzer_sys::fuzz_target!(
    init: targets::write_examples("cookie"),
    |bytes: &[u8]| targets::cookie(bytes)
);
