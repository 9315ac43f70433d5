//! The state machine of a match against the clock: a [`Play`] by a sport's [`Rules`]. Created by the sports' modules, and
//! by the replay, which reports what happened. Prices must not depend on events that are already drawn for the future.

use super::outlook::Outlook;
use super::question::{Part, Scope};
use super::record::{Record, Scored};
use super::rules::{Rules, ScoreKind, Seconds, Shape, ShootOut, Tempo};
use super::{facts, offer, question, record};
use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sport::{Board, Play, Step};
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
    /// How often each side was short: for a time (of soccer its yellow cards), and until the end.
    pub(super) shorts: [[i64; 2]; 2],
    /// Goals of each side with more players than the other.
    pub(super) power_goals: [i64; 2],
    /// Shots of each side, goals included.
    pub(super) shots: [i64; 2],
    /// Time-outs that each side has taken.
    pub(super) timeouts: [u8; 2],
    /// Betting is suspended after a score.
    is_held: bool,
    /// Betting is suspended until so much of the period has been played.
    pub(super) held_until_ms: i64,
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
    Corner(usize),
    Card(usize),
    /// An appeal that is not granted.
    Appeal,
    /// The whistle that ends the period.
    Whistle,
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
            held_until_ms: 0,
            kicker: 0,
        }
    }

    fn begin_period(&mut self, random: &mut Random) -> Step {
        self.open_period();
        self.run(random)
    }

    /// A period begins.
    pub(super) fn open_period(&mut self) {
        self.record.begin_period();
        self.played_ms = 0;
        self.attacks = 0;
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
        let ms = if self.rules.running.is_some() { ms.max(1) } else { ms.clamp(1, left_ms.max(1)) };
        self.phase = Phase::Running(ms, event);
        Step::Next { after_ms: ms as u32 }
    }

    /// Draws what happens next, or a pause without it. The processes have no memory, so drawing again after the pause is
    /// correct.
    fn next_moment(&self, per_ms: [f64; 2], left_ms: i64, random: &mut Random) -> (i64, Event) {
        let tick_ms = (between(random, self.rules.tick_s) * 1000.0) as i64;
        let back_ms = self.short.iter().map(|(_, ms)| *ms).min().unwrap_or(i64::MAX);
        let [home, away] = self.scores_per_ms(per_ms);
        let [timed, lasting] = self.rules.short.map_or([0.0; 2], |rules| self.shorts_per_ms(rules));
        let (corners, cards) = match self.rules.counts {
            Some(_) => (self.corners_per_ms(self.period), self.cards_per_ms(self.period)),
            None => ([0.0; 2], [0.0; 2]),
        };
        let short = |side: usize, is_lasting: bool| Event::Short { side, is_lasting };
        let mut things = vec![
            (home, Event::Score(0)),
            (away, Event::Score(1)),
            (timed, short(0, false)),
            (timed, short(1, false)),
            (lasting, short(0, true)),
            (lasting, short(1, true)),
            (corners[0], Event::Corner(0)),
            (corners[1], Event::Corner(1)),
            (cards[0], Event::Card(0)),
            (cards[1], Event::Card(1)),
        ];
        let mut until_ms = tick_ms.min(back_ms);
        match self.rules.running {
            None => until_ms = until_ms.min(left_ms),
            Some(running) => {
                things.push((0.001 / running.appeals.0, Event::Appeal));
                // From the tail on the whistle is as likely in any second as in any other.
                match left_ms - running.tail_ms {
                    before_ms @ 1.. => until_ms = until_ms.min(before_ms),
                    _ => things.push((1.0 / running.tail_ms as f64, Event::Whistle)),
                }
            }
        }
        let rates: Vec<f64> = things.iter().map(|(rate, _)| *rate).collect();
        let wait_ms = random.wait(1.0 / rates.iter().sum::<f64>()).min(1e12) as i64;
        if wait_ms >= until_ms {
            return (until_ms, Event::Nothing);
        }
        (wait_ms, things[random.weighted(&rates)].1)
    }

    fn happen(&mut self, ms: i64, event: Event, random: &mut Random) -> Step {
        self.played_ms += ms;
        self.record.second = (self.played_ms / 1000) as u32;
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
                self.lose_player(side, is_lasting);
                self.stop(self.rules.short.map_or((0.0, 0.0), |rules| rules.stop_s), random)
            }
            Event::Corner(side) => {
                self.corner(side);
                self.go_on(random)
            }
            Event::Card(side) => {
                let is_red = random.chance(self.red_share());
                self.card(side, is_red);
                if is_red {
                    self.hold(random);
                }
                self.go_on(random)
            }
            Event::Appeal => {
                let seconds = self.rules.running.map_or((0.0, 0.0), |running| running.appeals.1);
                self.hold_for(between(random, seconds));
                self.go_on(random)
            }
            Event::Whistle => self.end_period(random),
        }
    }

    fn make_score(&mut self, side: usize, random: &mut Random) -> Step {
        let weights: Vec<f64> = self.rules.scores.iter().map(|way| way.weight).collect();
        let kind = random.weighted(&weights);
        let way = self.rules.scores[kind];
        let scored = self.score_of(side, kind);
        self.hold(random);
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

    /// Counts a score of this kind, with the points at once.
    pub(super) fn score_of(&mut self, side: usize, kind: usize) -> Scored {
        let way = self.rules.scores[kind];
        let scored = Scored { period: self.period, side, kind, second: self.record.second };
        self.record.scores.push(scored);
        self.record.add(side, way.points, self.at_s(), way.ways[0]);
        scored
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
        let goes_on = self.rules.running.is_some() || self.played_ms < self.length_ms(self.period);
        if goes_on { self.run(random) } else { self.end_period(random) }
    }

    fn end_period(&mut self, random: &mut Random) -> Step {
        let ended = self.period;
        let [home, away] = self.record.all();
        let goes_on = home == away && self.shape.overtime.is_some();
        if ended + 1 >= self.round().to && !goes_on {
            return self.end();
        }
        self.close_period();
        Step::after_s(between(random, self.break_after(ended).1))
    }

    /// A period is over, and another or a shoot-out follows.
    pub(super) fn close_period(&mut self) {
        self.record.finished += 1;
        self.period += 1;
        self.played_ms = 0;
        self.attacks = 0;
        self.held_until_ms = 0;
        self.phase = Phase::Break;
    }

    /// A kick of the shoot-out.
    fn kick(&mut self, shoot_out: ShootOut, random: &mut Random) -> Step {
        let [taken, scored] = self.count_kick(self.kicker, random.chance(shoot_out.kicks.chance));
        self.kicker = 1 - self.kicker;
        if shoot_out.kicks.is_decided(taken, scored) {
            return self.end();
        }
        self.phase = Phase::Kicked;
        Step::after_s(KICK_HELD_S)
    }

    /// Counts a kick; the kicks taken and scored.
    pub(super) fn count_kick(&mut self, side: usize, is_scored: bool) -> [[u8; 2]; 2] {
        let kicks = self.record.kicks.get_or_insert_default();
        kicks[0][side] += 1;
        kicks[1][side] += u8::from(is_scored);
        *kicks
    }

    /// The next kick is awaited.
    fn await_kick(&mut self) -> Step {
        self.phase = Phase::Kick;
        Step::after_s(KICK_OPEN_S)
    }

    pub(super) fn end(&mut self) -> Step {
        self.record.finished = self.record.periods.len();
        self.record.complete = true;
        self.phase = Phase::Over;
        Step::Over
    }

    /// Whether a part of the match that a market is about is still undecided; one of overtime only once it has begun.
    pub(super) fn is_open(&self, scope: Scope) -> bool {
        let has_begun = match scope {
            Scope::Part(part) if part.from >= self.regular() => {
                self.record.periods.len() > part.from || self.is_before_extra_time()
            }
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
        let (regular, overtime) = self.record.periods.split_at(self.regular().min(self.record.periods.len()));
        // The periods of a round of overtime are shown as one.
        let rounds = overtime.chunks(self.shape.overtime.map_or(1, |overtime| overtime.periods.0));
        let periods = regular.iter().copied().chain(rounds.map(record::sum)).map(|points| points.map(i64::from));
        let is_trying = self.rules.holds && self.phase == Phase::Trying;
        let is_on_hold = self.played_ms < self.held_until_ms;
        Board {
            status: self.status().into(),
            score: Some(self.score()),
            scores: periods.chain(kicked).collect(),
            clock: self.clock(),
            shoot_out: kicked.filter(|_| self.shoot_out().is_some_and(|shoot_out| !shoot_out.is_scored)),
            suspended: self.phase != Phase::Over
                && (self.is_held || is_trying || self.phase == Phase::Kicked || is_on_hold),
            over: self.phase == Phase::Over,
            yellow_cards: self.cards().map(|[yellow, _]| yellow),
            red_cards: self.cards().map(|[_, red]| red),
            corners: self.rules.counts.map(|_| self.record.all_corners().map(i64::from)),
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        if self.rules.has_facts { facts::of(self) } else { Vec::new() }
    }

    fn price(&self, book: &mut Book) {
        if self.phase != Phase::Over {
            offer::offer(self, &Outlook::new(self), book);
        }
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        question::right(&self.record, self.rules.data.question(kind)?, self.rules.data.spec(kind), line)
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
