//! A match of snooker: its rules and its record. If a player gives up, all open markets are void.

use super::breaks::{Breaks, COLOURS, On, STAGES, after_pot, breaks, remaining, skill, worth};
use super::frame_chances::{BLACK, Chances, FIFTY, FrameChances, HUNDRED, frame_chances, is_over};
use super::markets;
use crate::catalogue::SNOOKER;
use crate::pricing::book::Book;
use crate::simulator::random::Random;
use crate::simulator::sets::legs::{Format, Legs, ToCome};
use crate::simulator::sport::{Board, Pairing, Play, Step, side_number};
use kvota_domain::facts::{Fact, Topic};
use std::sync::Arc;

/// Frames that win a match, by tournament: best of seven to best of nineteen.
const FRAMES: [u8; 7] = [4, 4, 5, 5, 6, 9, 10];

/// A break of which the tracker shows the points.
const BREAK_SHOWN: u8 = 20;

/// What stays the same in a match.
#[derive(Debug)]
pub(super) struct Rules {
    pub chances: &'static FrameChances,
    players: [&'static Breaks; 2],
    /// The chance that no break of a hundred is made in the frames that follow.
    pub no_hundred: ToCome<f64>,
}

/// A frame: one that was won, or the one being played.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    pub points: [u16; 2],
    /// The first player to make a break of fifty.
    pub fifty: Option<usize>,
    pub is_hundred: bool,
}

/// A match of snooker.
#[derive(Clone, Debug)]
pub(super) struct Snooker {
    pub rules: Arc<Rules>,
    /// Frames.
    pub score: Legs,
    /// Frames that were won.
    pub frames: Vec<Frame>,
    pub frame: Frame,
    pub on: On,
    /// The player at the table.
    pub side: usize,
    /// The break being made, and its balls.
    pub made: u8,
    balls: Vec<u8>,
    /// Frame, player and points of each break that the tracker shows.
    breaks: Vec<[i32; 3]>,
}

impl Snooker {
    pub(super) fn new(pairing: Pairing, random: &mut Random) -> Snooker {
        let legs = FRAMES[pairing.tournament as usize % FRAMES.len()];
        let format = Format { sets: 1, legs };
        let first = random.side(0.5);
        // Form of the day.
        let skills = pairing.strengths.map(|strength| skill(strength * 0.7 + random.normal() * 0.4));
        let chances = frame_chances(skills);
        // Breaking off pots nothing: the other is first at the open table.
        let next: [Chances; 2] = [0, 1].map(|starter: usize| chances.now(On::First(STAGES - 1), 1 - starter, 0, 0));
        let score = Legs::new(&SNOOKER, format, first, [next[0].home, next[1].home]);
        let no_hundred = ToCome::new(format, first, 1.0, |starter, after| markets::no_hundred(after, &next[starter]));
        let rules = Rules { chances, players: skills.map(breaks), no_hundred };
        Snooker {
            rules: Arc::new(rules),
            score,
            frames: Vec::new(),
            frame: Frame::default(),
            on: On::First(STAGES - 1),
            side: 1 - first,
            made: 0,
            balls: Vec::new(),
            breaks: Vec::new(),
        }
    }

    /// How far home is ahead in the frame.
    pub(super) fn ahead(&self) -> i64 {
        i64::from(self.frame.points[0]) - i64::from(self.frame.points[1])
    }

    fn pot_for(&mut self, points: u8) {
        self.frame.points[self.side] += u16::from(points);
        self.made += points;
        self.balls.push(points);
        if self.made >= FIFTY && self.frame.fifty.is_none() {
            self.frame.fifty = Some(self.side);
        }
        self.frame.is_hundred |= self.made >= HUNDRED;
    }

    /// A ball is potted; whether the table is empty then.
    fn pot(&mut self, random: &mut Random) -> bool {
        match self.on {
            On::Colour(stage) => {
                let weights = COLOURS.map(|(_, chance)| chance);
                self.pot_for(COLOURS[random.weighted(&weights)].0);
                self.on = On::Ball(stage);
            }
            On::First(stage) | On::Ball(stage) => {
                self.pot_for(worth(stage));
                self.on = after_pot(stage);
            }
        }
        self.on == On::Ball(0)
    }

