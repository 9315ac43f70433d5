//! The arrivals and departures of all sessions, computed before the first one starts, only from the stages, the
//! arrivals and the seed. This is the open model: no session waits for another, and a slow server gets no less load.
//! Pure; called by the engine.

use super::length::length;
use super::personas::{Persona, Weights};
use super::random::Random;
use std::str::FromStr;
use std::time::Duration;

/// A jump between two stages is spread over this time, because no machine opens thousands of connections at once.
const JUMP: Duration = Duration::from_secs(1);

/// A period in which a number changes linearly: `30s:0..5000`, or `5m:5000` if it stays constant; with a name
/// `ramp=30s:0..5000`.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its length.
    pub length: Duration,
    /// The value at its beginning.
    pub from: f64,
    /// The value at its end.
    pub to: f64,
}

/// Additional sessions for a while: `20s:4000:10s` means 4,000 more from 20 s on for 10 s.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spike {
    /// When it begins.
    pub at: Duration,
    /// The number of additional sessions.
    pub sessions: u32,
    /// How long they stay.
    pub stay: Duration,
}

/// All connections are cut at once and reconnect: `30s` or `30s:5s`, where the second time is the jitter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Storm {
    /// When they are cut.
    pub at: Duration,
    /// Each session reconnects after a uniformly random time up to this.
    pub jitter: Duration,
}

/// The requested load.
#[derive(Clone, PartialEq, Debug)]
pub struct Demand {
    /// The number of sessions, stage by stage.
    pub stages: Vec<Stage>,
    /// Arrivals per second, stage by stage.
    pub arrivals: Vec<Stage>,
    /// How long a session that arrives by a rate stays, on average.
    pub stay: Duration,
    /// Periods with additional sessions.
    pub spikes: Vec<Spike>,
    /// The personas' weights.
    pub weights: Weights,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// One session with its planned arrival and departure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arrival {
    /// Its number, from 0 in the order of arrival.
    pub number: u32,
    /// Its arrival, from the start of the run.
    pub at: Duration,
    /// Its departure, from the start of the run.
    pub until: Duration,
    /// Its persona.
    pub persona: Persona,
}

/// A stage as thresholds and results name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The stage's name, or its number from 1.
    pub name: String,
    /// Its beginning, from the start of the run. It ends with the beginning of the next one.
    pub from: Duration,
    /// Whether the number stays the same in it.
    pub is_steady: bool,
}

/// All sessions of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The stages; at least one.
    pub spans: Vec<Span>,
    /// In the order of arrival.
    pub arrivals: Vec<Arrival>,
    /// The length of the run.
    pub length: Duration,
}

impl Plan {
    /// Computes the plan.
    pub fn new(demand: &Demand) -> Plan {
        let of_stages = |stages: &[Stage]| stages.iter().map(|stage| stage.length).sum::<Duration>();
        let length = of_stages(&demand.stages).max(of_stages(&demand.arrivals));
        let length = demand.spikes.iter().map(|spike| spike.at + spike.stay).fold(length, Duration::max);
        let mut random = Random::new(demand.seed, u64::MAX);
        let mut stays = by_stages(&demand.stages, length);
        stays.extend(by_rate(demand, &mut random, length));
        stays.extend(demand.spikes.iter().flat_map(|spike| by_spike(*spike)));
        stays.sort_by_key(|(at, until)| (*at, *until));
        let arrivals = (0..).zip(stays).map(|(number, (at, until))| Arrival {
            number,
            at,
            until: until.min(length),
            persona: demand.weights.draw(&mut random),
        });
        let stages = if demand.stages.is_empty() { &demand.arrivals } else { &demand.stages };
        Plan { spans: spans(stages), arrivals: arrivals.collect(), length }
    }

    /// The sessions of one tester of several: of `parts` testers the one with this number from 0.
    pub fn part(mut self, number: u32, parts: u32) -> Plan {
        self.arrivals.retain(|arrival| arrival.number % parts == number);
        self
    }

