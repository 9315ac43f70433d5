//! The cost of a provider's feed: messages through a bare XML reader, through reading and mapping, and written down in
//! four languages; and how long a burst of 20,000 odds changes takes. `make uof-cost` prints it. Must use the allocator of
//! the program, because reading allocates and the bare reader does not.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use kvota_domain::lang::Lang;
use kvota_simulator::generator::Generator;
use kvota_simulator::producer::Producer;
use kvota_simulator::simulator::generator::Simulator;
use kvota_simulator::simulator::options::SimulatorOptions;
use kvota_uof::adapter::{Adapter, Answer, Settings};
use kvota_uof::message::Message;
use kvota_uof::question::Question;
use kvota_uof_provider::provider::Provider;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// The allocator of the program.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const START_MS: i64 = 1_700_000_000_000;
const STEP_MS: i64 = 200;
const MATCHES: u32 = 500;
const BURST: usize = 20_000;
/// Messages between two steps of a reader: a step takes at least 20 ms.
const BATCH: usize = 256;
/// Measurements, of which the quickest of each counts.
const ROUNDS: usize = 5;

fn main() {
    let simulator = Simulator::new(SimulatorOptions { matches: MATCHES, rate: 0.2, ..SimulatorOptions::default() });
    let generators: Vec<Box<dyn Generator>> = vec![Box::new(simulator.expect("it can be simulated"))];
    let mut provider = Provider::new(Producer::new(1, Lang::En, generators), Lang::En);
    let mut first: Vec<String> = provider.step(START_MS).into_iter().map(|sent| sent.body).collect();
    let mut burst = Vec::new();
    let mut now_ms = START_MS;
    while burst.len() < BURST {
        now_ms += STEP_MS;
        burst.extend(
            provider.step(now_ms).into_iter().map(|sent| sent.body).filter(|body| body.contains("<odds_change")),
        );
    }
    burst.truncate(BURST);
    let bytes: usize = burst.iter().map(String::len).sum();
    println!("{BURST} odds changes of {MATCHES} matches, {} bytes each", bytes / BURST);

    let quickest = |work: &mut dyn FnMut()| {
        let times = (0..ROUNDS).map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed()
        });
        times.min().unwrap_or_default()
    };
    let bare = quickest(&mut || burst.iter().for_each(|body| read(body)));
    let parsed = quickest(&mut || burst.iter().for_each(|body| drop(Message::parse(body.as_bytes()))));
    first.retain(|body| body.contains("<odds_change"));
    let mapped = quickest_mapped(&provider, &first, &burst, now_ms, None);
    let written = quickest_mapped(&provider, &first, &burst, now_ms, Some(BATCH));
    report("a bare XML reader, with attributes", bare, bare);
    report("read as messages", parsed, bare);
    report("read and mapped", mapped, bare);
    report("read, mapped and written in four languages", written, bare);
    println!("  a burst of {BURST} odds changes is shown after {:.2} s", written.as_secs_f64());
}

/// Reads every element and attribute.
fn read(body: &str) {
    let mut reader = Reader::from_str(body);
    let mut seen = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                seen +=
                    element.attributes().filter_map(Result::ok).map(|attribute| attribute.value.len()).sum::<usize>();
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    std::hint::black_box(seen);
}

/// The quickest time of handling the burst after the first messages; with a batch the changes are written down after so
/// many messages.
fn quickest_mapped(
    provider: &Provider,
    first: &[String],
    burst: &[String],
    now_ms: i64,
    batch: Option<usize>,
) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let mut adapter = Adapter::new(Settings {
            producers: vec![1],
            silence_ms: i64::MAX,
            waits: BTreeSet::new(),
            first_request_id: 1,
        });
        handle(&mut adapter, first, now_ms, None);
        answer(&mut adapter, provider, now_ms);
        adapter.take_changes(now_ms);
        let begun = Instant::now();
        handle(&mut adapter, burst, now_ms, batch);
        begun.elapsed()
    });
    times.min().unwrap_or_default()
}

fn handle(adapter: &mut Adapter, bodies: &[String], now_ms: i64, batch: Option<usize>) {
    for chunk in bodies.chunks(batch.unwrap_or(usize::MAX)) {
        for body in chunk {
            if let Ok(message) = Message::parse(body.as_bytes()) {
                adapter.message(message, None, now_ms, now_ms);
            }
        }
        if batch.is_some() {
            for change in adapter.take_changes(now_ms) {
                for lang in Lang::ALL {
                    std::hint::black_box(change.as_match(lang, now_ms));
                }
            }
        }
    }
}

/// Answers the adapter's questions from the provider's documents.
fn answer(adapter: &mut Adapter, provider: &Provider, now_ms: i64) {
    loop {
        let questions = adapter.take_questions();
        if questions.is_empty() {
            return;
        }
        for question in questions {
            let lang = question.lang().map_or("", Lang::code);
            let path = question.path(lang, "liveodds", 1);
            let path = path.split('?').next().unwrap_or_default();
            let answer = match question {
                Question::Recovery { .. } | Question::OfEvent { .. } => Answer::Body(Vec::new()),
                _ => provider
                    .document(path, "http://127.0.0.1/v1", now_ms)
                    .map_or(Answer::Absent, |document| Answer::Body(document.into_bytes())),
            };
            adapter.answer(&question, answer, now_ms);
        }
    }
}

fn report(what: &str, time: Duration, bare: Duration) {
    let a_message_us = time.as_secs_f64() * 1e6 / BURST as f64;
    let a_second = BURST as f64 / time.as_secs_f64();
    let ratio = time.as_secs_f64() / bare.as_secs_f64();
    println!("  {what}: {a_message_us:.1} us a message, {a_second:.0} a second, {ratio:.2} times the bare reader");
}
