//! Matches of legs or frames, which the players begin in turn: darts and snooker. A leg depends only on which player
//! begins it. Must not know what a leg is.

use super::markets::Prospects;
use super::other;
use super::race::{Order, Race, RaceOutlook};
use super::record::Record;
use super::tree::{SetEnd, Tree};
use crate::catalogue::SportData;
use crate::catalogue::questions::SetsQuestion;
use crate::pricing::book::Book;
use std::sync::Arc;

/// How a match is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The number of sets to win; 1 if there are no sets.
    pub sets: u8,
    /// The number of legs to win a set.
    pub legs: u8,
}

/// The score of a match, at which a leg begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Sets won, home and away.
    pub sets: [u8; 2],
    /// Legs won in the set being played.
    pub legs: [u8; 2],
}

impl Format {
    /// A set.
    pub fn race(self) -> Race {
        Race { to: self.legs, cap: Some(self.legs), order: Order::Turns }
    }

    /// After another leg, won by a side; `None` if that ends the match.
    fn after(self, standing: Standing, side: usize) -> Option<Standing> {
        let Standing { mut sets, mut legs } = standing;
        legs[side] += 1;
        if legs[side] < self.legs {
            return Some(Standing { sets, legs });
        }
        sets[side] += 1;
        (sets[side] < self.sets).then_some(Standing { sets, legs: [0, 0] })
    }

    /// The player who begins the leg at a score, if `first` began the first one. Players begin legs of a set in turn,
    /// and also the first legs of sets.
    fn starter(self, standing: Standing, first: usize) -> usize {
        let won = standing.sets.iter().chain(&standing.legs).map(|won| usize::from(*won));
        (first + won.sum::<usize>()) % 2
    }
}

/// A value of what is still to come at each score, worked out from the end. Computed once a match.
#[derive(Debug)]
pub struct ToCome<T> {
    format: Format,
    end: T,
    values: Vec<T>,
}

impl<T: Clone> ToCome<T> {
    /// From the value at the end; `before` gives the value at the begin of a leg from the player who begins it and the
    /// values after it, if home or away wins it.
    pub fn new(format: Format, first: usize, end: T, before: impl Fn(usize, [&T; 2]) -> T) -> ToCome<T> {
        let states = usize::from(format.sets).pow(2) * usize::from(format.legs).pow(2);
        let mut to_come = ToCome { format, values: vec![end.clone(); states], end };
        let scores = |to: u8| (0..to).rev().flat_map(move |home| (0..to).rev().map(move |away| [home, away]));
        for sets in scores(format.sets) {
            for legs in scores(format.legs) {
                let standing = Standing { sets, legs };
                let value = before(format.starter(standing, first), to_come.after(standing));
                let place = to_come.place(standing);
                to_come.values[place] = value;
            }
        }
        to_come
    }

    /// The values after the leg at this score, if home or away wins it.
    pub fn after(&self, standing: Standing) -> [&T; 2] {
        [0, 1].map(|side| self.format.after(standing, side).map_or(&self.end, |after| &self.values[self.place(after)]))
    }

    fn place(&self, Standing { sets, legs }: Standing) -> usize {
        let (of_sets, of_legs) = (usize::from(self.format.sets), usize::from(self.format.legs));
        let [home, away] = sets.map(usize::from);
        let [own, other] = legs.map(usize::from);
        ((home * of_sets + away) * of_legs + own) * of_legs + other
    }
}

/// A match of legs.
#[derive(Clone, Debug)]
pub struct Legs {
    /// The score, and the winners of legs.
    pub record: Record,
    /// How it is won.
    pub format: Format,
    prospects: Arc<Prospects>,
    data: &'static SportData<SetsQuestion>,
    /// The player who begins the first leg.
    first: usize,
    /// The chance that home wins a leg, by the player who begins it.
    next: [f64; 2],
}

