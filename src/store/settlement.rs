//! The values of the port of settlements; `mod.rs` has the port. Also the one decision that all databases share: what a
//! bet's row, its ledger and its pairs become when the results of its pairs are looked at again ([`revise`]).
//!
//! Must never read a result from a message: a bet is graded from the results that the store keeps.

use crate::domain::bet::{AccountId, BetEvent, BetState, StoredResult, TicketId};
use crate::domain::ids::{MarketId, MatchId};
use crate::domain::money::Money;
use crate::domain::settlement::{
    BetTerms, Grade, MarketResult, MatchResults, Outcome, PairResult, Posting, RequestedMatch, Settlement, grade,
    reversed, settling,
};
use std::collections::{HashMap, HashSet};

/// What came of [`super::SettlementStore::store_results`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultsStored {
    /// The markets whose content changed. Those with bets have work waiting.
    pub changed: Vec<MarketId>,
}

/// What waits for settlement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SettlementBacklog {
    /// Since when the oldest work waits, in ms since the epoch.
    pub oldest_ms: Option<i64>,
    /// Markets whose bets wait.
    pub markets: u64,
    /// Bets that are set aside.
    pub set_aside: u64,
}

/// Bets on one market that wait to be graded again. It is kept until [`super::SettlementStore::settle`] finished it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SettlementWork {
    /// The match.
    pub match_id: MatchId,
    /// The market.
    pub market_id: MarketId,
}

/// Which bets of some work are graded by one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettleScope {
    /// The next ones, at most so many; the store remembers how far it came.
    Next {
        /// Bets in one transaction.
        bets_max: u32,
    },
    /// Those of these accounts, before their turn: somebody watches them.
    Accounts(Vec<AccountId>),
}

/// What came of one call of [`super::SettlementStore::settle`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SettledBatch {
    /// One event for each bet that changed.
    pub events: Vec<BetEvent>,
    /// Bets that were looked at.
    pub graded: u32,
    /// Whether the work is done.
    pub is_finished: bool,
}

/// A line of an account's statement, newest first in a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementEntry {
    /// When, in ms since the epoch.
    pub at_ms: i64,
    /// Why, as CONTRACT 7 names it.
    pub kind: crate::domain::settlement::PostingKind,
    /// What came in, negative what went out; in cents.
    pub amount: Money,
    /// What the account had after it.
    pub balance: Money,
    /// The bet it is about.
    pub ticket_id: Option<TicketId>,
}

/// Some lines of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatementPage {
    /// Newest first.
    pub entries: Vec<StatementEntry>,
    /// Where the next page begins: `before` of the next call. Nothing at the end.
    pub next: Option<i64>,
}

impl StatementPage {
    /// The page of lines with their numbers, of which one more than `limit` was looked for.
    pub(super) fn of(mut newest_first: Vec<(i64, StatementEntry)>, limit: usize) -> StatementPage {
        let has_more = newest_first.len() > limit;
        newest_first.truncate(limit);
        let next = newest_first.last().filter(|_| has_more).map(|(number, _)| *number);
        StatementPage { entries: newest_first.into_iter().map(|(_, entry)| entry).collect(), next }
    }
}

/// A bet as it must be known to grade it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GradedBet {
    /// Where it stands.
    pub state: BetState,
    /// What it was placed on, less what was cashed out.
    pub terms: BetTerms,
    /// When it was placed: what the windows of a cancellation ask.
    pub placed_at_ms: i64,
    /// The settlement that stands, with its outcome.
    pub standing: Option<Settlement>,
    /// For each pair the kept name of its result, and the present result of its market.
    pub pairs: Vec<GradedPair>,
}

/// A pair of a bet that is graded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GradedPair {
    /// The odd.
    pub odd: crate::domain::ids::OddId,
    /// The result that is stored with it.
    pub kept: StoredResult,
    /// The present result of its market; nothing where there is none.
    pub market: Option<MarketResult>,
}

/// The results of a message that are newer than the stored ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct NewerResults<'a> {
    /// All of them, each market once.
    pub newer: Vec<&'a MarketResult>,
    /// The markets among them whose content differs from the stored one.
    pub changed: Vec<MarketId>,
}

impl<'a> NewerResults<'a> {
    /// Compares a message with the stored version of each market, and with its content where that can be read.
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

/// Bets that get rules in one transaction by [`super::SettlementStore::keep_rules`].
pub(super) const RULES_AT_ONCE_MAX: i64 = 10_000;

/// Markets, ordered by match, as a request for their results.
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

/// What a bet becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Revision {
    /// Where it stands from now on.
    pub state: BetState,
    /// The results of its pairs and their reasons, in their order.
    pub pairs: Vec<(PairResult, Option<String>)>,
    /// Whether the standing settlement is taken back.
    pub takes_back: bool,
    /// The settlement that is made, with its postings and its reason.
    pub makes: Option<(Settlement, Vec<Posting>, Option<String>)>,
}

/// What the present results make of a bet; nothing where it stays as it is. A settlement with the same content as the
/// one that stands is not made again.
pub(super) fn revise(bet: &GradedBet) -> Option<Revision> {
    let result_of = |pair: &GradedPair| {
        let result =
            pair.market.as_ref().map_or(PairResult::Open, |market| PairResult::of(market, pair.odd, bet.placed_at_ms));
        let reason = pair.market.as_ref().filter(|_| result.is_decided()).and_then(|market| market.reason.as_deref());
        (result, reason.map(str::to_owned))
    };
    let pairs: Vec<(PairResult, Option<String>)> = bet.pairs.iter().map(result_of).collect();
    let results: Vec<PairResult> = pairs.iter().map(|(result, _)| *result).collect();
    let differs = |(kept, now): (&GradedPair, &(PairResult, Option<String>))| {
        kept.kept.result != now.0.as_stored() || kept.kept.reason != now.1
    };
    let pairs_differ = bet.pairs.iter().zip(&pairs).any(differs);
    // What was cashed out as a whole is final: later results only show on its pairs.
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

/// The postings that take a settlement back, in the order in which they were posted.
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

/// The outcome of a settled bet; nothing while it is open or was cashed out.
pub(super) const fn outcome_of(state: BetState) -> Option<Outcome> {
    match state {
        BetState::Won => Some(Outcome::Won),
        BetState::Lost => Some(Outcome::Lost),
        BetState::Void => Some(Outcome::Void),
        BetState::Open | BetState::CashedOut => None,
    }
}
