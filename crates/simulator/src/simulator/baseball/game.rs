//! The state machine of a baseball match: a [`Play`] of plate appearances. Begun by the sport; priced by
//! [`super::markets`].

use super::chain::{Bases, Batters, Batting, HalfInning, ON_SECOND, Situation, WalkOff, counted};
use super::markets;
use crate::pricing::book::Book;
use crate::pricing::dist::sum;
use crate::simulator::clock::overtime::OvertimeOutlook;
use crate::simulator::random::Random;
use crate::simulator::sport::{Board, BoardClock, Play, Step, side_number};
use kvota_domain::facts::{Fact, Topic};
use std::sync::Arc;

/// Entries of the distribution of a side's runs in a match. The last one includes higher numbers, which are very rare.
const RUNS_MAX: usize = 45;
/// Innings without extra ones.
pub const INNINGS: usize = 9;
/// How likely a new pitcher comes on between two batters.
const NEW_PITCHER: f64 = 0.06;
const STATUSES: [&str; INNINGS] =
    ["inning_1", "inning_2", "inning_3", "inning_4", "inning_5", "inning_6", "inning_7", "inning_8", "inning_9"];

/// The parameters of a match, from its tournament and its sides. They do not change during the match.
#[derive(Debug)]
pub struct Shape {
    /// Home's and away's batters.
    pub batters: [Batters; 2],
    /// Their half-innings.
    pub halves: [HalfInning; 2],
    /// Their runs in no, one, two … whole innings.
    pub sums: [Vec<Vec<f64>>; 2],
    /// Home's last one.
    pub walk_off: WalkOff,
    /// The occupied bases at the start of an extra inning.
    pub extra_bases: Bases,
    /// What extra innings add.
    pub extra: OvertimeOutlook,
}

impl Shape {
    /// A match of sides that reach base `factors` times as often as average ones, with or without a runner on second
    /// base in extra innings.
    pub fn new(factors: [f64; 2], with_runner: bool) -> Shape {
        let batters = factors.map(Batters::new);
        let halves = [HalfInning::new(&batters[0]), HalfInning::new(&batters[1])];
        let walk_off = WalkOff::new(&batters[0]);
        let extra_bases = if with_runner { ON_SECOND } else { 0 };
        let start = Situation::start(extra_bases);
        let away = halves[1].rest(start);
        let inning = away.iter().enumerate().flat_map(|(a, p)| {
            let home = walk_off.rest(start, a + 1).iter().enumerate();
            home.map(move |(h, q)| (h, a, p * q))
        });
        let extra = OvertimeOutlook::of_rounds(&inning.collect::<Vec<(usize, usize, f64)>>());
        let sums = [0, 1].map(|side: usize| {
            let one = halves[side].rest(Situation::start(0));
            let mut sums = vec![vec![1.0]];
            for innings in 0..INNINGS {
                sums.push(folded(sum(&sums[innings], &one)));
            }
            sums
        });
        Shape { batters, halves, sums, walk_off, extra_bases, extra }
    }
}

/// Shortens a distribution: the last entry includes all higher values.
pub(super) fn folded(mut chances: Vec<f64>) -> Vec<f64> {
    let beyond: f64 = chances.iter().skip(RUNS_MAX).sum();
    chances.truncate(RUNS_MAX);
    if let Some(last) = chances.last_mut() {
        *last += beyond;
    }
    chances
}

/// A match.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) shape: Arc<Shape>,
    pub(super) phase: Phase,
    /// Half-innings begun before the one that is played or comes next: even ones are away's.
    pub(super) half: usize,
    pub(super) at: Situation,
    /// Runs of home and away by inning.
    pub(super) innings: Vec<[u16; 2]>,
    /// The match came to its end.
    pub(super) is_complete: bool,
    /// The scores of all turns, in order: side and runs.
    pub(super) scored: Vec<(usize, u16)>,
    /// How each batter fared.
    pub(super) fared: Vec<Batting>,
    /// The side of each batter.
    batters: Vec<usize>,
    /// Runs by half-inning.
    pub(super) half_runs: Vec<u16>,
}

/// What goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Announced,
    Batting,
    /// The sides change, or a pitcher does.
    Pause,
    Over,
}

impl Game {
    /// A match that is about to begin.
    pub fn new(shape: Shape) -> Game {
        Game {
            shape: Arc::new(shape),
            phase: Phase::Announced,
            half: 0,
            at: Situation::start(0),
            innings: Vec::new(),
            is_complete: false,
            scored: Vec::new(),
            fared: Vec::new(),
            batters: Vec::new(),
            half_runs: Vec::new(),
        }
    }

    /// The inning that is played or comes next, from 0.
    pub(super) fn inning(&self) -> usize {
        self.half / 2
    }

    /// The batting side.
    pub(super) fn batting(&self) -> usize {
        1 - self.half % 2
    }

    /// Runs of home and away.
    pub(super) fn score(&self) -> [u16; 2] {
        self.innings.iter().fold([0, 0], |all, own| [all[0] + own[0], all[1] + own[1]])
    }

    /// How many runs home needs to win, if it bats for the last time; otherwise `None`.
    pub(super) fn need(&self) -> Option<usize> {
        let [home, away] = self.score();
        (self.batting() == 0 && self.inning() + 1 >= INNINGS).then(|| usize::from((away + 1).saturating_sub(home)))
    }

    /// How many half-innings are over.
    pub(super) fn halves_over(&self) -> usize {
        if self.is_complete { usize::MAX } else { self.half }
    }

