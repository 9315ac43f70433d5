//! The whole system under seeded faults, on one thread and a paused clock: feed, offer, sessions, placing, store and
//! connections, with the real bytes between them. A seed determines the scenario: the faults, their times, and the
//! bettors' actions. The same seed always gives the same hash of all that happened.
//!
//! | file | subject |
//! |---|---|
//! | `plan.rs` | the faults of a seed |
//! | `producer.rs`, `source.rs` | the feed, and the link on which messages are lost, duplicated and delayed |
//! | `results.rs` | decided markets, corrections, and the queue on which results are lost, duplicated and delayed |
//! | `bet_check.rs` | whether a bet may be taken at the moment when it reaches the store |
//! | `disk.rs` | a store that fails before and after the commit, and loses pending writes in a crash |
//! | `browser.rs`, `screen.rs` | a hub client that reads, recovers, stalls and disconnects; and its state |
//! | `bettor.rs`, `cash_outs.rs` | picks, marks, places, cashes out, and repeats orders with the same key |
//! | `chaos.rs` | actors that panic, a clock that jumps, a producer that restarts |
//! | `checks.rs` | what must hold, always and at the end |
//! | `nodes.rs` | one or two nodes, and the death of one of them |
//! | `notices.rs` | the messages between two nodes, which are delayed and lost |
//! | `trace.rs` | what happened, as a hash |
//!
//! Must not read any clock but the paused one, and must take all random numbers from the seed.

mod bet_check;
mod bettor;
mod browser;
mod cash_outs;
mod chaos;
mod checks;
mod clock;
mod disk;
mod disk_cash_outs;
mod disk_settings;
mod disk_settlement;
mod feed_log;
mod nodes;
mod notices;
mod plan;
mod producer;
mod results;
mod screen;
mod source;
mod trace;

use super::seed::{Dice, roll};
use bettor::{Bettor, PEOPLE};
use browser::Browser;
use disk::Disk;
use feed_log::FeedLog;
use nodes::Nodes;
use plan::Plan;
use producer::Producer;
use results::{Results, ResultsLine};
use source::Wire;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use trace::Trace;

/// How long the system may take to recover after all faults have ended: the longest backoff, and a reconnecting client.
const HEALED_WITHIN: Duration = Duration::from_secs(240);
/// What holds must still hold after this time, which is longer than the interval of the hub's checks.
const STAYS: Duration = Duration::from_secs(7);

/// The result of a simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunReport {
    /// Its seed.
    pub seed: u64,
    /// A hash of all events, in order.
    pub hash: u64,
    /// Number of events.
    pub events: u64,
    /// Accepted bets.
    pub bets: u64,
    /// Rejected orders.
    pub refusals: u64,
    /// Bets with a settlement.
    pub settled: u64,
    /// Cash-outs that were paid.
    pub cash_outs: u64,
    /// Connections that were opened.
    pub connections: u64,
    /// Deaths of one node while another continued.
    pub deaths: u64,
    /// Violations; empty if all is well.
    pub violations: Vec<String>,
    /// The last events, for the failure text.
    pub last: Vec<String>,
}

impl RunReport {
    /// Fails the test if there are violations.
    ///
    /// # Panics
    /// With the violations, the last events, the faults of the seed, and how to run it again.
    #[track_caller]
    pub fn expect_no_violations(&self) {
        assert!(
            self.violations.is_empty(),
            "seed {}:\n  {}\n  seen last:\n    {}\n  {:?}{}",
            self.seed,
            self.violations.join("\n  "),
            self.last.join("\n    "),
            Plan::of(self.seed),
            super::seed::replay_hint()
        );
    }
}

/// All state that outlives a process of the system.
struct Scenario {
    plan: Plan,
    trace: Trace,
    disk: Disk,
    producer: Producer,
    results: Results,
    browsers: Vec<Rc<Browser>>,
    bettors: Vec<Rc<Bettor>>,
    /// Whether faults are active.
    is_rough: Cell<bool>,
}

/// Runs the simulation of a seed.
pub fn simulate(seed: u64) -> RunReport {
    quiet_panics();
    clock::set_wall(super::world::NOW_MS);
    let dice = roll(seed);
    let plan = Plan::of(seed);
    let trace = Trace::default();
    let bettors: Vec<Rc<Bettor>> = (0..PEOPLE).map(|number| Rc::new(Bettor::new(number, &trace))).collect();
    let browsers = bettors.iter().flat_map(|bettor| bettor.browsers.clone()).collect();
    let feed_log = FeedLog::default();
    let scenario = Rc::new(Scenario {
        disk: Disk::new(dice.apart(1), feed_log.clone()),
        producer: Producer::new(dice.apart(2), &trace, feed_log),
        results: Results::new(&trace),
        is_rough: Cell::new(true),
        plan,
        trace,
        browsers,
        bettors,
    });
    let mut dice = dice.apart(3);
    for life in 1..=scenario.plan.lives {
        let is_last = life == scenario.plan.lives;
        let seconds = dice.between(3, scenario.plan.rough_seconds);
        process(&scenario, life, dice.apart(life), async |nodes: &Nodes| {
            sleep(Duration::from_secs(seconds)).await;
            if is_last {
                calm_down(&scenario, nodes).await;
            }
        });
        if !is_last {
            scenario.trace.note(|| format!("the process dies, for the {life}. time"));
            scenario.disk.crash();
            checks::acknowledged_is_saved(&scenario);
        }
    }
    if scenario.plan.is_restarted {
        // All was well, so a new process must find exactly what was shown.
        let before = checks::tickets(&scenario);
        scenario.disk.crash();
        process(&scenario, scenario.plan.lives + 1, dice.apart(0), async |nodes: &Nodes| {
            calm_down(&scenario, nodes).await;
        });
        checks::same_tickets(&scenario, &before);
    }
    scenario.trace.outcome(seed, &scenario)
}

