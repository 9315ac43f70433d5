//! The current result of a market, and what it means for one pair (CONTRACT 7, *Message* and *Factor of a pair*).
//! Called by the settlement engine for each pair of a bet, and by placing, which rejects an odd that has a result.
//!
//! Must not remember earlier results: a message carries the whole current one.

use crate::Text;
use crate::ids::{MarketId, MatchId, OddId};
use crate::price::Price;
use crate::ticket::ExactOdd;

/// One message: the current results of some markets of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchResults {
    /// The match.
    pub match_id: MatchId,
    /// The markets, each with the version of the message.
    pub markets: Vec<MarketResult>,
    /// When the producer made the message, in ms since the epoch.
    pub date_ms: Option<i64>,
}

/// The `reason` with which a restarted producer cancels markets of a match that it does not know (CONTRACT 7).
pub const SOURCE_RESTARTED: &str = "source_restarted";

/// A match whose current results are requested (CONTRACT 7, *Requests for results*).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestedMatch {
    /// The match.
    pub match_id: MatchId,
    /// Its markets with undecided pairs of open bets. A producer that does not know the match cancels these.
    pub open_markets: Vec<MarketId>,
}

/// The whole current result of a market. A higher version replaces a lower one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarketResult {
    /// The market.
    pub market: MarketId,
    /// Increases with each message of the match.
    pub version: i64,
    /// Reopened, settled, cancelled, or a state unknown to this version.
    pub state: MarketState,
    /// The odds with a result, as received.
    pub odds: Vec<RawOddResult>,
    /// A cancellation applies to bets that were placed in one of these windows. An empty list means all bets.
    pub void_windows: Vec<VoidWindow>,
    /// The reason, for the receipt.
    pub reason: Option<Text>,
}

impl MarketResult {
    /// Whether it is the cancellation of a producer that has lost its memory.
    pub fn is_for_lost_memory(&self) -> bool {
        let is_for_all = self.state == MarketState::Cancelled && self.void_windows.is_empty();
        is_for_all && self.reason.as_deref() == Some(SOURCE_RESTARTED)
    }

    /// Whether two results are equal except for their version and the order of the odds.
    pub fn has_content_of(&self, other: &MarketResult) -> bool {
        // A later entry for the same odd replaces an earlier one, so the sort must keep their order.
        let sorted = |odds: &[RawOddResult]| {
            let mut odds = odds.to_vec();
            odds.sort_by_key(|listed| listed.odd);
            odds
        };
        self.market == other.market
            && self.state == other.state
            && self.void_windows == other.void_windows
            && self.reason == other.reason
            && sorted(&self.odds) == sorted(&other.odds)
    }
}

/// The state that the provider reports for a market.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarketState {
    /// 0: an earlier settlement or cancellation is reversed.
    OpenAgain,
    /// 1: the listed odds have results.
    Settled,
    /// 2: void for bets placed in a void window. For other bets the listed odds are settled.
    Cancelled,
    /// Any other number. It is not graded.
    Unknown(i64),
}

impl MarketState {
    /// The state for this number in a message.
    pub const fn from_code(code: i64) -> MarketState {
        match code {
            0 => MarketState::OpenAgain,
            1 => MarketState::Settled,
            2 => MarketState::Cancelled,
            other => MarketState::Unknown(other),
        }
    }

    /// Its number in a message.
    pub const fn code(self) -> i64 {
        match self {
            MarketState::OpenAgain => 0,
            MarketState::Settled => 1,
            MarketState::Cancelled => 2,
            MarketState::Unknown(other) => other,
        }
    }
}

/// The reported values of one odd, before validation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RawOddResult {
    /// The odd.
    pub odd: OddId,
    /// 1 won, 0 lost, `None` not decided. Any other number is not graded.
    pub result: Option<i64>,
    /// The part of the stake that is void; `None` for an undefined number.
    pub void_factor: Option<VoidFactor>,
    /// The share of a dead heat; `None` for an undefined number.
    pub dead_heat: Option<DeadHeat>,
}

/// The part of the stake that is returned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VoidFactor {
    /// None of it.
    Zero,
    /// Half of it.
    Half,
    /// All of it.
    One,
}

impl VoidFactor {
    /// The factor for this many ten-thousandths; `None` for a number that the contract does not define.
    pub const fn from_ten_thousandths(number: u64) -> Option<VoidFactor> {
        match number {
            0 => Some(VoidFactor::Zero),
            5_000 => Some(VoidFactor::Half),
            10_000 => Some(VoidFactor::One),
            _ => None,
        }
    }

