//! The cost of a simulation: ten minutes of 1,000 matches of all sports at real speed, as a share of that time; the
//! number of updates per second; and the cost of a match of each sport. `make simulator-cost` prints it.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use kvota_domain::lang::Lang;
use kvota_simulator::generator::Generator;
use kvota_simulator::producer::Producer;
use kvota_simulator::simulator::generator::Simulator;
use kvota_simulator::simulator::options::SimulatorOptions;
use kvota_simulator::simulator::sports::table;
use kvota_wire::feed::encode;
use kvota_wire::inflate::{Compression, compress};
use std::time::Duration;
use tokio::time::Instant;

const START_MS: i64 = 1_700_000_000_000;
const STEP_MS: i64 = 200;
/// Ten minutes.
const STEPS: i64 = 3_000;
const MATCHES: u32 = 1_000;

fn options(matches: u32) -> SimulatorOptions {
    SimulatorOptions { matches, rate: 0.0, ..SimulatorOptions::default() }
}

fn main() {
    println!("{MATCHES} matches, {} s of play at real-time speed", STEPS * STEP_MS / 1000);
    let generator = Simulator::new(options(MATCHES)).expect("it can be simulated");
    playing(generator);
    let generators: Vec<Box<dyn Generator>> = vec![Box::new(Simulator::new(options(MATCHES)).expect("it can be"))];
    publishing(Producer::new(1, Lang::Hr, generators));
    sports();
}

fn playing(mut simulator: Simulator) {
    let begun = Instant::now();
    let inserted = simulator.advance(START_MS).len();
    println!("  beginning {inserted} matches in all stages: {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    let begun = Instant::now();
    let mut updates = 0;
    for step in 1..=STEPS {
        updates += simulator.advance(START_MS + step * STEP_MS).len();
    }
    report("playing and pricing", begun.elapsed(), updates);
}

/// The work of `kvota feed` without the broker.
fn publishing(mut producer: Producer) {
    producer.step(START_MS);
    let mut updates = 0;
    let [mut made, mut encoded, mut packed] = [Duration::ZERO; 3];
    let mut bytes = 0;
    for step in 1..=STEPS {
        let begun = Instant::now();
        let events = producer.step(START_MS + step * STEP_MS);
        made += begun.elapsed();
        for event in &events {
            for (lang, update) in &event.updates {
                let begun = Instant::now();
                let body = encode::update(update);
                encoded += begun.elapsed();
                let begun = Instant::now();
                bytes += compress(&body, Compression::Deflate).expect("it compresses").len();
                packed += begun.elapsed();
                if *lang == Lang::Hr {
                    updates += update.sports.iter().map(|sport| sport.matches.len()).sum::<usize>();
                }
            }
        }
    }
    report("the same, put into four languages", made, updates);
    report("encoding the four", encoded, updates);
    report("deflating the four", packed, updates);
    println!("  {:.0} KB a second on the wire", bytes as f64 / 1e3 / seconds());
}

fn sports() {
    println!("one sport alone, 200 matches: share of a core, updates a second");
    for entry in table() {
        let sports = vec![entry.profile.key.to_owned()];
        let mut simulator = Simulator::new(SimulatorOptions { sports, ..options(200) }).expect("it can be simulated");
        simulator.advance(START_MS);
        let begun = Instant::now();
        let updates: usize = (1..=STEPS).map(|step| simulator.advance(START_MS + step * STEP_MS).len()).sum();
        report(entry.profile.name[1], begun.elapsed(), updates);
    }
}

fn seconds() -> f64 {
    (STEPS * STEP_MS) as f64 / 1000.0
}

fn report(what: &str, took: Duration, updates: usize) {
    let share = took.as_secs_f64() / seconds() * 100.0;
    let each = took.as_secs_f64() * 1e6 / f64::max(updates as f64, 1.0);
    println!("  {what}: {share:.2} % of a core, {:.1} updates a second, {each:.0} us each", updates as f64 / seconds());
}
