//! Open bets whose matches are over, and why they are not settled: for the operator (`kvota bets --unsettled`) and for
//! metrics. The databases read the undecided pairs; this file finds the causes.
//!
//! Must not change anything: these bets are settled, or not, by the engine alone.

use super::{AccountId, TicketId};
use kvota_domain::bet::TicketNumber;
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::settlement::{MarketResult, PairResult};
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
pub(super) struct UndecidedPair {
    pub(super) bet: u64,
    pub(super) ticket_id: TicketId,
    pub(super) account: AccountId,
    pub(super) placed_at_ms: i64,
    pub(super) match_id: MatchId,
    pub(super) market_id: MarketId,
    pub(super) odd_id: OddId,
    /// `None` if the match has not ended.
    pub(super) ended_at_ms: Option<i64>,
    pub(super) is_set_aside: bool,
    pub(super) line_moved: bool,
}

/// The markets with undecided pairs of open bets, by match.
pub(super) const UNDECIDED_MARKETS: &str = "SELECT DISTINCT p.match_id, p.market_id FROM bets b JOIN bet_pairs p ON p.bet_id = b.id \
     WHERE b.state = 'open' AND p.result = 'open' ORDER BY p.match_id, p.market_id";

/// The undecided pairs of open bets with a match that has ended or has a result, and of bets that are set aside. At most
/// 200,000 pairs, so that it always fits into memory: the bets placed first.
pub(super) const UNDECIDED_PAIRS: &str = "SELECT b.id, b.ticket_id, b.account_id, b.placed_at_ms, p.match_id, p.market_id, p.odd_id, \
     COALESCE(e.ended_at_ms, -1), CAST(CASE WHEN s.bet_id IS NULL THEN 0 ELSE 1 END AS BIGINT), p.line_moved FROM bets b JOIN bet_pairs p ON p.bet_id = b.id LEFT JOIN match_ends e ON e.match_id = p.match_id \
     LEFT JOIN settlement_set_aside s ON s.bet_id = b.id WHERE b.state = 'open' AND p.result = 'open' \
     AND (s.bet_id IS NOT NULL \
     OR EXISTS (SELECT 1 FROM bet_pairs q JOIN match_ends f ON f.match_id = q.match_id WHERE q.bet_id = b.id) \
     OR EXISTS (SELECT 1 FROM bet_pairs q JOIN market_results r ON r.match_id = q.match_id AND r.market_id = q.market_id \
     WHERE q.bet_id = b.id AND q.result = 'open')) ORDER BY b.id LIMIT 200000";

/// The results of markets with undecided pairs of open bets.
pub(super) const RESULTS_OF_UNDECIDED: &str = "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
     FROM (SELECT DISTINCT p.match_id, p.market_id FROM bets b JOIN bet_pairs p ON p.bet_id = b.id \
     WHERE b.state = 'open' AND p.result = 'open') u \
     JOIN market_results r ON r.match_id = u.match_id AND r.market_id = u.market_id";

/// Forgets the ends of matches without an undecided pair of an open bet.
pub(super) const FORGET_MATCH_ENDS: &str = "DELETE FROM match_ends WHERE NOT EXISTS (SELECT 1 FROM bet_pairs p \
     JOIN bets b ON b.id = p.bet_id WHERE p.match_id = match_ends.match_id AND p.result = 'open' AND b.state = 'open')";

/// The bets of these pairs of which all matches ended before `ended_before_ms`, or that are parked or set aside. A bet
/// that waits longer comes first; bets on matches that have not ended come last.
pub(super) fn unsettled(
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
