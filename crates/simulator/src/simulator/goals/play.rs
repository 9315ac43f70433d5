//! A match of a goal sport: periods, breaks, goals, stopped clocks, time-outs, overtime, a shoot-out. Driven by
//! [`super::super::course`]; the pure state machine of [`super::rules`].

use super::GoalSport;
use super::model::Outlook;
use super::rules::{Rates, TICK_MS};
use super::verdicts::verdict;
use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sport::{Ask, Board, BoardClock, Play, Step, Verdict};
use kvota_domain::matches::Pair;

/// The moment of an event within its tick: near the middle, but random, so that the clock does not advance in equal
/// steps.
const WITHIN: [f64; 2] = [0.3, 0.7];
/// The time between two kicks of a shoot-out, in seconds: betting is suspended, then open.
const KICK_HELD_S: f64 = 10.0;
const KICK_OPEN_S: f64 = 20.0;

/// The stage of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    NotStarted,
    /// A leg is played.
    Playing(usize),
    /// The break after one.
    After(usize),
    ShootOut,
    Ended,
}

/// Why the clock is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halt {
    Goal,
    Stoppage,
}

/// A goal in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Goal {
    pub(super) side: usize,
    pub(super) leg: usize,
}

/// A match being played.
#[derive(Clone, Debug)]
pub(super) struct GoalPlay {
    pub(super) sport: &'static GoalSport,
    pub(super) rates: Rates,
    /// Whether a draw is played on.
    pub(super) has_overtime: bool,
    pub(super) stage: Stage,
    /// Ticks of the leg that have passed.
    pub(super) ticks: u32,
    /// All goals, in order.
    pub(super) goals: Vec<Goal>,
    /// Kicks of the shoot-out, taken and scored.
    pub(super) taken: [u8; 2],
    pub(super) scored: [u8; 2],
    pub(super) is_given_up: bool,
    /// Milliseconds of play since the leg began, now and at the next step.
    clock_ms: i64,
    next_ms: i64,
    halt: Option<Halt>,
    /// Whether betting is suspended, after a goal or a kick.
    is_held: bool,
    timeouts: [u8; 2],
    kicker: usize,
}

impl GoalPlay {
    pub(super) fn new(sport: &'static GoalSport, strengths: [f64; 2], has_overtime: bool) -> GoalPlay {
        GoalPlay {
            sport,
            rates: Rates::new(&sport.rules, strengths),
            has_overtime,
            stage: Stage::NotStarted,
            ticks: 0,
            goals: Vec::new(),
            taken: [0; 2],
            scored: [0; 2],
            is_given_up: false,
            clock_ms: 0,
            next_ms: 0,
            halt: None,
            is_held: false,
            timeouts: [0; 2],
            kicker: 0,
        }
    }

    /// Goals of the legs that fit.
    pub(super) fn score(&self, legs: impl Fn(usize) -> bool) -> [u32; 2] {
        let mut score = [0; 2];
        for goal in self.goals.iter().filter(|goal| legs(goal.leg)) {
            score[goal.side] += 1;
        }
        score
    }

    /// Goals of regular time.
    pub(super) fn regular(&self) -> [u32; 2] {
        self.score(|leg| self.sport.rules.is_regular(leg))
    }

    /// Whether a leg is over, or will never be played.
    pub(super) fn is_over(&self, leg: usize) -> bool {
        match self.stage {
            Stage::NotStarted => false,
            Stage::Playing(playing) => playing > leg,
            Stage::After(played) => played >= leg,
            Stage::ShootOut | Stage::Ended => true,
        }
    }

    /// Whether regular time is over.
    pub(super) fn is_regular_over(&self) -> bool {
        self.is_over(usize::from(self.sport.rules.periods) - 1)
    }

    /// The remaining ticks of a leg.
    pub(super) fn left(&self, leg: usize) -> u32 {
        match self.stage {
            _ if self.is_over(leg) => 0,
            Stage::Playing(playing) if playing == leg => self.sport.rules.ticks(leg) - self.ticks,
            _ => self.sport.rules.ticks(leg),
        }
    }

