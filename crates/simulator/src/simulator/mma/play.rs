//! A bout: its rules and its record. If a fighter gives up, the other wins by technical knock-out.

use super::fight::{HALF, Moment, Rounds, TICKS, Tick, look, rounds};
use super::judges::{Decision, Looks, decide};
use super::markets;
use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sport::{Board, BoardClock, Pairing, Play, Step};

use kvota_domain::facts::{Fact, Topic};
const TICK_MS: i64 = 10_000;
/// Between two rounds.
const BREAK_S: f64 = 60.0;
/// Until the judges' cards are read.
const CARDS_S: f64 = 75.0;

/// How a bout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// A side ended it.
    Early {
        /// The winner.
        side: usize,
        /// By submission, else by a knock-out.
        is_submission: bool,
        /// In this round, from 0.
        round: usize,
        /// In its first half.
        is_first_half: bool,
    },
    /// The judges decided.
    Decided(Decision),
}

/// The phase of a bout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Before the first round.
    Waiting,
    /// A round is being fought.
    Fighting,
    /// Between two rounds.
    Break,
    /// The judges' cards are being counted.
    Cards,
    /// It is over.
    Over,
}

/// A bout.
#[derive(Clone, Debug)]
pub(super) struct Bout {
    pub rounds: &'static Rounds,
    /// How many there are.
    pub number: usize,
    /// The part of submissions in what home and away end.
    pub submissions: [f64; 2],
    /// How the rounds that were fought looked.
    pub looks: Looks,
    pub moment: Moment,
    /// The side in control of each tick, as facts show it.
    control: Vec<[i32; 1]>,
    pub phase: Phase,
    pub end: Option<End>,
}

impl Bout {
    pub(super) fn new(pairing: Pairing, random: &mut Random) -> Bout {
        let [home, away] = pairing.strengths;
        let pace = (pairing.tournament >> 8) as usize;
        Bout {
            rounds: rounds(home - away + random.normal() * 0.4, pace),
            number: if pairing.tournament % 10 < 3 { 5 } else { 3 },
            // A striker or a wrestler.
            submissions: [random.between(0.1, 0.65), random.between(0.1, 0.65)],
            looks: Looks::default(),
            moment: Moment::BELL,
            control: Vec::new(),
            phase: Phase::Waiting,
            end: None,
        }
    }

    /// Rounds that were fought to their end.
    pub(super) fn past(&self) -> usize {
        self.looks.iter().sum()
    }

    /// Rounds that have begun.
    pub(super) fn begun(&self) -> usize {
        self.past() + usize::from(matches!(self.phase, Phase::Fighting) || self.ended_early())
    }

    fn ended_early(&self) -> bool {
        matches!(self.end, Some(End::Early { .. }))
    }

    fn stop(&mut self, side: usize, is_submission: bool) -> Step {
        // The tick in which it ends has not been counted yet.
        let is_first_half = self.moment.tick < HALF;
        self.end = Some(End::Early { side, is_submission, round: self.past(), is_first_half });
        self.phase = Phase::Over;
        Step::Over
    }

    fn fight(&mut self, random: &mut Random) -> Step {
        match self.rounds.tick(self.moment, random) {
            Tick::End(side) => {
                let is_submission = random.chance(self.submissions[side]);
                self.stop(side, is_submission)
            }
            Tick::On(moment) => {
                self.control.push([[1, 0, 2][moment.control]]);
                self.go_on(moment)
            }
        }
    }

    fn go_on(&mut self, moment: Moment) -> Step {
        if moment.tick < TICKS {
            self.moment = moment;
            return Step::Next { after_ms: TICK_MS as u32 };
        }
        self.looks[look(moment)] += 1;
        self.moment = Moment::BELL;
        let is_last = self.past() == self.number;
        self.phase = if is_last { Phase::Cards } else { Phase::Break };
        Step::after_s(if is_last { CARDS_S } else { BREAK_S })
    }
}

impl Play for Bout {
    fn step(&mut self, random: &mut Random) -> Step {
        match self.phase {
            Phase::Waiting | Phase::Break => {
                self.phase = Phase::Fighting;
                Step::Next { after_ms: TICK_MS as u32 }
            }
            Phase::Fighting => self.fight(random),
            Phase::Cards => {
                self.end = Some(End::Decided(decide(self.looks, random)));
                self.phase = Phase::Over;
                Step::Over
            }
            Phase::Over => Step::Over,
        }
    }

    fn board(&self) -> Board {
        let played_ms = self.moment.tick as i64 * TICK_MS;
        let winner = match self.end {
            Some(End::Early { side, .. }) => Some(side),
            Some(End::Decided(decision)) => decision.winner(),
            None => None,
        };
        Board {
            status: match self.phase {
                Phase::Break | Phase::Cards => "pause".into(),
                Phase::Over => "ended".into(),
                Phase::Waiting | Phase::Fighting => format!("round_{}", self.past() + 1).into(),
            },
            // A bout has no score before its end, because the judges' cards are secret.
            score: self.end.map(|_| [0, 1].map(|side| i64::from(winner == Some(side)))),
            clock: match self.phase {
                Phase::Fighting => BoardClock::Running { ms: played_ms },
                Phase::Break | Phase::Cards => BoardClock::Stopped { ms: TICKS as i64 * TICK_MS },
                Phase::Waiting | Phase::Over => BoardClock::None,
            },
            // Suspend betting: the judges' decision may be known to some before it is announced.
            suspended: self.phase == Phase::Cards,
            over: self.phase == Phase::Over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        Fact::of_records(Topic::Control, self.control.iter().copied()).into_iter().collect()
    }

    fn price(&self, book: &mut Book) {
        if self.phase != Phase::Over {
            markets::price(self, book);
        }
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        markets::right(self, kind, line)
    }

    fn retire(&mut self, side: usize) {
        if self.phase != Phase::Over {
            self.stop(1 - side, false);
        }
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}
