//! The published results of all matches. Makes the result messages (CONTRACT 7), numbers them by match, and answers
//! requests for current results. Owned by [`crate::producer`], which passes the time. Must never decide a market.
//!
//! Option: a share of the markets is published with a wrong result on purpose, and corrected minutes later, to test
//! readers. Which markets depends only on the seed and the market's id.

use super::verdict::Verdict;
use super::{Cancellation, DecidedMarket, MarketDecision, MatchDecisions};
use crate::limits::{RESULTS_KEPT_ENTITIES_MAX, RESULTS_KEPT_MS};
use crate::simulator::random::Random;
use kvota_domain::Text;
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::limits::RESULT_MATCHES_ASKED_MAX;
use kvota_domain::settlement::{MarketResult, MarketState, MatchResults, RequestedMatch, SOURCE_RESTARTED};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// The time until a wrong result is corrected, in ms.
const CORRECTED_AFTER_MS: Range<f64> = 60_000.0..300_000.0;
/// The reason of a corrected result, for the receipt.
const CORRECTED: &str = "result corrected";

/// Deliberate mistakes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Corrections {
    /// The share of markets that are reported wrong at first, 0 to 1.
    pub share: f64,
    /// Decides which markets these are.
    pub seed: u64,
}

/// How long the results of matches that have left the offer are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Retention {
    ms: i64,
    entities: usize,
}

/// The results of all matches.
#[derive(Debug)]
pub struct Ledger {
    corrections: Corrections,
    retention: Retention,
    matches: BTreeMap<MatchId, Record>,
    /// Matches that have left the offer and when, the first one first.
    left: VecDeque<(i64, MatchId)>,
    /// Markets and odds of these.
    left_entities: usize,
    /// Results to correct, by the time at which they are due.
    due: BTreeMap<(i64, MarketId), Correction>,
}

/// The results of a match.
#[derive(Debug, Default)]
struct Record {
    version: i64,
    markets: Vec<Kept>,
    /// Of all settled markets, one after the other.
    odds: Vec<(OddId, Verdict)>,
}

/// A market with a result.
#[derive(Clone, Copy, Debug)]
struct Kept {
    market: MarketId,
    /// Its part of the match's odds.
    odds: (u32, u32),
    state: KeptState,
}

#[derive(Clone, Copy, Debug)]
enum KeptState {
    Settled,
    Corrected,
    Cancelled(Cancellation),
}

/// A result that is wrong for now: two verdicts are swapped.
#[derive(Clone, Copy, Debug)]
struct Correction {
    match_id: MatchId,
    /// Index of the market in its match.
    market: usize,
    /// Indexes of the odds in the match.
    swapped: [usize; 2],
}

impl Ledger {
    /// An empty ledger.
    pub fn new(corrections: Corrections) -> Ledger {
        let retention = Retention { ms: RESULTS_KEPT_MS, entities: RESULTS_KEPT_ENTITIES_MAX };
        Ledger {
            corrections,
            retention,
            matches: BTreeMap::new(),
            left: VecDeque::new(),
            left_entities: 0,
            due: BTreeMap::new(),
        }
    }

    /// Stores the decided markets of a match, and returns the message about them.
    pub fn record(&mut self, decisions: MatchDecisions, now_ms: i64) -> MatchResults {
        let match_id = decisions.match_id;
        let record = self.matches.entry(match_id).or_default();
        let first = record.markets.len();
        for decided in decisions.markets {
            let market = record.push(decided);
            if let Some((due_ms, swapped)) = self.corrections.mistake(&record.markets[market], &record.odds) {
                record.swap(swapped);
                let due = (now_ms.saturating_add(due_ms), record.markets[market].market);
                self.due.insert(due, Correction { match_id, market, swapped });
            }
        }
        let reported: Vec<usize> = (first..record.markets.len()).collect();
        record.message(match_id, &reported, now_ms)
    }

    /// When the next correction is due, in ms since the epoch; `None` if there is none.
    pub fn next_due_ms(&self) -> Option<i64> {
        self.due.keys().next().map(|(due_ms, _)| *due_ms)
    }

    /// Makes the corrections that are due; one message for each match.
    pub fn correct(&mut self, now_ms: i64) -> Vec<MatchResults> {
        let mut corrected: BTreeMap<MatchId, Vec<usize>> = BTreeMap::new();
        while let Some(entry) = self.due.first_entry().filter(|entry| entry.key().0 <= now_ms) {
            let correction = entry.remove();
            let Some(record) = self.matches.get_mut(&correction.match_id) else { continue };
            record.swap(correction.swapped);
            if let Some(market) = record.markets.get_mut(correction.market) {
                market.state = KeptState::Corrected;
                corrected.entry(correction.match_id).or_default().push(correction.market);
            }
        }
        let messages = corrected.into_iter().filter_map(|(match_id, markets)| {
            let record = self.matches.get_mut(&match_id)?;
            Some(record.message(match_id, &markets, now_ms))
        });
        messages.collect()
    }

