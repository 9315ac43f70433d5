//! How the current results change a bet ([`revise`], CONTRACT 7). Must never grade a bet from a message, only from the
//! results that are stored.

use crate::bet::{BetState, StoredResult};
use crate::ids::OddId;
use crate::settlement::{
    BetTerms, Grade, MarketResult, Outcome, PairResult, Posting, Settlement, grade, reversed, settling,
};

/// The data of a bet that grading needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GradedBet {
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
pub struct GradedPair {
    /// The odd.
    pub odd: OddId,
    /// The result that is stored with the pair.
    pub kept: StoredResult,
    /// The current result of its market, if there is one.
    pub market: Option<MarketResult>,
    /// Whether its market got another line after the bet.
    pub line_moved: bool,
}

/// The changes of a bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
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
    pub fn result(&self, placed_at_ms: i64) -> PairResult {
        let result = self.market.as_ref().map(|market| PairResult::of(market, self.odd, placed_at_ms));
        let result = result.unwrap_or(PairResult::Open);
        if self.line_moved { result.on_moved_line() } else { result }
    }
}

/// How the current results change a bet; `None` if it does not change. If the new settlement has the same content as
/// the current one, the current one stays.
pub fn revise(bet: &GradedBet) -> Option<Revision> {
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
pub const fn outcome_of(state: BetState) -> Option<Outcome> {
    match state {
        BetState::Won => Some(Outcome::Won),
        BetState::Lost => Some(Outcome::Lost),
        BetState::Void => Some(Outcome::Void),
        BetState::Open | BetState::CashedOut => None,
    }
}