    fn begin(&mut self, leg: usize, random: &mut Random) -> Step {
        self.stage = Stage::Playing(leg);
        self.ticks = 0;
        self.clock_ms = 0;
        self.run_on(leg, random)
    }

    /// The clock runs to within the next tick, or to the end of the leg.
    fn run_on(&mut self, leg: usize, random: &mut Random) -> Step {
        let rules = &self.sport.rules;
        self.next_ms = if self.ticks < rules.ticks(leg) {
            let ticks = f64::from(self.ticks) + random.between(WITHIN[0], WITHIN[1]);
            (ticks * f64::from(TICK_MS)) as i64
        } else {
            i64::from(rules.leg_s(leg)) * 1000
        };
        Step::Next { after_ms: (self.next_ms - self.clock_ms).max(1) as u32 }
    }

    fn play(&mut self, leg: usize, random: &mut Random) -> Step {
        self.is_held = false;
        if self.halt.take().is_some() {
            return self.run_on(leg, random);
        }
        let rules = &self.sport.rules;
        self.clock_ms = self.next_ms;
        if self.ticks == rules.ticks(leg) {
            return self.whistle(leg, random);
        }
        self.ticks += 1;
        let chance = self.rates.tick(rules, leg);
        if random.chance(chance) {
            let side = random.side(self.rates.home);
            self.goals.push(Goal { side, leg });
            self.is_held = true;
            if !rules.is_regular(leg) && rules.overtime.sudden_death {
                return self.end();
            }
            if let Some([low, high]) = rules.stops.goal_s {
                self.halt = Some(Halt::Goal);
                return Step::after_s(random.between(low, high));
            }
        } else if random.chance(rules.stops.chance) {
            self.halt = Some(Halt::Stoppage);
            let [low, high] = rules.stops.seconds;
            return Step::after_s(random.between(low, high));
        } else if random.chance(rules.stops.timeout) {
            let side = random.side(0.5);
            if self.timeouts[side] < rules.stops.timeouts {
                self.timeouts[side] += 1;
                self.halt = Some(Halt::Stoppage);
                return Step::after_s(rules.stops.timeout_s);
            }
        }
        self.run_on(leg, random)
    }

    /// A leg is over: a break, a shoot-out or the end.
    fn whistle(&mut self, leg: usize, random: &mut Random) -> Step {
        let rules = &self.sport.rules;
        let [home, away] = self.score(|_| true);
        let is_last_regular = leg + 1 == usize::from(rules.periods);
        let is_last = leg + 1 == rules.legs();
        if (is_last || is_last_regular) && (home != away || !self.has_overtime) {
            return self.end();
        }
        self.stage = Stage::After(leg);
        let [low, high] = rules.pause_s;
        let share = if rules.is_regular(leg) && !is_last_regular { 1.0 } else { 0.25 };
        Step::after_s(share * random.between(low, high))
    }

    fn end(&mut self) -> Step {
        self.stage = Stage::Ended;
        self.is_held = false;
        Step::Over
    }

    /// A kick of the shoot-out, or what follows one.
    fn shoot(&mut self, random: &mut Random) -> Step {
        if self.is_held {
            self.is_held = false;
            return Step::after_s(KICK_OPEN_S);
        }
        let kicks = &self.sport.rules.kicks;
        self.taken[self.kicker] += 1;
        if random.chance(kicks.chance) {
            self.scored[self.kicker] += 1;
        }
        self.kicker = 1 - self.kicker;
        if kicks.is_decided(self.taken, self.scored) {
            return self.end();
        }
        self.is_held = true;
        Step::after_s(KICK_HELD_S)
    }

