//! A match of darts: its rules and record, the markets that only darts has, and their results.

use super::maxima::Maxima;
use super::throws::{HIGH, LegChances, START, Throws, Visit, leg, throws};
use crate::catalogue::DARTS;
use crate::catalogue::questions::SetsQuestion;
use crate::pricing::book::{Book, Spread};
use crate::simulator::random::Random;
use crate::simulator::sets::legs::{Format, Legs, ToCome};
use crate::simulator::settled::{over, sign, yes};
use crate::simulator::sport::{Board, Pairing, Play, Step, side_number};
use kvota_domain::facts::{Fact, Topic};
use std::sync::Arc;

/// By tournament.
const FORMATS: [Format; 4] = [
    Format { sets: 1, legs: 6 },
    Format { sets: 1, legs: 7 },
    Format { sets: 1, legs: 10 },
    Format { sets: 3, legs: 3 },
];

/// What stays the same in a match.
#[derive(Debug)]
struct Rules {
    players: [&'static Throws; 2],
    /// 180s in the legs that follow.
    maxima: ToCome<Maxima>,
}

/// A leg that was won.
#[derive(Clone, Copy, Debug)]
struct Leg {
    maxima: [usize; 2],
    checkout: u16,
}

/// A match of darts.
#[derive(Clone, Debug)]
pub(super) struct Darts {
    rules: Arc<Rules>,
    /// Sets and legs.
    score: Legs,
    left: [u16; 2],
    thrower: usize,
    /// 180s of the leg being played.
    maxima: [usize; 2],
    legs: Vec<Leg>,
    /// Player, points and points left of each visit.
    visits: Vec<[i32; 3]>,
}

impl Darts {
    pub(super) fn new(pairing: Pairing, random: &mut Random) -> Darts {
        let format = FORMATS[pairing.tournament as usize % FORMATS.len()];
        let first = random.side(0.5);
        // Form of the day.
        let players = pairing.strengths.map(|strength| throws(strength * 0.8 + random.normal() * 0.4));
        let next = [0, 1].map(|starter| leg(players, [START; 2], starter));
        let score = Legs::new(&DARTS, format, first, [next[0].home(), next[1].home()]);
        let maxima = ToCome::new(format, first, Maxima::none(), |starter, after| Maxima::from(after, &next[starter]));
        Darts {
            rules: Arc::new(Rules { players, maxima }),
            score,
            left: [START; 2],
            thrower: first,
            maxima: [0; 2],
            legs: Vec::new(),
            visits: Vec::new(),
        }
    }

    /// The running leg is won; whether a set is won with it.
    fn win_leg(&mut self) -> bool {
        let winner = self.thrower;
        self.legs.push(Leg { maxima: self.maxima, checkout: self.left[winner] });
        let is_set = self.score.win(winner);
        self.maxima = [0; 2];
        self.left[winner] = 0;
        if self.score.winner().is_none() {
            self.left = [START; 2];
            self.thrower = self.score.starter();
        }
        is_set
    }

    /// 180s of home and away in the match.
    fn all_maxima(&self) -> [usize; 2] {
        let sum = |side: usize| self.legs.iter().map(|leg| leg.maxima[side]).sum::<usize>() + self.maxima[side];
        [sum(0), sum(1)]
    }

    fn price_leg(&self, book: &mut Book, now: &LegChances) {
        let leg = self.legs.len();
        if self.maxima == [0; 2] {
            book.line(DARTS.kind(SetsQuestion::MaximumInLeg), leg, &[1.0 - now.no_180(), now.no_180()]);
        }
        book.line(DARTS.kind(SetsQuestion::Checkout), leg, &[1.0 - now.high, now.high]);
        let to_come = Maxima::from(self.rules.maxima.after(self.score.standing()), now);
        let [home, away] = self.all_maxima();
        book.totals(DARTS.kind(SetsQuestion::Maxima), home + away, &to_come.total, Spread::both(1));
        book.single(DARTS.kind(SetsQuestion::MostMaxima), &to_come.most(home as i64 - away as i64));
    }

    fn result(&self, kind: u16, line: u16) -> Option<usize> {
        let is_final = self.score.winner().is_some();
        let (number, [home, away]) = (usize::from(line), self.all_maxima());
        let played = self.legs.get(number);
        match DARTS.question(kind)? {
            SetsQuestion::MaximumInLeg => match played {
                Some(leg) => yes(leg.maxima != [0; 2], true),
                None => yes(number == self.legs.len() && self.maxima != [0; 2], false),
            },
            SetsQuestion::Checkout => played.map(|leg| usize::from(leg.checkout > HIGH)),
            SetsQuestion::Maxima => over(home + away, line, is_final),
            SetsQuestion::MostMaxima => is_final.then(|| sign(home as i64 - away as i64)),
            _ => self.score.record.right(&DARTS, kind, line),
        }
    }
}

impl Play for Darts {
    fn step(&mut self, random: &mut Random) -> Step {
        if self.score.record.is_over {
            return Step::Over;
        }
        if !self.score.record.is_begun {
            self.score.record.is_begun = true;
            return Step::after_s(random.between(10.0, 15.0));
        }
        let from = self.left[self.thrower];
        let visit = self.rules.players[self.thrower].draw(from, random);
        let rest = if let Visit::Left(rest) = visit { rest } else { 0 };
        self.visits.push([side_number(self.thrower), i32::from(from - rest), i32::from(rest)]);
        match visit {
            Visit::Left(rest) => {
                self.maxima[self.thrower] += usize::from(from - rest == 180);
                self.left[self.thrower] = rest;
                self.thrower = 1 - self.thrower;
                Step::after_s(random.between(10.0, 15.0))
            }
            Visit::Checkout => {
                let is_set = self.win_leg();
                let pause = if is_set && self.score.winner().is_none() { 90.0 } else { 14.0 };
                if self.score.winner().is_some() {
                    Step::Over
                } else {
                    Step::after_s(pause + random.between(8.0, 16.0))
                }
            }
        }
    }

    fn board(&self) -> Board {
        let record = &self.score.record;
        let has_sets = self.score.format.sets > 1;
        let (number, word) = if has_sets { (record.finished(), "set") } else { (self.legs.len(), "leg") };
        let scores = if has_sets { &record.scores[..] } else { &[] };
        Board {
            status: if record.is_over { "ended".into() } else { format!("{word}_{}", number + 1).into() },
            score: Some(record.score().map(i64::from)),
            scores: scores.iter().map(|legs| legs.map(i64::from)).collect(),
            game: Some(self.left.map(|left| left.to_string().into())),
            serving: (!record.is_over).then_some(self.thrower),
            over: record.is_over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        Fact::of_records(Topic::Visits, self.visits.iter().copied()).into_iter().collect()
    }

    fn price(&self, book: &mut Book) {
        if self.score.record.is_over {
            return;
        }
        let now = leg(self.rules.players, self.left, self.thrower);
        self.score.price(book, now.home());
        self.price_leg(book, &now);
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        self.result(kind, line)
    }

    fn retire(&mut self, side: usize) {
        self.score.record.retire(side);
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}
