//! A match of cricket: its rules and its record. Sides cannot give up; if one did, open markets would be void.

use super::balls::{BALLS, Ball, OVER, POWER_PLAY, SUPER_WICKETS, WICKETS, draw, super_ball};
use super::markets;
use super::over::{compare, super_rest};
use super::scoring::{Scoring, scoring};
use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sport::{Board, BoardClock, Pairing, Play, Step, side_number};
use kvota_domain::facts::{Fact, Topic};
use std::borrow::Cow;
use std::sync::Arc;

/// Overs of an innings.
pub(super) const OVERS: usize = BALLS / OVER;
/// How a batter may be out, with its chance: caught, bowled, leg before wicket, run out, stumped.
pub(super) const OUTS: [f64; 5] = [0.58, 0.19, 0.11, 0.08, 0.04];
/// Between the innings.
const BREAK_S: f64 = 900.0;

/// What stays the same in a match.
#[derive(Debug)]
pub(super) struct Rules {
    /// The side that bats first.
    pub first: usize,
    /// What home and away score at the bat.
    pub scoring: [&'static Scoring; 2],
    /// The probability that the side that bats first in a super over wins it or a following one.
    pub super_first: f64,
}

/// An over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Over {
    pub runs: usize,
    pub wickets: usize,
    pub fours: usize,
    pub sixes: usize,
}

/// An innings.
#[derive(Clone, Debug, Default)]
pub(super) struct Innings {
    pub runs: usize,
    /// Balls that count: no wides.
    pub balls: usize,
    pub overs: [Over; OVERS],
    /// How batters were out, as indexes in [`OUTS`].
    pub outs: Vec<usize>,
    /// Runs of the power play.
    pub power_play: usize,
    pub is_done: bool,
}

impl Innings {
    pub(super) fn down(&self) -> usize {
        self.outs.len()
    }

    pub(super) fn left(&self) -> usize {
        BALLS - self.balls
    }

    /// The over being bowled, or about to be.
    pub(super) fn over(&self) -> usize {
        (self.balls / OVER).min(OVERS - 1)
    }

    /// Whether an over has been bowled to its end, or the innings is over.
    pub(super) fn is_bowled(&self, over: usize) -> bool {
        self.is_done || self.balls >= (over + 1) * OVER
    }

    pub(super) fn fours(&self) -> usize {
        self.overs.iter().map(|over| over.fours).sum()
    }

    pub(super) fn sixes(&self) -> usize {
        self.overs.iter().map(|over| over.sixes).sum()
    }

    fn bowl(&mut self, what: Ball, random: &mut Random) {
        let over = self.over();
        let runs = match what {
            Ball::Runs(runs) => runs,
            Ball::Wide => 1,
            Ball::Wicket => 0,
        };
        let held = &mut self.overs[over];
        held.runs += runs;
        held.fours += usize::from(what == Ball::Runs(4));
        held.sixes += usize::from(what == Ball::Runs(6));
        if what == Ball::Wicket {
            held.wickets += 1;
            self.outs.push(random.weighted(&OUTS));
        }
        self.runs += runs;
        self.power_play += if self.balls < POWER_PLAY { runs } else { 0 };
        self.balls += usize::from(what != Ball::Wide);
        self.is_done = self.balls == BALLS || self.down() == WICKETS;
    }
}

/// A super over of both sides, and how many there were before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SuperOver {
    /// Runs of the side that bats first, and of the other.
    pub runs: [usize; 2],
    /// Which of them bats.
    pub half: usize,
    pub balls: usize,
    pub down: usize,
}

/// The stage of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Before the first ball.
    Waiting,
    /// The first or the second innings.
    Innings(usize),
    /// Between them.
    Break,
    /// The runs were level.
    SuperOver,
    /// It is over.
    Over,
}

/// A match of cricket.
#[derive(Clone, Debug)]
pub(super) struct Cricket {
    pub rules: Arc<Rules>,
    pub stage: Stage,
    pub innings: [Innings; 2],
    pub super_over: SuperOver,
    pub winner: Option<usize>,
    /// A batter is out, and the next one walks in.
    is_held: bool,
    /// The latest innings and over, and its balls as facts show them.
    over: ([usize; 2], Vec<[i32; 1]>),
}

