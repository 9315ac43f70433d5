//! The figures of docs/performance.md that are counts and averages over the recorded matches: bytes on the wire, sizes
//! of the offer, the cost of an update. `make figures` prints them. Times depend on the machine; compare the ratios.

use kvota::actors::offer_context::OfferContext;
use kvota::actors::system::run_until_ended;
use kvota::hub::outbox::{Outbox, SocketSink};
use kvota::hub::publishers::Publishers;
use kvota_domain::aggregate::MatchState;
use kvota_domain::delta::{MatchDelta, PartDelta};
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate};
use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::FeedState;
use kvota_domain::sport::{PreferredColumn, SportInfo};
use kvota_feed::{FeedInput, FeedSink, FeedSource, Position, SnapshotRequest};
use kvota_load::process::thread_times;
use kvota_read_model::{Base, Coding, OfferQuery, ReadModel};
use kvota_simulator::generator::Generator;
use kvota_simulator::producer::Producer;
use kvota_simulator::recording::files::RecordingFiles;
use kvota_simulator::recording::generator::{RecordingGenerator, ReplayOptions};
use kvota_wire::Encoding;
use kvota_wire::feed::{Decoder, UpdateLimits, decode_update, encode};
use kvota_wire::hub::command::{Sports, Watch};
use kvota_wire::hub::fragment::Fragment;
use kvota_wire::hub::message::{Message, Part};
use kvota_wire::matches::View;
use std::collections::HashMap;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

const START_MS: i64 = 1_700_000_000_000;
/// Ten minutes of ten matches.
const SECONDS: i64 = 600;
/// Match updates per second of a busy day, and the seconds for which they are sent.
const STEADY_HZ: u32 = 5_000;
const STEADY_S: u64 = 20;

fn main() {
    let events = recorded_events(Lang::Hr);
    wire(&events);
    costs(&events);
    steady(&events);
    offer(&events);
}

/// Live events in a language from minute 20 on, at most one a second.
fn recorded_events(lang: Lang) -> Vec<FeedUpdate> {
    let options = ReplayOptions { start_s: 20 * 60, ..ReplayOptions::default() };
    let recording = RecordingGenerator::open(&RecordingFiles::Embedded, options).expect("the recordings are built in");
    let generators: Vec<Box<dyn Generator>> = vec![Box::new(recording)];
    let mut producer = Producer::new(1, Lang::Hr, generators);
    let mut events = Vec::new();
    for second in 0..SECONDS {
        for event in producer.step(START_MS + second * 1000) {
            events.extend(event.updates.into_iter().filter(|(of, _)| *of == lang).map(|(_, update)| update));
        }
    }
    events
}

/// Applies events as the actors do, and calls `seen` with the state before and after every update.
fn replay(
    events: &[FeedUpdate],
    seen: impl FnMut(&MatchState, &MatchState, &MatchDelta),
) -> HashMap<MatchId, MatchState> {
    replay_all(events.to_vec(), &columns(events), seen)
}

fn replay_all(
    events: Vec<FeedUpdate>,
    columns: &[PreferredColumn],
    mut seen: impl FnMut(&MatchState, &MatchState, &MatchDelta),
) -> HashMap<MatchId, MatchState> {
    let mut held: HashMap<MatchId, MatchState> = HashMap::new();
    for event in events {
        let date_ms = event.date_ms.unwrap_or_default();
        for update in event.sports.into_iter().flat_map(|sport| sport.matches) {
            match (update.change, held.get(&update.id())) {
                (Change::Delete, _) => {
                    held.remove(&update.id());
                }
                (_, None) => {
                    held.insert(update.id(), inserted(&update, date_ms, columns));
                }
                (_, Some(before)) => {
                    let (id, (after, delta)) = (update.id(), before.updated(update, date_ms, columns));
                    seen(before, &after, &delta);
                    held.insert(id, after);
                }
            }
        }
    }
    held
}

fn inserted(update: &MatchUpdate, date_ms: i64, columns: &[PreferredColumn]) -> MatchState {
    MatchState::inserted(update, date_ms, columns, PerLang::default(), 1)
}

fn columns(events: &[FeedUpdate]) -> Vec<PreferredColumn> {
    events.iter().flat_map(|event| &event.sports).find_map(|sport| sport.sport.preferred.clone()).unwrap_or_default()
}

