//! American football: four quarters of 15 minutes; after a draw, overtimes of 10 minutes until the first score.
//! Touchdowns with one or two points after them, field goals, safeties. Contains only rules and the table of markets;
//! [`super::clock`] plays and prices a match.

use super::clock::game::Game;
use super::clock::rules::{Overtime, PeriodRules, Rules, ScoreKind, Shape, Tempo};
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use crate::pricing::maths::exp;
use crate::simulator::random::Random;

/// The sport.
#[derive(Debug)]
pub struct AmericanFootball;

pub(super) static RULES: Rules = Rules {
    scores: &[
        // A touchdown with a kick, or now and then a second attempt to score.
        ScoreKind { weight: 0.57, points: 6, more: &[(0, 0.08), (1, 0.85), (2, 0.07)], ways: [8, 9] },
        ScoreKind { weight: 0.42, points: 3, more: &[], ways: [10, 0] },
        ScoreKind { weight: 0.01, points: 2, more: &[], ways: [11, 0] },
    ],
    periods: &[
        PeriodRules { status: "quarter_1", pause: "pause", pause_s: (110.0, 140.0), pace: 1.0 },
        PeriodRules { status: "quarter_2", pause: "half_time", pause_s: (720.0, 840.0), pace: 1.0 },
        PeriodRules { status: "quarter_3", pause: "pause", pause_s: (110.0, 140.0), pace: 1.0 },
        PeriodRules { status: "quarter_4", pause: "pause", pause_s: (150.0, 200.0), pace: 1.0 },
    ],
    tick_s: (18.0, 42.0),
    // The clock stops after most plays that end out of bounds or incomplete, and for penalties and timeouts.
    stop: (0.8, (20.0, 95.0)),
    after_score_s: (60.0, 160.0),
    more_s: (35.0, 60.0),
    holds: true,
    ..Rules::of(&catalogue::AMERICAN_FOOTBALL)
};

const OVERTIME: Overtime = Overtime { is_sudden: true, ..Overtime::of(10 * 60_000) };
/// Scores of an average side in a match.
const SCORES: f64 = 4.3;
/// What playing at home is worth, as a logarithm of the share.
const HOME: f64 = 0.04;
/// The effect on scoring if a side is stronger by one.
const STRONGER: f64 = 0.11;

impl Sport for AmericanFootball {
    fn profile(&self) -> &'static Profile {
        &catalogue::AMERICAN_FOOTBALL.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let quarter_ms = 15 * 60_000;
        let [home, away] = pairing.strengths;
        let edge = STRONGER * (home - away) + HOME;
        let level = SCORES * random.between(0.88, 1.12) / (4 * quarter_ms) as f64;
        let tempo = Tempo::Moments { per_ms: [level * exp(edge), level * exp(-edge)] };
        Box::new(Game::new(&RULES, Shape::new(&RULES, quarter_ms, Some(OVERTIME), tempo)))
    }
}