impl Cricket {
    pub(super) fn new(pairing: Pairing, random: &mut Random) -> Cricket {
        let [home, away] = pairing.strengths;
        let pitch = random.normal() * 0.5;
        let scoring = [home - away, away - home].map(|edge| scoring(0.6 * edge + pitch + random.normal() * 0.3));
        let first = random.side(0.5);
        // The side that batted second bats first in a super over.
        let [one, other] = [1 - first, first].map(|side| super_rest(scoring[side].edge, OVER, 0));
        let [wins, level] = compare(&one, 0, &other);
        Cricket {
            rules: Arc::new(Rules { first, scoring, super_first: wins / (1.0 - level) }),
            stage: Stage::Waiting,
            innings: [Innings::default(), Innings::default()],
            super_over: SuperOver::default(),
            winner: None,
            is_held: false,
            over: ([0; 2], Vec::new()),
        }
    }

    /// The batting side of an innings.
    pub(super) fn side(&self, innings: usize) -> usize {
        (self.rules.first + innings) % 2
    }

    /// The batting side of half a super over.
    pub(super) fn super_side(&self, half: usize) -> usize {
        (self.rules.first + 1 + half) % 2
    }

    /// Runs that the side batting in this innings still needs; beyond all reach in the first.
    pub(super) fn need(&self, innings: usize) -> usize {
        match innings {
            0 => usize::MAX,
            _ => (self.innings[0].runs + 1).saturating_sub(self.innings[1].runs),
        }
    }

    fn win(&mut self, side: usize) {
        self.winner = Some(side);
        self.stage = Stage::Over;
    }

    fn bowl(&mut self, at: usize, random: &mut Random) -> f64 {
        let scoring = self.rules.scoring[self.side(at)];
        let innings = &mut self.innings[at];
        let what = draw(scoring.ball(innings.left(), innings.down()), random);
        if self.over.0 != [at, innings.over()] {
            self.over = ([at, innings.over()], Vec::new());
        }
        self.over.1.push([shown(what)]);
        innings.bowl(what, random);
        let is_end_of_over = what != Ball::Wide && innings.balls.is_multiple_of(OVER);
        let is_chased = at == 1 && self.need(1) == 0;
        self.innings[at].is_done |= is_chased;
        if self.innings[at].is_done {
            return self.end_innings(at);
        }
        self.is_held = what == Ball::Wicket;
        let pause = if self.is_held { 45.0 } else { 0.0 } + if is_end_of_over { 45.0 } else { 0.0 };
        pause + random.between(22.0, 34.0)
    }

    fn end_innings(&mut self, at: usize) -> f64 {
        let [first, second] = [self.innings[0].runs, self.innings[1].runs];
        if at == 0 {
            self.stage = Stage::Break;
            return BREAK_S;
        }
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => self.win(self.side(0)),
            std::cmp::Ordering::Less => self.win(self.side(1)),
            std::cmp::Ordering::Equal => self.stage = Stage::SuperOver,
        }
        300.0
    }

    fn bowl_super(&mut self, random: &mut Random) -> f64 {
        let half = self.super_over.half;
        let edge = self.rules.scoring[self.super_side(half)].edge;
        let held = &mut self.super_over;
        match draw(&super_ball(edge), random) {
            Ball::Runs(runs) => {
                held.runs[half] += runs;
                held.balls += 1;
            }
            Ball::Wide => held.runs[half] += 1,
            Ball::Wicket => {
                held.down += 1;
                held.balls += 1;
            }
        }
        let [first, second] = held.runs;
        let is_chased = half == 1 && second > first;
        if held.balls < OVER && held.down < SUPER_WICKETS && !is_chased {
            return random.between(25.0, 45.0);
        }
        if half == 0 {
            self.super_over = SuperOver { half: 1, balls: 0, down: 0, ..*held };
            return 240.0;
        }
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => self.win(self.super_side(0)),
            std::cmp::Ordering::Less => self.win(self.super_side(1)),
            // Level again: another one.
            std::cmp::Ordering::Equal => self.super_over = SuperOver::default(),
        }
        300.0
    }

    /// `156/4`, or a dash for a side that has not batted.
    fn game(&self, side: usize) -> Cow<'static, str> {
        let score = |runs: usize, down: usize| Cow::from(format!("{runs}/{down}"));
        if self.stage == Stage::SuperOver {
            let half = usize::from(self.super_side(1) == side);
            let held = &self.super_over;
            return match half.cmp(&held.half) {
                std::cmp::Ordering::Greater => "-".into(),
                std::cmp::Ordering::Equal => score(held.runs[half], held.down),
                std::cmp::Ordering::Less => held.runs[half].to_string().into(),
            };
        }
        let innings = usize::from(self.side(1) == side);
        let has_batted = innings == 0 || self.innings[0].is_done;
        if has_batted { score(self.innings[innings].runs, self.innings[innings].down()) } else { "-".into() }
    }
}