impl Legs {
    /// Nothing played.
    pub fn new(data: &'static SportData<SetsQuestion>, format: Format, first: usize, next: [f64; 2]) -> Legs {
        let fresh = || {
            [0, 1].map(|first| {
                let outlook = format.race().outlook(|_, starter| next[starter], [0; 2], first, first);
                ends(outlook, first).ends
            })
        };
        let tree = Tree::new(format.sets, false, [fresh(), fresh()]);
        let prospects = Arc::new(Prospects::new(data, tree, 2..format.legs));
        Legs { record: Record::new(format.sets, [format.race(); 2]), format, prospects, data, first, next }
    }

    /// The score at which the running leg began.
    pub fn standing(&self) -> Standing {
        Standing { sets: self.record.sets, legs: self.record.running() }
    }

    /// The winner, if all was played.
    pub fn winner(&self) -> Option<usize> {
        self.record.is_complete().then(|| usize::from(self.record.sets[1] > self.record.sets[0]))
    }

    /// The player who begins the running leg.
    pub fn starter(&self) -> usize {
        self.format.starter(self.standing(), self.first)
    }

    /// The running leg is won; whether a set is won with it.
    pub fn win(&mut self, side: usize) -> bool {
        let is_won = self.record.point(side);
        if is_won {
            self.record.win_set(side);
        }
        is_won
    }

    /// Prices all that depends on legs alone; home wins the running one with the chance `now`.
    pub fn price(&self, book: &mut Book, now: f64) {
        let (score, first) = (self.record.running(), (self.first + self.record.finished()) % 2);
        let chance = |legs: [u8; 2], starter: usize| if legs == score { now } else { self.next[starter] };
        let running = ends(self.format.race().outlook(chance, score, first, self.starter()), first);
        self.prospects.price(book, &self.record, &running);
        let played = self.record.played();
        book.line(self.data.kind(SetsQuestion::Leg), played, &[now, 1.0 - now]);
        // The next leg, if there is one.
        let mut home_wins = [0.0; 2];
        for (side, chance) in [(0, now), (1, 1.0 - now)] {
            if let Some(after) = self.format.after(self.standing(), side) {
                let home = self.next[self.format.starter(after, self.first)];
                home_wins = [home_wins[0] + chance * home, home_wins[1] + chance * (1.0 - home)];
            }
        }
        let sum = home_wins[0] + home_wins[1];
        if sum > 0.0 {
            book.line(self.data.kind(SetsQuestion::NextLeg), played + 1, &home_wins.map(|chance| chance / sum));
        }
    }
}

/// A set that `first` began: the other player begins the next one.
fn ends(mut outlook: RaceOutlook, first: usize) -> RaceOutlook {
    let home_first = if other(first) == 0 { 1.0 } else { 0.0 };
    outlook.ends.iter_mut().for_each(|end: &mut SetEnd| end.home_first = home_first);
    outlook
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::DARTS;

    fn played(format: Format, winners: &[usize]) -> Legs {
        let mut legs = Legs::new(&DARTS, format, 0, [0.6, 0.4]);
        for winner in winners {
            legs.win(*winner);
        }
        legs
    }

    #[test]
    fn legs_and_sets_are_begun_in_turns() {
        let format = Format { sets: 2, legs: 2 };
        let starters =
            [&[][..], &[0], &[0, 0], &[0, 0, 1], &[0, 1], &[0, 1, 0]].map(|won| played(format, won).starter());
        assert_eq!(starters, [0, 1, 1, 0, 0, 1]);
        assert_eq!(played(format, &[0, 0, 1, 1, 0, 0]).winner(), Some(0));
        assert_eq!(played(format, &[0, 0, 1, 1, 0]).winner(), None);
    }

    #[test]
    fn what_is_to_come_is_worked_out_from_the_end() {
        // The number of legs to come if home wins all of them.
        let format = Format { sets: 2, legs: 3 };
        let to_come = ToCome::new(format, 0, 0, |_, [after, _]| after + 1);
        assert_eq!(to_come.after(Standing::default())[0], &5);
        assert_eq!(to_come.after(Standing { sets: [1, 1], legs: [2, 0] }), [&0, &1]);
    }
}
