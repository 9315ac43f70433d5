//! The rules and habits of a sport of points and sets, as data, and the probabilities of a match that follow from them.
//! Read by [`super::play`]; must not draw a random number.

use super::super::sets::markets::Prospects;
use super::super::sets::other;
use super::super::sets::race::{Race, RaceOutlook};
use super::super::sets::tree::Tree;
use super::super::sport::Pairing;
use crate::catalogue::SportData;
use crate::catalogue::questions::SetsQuestion;
use crate::pricing::maths::{ln, logistic};
use std::sync::LazyLock;

/// A sport's rules.
#[derive(Debug)]
pub struct Rules {
    /// The file of the sport.
    pub data: &'static LazyLock<SportData<SetsQuestion>>,
    /// How many sets win: one of these, by tournament.
    pub needs: &'static [u8],
    /// A set.
    pub set: Race,
    /// The last possible set.
    pub last: Race,
    /// The side that serves first in a set.
    pub first: First,
    /// How likely a server wins the point against an equal.
    pub serve: f64,
    /// How much the log-odds of a point move for each step of strength between the sides.
    pub edge: f64,
    /// How long things take.
    pub pace: Pace,
    /// The numbers of points for the markets "first to", in a set.
    pub firsts: &'static [u8],
}

/// The side that serves first in a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// Each in turn.
    InTurn,
    /// Each in turn, but for the last possible set, of which a coin decides.
    InTurnThenCoin,
    /// The winner of the former set.
    Winner,
}

/// How long things take, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// From the end of a point to the next serve, at least and at most.
    pub between_s: (f64, f64),
    /// A rally, on average.
    pub rally_s: f64,
    /// Between two sets.
    pub break_s: f64,
    /// The number of points between breaks (change of ends, towel), in a set and in the last possible set. 0 means
    /// never …
    pub every: (u16, u16),
    /// … and how long it takes.
    pub every_s: f64,
    /// There is a break when the first side reaches this number of points. 0 means never …
    pub rest_at: u8,
    /// … and how long it takes.
    pub rest_s: f64,
    /// How likely a timeout is taken after a point, and how long it takes.
    pub timeout: (f64, f64),
    /// The probability of a medical break after a point.
    pub treated: f64,
}

impl Rules {
    /// How many sets win in a tournament.
    pub fn need(&self, tournament: u64) -> u8 {
        let at = (tournament >> 8) as usize % self.needs.len().max(1);
        self.needs.get(at).copied().unwrap_or(2)
    }

    /// The probability that home wins a point, by server.
    pub fn chances(&self, pairing: &Pairing) -> [f64; 2] {
        let serve = ln(self.serve / (1.0 - self.serve));
        let apart = self.edge * (pairing.strengths[0] - pairing.strengths[1]);
        [logistic(apart + serve), logistic(apart - serve)]
    }

    /// The first server of a set, if no coin decides. `winner` won the former set, and `first` served first in it.
    pub fn next_first(&self, first: usize, winner: usize) -> usize {
        match self.first {
            First::InTurn | First::InTurnThenCoin => other(first),
            First::Winner => winner,
        }
    }

    /// Whether a coin decides the first server of the last possible set.
    pub fn is_tossed(&self) -> bool {
        self.first == First::InTurnThenCoin
    }

    /// The probabilities of a set in which `first` served first, from a score, with the first server of the next set.
    pub fn outlook(&self, race: Race, home: [f64; 2], from: [u8; 2], first: usize, server: usize) -> RaceOutlook {
        let mut outlook = race.outlook(|_, server| home[server], from, first, server);
        for end in &mut outlook.ends {
            end.home_first = if self.next_first(first, end.winner()) == 0 { 1.0 } else { 0.0 };
        }
        outlook
    }

    /// The probabilities of a match's sets, from home's probabilities of a point.
    pub fn prospects(&self, need: u8, home: [f64; 2]) -> Prospects {
        let fresh = |race: Race| [0, 1].map(|first| self.outlook(race, home, [0; 2], first, first).ends);
        let tree = Tree::new(need, self.is_tossed(), [fresh(self.set), fresh(self.last)]);
        Prospects::new(self.data, tree, self.firsts.iter().copied())
    }
}
