//! The feed of the provider: matches of a producer in, messages and documents out. The caller passes the time in and
//! sends what comes out.

use crate::documents;
use crate::faults::{Fault, Faults};
use crate::markets::{Line, line};
use crate::messages::{self, Head, Listed, Sent};
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, Time};
use kvota_domain::ids::{MarketId, MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::market::Market;
use kvota_domain::matches::Match;
use kvota_domain::settlement::{MarketResult, MarketState, MatchResults};
use kvota_simulator::producer::Producer;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The interval of signs of life, in ms.
const ALIVE_MS: i64 = 10_000;
/// When a settlement is confirmed, in ms.
const CONFIRMED_MS: i64 = 5_000;
/// Matches that are remembered after their end.
const LEFT_MAX: usize = 5_000;
/// Messages of a recovery that are sent at once; live messages come between.
const RECOVERED_AT_ONCE: usize = 200;
/// How old an `after` may be, in ms.
const WINDOW_MS: i64 = 600 * 60_000;

/// A match with everything that was published of it.
#[derive(Debug)]
struct Event {
    matches: PerLang<Match>,
    time: Time,
    is_over: bool,
    can_bet: bool,
    present: BTreeMap<MarketId, (Line, Arc<Market>)>,
    /// All lines that it ever had, for results.
    lines: BTreeMap<MarketId, Line>,
    results: BTreeMap<MarketId, MarketResult>,
    /// What was said about results, with the time.
    reported: Vec<(i64, MatchResults)>,
}

/// Why a call is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such thing.
    Absent,
    /// The question makes no sense.
    Bad,
    /// Not at present.
    Unavailable,
}

/// The provider.
pub struct Provider {
    producer: Producer,
    primary: Lang,
    events: BTreeMap<MatchId, Event>,
    left: VecDeque<MatchId>,
    faults: Faults,
    /// Messages of recoveries.
    recovered: VecDeque<Sent>,
    /// Settlements to be confirmed, by time.
    unconfirmed: VecDeque<(i64, MatchResults)>,
    alive_ms: i64,
}

impl Provider {
    /// A provider of the matches of a producer with this primary language.
    pub fn new(producer: Producer, primary: Lang) -> Provider {
        Provider {
            producer,
            primary,
            events: BTreeMap::new(),
            left: VecDeque::new(),
            faults: Faults::default(),
            recovered: VecDeque::new(),
            unconfirmed: VecDeque::new(),
            alive_ms: 0,
        }
    }

    /// Makes a fault for some seconds.
    pub fn begin_fault(&mut self, fault: Fault, seconds: u32, now_ms: i64) {
        self.faults.begin(fault, now_ms + i64::from(seconds) * 1_000);
    }

    /// The matches that are played.
    pub fn matches(&self) -> usize {
        self.events.values().filter(|event| !event.is_over).count()
    }

    /// Advances to a time, in ms since the epoch, and returns the messages to be sent, in order.
    pub fn step(&mut self, now_ms: i64) -> Vec<Sent> {
        let mut sent = Vec::new();
        for event in self.producer.step(now_ms) {
            sent.extend(self.changes(&event.updates, now_ms));
        }
        for results in self.producer.take_results() {
            sent.extend(self.decide(&results, now_ms));
            self.unconfirmed.push_back((now_ms + CONFIRMED_MS, results));
        }
        while let Some((_, results)) = self.unconfirmed.pop_front_if(|(due_ms, _)| *due_ms <= now_ms) {
            sent.extend(self.settlements(&results, 2, Head::live(now_ms)));
        }
        let end = self.recovered.len().min(RECOVERED_AT_ONCE);
        sent.extend(self.recovered.drain(..end));
        let is_due = now_ms - self.alive_ms >= ALIVE_MS;
        if is_due {
            self.alive_ms = now_ms;
        }
        self.with_faults(sent, is_due, now_ms)
    }

    /// What is really sent.
    fn with_faults(&self, mut sent: Vec<Sent>, is_alive_due: bool, now_ms: i64) -> Vec<Sent> {
        let has = |fault| self.faults.has(fault, now_ms);
        if has(Fault::Silence) || has(Fault::Unsubscribed) {
            sent.clear();
        }
        if is_alive_due && !has(Fault::Silence) && !has(Fault::NoAlive) {
            sent.push(messages::alive(now_ms, !has(Fault::Unsubscribed)));
        }
        if has(Fault::Shuffled) {
            // By the end of the event's number: stable, so that the order within a match stays.
            sent.sort_by_key(|message| message.key.split('.').nth(6).map(|id| id.bytes().rev().collect::<Vec<u8>>()));
        }
        if has(Fault::Twice) {
            sent = sent.into_iter().flat_map(|message| [message.clone(), message]).collect();
        }
        if has(Fault::Malformed) {
            let torn = |message: Sent| {
                let half = message.body.chars().take(message.body.chars().count() / 2).collect();
                [Sent { body: half, key: message.key.clone() }, message]
            };
            sent = sent.into_iter().flat_map(torn).collect();
        }
        sent
    }

