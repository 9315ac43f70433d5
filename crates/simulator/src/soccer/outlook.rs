//! Expectations for the rest of a running match: the means of everything not yet counted, from the rates of the
//! pairing, the clock and the red cards. Goals, corners and cards are independent Poisson processes with constant rates
//! within a half.

use super::state::{Period, Phase, Situation};
use super::strengths::Rates;

/// The expected seconds of a half, with stoppage time. Must not be the real length, which is not known in advance.
const FIRST_HALF_S: f64 = 47.0 * 60.0;
const SECOND_HALF_S: f64 = 49.0 * 60.0;
const EXTRA_HALF_S: f64 = 16.0 * 60.0;
/// The expected remaining seconds once the expected length is over, for as long as the half continues: the whistle is
/// then equally likely at any moment.
pub const OVERTIME_S: f64 = 45.0;

/// Shares of the first and the second half in what 90 minutes bring. Goals and cards come late.
const GOAL_SHARES: [f64; 2] = [0.45, 0.55];
const CORNER_SHARES: [f64; 2] = [0.47, 0.53];
const CARD_SHARES: [f64; 2] = [0.36, 0.64];
/// What half of extra time brings, as a share of 90 minutes: sides are tired and careful.
const EXTRA_SHARE: f64 = 0.15;
/// The effect of a red card on the goals of its side, and of the other side.
const SHORT_HANDED: [f64; 2] = [0.70, 1.30];
/// What it does to the corners.
const SHORT_HANDED_CORNERS: [f64; 2] = [0.80, 1.15];
/// Red cards a match.
const RED_CARDS: f64 = 0.11;

/// Means of the further goals, corners and cards, `[home, away]`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// Goals of the first half.
    pub first: [f64; 2],
    /// Goals of the second half.
    pub second: [f64; 2],
    /// Goals of extra time, should it be played.
    pub extra: [f64; 2],
    /// Corners of the first half.
    pub corners_first: [f64; 2],
    /// Corners of the 90 minutes.
    pub corners: [f64; 2],
    /// Cards of the 90 minutes.
    pub cards: [f64; 2],
    /// Red cards of both sides in the 90 minutes.
    pub red_cards: f64,
}

impl Outlook {
    /// Looks ahead from a situation.
    pub fn new(rates: &Rates, situation: &Situation) -> Outlook {
        let first = left(Period::FirstHalf, situation);
        let second = left(Period::SecondHalf, situation);
        let extra = left(Period::ExtraFirst, situation) + left(Period::ExtraSecond, situation);
        let goals = short_handed(rates.goals, situation, SHORT_HANDED);
        let corners = short_handed(rates.corners, situation, SHORT_HANDED_CORNERS);
        let both = |shares: [f64; 2]| first * shares[0] + second * shares[1];
        Outlook {
            first: goals.map(|rate| rate * GOAL_SHARES[0] * first),
            second: goals.map(|rate| rate * GOAL_SHARES[1] * second),
            extra: goals.map(|rate| rate * EXTRA_SHARE * extra),
            corners_first: corners.map(|rate| rate * CORNER_SHARES[0] * first),
            corners: corners.map(|rate| rate * both(CORNER_SHARES)),
            cards: rates.cards.map(|rate| rate * both(CARD_SHARES)),
            red_cards: RED_CARDS * both(CARD_SHARES),
        }
    }

    /// Goals of the 90 minutes.
    pub fn regular(&self) -> [f64; 2] {
        [0, 1].map(|side| self.first[side] + self.second[side])
    }

    /// The mean of both sides' goals in a stretch of a half, in seconds of play, from the goals of a whole match.
    pub fn goals_within(rates: &Rates, situation: &Situation, half: Period, seconds: f64) -> f64 {
        let goals: f64 = short_handed(rates.goals, situation, SHORT_HANDED).iter().sum();
        match half {
            Period::FirstHalf => goals * GOAL_SHARES[0] * seconds / FIRST_HALF_S,
            _ => goals * GOAL_SHARES[1] * seconds / SECOND_HALF_S,
        }
    }
}

/// The expected events in one second of a period, `[home, away]`: the rates that an [`Outlook`] sums.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Intensities {
    /// Goals.
    pub goals: [f64; 2],
    /// Corners.
    pub corners: [f64; 2],
    /// Cards.
    pub cards: [f64; 2],
    /// Of how many of the cards one is red, 0 to 1.
    pub red_share: f64,
}

