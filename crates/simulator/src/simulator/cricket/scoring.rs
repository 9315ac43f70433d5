//! The rest of an innings from any moment: runs, wickets, fours and sixes, and the runs of the power play. Computed
//! backwards from the end, once for each of a few advantages of bat over ball, and shared by all matches.

use super::balls::{ALL, BALLS, Ball, BallChances, POWER_PLAY, WICKETS, ball};
use std::sync::OnceLock;

/// Edges are rounded to steps of 0.75 from -3 to 3.
const EDGES: usize = 9;
/// More fours or sixes than this are counted as this many.
const HITS_MAX: usize = 34;

static TABLES: [OnceLock<Scoring>; EDGES] = [const { OnceLock::new() }; EDGES];

/// The tables of an edge.
#[derive(Debug)]
pub(super) struct Scoring {
    /// The edge.
    pub edge: f64,
    /// The outcomes of a ball, by balls left and wickets down.
    balls: Vec<BallChances>,
    /// By balls left and wickets down: the probability of at least n more runs, for each n.
    runs: Vec<Vec<f32>>,
    /// The same, of runs up to the end of the power play, by balls left of it.
    power_play: Vec<Vec<f32>>,
    /// By balls left and wickets down: the probability of exactly n more wickets, for each n …
    wickets: Vec<Vec<f32>>,
    /// … fours …
    fours: Vec<Vec<f32>>,
    /// … and sixes.
    sixes: Vec<Vec<f32>>,
}

/// The tables of the edge closest to this one.
pub(super) fn scoring(edge: f64) -> &'static Scoring {
    let place = (((edge.clamp(-3.0, 3.0) + 3.0) / 0.75 + 0.5) as usize).min(EDGES - 1);
    TABLES[place].get_or_init(|| Scoring::new(place as f64 * 0.75 - 3.0))
}

fn place(left: usize, down: usize) -> usize {
    left * WICKETS + down
}

impl Scoring {
    fn new(edge: f64) -> Scoring {
        let places = (0..=BALLS).flat_map(|left| (0..WICKETS).map(move |down| (left, down)));
        let balls: Vec<BallChances> = places.map(|(left, down)| ball(edge, left.max(1), down)).collect();
        Scoring {
            edge,
            runs: runs(BALLS, |left, down| balls[place(left, down)]),
            power_play: runs(POWER_PLAY, |left, down| balls[place(left + BALLS - POWER_PLAY, down)]),
            wickets: counts(&balls, WICKETS, |what| what == Ball::Wicket),
            fours: counts(&balls, HITS_MAX, |what| what == Ball::Runs(4)),
            sixes: counts(&balls, HITS_MAX, |what| what == Ball::Runs(6)),
            balls,
        }
    }

    /// The outcomes of a ball. `left` includes this ball; `down` is the number of wickets so far.
    pub(super) fn ball(&self, left: usize, down: usize) -> &BallChances {
        &self.balls[place(left.min(BALLS), down.min(WICKETS - 1))]
    }

    /// The probability of at least `runs` more runs in an innings.
    pub(super) fn at_least(&self, left: usize, down: usize, runs: i64) -> f64 {
        at_least(&self.runs, left, down, runs)
    }

    /// The distribution of the remaining runs of an innings.
    pub(super) fn runs(&self, left: usize, down: usize) -> Vec<f64> {
        exactly(&self.runs, left, down)
    }

    /// The distribution of the remaining runs of the power play, of which `left` balls remain.
    pub(super) fn power_play(&self, left: usize, down: usize) -> Vec<f64> {
        exactly(&self.power_play, left, down)
    }

    /// The distribution of the remaining wickets.
    pub(super) fn wickets(&self, left: usize, down: usize) -> Vec<f64> {
        counted(&self.wickets, left, down)
    }

    /// The distribution of the remaining fours.
    pub(super) fn fours(&self, left: usize, down: usize) -> Vec<f64> {
        counted(&self.fours, left, down)
    }

    /// The distribution of the remaining sixes.
    pub(super) fn sixes(&self, left: usize, down: usize) -> Vec<f64> {
        counted(&self.sixes, left, down)
    }
}

fn at_least(table: &[Vec<f32>], left: usize, down: usize, runs: i64) -> f64 {
    if runs <= 0 {
        return 1.0;
    }
    let held = if down < WICKETS { table.get(place(left, down)) } else { None };
    held.and_then(|held| held.get(runs as usize)).map_or(0.0, |chance| f64::from(*chance))
}

