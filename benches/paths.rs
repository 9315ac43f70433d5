//! The path of a change through the server, step by step: decode, apply, delta, encode, compose a frame, send it to the
//! connections of one worker. `make bench` prints the times beside the kept run (`make bench-keep`).
//!
//! A step is measured in samples of some milliseconds of processor time. The quickest ones are compared, because other
//! programs disturb them least. The machine is at times slower or faster as a whole, so a change is compared with the
//! median change of all steps. If a step is slower by more than [`NOISE`], the run fails, unless it has `--only-print`.

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

use kvota::actors::messages::events::EventBatch;
use kvota::hub::encode::UpdateBatch;
use kvota::hub::outbox::Outbox;
use kvota::hub::rooms::Rooms;
use kvota_domain::aggregate::MatchState;
use kvota_domain::delta::{MatchDelta, PartDelta, between};
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate};
use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::FeedState;
use kvota_domain::offer_event::OfferEvent;
use kvota_domain::sport::PreferredColumn;
use kvota_read_model::ReadModel;
use kvota_simulator::generator::Generator;
use kvota_simulator::producer::Producer;
use kvota_simulator::recording::files::RecordingFiles;
use kvota_simulator::recording::generator::{RecordingGenerator, ReplayOptions};
use kvota_wire::Encoding;
use kvota_wire::feed::{Decoder, UpdateLimits, encode};
use kvota_wire::hub::command::{Sports, Watch};
use kvota_wire::hub::fragment::Fragment;
use kvota_wire::hub::frame::compose;
use kvota_wire::hub::message::{Message, Part};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::Duration;

const START_MS: i64 = 1_700_000_000_000;
/// Three minutes of ten recorded matches.
const SECONDS: i64 = 180;
/// Connections of one worker with the same subscription.
const CONNECTIONS: usize = 2_000;
/// Changes in one frame, as in a busy interval of 50 ms.
const MESSAGES: usize = 8;

/// Samples of a step.
const SAMPLES: usize = 40;
/// Target length of a sample.
const SAMPLE: Duration = Duration::from_millis(15);

/// A larger change of a step is no noise. In ten runs of the same code one after the other, beside a load test, a
/// step differed by at most 0.18 from the run before.
const NOISE: f64 = 0.25;

/// Times of one step, in ns per item.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Timed {
    best: f64,
    median: f64,
}

/// The processor time of this thread: other programs add only what the caches lose.
fn cpu_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("a time above zero")
}

/// Measures a step. One run handles `things` items; the setup by `fresh` is not measured.
fn time<T>(things: usize, mut fresh: impl FnMut() -> T, mut step: impl FnMut(&mut T)) -> Timed {
    let mut once = |times: u32| {
        let mut made: Vec<T> = (0..times).map(|_| fresh()).collect();
        let begin = cpu_time();
        made.iter_mut().for_each(&mut step);
        cpu_time() - begin
    };
    // The first run warms up, the second gives the number of runs in a sample.
    once(1);
    let times = (SAMPLE.as_nanos() / once(1).as_nanos().max(1)).clamp(1, 2_000) as u32;
    let each = |took: Duration| took.as_nanos() as f64 / f64::from(times) / things as f64;
    let mut samples: Vec<f64> = (0..SAMPLES).map(|_| each(once(times))).collect();
    samples.sort_by(f64::total_cmp);
    Timed { best: samples[0], median: samples[SAMPLES / 2] }
}

/// A match before an update, and the update.
struct Step {
    before: MatchState,
    update: MatchUpdate,
    date_ms: i64,
}

/// The events and updates of the recorded matches.
struct RecordedUpdates {
    events: Vec<Vec<u8>>,
    steps: Vec<Step>,
    columns: Vec<PreferredColumn>,
}

impl RecordedUpdates {
    fn read() -> RecordedUpdates {
        let options = ReplayOptions { start_s: 20 * 60, ..ReplayOptions::default() };
        let recording =
            RecordingGenerator::open(&RecordingFiles::Embedded, options).expect("the recordings are built in");
        let generators: Vec<Box<dyn Generator>> = vec![Box::new(recording)];
        let mut producer = Producer::new(1, Lang::Hr, generators);
        let mut story = RecordedUpdates { events: Vec::new(), steps: Vec::new(), columns: Vec::new() };
        let mut held: HashMap<MatchId, MatchState> = HashMap::new();
        for second in 0..SECONDS {
            for event in producer.step(START_MS + second * 1000) {
                let of_primary = event.updates.into_iter().filter(|(lang, _)| *lang == Lang::Hr);
                of_primary.for_each(|(_, update)| story.take(&update, &mut held));
            }
        }
        story
    }

