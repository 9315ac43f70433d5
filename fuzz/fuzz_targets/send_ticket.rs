//! Fuzzes bodies of tickets; what must hold of them stands in `src/testkit/targets.rs`. Run by `cargo +nightly fuzz run send_ticket`; must
//! never hold a rule of its own.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kvota::testkit::targets::send_ticket(bytes));
