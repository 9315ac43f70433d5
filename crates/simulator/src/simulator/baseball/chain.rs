//! A half-inning as a Markov chain over bases and outs: the outcomes of a plate appearance, and the exact distribution
//! of the remaining runs. Pure; computed once per match for each side.

/// Entries of the distribution of runs in a half-inning. The last one includes higher numbers, which are very rare.
pub const RUNS: usize = 22;
/// The maximum number of runs that a side needs to win for which the distributions differ.
pub const NEEDS: usize = 18;
/// Bases taken and outs: 8 times 3.
const STATES: usize = 24;
/// The maximum number of runs of a home run.
const AT_ONCE: usize = 4;

/// The occupied bases: bit 0 is first base, bit 1 second, bit 2 third.
pub type Bases = u8;
/// A runner on second base: some tournaments begin an extra inning so.
pub const ON_SECOND: Bases = 0b010;

/// Bases and outs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation {
    /// The occupied bases.
    pub bases: Bases,
    /// Outs, 0 to 2; 3 when the half-inning is over.
    pub outs: u8,
}

impl Situation {
    /// As a half-inning begins.
    pub fn start(bases: Bases) -> Situation {
        Situation { bases, outs: 0 }
    }

    fn place(self) -> usize {
        usize::from(self.outs) * 8 + usize::from(self.bases)
    }
}

/// How a batter fares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Batting {
    /// The batter, or a runner instead, is out.
    Out,
    /// A walk.
    Walk,
    /// A hit, but no home run.
    Hit,
    /// A home run.
    HomeRun,
}

/// An outcome of a plate appearance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Turn {
    /// How likely.
    pub chance: f64,
    /// How the batter fared.
    pub batting: Batting,
    /// The situation after it.
    pub to: Situation,
    /// Runs that come in.
    pub runs: usize,
}

/// How good a side's batters are against the other's pitchers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Batters {
    /// Chances of a walk, a single, a double, a triple and a home run.
    chances: [f64; 5],
}

const AVERAGE: [f64; 5] = [0.092, 0.152, 0.049, 0.004, 0.034];
/// An out with fewer than two before it: a runner on first goes with the batter, or the one on third comes in.
const DOUBLE_PLAY: f64 = 0.13;
const SACRIFICE: f64 = 0.24;
/// A single brings the runner on second in, a double the one on first.
const FROM_SECOND: f64 = 0.6;
const FROM_FIRST: f64 = 0.42;

impl Batters {
    /// Batters who reach base `factor` times as often as average ones.
    pub fn new(factor: f64) -> Batters {
        Batters { chances: AVERAGE.map(|chance| chance * factor) }
    }

    /// The chances that a batter is out, walks, hits, hits a home run.
    pub fn fares(&self) -> [f64; 4] {
        let [walk, single, double, triple, home_run] = self.chances;
        let hit = single + double + triple;
        [1.0 - walk - hit - home_run, walk, hit, home_run]
    }

