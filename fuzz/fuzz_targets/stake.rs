//! Fuzzes texts of stakes; what must hold of them stands in `src/testkit/targets.rs`. Run by `scripts/fuzz.sh`; must never hold a
//! rule of its own.

#![no_main]

use kvota::testkit::targets;

libfuzzer_sys::fuzz_target!(
    init: targets::keep_examples("stake"),
    |bytes: &[u8]| targets::stake(bytes)
);
