//! Open bets whose matches are over, and why they are not settled: for the operator and for metrics (CONTRACT 7). Must not
//! change anything: these bets are settled, or not, by the engine alone.

use crate::bet::{AccountId, TicketId, TicketNumber};
use crate::ids::{MarketId, MatchId, OddId};
use crate::settlement::{MarketResult, PairResult};
use std::collections::{BTreeMap, HashMap};

/// Why a bet is not settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnsettledCause {
    /// The market of a pair has no result.
    NoResult,
    /// The market of a pair has a result that does not decide the odd.
    NotDecided,
    /// A pair has a result that cannot be graded (CONTRACT 7, *parked*).
    Parked,
    /// The bet could not be graded and was set aside.
    SetAside,
}

impl UnsettledCause {
    /// All causes. If several apply, the last one counts.
    pub const ALL: [UnsettledCause; 4] =
        [UnsettledCause::NoResult, UnsettledCause::NotDecided, UnsettledCause::Parked, UnsettledCause::SetAside];

    /// Its name in metrics and lists.
    pub const fn name(self) -> &'static str {
        match self {
            UnsettledCause::NoResult => "no_result",
            UnsettledCause::NotDecided => "not_decided",
            UnsettledCause::Parked => "parked",
            UnsettledCause::SetAside => "set_aside",
        }
    }
}

/// An open bet that waits too long: its undecided matches have all ended, or no result will settle it by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsettledBet {
    /// The bet.
    pub ticket_id: TicketId,
    /// The number that people read.
    pub ticket_number: TicketNumber,
    /// The account.
    pub account: AccountId,
    /// Its undecided matches.
    pub matches: Vec<MatchId>,
    /// When the last of them ended, in ms since the epoch; `None` if not all have ended.
    pub ended_at_ms: Option<i64>,
    /// Why it is not settled.
    pub cause: UnsettledCause,
}

/// An undecided pair of an open bet.
#[derive(Clone, Debug)]
pub struct UndecidedPair {
    /// The number of the bet.
    pub bet: u64,
    /// The number on its ticket.
    pub ticket_id: TicketId,
    /// Its account.
    pub account: AccountId,
    /// When it was placed, in ms since the epoch.
    pub placed_at_ms: i64,
    /// The match.
    pub match_id: MatchId,
    /// The market.
    pub market_id: MarketId,
    /// The odd.
    pub odd_id: OddId,
    /// When the match ended, in ms since the epoch; `None` if it has not.
    pub ended_at_ms: Option<i64>,
    /// Whether the bet is set aside.
    pub is_set_aside: bool,
    /// Whether the market got another line after the bet.
    pub line_moved: bool,
}

/// The bets of these pairs of which all matches ended before `ended_before_ms`, or that are parked or set aside. A bet
/// that waits longer comes first; bets on matches that have not ended come last.
pub fn unsettled(
    pairs: Vec<UndecidedPair>,
    results: Vec<(MatchId, MarketResult)>,
    ended_before_ms: i64,
) -> Vec<UnsettledBet> {
    let results: HashMap<(MatchId, MarketId), MarketResult> =
        results.into_iter().map(|(match_id, result)| ((match_id, result.market), result)).collect();
    let mut by_bet: BTreeMap<u64, Vec<UndecidedPair>> = BTreeMap::new();
    for pair in pairs {
        by_bet.entry(pair.bet).or_default().push(pair);
    }
    let mut bets: Vec<UnsettledBet> = by_bet
        .into_iter()
        .filter_map(|(bet, pairs)| {
            let ended_at_ms = pairs.iter().map(|pair| pair.ended_at_ms).collect::<Option<Vec<_>>>();
            let ended_at_ms = ended_at_ms.and_then(|times| times.into_iter().max());
            let first = pairs.first()?;
            Some(UnsettledBet {
                ticket_id: first.ticket_id.clone(),
                ticket_number: TicketNumber::of(bet),
                account: first.account,
                matches: pairs.iter().map(|pair| pair.match_id).collect(),
                ended_at_ms,
                cause: pairs.iter().map(|pair| cause(pair, &results)).max()?,
            })
        })
        .filter(|bet| {
            bet.cause >= UnsettledCause::Parked || bet.ended_at_ms.is_some_and(|at_ms| at_ms < ended_before_ms)
        })
        .collect();
    bets.sort_by_key(|bet| bet.ended_at_ms.unwrap_or(i64::MAX));
    bets
}

fn cause(pair: &UndecidedPair, results: &HashMap<(MatchId, MarketId), MarketResult>) -> UnsettledCause {
    if pair.is_set_aside {
        return UnsettledCause::SetAside;
    }
    match results.get(&(pair.match_id, pair.market_id)) {
        None => UnsettledCause::NoResult,
        Some(result) => {
            let result = PairResult::of(result, pair.odd_id, pair.placed_at_ms);
            match if pair.line_moved { result.on_moved_line() } else { result } {
                PairResult::Parked(_) => UnsettledCause::Parked,
                _ => UnsettledCause::NotDecided,
            }
        }
    }
}
