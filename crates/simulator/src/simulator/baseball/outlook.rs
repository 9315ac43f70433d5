//! The rest of a baseball match: runs of both sides with extra innings, and the side that scores next. Exact for the
//! play of [`super::game`], where home does not bat in the last half-inning if it leads, or bats only until it leads.

use super::chain::Situation;
use super::game::{Game, INNINGS, folded};
use crate::pricing::dist::{Difference, sum};
use crate::simulator::settled::sign;

/// A chance below this is left out of the sum over both sides' runs.
const NEGLIGIBLE: f64 = 1e-13;
/// Extra innings without a run after which none is expected to come.
const EMPTY_HALVES: usize = 80;

/// The probabilities of the rest of a match.
#[derive(Debug)]
pub struct Outlook {
    /// Runs of home and away.
    pub sides: [Vec<f64>; 2],
    /// Both together.
    pub total: Vec<f64>,
    /// Home's less away's; never such that the match ends level.
    pub difference: Difference,
    /// The probabilities that home leads, the score is level, or away leads after nine innings.
    pub nine: [f64; 3],
}

/// Chances by count, of which there are as many as needed.
fn add(chances: &mut Vec<f64>, at: usize, chance: f64) {
    if chances.len() <= at {
        chances.resize(at + 1, 0.0);
    }
    chances[at] += chance;
}

impl Outlook {
    /// Computes the rest of a match.
    pub fn new(game: &Game) -> Outlook {
        let [home, away] = game.score().map(i64::from);
        let mut decided = [Vec::new(), Vec::new(), Vec::new()];
        let mut drawn = [Vec::new(), Vec::new(), Vec::new()];
        let mut differences: Vec<f64> = Vec::new();
        let mut nine = [0.0; 3];
        // The maximum difference, for either side.
        let most = 120;
        let mut count = |h: usize, a: usize, chance: f64| {
            let by = home + h as i64 - away - a as i64;
            nine[sign(by)] += chance;
            let to = if by == 0 { &mut drawn } else { &mut decided };
            for (chances, at) in to.iter_mut().zip([h, a, h + a]) {
                add(chances, at, chance);
            }
            if by != 0 {
                add(&mut differences, (most + h as i64 - a as i64) as usize, chance);
            }
        };
        let ends_extra = game.inning() >= INNINGS;
        match game.need() {
            // Home bats for the last time.
            Some(need) => {
                for (h, chance) in game.shape.walk_off.rest(game.at, need).iter().enumerate() {
                    count(h, 0, *chance);
                }
            }
            None => {
                let start = Situation::start(if ends_extra { game.shape.extra_bases } else { 0 });
                let [before, aways] = if ends_extra {
                    [vec![1.0], game.shape.halves[1].rest(game.at)]
                } else {
                    [left(game, 0, INNINGS - 1), left(game, 1, INNINGS)]
                };
                for (h, p) in before.iter().enumerate() {
                    for (a, q) in aways.iter().enumerate() {
                        let (chance, ahead) = (p * q, home + h as i64 - away - a as i64);
                        if chance < NEGLIGIBLE {
                            continue;
                        }
                        if ahead > 0 {
                            count(h, a, chance);
                            continue;
                        }
                        for (more, r) in game.shape.walk_off.rest(start, (1 - ahead) as usize).iter().enumerate() {
                            if *r > 0.0 {
                                count(h + more, a, chance * r);
                            }
                        }
                    }
                }
            }
        }
        if ends_extra {
            nine = [0.0, 1.0, 0.0];
        }
        let extra = &game.shape.extra;
        let draws: f64 = drawn[0].iter().sum();
        let mut by: Vec<(i64, f64)> = differences.iter().enumerate().map(|(at, p)| (at as i64 - most, *p)).collect();
        by.retain(|held| held.1 > 0.0);
        by.extend(extra.differences.iter().map(|(more, p)| (away - home + more, p * draws)));
        let with = |own: &[f64], drawn: &[f64], extra: &[f64]| {
            let mut all = sum(drawn, extra);
            own.iter().enumerate().for_each(|(at, p)| add(&mut all, at, *p));
            all
        };
        Outlook {
            sides: [with(&decided[0], &drawn[0], &extra.sides[0]), with(&decided[1], &drawn[1], &extra.sides[1])],
            total: with(&decided[2], &drawn[2], &extra.total),
            difference: Difference::gathered(&by),
            nine,
        }
    }
}

/// The distribution of the runs that a side still scores before the inning `to`. Home must be certain to bat in all
/// these innings.
pub fn left(game: &Game, side: usize, to: usize) -> Vec<f64> {
    let (inning, batting) = (game.inning(), game.batting());
    // While away bats, home's half of this inning is not played yet. While home bats, away's half is over.
    let (running, next) = match batting == side {
        true => (inning < to, inning + 1),
        false => (false, inning + usize::from(batting == 0 && side == 1)),
    };
    let whole = &game.shape.sums[side][to.saturating_sub(next).min(INNINGS)];
    match running {
        true => folded(sum(whole, &game.shape.halves[side].rest(game.at))),
        false => whole.clone(),
    }
}

/// The probabilities that home, neither or away scores next.
pub fn next_run(game: &Game) -> [f64; 3] {
    let [home, away] = game.score();
    let (mut next, mut none) = ([0.0; 2], 1.0);
    for half in game.half..game.half + EMPTY_HALVES {
        let (side, last) = (1 - half % 2, half / 2 + 1 >= INNINGS);
        if last && side == 0 && home > away {
            break;
        }
        let from = match half {
            _ if half == game.half => game.at,
            _ => Situation::start(if half / 2 >= INNINGS { game.shape.extra_bases } else { 0 }),
        };
        let nothing = game.shape.halves[side].rest(from)[0];
        next[side] += none * (1.0 - nothing);
        none *= nothing;
        if last && side == 0 && home != away {
            break;
        }
    }
    [next[0], none, next[1]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::dist::mean;
    use crate::simulator::baseball::game::Shape;
    use crate::simulator::random::Random;
    use crate::simulator::sport::{Play as _, Step};

    #[test]
    fn everything_sums_to_one_at_any_time() {
        for seed in 0..4 {
            let mut random = Random::new(seed, 9);
            let mut game = Game::new(Shape::new([1.05, 0.95], seed % 2 == 0));
            loop {
                let outlook = Outlook::new(&game);
                for chances in [&outlook.sides[0], &outlook.sides[1], &outlook.total] {
                    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{game:?}");
                }
                let [home, away] = [0, 1].map(|side: usize| mean(&outlook.sides[side]));
                assert!((home + away - mean(&outlook.total)).abs() < 1e-6);
                let by: f64 = outlook.difference.iter().map(|(by, chance)| by as f64 * chance).sum();
                assert!((home - away - by).abs() < 1e-6);
                assert!((outlook.nine.iter().sum::<f64>() - 1.0).abs() < 1e-6);
                assert!((next_run(&game).iter().sum::<f64>() - 1.0).abs() < 1e-9);
                if game.step(&mut random) == Step::Over {
                    break;
                }
            }
        }
    }
}
