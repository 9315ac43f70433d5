//! The path of a change through the server, each step by itself: decode, apply, delta, encode, compose a frame, fan it out
//! to a worker's connections. `make bench` prints them beside the last run that was kept (`make bench-keep`).

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kvota::actors::messages::events::{OfferEvent, Scope, Told};
use kvota::actors::publisher::outbox::Outbox;
use kvota::actors::publisher::rooms::Rooms;
use kvota::domain::aggregate::MatchState;
use kvota::domain::delta::{PartDelta, between};
use kvota::domain::feed::{Change, FeedUpdate, MatchUpdate};
use kvota::domain::ids::MatchId;
use kvota::domain::lang::{Lang, PerLang};
use kvota::domain::sport::PreferredColumn;
use kvota::feed::generator::Generator;
use kvota::feed::producer::Producer;
use kvota::feed::recording::files::RecordingFiles;
use kvota::feed::recording::generator::{RecordingGenerator, ReplayOptions};
use kvota::read_model::ReadModel;
use kvota::wire::Spelling;
use kvota::wire::feed::{UpdateLimits, decode_update, encode};
use kvota::wire::hub::command::{Sports, Watch};
use kvota::wire::hub::fragment::Fragment;
use kvota::wire::hub::frame::compose;
use kvota::wire::hub::message::{FeedState, Message, Part};
use std::collections::HashMap;
use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Poll, Waker};

const START_MS: i64 = 1_700_000_000_000;
/// Three minutes of ten recorded matches.
const SECONDS: i64 = 180;
/// Connections of one worker that watch the same.
const CONNECTIONS: usize = 2_000;
/// Changes in a frame, as a busy gathering of 50 ms has them.
const MESSAGES: usize = 8;

/// A match before an update, and the update.
struct Step {
    before: MatchState,
    update: MatchUpdate,
    date_ms: i64,
}

/// What the recorded matches went through.
struct Story {
    events: Vec<Vec<u8>>,
    steps: Vec<Step>,
    columns: Vec<PreferredColumn>,
}

impl Story {
    fn told() -> Story {
        let options = ReplayOptions { start_s: 20 * 60, ..ReplayOptions::default() };
        let recording =
            RecordingGenerator::open(&RecordingFiles::Embedded, options).expect("the recordings are built in");
        let generators: Vec<Box<dyn Generator>> = vec![Box::new(recording)];
        let mut producer = Producer::new(1, Lang::Hr, generators);
        let mut story = Story { events: Vec::new(), steps: Vec::new(), columns: Vec::new() };
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
                        before.updated(update, date_ms, &self.columns).0
                    }
                };
                held.insert(update.id(), state);
            }
        }
    }

    /// The row changes of the story.
    fn changes(&self) -> Vec<Message> {
        let change = |step: &Step| {
            let (after, delta) = step.before.updated(&step.update, step.date_ms, &self.columns);
            let PartDelta::Change(change) = delta.row? else { return None };
            let follows = step.before.row_revision;
            Some(Message::Change { state: Arc::new(after), part: Part::Row, follows, change })
        };
        self.steps.iter().filter_map(change).collect()
    }
}

fn steps(criterion: &mut Criterion) {
    let story = Story::told();
    let changes = story.changes();
    let mut group = criterion.benchmark_group("an update of a match");
    group.throughput(Throughput::Elements(story.steps.len() as u64));
    group.bench_function("decode", |bench| {
        bench
            .iter(|| story.events.iter().for_each(|event| drop(black_box(decode_update(event, &UpdateLimits::EVENT)))));
    });
    group.bench_function("apply", |bench| {
        let apply = |step: &Step| drop(black_box(step.before.updated(&step.update, step.date_ms, &story.columns)));
        bench.iter(|| story.steps.iter().for_each(apply));
    });
    let pairs: Vec<(&MatchState, MatchState)> = story
        .steps
        .iter()
        .map(|step| (&step.before, step.before.updated(&step.update, step.date_ms, &story.columns).0))
        .collect();
    group.bench_function("delta", |bench| {
        bench.iter(|| pairs.iter().for_each(|(old, new)| drop(black_box(between(old.split(), new.split())))));
    });
    group.finish();

    let mut group = criterion.benchmark_group("a change of a row");
    group.throughput(Throughput::Elements(changes.len() as u64));
    for (name, spelling) in [("encode", Spelling::Msgpack), ("encode as JSON", Spelling::Json)] {
        group.bench_function(name, |bench| {
            let fresh = || changes.iter().cloned().map(Fragment::new).collect::<Vec<_>>();
            let encode = |fragments: Vec<Fragment>| {
                for fragment in &fragments {
                    black_box(fragment.bytes(Lang::Hr, spelling));
                }
                fragments
            };
            bench.iter_batched(fresh, encode, BatchSize::LargeInput);
        });
    }
    group.finish();
}

fn frames(criterion: &mut Criterion) {
    let changes = Story::told().changes();
    let fragments: Vec<Fragment> = changes.iter().take(MESSAGES).cloned().map(Fragment::new).collect();
    let parts: Vec<&[u8]> = fragments.iter().map(|fragment| &fragment.bytes(Lang::Hr, Spelling::Msgpack)[..]).collect();
    let mut group = criterion.benchmark_group("a frame");
    group.bench_function("compose", |bench| {
        bench.iter(|| black_box(compose(Spelling::Msgpack, black_box(&parts).iter().copied())));
    });
    group.finish();

    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    Lang::ALL.into_iter().for_each(|lang| model.set_feed(lang, FeedState::Active));
    let mut rooms = Rooms::new(Arc::clone(&model));
    let watch = Watch { sports: Sports::All, favourites: false, matches: Vec::new() };
    let outboxes: Vec<Rc<Outbox>> = (0..CONNECTIONS)
        .map(|_| {
            let outbox = Rc::new(Outbox::new(Lang::Hr, Spelling::Msgpack, Arc::clone(&model)));
            rooms.enter(Rc::clone(&outbox));
            rooms.watch(&outbox, None, &watch, &[]);
            outbox
        })
        .collect();
    let mut told = changes.iter().cycle().map(|change| {
        let Message::Change { state, .. } = change else { unreachable!("only changes are kept") };
        let scope = Scope::Row(state.live_match.sport_id, state.live_match.id);
        Told(Arc::from(vec![OfferEvent::urgent(scope, change.clone())]))
    });
    let mut group = criterion.benchmark_group("fan-out");
    group.throughput(Throughput::Elements(CONNECTIONS as u64));
    group.bench_function("a change to 2,000 connections", |bench| {
        let fresh = || told.next().expect("a cycle has no end");
        let deliver = |told: Told| {
            rooms.deliver(&told);
            rooms.flush_all();
            for outbox in &outboxes {
                while let Poll::Ready(Some(frame)) = outbox.poll_frame(Waker::noop()) {
                    black_box(frame);
                }
            }
        };
        bench.iter_batched(fresh, deliver, BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(paths, steps, frames);
criterion_main!(paths);