    fn take(&mut self, event: &FeedUpdate, held: &mut HashMap<MatchId, MatchState>) {
        self.events.push(encode::update(event));
        let date_ms = event.date_ms.unwrap_or_default();
        for sport in &event.sports {
            if let Some(columns) = &sport.sport.preferred {
                self.columns.clone_from(columns);
            }
            for update in &sport.matches {
                let state = match (update.change, held.get(&update.id())) {
                    (Change::Delete, _) => continue,
                    (_, None) => MatchState::inserted(update, date_ms, &self.columns, PerLang::default(), 1),
                    (_, Some(before)) => {
                        self.steps.push(Step { before: before.clone(), update: update.clone(), date_ms });
                        before.updated(update.clone(), date_ms, &self.columns).0
                    }
                };
                held.insert(update.id(), state);
            }
        }
    }

    /// The row changes of these updates.
    fn changes(&self) -> Vec<Message> {
        let change = |step: &Step| {
            let (after, delta) = step.before.updated(step.update.clone(), step.date_ms, &self.columns);
            let PartDelta::Change(change) = delta.row? else { return None };
            let follows = step.before.row_revision;
            Some(Message::Change { state: Arc::new(after), part: Part::Row, follows, change })
        };
        self.steps.iter().filter_map(change).collect()
    }
}

fn steps(all: &mut Vec<(&'static str, Timed)>) {
    let story = RecordedUpdates::read();
    let changes = story.changes();
    let nothing = || ();
    let mut decoder = Decoder::default();
    let decode = |(): &mut ()| {
        for event in &story.events {
            drop(black_box(decoder.update(event, &UpdateLimits::EVENT)));
        }
    };
    all.push(("decode, an update", time(story.steps.len(), nothing, decode)));
    let updates = || story.steps.iter().map(|step| step.update.clone()).collect::<Vec<_>>();
    let apply = |updates: &mut Vec<MatchUpdate>| {
        for (step, update) in story.steps.iter().zip(updates.drain(..)) {
            drop(black_box(step.before.updated(update, step.date_ms, &story.columns)));
        }
    };
    all.push(("apply, an update", time(story.steps.len(), updates, apply)));
    let after = |step: &Step| step.before.updated(step.update.clone(), step.date_ms, &story.columns).0;
    let pairs: Vec<(&MatchState, MatchState)> = story.steps.iter().map(|step| (&step.before, after(step))).collect();
    let delta = |(): &mut ()| {
        for (old, new) in &pairs {
            drop(black_box(between(old.split(), new.split())));
        }
    };
    all.push(("delta, an update", time(pairs.len(), nothing, delta)));
    // A fragment caches its encoded bytes, so each run needs new ones.
    let fresh = || changes.iter().cloned().map(Fragment::new).collect::<Vec<_>>();
    for (name, encoding) in [("encode, a change", Encoding::Msgpack), ("encode as JSON, a change", Encoding::Json)] {
        let encode = |fragments: &mut Vec<Fragment>| {
            for fragment in fragments.iter() {
                black_box(fragment.bytes(Lang::Hr, encoding));
            }
        };
        all.push((name, time(changes.len(), fresh, encode)));
    }
    let fragments: Vec<Fragment> = changes.iter().take(MESSAGES).cloned().map(Fragment::new).collect();
    let parts: Vec<&[u8]> = fragments.iter().map(|fragment| &fragment.bytes(Lang::Hr, Encoding::Msgpack)[..]).collect();
    let frame = |(): &mut ()| drop(black_box(compose(Encoding::Msgpack, black_box(&parts).iter().copied())));
    all.push(("compose, a frame of 8 changes", time(1, nothing, frame)));
    all.push(("fan out, a connection", fan_out(&changes)));
}

/// Sends changes to all connections: rooms, frame, outboxes, and taking the frames off as a socket does.
fn fan_out(changes: &[Message]) -> Timed {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    Lang::ALL.into_iter().for_each(|lang| model.set_feed(lang, FeedState::Active));
    let mut rooms = Rooms::new(Arc::clone(&model), Duration::ZERO);
    let watch = Watch { sports: Sports::All, favourites: false, matches: Vec::new(), bets: false };
    let outboxes: Vec<Rc<Outbox>> = (0..CONNECTIONS)
        .map(|_| {
            let outbox = Rc::new(Outbox::new(Lang::Hr, Encoding::Msgpack, Arc::clone(&model)));
            let id = rooms.enter(Rc::clone(&outbox));
            rooms.watch(id, &watch, &[]);
            outbox
        })
        .collect();
    let mut batches = changes.iter().cycle().filter_map(|change| {
        let Message::Change { state, follows, change, .. } = change else { return None };
        let before = Arc::new(MatchState { row_revision: *follows, ..MatchState::clone(state) });
        let row = Some(PartDelta::Change(change.clone()));
        let delta = Box::new(MatchDelta { row, urgent: true, ..MatchDelta::default() });
        let event = OfferEvent::MatchChanged { before, after: Arc::clone(state), delta, date_ms: 0 };
        Some(EventBatch(Arc::from([event])))
    });
    let deliver = |batch: &mut EventBatch| {
        rooms.deliver(&UpdateBatch::of(batch.clone()));
        rooms.flush_all();
        for outbox in &outboxes {
            while let Poll::Ready(Some(frame)) = outbox.poll_frame(Waker::noop()) {
                black_box(frame);
            }
        }
    };
    time(CONNECTIONS, || batches.next().expect("a cycle has no end"), deliver)
}

/// How a step has changed, beside all steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Same,
    Slower,
    Faster,
}

