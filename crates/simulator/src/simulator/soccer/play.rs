//! A simulated soccer match: halves with stoppage time, goals, corners, cards, and extra time and a shoot-out in a cup.
//! Driven by [`super::super::course`]. The next event is drawn from the model's rates, up to the next moment at which
//! they may change. Prices must not depend on events that are already drawn.

use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sport::{Ask, Board, BoardClock, Play, Step, Verdict};
use crate::soccer::frame::scores;
use crate::soccer::knock_out::KICKS;
use crate::soccer::markets::fill;
use crate::soccer::outlook::{Intensities, OVERTIME_S, expected_s};
use crate::soccer::state::{Count, Period, Phase, Situation, place};
use crate::soccer::strengths::Rates;
use crate::soccer::verdicts::{Goal, Record};
use kvota_domain::matches::{Pair, Side};

/// The maximum time between two price changes by the clock, in ms of play.
const TICK_MS: i64 = 8_000;
/// The suspension of betting after a goal or a red card, in seconds …
const HELD_S: std::ops::Range<f64> = 25.0..45.0;
/// … and the additional time of a video review, which has the probability `REVIEWED`.
const REVIEW_S: std::ops::Range<f64> = 45.0..90.0;
const REVIEWED: f64 = 0.15;
/// Penalty appeals that are not given: the mean seconds between two of them, and how long betting is suspended.
const CLAIM_EVERY_S: f64 = 1_800.0;
const CLAIM_S: std::ops::Range<f64> = 12.0..35.0;
/// The time between two kicks of a shoot-out, in seconds: betting is suspended, then open.
const KICK_HELD_S: f64 = 12.0;
const KICK_OPEN_S: f64 = 24.0;

/// A match being played.
#[derive(Clone, Debug)]
pub(super) struct SoccerPlay {
    rates: Rates,
    situation: Situation,
    record: Record,
    /// Milliseconds of play since the period began.
    played_ms: i64,
    /// Betting is suspended until then.
    held_until_ms: i64,
    /// The next event. It is drawn together with its time.
    next: Next,
    /// The side that takes the next kick of a shoot-out.
    kicker: Side,
    is_given_up: bool,
}

/// The event of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Nothing but time.
    Time,
    Goal(Side),
    Corner(Side),
    Card(Side),
    Claim,
    Whistle,
    /// A kick of a shoot-out, and the end of the excitement after one.
    Kick,
    Calm,
}

impl SoccerPlay {
    pub(super) fn new(rates: Rates, is_cup: bool) -> SoccerPlay {
        SoccerPlay {
            rates,
            situation: Situation::before(is_cup),
            record: Record::default(),
            played_ms: 0,
            held_until_ms: 0,
            next: Next::Time,
            kicker: Side::Home,
            is_given_up: false,
        }
    }

    fn enter(&mut self, phase: Phase) {
        self.situation.phase = phase;
        self.situation.elapsed_s = 0;
        self.played_ms = 0;
        self.held_until_ms = 0;
    }

    /// A period begins, and the first thing in it is drawn.
    fn begin(&mut self, period: Period, random: &mut Random) -> Step {
        self.enter(Phase::Playing(period));
        if period == Period::ShootOut {
            self.kicker = if random.chance(0.5) { Side::Home } else { Side::Away };
            self.next = Next::Kick;
            return Step::after_s(KICK_OPEN_S);
        }
        self.draw(period, random)
    }

    /// The period is over: a break, or the end.
    fn whistle(&mut self, period: Period, random: &mut Random) -> Step {
        let [home, away] = self.situation.score();
        let goes_on = match period {
            Period::FirstHalf | Period::ExtraFirst => true,
            Period::SecondHalf | Period::ExtraSecond => self.situation.knock_out && home == away,
            Period::ShootOut => false,
        };
        if period == Period::SecondHalf {
            self.record.close(&self.situation);
        }
        if !goes_on {
            self.enter(Phase::Ended);
            return Step::Over;
        }
        self.enter(Phase::After(period));
        Step::after_s(match period {
            Period::FirstHalf => random.between(880.0, 980.0),
            Period::SecondHalf => 300.0,
            Period::ExtraFirst => 75.0,
            Period::ExtraSecond | Period::ShootOut => 180.0,
        })
    }

    /// Draws the next event and its time. The rates of the processes are constant until the next tick.
    fn draw(&mut self, period: Period, random: &mut Random) -> Step {
        let rates = Intensities::new(&self.rates, &self.situation, period);
        // From here on the whistle is as likely in any second as in any other.
        let tail_ms = ((expected_s(period) - OVERTIME_S) * 1000.0) as i64;
        let is_tail = self.played_ms >= tail_ms;
        let things = [
            (Next::Goal(Side::Home), rates.goals[0]),
            (Next::Goal(Side::Away), rates.goals[1]),
            (Next::Corner(Side::Home), rates.corners[0]),
            (Next::Corner(Side::Away), rates.corners[1]),
            (Next::Card(Side::Home), rates.cards[0]),
            (Next::Card(Side::Away), rates.cards[1]),
            (Next::Claim, 1.0 / CLAIM_EVERY_S),
            (Next::Whistle, if is_tail { 1.0 / OVERTIME_S } else { 0.0 }),
        ];
        let each = things.map(|(_, rate)| rate);
        let wait_ms = (random.wait(1000.0 / each.iter().sum::<f64>())) as i64;
        let tick_ms = if is_tail { TICK_MS } else { TICK_MS.min(tail_ms - self.played_ms) };
        let thing = things[random.weighted(&each)].0;
        let (next, after_ms) = if wait_ms < tick_ms { (thing, wait_ms.max(1)) } else { (Next::Time, tick_ms) };
        self.next = next;
        self.played_ms += after_ms;
        Step::Next { after_ms: after_ms as u32 }
    }