    /// Begins a recovery of everything since a time, or of all present odds.
    ///
    /// # Errors
    /// The time is too long ago, or recoveries are refused.
    pub fn recover(&mut self, after_ms: Option<i64>, request: i64, node: u32, now_ms: i64) -> Result<(), Refusal> {
        if self.faults.has(Fault::Refused, now_ms) {
            return Err(Refusal::Unavailable);
        }
        if after_ms.is_some_and(|after_ms| now_ms - after_ms > WINDOW_MS || after_ms > now_ms) {
            return Err(Refusal::Bad);
        }
        let head = Head { at_ms: now_ms, recovery: Some((request, node)) };
        let mut sent: Vec<Sent> = Vec::new();
        sent.extend(self.events.values().filter(|event| !event.is_over).map(|event| self.present_odds(event, head)));
        if let Some(after_ms) = after_ms {
            for (id, event) in &self.events {
                for (_, reported) in event.reported.iter().filter(|(at_ms, _)| *at_ms >= after_ms) {
                    sent.extend(self.settlements_of(event, *id, reported, 2, head));
                }
            }
        }
        if self.faults.has(Fault::WrongSnapshot, now_ms) {
            sent.push(messages::snapshot_complete(now_ms, request + 1, node));
        }
        if !self.faults.has(Fault::NoSnapshot, now_ms) {
            sent.push(messages::snapshot_complete(now_ms, request, node));
        }
        self.recovered.extend(sent);
        Ok(())
    }

    /// Begins a recovery of the results of one match.
    ///
    /// # Errors
    /// The match is unknown, or recoveries are refused.
    pub fn recover_results(&mut self, match_id: MatchId, request: i64, node: u32, now_ms: i64) -> Result<(), Refusal> {
        if self.faults.has(Fault::Refused, now_ms) {
            return Err(Refusal::Unavailable);
        }
        let event = self.events.get(&match_id).ok_or(Refusal::Absent)?;
        let mut sent = Vec::new();
        for (at_ms, reported) in &event.reported {
            let head = Head { at_ms: *at_ms, recovery: Some((request, node)) };
            sent.extend(self.settlements_of(event, match_id, reported, 2, head));
        }
        sent.push(messages::snapshot_complete(now_ms, request, node));
        self.recovered.extend(sent);
        Ok(())
    }

    /// Begins a recovery of the odds of one match.
    ///
    /// # Errors
    /// The match is unknown or over, or recoveries are refused.
    pub fn recover_odds(&mut self, match_id: MatchId, request: i64, node: u32, now_ms: i64) -> Result<(), Refusal> {
        if self.faults.has(Fault::Refused, now_ms) {
            return Err(Refusal::Unavailable);
        }
        let event = self.events.get(&match_id).filter(|event| !event.is_over).ok_or(Refusal::Absent)?;
        let head = Head { at_ms: now_ms, recovery: Some((request, node)) };
        let odds = self.present_odds(event, head);
        self.recovered.extend([odds, messages::snapshot_complete(now_ms, request, node)]);
        Ok(())
    }

    fn present_odds(&self, event: &Event, head: Head) -> Sent {
        let listed: Vec<Listed<'_>> = event.present.values().map(|(line, market)| Listed::Odds(line, market)).collect();
        messages::odds_change(head, &event.matches[self.primary], &event.time, false, &listed)
    }

    /// A document of the REST interface by its path below the version; `api_url` is the address up to there.
    ///
    /// # Errors
    /// There is no such document.
    pub fn document(&self, path: &str, api_url: &str, now_ms: i64) -> Result<String, Refusal> {
        if self.faults.has(Fault::NoDocuments, now_ms) {
            return Err(Refusal::Unavailable);
        }
        let parts: Vec<&str> = path.split('/').collect();
        let lang = |code: &str| Lang::from_code(code).ok_or(Refusal::Absent);
        match parts[..] {
            ["users", "whoami.xml"] => Ok(documents::whoami()),
            ["descriptions", "producers.xml"] => Ok(documents::producers(api_url)),
            ["descriptions", code, "markets.xml"] => Ok(documents::markets(lang(code)?)),
            ["descriptions", code, "variants.xml"] => lang(code).map(|_| documents::variants()),
            ["sports", code, "sport_events", event, "fixture.xml"] => {
                let id = match_of(event).ok_or(Refusal::Absent)?;
                let event = self.events.get(&id).ok_or(Refusal::Absent)?;
                Ok(documents::fixture(&event.matches[lang(code)?]))
            }
            _ => Err(Refusal::Absent),
        }
    }

    fn changes(&mut self, updates: &[(Lang, FeedUpdate)], now_ms: i64) -> Vec<Sent> {
        let mut sent = Vec::new();
        let all = |update: &FeedUpdate| -> Vec<MatchUpdate> {
            update.sports.iter().flat_map(|sport| sport.matches.iter().cloned()).collect()
        };
        for (lang, update) in updates {
            for changed in all(update) {
                let live_match = &changed.live_match;
                let id = live_match.id;
                if changed.change == Change::Delete {
                    if *lang == self.primary {
                        sent.extend(self.end(id, now_ms));
                    }
                    continue;
                }
                let event = self.events.entry(id).or_insert_with(|| Event::new(id, live_match.sport_id));
                event.matches[*lang] = live_match.clone();
                if *lang == self.primary {
                    event.time = changed.time.clone();
                    sent.extend(event.change(live_match, Head::live(now_ms)));
                }
            }
        }
        sent
    }

