//! The whole system under seeded faults. `KVOTA_SEED=17` runs one scenario and prints it, `KVOTA_SEEDS=100000` runs
//! that many.

use kvota::testkit::measured::count;
use kvota::testkit::seed::{SEED, seeds};
use kvota::testkit::simulation::simulate;

/// The seeds are split over this many tests, which run in parallel. With `KVOTA_SHARES=1` the first test runs all of
/// them.
const SHARES: u64 = 4;

/// The seeds of `make test-all`; `make test` runs the first share.
const USUAL: u64 = 500;

#[expect(clippy::print_stdout, reason = "the numbers of the scenarios, and the events of a single one")]
fn run_share(share: u64) {
    let is_single = std::env::var(SEED).is_ok();
    let shares = std::env::var("KVOTA_SHARES").map_or(SHARES, |shares| shares.parse().expect("a number of shares"));
    let (mut passed, mut bets, mut refusals, mut connections) = (0, 0, 0, 0);
    let (mut settled, mut cash_outs, mut deaths) = (0, 0, 0);
    for seed in seeds(USUAL).filter(|seed| seed % shares == share) {
        let outcome = simulate(seed);
        // Printed before it is checked, because a scenario that fails is the one to read.
        if is_single {
            println!("{}\n{} events, {:016x}", outcome.last.join("\n"), outcome.events, outcome.hash);
        }
        outcome.expect_no_violations();
        passed += 1;
        (bets, refusals) = (bets + outcome.bets, refusals + outcome.refusals);
        connections += outcome.connections;
        deaths += outcome.deaths;
        (settled, cash_outs) = (settled + outcome.settled, cash_outs + outcome.cash_outs);
    }
    // A check that the scenarios are not trivial.
    if passed >= 20 {
        assert!(
            bets > passed / 4 && refusals > 0,
            "{bets} bets accepted and {refusals} rejected in {passed} scenarios"
        );
        assert!(
            settled > passed / 8 && cash_outs > 0,
            "{settled} bets settled and {cash_outs} cash-outs in {passed} scenarios"
        );
        assert!(deaths > passed / 10, "only {deaths} deaths of single nodes in {passed} scenarios");
        assert!(connections > 6 * passed, "only {connections} connections in {passed} scenarios");
    }
    // One share of the seeds, usual or requested.
    count("R36", "scenarios of the whole system", passed);
    println!("    {bets} bets, {settled} settled, {cash_outs} cash-outs, {deaths} deaths of single nodes");
}

#[test]
fn first_share_of_scenarios_passes() {
    run_share(0);
}

#[test]
fn second_share_of_scenarios_passes() {
    run_share(1);
}

#[test]
fn third_share_of_scenarios_passes() {
    run_share(2);
}

#[test]
fn last_share_of_scenarios_passes() {
    run_share(3);
}

#[test]
fn same_seed_gives_the_same_scenario() {
    let mut deaths = 0;
    for seed in 1..=8 {
        let (first, second) = (simulate(seed), simulate(seed));
        assert!(first.hash == second.hash, "seed {seed}: {:#?}\n{:#?}", first.last, second.last);
        assert!(first.events > 100, "{first:?}");
        deaths += first.deaths;
    }
    assert!(deaths > 0, "in none of them a node dies alone");
}
