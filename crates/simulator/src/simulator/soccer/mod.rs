//! Soccer: two halves of 45 minutes with stoppage time, corners, cards, and extra time and a shoot-out in a cup. Our own
//! model: every page that shows its odds must say so. Contains only rules and expectations; [`super::clock`] plays and
//! prices a match, also a recorded one.

pub mod strengths;

#[cfg(test)]
mod soccer_tests;

use super::clock::game::Game;
use super::clock::rules::{
    CountRules, Overtime, PeriodRules, Rules, RunningClock, ScoreKind, Shape, ShootOut, ShortRules, Tempo,
};
use super::names::is_cup;
use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use crate::pricing::shoot_out::Kicks;
use strengths::{Rates, rates_of_skills};

/// A half, and a half of extra time, in ms of play.
const HALF_MS: i64 = 45 * 60_000;
const EXTRA_HALF_MS: i64 = 15 * 60_000;
/// How long they are expected to be with stoppage time.
const EXPECTED_MS: [i64; 2] = [47 * 60_000, 49 * 60_000];
const EXTRA_EXPECTED_MS: i64 = 16 * 60_000;
/// The shares of the halves in the goals of 90 minutes. Goals come late.
const GOAL_SHARES: [f64; 2] = [0.45, 0.55];
/// What half of extra time brings, as a share of 90 minutes: sides are tired and careful.
const EXTRA_SHARE: f64 = 0.15;

/// The rate of scoring in a period with this share of the goals.
const fn pace(share: f64, expected_ms: i64) -> f64 {
    share * (2 * HALF_MS) as f64 / expected_ms as f64
}

pub(super) static RULES: Rules = Rules {
    scores: &[ScoreKind { weight: 1.0, points: 1, more: &[], ways: [0, 0] }],
    periods: &[
        PeriodRules {
            status: "first_half",
            pause: "half_time",
            pause_s: (880.0, 980.0),
            pace: pace(GOAL_SHARES[0], EXPECTED_MS[0]),
        },
        PeriodRules {
            status: "second_half",
            pause: "awaiting_extra_time",
            pause_s: (240.0, 300.0),
            pace: pace(GOAL_SHARES[1], EXPECTED_MS[1]),
        },
    ],
    overtime: ["first_extra", "second_extra"],
    shoot_out: ["awaiting_penalties", "penalties"],
    tick_s: (8.0, 8.0),
    // Red cards: those are among the cards.
    short: Some(ShortRules {
        timed: 0.0,
        lasting: 0.0,
        timed_ms: 0,
        own: 0.7,
        stop_s: (0.0, 0.0),
        ends_with_goal: false,
        are_cards: true,
    }),
    has_facts: false,
    running: Some(RunningClock {
        expected_ms: EXPECTED_MS,
        overtime_ms: EXTRA_EXPECTED_MS,
        tail_ms: 45_000,
        hold_s: (25.0, 45.0),
        review: (0.15, (45.0, 90.0)),
        appeals: (1_800.0, (12.0, 35.0)),
    }),
    counts: Some(CountRules {
        corner_shares: [0.47, 0.53],
        card_shares: [0.36, 0.64],
        overtime_share: EXTRA_SHARE,
        short: [0.80, 1.15],
        reds: 0.11,
    }),
    ..Rules::of(&catalogue::SOCCER)
};

const EXTRA_TIME: Overtime = Overtime {
    periods: (2, "extra_half_time", 75.0),
    pace: pace(EXTRA_SHARE, EXTRA_EXPECTED_MS),
    shoot_out: Some(ShootOut { kicks: Kicks { each: 5, chance: 0.75 }, is_scored: false }),
    ..Overtime::of(EXTRA_HALF_MS)
};

/// A match with these expectations; `is_knock_out` if a draw is played on.
pub fn game(rates: &Rates, is_knock_out: bool) -> Game {
    let tempo = Tempo::Moments { per_ms: rates.goals.map(|goals| goals / (2 * HALF_MS) as f64) };
    let shape = Shape::new(&RULES, HALF_MS, is_knock_out.then_some(EXTRA_TIME), tempo);
    Game::new(&RULES, Shape { counts: [rates.corners, rates.cards], ..shape })
}

/// Soccer.
#[derive(Debug)]
pub struct Soccer;

impl Sport for Soccer {
    fn profile(&self) -> &'static Profile {
        &catalogue::SOCCER.profile
    }

    fn begin(&self, pairing: Pairing, _: &mut Random) -> Box<dyn Play> {
        let is_cup = is_cup(self.profile().id, pairing.tournament);
        Box::new(game(&rates_of_skills(pairing.strengths, is_cup), is_cup))
    }
}