    /// The possible outcomes of a plate appearance.
    pub fn turns(&self, from: Situation) -> Vec<Turn> {
        let Situation { bases, outs } = from;
        let [walk, single, double, triple, home_run] = self.chances;
        let mut turns = Vec::with_capacity(12);
        let mut add = |chance: f64, batting: Batting, bases: Bases, more_outs: u8, runs: usize| {
            let outs = (outs + more_outs).min(3);
            let bases = if outs == 3 { 0 } else { bases };
            turns.push(Turn { chance, batting, to: Situation { bases, outs }, runs });
        };
        let [first, second, third] = [0, 1, 2].map(|base| usize::from(bases >> base & 1));
        let out = self.fares()[0];
        let double_play = if first == 1 && outs < 2 { DOUBLE_PLAY } else { 0.0 };
        let sacrifice = if third == 1 && outs < 2 { SACRIFICE } else { 0.0 };
        add(out * (1.0 - double_play - sacrifice), Batting::Out, bases, 1, 0);
        if double_play > 0.0 {
            add(out * double_play, Batting::Out, bases & !0b001, 2, 0);
        }
        if sacrifice > 0.0 {
            add(out * sacrifice, Batting::Out, bases & !0b100, 1, 1);
        }
        // A walk moves only the runners who are forced.
        let (walked, forced) = match bases {
            0b111 => (0b111, 1),
            0b011 => (0b111, 0),
            _ if first == 1 => (bases | 0b011, 0),
            _ => (bases | 0b001, 0),
        };
        add(walk, Batting::Walk, walked, 0, forced);
        let advanced = 0b001 | (first as u8) << 1;
        match second {
            1 => {
                add(single * FROM_SECOND, Batting::Hit, advanced, 0, third + 1);
                add(single * (1.0 - FROM_SECOND), Batting::Hit, advanced | 0b100, 0, third);
            }
            _ => add(single, Batting::Hit, advanced, 0, third),
        }
        match first {
            1 => {
                add(double * FROM_FIRST, Batting::Hit, 0b010, 0, third + second + 1);
                add(double * (1.0 - FROM_FIRST), Batting::Hit, 0b110, 0, third + second);
            }
            _ => add(double, Batting::Hit, 0b010, 0, third + second),
        }
        add(triple, Batting::Hit, 0b100, 0, first + second + third);
        add(home_run, Batting::HomeRun, 0, 0, first + second + third + 1);
        turns
    }
}

/// All situations, those before which they lead without a run first: the more outs, and the more runners, the earlier.
fn situations() -> Vec<Situation> {
    let mut all: Vec<Situation> = (0..3).flat_map(|outs| (0..8).map(move |bases| Situation { bases, outs })).collect();
    all.sort_by_key(|held| (std::cmp::Reverse(held.outs), std::cmp::Reverse(held.bases.count_ones())));
    all
}

/// The distribution of the remaining runs of a half-inning, by situation.
#[derive(Clone, PartialEq, Debug)]
pub struct HalfInning {
    rest: Vec<[f64; RUNS]>,
}

impl HalfInning {
    /// Of a side's batters.
    pub fn new(batters: &Batters) -> HalfInning {
        let mut rest = vec![[0.0; RUNS]; STATES];
        let order = situations();
        let turns: Vec<Vec<Turn>> = order.iter().map(|from| batters.turns(*from)).collect();
        for runs in 0..RUNS - 1 {
            // In this order, an outcome without a run leads to a situation that is computed already.
            for (from, turns) in order.iter().zip(&turns) {
                let of = |turn: &Turn| match (turn.to.outs, runs.checked_sub(turn.runs)) {
                    (_, None) => 0.0,
                    (3, Some(left)) => f64::from(u8::from(left == 0)),
                    (_, Some(left)) => rest[turn.to.place()][left],
                };
                rest[from.place()][runs] = turns.iter().map(|turn| turn.chance * of(turn)).sum();
            }
        }
        for chances in &mut rest {
            chances[RUNS - 1] = f64::max(1.0 - chances[..RUNS - 1].iter().sum::<f64>(), 0.0);
        }
        HalfInning { rest }
    }

    /// The distribution of the remaining runs; no runs once it is over.
    pub fn rest(&self, from: Situation) -> Vec<f64> {
        if from.outs >= 3 { vec![1.0] } else { self.rest[from.place()].to_vec() }
    }
}

/// The distribution of the remaining runs of the last half-inning, which ends as soon as the side leads. Only the
/// needed runs of the last play count, but all runs of a home run.
#[derive(Clone, PartialEq, Debug)]
pub struct WalkOff {
    /// By situation and need.
    rest: Vec<Vec<[f64; NEEDS + AT_ONCE]>>,
}

