//! The facts of a match against the clock for its tracker. Reads the game; must not change it.

use super::game::{Game, Phase};
use super::rules::Tempo;
use crate::simulator::sport::side_number;
use kvota_domain::facts::{Fact, Topic};

/// The facts as they are now.
pub(super) fn of(game: &Game) -> Vec<Fact> {
    let attack = match (game.phase, game.shape.tempo, game.opener) {
        (Phase::Running(..) | Phase::Stopped | Phase::Trying, Tempo::Turns { .. }, Some(opener)) => {
            let side = game.pending.map_or(game.attacker(opener, game.period, game.attacks), |scored| scored.side);
            Some([side_number(side)])
        }
        _ => None,
    };
    // A red card lasts to the end.
    let timed_ms = game.rules.short.map_or(0, |rules| rules.timed_ms);
    let short = game.short.iter().map(|(side, ms)| {
        let seconds = i32::try_from(ms / 1000).ok().filter(|_| *ms <= timed_ms);
        [side_number(*side), seconds.unwrap_or(-1)]
    });
    let steps = game.record.steps.iter();
    let scores = steps.map(|step| [step.at_s, side_number(step.side), i32::from(step.points), i32::from(step.way)]);
    let timeouts = game.rules.timeouts.map(|_| game.timeouts.map(i32::from));
    let small = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    let penalties = game.rules.short.filter(|rules| !rules.are_cards).map(|_| {
        let ([home, away], [with_home, with_away]) = (game.shorts[0], game.power_goals);
        [home, away, with_home, with_away].map(small)
    });
    let end = (matches!(game.phase, Phase::Running(..) | Phase::Stopped | Phase::Trying)
        && game.rules.running.is_none())
    .then(|| [game.period_end_s()]);
    let shots = (game.rules.saves > 0.0).then(|| game.shots.map(small));
    [
        Fact::of_records(Topic::Attack, attack.into_iter()),
        Fact::of_records(Topic::Scores, scores),
        Fact::of_records(Topic::Short, short),
        Fact::of_records(Topic::Timeouts, timeouts.into_iter()),
        Fact::of_records(Topic::Penalties, penalties.into_iter()),
        Fact::of_records(Topic::Shots, shots.into_iter()),
        Fact::of_records(Topic::PeriodEnd, end.into_iter()),
    ]
    .into_iter()
    .flatten()
    .collect()
}
