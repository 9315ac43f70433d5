//! Tests the results of a producer against the live events of the same steps.

use super::MarketDecision;
use super::verdict::Verdict;
use crate::generator::Generator;
use crate::pricing::render::{market_id, odd_id};
use crate::producer::Producer;
use crate::recording::files::RecordingFiles;
use crate::recording::generator::{RecordingGenerator, ReplayOptions};
use crate::recording::wyscout::load;
use crate::simulator::generator::Simulator;
use crate::simulator::options::SimulatorOptions;
use crate::simulator::sports::{find, table};
use kvota_domain::feed::{Change, FeedUpdate, Time};
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::lang::Lang;
use kvota_domain::limits::RESULT_MATCHES_ASKED_MAX;
use kvota_domain::settlement::{MarketResult, MarketState, MatchResults, RequestedMatch};
use std::collections::{BTreeMap, BTreeSet};

const START_MS: i64 = 1_700_000_000_000;
const HOUR_MS: i64 = 3_600_000;

fn requested(match_id: MatchId) -> RequestedMatch {
    RequestedMatch { match_id, open_markets: Vec::new() }
}

/// The data of a match that a reader has received.
#[derive(Default)]
struct Seen {
    odds: BTreeMap<MarketId, BTreeSet<OddId>>,
    /// The markets of the latest event; empty once the match may not be bet on or has left.
    offered: BTreeSet<MarketId>,
    status: Option<String>,
    has_left: bool,
    results: BTreeMap<MarketId, MarketResult>,
    /// How often each market had a result.
    reported: BTreeMap<MarketId, u32>,
    version: i64,
}

/// Reads a producer's feed and checks the rules of results.
struct Reader {
    producer: Producer,
    now_ms: i64,
    seen: BTreeMap<MatchId, Seen>,
    /// Every message, in order.
    messages: Vec<MatchResults>,
}

impl Reader {
    fn new(producer: Producer) -> Reader {
        Reader { producer, now_ms: START_MS, seen: BTreeMap::new(), messages: Vec::new() }
    }

    /// Reads the feed for `for_ms`, in steps of `step_ms`.
    fn read(&mut self, for_ms: i64, step_ms: i64) {
        let until_ms = self.now_ms + for_ms;
        while self.now_ms < until_ms {
            self.now_ms += step_ms;
            for event in self.producer.step(self.now_ms) {
                let hr = event.updates.iter().find(|(lang, _)| *lang == Lang::Hr).expect("the primary language");
                self.see(&hr.1);
            }
            for message in self.producer.take_results() {
                self.take(message);
            }
        }
    }

    fn see(&mut self, update: &FeedUpdate) {
        for held in update.sports.iter().flat_map(|sport| &sport.matches) {
            let live_match = &held.live_match;
            let seen = self.seen.entry(live_match.id).or_default();
            assert!(!seen.has_left, "a match does not come back");
            seen.offered.clear();
            if held.change == Change::Delete {
                seen.has_left = true;
                continue;
            }
            seen.status = live_match.status.as_deref().map(str::to_owned);
            for market in &live_match.markets {
                assert!(!seen.results.contains_key(&market.id), "{} is offered after its result", market.id);
                seen.odds.entry(market.id).or_default().extend(market.odds.iter().map(|odd| odd.id));
                seen.offered.insert(market.id);
            }
        }
    }

    fn take(&mut self, message: MatchResults) {
        let seen = self.seen.get_mut(&message.match_id).expect("results of a match that was offered");
        assert_eq!(message.date_ms, Some(self.now_ms));
        assert!(!message.markets.is_empty());
        let version = message.markets[0].version;
        assert!(version > seen.version, "versions grow with each message of a match");
        seen.version = version;
        for market in &message.markets {
            assert_eq!(market.version, version);
            assert!(!seen.offered.contains(&market.market), "a decided market is off the offer before its result");
            let named: BTreeSet<OddId> = market.odds.iter().map(|odd| odd.odd).collect();
            match market.state {
                MarketState::Settled => assert_eq!(Some(&named), seen.odds.get(&market.market)),
                MarketState::Cancelled => {
                    assert!(named.is_empty() && market.void_windows.is_empty() && market.reason.is_some());
                    assert!(seen.odds.contains_key(&market.market));
                }
                state => panic!("{state:?}"),
            }
            *seen.reported.entry(market.market).or_default() += 1;
            seen.results.insert(market.market, market.clone());
        }
        self.messages.push(message);
    }

