//! Fuzzes ticket bodies. The checks are in `src/testkit/targets.rs`. Run by `scripts/fuzz.sh`; must not contain checks
//! itself.

#![no_main]

use kvota::testkit::targets;

libfuzzer_sys::fuzz_target!(
    init: targets::write_examples("send_ticket"),
    |bytes: &[u8]| targets::send_ticket(bytes)
);