    /// The visit is over: the frame too, or the other comes to the table.
    fn end_visit(&mut self, random: &mut Random) -> f64 {
        let stage = self.stage();
        self.end_break();
        let ahead = self.ahead();
        if is_over(stage, ahead) {
            return self.win_frame(usize::from(ahead < 0));
        }
        self.on = On::First(stage);
        // Level with nothing left: the black is put on its spot, and lots are drawn.
        self.side = if stage == 0 { random.side(0.5) } else { 1 - self.side };
        random.between(24.0, 50.0)
    }

    fn stage(&self) -> usize {
        let (On::First(stage) | On::Ball(stage) | On::Colour(stage)) = self.on;
        stage
    }

    fn end_break(&mut self) {
        if self.made >= BREAK_SHOWN {
            self.breaks.push([self.frames.len() as i32 + 1, side_number(self.side), i32::from(self.made)]);
        }
        self.made = 0;
        self.balls.clear();
    }

    fn win_frame(&mut self, winner: usize) -> f64 {
        self.frames.push(self.frame);
        self.score.win(winner);
        if self.score.winner().is_none() {
            self.frame = Frame::default();
            self.on = On::First(STAGES - 1);
            self.side = 1 - self.score.starter();
        }
        // The balls are put up and the other breaks off; after every fourth frame there is an interval.
        if self.frames.len().is_multiple_of(4) { 420.0 } else { 150.0 }
    }

    fn shoot(&mut self, random: &mut Random) -> f64 {
        if self.on == On::First(0) {
            let pots = random.chance(BLACK);
            return if pots {
                self.pot_for(7);
                self.end_break();
                self.win_frame(self.side)
            } else {
                self.side = 1 - self.side;
                random.between(25.0, 60.0)
            };
        }
        let is_first = matches!(self.on, On::First(_));
        let is_potted = random.chance(self.rules.players[self.side].pots(self.on));
        match (is_potted, is_first) {
            (true, _) if self.pot(random) => self.end_visit(random),
            (true, _) => random.between(15.0, 27.0),
            (false, true) => {
                self.side = 1 - self.side;
                random.between(28.0, 60.0)
            }
            (false, false) => self.end_visit(random),
        }
    }
}

impl Play for Snooker {
    fn step(&mut self, random: &mut Random) -> Step {
        if self.score.record.is_over {
            return Step::Over;
        }
        if !self.score.record.is_begun {
            self.score.record.is_begun = true;
            return Step::after_s(random.between(20.0, 40.0));
        }
        let seconds = self.shoot(random);
        if self.score.record.is_over { Step::Over } else { Step::after_s(seconds) }
    }

    fn board(&self) -> Board {
        let is_over = self.score.record.is_over;
        let frames = self.frames.iter().map(|frame| frame.points.map(i64::from));
        let running = (!is_over).then(|| self.frame.points.map(i64::from));
        Board {
            status: if is_over { "ended".into() } else { format!("frame_{}", self.frames.len() + 1).into() },
            score: Some(self.score.record.score().map(i64::from)),
            scores: frames.chain(running).collect(),
            game: Some(self.frame.points.map(|points| points.to_string().into())),
            serving: (!is_over).then_some(self.side),
            over: is_over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let stage = self.stage();
        // A colour may follow the red that was just potted.
        let colour = if matches!(self.on, On::Colour(_)) { 7 } else { 0 };
        let on_table = [remaining(stage) as i32 + colour, stage.saturating_sub(6) as i32, side_number(self.side)];
        let numbers = on_table.into_iter().chain(self.balls.iter().map(|ball| i32::from(*ball))).collect();
        let table = self.score.winner().is_none().then_some(Fact { topic: Topic::Table, numbers });
        table.into_iter().chain(Fact::of_records(Topic::Breaks, self.breaks.iter().copied())).collect()
    }

    fn price(&self, book: &mut Book) {
        if !self.score.record.is_over {
            markets::price(self, book);
        }
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        markets::right(self, kind, line)
    }

    fn retire(&mut self, side: usize) {
        self.score.record.retire(side);
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}