    /// The largest number of simultaneous sessions among those that fit.
    pub fn most_at_once(&self, fits: impl Fn(&Arrival) -> bool) -> usize {
        let mut steps: Vec<(Duration, i32)> =
            self.arrivals.iter().filter(|of| fits(of)).flat_map(|of| [(of.at, 1), (of.until, -1)]).collect();
        steps.sort();
        let mut now = 0;
        let mut most = 0;
        for (_, step) in steps {
            now += step;
            most = most.max(now);
        }
        usize::try_from(most).unwrap_or_default()
    }
}

fn spans(stages: &[Stage]) -> Vec<Span> {
    let mut from = Duration::ZERO;
    let mut spans = Vec::new();
    for (stage, number) in stages.iter().zip(1_u32..) {
        let name = stage.name.clone().unwrap_or_else(|| number.to_string());
        spans.push(Span { name, from, is_steady: (stage.from - stage.to).abs() < f64::EPSILON });
        from += stage.length;
    }
    if spans.is_empty() {
        spans.push(Span { name: "1".to_owned(), from, is_steady: false });
    }
    spans
}

/// The last session to arrive leaves first: early sessions stay as long as there are any.
fn by_stages(stages: &[Stage], length: Duration) -> Vec<(Duration, Duration)> {
    let mut present: Vec<Duration> = Vec::new();
    let mut done = Vec::new();
    let mut begin = Duration::ZERO;
    for stage in stages {
        let jump = stage.length.min(JUMP);
        step_to(stage.from, begin, jump, &mut present, &mut done);
        step_to(stage.to, begin, stage.length, &mut present, &mut done);
        begin += stage.length;
    }
    done.extend(present.into_iter().map(|at| (at, length)));
    done
}

fn step_to(
    target: f64,
    begin: Duration,
    over: Duration,
    present: &mut Vec<Duration>,
    done: &mut Vec<(Duration, Duration)>,
) {
    let target = target.round().max(0.0) as usize;
    let steps = target.abs_diff(present.len());
    for step in 0..steps {
        let at = begin + over.mul_f64(step as f64 / steps as f64);
        if present.len() < target {
            present.push(at);
        } else if let Some(came) = present.pop() {
            done.push((came, at));
        }
    }
}

/// Random arrivals at a rate: sums of exponential waits, scaled by the changing rate.
fn by_rate(demand: &Demand, random: &mut Random, length: Duration) -> Vec<(Duration, Duration)> {
    let mut stays = Vec::new();
    let mut begin = Duration::ZERO;
    let mut wait = -(1.0 - random.unit()).ln();
    for stage in &demand.arrivals {
        let seconds = stage.length.as_secs_f64();
        let expected = (stage.from + stage.to) / 2.0 * seconds;
        while wait < expected {
            let at = begin + Duration::from_secs_f64(moment_of(wait, stage, seconds));
            stays.push((at, (at + random.wait(demand.stay)).min(length)));
            wait += -(1.0 - random.unit()).ln();
        }
        wait -= expected;
        begin += stage.length;
    }
    stays
}

/// When this many sessions have arrived, at a linearly changing rate.
fn moment_of(count: f64, stage: &Stage, seconds: f64) -> f64 {
    let slope = (stage.to - stage.from) / seconds;
    if slope.abs() < 1e-9 {
        return (count / stage.from).clamp(0.0, seconds);
    }
    let root = (stage.from * stage.from + 2.0 * slope * count).max(0.0).sqrt();
    ((root - stage.from) / slope).clamp(0.0, seconds)
}