fn wire(events: &[FeedUpdate]) {
    let (mut changes, mut odds, mut bytes, mut json, mut whole, mut row_whole) = (0, 0, 0, 0, 0, 0);
    let mut single = Vec::new();
    replay(events, |before, after, delta| {
        let Some(PartDelta::Change(change)) = &delta.row else { return };
        if change.prices.is_empty() || change.markets.is_some() || !change.fields.is_empty() {
            return;
        }
        let message = Message::Change {
            state: Arc::new(after.clone()),
            part: Part::Row,
            follows: before.row_revision,
            change: change.clone(),
        };
        let fragment = Fragment::new(message);
        let row = Fragment::new(Message::Match { state: Arc::new(after.clone()), date_ms: START_MS });
        changes += 1;
        odds += change.prices.len();
        bytes += fragment.bytes(Lang::Hr, Encoding::Msgpack).len();
        json += fragment.bytes(Lang::Hr, Encoding::Json).len();
        row_whole += row.bytes(Lang::Hr, Encoding::Msgpack).len();
        whole += encode::update(&one(after)).len();
        if change.prices.len() == 1 {
            single.push(fragment.bytes(Lang::Hr, Encoding::Msgpack).len());
        }
    });
    let per = |total: usize| total as f64 / f64::from(changes.max(1));
    say("row changes that are prices alone", &format!("{changes}, with {:.1} odds each", per(odds)));
    say(
        "  as the hub's fragment",
        &format!("{:.1} bytes, {:.1} an odd", per(bytes), bytes as f64 / odds.max(1) as f64),
    );
    say("  the same as JSON", &format!("{:.1} bytes ({:.1} x)", per(json), json as f64 / bytes.max(1) as f64));
    say(
        "  the row told whole",
        &format!("{:.0} bytes ({:.0} x)", per(row_whole), row_whole as f64 / bytes.max(1) as f64),
    );
    say(
        "  the whole match of the feed",
        &format!("{:.0} bytes ({:.0} x)", per(whole), whole as f64 / bytes.max(1) as f64),
    );
    say("one odd alone, at most", &format!("{} bytes", single.iter().max().copied().unwrap_or_default()));
}

fn one(state: &MatchState) -> FeedUpdate {
    let update = MatchUpdate {
        change: Change::Update,
        live_match: (*state.live_match).clone(),
        time: kvota_domain::feed::Time::Seconds(1800),
        texts: None,
    };
    let sport = kvota_domain::sport::SportPatch::empty(state.live_match.sport_id);
    let sports = vec![kvota_domain::feed::SportUpdate { sport, matches: vec![update] }];
    FeedUpdate { sports, number_of_matches: Some(10), date_ms: Some(START_MS), ..FeedUpdate::default() }
}

fn costs(events: &[FeedUpdate]) {
    let mut updates = 0_u32;
    replay(events, |_, _, _| updates += 1);
    let messages: Vec<Vec<u8>> = events.iter().map(encode::update).collect();
    let mut decoder = Decoder::default();
    let decode =
        best(|| (), |()| messages.iter().for_each(|message| drop(decoder.update(message, &UpdateLimits::EVENT))));
    let anew = best(|| (), |()| messages.iter().for_each(|message| drop(decode_update(message, &UpdateLimits::EVENT))));
    let decoded: Vec<FeedUpdate> = messages
        .iter()
        .filter_map(|message| Some(decoder.update(message, &UpdateLimits::EVENT).ok()?.update))
        .collect();
    let (fresh, columns) = (|| decoded.clone(), columns(events));
    let apply = best(fresh, |events| drop(replay_all(events, &columns, |_, _, _| {})));
    let fragments = best(fresh, |events| {
        replay_all(events, &columns, |before, after, delta| {
            for (part, change, follows) in
                [(Part::Row, &delta.row, before.row_revision), (Part::Detail, &delta.detail, before.detail_revision)]
            {
                if let Some(PartDelta::Change(change)) = change {
                    let state = Arc::new(after.clone());
                    let message = Message::Change { state, part, follows, change: change.clone() };
                    Fragment::new(message).bytes(Lang::Hr, Encoding::Msgpack);
                }
            }
        });
    });
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(updates.max(1));
    say("match updates", &format!("{updates} in {} messages", messages.len()));
    say("  decode", &format!("{:.1} us an update", each(decode)));
    say("  decode without the markets of the last message", &format!("{:.1} us", each(anew)));
    say("  apply and delta", &format!("{:.1} us ({:.2} x decode)", each(apply), ratio(apply, decode)));
    let fragment = fragments.saturating_sub(apply);
    say("  fragments", &format!("{:.1} us ({:.2} x decode)", each(fragment), ratio(fragment, decode)));
    let path = best(|| (), |()| whole_path(&mut decoder, &messages, &columns, &mut []));
    let mut others: Vec<OtherLanguage> =
        Lang::ALL.into_iter().filter(|lang| *lang != Lang::Hr).map(OtherLanguage::new).collect();
    let in_all = best(|| (), |()| whole_path(&mut decoder, &messages, &columns, &mut others));
    say("  all of it, read model included", &format!("{:.1} us ({:.2} x decode)", each(path), ratio(path, decode)));
    say("  the same in four languages", &format!("{:.1} us ({:.2} x decode)", each(in_all), ratio(in_all, decode)));
    say("  so many updates a second on a core", &format!("{:.0}", f64::from(updates) / path.as_secs_f64()));
}