impl Play for Cricket {
    fn step(&mut self, random: &mut Random) -> Step {
        let seconds = match self.stage {
            Stage::Waiting => {
                self.stage = Stage::Innings(0);
                40.0
            }
            Stage::Break => {
                self.stage = Stage::Innings(1);
                40.0
            }
            Stage::Innings(_) if self.is_held => {
                self.is_held = false;
                random.between(10.0, 20.0)
            }
            Stage::Innings(at) => self.bowl(at, random),
            Stage::SuperOver => self.bowl_super(random),
            Stage::Over => 0.0,
        };
        if self.stage == Stage::Over { Step::Over } else { Step::after_s(seconds) }
    }

    fn board(&self) -> Board {
        let batting = match self.stage {
            Stage::Waiting => Some(self.side(0)),
            Stage::Innings(at) => Some(self.side(at)),
            Stage::Break => Some(self.side(1)),
            Stage::SuperOver => Some(self.super_side(self.super_over.half)),
            Stage::Over => None,
        };
        let by_side = |first: usize, second: usize| {
            let (first, second) = (first as i64, second as i64);
            if self.rules.first == 0 { [first, second] } else { [second, first] }
        };
        let [first, second] = [self.innings[0].runs, self.innings[1].runs];
        let overs = |balls: usize| BoardClock::Words(format!("{}.{}", balls / OVER, balls % OVER));
        Board {
            status: match self.stage {
                Stage::Waiting | Stage::Innings(0) => "innings_1".into(),
                Stage::Innings(_) => "innings_2".into(),
                Stage::Break => "pause".into(),
                Stage::SuperOver => "super_over".into(),
                Stage::Over => "ended".into(),
            },
            score: Some(by_side(first, second)),
            scores: if self.innings[0].is_done {
                vec![by_side(first, 0), by_side(0, second)]
            } else {
                vec![by_side(first, 0)]
            },
            game: Some([self.game(0), self.game(1)]),
            serving: batting,
            clock: match self.stage {
                Stage::Innings(at) => overs(self.innings[at].balls),
                Stage::SuperOver => overs(self.super_over.balls),
                Stage::Waiting | Stage::Break | Stage::Over => BoardClock::None,
            },
            suspended: self.is_held,
            over: self.stage == Stage::Over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let bowled = |at: usize| {
            let innings = &self.innings[at];
            // A wide may be all of an over so far.
            let begun = |(at, over): &(usize, &Over)| at * OVER < innings.balls || **over != Over::default();
            innings.overs.iter().enumerate().take_while(begun).map(move |(_, over)| {
                [
                    side_number(self.side(at)),
                    over.runs as i32,
                    over.wickets as i32,
                    over.fours as i32,
                    over.sixes as i32,
                ]
            })
        };
        let overs = bowled(0).chain(bowled(1));
        let balls = if matches!(self.stage, Stage::Innings(_)) { self.over.1.as_slice() } else { &[] };
        let overs = Fact::of_records(Topic::Overs, overs);
        overs.into_iter().chain(Fact::of_records(Topic::Balls, balls.iter().copied())).collect()
    }

    fn price(&self, book: &mut Book) {
        markets::price(self, book);
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        markets::right(self, kind, line)
    }

    fn retire(&mut self, _: usize) {
        self.stage = Stage::Over;
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}

/// A ball as facts show it: its runs, 7 a wide, 8 a wicket.
fn shown(ball: Ball) -> i32 {
    match ball {
        Ball::Runs(runs) => runs as i32,
        Ball::Wide => 7,
        Ball::Wicket => 8,
    }
}
