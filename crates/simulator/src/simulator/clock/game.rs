//! The state machine of a match against the clock: a [`Play`] by a sport's [`Rules`]. Created by the sports' modules. Prices
//! must not depend on events that are already drawn for the future.

use super::outlook::Outlook;
use super::question::{Part, Scope, verdict};
use super::record::{Record, Scored};
use super::rules::{Rules, ScoreKind, Seconds, Shape, ShootOut, Tempo};
use super::{facts, offer, question};
use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sport::{Ask, Board, BoardClock, Play, Step, Verdict};
use kvota_domain::facts::Fact;
use kvota_domain::matches::Pair;
use std::sync::Arc;

/// The time between two kicks of a shoot-out, in seconds: betting is suspended, then open.
const KICK_HELD_S: f64 = 10.0;
const KICK_OPEN_S: f64 = 20.0;

/// A match.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) rules: &'static Rules,
    pub(super) shape: Arc<Shape>,
    pub(super) record: Record,
    pub(super) phase: Phase,
    /// The period that is played, or comes next; those of regular time first.
    pub(super) period: usize,
    /// How much of it has been played.
    pub(super) played_ms: i64,
    /// Attacks made in it.
    pub(super) attacks: usize,
    /// The side that attacks first, once it is known. The other side attacks first in the next period.
    pub(super) opener: Option<usize>,
    /// Points that may be added to the latest score.
    pub(super) pending: Option<Scored>,
    /// The sides that are a player short, and for how many more ms of play.
    pub(super) short: Vec<(usize, i64)>,
    /// How often each side was short: for a time, and until the end.
    pub(super) shorts: [[i64; 2]; 2],
    /// Goals of each side with more players than the other.
    pub(super) power_goals: [i64; 2],
    /// Shots of each side, goals included.
    pub(super) shots: [i64; 2],
    /// Time-outs that each side has taken.
    pub(super) timeouts: [u8; 2],
    /// Betting is suspended after a score.
    is_held: bool,
    /// The side that takes the next kick of a shoot-out.
    kicker: usize,
}

/// What goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Announced,
    /// The clock runs, and the event happens after this many ms.
    Running(i64, Event),
    Stopped,
    /// A conversion or free throws.
    Trying,
    Break,
    /// A kick of the shoot-out comes next.
    Kick,
    /// One has been taken.
    Kicked,
    Over,
}

/// What ends a stretch of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    Nothing,
    /// An attack is over.
    Attack,
    Score(usize),
    /// A side is a player short from now on.
    Short {
        side: usize,
        is_lasting: bool,
    },
}

impl Game {
    /// A match that is about to begin.
    pub fn new(rules: &'static Rules, shape: Shape) -> Game {
        Game {
            rules,
            shape: Arc::new(shape),
            record: Record::default(),
            phase: Phase::Announced,
            period: 0,
            played_ms: 0,
            attacks: 0,
            opener: None,
            pending: None,
            short: Vec::new(),
            shorts: [[0; 2]; 2],
            power_goals: [0; 2],
            shots: [0; 2],
            timeouts: [0, 0],
            is_held: false,
            kicker: 0,
        }
    }

    /// How many periods regular time has.
    pub(super) fn regular(&self) -> usize {
        self.rules.periods.len()
    }

    /// All of regular time.
    pub(super) fn regular_time(&self) -> Part {
        Part { from: 0, to: self.regular() }
    }

    /// How long a period is.
    pub(super) fn length_ms(&self, period: usize) -> i64 {
        match self.shape.overtime {
            Some(overtime) if period >= self.regular() => overtime.round_ms,
            _ => self.shape.period_ms,
        }
    }

    /// The rate of scoring in a period, in parts of that of the match.
    pub(super) fn pace(&self, period: usize) -> f64 {
        match self.rules.periods.get(period) {
            Some(own) => own.pace,
            None => self.shape.overtime.map_or(1.0, |overtime| overtime.pace),
        }
    }

    /// How many attacks both make in a period.
    pub(super) fn attacks_of(&self, period: usize) -> usize {
        match self.shape.tempo {
            Tempo::Moments { .. } => 0,
            Tempo::Turns { period: each, .. } if period < self.regular() => 2 * each,
            Tempo::Turns { overtime, .. } => 2 * overtime,
        }
    }

    /// The attacking side of an attack of a period.
    pub(super) fn attacker(&self, opener: usize, period: usize, attack: usize) -> usize {
        (opener + period + attack) % 2
    }