/// The messages of a language of which only the texts count.
struct OtherLanguage {
    lang: Lang,
    decoder: Decoder,
    messages: Vec<Vec<u8>>,
}

impl OtherLanguage {
    fn new(lang: Lang) -> OtherLanguage {
        let messages = recorded_events(lang).iter().map(encode::update).collect();
        OtherLanguage { lang, decoder: Decoder::default(), messages }
    }

    fn take(&mut self, place: usize, model: &ReadModel) {
        let Ok(decoded) = self.decoder.texts(&self.messages[place], &UpdateLimits::EVENT, self.lang) else { return };
        for update in decoded.update.sports.into_iter().flat_map(|sport| sport.matches) {
            let Some(entry) = model.entry(update.id()) else { continue };
            if let Some(next) = entry.state.with_texts(self.lang, &update) {
                model.put_match(Arc::new(next));
            }
        }
    }
}

/// All steps from a feed message to bytes for the sockets, in one call.
fn whole_path(decoder: &mut Decoder, messages: &[Vec<u8>], columns: &[PreferredColumn], others: &mut [OtherLanguage]) {
    let model = ReadModel::new(Lang::Hr, 1);
    for (place, message) in messages.iter().enumerate() {
        others.iter_mut().for_each(|other| other.take(place, &model));
        let Ok(decoded) = decoder.update(message, &UpdateLimits::EVENT) else { continue };
        let event = decoded.update;
        let date_ms = event.date_ms.unwrap_or_default();
        for update in event.sports.into_iter().flat_map(|sport| sport.matches) {
            match (update.change, model.entry(update.id())) {
                (Change::Delete, _) => model.remove_match(update.id()),
                (_, None) => drop(model.put_match(Arc::new(inserted(&update, date_ms, columns)))),
                (_, Some(entry)) => {
                    let before = &entry.state;
                    let (after, delta) = before.updated(update, date_ms, columns);
                    let after = Arc::new(after);
                    model.put_match(Arc::clone(&after));
                    model.record_prices(before, &after, date_ms);
                    let parts = [
                        (Part::Row, delta.row, before.row_revision),
                        (Part::Detail, delta.detail, before.detail_revision),
                    ];
                    for (part, change, follows) in parts {
                        if let Some(PartDelta::Change(change)) = change {
                            let message = Message::Change { state: Arc::clone(&after), part, follows, change };
                            Fragment::new(message).bytes(Lang::Hr, Encoding::Msgpack);
                        }
                    }
                }
            }
        }
    }
}

/// The same through the actors, at a steady rate, to one connection that watches everything, all on this thread. If a
/// queue grew, the last third would be later than the first.
fn steady(events: &[FeedUpdate]) {
    let matches = replay(events, |_, _, _| {}).into_keys().collect();
    let late: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let feed = Steady {
        messages: events.iter().map(|event| (updates_of(event), encode::update(event))).collect(),
        late: Arc::clone(&late),
    };
    let core = actix::System::new().block_on(async move {
        let model = Arc::new(ReadModel::new(Lang::Hr, 1));
        let offer = OfferContext::new(Arc::clone(&model));
        let rooms = Publishers::default().start_here(&offer);
        let outbox = Rc::new(Outbox::new(Lang::Hr, Encoding::Msgpack, model));
        outbox.connect(Rc::new(DiscardingSink), &[]);
        let id = rooms.borrow_mut().enter(Rc::clone(&outbox));
        rooms.borrow_mut().watch(id, &Watch { sports: Sports::All, favourites: false, matches, bets: false }, &[]);
        let busy = || thread_times().map_or(0.0, |(on_core, _)| on_core.as_secs_f64());
        let before = (Instant::now(), busy());
        let run = run_until_ended(&offer, || START_MS, Box::new(feed));
        if tokio::time::timeout(Duration::from_secs(2 * STEADY_S), run).await.is_err() {
            say("  the feed", "was not taken in twice the time");
        }
        (busy() - before.1) / before.0.elapsed().as_secs_f64()
    });
    let late = late.lock().unwrap_or_else(PoisonError::into_inner);
    let p99_ms = |part: &[Duration]| {
        let mut sorted = part.to_vec();
        sorted.sort_unstable();
        sorted.get(sorted.len() * 99 / 100).map_or(0.0, |late| late.as_secs_f64() * 1000.0)
    };
    let third = late.len() / 3;
    say(&format!("{STEADY_HZ} updates a second"), &format!("for {STEADY_S} s, {:.0} % of a core", core * 100.0));
    say(
        "  late by, p99",
        &format!(
            "{:.1} ms in the first third, {:.1} ms in the last",
            p99_ms(&late[..third]),
            p99_ms(&late[2 * third..])
        ),
    );
}

