//! The types of [`super::SettlementStore`], and the decision that all databases share: how a bet, its postings and its
//! pairs change with the current results of its pairs ([`revise`]).
//!
//! Must never grade a bet from a message, only from the results in the store.

use kvota_domain::bet::{AccountId, BetEvent, BetState, StoredResult, TicketId, TicketNumber};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::money::Money;
use kvota_domain::settlement::{
    BetTerms, Grade, MarketResult, MatchResults, Outcome, PairResult, Posting, RequestedMatch, Settlement, grade,
    reversed, settling,
};
use std::collections::{HashMap, HashSet};

/// The outcome of [`super::SettlementStore::store_results`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultsStored {
    /// The markets with changed content. Those with bets now have settlement work.
    pub changed: Vec<MarketId>,
}

/// The waiting settlement work, for metrics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SettlementBacklog {
    /// Since when the oldest work waits, in ms since the epoch.
    pub oldest_ms: Option<i64>,
    /// Markets with waiting bets.
    pub markets: u64,
    /// Bets that are set aside.
    pub set_aside: u64,
}

/// Bets on one market that wait to be graded again. The store keeps it until [`super::SettlementStore::settle`] has
/// finished it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SettlementWork {
    /// The match.
    pub match_id: MatchId,
    /// The market.
    pub market_id: MarketId,
}

/// The line of a market in the offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferedLine {
    /// The match.
    pub match_id: MatchId,
    /// The market.
    pub market_id: MarketId,
    /// Its special bet value; empty without one.
    pub sbv: String,
}

/// Which bets of some work are graded by one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettleScope {
    /// The next bets. The store remembers the progress.
    Next {
        /// The maximum number of bets in the transaction.
        bets_max: u32,
    },
    /// The bets of these accounts, out of order, because clients are watching them.
    Accounts(Vec<AccountId>),
}

/// The outcome of one call of [`super::SettlementStore::settle`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SettledBatch {
    /// One event for each bet that changed.
    pub events: Vec<BetEvent>,
    /// The number of bets that were graded, also without a change.
    pub graded: u32,
    /// Whether the work is done.
    pub is_finished: bool,
}

/// A line of an account's statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementEntry {
    /// The time of the posting, in ms since the epoch.
    pub at_ms: i64,
    /// The kind of the posting (CONTRACT 7).
    pub kind: kvota_domain::settlement::PostingKind,
    /// The amount in cents; negative if the account paid it.
    pub amount: Money,
    /// The balance after the posting.
    pub balance: Money,
    /// The bet of the posting.
    pub ticket_id: Option<TicketId>,
    /// Its number that people read.
    pub ticket_number: Option<TicketNumber>,
}

/// A page of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatementPage {
    /// Newest first.
    pub entries: Vec<StatementEntry>,
    /// The value of `before` for the next page; `None` on the last page.
    pub next: Option<i64>,
}

impl StatementPage {
    /// Makes a page from at most `limit` + 1 lines with their numbers. The extra line shows that there is another page.
    pub(super) fn of(mut newest_first: Vec<(i64, StatementEntry)>, limit: usize) -> StatementPage {
        let has_more = newest_first.len() > limit;
        newest_first.truncate(limit);
        let next = newest_first.last().filter(|_| has_more).map(|(number, _)| *number);
        StatementPage { entries: newest_first.into_iter().map(|(_, entry)| entry).collect(), next }
    }
}

/// The data of a bet that grading needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GradedBet {
    /// The current state.
    pub state: BetState,
    /// The terms of the bet, without the part that was cashed out.
    pub terms: BetTerms,
    /// When the bet was placed. A cancellation may apply only to bets of certain time windows.
    pub placed_at_ms: i64,
    /// The current settlement, with its outcome.
    pub standing: Option<Settlement>,
    /// For each pair its stored result, and the current result of its market.
    pub pairs: Vec<GradedPair>,
}

/// A pair of a bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GradedPair {
    /// The odd.
    pub odd: kvota_domain::ids::OddId,
    /// The result that is stored with the pair.
    pub kept: StoredResult,
    /// The current result of its market, if there is one.
    pub market: Option<MarketResult>,
    /// Whether its market got another line after the bet.
    pub line_moved: bool,
}

/// The results of a message that are newer than the stored ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct NewerResults<'a> {
    /// All newer results, each market once.
    pub newer: Vec<&'a MarketResult>,
    /// The markets among them with other content than the stored result.
    pub changed: Vec<MarketId>,
}