    /// Applies the drawn event.
    fn happen(&mut self, period: Period, random: &mut Random) {
        let second = (self.played_ms / 1000) as u32;
        self.situation.elapsed_s = second;
        match self.next {
            Next::Goal(side) => {
                self.situation.add_goal(side, period, second);
                self.record.goals.push(Goal { side: place(side), period, second });
                self.hold(HELD_S, random);
                if random.chance(REVIEWED) {
                    self.held_until_ms += (random.between(REVIEW_S.start, REVIEW_S.end) * 1000.0) as i64;
                }
            }
            Next::Corner(side) => {
                self.situation.add_corner(side, period);
                self.record.corners.push(place(side));
            }
            Next::Card(side) => {
                if random.chance(Intensities::new(&self.rates, &self.situation, period).red_share) {
                    self.situation.add_red(side);
                    self.hold(HELD_S, random);
                } else {
                    self.situation.add_yellow(side);
                }
            }
            Next::Claim => self.hold(CLAIM_S, random),
            Next::Time | Next::Whistle | Next::Kick | Next::Calm => {}
        }
    }

    fn hold(&mut self, seconds: std::ops::Range<f64>, random: &mut Random) {
        let until_ms = self.played_ms + (random.between(seconds.start, seconds.end) * 1000.0) as i64;
        self.held_until_ms = self.held_until_ms.max(until_ms);
    }

    /// A kick of the shoot-out, or what follows one.
    fn shoot(&mut self, random: &mut Random) -> Step {
        if self.next == Next::Calm {
            self.next = Next::Kick;
            self.held_until_ms = 0;
            return Step::after_s(KICK_OPEN_S);
        }
        self.situation.add_kick(self.kicker, random.chance(KICKS.chance));
        self.kicker = match self.kicker {
            Side::Home => Side::Away,
            Side::Away => Side::Home,
        };
        if KICKS.is_decided(self.situation.shoot_out.taken, self.situation.shoot_out.scored) {
            return self.whistle(Period::ShootOut, random);
        }
        self.next = Next::Calm;
        self.held_until_ms = i64::MAX;
        Step::after_s(KICK_HELD_S)
    }
}

impl Play for SoccerPlay {
    fn step(&mut self, random: &mut Random) -> Step {
        if self.is_given_up {
            return Step::Over;
        }
        // The time of the drawn event has come: set the clock to it.
        match self.situation.phase {
            Phase::NotStarted => self.begin(Period::FirstHalf, random),
            Phase::After(Period::FirstHalf) => self.begin(Period::SecondHalf, random),
            Phase::After(Period::SecondHalf) => self.begin(Period::ExtraFirst, random),
            Phase::After(Period::ExtraFirst) => self.begin(Period::ExtraSecond, random),
            Phase::After(Period::ExtraSecond) => self.begin(Period::ShootOut, random),
            Phase::Playing(Period::ShootOut) => self.shoot(random),
            Phase::Playing(period) if self.next == Next::Whistle => self.whistle(period, random),
            Phase::Playing(period) => {
                self.happen(period, random);
                self.draw(period, random)
            }
            Phase::After(Period::ShootOut) | Phase::Ended => Step::Over,
        }
    }

    fn board(&self) -> Board {
        let situation = &self.situation;
        let pair = |count: Count| -> Pair { count.map(i64::from) };
        let is_playing = matches!(situation.phase, Phase::Playing(_));
        Board {
            status: situation.phase.status().into(),
            score: Some(pair(situation.score())),
            scores: scores(situation),
            clock: self.clock(),
            shoot_out: (situation.shoot_out.taken != [0, 0]).then(|| pair(situation.shoot_out.scored)),
            suspended: is_playing && i64::from(situation.elapsed_s) * 1000 < self.held_until_ms,
            over: self.is_given_up || situation.phase == Phase::Ended,
            red_cards: Some(pair(situation.red)),
            yellow_cards: Some(pair(situation.yellow)),
            corners: Some(pair(situation.corners)),
            ..Board::default()
        }
    }

    fn price(&self, book: &mut Book) {
        if !self.is_given_up {
            fill(book, &self.rates, &self.situation);
        }
    }

    fn verdict(&self, ask: Ask) -> Verdict {
        self.record.verdict(&self.situation, ask)
    }

    fn retire(&mut self, _: usize) {
        self.is_given_up = true;
    }

    fn copied(&self) -> Box<dyn Play> {
        // A goal that is taken back must not be the next thing that happens again.
        let next = if matches!(self.next, Next::Goal(_)) { Next::Time } else { self.next };
        Box::new(SoccerPlay { next, ..self.clone() })
    }
}

impl SoccerPlay {
    fn clock(&self) -> BoardClock {
        match self.situation.phase {
            Phase::NotStarted | Phase::Ended => BoardClock::None,
            Phase::Playing(Period::ShootOut) => BoardClock::Stopped { ms: Period::ShootOut.base_s() * 1000 },
            Phase::Playing(period) => {
                BoardClock::Running { ms: (period.base_s() + i64::from(self.situation.elapsed_s)) * 1000 }
            }
            Phase::After(period) => BoardClock::Stopped { ms: period.end_s() * 1000 },
        }
    }
}
