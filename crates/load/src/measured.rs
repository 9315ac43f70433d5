//! What a run measured, by stage and persona: the counts and all latencies, with sums over any of them. Filled by
//! `collect.rs` while the run goes on, and by `merge.rs` from the files of several testers.

use super::personas::Persona;
use super::plan::Span;
use super::results::{Distribution, ErrorKind, Latency, Part, PartLatency};
use super::tally::{Count, Tally, Times, Timing};
use super::work::Tallies;
use std::collections::BTreeMap;

/// Which stages and personas a figure is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The name of a stage, or [`Scope::STEADY`]; `None` for all.
    pub stage: Option<String>,
    /// The persona; `None` for all.
    pub persona: Option<Persona>,
}

impl Scope {
    /// All stages in which the planned number does not change: a run without its ramps.
    pub const STEADY: &str = "steady";

    fn has_stage(&self, span: &Span) -> bool {
        self.stage.as_ref().is_none_or(|stage| *stage == span.name || (stage == Self::STEADY && span.is_steady))
    }
}

/// The counts by stage and persona.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    spans: Vec<Span>,
    of_spans: Vec<Tallies>,
}

impl Measured {
    /// Nothing yet, of these stages.
    pub fn new(spans: Vec<Span>) -> Measured {
        let of_spans = spans.iter().map(|_| Tallies::default()).collect();
        Measured { spans, of_spans }
    }

    /// Adds the counts of a second of the run; those after the last stage count for the last one.
    pub(super) fn add(&mut self, second: u64, tallies: &Tallies) {
        let at = self.spans.iter().rposition(|span| span.from.as_secs() <= second).unwrap_or_default();
        let Some(mine) = self.of_spans.get_mut(at) else { return };
        mine.iter_mut().zip(tallies).for_each(|(mine, more)| mine.add(more));
    }

    /// The sum of what the scope covers.
    pub fn sum(&self, scope: &Scope) -> Tally {
        let covered = self.spans.iter().zip(&self.of_spans).filter(|(span, _)| scope.has_stage(span));
        let of_personas = covered.flat_map(|(_, tallies)| Persona::ALL.into_iter().zip(tallies));
        Tally::sum(of_personas.filter(|(of, _)| scope.persona.is_none_or(|persona| persona == *of)).map(|(_, of)| of))
    }

    /// The parts as they are written to a file; those in which nothing was counted are left out.
    pub fn parts(&self) -> Vec<Part> {
        let of_spans = self.spans.iter().zip(&self.of_spans);
        let all = of_spans.flat_map(|(span, tallies)| Persona::ALL.into_iter().zip(tallies).map(move |of| (span, of)));
        all.filter(|(_, (_, tally))| !tally.is_empty())
            .map(|(span, (persona, tally))| part(span, persona, tally))
            .collect()
    }

    /// The parts of a file, added.
    ///
    /// # Errors
    /// A part is of no known stage or has values that cannot be read.
    pub fn add_parts(&mut self, parts: &[Part]) -> Result<(), String> {
        for part in parts {
            let at = self.spans.iter().position(|span| span.name == part.stage);
            let at = at.ok_or_else(|| format!("the run has no stage {:?}", part.stage))?;
            self.of_spans[at][part.persona.place()].add(&tally(part)?);
        }
        Ok(())
    }
}

fn part(span: &Span, persona: Persona, tally: &Tally) -> Part {
    let latency = |timing: Timing| {
        let pair = tally.times(timing)?;
        let latency = PartLatency {
            latency: latency_of(tally, timing)?,
            felt_values: pair.felt.encoded(),
            uncorrected_values: pair.served.encoded(),
        };
        Some((timing.name().to_owned(), latency))
    };
    Part {
        stage: span.name.clone(),
        is_steady: span.is_steady,
        persona,
        counts: counts(tally),
        errors: kinds(&tally.errors),
        refusals: kinds(&tally.refusals),
        latency: Timing::ALL.into_iter().filter_map(latency).collect(),
    }
}