/// `pace` is the median change of all steps.
fn verdict(kept: &Timed, now: &Timed, pace: f64) -> Verdict {
    let change = now.best / kept.best / pace;
    match () {
        () if change > 1.0 + NOISE => Verdict::Slower,
        () if change < 1.0 / (1.0 + NOISE) => Verdict::Faster,
        () => Verdict::Same,
    }
}

fn pace(kept: &BTreeMap<String, Timed>, all: &[(&str, Timed)]) -> f64 {
    let mut changes: Vec<f64> = all.iter().filter_map(|(name, now)| Some(now.best / kept.get(*name)?.best)).collect();
    changes.sort_by(f64::total_cmp);
    changes.get(changes.len() / 2).copied().unwrap_or(1.0)
}

fn main() -> ExitCode {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let mut all = Vec::new();
    steps(&mut all);
    let kept_in = std::env::var_os("KVOTA_BENCH_KEPT");
    let kept: BTreeMap<String, Timed> =
        kept_in.as_ref().and_then(|file| serde_json::from_slice(&std::fs::read(file).ok()?).ok()).unwrap_or_default();
    let pace = pace(&kept, &all);
    let mut slower = Vec::new();
    println!("{:<32}{:>12}{:>12}{:>12}{:>10}", "", "best, ns", "median, ns", "kept, ns", "change");
    for (name, now) in &all {
        let compared = kept.get(*name).map_or(String::new(), |kept| {
            let word = match verdict(kept, now, pace) {
                Verdict::Slower => {
                    slower.push(*name);
                    "  slower"
                }
                Verdict::Faster => "  faster",
                Verdict::Same => "",
            };
            format!("{:>12.1}{:>+9.1}%{word}", kept.best, (now.best / kept.best - 1.0) * 100.0)
        });
        println!("{name:<32}{:>12.1}{:>12.1}{compared}", now.best, now.median);
    }
    if !kept.is_empty() {
        println!(
            "all steps: {:+.1}%; a step that differs by less than {:.0}% from that is noise",
            (pace - 1.0) * 100.0,
            NOISE * 100.0
        );
    }
    if has("--keep")
        && let Some(file) = kept_in
    {
        let all: BTreeMap<&str, Timed> = all.into_iter().collect();
        std::fs::write(file, serde_json::to_vec_pretty(&all).expect("JSON")).expect("the file of the kept run");
        return ExitCode::SUCCESS;
    }
    if slower.is_empty() || has("--only-print") {
        return ExitCode::SUCCESS;
    }
    println!("slower than the kept run: {}", slower.join("; "));
    ExitCode::FAILURE
}