    /// Ten-thousandths: a half is 5,000.
    pub const fn ten_thousandths(self) -> u64 {
        match self {
            VoidFactor::Zero => 0,
            VoidFactor::Half => 5_000,
            VoidFactor::One => 10_000,
        }
    }
}

/// The share of each winner in a dead heat: above 0, at most 1, in ten-thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DeadHeat(u16);

impl DeadHeat {
    /// A single winner.
    pub const NONE: DeadHeat = DeadHeat(10_000);

    /// The share of this many ten-thousandths; `None` outside 1 to 10,000.
    pub const fn from_ten_thousandths(number: u64) -> Option<DeadHeat> {
        if number >= 1 && number <= 10_000 { Some(DeadHeat(number as u16)) } else { None }
    }

    /// Ten-thousandths: a half is 5,000.
    pub const fn ten_thousandths(self) -> u64 {
        self.0 as u64
    }
}

/// A cancellation applies to bets placed at `from_ms <= t < until_ms`, in ms since the epoch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VoidWindow {
    /// The first moment inside; `None` for no bound.
    pub from_ms: Option<i64>,
    /// The first moment after it; `None` for no bound.
    pub until_ms: Option<i64>,
}

impl VoidWindow {
    /// Whether the window contains a bet placed at this time.
    pub fn holds(&self, placed_at_ms: i64) -> bool {
        self.from_ms.is_none_or(|from| from <= placed_at_ms) && self.until_ms.is_none_or(|until| placed_at_ms < until)
    }
}

/// Why a pair has a result that cannot be graded. It stays open and is listed for the operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Parked {
    /// The contract does not define the number of the market's state.
    UnknownState,
    /// The contract does not define this combination of result, void factor and dead heat.
    UndefinedCombination,
    /// The market got another line after the bet, so the result is that of another line.
    MovedLine,
}

/// The result of one pair of a bet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PairResult {
    /// Not decided yet.
    Open,
    /// There is a result, but it cannot be graded.
    Parked(Parked),
    /// Won in full.
    Won,
    /// Won in a dead heat: the odd counts for this share.
    DeadHeat(DeadHeat),
    /// Half of the stake won, half is returned.
    HalfWon,
    /// Half of the stake is returned, half is lost.
    HalfLost,
    /// Lost.
    Lost,
    /// Void: the pair does not count.
    Void,
}

impl PairResult {
    /// Grades a pair with this odd, in a bet placed at this time.
    pub fn of(market: &MarketResult, odd: OddId, placed_at_ms: i64) -> PairResult {
        match market.state {
            MarketState::OpenAgain => return PairResult::Open,
            MarketState::Unknown(_) => return PairResult::Parked(Parked::UnknownState),
            MarketState::Cancelled if market.voids(placed_at_ms) => return PairResult::Void,
            MarketState::Cancelled | MarketState::Settled => {}
        }
        // A later entry for the same odd replaces an earlier one.
        let listed = market.odds.iter().rev().find(|listed| listed.odd == odd);
        listed.map_or(PairResult::Open, RawOddResult::judged)
    }

    /// The result of a pair on a market that got another line after the bet, under the same id (CONTRACT 0 forbids it).
    /// Only a void pair is still decided.
    pub const fn on_moved_line(self) -> PairResult {
        match self {
            PairResult::Open | PairResult::Parked(_) | PairResult::Void => self,
            _ => PairResult::Parked(Parked::MovedLine),
        }
    }

    /// The factor that replaces the accepted odd in the payout (CONTRACT 7, *Factor of a pair*); `None` while the pair
    /// is not decided.
    pub fn factor(self, taken: Price) -> Option<ExactOdd> {
        let half = ExactOdd::from_thousandths(500);
        let odd = ExactOdd::from(taken);
        Some(match self {
            PairResult::Open | PairResult::Parked(_) => return None,
            PairResult::Won => odd,
            PairResult::DeadHeat(share) => odd.times(&ExactOdd::from_ten_thousandths(share.ten_thousandths())),
            PairResult::HalfWon => odd.plus(&ExactOdd::one()).times(&half),
            PairResult::HalfLost => half,
            PairResult::Lost => ExactOdd::zero(),
            PairResult::Void => ExactOdd::one(),
        })
    }

    /// Whether the pair is decided.
    pub const fn is_decided(self) -> bool {
        !matches!(self, PairResult::Open | PairResult::Parked(_))
    }