impl WalkOff {
    /// Of a side's batters.
    pub fn new(batters: &Batters) -> WalkOff {
        let mut rest = vec![vec![[0.0; NEEDS + AT_ONCE]; NEEDS + 1]; STATES];
        let order = situations();
        let turns: Vec<Vec<Turn>> = order.iter().map(|from| batters.turns(*from)).collect();
        for need in 1..=NEEDS {
            for (from, turns) in order.iter().zip(&turns) {
                let mut chances = [0.0; NEEDS + AT_ONCE];
                for turn in turns {
                    if turn.runs >= need {
                        chances[counted(turn, need)] += turn.chance;
                    } else if turn.to.outs == 3 {
                        chances[turn.runs] += turn.chance;
                    } else {
                        let left = &rest[turn.to.place()][need - turn.runs];
                        for (at, chance) in left.iter().enumerate().take(NEEDS + AT_ONCE - turn.runs) {
                            chances[at + turn.runs] += turn.chance * chance;
                        }
                    }
                }
                rest[from.place()][need] = chances;
            }
        }
        WalkOff { rest }
    }

    /// The distribution of the remaining runs of a side that needs `need` runs (at least 1) to win.
    pub fn rest(&self, from: Situation, need: usize) -> &[f64] {
        &self.rest[from.place()][need.clamp(1, NEEDS)]
    }
}

/// How many runs of a turn count, if the side needs `need` runs to win.
pub fn counted(turn: &Turn, need: usize) -> usize {
    if turn.batting == Batting::HomeRun { turn.runs } else { turn.runs.min(need) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::dist::mean;
    use crate::simulator::random::Random;

    #[test]
    fn a_plate_appearance_leads_somewhere() {
        let batters = Batters::new(1.1);
        for from in situations() {
            let turns = batters.turns(from);
            assert!((turns.iter().map(|turn| turn.chance).sum::<f64>() - 1.0).abs() < 1e-12);
            for turn in turns {
                // Every runner and the batter must be on a base, in, or out.
                let (before, after) = (from.bases.count_ones() + 1, turn.to.bases.count_ones());
                let out = u32::from(turn.to.outs - from.outs);
                assert!(turn.to.outs == 3 || before == after + turn.runs as u32 + out, "{from:?} {turn:?}");
            }
        }
    }

    #[test]
    fn runs_come_as_in_the_play() {
        let batters = Batters::new(1.0);
        let half = HalfInning::new(&batters);
        let mut random = Random::new(3, 3);
        let from = Situation::start(ON_SECOND);
        let number = 20_000;
        let (mut runs, mut scoreless) = (0, 0);
        for _ in 0..number {
            let (mut at, mut own) = (from, 0);
            while at.outs < 3 {
                let turns = batters.turns(at);
                let turn = turns[random.weighted(&turns.iter().map(|turn| turn.chance).collect::<Vec<f64>>())];
                own += turn.runs;
                at = turn.to;
            }
            runs += own;
            scoreless += usize::from(own == 0);
        }
        let rest = half.rest(from);
        assert!((rest.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((mean(&rest) - runs as f64 / f64::from(number)).abs() < 0.04, "{} {runs}", mean(&rest));
        assert!((rest[0] - scoreless as f64 / f64::from(number)).abs() < 0.015);
        assert!((0.4..0.6).contains(&mean(&half.rest(Situation::start(0)))));
    }

    #[test]
    fn whoever_needs_much_bats_as_in_any_inning() {
        let batters = Batters::new(1.0);
        let (half, walk_off) = (HalfInning::new(&batters), WalkOff::new(&batters));
        let start = Situation::start(0);
        let (any, last) = (half.rest(start), walk_off.rest(start, 12));
        assert!((0..10).all(|runs| (any[runs] - last[runs]).abs() < 1e-12));
        // One is needed: none comes in as often as in any inning, and but for a home run there is no more than one.
        let one = walk_off.rest(start, 1);
        assert!((one[0] - any[0]).abs() < 1e-12 && one[1] > 0.8 * (1.0 - any[0]));
        assert!((one.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