fn tally(part: &Part) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for count in Count::ALL {
        tally.count(count, part.counts.get(count.name()).copied().unwrap_or_default());
    }
    tally.errors = part.errors.iter().map(|error| (error.kind.clone(), error.count)).collect();
    tally.refusals = part.refusals.iter().map(|error| (error.kind.clone(), error.count)).collect();
    for timing in Timing::ALL {
        let Some(latency) = part.latency.get(timing.name()) else { continue };
        let pair = tally.times_mut(timing);
        pair.felt = Times::decoded(&latency.felt_values)?;
        pair.served = Times::decoded(&latency.uncorrected_values)?;
    }
    Ok(tally)
}

/// All counters by name.
pub fn counts(tally: &Tally) -> BTreeMap<String, u64> {
    Count::ALL.map(|count| (count.name().to_owned(), tally.of(count))).into_iter().collect()
}

/// The kinds with their counts, the most frequent first.
pub fn kinds(counts: &BTreeMap<String, u64>) -> Vec<ErrorKind> {
    let mut kinds: Vec<ErrorKind> =
        counts.iter().map(|(kind, count)| ErrorKind { kind: kind.clone(), count: *count }).collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count));
    kinds
}

/// A latency, if it was measured.
pub fn latency_of(tally: &Tally, timing: Timing) -> Option<Latency> {
    let pair = tally.times(timing)?;
    Some(Latency { felt: distribution(&pair.felt), uncorrected: distribution(&pair.served) })
}

/// The figures of a distribution.
pub fn distribution(times: &Times) -> Distribution {
    let at = |share| times.quantile_ms(share);
    Distribution {
        count: times.len(),
        mean: times.mean_ms(),
        p50: at(0.5),
        p90: at(0.9),
        p95: at(0.95),
        p99: at(0.99),
        p999: at(0.999),
        max: times.max_ms(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn span(name: &str, from: u64, is_steady: bool) -> Span {
        Span { name: name.to_owned(), from: Duration::from_secs(from), is_steady }
    }

    fn measured() -> Measured {
        let mut measured = Measured::new(vec![span("ramp", 0, false), span("2", 10, true)]);
        for second in 0..30 {
            let mut tallies = Tallies::default();
            tallies[Persona::Watcher.place()].count(Count::Frames, 1);
            let took = Duration::from_millis(if second < 10 { 400 } else { 20 });
            tallies[Persona::Bettor.place()].time(Timing::Bet, took, took);
            measured.add(second, &tallies);
        }
        measured
    }

    #[test]
    fn figures_are_of_a_stage_and_a_persona() {
        let measured = measured();
        let bets = |stage: Option<&str>, persona| {
            let sum = measured.sum(&Scope { stage: stage.map(str::to_owned), persona });
            sum.times(Timing::Bet).map(|pair| pair.felt.len())
        };
        assert_eq!(bets(None, None), Some(30));
        assert_eq!(bets(Some("ramp"), None), Some(10));
        assert_eq!(bets(Some("2"), Some(Persona::Bettor)), Some(20));
        assert_eq!(bets(Some(Scope::STEADY), None), Some(20));
        assert_eq!(bets(None, Some(Persona::Watcher)), None);
    }

    #[test]
    fn parts_of_two_files_add_up() {
        let one = measured();
        let mut both = Measured::new(one.spans.clone());
        both.add_parts(&one.parts()).expect("parts");
        both.add_parts(&one.parts()).expect("parts");
        let sum = both.sum(&Scope::default());
        assert_eq!(sum.of(Count::Frames), 60);
        let bets = latency_of(&sum, Timing::Bet).expect("bets").felt;
        assert_eq!((bets.count, bets.p50.round(), bets.max.round()), (60, 20.0, 400.0));
        let mut foreign = one.parts();
        foreign[0].stage = "3".to_owned();
        assert!(both.add_parts(&foreign).is_err());
    }
}