    /// The current results of these matches, with the highest version of each. Matches without a result are left out.
    ///
    /// A match that is neither in the offer nor here was played before the producer restarted. Its markets with open
    /// bets are cancelled, because their results are lost.
    pub fn present(
        &self,
        requested: &[RequestedMatch],
        is_in_offer: impl Fn(MatchId) -> bool,
        now_ms: i64,
    ) -> Vec<MatchResults> {
        let requested: BTreeMap<MatchId, &[MarketId]> = requested
            .iter()
            .take(RESULT_MATCHES_ASKED_MAX)
            .map(|requested| (requested.match_id, requested.open_markets.as_slice()))
            .collect();
        let results = requested.into_iter().filter_map(|(id, open_markets)| match self.matches.get(&id) {
            Some(record) => Some(record.present(id, 0..record.markets.len(), now_ms)),
            None if is_in_offer(id) || open_markets.is_empty() => None,
            None => Some(cancelled(id, open_markets, now_ms)),
        });
        results.collect()
    }

    /// A match has left the offer. Deletes the oldest of the matches that have left, if there are too many.
    pub fn leave(&mut self, match_id: MatchId, now_ms: i64) {
        if let Some(record) = self.matches.get_mut(&match_id) {
            record.markets.shrink_to_fit();
            record.odds.shrink_to_fit();
            self.left.push_back((now_ms, match_id));
            self.left_entities += record.entities();
        }
        while let Some((left_ms, oldest)) = self.left.front().copied() {
            let is_old = now_ms.saturating_sub(left_ms) > self.retention.ms;
            if !is_old && self.left_entities <= self.retention.entities {
                return;
            }
            self.left.pop_front();
            let forgotten = self.matches.remove(&oldest).map_or(0, |record| record.entities());
            self.left_entities = self.left_entities.saturating_sub(forgotten);
        }
    }
}

/// The cancellation of these markets, whenever their bets were placed.
fn cancelled(match_id: MatchId, markets: &[MarketId], now_ms: i64) -> MatchResults {
    let cancelled = |market: &MarketId| MarketResult {
        market: *market,
        version: now_ms,
        state: MarketState::Cancelled,
        odds: Vec::new(),
        void_windows: Vec::new(),
        reason: Some(Text::from(SOURCE_RESTARTED)),
    };
    MatchResults { match_id, markets: markets.iter().map(cancelled).collect(), date_ms: Some(now_ms) }
}

impl Corrections {
    /// For a deliberate mistake: the ms until its correction, and the two verdicts that are swapped until then. `None`
    /// if the result is published correctly, or if no other odd could have won.
    fn mistake(self, kept: &Kept, odds: &[(OddId, Verdict)]) -> Option<(i64, [usize; 2])> {
        if self.share <= 0.0 {
            return None;
        }
        let mut random = Random::new(self.seed, kept.market.get());
        if !random.chance(self.share) {
            return None;
        }
        let mut one_of = |verdict: Verdict| {
            let fitting: Vec<usize> = kept.range().filter(|at| odds[*at].1 == verdict).collect();
            let drawn = random.below(fitting.len() as u64) as usize;
            fitting.get(drawn).copied()
        };
        let swapped = [one_of(Verdict::Won)?, one_of(Verdict::Lost)?];
        Some((random.between(CORRECTED_AFTER_MS.start, CORRECTED_AFTER_MS.end) as i64, swapped))
    }
}

impl Record {
    /// Keeps a decided market; its index.
    fn push(&mut self, decided: DecidedMarket) -> usize {
        let first = self.odds.len() as u32;
        let state = match decided.outcome {
            MarketDecision::Settled(odds) => {
                self.odds.extend(odds);
                KeptState::Settled
            }
            MarketDecision::Cancelled(why) => KeptState::Cancelled(why),
        };
        self.markets.push(Kept { market: decided.market, odds: (first, self.odds.len() as u32), state });
        self.markets.len() - 1
    }

    fn swap(&mut self, [one, other]: [usize; 2]) {
        let verdict = |at: usize| self.odds.get(at).map(|(_, verdict)| *verdict);
        if let (Some(first), Some(second)) = (verdict(one), verdict(other)) {
            self.odds[one].1 = second;
            self.odds[other].1 = first;
        }
    }

    /// The next message of the match, about some of its markets. Its version is the time in ms, but at least the former
    /// version plus 1.
    fn message(&mut self, match_id: MatchId, markets: &[usize], now_ms: i64) -> MatchResults {
        self.version = now_ms.max(self.version.saturating_add(1));
        self.present(match_id, markets.iter().copied(), now_ms)
    }