impl<'a> NewerResults<'a> {
    /// Compares a message with the stored version of each market, and with its content if that can be decoded.
    pub(super) fn of(
        results: &'a MatchResults,
        stored: &HashMap<MarketId, (i64, Option<MarketResult>)>,
    ) -> NewerResults<'a> {
        let (mut of_message, mut seen) = (NewerResults::default(), HashSet::new());
        for result in &results.markets {
            let known = stored.get(&result.market);
            if !seen.insert(result.market) || known.is_some_and(|(version, _)| *version >= result.version) {
                continue;
            }
            of_message.newer.push(result);
            let is_equal = known
                .is_some_and(|(_, content)| content.as_ref().is_some_and(|content| content.has_content_of(result)));
            if !is_equal {
                of_message.changed.push(result.market);
            }
        }
        of_message
    }
}

/// How many pairs [`super::SettlementStore::park_moved_lines`] parks in one transaction.
pub(super) const PARKED_AT_ONCE_MAX: i64 = 10_000;

/// How many bets get rules in one transaction of [`super::SettlementStore::keep_rules`].
pub(super) const RULES_AT_ONCE_MAX: i64 = 10_000;

/// Groups markets, which are ordered by match, into a request for their results.
pub(super) fn by_match(markets: impl IntoIterator<Item = (MatchId, MarketId)>) -> Vec<RequestedMatch> {
    let mut matches: Vec<RequestedMatch> = Vec::new();
    for (match_id, market) in markets {
        match matches.last_mut().filter(|last| last.match_id == match_id) {
            Some(last) => last.open_markets.push(market),
            None => matches.push(RequestedMatch { match_id, open_markets: vec![market] }),
        }
    }
    matches
}

/// The changes of a bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Revision {
    /// The new state.
    pub state: BetState,
    /// The results of its pairs and their reasons, in their order.
    pub pairs: Vec<(PairResult, Option<String>)>,
    /// Whether the current settlement is reversed.
    pub takes_back: bool,
    /// The new settlement, with its postings and its reason.
    pub makes: Option<(Settlement, Vec<Posting>, Option<String>)>,
}

impl GradedPair {
    /// What the current result of its market makes of the pair of a bet placed at this time.
    pub(super) fn result(&self, placed_at_ms: i64) -> PairResult {
        let result = self.market.as_ref().map(|market| PairResult::of(market, self.odd, placed_at_ms));
        let result = result.unwrap_or(PairResult::Open);
        if self.line_moved { result.on_moved_line() } else { result }
    }
}

/// How the current results change a bet; `None` if it does not change. If the new settlement has the same content as
/// the current one, the current one stays.
pub(super) fn revise(bet: &GradedBet) -> Option<Revision> {
    let result_of = |pair: &GradedPair| {
        let result = pair.result(bet.placed_at_ms);
        let reason = pair.market.as_ref().filter(|_| result.is_decided()).and_then(|market| market.reason.as_deref());
        (result, reason.map(str::to_owned))
    };
    let pairs: Vec<(PairResult, Option<String>)> = bet.pairs.iter().map(result_of).collect();
    let results: Vec<PairResult> = pairs.iter().map(|(result, _)| *result).collect();
    let differs = |(kept, now): (&GradedPair, &(PairResult, Option<String>))| {
        kept.kept.result != now.0.as_stored() || kept.kept.reason != now.1
    };
    let pairs_differ = bet.pairs.iter().zip(&pairs).any(differs);
    // A bet that was cashed out completely is final: later results change only its pairs.
    let is_final = bet.state == BetState::CashedOut;
    let now = match grade(&bet.terms, &results) {
        Grade::Decided(settlement) if !is_final => Some(settlement),
        _ => None,
    };
    let is_same = is_final || now == bet.standing;
    if is_same && !pairs_differ {
        return None;
    }
    let state = match now {
        _ if is_final => BetState::CashedOut,
        None => BetState::Open,
        Some(settlement) => state_of(settlement.outcome),
    };
    let reason = pairs.iter().find_map(|(_, reason)| reason.clone());
    let makes = now.filter(|_| !is_same).map(|settlement| (settlement, settling(&bet.terms, &settlement), reason));
    Some(Revision { state, pairs, takes_back: !is_same && bet.standing.is_some(), makes })
}

/// The postings that reverse a settlement, in the order of the original postings.
pub(super) fn taking_back(terms: &BetTerms, standing: &Settlement) -> Vec<Posting> {
    reversed(&settling(terms, standing))
}

/// The state of a bet with this outcome.
pub(super) const fn state_of(outcome: Outcome) -> BetState {
    match outcome {
        Outcome::Won => BetState::Won,
        Outcome::Lost => BetState::Lost,
        Outcome::Void => BetState::Void,
    }
}

/// The outcome of a settled bet; `None` if it is open or was cashed out.
pub(super) const fn outcome_of(state: BetState) -> Option<Outcome> {
    match state {
        BetState::Won => Some(Outcome::Won),
        BetState::Lost => Some(Outcome::Lost),
        BetState::Void => Some(Outcome::Void),
        BetState::Open | BetState::CashedOut => None,
    }
}