fn updates_of(event: &FeedUpdate) -> u32 {
    event.sports.iter().map(|sport| sport.matches.len() as u32).sum()
}

/// A feed that sends match updates at a steady rate, decoding each message.
struct Steady {
    messages: Vec<(u32, Vec<u8>)>,
    late: Arc<Mutex<Vec<Duration>>>,
}

impl FeedSource for Steady {
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move { drop(self.speak(&sink, requests).await) })
    }
}

impl Steady {
    async fn speak(
        self,
        sink: &FeedSink,
        mut requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Result<(), mpsc::error::SendError<FeedInput>> {
        let at = |seq| Position { epoch: 1, seq };
        sink.send(FeedInput::Connected).await?;
        for _ in Lang::ALL {
            let Some(SnapshotRequest { lang, correlation }) = requests.recv().await else { return Ok(()) };
            let update = FeedUpdate { date_ms: Some(START_MS), ..FeedUpdate::default() };
            sink.send(FeedInput::Snapshot { lang, correlation, position: at(0), update }).await?;
        }
        let (begin, mut sent, mut decoder) = (Instant::now(), 0, Decoder::default());
        for (seq, (updates, message)) in (1..).zip(self.messages.iter().cycle()) {
            let due = begin + Duration::from_secs(1) * sent / STEADY_HZ;
            if due.duration_since(begin) > Duration::from_secs(STEADY_S) {
                break;
            }
            tokio::time::sleep_until(due).await;
            let Ok(decoded) = decoder.update(message, &UpdateLimits::EVENT) else { continue };
            sink.send(FeedInput::Event { lang: Lang::Hr, position: at(seq), update: decoded.update }).await?;
            self.late.lock().unwrap_or_else(PoisonError::into_inner).push(due.elapsed());
            sent += updates;
        }
        Ok(())
    }
}

/// A socket that accepts and drops everything.
struct DiscardingSink;

impl SocketSink for DiscardingSink {
    fn try_write(&self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

/// The best of several runs, since other work on the machine only makes a run longer. The setup is not measured.
fn best<T>(mut fresh: impl FnMut() -> T, mut run: impl FnMut(T)) -> Duration {
    let once = |_| {
        let made = fresh();
        let start = Instant::now();
        run(made);
        start.elapsed()
    };
    (0..9).map(once).min().unwrap_or_default()
}

fn offer(events: &[FeedUpdate]) {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    let held = replay(events, |_, _, _| {});
    let mut info = SportInfo::new(kvota_domain::ids::SOCCER);
    for sport in events.iter().flat_map(|event| &event.sports) {
        info.apply_primary(&sport.sport);
    }
    model.put_sport(Arc::new(info));
    model.set_feed(Lang::Hr, FeedState::Active);
    let matches = held.len();
    let odds: usize = held.values().map(|state| state.live_match.number_of_odds()).sum();
    held.into_values().for_each(|state| drop(model.put_match(Arc::new(state))));
    say("the offer", &format!("{matches} matches, {odds} odds"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime can be built");
    for (view, view_name) in [(View::Rows, "rows"), (View::Full, "full")] {
        for (encoding, name) in [(Encoding::Msgpack, "msgpack"), (Encoding::Json, "JSON")] {
            let size = |coding| {
                let query = OfferQuery { lang: Lang::Hr, encoding, view, coding, base: Base::Own };
                let body = runtime.block_on(model.offer(query, || START_MS));
                body.ok().flatten().map_or(0, |body| body.bytes.len())
            };
            let [plain, gzip, brotli] = [Coding::Identity, Coding::Gzip, Coding::Brotli].map(size);
            say(&format!("  {view_name}, {name}"), &format!("{plain} bytes, gzip {gzip}, brotli {brotli}"));
        }
    }
}

#[expect(clippy::print_stdout, reason = "printing is what it is for")]
fn say(what: &str, figure: &str) {
    println!("{what:<36} {figure}");
}