/// Ends all faults. All checks must pass before long, and still pass afterwards.
async fn calm_down(scenario: &Rc<Scenario>, nodes: &Nodes) {
    scenario.is_rough.set(false);
    scenario.disk.calm();
    nodes.all().iter().for_each(|living| living.node.offer.fail_points.disarm());
    scenario.trace.note(|| "the faults end".to_owned());
    // A match that lost an update takes no bets until the next one, which its producer may not send for long.
    if nodes.all().iter().any(|living| !living.node.offer.model.readiness().unapplied.is_empty()) {
        scenario.producer.restart();
    }
    let mut waited = Duration::ZERO;
    let step = Duration::from_secs(1);
    let mut before = checks::LastViolation::default();
    loop {
        sleep(step).await;
        waited += step;
        let Err(wrong) = checks::check_final(scenario, nodes, &mut before).await else { break };
        if waited > HEALED_WITHIN {
            return scenario.trace.wrong(|| format!("{} s after all faults have ended: {wrong}", waited.as_secs()));
        }
    }
    sleep(STAYS).await;
    if let Err(wrong) = checks::check_final(scenario, nodes, &mut checks::LastViolation::default()).await {
        scenario.trace.wrong(|| format!("what had healed is broken again without a fault: {wrong}"));
    }
}

/// Runs the nodes of the system until `watched` ends, then kills them, so that their memory is lost at once.
fn process(scenario: &Rc<Scenario>, life: u64, dice: Dice, watched: impl AsyncFnOnce(&Nodes)) {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().start_paused(true).build().expect("a runtime")
    };
    let system = actix::System::with_tokio_rt(runtime);
    system.block_on(async {
        clock::begin();
        scenario.trace.note(|| format!("life {life} begins"));
        let (links, readers): (Vec<_>, Vec<_>) = (0..scenario.plan.nodes).map(|_| Wire::new()).unzip();
        let (lines, requests): (Vec<_>, Vec<_>) = (0..scenario.plan.nodes).map(|_| ResultsLine::new()).unzip();
        let nodes = Nodes::start(scenario, &dice, &links, &lines).await;
        if life == 1 {
            for bettor in &scenario.bettors {
                bettor.register(&nodes.get(0).node).await;
            }
            scenario.disk.begin(&scenario.plan);
        }
        let mut parts: Parts = Vec::new();
        for (number, (wire, sent)) in (300..).zip(links.iter().zip(readers)) {
            let answering = producer::answer(Rc::clone(scenario), Arc::clone(wire), sent, dice.apart(number));
            parts.push(Box::pin(answering));
        }
        for (number, (line, requested)) in (400..).zip(lines.iter().zip(requests)) {
            let answering = results::answer(Rc::clone(scenario), Arc::clone(line), requested, dice.apart(number));
            parts.push(Box::pin(answering));
        }
        parts.push(Box::pin(results::publish(Rc::clone(scenario), lines, dice.apart(5))));
        parts.push(Box::pin(producer::publish(Rc::clone(scenario), links.clone(), dice.apart(1))));
        parts.push(Box::pin(chaos::inject_faults(Rc::clone(scenario), Rc::clone(&nodes), links, dice.apart(3))));
        for (number, browser) in (100..).zip(&scenario.browsers) {
            let (scenario, browser) = (Rc::clone(scenario), Rc::clone(browser));
            parts.push(Box::pin(browser::browse(scenario, browser, Rc::clone(&nodes), dice.apart(number))));
        }
        for (number, bettor) in (200..).zip(&scenario.bettors) {
            let (scenario, bettor) = (Rc::clone(scenario), Rc::clone(bettor));
            parts.push(Box::pin(bettor::bet(scenario, bettor, Rc::clone(&nodes), dice.apart(number))));
        }
        #[expect(clippy::disallowed_methods, reason = "they end with the process, which is dropped below")]
        let running: Vec<_> = parts.into_iter().map(actix::spawn).collect();
        watched(&nodes).await;
        for part in running {
            // A panic in the simulation's own code must not go unnoticed.
            if part.is_finished()
                && let Err(error) = part.await
            {
                scenario.trace.wrong(|| format!("a part of the scenario died: {error}"));
            }
        }
        clock::end();
    });
    drop(system);
}

type Parts = Vec<std::pin::Pin<Box<dyn Future<Output = ()>>>>;

/// Silences injected panics.
fn quiet_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panicked| {
            let asked_for = panicked.payload_as_str().is_some_and(|text| text.contains("a test asked for it"));
            if !asked_for {
                usual(panicked);
            }
        }));
    });
}