fn by_spike(spike: Spike) -> impl Iterator<Item = (Duration, Duration)> {
    let over = spike.stay.min(JUMP);
    (0..spike.sessions).map(move |number| {
        let at = spike.at + over.mul_f64(f64::from(number) / f64::from(spike.sessions));
        (at, spike.at + spike.stay)
    })
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> Result<Stage, String> {
        let wrong = || {
            format!(
                "{text:?} is no stage: write LENGTH:FROM..TO, such as 30s:0..5000, or LENGTH:NUMBER, and NAME= before it"
            )
        };
        let (name, period) = text.split_once('=').map_or((None, text), |(name, period)| (Some(name), period));
        let is_name = |name: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            (1..=40).contains(&name.len()) && name.chars().all(is_plain)
        };
        if name.is_some_and(|name| !is_name(name)) {
            return Err(format!("{text:?}: the name of a stage has letters, digits, _ and -"));
        }
        let (lasts, number) = period.split_once(':').ok_or_else(wrong)?;
        let (from, to) = number.split_once("..").unwrap_or((number, number));
        let number =
            |text: &str| text.parse::<f64>().ok().filter(|number| (0.0..=1e6).contains(number)).ok_or_else(wrong);
        let name = name.map(str::to_owned);
        let stage = Stage { name, length: length(lasts)?, from: number(from)?, to: number(to)? };
        if stage.length.is_zero() { Err(wrong()) } else { Ok(stage) }
    }
}

impl FromStr for Spike {
    type Err = String;

    fn from_str(text: &str) -> Result<Spike, String> {
        let wrong = || format!("{text:?} is no spike: write AT:SESSIONS:STAY, such as 20s:4000:10s");
        let [at, sessions, stay] = text.split(':').collect::<Vec<_>>()[..] else { return Err(wrong()) };
        let spike = Spike { at: length(at)?, sessions: sessions.parse().map_err(|_| wrong())?, stay: length(stay)? };
        if spike.stay.is_zero() { Err(wrong()) } else { Ok(spike) }
    }
}

impl FromStr for Storm {
    type Err = String;