    fn bat(&mut self, random: &mut Random) -> Step {
        let side = self.batting();
        let turns = self.shape.batters[side].turns(self.at);
        let chances: Vec<f64> = turns.iter().map(|turn| turn.chance).collect();
        let turn = turns[random.weighted(&chances)];
        let need = self.need();
        let runs = need.map_or(turn.runs, |need| counted(&turn, need)) as u16;
        self.at = turn.to;
        self.fared.push(turn.batting);
        self.batters.push(side);
        if runs > 0 {
            self.scored.push((side, runs));
            if let Some(inning) = self.innings.last_mut() {
                inning[side] += runs;
            }
            if let Some(half) = self.half_runs.last_mut() {
                *half += runs;
            }
        }
        if need.is_some_and(|need| usize::from(runs) >= need) {
            return self.end();
        }
        if self.at.outs == 3 {
            return self.change_sides(random);
        }
        if random.chance(NEW_PITCHER) {
            self.phase = Phase::Pause;
            return Step::after_s(random.between(70.0, 140.0));
        }
        let extra_s = if runs > 0 { 20.0 } else { 0.0 };
        Step::after_s(random.between(45.0, 95.0) + extra_s)
    }

    fn change_sides(&mut self, random: &mut Random) -> Step {
        let [home, away] = self.score();
        let last = self.inning() + 1 >= INNINGS;
        // After away's last turn the match is over if home leads; after home's turn, if either side leads.
        let is_decided = if self.batting() == 1 { home > away } else { home != away };
        if last && is_decided {
            return self.end();
        }
        self.half += 1;
        let is_extra = self.inning() >= INNINGS;
        self.at = Situation::start(if is_extra { self.shape.extra_bases } else { 0 });
        self.phase = Phase::Pause;
        Step::after_s(random.between(110.0, 150.0))
    }

    fn begin_half(&mut self) {
        if self.half_runs.len() <= self.half {
            self.half_runs.push(0);
        }
        if self.innings.len() <= self.inning() {
            self.innings.push([0, 0]);
        }
        self.phase = Phase::Batting;
    }

    fn end(&mut self) -> Step {
        self.is_complete = true;
        self.phase = Phase::Over;
        Step::Over
    }
}

impl Play for Game {
    fn step(&mut self, random: &mut Random) -> Step {
        match self.phase {
            Phase::Announced | Phase::Pause => {
                self.begin_half();
                Step::after_s(random.between(40.0, 80.0))
            }
            Phase::Batting => self.bat(random),
            Phase::Over => Step::Over,
        }
    }

    fn board(&self) -> Board {
        let status = match self.phase {
            Phase::Announced => "not_started",
            Phase::Over => "ended",
            _ => STATUSES.get(self.inning()).copied().unwrap_or("extra_innings"),
        };
        let is_played = matches!(self.phase, Phase::Batting | Phase::Pause);
        Board {
            status: status.into(),
            score: Some(self.score().map(i64::from)),
            scores: self.innings.iter().map(|own| own.map(i64::from)).collect(),
            serving: is_played.then(|| self.batting()),
            clock: if is_played { BoardClock::Words(lamps(self.batting(), self.at.outs)) } else { BoardClock::None },
            over: self.phase == Phase::Over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let is_on = |base: u8| i32::from(self.at.bases >> base & 1);
        let bases = matches!(self.phase, Phase::Batting | Phase::Pause)
            .then(|| [is_on(0), is_on(1), is_on(2), i32::from(self.at.outs)]);
        let fared =
            self.batters.iter().zip(&self.fared).map(|(side, batting)| [side_number(*side), *batting as i32 + 1]);
        let bases = Fact::of_records(Topic::Bases, bases.into_iter());
        bases.into_iter().chain(Fact::of_records(Topic::Batters, fared)).collect()
    }

    fn price(&self, book: &mut Book) {
        if self.phase != Phase::Over {
            markets::offer(self, book);
        }
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        markets::right(self, kind, line)
    }

    /// Teams do not give up. If one did, decided markets would keep their results, and the others would be void.
    fn retire(&mut self, _: usize) {
        self.phase = Phase::Over;
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}

/// The half of the inning and the lamps of the outs, as a scoreboard shows them.
fn lamps(batting: usize, outs: u8) -> String {
    let half = if batting == 1 { '▲' } else { '▼' };
    let lamp = |at: u8| if at < outs { '●' } else { '○' };
    format!("{half} {}{}", lamp(0), lamp(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_inning_ends_with_the_lead() {
        let (mut walk_offs, mut not_batted) = (0, 0);
        for seed in 0..300 {
            let mut random = Random::new(seed, 5);
            let mut game = Game::new(Shape::new([1.0, 1.0], seed % 2 == 0));
            while game.step(&mut random) != Step::Over {}
            let [home, away] = game.score();
            assert_ne!(home, away);
            assert!(game.inning() + 1 >= INNINGS);
            match game.batting() {
                1 => {
                    assert!(home > away, "home did not bat for it led");
                    not_batted += 1;
                }
                _ if home > away => {
                    let (_, runs) = game.scored.last().copied().unwrap_or_default();
                    let by_home_run = game.fared.last() == Some(&Batting::HomeRun);
                    assert!(home - away == 1 || by_home_run && home - away <= runs, "{home} {away} {runs}");
                    walk_offs += 1;
                }
                _ => assert_eq!(game.at.outs, 3),
            }
        }
        assert!(walk_offs > 10 && not_batted > 60, "{walk_offs} {not_batted}");
    }

    #[test]
    fn lamps_show_outs() {
        assert_eq!((lamps(1, 0).as_str(), lamps(0, 2).as_str()), ("▲ ○○", "▼ ●●"));
    }
}