    fn status(&self) -> &'static str {
        let of = |leg: usize, place: usize| self.sport.rules.statuses.get(leg).map_or("pause", |of| of[place]);
        match self.stage {
            Stage::NotStarted => "not_started",
            Stage::Playing(leg) => of(leg, 0),
            Stage::After(leg) => of(leg, 1),
            Stage::ShootOut => "shoot_out",
            Stage::Ended => "ended",
        }
    }

    /// The score by leg as far as the match has come, overtime being one, and a shoot-out last.
    fn scores(&self) -> Vec<Pair> {
        let rules = &self.sport.rules;
        let begun = |leg: usize| match self.stage {
            Stage::NotStarted => false,
            Stage::Playing(now) | Stage::After(now) => now >= leg,
            Stage::ShootOut => true,
            Stage::Ended => rules.is_regular(leg) || self.went_to_overtime(),
        };
        let legs = (0..rules.legs()).filter(|leg| begun(*leg));
        let regular = legs.clone().filter(|leg| rules.is_regular(*leg)).map(|leg| pair(self.score(|of| of == leg)));
        let mut scores: Vec<Pair> = regular.collect();
        if legs.clone().any(|leg| !rules.is_regular(leg)) {
            scores.push(pair(self.score(|leg| !rules.is_regular(leg))));
        }
        if self.taken != [0, 0] {
            scores.push(self.scored.map(i64::from));
        }
        scores
    }

    /// Whether the match went to overtime.
    pub(super) fn went_to_overtime(&self) -> bool {
        let [home, away] = self.regular();
        self.has_overtime && home == away
    }

    /// The displayed score. In sports in which a shoot-out is worth one goal, it includes that goal.
    fn shown(&self) -> Pair {
        let mut score = pair(self.score(|_| true));
        if self.sport.rules.kicks_count && self.stage == Stage::Ended && self.taken != [0, 0] {
            score[usize::from(self.scored[0] < self.scored[1])] += 1;
        }
        score
    }

    fn clock(&self) -> BoardClock {
        let rules = &self.sport.rules;
        match self.stage {
            Stage::NotStarted | Stage::Ended => BoardClock::None,
            Stage::Playing(leg) => {
                let ms = rules.base_ms(leg) + self.clock_ms;
                if self.halt.is_some() { BoardClock::Stopped { ms } } else { BoardClock::Running { ms } }
            }
            Stage::After(leg) => BoardClock::Stopped { ms: rules.base_ms(leg + 1) },
            Stage::ShootOut => BoardClock::Stopped { ms: rules.base_ms(rules.legs()) },
        }
    }
}

impl Play for GoalPlay {
    fn step(&mut self, random: &mut Random) -> Step {
        match self.stage {
            _ if self.is_given_up => Step::Over,
            Stage::NotStarted => self.begin(0, random),
            Stage::After(leg) if leg + 1 < self.sport.rules.legs() => self.begin(leg + 1, random),
            Stage::After(_) => {
                self.stage = Stage::ShootOut;
                self.kicker = random.side(0.5);
                Step::after_s(KICK_OPEN_S)
            }
            Stage::Playing(leg) => self.play(leg, random),
            Stage::ShootOut => self.shoot(random),
            Stage::Ended => Step::Over,
        }
    }

    fn board(&self) -> Board {
        let counts = self.sport.rules.kicks_count;
        Board {
            status: self.status().into(),
            score: Some(self.shown()),
            scores: self.scores(),
            clock: self.clock(),
            shoot_out: (!counts && self.taken != [0, 0]).then(|| self.scored.map(i64::from)),
            suspended: self.is_held,
            over: self.is_given_up || self.stage == Stage::Ended,
            ..Board::default()
        }
    }

    fn price(&self, book: &mut Book) {
        if !self.is_given_up && self.stage != Stage::Ended {
            Outlook::new(self).fill(book);
        }
    }

    fn verdict(&self, ask: Ask) -> Verdict {
        verdict(self, ask)
    }

    /// Teams do not give up. If one did, the match would end, and undecided markets would be void.
    fn retire(&mut self, _: usize) {
        self.is_given_up = true;
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}

fn pair(score: [u32; 2]) -> Pair {
    score.map(i64::from)
}