impl Intensities {
    /// Those of a period, from the red cards of a situation. All is still in a shoot-out.
    pub fn new(rates: &Rates, situation: &Situation, period: Period) -> Intensities {
        let [goals, corners, cards] = match period {
            Period::FirstHalf => [GOAL_SHARES[0], CORNER_SHARES[0], CARD_SHARES[0]],
            Period::SecondHalf => [GOAL_SHARES[1], CORNER_SHARES[1], CARD_SHARES[1]],
            Period::ExtraFirst | Period::ExtraSecond => [EXTRA_SHARE; 3],
            Period::ShootOut => [0.0; 3],
        };
        let a_second = |rates: [f64; 2], share: f64| rates.map(|rate| rate * share / expected_s(period).max(1.0));
        Intensities {
            goals: a_second(short_handed(rates.goals, situation, SHORT_HANDED), goals),
            corners: a_second(short_handed(rates.corners, situation, SHORT_HANDED_CORNERS), corners),
            cards: a_second(rates.cards, cards),
            red_share: RED_CARDS / rates.cards.iter().sum::<f64>().max(RED_CARDS),
        }
    }
}

/// How long a period is expected to last, stoppage time included, in seconds.
pub const fn expected_s(period: Period) -> f64 {
    match period {
        Period::FirstHalf => FIRST_HALF_S,
        Period::SecondHalf => SECOND_HALF_S,
        Period::ExtraFirst | Period::ExtraSecond => EXTRA_HALF_S,
        Period::ShootOut => 0.0,
    }
}

/// The share of a period that is still to be played, 0 to 1.
fn left(period: Period, situation: &Situation) -> f64 {
    let expected = expected_s(period);
    if expected <= 0.0 {
        return 0.0;
    }
    match situation.phase {
        Phase::NotStarted => 1.0,
        Phase::Playing(playing) if playing == period => {
            f64::max(expected - f64::from(situation.elapsed_s), OVERTIME_S) / expected
        }
        Phase::Playing(playing) if playing < period => 1.0,
        Phase::After(played) if played < period => 1.0,
        Phase::Playing(_) | Phase::After(_) | Phase::Ended => 0.0,
    }
}

fn short_handed(rates: [f64; 2], situation: &Situation, effect: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|side| {
        let own = situation.red[side].min(4);
        let others = situation.red[1 - side].min(4);
        // Multiplied out: a float's own power may differ between machines.
        let times = |rate: f64, (effect, cards): (f64, u8)| (0..cards).fold(rate, |rate, _| rate * effect);
        times(times(rates[side], (effect[0], own)), (effect[1], others))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soccer::strengths::rates;

    fn at(phase: Phase, elapsed_s: u32) -> Situation {
        Situation { phase, elapsed_s, ..Situation::before(false) }
    }

    #[test]
    fn less_is_expected_as_time_passes() {
        let rates = rates([1612, 1651], false);
        let moments = [
            at(Phase::NotStarted, 0),
            at(Phase::Playing(Period::FirstHalf), 1200),
            at(Phase::After(Period::FirstHalf), 0),
            at(Phase::Playing(Period::SecondHalf), 1200),
            at(Phase::Playing(Period::SecondHalf), 2900),
            at(Phase::Ended, 0),
        ];
        let goals = moments.map(|moment| Outlook::new(&rates, &moment).regular()[0]);
        assert!(goals.is_sorted_by(|a, b| a > b), "{goals:?}");
        assert!((goals[0] - rates.goals[0]).abs() < 1e-9, "the whole rate before the kick-off");
        assert_eq!(goals[5], 0.0);
    }

    #[test]
    fn stoppage_time_leaves_something_to_hope_for() {
        let rates = rates([1612, 1651], false);
        let late = Outlook::new(&rates, &at(Phase::Playing(Period::SecondHalf), 3500));
        assert!(late.regular()[0] > 0.0);
    }

    #[test]
    fn a_red_card_moves_both_sides() {
        let rates = rates([1612, 1651], false);
        let even = Outlook::new(&rates, &at(Phase::NotStarted, 0));
        let mut short = at(Phase::NotStarted, 0);
        short.red = [1, 0];
        let short = Outlook::new(&rates, &short);
        assert!(short.second[0] < even.second[0] && short.second[1] > even.second[1]);
    }
}