    fn from_str(text: &str) -> Result<Storm, String> {
        let (at, jitter) = text.split_once(':').unwrap_or((text, "5s"));
        Ok(Storm { at: length(at)?, jitter: length(jitter)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: &[&str] = &[];

    fn demand(stages: &[&str], arrivals: &[&str], spikes: &[&str]) -> Demand {
        let stage = |text: &&str| text.parse().expect("a stage");
        Demand {
            stages: stages.iter().map(stage).collect(),
            arrivals: arrivals.iter().map(stage).collect(),
            stay: Duration::from_secs(10),
            spikes: spikes.iter().map(|text| text.parse().expect("a spike")).collect(),
            weights: Weights::default(),
            seed: 1,
        }
    }

    fn at(plan: &Plan, seconds: f64) -> usize {
        let now = Duration::from_secs_f64(seconds);
        plan.arrivals.iter().filter(|of| of.at <= now && now < of.until).count()
    }

    #[test]
    fn stages_say_how_many_sessions_there_are() {
        let plan = Plan::new(&demand(&["10s:0..100", "10s:100", "5s:100..20"], NOBODY, NOBODY));
        assert_eq!(plan.length, Duration::from_secs(25));
        assert_eq!(plan.arrivals.len(), 100);
        let seen: Vec<usize> = [0.0, 5.05, 9.99, 15.0, 22.55, 24.99].into_iter().map(|s| at(&plan, s)).collect();
        assert_eq!(seen, [1, 51, 100, 100, 59, 20]);
        assert!(plan.arrivals.is_sorted_by_key(|of| of.at));
        assert_eq!(plan.most_at_once(|_| true), 100);
    }

    #[test]
    fn a_jump_takes_a_second() {
        let plan = Plan::new(&demand(&["5s:10", "5s:60", "5s:10"], NOBODY, NOBODY));
        let seen: Vec<usize> = [0.95, 4.0, 5.5, 6.0, 9.9, 11.0].into_iter().map(|s| at(&plan, s)).collect();
        assert_eq!(seen, [10, 10, 36, 60, 60, 10]);
    }

    #[test]
    fn arrival_rate_is_kept_on_average() {
        let plan = Plan::new(&demand(&[], &["100s:0..20", "100s:20"], NOBODY));
        let before = |s: u64| plan.arrivals.iter().filter(|of| of.at < Duration::from_secs(s)).count();
        assert!((850..1150).contains(&before(100)), "{}", before(100));
        assert!((200..300).contains(&before(50)), "{}", before(50));
        assert!((1850..2150).contains(&(before(200) - before(100))), "{}", before(200));
        let stays = plan.arrivals.iter().filter(|of| of.until < plan.length).map(|of| (of.until - of.at).as_secs_f64());
        let stays: Vec<f64> = stays.collect();
        let mean = stays.iter().sum::<f64>() / stays.len() as f64;
        assert!((8.5..11.0).contains(&mean), "{mean}");
    }

    #[test]
    fn spike_adds_sessions() {
        let plan = Plan::new(&demand(&["20s:10"], NOBODY, &["5s:50:5s"]));
        let seen: Vec<usize> = [4.9, 6.0, 9.9, 10.0].into_iter().map(|s| at(&plan, s)).collect();
        assert_eq!(seen, [10, 60, 60, 10]);
    }

    #[test]
    fn stages_have_names_or_numbers() {
        let plan = Plan::new(&demand(&["ramp=10s:0..50", "5s:50"], &["30s:2"], NOBODY));
        let span =
            |name: &str, from, is_steady| Span { name: name.to_owned(), from: Duration::from_secs(from), is_steady };
        assert_eq!(plan.spans, [span("ramp", 0, false), span("2", 10, true)]);
        assert_eq!(Plan::new(&demand(&[], NOBODY, &["5s:50:5s"])).spans, [span("1", 0, false)]);
    }

    #[test]
    fn parts_together_are_the_whole() {
        let plan = Plan::new(&demand(&["10s:50"], &["10s:5"], NOBODY));
        let parts: Vec<Plan> = (0..3).map(|number| plan.clone().part(number, 3)).collect();
        let mut arrivals: Vec<Arrival> = parts.iter().flat_map(|part| part.arrivals.clone()).collect();
        arrivals.sort_by_key(|arrival| arrival.number);
        assert_eq!(arrivals, plan.arrivals);
        assert!(parts.iter().all(|part| part.length == plan.length && part.arrivals.len() >= plan.arrivals.len() / 3));
    }

    #[test]
    fn seed_determines_the_plan() {
        let demand = demand(&["10s:50"], &["10s:5"], NOBODY);
        assert_eq!(Plan::new(&demand), Plan::new(&demand));
        let other = Demand { seed: 2, ..demand.clone() };
        assert_ne!(Plan::new(&demand), Plan::new(&other));
    }

    #[test]
    fn stages_are_parsed_or_rejected() {
        let stage = |lasts, from, to| Ok(Stage { name: None, length: Duration::from_millis(lasts), from, to });
        assert_eq!("30s:0..5000".parse::<Stage>(), stage(30_000, 0.0, 5000.0));
        assert_eq!("250ms:7".parse::<Stage>(), stage(250, 7.0, 7.0));
        for text in ["", "30s", "30s:", "30s:-1", "0s:5", "30x:5", "30s:5..", "1s:2:3", "=1s:2", "a b=1s:2"] {
            assert!(text.parse::<Stage>().is_err(), "{text}");
        }
        for text in ["", "5s:10", "5s:x:5s", "5s:10:0s", "5s:10:5s:5s"] {
            assert!(text.parse::<Spike>().is_err(), "{text}");
        }
        let storm = Storm { at: Duration::from_secs(30), jitter: Duration::from_secs(5) };
        assert_eq!("30s".parse::<Storm>(), Ok(storm));
        assert_eq!("0.5m:5s".parse::<Storm>(), Ok(storm));
        assert!("soon".parse::<Storm>().is_err());
    }
}
