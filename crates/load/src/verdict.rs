//! The verdict about a run: the sums of what was measured, the thresholds, and in words why it did not pass. Used by
//! `collect.rs` and `merge.rs`.

use super::collect::Ending;
use super::measured::{Measured, Scope, counts, kinds, latency_of};
use super::results::{Results, Verdict};
use super::tally::Timing;
use super::thresholds::{self, Thresholds};

/// Fills in everything that follows from the measurements.
pub(super) fn fill(results: &mut Results, measured: &Measured, limits: &Thresholds, ending: &Ending) {
    let whole = measured.sum(&Scope::default());
    results.counts = counts(&whole);
    results.errors = kinds(&whole.errors);
    results.refusals = kinds(&whole.refusals);
    let latency = |timing: Timing| Some((timing.name().to_owned(), latency_of(&whole, timing)?));
    results.latency = Timing::ALL.into_iter().filter_map(latency).collect();
    results.parts = measured.parts();
    results.thresholds = thresholds::judge(limits, measured, results);
    let crossed: Vec<String> = results.thresholds.iter().filter(|it| !it.passed).map(|it| it.name.clone()).collect();
    let (verdict, reason) = match ending {
        Ending::Planned if crossed.is_empty() => (Verdict::Passed, None),
        Ending::Planned => (Verdict::Failed, None),
        Ending::Interrupted => (Verdict::Interrupted, Some("a signal ended the run early".to_owned())),
        Ending::Aborted(limit) => (Verdict::Aborted, Some(format!("the run was ended because {limit} was crossed"))),
        Ending::Crashed => (Verdict::Crashed, Some("a thread of the load tester ended by itself".to_owned())),
        Ending::Unfinished => {
            (Verdict::Unfinished, Some("the run has not ended: these are the results so far".to_owned()))
        }
    };
    results.verdict = verdict;
    results.passed = verdict == Verdict::Passed;
    results.reasons = reason.into_iter().chain(crossed.iter().map(|limit| format!("{limit} was crossed"))).collect();
}