    /// A match leaves the offer.
    fn end(&mut self, id: MatchId, now_ms: i64) -> Option<Sent> {
        let event = self.events.get_mut(&id)?;
        event.is_over = true;
        event.present.clear();
        let live_match = &event.matches[self.primary];
        let sent = messages::odds_change(Head::live(now_ms), live_match, &Time::None, true, &[]);
        self.left.push_back(id);
        if self.left.len() > LEFT_MAX
            && let Some(oldest) = self.left.pop_front()
        {
            self.events.remove(&oldest);
        }
        Some(sent)
    }

    /// Results for the first time: what is taken back by them, and what is now so.
    fn decide(&mut self, results: &MatchResults, now_ms: i64) -> Vec<Sent> {
        let Some(event) = self.events.get_mut(&results.match_id) else { return Vec::new() };
        let head = Head::live(now_ms);
        let mut taken_back = Vec::new();
        for market in &results.markets {
            let before = event.results.insert(market.market, market.clone());
            let was_settled = before.is_some_and(|before| before.state == MarketState::Settled);
            taken_back.extend(was_settled.then(|| MarketResult { state: MarketState::OpenAgain, ..market.clone() }));
        }
        event.reported.push((now_ms, results.clone()));
        let event = &self.events[&results.match_id];
        let taken_back = MatchResults { markets: taken_back, ..results.clone() };
        let mut sent = self.settlements_of(event, results.match_id, &taken_back, 1, head);
        // What is taken back comes before what is so now.
        let later = Head { at_ms: now_ms + 1, ..head };
        sent.extend(self.settlements_of(event, results.match_id, results, 1, later));
        sent
    }

    fn settlements(&self, results: &MatchResults, certainty: u8, head: Head) -> Vec<Sent> {
        let event = self.events.get(&results.match_id);
        event.map_or_else(Vec::new, |event| self.settlements_of(event, results.match_id, results, certainty, head))
    }

    fn settlements_of(
        &self,
        event: &Event,
        id: MatchId,
        results: &MatchResults,
        certainty: u8,
        head: Head,
    ) -> Vec<Sent> {
        let lines = results.markets.iter().filter_map(|market| Some((event.lines.get(&market.market)?, market)));
        let lines: Vec<(&Line, &MarketResult)> = lines.collect();
        let sport = event.matches[self.primary].sport_id.get();
        let back = messages::of_state(head, sport, id, MarketState::OpenAgain, &lines);
        let cancelled = messages::of_state(head, sport, id, MarketState::Cancelled, &lines);
        let settled = messages::settlement(head, sport, id, certainty, &lines);
        [back, cancelled, settled].into_iter().flatten().collect()
    }
}

impl Event {
    fn new(id: MatchId, sport: SportId) -> Event {
        Event {
            matches: PerLang::new(|_| Match::empty(id, sport)),
            time: Time::None,
            is_over: false,
            can_bet: true,
            present: BTreeMap::new(),
            lines: BTreeMap::new(),
            results: BTreeMap::new(),
            reported: Vec::new(),
        }
    }

    /// The messages about a change: a stop, and what is new.
    fn change(&mut self, live_match: &Match, head: Head) -> Vec<Sent> {
        let can_bet = live_match.betting && live_match.suspended != Some(true);
        let is_stop = self.can_bet && !can_bet;
        let is_opened = !self.can_bet && can_bet;
        self.can_bet = can_bet;
        let mut present = BTreeMap::new();
        let mut listed = Vec::new();
        for market in &live_match.markets {
            let before = self.present.remove(&market.id);
            // After a stop a message opens exactly the markets that it lists.
            let is_new = is_opened || before.as_ref().is_none_or(|(_, held)| *held != *market);
            let line = match before {
                Some((line, held)) if held.odds.len() == market.odds.len() => line,
                _ => line(live_match.sport_id, market),
            };
            if is_new {
                self.lines.insert(market.id, line.clone());
                listed.push(market.id);
            }
            present.insert(market.id, (line, Arc::clone(market)));
        }
        let gone = std::mem::replace(&mut self.present, present);
        let odds = listed.iter().filter_map(|id| self.present.get(id)).map(|(line, market)| Listed::Odds(line, market));
        let odds: Vec<Listed<'_>> = odds.chain(gone.values().map(|(line, _)| Listed::Gone(line))).collect();
        let mut sent = Vec::new();
        sent.extend(is_stop.then(|| messages::bet_stop(head, live_match)));
        sent.push(messages::odds_change(head, live_match, &self.time, false, &odds));
        sent
    }
}

/// The match of `sr:match:7`.
pub(crate) fn match_of(event: &str) -> Option<MatchId> {
    event.strip_prefix("sr:match:").and_then(|number| number.parse().ok()).and_then(MatchId::new)
}