    /// Whether the next score ends the match.
    pub(super) fn is_sudden(&self) -> bool {
        self.period >= self.regular() && self.shape.overtime.is_some_and(|overtime| overtime.is_sudden)
    }

    /// The shoot-out after an overtime without a winner.
    pub(super) fn shoot_out(&self) -> Option<ShootOut> {
        self.shape.overtime.and_then(|overtime| overtime.shoot_out)
    }

    /// Whether the shoot-out is next.
    pub(super) fn is_after_overtime(&self) -> bool {
        self.shoot_out().is_some() && self.record.finished > self.regular()
    }

    fn begin_period(&mut self, random: &mut Random) -> Step {
        self.record.begin_period();
        self.played_ms = 0;
        self.attacks = 0;
        self.run(random)
    }

    /// The clock runs until something happens.
    fn run(&mut self, random: &mut Random) -> Step {
        let left_ms = self.length_ms(self.period) - self.played_ms;
        let (ms, event) = match self.shape.tempo {
            Tempo::Turns { .. } => {
                let attacks = self.attacks_of(self.period) - self.attacks;
                let usual = left_ms as f64 / attacks.max(1) as f64;
                let ms = if attacks <= 1 { left_ms } else { (usual * random.between(0.5, 1.5)) as i64 };
                (ms, if attacks == 0 { Event::Nothing } else { Event::Attack })
            }
            Tempo::Moments { per_ms } => self.next_moment(per_ms, left_ms, random),
        };
        let ms = ms.clamp(1, left_ms.max(1));
        self.phase = Phase::Running(ms, event);
        Step::Next { after_ms: ms as u32 }
    }

    /// Draws the next score or missing player, or a pause without one. The process has no memory, so drawing again after the
    /// pause is correct.
    fn next_moment(&self, per_ms: [f64; 2], left_ms: i64, random: &mut Random) -> (i64, Event) {
        let tick_ms = (between(random, self.rules.tick_s) * 1000.0) as i64;
        let back_ms = self.short.iter().map(|(_, ms)| *ms).min().unwrap_or(i64::MAX);
        let until_ms = tick_ms.min(left_ms).min(back_ms);
        let [home, away] = self.scores_per_ms(per_ms);
        let [timed, lasting] = self.rules.short.map_or([0.0; 2], |rules| self.shorts_per_ms(rules));
        let rates = [home, away, timed, timed, lasting, lasting];
        let wait_ms = random.wait(1.0 / rates.iter().sum::<f64>()).min(1e12) as i64;
        if wait_ms >= until_ms {
            return (until_ms, Event::Nothing);
        }
        let which = random.weighted(&rates);
        let side = which % 2;
        (wait_ms, if which < 2 { Event::Score(side) } else { Event::Short { side, is_lasting: which >= 4 } })
    }

    fn happen(&mut self, ms: i64, event: Event, random: &mut Random) -> Step {
        self.played_ms += ms;
        if self.rules.saves > 0.0 {
            self.shoot(ms, random);
        }
        for short in &mut self.short {
            short.1 -= ms;
        }
        self.short.retain(|short| short.1 > 0);
        match event {
            Event::Nothing => self.perhaps_stop(random),
            Event::Attack => {
                let opener = self.opener.unwrap_or(0);
                let side = self.attacker(opener, self.period, self.attacks);
                self.attacks += 1;
                match self.shape.tempo {
                    Tempo::Turns { scores, .. } if random.chance(scores[side]) => self.make_score(side, random),
                    _ => self.perhaps_stop(random),
                }
            }
            Event::Score(side) => self.make_score(side, random),
            Event::Short { side, is_lasting } => {
                let Some(rules) = self.rules.short else { return self.go_on(random) };
                self.short.push((side, if is_lasting { i64::MAX / 4 } else { rules.timed_ms }));
                self.shorts[usize::from(is_lasting)][side] += 1;
                self.record.cards.push((self.period, side));
                self.stop(rules.stop_s, random)
            }
        }
    }

