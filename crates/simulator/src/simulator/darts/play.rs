//! A match of darts: its rules and record, its markets and their results. If a player gives up, open markets are void.

use super::maxima::Maxima;
use super::throws::{HIGH, LegChances, START, Throws, Visit, leg, throws};
use crate::catalogue::DARTS;
use crate::catalogue::questions::DartsQuestion as Kind;
use crate::pricing::book::{Book, Spread};
use crate::simulator::race::{Format, Standing, first_to, forecast, score_place};
use crate::simulator::random::Random;
use crate::simulator::settled::{odd_even, over, three_way, verdict, yes};
use crate::simulator::sport::{Ask, Board, Pairing, Play, Step, Verdict, side_number};
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
    format: Format,
    /// The player who begins the first leg.
    first: usize,
    players: [&'static Throws; 2],
    /// The probabilities of a whole leg, by the player who begins it.
    next: [LegChances; 2],
    maxima: Maxima,
}

/// A leg that was won.
#[derive(Clone, Copy, Debug)]
struct Leg {
    winner: usize,
    maxima: [usize; 2],
    checkout: u16,
}

/// A match of darts.
#[derive(Clone, Debug)]
pub(super) struct Darts {
    rules: Arc<Rules>,
    standing: Standing,
    left: [u16; 2],
    thrower: usize,
    /// 180s of the leg being played.
    maxima: [usize; 2],
    legs: Vec<Leg>,
    /// Player, points and points left of each visit.
    visits: Vec<[i32; 3]>,
    /// The legs of sets that were won.
    sets: Vec<[u8; 2]>,
    is_begun: bool,
    is_given_up: bool,
}

impl Darts {
    pub(super) fn new(pairing: Pairing, random: &mut Random) -> Darts {
        let format = FORMATS[pairing.tournament as usize % FORMATS.len()];
        let first = random.side(0.5);
        // Form of the day.
        let players = pairing.strengths.map(|strength| throws(strength * 0.8 + random.normal() * 0.4));
        let next = [0, 1].map(|starter| leg(players, [START; 2], starter));
        let maxima = Maxima::new(format, first, &next);
        Darts {
            rules: Arc::new(Rules { format, first, players, next, maxima }),
            standing: Standing::default(),
            left: [START; 2],
            thrower: first,
            maxima: [0; 2],
            legs: Vec::new(),
            visits: Vec::new(),
            sets: Vec::new(),
            is_begun: false,
            is_given_up: false,
        }
    }

    fn winner(&self) -> Option<usize> {
        self.standing.winner(self.rules.format)
    }

    fn win_leg(&mut self) {
        let winner = self.thrower;
        self.legs.push(Leg { winner, maxima: self.maxima, checkout: self.left[winner] });
        let mut legs = self.standing.legs;
        legs[winner] += 1;
        let sets = self.standing.sets;
        self.standing = self.standing.won_by(winner, self.rules.format);
        if self.standing.sets != sets {
            self.sets.push(legs);
        }
        self.maxima = [0; 2];
        self.left[winner] = 0;
        if self.winner().is_none() {
            self.left = [START; 2];
            self.thrower = self.standing.starter(self.rules.first);
        }
    }

    /// 180s of home and away in the match.
    fn all_maxima(&self) -> [usize; 2] {
        let sum = |side: usize| self.legs.iter().map(|leg| leg.maxima[side]).sum::<usize>() + self.maxima[side];
        [sum(0), sum(1)]
    }

    fn price_match(&self, book: &mut Book, now: &LegChances) {
        let (format, standing, first) = (self.rules.format, self.standing, self.rules.first);
        let next = [0, 1].map(|starter: usize| self.rules.next[starter].home());
        let home = now.home();
        let ahead = forecast(format, standing, first, home, next);
        book.two_way(Kind::Winner as u16, ahead.home());
        book.totals(Kind::Legs as u16, self.legs.len(), &ahead.legs, Spread::both(2));
        ahead.scores(book, Kind::Score as u16);
        let odd = self.legs.len() % 2;
        let odd: f64 = ahead.legs.iter().enumerate().filter(|(legs, _)| (legs + odd) % 2 == 1).map(|(_, p)| p).sum();
        book.two_way(Kind::OddEven as u16, odd);
        let decider = ahead.of_score(|score| score[0].min(score[1]));
        let needed = decider.get(usize::from(format.target()) - 1).copied().unwrap_or(0.0);
        book.two_way(Kind::Decider as u16, needed);
        if format.sets > 1 {
            let sets = ahead.of_score(|score| score[0] + score[1]);
            book.totals(Kind::Sets as u16, 0, &sets, Spread::both(2));
            ahead.handicaps(book, Kind::SetHandicap as u16, Spread::both(1));
            let set = first_to(format.legs, standing, first, home, next);
            book.only_line(Kind::Set as u16, self.sets.len(), &[set, 1.0 - set]);
        } else {
            ahead.handicaps(book, Kind::LegHandicap as u16, Spread::both(2));
            let lines = (2..format.legs).filter(|legs| standing.legs.iter().all(|won| won < legs));
            let lines = lines.map(|legs| (legs, first_to(legs, standing, first, home, next)));
            book.closest_balanced(Kind::FirstTo as u16, lines.map(|(legs, chance)| (usize::from(legs) - 1, chance)));
        }
        // The next leg, if there is one.
        let mut played = [0.0; 2];
        for (side, chance) in [(0, home), (1, 1.0 - home)] {
            let after = standing.won_by(side, format);
            if after.winner(format).is_none() {
                let home = next[after.starter(first)];
                played = [played[0] + chance * home, played[1] + chance * (1.0 - home)];
            }
        }
        let sum = played[0] + played[1];
        if sum > 0.0 {
            book.only_line(Kind::NextLeg as u16, self.legs.len() + 1, &played.map(|chance| chance / sum));
        }
    }

