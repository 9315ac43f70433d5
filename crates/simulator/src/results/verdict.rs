//! An answer of a market and its verdict. Shared by the sports, which decide, and by the code that reports. Must not
//! know a sport.

use kvota_domain::ids::OddId;
use kvota_domain::settlement::{DeadHeat, RawOddResult, VoidFactor};

/// An answer of a market.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ask {
    /// The kind: an index in the table.
    pub kind: u16,
    /// The line.
    pub line: u16,
    /// The index of the answer.
    pub answer: u16,
}

/// The result of an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// It was right: the whole stake at its price.
    Won,
    /// It was wrong.
    Lost,
    /// It is not decided, or counts as that: at the end the stake is given back.
    Void,
    /// Half the stake won, half given back.
    HalfWon,
    /// Half the stake lost, half given back.
    HalfLost,
}

impl Verdict {
    /// Won if true, else lost.
    pub const fn of(is_so: bool) -> Verdict {
        if is_so { Verdict::Won } else { Verdict::Lost }
    }

    /// The result of an odd with this verdict (CONTRACT 7).
    pub const fn result_of(self, odd: OddId) -> RawOddResult {
        let (result, void_factor) = match self {
            Verdict::Won => (1, VoidFactor::Zero),
            Verdict::Lost => (0, VoidFactor::Zero),
            Verdict::Void => (0, VoidFactor::One),
            Verdict::HalfWon => (1, VoidFactor::Half),
            Verdict::HalfLost => (0, VoidFactor::Half),
        };
        RawOddResult { odd, result: Some(result), void_factor: Some(void_factor), dead_heat: Some(DeadHeat::NONE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::MarketId;
    use kvota_domain::settlement::{MarketResult, MarketState, PairResult};

    #[test]
    fn a_verdict_becomes_the_pair_result_of_the_same_meaning() {
        let odd = OddId::new(7).expect("a small id");
        for (verdict, expected) in [
            (Verdict::Won, PairResult::Won),
            (Verdict::Lost, PairResult::Lost),
            (Verdict::Void, PairResult::Void),
            (Verdict::HalfWon, PairResult::HalfWon),
            (Verdict::HalfLost, PairResult::HalfLost),
        ] {
            let market = MarketResult {
                market: MarketId::new(3).expect("a small id"),
                version: 1,
                state: MarketState::Settled,
                odds: vec![verdict.result_of(odd)],
                void_windows: Vec::new(),
                reason: None,
            };
            assert_eq!(PairResult::of(&market, odd, 0), expected);
        }
    }
}