    fn make_score(&mut self, side: usize, random: &mut Random) -> Step {
        let weights: Vec<f64> = self.rules.scores.iter().map(|way| way.weight).collect();
        let kind = random.weighted(&weights);
        let way = self.rules.scores[kind];
        let scored = Scored { period: self.period, side, kind };
        self.record.scores.push(scored);
        self.record.add(side, way.points, self.at_s(), way.ways[0]);
        self.is_held = self.rules.holds_scores;
        self.shots[side] += 1;
        if self.missing(side) < self.missing(1 - side) {
            self.power_goals[side] += 1;
            self.end_short(1 - side);
        }
        if self.is_sudden() {
            return self.end();
        }
        if way.more.is_empty() {
            return self.stop(self.rules.after_score_s, random);
        }
        self.pending = Some(scored);
        self.phase = Phase::Trying;
        Step::after_s(between(random, self.rules.more_s))
    }

    /// The conversion or the free throws are over.
    fn try_for_more(&mut self, random: &mut Random) -> Step {
        if let Some(scored) = self.pending.take() {
            let ScoreKind { more, ways, .. } = self.rules.scores[scored.kind];
            let chances: Vec<f64> = more.iter().map(|held| held.1).collect();
            let points = more.get(random.weighted(&chances)).map_or(0, |held| held.0);
            self.record.add(scored.side, points, self.at_s(), ways[1]);
        }
        self.stop(self.rules.after_score_s, random)
    }

    fn perhaps_stop(&mut self, random: &mut Random) -> Step {
        let (chance, seconds) = self.rules.stop;
        if random.chance(chance) {
            return self.stop(seconds, random);
        }
        if let Some(rules) = self.rules.timeouts.filter(|rules| random.chance(rules.chance)) {
            let side = random.side(0.5);
            if self.timeouts[side] < rules.each {
                self.timeouts[side] += 1;
                return self.stop((rules.length_s, rules.length_s), random);
            }
        }
        self.go_on(random)
    }

    /// Stops the clock for this time, or not at all.
    fn stop(&mut self, seconds: Seconds, random: &mut Random) -> Step {
        if seconds.1 <= 0.0 {
            return self.go_on(random);
        }
        self.phase = Phase::Stopped;
        Step::after_s(between(random, seconds))
    }

    fn go_on(&mut self, random: &mut Random) -> Step {
        if self.played_ms < self.length_ms(self.period) { self.run(random) } else { self.end_period(random) }
    }

    fn end_period(&mut self, random: &mut Random) -> Step {
        let ended = self.period;
        self.record.finished += 1;
        let [home, away] = self.record.all();
        let goes_on = home == away && self.shape.overtime.is_some();
        if self.record.finished >= self.regular() && !goes_on {
            return self.end();
        }
        self.period += 1;
        self.played_ms = 0;
        self.attacks = 0;
        self.phase = Phase::Break;
        Step::after_s(between(random, self.break_after(ended).1))
    }

    /// A kick of the shoot-out.
    fn kick(&mut self, shoot_out: ShootOut, random: &mut Random) -> Step {
        let [taken, scored] = self.record.kicks.get_or_insert_default();
        taken[self.kicker] += 1;
        scored[self.kicker] += u8::from(random.chance(shoot_out.kicks.chance));
        self.kicker = 1 - self.kicker;
        if shoot_out.kicks.is_decided(*taken, *scored) {
            return self.end();
        }
        self.phase = Phase::Kicked;
        Step::after_s(KICK_HELD_S)
    }

    /// The next kick is awaited.
    fn await_kick(&mut self) -> Step {
        self.phase = Phase::Kick;
        Step::after_s(KICK_OPEN_S)
    }

    fn break_after(&self, period: usize) -> (&'static str, Seconds) {
        let last = self.regular().saturating_sub(1);
        self.rules.periods.get(period.min(last)).map_or(("pause", (60.0, 90.0)), |own| (own.pause, own.pause_s))
    }

    fn end(&mut self) -> Step {
        self.record.finished = self.record.periods.len();
        self.record.complete = true;
        self.phase = Phase::Over;
        Step::Over
    }

