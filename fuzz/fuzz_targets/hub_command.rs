//! Fuzzes frames of a client; what must hold of them stands in `src/testkit/targets.rs`. Run by `cargo +nightly fuzz run hub_command`; must
//! never hold a rule of its own.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kvota::testkit::targets::hub_command(bytes));
