//! The verdict of an answer. Must not know a sport.

use crate::pricing::kind::{Answers, KindSpec};
use kvota_domain::ids::OddId;
use kvota_domain::settlement::{DeadHeat, RawOddResult, VoidFactor};

/// The result of an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// It was right: the whole stake at its price.
    Won,
    /// It was wrong.
    Lost,
    /// It is not decided, or counts as that: at the end the stake is given back.
    Void,
}

impl Verdict {
    /// The verdict of an answer, from the right answer of its market (of a double chance, the only wrong one).
    pub fn of(spec: &KindSpec, right: Option<usize>, answer: u16) -> Verdict {
        let Some(right) = right else {
            return Verdict::Void;
        };
        let wins = (right == usize::from(answer)) != matches!(spec.answers, Answers::DoubleChance);
        if wins { Verdict::Won } else { Verdict::Lost }
    }

    /// The result of an odd with this verdict (CONTRACT 7).
    pub const fn result_of(self, odd: OddId) -> RawOddResult {
        let (result, void_factor) = match self {
            Verdict::Won => (1, VoidFactor::Zero),
            Verdict::Lost => (0, VoidFactor::Zero),
            Verdict::Void => (0, VoidFactor::One),
        };
        RawOddResult { odd, result: Some(result), void_factor: Some(void_factor), dead_heat: Some(DeadHeat::NONE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::kind::Line;
    use kvota_domain::ids::MarketId;
    use kvota_domain::settlement::{MarketResult, MarketState, PairResult};

    #[test]
    fn the_right_answer_wins_and_of_a_double_chance_the_two_others() {
        for (answers, won) in [(Answers::OneXTwo, [false, true, false]), (Answers::DoubleChance, [true, false, true])] {
            let spec = KindSpec::of(1, answers, Line::None, 1);
            let verdicts = [0, 1, 2].map(|answer| Verdict::of(&spec, Some(1), answer) == Verdict::Won);
            assert_eq!(verdicts, won);
            assert_eq!(Verdict::of(&spec, None, 1), Verdict::Void);
        }
    }

    #[test]
    fn a_verdict_becomes_the_pair_result_of_the_same_meaning() {
        let odd = OddId::new(7).expect("a small id");
        for (verdict, expected) in
            [(Verdict::Won, PairResult::Won), (Verdict::Lost, PairResult::Lost), (Verdict::Void, PairResult::Void)]
        {
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