    /// The result with this stored name; `share` is the share of a dead heat.
    pub fn from_code(code: &str, share: Option<DeadHeat>) -> Option<PairResult> {
        Some(match code {
            "open" => PairResult::Open,
            "won" => PairResult::Won,
            "dead_heat" => PairResult::DeadHeat(share.unwrap_or(DeadHeat::NONE)),
            "half_won" => PairResult::HalfWon,
            "half_lost" => PairResult::HalfLost,
            "lost" => PairResult::Lost,
            "void" => PairResult::Void,
            _ => return None,
        })
    }

    /// The share of a dead heat.
    pub const fn dead_heat(self) -> Option<DeadHeat> {
        match self {
            PairResult::DeadHeat(share) => Some(share),
            _ => None,
        }
    }

    /// The result as the store keeps it: a parked pair is stored as open.
    pub const fn as_stored(self) -> PairResult {
        match self {
            PairResult::Parked(_) => PairResult::Open,
            other => other,
        }
    }

    /// Its name in `account/tickets` (CONTRACT 7, *Reading bets and results*).
    pub const fn code(self) -> &'static str {
        match self {
            PairResult::Open | PairResult::Parked(_) => "open",
            PairResult::Won => "won",
            PairResult::DeadHeat(_) => "dead_heat",
            PairResult::HalfWon => "half_won",
            PairResult::HalfLost => "half_lost",
            PairResult::Lost => "lost",
            PairResult::Void => "void",
        }
    }
}

impl MarketResult {
    /// Whether a cancellation applies to a bet placed at this moment.
    fn voids(&self, placed_at_ms: i64) -> bool {
        self.void_windows.is_empty() || self.void_windows.iter().any(|window| window.holds(placed_at_ms))
    }

    /// Whether an odd of the market has a current result, so that no bets on it are accepted (`market_settled`).
    pub fn decides(&self, odd: OddId, now_ms: i64) -> bool {
        PairResult::of(self, odd, now_ms) != PairResult::Open
    }
}

