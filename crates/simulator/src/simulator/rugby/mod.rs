//! Rugby union: two halves of 40 minutes. In a knock-out tournament there are overtimes of 20 minutes until one is won;
//! elsewhere a draw is final. Tries with conversions, penalties, drop goals. After a yellow card a side is a player
//! short for ten minutes of play. Contains only rules and the table of markets; [`super::clock`] plays and prices a
//! match.

use super::clock::game::Game;
use super::clock::rules::{Overtime, PeriodRules, Rules, ScoreKind, Shape, ShortRules, Tempo};
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use crate::pricing::maths::exp;
use crate::simulator::random::Random;

/// The sport.
#[derive(Debug)]
pub struct Rugby;

pub(super) static RULES: Rules = Rules {
    scores: &[
        // A try and its conversion.
        ScoreKind { weight: 0.55, points: 5, more: &[(0, 0.28), (2, 0.72)], ways: [4, 5] },
        ScoreKind { weight: 0.42, points: 3, more: &[], ways: [6, 0] },
        ScoreKind { weight: 0.03, points: 3, more: &[], ways: [7, 0] },
    ],
    periods: &[
        PeriodRules { status: "first_half", pause: "half_time", pause_s: (660.0, 780.0), pace: 1.0 },
        PeriodRules { status: "second_half", pause: "awaiting_extra_time", pause_s: (240.0, 330.0), pace: 1.0 },
    ],
    overtime: ["first_extra", "second_extra"],
    tick_s: (30.0, 50.0),
    // An injury, a scrum that is set again, a look at the pictures.
    stop: (0.12, (25.0, 90.0)),
    after_score_s: (15.0, 40.0),
    more_s: (45.0, 80.0),
    holds: true,
    short: Some(ShortRules {
        timed: 0.9,
        lasting: 0.03,
        timed_ms: 600_000,
        own: 0.8,
        stop_s: (45.0, 80.0),
        ends_with_goal: false,
        are_cards: true,
    }),
    ..Rules::of(&catalogue::RUGBY)
};

const OVERTIME: Overtime = Overtime::of(20 * 60_000);
/// Scores of an average side in a match.
const SCORES: f64 = 4.8;
/// What playing at home is worth, as a logarithm of the share.
const HOME: f64 = 0.06;
/// The effect on scoring if a side is stronger by one.
const STRONGER: f64 = 0.13;

impl Sport for Rugby {
    fn profile(&self) -> &'static Profile {
        &catalogue::RUGBY.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let half_ms = 40 * 60_000;
        let [home, away] = pairing.strengths;
        let edge = STRONGER * (home - away) + HOME;
        let level = SCORES * random.between(0.85, 1.15) / (2 * half_ms) as f64;
        let tempo = Tempo::Moments { per_ms: [level * exp(edge), level * exp(-edge)] };
        // One of three tournaments is a knock-out.
        let overtime = pairing.tournament.is_multiple_of(3).then_some(OVERTIME);
        Box::new(Game::new(&RULES, Shape::new(&RULES, half_ms, overtime, tempo)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::dist::mean;

    #[test]
    fn a_try_is_worth_five_or_seven() {
        let worths = RULES.worths();
        let of = |points: usize| worths.iter().find(|held| held.0 == points).map(|held| held.1);
        assert!(of(5).is_some_and(|chance| (chance - 0.55 * 0.28).abs() < 1e-12));
        assert!(of(7).is_some_and(|chance| (chance - 0.55 * 0.72).abs() < 1e-12));
        assert!(of(3).is_some_and(|chance| (chance - 0.45).abs() < 1e-12));
        assert!((mean(&RULES.more(0)) - 1.44).abs() < 1e-12);
        assert_eq!(RULES.more(1), [1.0]);
    }
}