    fn status(&self) -> &'static str {
        match self.phase {
            Phase::Announced => "not_started",
            Phase::Over => "ended",
            Phase::Break if self.is_after_overtime() => "awaiting_shoot_out",
            Phase::Break => self.break_after(self.period.saturating_sub(1)).0,
            Phase::Kick | Phase::Kicked => "shoot_out",
            _ => match self.rules.periods.get(self.period) {
                Some(period) => period.status,
                None => self.rules.overtime[usize::from(2 * self.played_ms >= self.length_ms(self.period))],
            },
        }
    }

    /// How much of the match has been played.
    fn all_played_ms(&self) -> i64 {
        (0..self.period).map(|period| self.length_ms(period)).sum::<i64>() + self.played_ms
    }

    fn at_s(&self) -> i32 {
        (self.all_played_ms() / 1000) as i32
    }

    fn clock(&self) -> BoardClock {
        let ms = self.all_played_ms();
        match self.phase {
            Phase::Announced | Phase::Over => BoardClock::None,
            Phase::Running(..) => BoardClock::Running { ms },
            _ => BoardClock::Stopped { ms },
        }
    }

    /// Whether a part of the match that a market is about is still undecided; one of overtime only once it has begun.
    pub(super) fn is_open(&self, scope: Scope) -> bool {
        let has_begun = match scope {
            Scope::Part(part) if part.from >= self.regular() => self.record.periods.len() > part.from,
            _ => true,
        };
        has_begun && !self.record.is_done(scope) && self.phase != Phase::Over
    }

    /// The score as people see it, with the point for a shoot-out.
    fn score(&self) -> Pair {
        let mut score = self.record.all().map(i64::from);
        let is_scored = self.record.complete && self.shoot_out().is_some_and(|shoot_out| shoot_out.is_scored);
        if let Some([home, away]) = self.record.kicked().filter(|_| is_scored) {
            score[usize::from(home < away)] += 1;
        }
        score
    }

    /// Scores of these ways so far.
    pub(super) fn counted(&self, among: Part, ways: &[usize]) -> [usize; 2] {
        question::counts(&self.record, among, ways)
    }
}

impl Play for Game {
    fn step(&mut self, random: &mut Random) -> Step {
        self.is_held = false;
        match self.phase {
            Phase::Announced => {
                self.opener = Some(random.side(0.5));
                self.begin_period(random)
            }
            Phase::Break => match self.shoot_out().filter(|_| self.is_after_overtime()) {
                Some(_) => {
                    self.kicker = random.side(0.5);
                    self.record.kicks = Some([[0; 2]; 2]);
                    self.await_kick()
                }
                None => self.begin_period(random),
            },
            Phase::Kick => match self.shoot_out() {
                Some(shoot_out) => self.kick(shoot_out, random),
                None => self.end(),
            },
            Phase::Kicked => self.await_kick(),
            Phase::Running(ms, event) => self.happen(ms, event, random),
            Phase::Trying => self.try_for_more(random),
            Phase::Stopped => self.go_on(random),
            Phase::Over => Step::Over,
        }
    }

    fn board(&self) -> Board {
        let kicked = self.record.kicked().filter(|_| self.record.kicks.is_some_and(|[taken, _]| taken != [0, 0]));
        let periods = self.record.periods.iter().map(|points| points.map(i64::from));
        let is_trying = self.rules.holds && self.phase == Phase::Trying;
        Board {
            status: self.status().into(),
            score: Some(self.score()),
            scores: periods.chain(kicked).collect(),
            clock: self.clock(),
            shoot_out: kicked.filter(|_| self.shoot_out().is_some_and(|shoot_out| !shoot_out.is_scored)),
            suspended: self.is_held || is_trying || self.phase == Phase::Kicked,
            over: self.phase == Phase::Over,
            yellow_cards: self.cards().map(|[yellow, _]| yellow),
            red_cards: self.cards().map(|[_, red]| red),
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        facts::of(self)
    }

    fn price(&self, book: &mut Book) {
        if self.phase != Phase::Over {
            offer::offer(self, &Outlook::new(self), book);
        }
    }

    fn verdict(&self, ask: Ask) -> Verdict {
        let kind = usize::from(ask.kind);
        match (self.rules.data.questions.get(kind), self.rules.data.profile.kinds.get(kind)) {
            (Some(question), Some(spec)) => verdict(&self.record, *question, spec, ask),
            _ => Verdict::Void,
        }
    }

    /// Teams do not give up. If one did, decided markets would keep their results, and the others would be void.
    fn retire(&mut self, _: usize) {
        self.phase = Phase::Over;
    }

    fn copied(&self) -> Box<dyn Play> {
        // A score that is taken back must not be the next thing that happens again.
        let phase = match self.phase {
            Phase::Running(ms, Event::Score(_)) => Phase::Running(ms, Event::Nothing),
            phase => phase,
        };
        Box::new(Game { phase, ..self.clone() })
    }
}

fn between(random: &mut Random, (low, high): Seconds) -> f64 {
    random.between(low, high)
}
