//! Basketball: four quarters of 10 or 12 minutes, and overtimes of 5 minutes until one is won. Sides attack in turn.
//! Contains only rules and the table of markets; [`super::clock`] plays and prices a match.

use super::clock::game::Game;
use super::clock::rules::{Overtime, PeriodRules, Rules, ScoreKind, Shape, Tempo};
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use crate::pricing::maths::exp;
use crate::simulator::random::Random;

/// The sport.
#[derive(Debug)]
pub struct Basketball;

pub(super) static RULES: Rules = Rules {
    scores: &[
        ScoreKind { weight: 0.30, points: 2, more: &[], ways: [2, 0] },
        ScoreKind { weight: 0.115, points: 3, more: &[], ways: [3, 0] },
        // A basket and a free throw.
        ScoreKind { weight: 0.02, points: 2, more: &[(0, 0.25), (1, 0.75)], ways: [2, 1] },
        // Two free throws.
        ScoreKind { weight: 0.10, points: 0, more: &[(0, 0.06), (1, 0.36), (2, 0.58)], ways: [0, 1] },
    ],
    periods: &[
        PeriodRules { status: "quarter_1", pause: "pause", pause_s: (120.0, 150.0), pace: 1.0 },
        PeriodRules { status: "quarter_2", pause: "half_time", pause_s: (840.0, 900.0), pace: 1.0 },
        PeriodRules { status: "quarter_3", pause: "pause", pause_s: (120.0, 150.0), pace: 1.0 },
        PeriodRules { status: "quarter_4", pause: "pause", pause_s: (120.0, 150.0), pace: 1.0 },
    ],
    tick_s: (24.0, 24.0),
    // Out of bounds, a foul that gives no free throws, a timeout.
    stop: (0.45, (10.0, 80.0)),
    more_s: (18.0, 32.0),
    ..Rules::of(&catalogue::BASKETBALL)
};

const OVERTIME: Overtime = Overtime::of(300_000);
/// How likely an attack of an average side scores.
const ATTACK_SCORES: f64 = 0.535;
/// What playing at home adds to it, in parts.
const HOME: f64 = 0.013;
/// The effect on scoring if a side is stronger by one.
const STRONGER: f64 = 0.026;

impl Sport for Basketball {
    fn profile(&self) -> &'static Profile {
        &catalogue::BASKETBALL.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let [home, away] = pairing.strengths;
        // Two of five leagues play the longer quarters.
        let is_long = pairing.tournament % 5 < 2;
        let edge = STRONGER * (home - away) + HOME;
        let level = ATTACK_SCORES * random.between(0.97, 1.03);
        let scores = [level * exp(edge), level * exp(-edge)];
        let (minutes, attacks, overtime) = match is_long {
            true => (12, 24 + random.below(3) as usize, 10),
            false => (10, 17 + random.below(3) as usize, 9),
        };
        let tempo = Tempo::Turns { period: attacks, overtime, scores };
        Box::new(Game::new(&RULES, Shape::new(&RULES, minutes * 60_000, Some(OVERTIME), tempo)))
    }
}