    /// Matches that have left the offer.
    fn left(&self) -> impl Iterator<Item = (&MatchId, &Seen)> {
        self.seen.iter().filter(|(_, seen)| seen.has_left)
    }

    /// The current results must equal the sum of all messages.
    fn compare_with_the_present_results(&mut self) {
        let all: Vec<RequestedMatch> = self.seen.keys().copied().map(requested).collect();
        let answers = all.chunks(RESULT_MATCHES_ASKED_MAX);
        let present: Vec<MatchResults> =
            answers.flat_map(|asked| self.producer.present_results(asked, self.now_ms)).collect();
        let with_results = self.seen.iter().filter(|(_, seen)| !seen.results.is_empty()).map(|(id, _)| *id);
        assert!(present.iter().map(|held| held.match_id).eq(with_results), "matches with results");
        for held in present {
            let seen = &self.seen[&held.match_id];
            assert_eq!(held.date_ms, Some(self.now_ms));
            let version = seen.version;
            let expected = seen.results.values().map(|market| MarketResult { version, ..market.clone() });
            let by_id = |markets: Vec<MarketResult>| -> BTreeMap<MarketId, MarketResult> {
                markets.into_iter().map(|market| (market.market, market)).collect()
            };
            assert_eq!(by_id(held.markets), by_id(expected.collect()));
        }
    }
}

fn simulated(options: SimulatorOptions) -> Producer {
    let simulator = Simulator::new(options).expect("it can be simulated");
    Producer::new(1, Lang::Hr, vec![Box::new(simulator)])
}

/// A few matches of one sport.
fn of_sport(key: &str, seed: u64) -> SimulatorOptions {
    SimulatorOptions { matches: 3, sports: vec![key.to_owned()], seed, rate: 0.05, ..SimulatorOptions::default() }
}

fn recorded(options: ReplayOptions) -> Producer {
    let generator = RecordingGenerator::open(&RecordingFiles::Embedded, options).expect("the embedded set is whole");
    Producer::new(1, Lang::Hr, vec![Box::new(generator) as Box<dyn Generator>])
}

/// Each market that was ever offered has exactly one result once its match has left.
fn is_settled_once(seen: &Seen) {
    assert_eq!(seen.reported.keys().collect::<Vec<_>>(), seen.odds.keys().collect::<Vec<_>>());
    assert!(seen.reported.values().all(|times| *times == 1));
}

#[test]
fn every_market_of_every_sport_gets_one_result_by_the_end_of_its_match() {
    for entry in table() {
        let mut reader = Reader::new(simulated(of_sport(entry.profile.key, 1)));
        // Longer than a match.
        let steps = 500;
        let step_ms = i64::from(entry.profile.minutes) * 60_000 * 3 / 2 / steps;
        reader.read(steps * step_ms, step_ms);
        assert!(reader.left().count() > 0, "{}", entry.profile.key);
        for (_, seen) in reader.left() {
            is_settled_once(seen);
            let is_cancelled = |market: &MarketResult| market.state == MarketState::Cancelled;
            let is_postponed = seen.status.as_deref() == Some("postponed");
            assert!(is_postponed || !seen.results.values().any(is_cancelled), "{:?}", seen.status);
        }
        reader.compare_with_the_present_results();
    }
}

#[test]
fn results_do_not_depend_on_large_steps() {
    let mut reader = Reader::new(simulated(SimulatorOptions { matches: 40, speed: 60.0, ..Default::default() }));
    reader.read(10 * 60_000, 5_000);
    assert!(reader.left().count() > 100);
    for (_, seen) in reader.left() {
        is_settled_once(seen);
    }
    reader.compare_with_the_present_results();
}

#[test]
fn the_same_seed_gives_the_same_results() {
    let messages = |seed| {
        let options = SimulatorOptions { matches: 18, speed: 60.0, seed, ..Default::default() }.with_abandoned(0.3);
        let mut reader = Reader::new(simulated(options).with_result_corrections(0.3, seed));
        reader.read(5 * 60_000, 2_000);
        reader.messages
    };
    assert_eq!(messages(4), messages(4));
    assert_ne!(messages(4), messages(5));
}