fn exactly(table: &[Vec<f32>], left: usize, down: usize) -> Vec<f64> {
    let most = if down < WICKETS { table.get(place(left, down)).map_or(1, Vec::len) } else { 1 };
    let chance = |runs: usize| at_least(table, left, down, runs as i64);
    (0..most.max(1)).map(|runs| chance(runs) - chance(runs + 1)).collect()
}

fn counted(table: &[Vec<f32>], left: usize, down: usize) -> Vec<f64> {
    let held = if down < WICKETS { table.get(place(left, down)) } else { None };
    let chances: Vec<f64> = held.map_or(vec![1.0], |held| held.iter().map(|chance| f64::from(*chance)).collect());
    // What single precision has lost.
    let sum: f64 = chances.iter().sum();
    chances.iter().map(|chance| chance / sum).collect()
}

/// The probability of at least n runs for each n, by balls left and wickets down.
fn runs(balls: usize, ball: impl Fn(usize, usize) -> BallChances) -> Vec<Vec<f32>> {
    // Without remaining balls there are no more runs: at least 0 runs has the probability 1.
    let mut table: Vec<Vec<f32>> = vec![vec![1.0]; WICKETS];
    for left in 1..=balls {
        // More than any innings scores: 2.4 per ball, plus six sixes.
        let most = left * 12 / 5 + 36;
        for down in 0..WICKETS {
            let chances = ball(left, down);
            let mut row: Vec<f32> = Vec::with_capacity(most + 1);
            row.push(1.0);
            for runs in 1..=most {
                let mut sum = 0.0;
                for (what, chance) in ALL.into_iter().zip(chances) {
                    let then = match what {
                        Ball::Runs(scored) => at_least(&table, left - 1, down, runs as i64 - scored as i64),
                        Ball::Wicket => at_least(&table, left - 1, down + 1, runs as i64),
                        Ball::Wide => f64::from(row[runs - 1]),
                    };
                    sum += chance * then;
                }
                row.push(sum as f32);
            }
            table.push(row);
        }
    }
    table
}

/// Chances of how often something still happens, by balls left and wickets down.
fn counts(balls: &[BallChances], most: usize, is_counted: impl Fn(Ball) -> bool) -> Vec<Vec<f32>> {
    let none = || {
        let mut none = vec![0.0; most + 1];
        none[0] = 1.0;
        none
    };
    let mut table: Vec<Vec<f32>> = (0..WICKETS).map(|_| none()).collect();
    for left in 1..=BALLS {
        for down in 0..WICKETS {
            let chances = balls[place(left, down)];
            let wide = chances[ALL.len() - 1];
            let mut row = vec![0.0_f64; most + 1];
            for (what, chance) in ALL.into_iter().zip(chances).filter(|(what, _)| *what != Ball::Wide) {
                // A wide changes nothing: the ball is bowled again.
                let chance = chance / (1.0 - wide);
                let down = down + usize::from(what == Ball::Wicket);
                let more = usize::from(is_counted(what));
                if down == WICKETS {
                    row[more.min(most)] += chance;
                    continue;
                }
                for (count, part) in table[place(left - 1, down)].iter().enumerate().filter(|(_, part)| **part > 0.0) {
                    row[(count + more).min(most)] += chance * f64::from(*part);
                }
            }
            table.push(row.into_iter().map(|chance| chance as f32).collect());
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::dist::mean;

    #[test]
    fn an_innings_is_believable() {
        let level = scoring(0.0);
        let (runs, wickets) = (mean(&level.runs(BALLS, 0)), mean(&level.wickets(BALLS, 0)));
        assert!((145.0..180.0).contains(&runs), "{runs} runs");
        assert!((5.5..8.0).contains(&wickets), "{wickets} wickets");
        assert!((9.0..17.0).contains(&mean(&level.fours(BALLS, 0))));
        assert!((4.0..9.0).contains(&mean(&level.sixes(BALLS, 0))));
        assert!((35.0..60.0).contains(&mean(&level.power_play(POWER_PLAY, 0))));
        assert!(mean(&scoring(2.0).runs(BALLS, 0)) > runs + 10.0);
        assert!(mean(&level.runs(BALLS, 5)) < runs - 20.0, "wickets are worth something");
        for chances in
            [level.runs(BALLS, 0), level.fours(60, 3), level.wickets(1, 9), level.runs(0, 4), level.runs(7, 10)]
        {
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_target_of_nothing_is_reached_and_nothing_comes_of_no_ball() {
        let level = scoring(0.0);
        assert_eq!(level.at_least(10, 3, 0), 1.0);
        assert_eq!(level.at_least(0, 3, 1), 0.0);
        assert_eq!(level.at_least(10, 10, 1), 0.0);
        assert!(level.at_least(1, 9, 6) > 0.0);
    }
}
