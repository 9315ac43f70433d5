//! All input from outside, damaged 100,000 times by a seed: nothing panics, and what still decodes is valid. Inputs
//! that once broke something are in `tests/corpus/` and run first. `fuzz/` runs the same targets with a fuzzer.

use kvota::testkit::measured::{self, asked_for, most, ms};
use kvota::testkit::mutator::mutate;
use kvota::testkit::seed::{Dice, SEED};
use kvota::testkit::targets::{TARGETS, examples};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;
use tokio::time::Instant;

/// Messages for each target; `KVOTA_MUTATIONS` overrides it.
const MUTATIONS: u64 = 100_000;

fn attack(name: &str) {
    let (_, target) = TARGETS.into_iter().find(|(known, _)| *known == name).expect("a target of the table");
    let examples = examples(name);
    for example in &examples {
        target(example);
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    for file in std::fs::read_dir(&corpus).expect("a folder of what once broke something") {
        let file = file.expect("a file").path();
        target(&std::fs::read(&file).expect("it can be read"));
    }
    let (seed, count) = (asked_for(SEED, 1), asked_for("KVOTA_MUTATIONS", MUTATIONS));
    let mut dice = Dice::new(seed);
    let mut slowest = (Duration::ZERO, Vec::new());
    for number in 0..count {
        let bytes = mutate(&mut dice, &examples);
        let began = Instant::now();
        if catch_unwind(AssertUnwindSafe(|| target(&bytes))).is_err() {
            let found = std::env::temp_dir().join(format!("kvota-{name}-{seed}-{number}"));
            std::fs::write(&found, &bytes).expect("what broke it is kept");
            panic!("{SEED}={seed}, message {number}, breaks {name}: put {} into {}", found.display(), corpus.display());
        }
        if began.elapsed() > slowest.0 {
            slowest = (began.elapsed(), bytes);
        }
    }
    // The best of several runs, since other work on the machine also takes time.
    let again = (0..10).map(|_| {
        let began = Instant::now();
        target(&slowest.1);
        began.elapsed()
    });
    measured::count("R28", &format!("damaged messages for {name}"), count);
    let longest = again.min().unwrap_or_default();
    most("R28", &format!("ms, the slowest message for {name}"), ms(longest), 100);
}

#[test]
fn damaged_feed_messages_never_panic() {
    attack("feed");
}

#[test]
fn damaged_client_frames_never_panic() {
    attack("hub_command");
}

#[test]
fn damaged_ticket_bodies_never_panic() {
    attack("send_ticket");
}

#[test]
fn damaged_cookies_never_panic() {
    attack("cookie");
}

#[test]
fn damaged_stake_texts_never_panic() {
    attack("stake");
}