#[test]
fn abandoned_matches_keep_their_results_and_cancel_the_rest() {
    let options = SimulatorOptions { matches: 40, speed: 60.0, ..Default::default() }.with_abandoned(1.0);
    let mut reader = Reader::new(simulated(options));
    reader.read(5 * 60_000, 1_000);
    let of_status = |status: &str| reader.left().filter(|(_, seen)| seen.status.as_deref() == Some(status)).count();
    let (abandoned, all) = (of_status("abandoned"), reader.left().count());
    assert!(all > 100 && abandoned * 10 > all * 9, "{abandoned} of {all}");
    let (mut settled, mut cancelled) = (0, 0);
    for (_, seen) in reader.left() {
        is_settled_once(seen);
        if seen.status.as_deref() != Some("abandoned") {
            continue;
        }
        for market in seen.results.values() {
            match market.state {
                MarketState::Cancelled => {
                    assert_eq!(market.reason.as_deref(), Some("match abandoned"));
                    cancelled += 1;
                }
                _ => {
                    assert!(market.odds.iter().any(|odd| odd.result == Some(1)), "it was decided before");
                    settled += 1;
                }
            }
        }
    }
    assert!(settled > 100 && cancelled > 1_000, "{settled} settled, {cancelled} cancelled");
    reader.compare_with_the_present_results();
}

#[test]
fn a_share_of_abandoned_matches_changes_no_other_match() {
    let statuses = |share| {
        let options = SimulatorOptions { matches: 40, speed: 60.0, rate: 0.0, ..Default::default() };
        let mut reader = Reader::new(simulated(options.with_abandoned(share)));
        reader.read(2 * 60_000, 1_000);
        let left = reader.left().map(|(id, seen)| (*id, (seen.status.clone(), seen.results.clone())));
        left.collect::<BTreeMap<_, _>>()
    };
    let (without, with) = (statuses(0.0), statuses(0.2));
    assert!(without.values().all(|(status, _)| status.as_deref() != Some("abandoned")));
    let common = without.iter().filter(|(id, _)| with.get(id).is_some_and(|held| held.0.as_deref() == Some("ended")));
    let equal = common.clone().filter(|(id, held)| with[id].0 == held.0 && with[id].1 == held.1).count();
    assert!(equal > 10, "{equal} of {}", common.count());
}

#[test]
fn corrected_results_end_as_those_that_were_right_at_once() {
    let final_results = |share| {
        let options = SimulatorOptions { matches: 18, speed: 60.0, ..Default::default() };
        let mut reader = Reader::new(simulated(options).with_result_corrections(share, 9));
        reader.read(8 * 60_000, 2_000);
        reader.compare_with_the_present_results();
        let bare = |market: &MarketResult| (market.state, market.odds.clone());
        let twice = reader.seen.values().flat_map(|seen| seen.reported.values()).filter(|times| **times == 2).count();
        assert!(reader.seen.values().flat_map(|seen| seen.reported.values()).all(|times| *times <= 2));
        // What was decided in the last minutes may be corrected yet.
        let decided_ms = reader.now_ms - 5 * 60_000;
        let first: BTreeMap<MarketId, i64> = reader.messages.iter().rev().fold(BTreeMap::new(), |mut all, message| {
            all.extend(message.markets.iter().map(|market| (market.market, market.version)));
            all
        });
        let markets = reader.seen.values().flat_map(|seen| seen.results.values());
        let old = markets.filter(|market| first[&market.market] < decided_ms);
        let results: BTreeMap<MarketId, _> = old.map(|market| (market.market, bare(market))).collect();
        (results, twice, reader.messages)
    };
    let (right, none, _) = final_results(0.0);
    let (corrected, twice, messages) = final_results(0.5);
    assert_eq!(none, 0);
    assert!(right.len() > 1_000 && twice * 3 > right.len(), "{twice} of {}", right.len());
    assert_eq!(right, corrected);
    let mut wrong: BTreeMap<MarketId, &MarketResult> = BTreeMap::new();
    for market in messages.iter().flat_map(|message| &message.markets) {
        if let Some(before) = wrong.insert(market.market, market) {
            let winners = |market: &MarketResult| -> BTreeSet<OddId> {
                market.odds.iter().filter(|odd| odd.result == Some(1)).map(|odd| odd.odd).collect()
            };
            assert_ne!(winners(before), winners(market), "another outcome had won");
            assert!(market.version - before.version >= 60_000, "minutes later");
        }
    }
}