    fn price_leg(&self, book: &mut Book, now: &LegChances) {
        let leg = self.legs.len();
        let home = now.home();
        book.only_line(Kind::Leg as u16, leg, &[home, 1.0 - home]);
        if self.maxima == [0; 2] {
            book.only_line(Kind::MaximumInLeg as u16, leg, &[1.0 - now.no_180(), now.no_180()]);
        }
        book.only_line(Kind::Checkout as u16, leg, &[1.0 - now.high, now.high]);
        let to_come = self.rules.maxima.from(self.rules.format, self.standing, now);
        let [home, away] = self.all_maxima();
        book.totals(Kind::Maxima as u16, home + away, &to_come.total, Spread::both(1));
        book.single(Kind::MostMaxima as u16, &to_come.most(home as i64 - away as i64));
    }

    fn result(&self, place: u16, line: usize) -> Option<u16> {
        let format = self.rules.format;
        let is_final = self.winner().is_some();
        let score = self.standing.score(format);
        let [home, away] = score.map(i64::from);
        let played = self.legs.get(line);
        match DARTS.question(place)? {
            Kind::Winner => self.winner().map(|side| side as u16),
            Kind::Legs => over(self.legs.len(), line, is_final),
            Kind::LegHandicap | Kind::SetHandicap => {
                is_final.then_some(u16::from(home - away + DARTS.spec(place).given(line as u16) < 0))
            }
            Kind::Sets => over(self.sets.len(), line, is_final),
            Kind::Score => is_final.then_some(score_place(score)),
            Kind::Set => self.sets.get(line).map(|legs| u16::from(legs[1] > legs[0])),
            Kind::Leg | Kind::NextLeg => played.map(|leg| leg.winner as u16),
            Kind::MaximumInLeg => match played {
                Some(leg) => yes(leg.maxima != [0; 2], true),
                None => yes(line == self.legs.len() && self.maxima != [0; 2], false),
            },
            Kind::Checkout => played.map(|leg| u16::from(leg.checkout > HIGH)),
            Kind::Maxima => over(self.all_maxima().iter().sum(), line, is_final),
            Kind::MostMaxima => three_way(self.all_maxima()[0], self.all_maxima()[1], is_final),
            Kind::OddEven => odd_even(self.legs.len(), is_final),
            Kind::FirstTo => self.first_to(line + 1),
            Kind::Decider => yes(score.iter().all(|won| *won + 1 >= format.target()), is_final),
        }
    }

    fn first_to(&self, legs: usize) -> Option<u16> {
        let mut won = [0; 2];
        let mut winners = self.legs.iter().map(|leg| leg.winner);
        let first = winners.find(|winner| {
            won[*winner] += 1;
            won[*winner] == legs
        });
        first.map(|side| side as u16)
    }
}

impl Play for Darts {
    fn step(&mut self, random: &mut Random) -> Step {
        if self.board().over {
            return Step::Over;
        }
        if !self.is_begun {
            self.is_begun = true;
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
                let sets = self.sets.len();
                self.win_leg();
                let pause = if self.sets.len() > sets && self.winner().is_none() { 90.0 } else { 14.0 };
                if self.winner().is_some() { Step::Over } else { Step::after_s(pause + random.between(8.0, 16.0)) }
            }
        }
    }

    fn board(&self) -> Board {
        let format = self.rules.format;
        let is_over = self.is_given_up || self.winner().is_some();
        let (number, word) = if format.sets > 1 { (self.sets.len(), "set") } else { (self.legs.len(), "leg") };
        let mut scores: Vec<[i64; 2]> = Vec::new();
        if format.sets > 1 {
            scores.extend(self.sets.iter().map(|legs| legs.map(i64::from)));
            scores.extend((!is_over).then(|| self.standing.legs.map(i64::from)));
        }
        Board {
            status: if is_over { "ended".into() } else { format!("{word}_{}", number + 1).into() },
            score: Some(self.standing.score(format).map(i64::from)),
            scores,
            game: Some(self.left.map(|left| left.to_string().into())),
            serving: (!is_over).then_some(self.thrower),
            over: is_over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        Fact::of_records(Topic::Visits, self.visits.iter().copied()).into_iter().collect()
    }

    fn price(&self, book: &mut Book) {
        if self.is_given_up || self.winner().is_some() {
            return;
        }
        let now = leg(self.rules.players, self.left, self.thrower);
        self.price_match(book, &now);
        self.price_leg(book, &now);
    }

    fn verdict(&self, ask: Ask) -> Verdict {
        verdict(self.result(ask.kind, usize::from(ask.line)), ask.answer)
    }

    fn retire(&mut self, _: usize) {
        self.is_given_up = true;
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}