impl RawOddResult {
    /// Grades the reported values; `Parked` if the contract does not define their combination.
    fn judged(&self) -> PairResult {
        let undefined = PairResult::Parked(Parked::UndefinedCombination);
        let (Some(void), Some(dead_heat)) = (self.void_factor, self.dead_heat) else { return undefined };
        match (self.result, void) {
            (Some(1), VoidFactor::Zero) if dead_heat == DeadHeat::NONE => PairResult::Won,
            (Some(1), VoidFactor::Zero) => PairResult::DeadHeat(dead_heat),
            (Some(1), VoidFactor::Half) => PairResult::HalfWon,
            (Some(0), VoidFactor::Zero) => PairResult::Lost,
            (Some(0), VoidFactor::Half) => PairResult::HalfLost,
            (Some(0 | 1), VoidFactor::One) => PairResult::Void,
            (None, VoidFactor::Zero) => PairResult::Open,
            _ => undefined,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: u64 = 7;

    fn odd_id(id: u64) -> OddId {
        OddId::new(id).unwrap()
    }

    fn market(state: i64, result: Option<i64>, void: u64, dead_heat: u64) -> MarketResult {
        MarketResult {
            market: MarketId::new(1).unwrap(),
            version: 1,
            state: MarketState::from_code(state),
            odds: vec![RawOddResult {
                odd: odd_id(ODD),
                result,
                void_factor: VoidFactor::from_ten_thousandths(void),
                dead_heat: DeadHeat::from_ten_thousandths(dead_heat),
            }],
            void_windows: Vec::new(),
            reason: None,
        }
    }

    #[test]
    fn a_result_and_its_void_factor_decide_a_pair_or_leave_it_open() {
        let undefined = PairResult::Parked(Parked::UndefinedCombination);
        for (state, result, void, dead_heat, expected) in [
            (1, Some(1), 0, 10_000, PairResult::Won),
            (1, Some(1), 0, 5_000, PairResult::DeadHeat(DeadHeat(5_000))),
            (1, Some(1), 5_000, 10_000, PairResult::HalfWon),
            // A dead heat counts only if nothing is void.
            (1, Some(1), 5_000, 5_000, PairResult::HalfWon),
            (1, Some(1), 10_000, 10_000, PairResult::Void),
            (1, Some(0), 10_000, 10_000, PairResult::Void),
            (1, Some(0), 5_000, 10_000, PairResult::HalfLost),
            (1, Some(0), 0, 10_000, PairResult::Lost),
            (1, Some(0), 0, 5_000, PairResult::Lost),
            (1, None, 0, 10_000, PairResult::Open),
            (1, None, 5_000, 10_000, undefined),
            (1, None, 10_000, 10_000, undefined),
            (1, Some(2), 0, 10_000, undefined),
            (1, Some(-1), 0, 10_000, undefined),
            (1, Some(1), 2_500, 10_000, undefined),
            (1, Some(1), 0, 0, undefined),
            (1, Some(1), 0, 10_001, undefined),
            (0, Some(1), 0, 10_000, PairResult::Open),
            (2, Some(1), 0, 10_000, PairResult::Void),
            (3, Some(1), 0, 10_000, PairResult::Parked(Parked::UnknownState)),
        ] {
            let market = market(state, result, void, dead_heat);
            assert_eq!(PairResult::of(&market, odd_id(ODD), 0), expected, "{state} {result:?} {void} {dead_heat}");
        }
    }

    #[test]
    fn an_odd_that_is_not_listed_is_not_decided() {
        assert_eq!(PairResult::of(&market(1, Some(1), 0, 10_000), odd_id(8), 0), PairResult::Open);
        assert_eq!(PairResult::of(&market(2, Some(1), 0, 10_000), odd_id(8), 0), PairResult::Void);
    }

    #[test]
    fn on_a_moved_line_only_a_void_pair_is_decided() {
        let parked = PairResult::Parked(Parked::MovedLine);
        for (result, expected) in [
            (PairResult::Open, PairResult::Open),
            (PairResult::Void, PairResult::Void),
            (PairResult::Parked(Parked::UnknownState), PairResult::Parked(Parked::UnknownState)),
            (PairResult::Won, parked),
            (PairResult::DeadHeat(DeadHeat(5_000)), parked),
            (PairResult::HalfWon, parked),
            (PairResult::HalfLost, parked),
            (PairResult::Lost, parked),
        ] {
            assert_eq!(result.on_moved_line(), expected, "{result:?}");
        }
    }

    #[test]
    fn a_cancellation_applies_inside_its_windows_and_others_keep_the_listed_result() {
        let window = |from_ms, until_ms| VoidWindow { from_ms, until_ms };
        for (windows, placed_at_ms, is_void) in [
            (vec![], 5, true),
            (vec![window(None, None)], 5, true),
            (vec![window(Some(5), None)], 5, true),
            (vec![window(Some(6), None)], 5, false),
            (vec![window(None, Some(5))], 5, false),
            (vec![window(None, Some(6))], 5, true),
            (vec![window(Some(1), Some(2)), window(Some(4), Some(6))], 5, true),
            (vec![window(Some(1), Some(2)), window(Some(6), Some(7))], 5, false),
        ] {
            let market = MarketResult { void_windows: windows.clone(), ..market(2, Some(1), 0, 10_000) };
            let expected = if is_void { PairResult::Void } else { PairResult::Won };
            assert_eq!(PairResult::of(&market, odd_id(ODD), placed_at_ms), expected, "{windows:?}");
        }
    }

    #[test]
    fn windows_are_ignored_in_other_states_than_cancelled() {
        let window = VoidWindow { from_ms: None, until_ms: None };
        let market = MarketResult { void_windows: vec![window], ..market(1, Some(0), 0, 10_000) };
        assert_eq!(PairResult::of(&market, odd_id(ODD), 5), PairResult::Lost);
    }

    #[test]
    fn each_result_has_its_factor() {
        let taken = Price::from_thousandths(2_150).unwrap();
        for (result, factor) in [
            (PairResult::Won, Some("2.15")),
            (PairResult::DeadHeat(DeadHeat(3_333)), Some("0.716595")),
            (PairResult::HalfWon, Some("1.575")),
            (PairResult::HalfLost, Some("0.5")),
            (PairResult::Lost, Some("0")),
            (PairResult::Void, Some("1")),
            (PairResult::Open, None),
            (PairResult::Parked(Parked::UnknownState), None),
        ] {
            assert_eq!(result.factor(taken).map(|factor| factor.to_string()).as_deref(), factor, "{result:?}");
            assert_eq!(result.is_decided(), factor.is_some());
        }
    }

    #[test]
    fn an_odd_with_a_present_result_is_closed_to_bets() {
        for (state, result, void, closed) in
            [(1, Some(1), 0, true), (1, None, 0, false), (0, Some(1), 0, false), (2, None, 0, true), (9, None, 0, true)]
        {
            assert_eq!(market(state, result, void, 10_000).decides(odd_id(ODD), 0), closed, "{state} {result:?}");
        }
    }
}