    fn present(&self, match_id: MatchId, markets: impl Iterator<Item = usize>, now_ms: i64) -> MatchResults {
        let markets = markets.filter_map(|at| self.markets.get(at)).map(|kept| self.result(kept));
        MatchResults { match_id, markets: markets.collect(), date_ms: Some(now_ms) }
    }

    fn result(&self, kept: &Kept) -> MarketResult {
        let (state, reason) = match kept.state {
            KeptState::Settled => (MarketState::Settled, None),
            KeptState::Corrected => (MarketState::Settled, Some(CORRECTED)),
            KeptState::Cancelled(why) => (MarketState::Cancelled, Some(why.text())),
        };
        let odds = self.odds.get(kept.range()).unwrap_or_default();
        MarketResult {
            market: kept.market,
            version: self.version,
            state,
            odds: odds.iter().map(|(odd, verdict)| verdict.result_of(*odd)).collect(),
            void_windows: Vec::new(),
            reason: reason.map(Text::from),
        }
    }

    fn entities(&self) -> usize {
        self.markets.len() + self.odds.len()
    }
}

impl Kept {
    fn range(&self) -> Range<usize> {
        self.odds.0 as usize..self.odds.1 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_700_000_000_000;

    fn match_id(id: u64) -> MatchId {
        MatchId::new(id).expect("a small id")
    }

    fn requested(id: u64) -> RequestedMatch {
        RequestedMatch { match_id: match_id(id), open_markets: Vec::new() }
    }

    /// A market of two odds, of which the first wins.
    fn settled(market: u64) -> DecidedMarket {
        let odd = |place: u64| OddId::new(10 * market + place).expect("a small id");
        DecidedMarket {
            market: MarketId::new(market).expect("a small id"),
            outcome: MarketDecision::Settled(vec![(odd(0), Verdict::Won), (odd(1), Verdict::Lost)]),
        }
    }

    fn cancelled(market: u64) -> DecidedMarket {
        let market = MarketId::new(market).expect("a small id");
        DecidedMarket { market, outcome: MarketDecision::Cancelled(Cancellation::Abandoned) }
    }

    fn decisions(id: u64, markets: Vec<DecidedMarket>) -> MatchDecisions {
        MatchDecisions { match_id: match_id(id), markets }
    }

    fn ledger(share: f64) -> Ledger {
        Ledger::new(Corrections { share, seed: 5 })
    }

    fn numbers(results: &MatchResults) -> Vec<Vec<Option<i64>>> {
        results.markets.iter().map(|market| market.odds.iter().map(|odd| odd.result).collect()).collect()
    }

    fn versions(results: &MatchResults) -> Vec<i64> {
        results.markets.iter().map(|market| market.version).collect()
    }

    #[test]
    fn versions_are_dates_and_grow_within_one_moment() {
        let mut ledger = ledger(0.0);
        let first = ledger.record(decisions(1, vec![settled(1), settled(2)]), NOW_MS);
        assert_eq!(versions(&first), [NOW_MS, NOW_MS]);
        assert_eq!(versions(&ledger.record(decisions(1, vec![settled(3)]), NOW_MS)), [NOW_MS + 1]);
        assert_eq!(versions(&ledger.record(decisions(2, vec![settled(4)]), NOW_MS)), [NOW_MS]);
        assert_eq!(versions(&ledger.record(decisions(1, vec![settled(5)]), NOW_MS + 9)), [NOW_MS + 9]);
        let present = ledger.present(&[requested(1)], |_| true, NOW_MS + 10);
        assert_eq!(versions(&present[0]), [NOW_MS + 9; 4], "an answer has the highest version of the match");
    }

    #[test]
    fn a_cancelled_market_has_a_reason_and_no_windows() {
        let message = ledger(1.0).record(decisions(1, vec![cancelled(1)]), NOW_MS);
        let market = &message.markets[0];
        assert_eq!((market.state, market.reason.as_deref()), (MarketState::Cancelled, Some("match abandoned")));
        assert!(market.void_windows.is_empty() && market.odds.is_empty());
    }

    #[test]
    fn a_mistake_names_another_winner_and_is_corrected_minutes_later() {
        let mut ledger = ledger(1.0);
        let wrong = ledger.record(decisions(1, vec![settled(1), settled(2)]), NOW_MS);
        assert_eq!(numbers(&wrong), [[Some(0), Some(1)], [Some(0), Some(1)]]);
        let due_ms = ledger.next_due_ms().expect("a correction");
        assert!((NOW_MS + 60_000..NOW_MS + 300_000).contains(&due_ms));
        assert_eq!(ledger.correct(due_ms - 1), []);
        let corrected = ledger.correct(NOW_MS + 300_000);
        assert_eq!(corrected.len(), 1, "one message for both markets");
        assert_eq!(numbers(&corrected[0]), [[Some(1), Some(0)], [Some(1), Some(0)]]);
        assert!(versions(&corrected[0]).iter().all(|version| *version > NOW_MS));
        assert_eq!(corrected[0].markets[0].reason.as_deref(), Some("result corrected"));
        assert_eq!((ledger.next_due_ms(), ledger.correct(i64::MAX)), (None, vec![]));
        let present = ledger.present(&[requested(1)], |_| true, NOW_MS);
        assert_eq!(numbers(&present[0]), [[Some(1), Some(0)], [Some(1), Some(0)]]);
    }

    #[test]
    fn a_share_of_the_markets_is_corrected() {
        let mut ledger = ledger(0.25);
        ledger.record(decisions(1, (1..=1_000).map(settled).collect()), NOW_MS);
        assert!((200..300).contains(&ledger.due.len()), "{}", ledger.due.len());
    }

    #[test]
    fn a_market_without_a_winner_is_not_reported_wrong() {
        let mut ledger = ledger(1.0);
        let odds = settled(1);
        let MarketDecision::Settled(odds) = odds.outcome else { unreachable!("it is settled") };
        let void = odds.into_iter().map(|(odd, _)| (odd, Verdict::Void)).collect();
        let market = DecidedMarket { outcome: MarketDecision::Settled(void), ..settled(1) };
        ledger.record(decisions(1, vec![market]), NOW_MS);
        assert_eq!(ledger.next_due_ms(), None);
    }

    #[test]
    fn at_most_so_many_matches_are_answered_each_once() {
        let mut ledger = ledger(0.0);
        for id in 1..=1_500 {
            ledger.record(decisions(id, vec![settled(id)]), NOW_MS);
        }
        let all: Vec<RequestedMatch> = (1..=1_500).map(requested).collect();
        assert_eq!(ledger.present(&all, |_| true, NOW_MS).len(), RESULT_MATCHES_ASKED_MAX);
        assert_eq!(ledger.present(&[requested(7), requested(7), requested(2_000)], |_| true, NOW_MS).len(), 1);
    }

    #[test]
    fn a_match_that_has_left_is_kept_for_a_day() {
        let mut ledger = ledger(0.0);
        let day_ms = 24 * 3_600_000;
        for (id, left_ms) in [(1, NOW_MS), (2, NOW_MS + 1)] {
            ledger.record(decisions(id, vec![settled(id)]), NOW_MS);
            ledger.leave(match_id(id), left_ms);
        }
        let held = |ledger: &Ledger| ledger.present(&[requested(1), requested(2)], |_| true, NOW_MS).len();
        ledger.leave(match_id(9), NOW_MS + day_ms);
        assert_eq!(held(&ledger), 2);
        ledger.leave(match_id(9), NOW_MS + day_ms + 1);
        assert_eq!(held(&ledger), 1);
        ledger.leave(match_id(9), NOW_MS + 2 * day_ms);
        assert_eq!((held(&ledger), ledger.left_entities, ledger.matches.len()), (0, 0, 0));
    }

    #[test]
    fn memory_is_bounded_and_running_matches_stay() {
        let mut ledger = ledger(0.0);
        ledger.retention.entities = 10;
        ledger.record(decisions(100, vec![settled(100)]), NOW_MS);
        for id in 1..=5 {
            ledger.record(decisions(id, vec![settled(id)]), NOW_MS);
            ledger.leave(match_id(id), NOW_MS);
            assert!(ledger.left_entities <= 10);
        }
        let kept: Vec<u64> = ledger.matches.keys().map(|id| id.get()).collect();
        assert_eq!(kept, [3, 4, 5, 100], "three entities each; the oldest are forgotten first");
    }

    #[test]
    fn markets_with_open_bets_on_an_unknown_match_are_cancelled() {
        let mut ledger = ledger(0.0);
        ledger.record(decisions(1, vec![settled(1)]), NOW_MS);
        let with_open_bets = |id: u64, market: u64| RequestedMatch {
            match_id: match_id(id),
            open_markets: vec![MarketId::new(market).expect("a small id")],
        };
        let asked = [with_open_bets(1, 7), with_open_bets(2, 20), with_open_bets(3, 30), requested(4)];
        let present = ledger.present(&asked, |id| id == match_id(2), NOW_MS + 5);
        assert_eq!(present.iter().map(|results| results.match_id.get()).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(present[0].markets.len(), 1, "a known match has its results alone");
        let cancelled = &present[1].markets[0];
        assert_eq!((cancelled.market.get(), cancelled.version), (30, NOW_MS + 5));
        assert_eq!((cancelled.state, cancelled.reason.as_deref()), (MarketState::Cancelled, Some("source_restarted")));
        assert!(cancelled.void_windows.is_empty(), "for all bets");
    }
}