#[test]
fn results_of_a_match_are_present_for_a_day_after_it_has_left() {
    let mut reader = Reader::new(recorded(ReplayOptions { speed: 200.0, start_s: 80 * 60, ..Default::default() }));
    reader.read(30_000, 1_000);
    let (first, left_ms) = (*reader.left().next().expect("a match that has left").0, reader.now_ms);
    let present = |reader: &mut Reader, now_ms: i64| {
        reader.producer.step(now_ms);
        reader.producer.present_results(&[requested(first)], now_ms)
    };
    let at_once = reader.producer.present_results(&[requested(first)], left_ms);
    assert!(at_once[0].markets.len() > 50);
    let later = present(&mut reader, left_ms + 24 * HOUR_MS - 60_000);
    assert_eq!(later[0].markets, at_once[0].markets);
}

#[test]
fn every_recorded_market_gets_one_result_and_none_is_cancelled() {
    let mut reader = Reader::new(recorded(ReplayOptions { speed: 60.0, start_s: -60, ..Default::default() }));
    // The league, then the World Cup with its extra times and shoot-outs.
    reader.read(320_000, 500);
    assert!(reader.left().count() >= 15, "{}", reader.left().count());
    for (_, seen) in reader.left() {
        is_settled_once(seen);
        assert!(seen.results.values().all(|market| market.state == MarketState::Settled));
    }
    reader.compare_with_the_present_results();
}

/// France - Croatia 4:2, with goals in the minutes 18, 28, 38, 59, 65 and 69.
#[test]
fn markets_of_a_recorded_match_are_settled_in_the_minute_that_decides_them() {
    const HALF_TIME: &str = "half_time";
    const ENDED: &str = "ended";
    let loaded = load(&RecordingFiles::Embedded).expect("the embedded set");
    let recording = loaded.recordings.into_iter().find(|held| held.id == 2_058_017).expect("the final");
    let options = ReplayOptions { start_s: -60, ..ReplayOptions::default() };
    let mut generator = RecordingGenerator::new(vec![recording], options);
    // When each market was decided, as a clock shows it, and the answers that had won.
    let mut decided: BTreeMap<MarketId, (String, Vec<OddId>)> = BTreeMap::new();
    for second in 0..7_200 {
        let changes = generator.advance(START_MS + second * 1_000);
        for market in generator.take_decisions().into_iter().flat_map(|decisions| decisions.markets) {
            let (live_match, time) = changes[0].state.render(Lang::En, START_MS + second * 1_000);
            let when = match time {
                Time::Seconds(seconds) if live_match.clock_stopped == Some(false) => (seconds / 60 + 1).to_string(),
                _ => live_match.status.expect("a status").to_string(),
            };
            let MarketDecision::Settled(odds) = market.outcome else { panic!("a recorded match is never cancelled") };
            let won = odds.into_iter().filter(|(_, verdict)| *verdict == Verdict::Won).map(|(odd, _)| odd);
            assert!(decided.insert(market.market, (when, won.collect())).is_none());
        }
    }
    let (under, over, yes, home, nobody, away) = (0, 1, 0, 0, 1, 2);
    let soccer = find("soccer").expect("a sport of the table");
    // The number of the market, its line, when it is decided, and the answer that wins.
    for (number, line, when, answer) in [
        (18, 0, "18", over),
        (18, 1, "28", over),
        (18, 2, "38", over),
        (18, 3, "59", over),
        (18, 4, "65", over),
        (18, 5, "69", over),
        (18, 6, ENDED, under),
        (19, 0, "18", over),
        (19, 1, "38", over),
        (19, 2, "59", over),
        (20, 0, "28", over),
        (21, 0, "18", over),
        (21, 2, "38", over),
        (21, 3, HALF_TIME, under),
        (22, 1, "65", over),
        (14, 0, "18", home),
        (7, 0, "18", home),
        (7, 1, "28", away),
        (7, 2, "38", home),
        (7, 5, "69", away),
        (7, 6, ENDED, nobody),
        (10, 0, "28", yes),
        (16, 0, "28", 1),
        (4, 0, HALF_TIME, home),
        (35, 0, HALF_TIME, 13),
        (36, 0, HALF_TIME, 0),
        (5, 0, ENDED, home),
        (1, 0, ENDED, home),
        (11, 0, ENDED, 100),
        (15, 0, ENDED, away),
        (60, 0, ENDED, home),
        (61, 0, ENDED, 1),
    ] {
        // The first match takes the first block.
        let kind = soccer.profile.kinds.iter().position(|spec| spec.number == number).expect("a market") as u16;
        let market = market_id(&soccer.catalogue, 0, kind, line).expect("a small id");
        let odd = odd_id(&soccer.catalogue, 0, kind, line, answer).expect("a small id");
        assert_eq!(decided.get(&market), Some(&(when.to_owned(), vec![odd])), "{number} {line}");
    }
}
