//! The outcomes of a ball, by remaining balls and fallen wickets: a side with few balls and many wickets left takes
//! more risks.

use crate::pricing::maths::{exp, pow};
use crate::simulator::random::Random;

/// Balls of an innings.
pub(super) const BALLS: usize = 120;
/// Balls of an over.
pub(super) const OVER: usize = 6;
/// Wickets that end an innings.
pub(super) const WICKETS: usize = 10;
/// Wickets that end a super over.
pub(super) const SUPER_WICKETS: usize = 2;
/// The length of the power play, in balls: the first overs, in which few fielders may stand far out.
pub(super) const POWER_PLAY: usize = 36;

/// The outcome of a ball.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ball {
    /// Runs: 0, 1, 2, 3, 4 or 6.
    Runs(usize),
    /// A batter is out.
    Wicket,
    /// A wide: a run, and the ball is bowled again.
    Wide,
}

/// All of it, in the order of the chances.
pub(super) const ALL: [Ball; 8] = [
    Ball::Runs(0),
    Ball::Runs(1),
    Ball::Runs(2),
    Ball::Runs(3),
    Ball::Runs(4),
    Ball::Runs(6),
    Ball::Wicket,
    Ball::Wide,
];

/// Chances of [`ALL`].
pub(super) type BallChances = [f64; ALL.len()];

/// The probabilities of a ball with `left` balls (at least 1) and `down` wickets so far. `edge` is how much better the
/// batting side is than the bowling side.
pub(super) fn ball(edge: f64, left: usize, down: usize) -> BallChances {
    let left_part = left as f64 / BALLS as f64;
    let phase = match left {
        85.. => 1.0,
        31..85 => 0.86 + 0.14 * (84 - left) as f64 / 54.0,
        _ => 1.1 + 0.3 * (30 - left.min(30)) as f64 / 30.0,
    };
    // How many wickets the side has more, or fewer, than it needs for the remaining balls.
    let spare = (WICKETS - down.min(WICKETS)) as f64 - (2.5 + 7.0 * left_part);
    chances(edge, phase * (1.0 + 0.06 * spare).clamp(0.6, 1.15), down)
}

/// The chances of a ball of a super over.
pub(super) fn super_ball(edge: f64) -> BallChances {
    chances(edge, 1.6, 0)
}

fn chances(edge: f64, attack: f64, down: usize) -> BallChances {
    let (skill, risk) = match down {
        0..5 => (1.0, 1.0),
        5..7 => (0.88, 1.2),
        _ => (0.66, 1.6),
    };
    let better = exp(0.09 * edge);
    let four = 0.108 * attack * skill * better;
    let six = 0.044 * attack * attack * skill * better;
    let wicket = 0.042 * pow(attack, 1.3) * risk / better;
    let wide = 0.034;
    let (one, two, three) = (0.385 * (0.7 + 0.3 * skill), 0.064, 0.004);
    let none = 1.0 - four - six - wicket - wide - one - two - three;
    [none, one, two, three, four, six, wicket, wide]
}

/// Draws a ball.
pub(super) fn draw(chances: &BallChances, random: &mut Random) -> Ball {
    ALL[random.weighted(chances)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_chances_everywhere() {
        for edge in [-3.0, 0.0, 3.0] {
            for left in 1..=BALLS {
                for down in 0..WICKETS {
                    let chances = ball(edge, left, down);
                    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                    assert!(chances.iter().all(|chance| *chance > 0.0), "{edge} {left} {down}: {chances:?}");
                }
            }
            assert!(super_ball(edge).iter().all(|chance| *chance > 0.0));
        }
    }
}
