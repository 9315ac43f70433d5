//! The record of a match of sets, and the answers that it decides. Kept by plays. Must not decide more than the play so
//! far, because a match may be given up or abandoned at any moment.
//!
//! If a side gives up, the other wins the match, provided that a set has been finished; otherwise the winner is void.
//! All other undecided markets are void.

use super::kinds::{in_match, in_set};
use super::other;
use crate::pricing::kind::KindSpec;
use crate::simulator::sport::side_number;
use kvota_domain::matches::Pair;

/// The winners of points of sets as facts show them, with a 0 between two sets.
pub fn by_set(sets: &[impl AsRef<[u8]>]) -> impl Iterator<Item = [i32; 1]> {
    sets.iter().enumerate().flat_map(|(at, set)| {
        let cut = (at > 0).then_some([0]);
        cut.into_iter().chain(set.as_ref().iter().map(|winner| [side_number(usize::from(*winner))]))
    })
}

/// A match so far.
#[derive(Clone, Debug)]
pub struct Record {
    /// How many sets win.
    pub need: u8,
    /// The sets won by home and away.
    pub sets: [u8; 2],
    /// The scores of the finished sets and, last, of the running one.
    pub scores: Vec<[u8; 2]>,
    /// It has begun.
    pub is_begun: bool,
    /// It is over, however it came to that.
    pub is_over: bool,
    /// The side that gave up.
    pub retired: Option<usize>,
}

impl Record {
    /// Nothing played.
    pub fn new(need: u8) -> Record {
        Record { need, sets: [0; 2], scores: vec![[0; 2]], is_begun: false, is_over: false, retired: None }
    }

    /// The number of finished sets, which is the index of the current one.
    pub fn finished(&self) -> usize {
        usize::from(self.sets[0]) + usize::from(self.sets[1])
    }

    /// The score of the running set.
    pub fn running(&self) -> [u8; 2] {
        self.scores.get(self.finished()).copied().unwrap_or_default()
    }

    /// Whether the running set is the last possible one.
    pub fn is_last(&self) -> bool {
        self.sets == [self.need - 1; 2]
    }

    /// Points or games of the finished sets.
    pub fn counted(&self) -> [u16; 2] {
        let finished = self.scores.iter().take(self.finished());
        finished.fold([0; 2], |[home, away], [h, a]| [home + u16::from(*h), away + u16::from(*a)])
    }

    /// Adds a point or game in the current set.
    pub fn score(&mut self, side: usize) {
        if let Some(running) = self.scores.last_mut() {
            running[side] = running[side].saturating_add(1);
        }
    }

    /// The running set is won; whether that ends the match.
    pub fn win_set(&mut self, side: usize) -> bool {
        self.sets[side] += 1;
        self.is_over = self.sets[side] >= self.need;
        if !self.is_over {
            self.scores.push([0; 2]);
        }
        self.is_over
    }

    /// A side gives up.
    pub fn retire(&mut self, side: usize) {
        if !self.is_over {
            self.is_over = true;
            self.retired = Some(side);
        }
    }

    /// The status people see.
    pub fn status(&self) -> &'static str {
        const STATUSES: [&str; 7] = ["set_1", "set_2", "set_3", "set_4", "set_5", "set_6", "set_7"];
        match self.is_over {
            true => "ended",
            false => STATUSES.get(self.finished()).copied().unwrap_or("set_7"),
        }
    }

    /// The sets' scores as people see them.
    pub fn shown(&self) -> Vec<Pair> {
        let begun = if self.is_begun { self.scores.as_slice() } else { &[] };
        begun.iter().map(|score| score.map(i64::from)).collect()
    }

    /// All sets that it needs were played.
    pub fn is_complete(&self) -> bool {
        self.sets[0].max(self.sets[1]) >= self.need
    }

    /// The score of a set that is finished.
    pub fn set(&self, set: usize) -> Option<[u8; 2]> {
        self.scores.get(set).copied().filter(|_| set < self.finished())
    }

    /// The winning answer of a common kind about the match; `None` if it is not decided. `fewest` is the minimum number
    /// of points or games of the current set.
    pub fn of_match(&self, spec: &KindSpec, kind: u16, line: u16, fewest: u16) -> Option<u16> {
        let complete = self.is_complete();
        let winner = complete.then(|| side(self.sets[0] > self.sets[1]));
        let [home, away] = self.counted();
        match kind {
            in_match::WINNER => match self.retired {
                Some(retired) if self.finished() > 0 => Some(other(retired) as u16),
                Some(_) => None,
                None => winner,
            },
            in_match::SET_SCORE => complete.then(|| set_score_place(self.need, self.sets)),
            in_match::SETS => {
                let fewest = self.finished() + usize::from(self.need - self.sets[0].max(self.sets[1]));
                let fewest = if complete { self.finished() } else { fewest };
                over_under(line, fewest as u16, complete || fewest as u8 == 2 * self.need - 1)
            }
            in_match::SET_HANDICAP => {
                complete.then(|| handicap(i64::from(self.sets[0]) - i64::from(self.sets[1]), line, spec))
            }
            in_match::TOTAL => {
                let left = if complete { 0 } else { fewest };
                over_under(spec.whole(line), home + away + left, complete)
            }
            in_match::HANDICAP => complete.then(|| handicap(i64::from(home) - i64::from(away), line, spec)),
            in_match::ODD_EVEN => complete.then(|| odd_even(home + away)),
            in_match::HOME_SET => (self.sets[0] > 0).then_some(0).or(complete.then_some(1)),
            in_match::AWAY_SET => (self.sets[1] > 0).then_some(0).or(complete.then_some(1)),
            in_match::FIRST_AND_MATCH => {
                let first = self.set(0).map(|[home, away]| side(home > away))?;
                winner.map(|winner| first * 2 + winner)
            }
            in_match::EXACT_SETS => complete.then(|| self.finished() as u16 - 2),
            _ => None,
        }
    }

    /// The same of those about a set. `fewest` is how many points or games it has at least.
    pub fn of_set(&self, spec: &KindSpec, set: usize, kind: u16, line: u16, fewest: u16) -> Option<u16> {
        let finished = self.set(set);
        match kind {
            in_set::WINNER => finished.map(|[home, away]| side(home > away)),
            in_set::TOTAL => {
                let least = finished.map_or(fewest, |[home, away]| u16::from(home) + u16::from(away));
                over_under(spec.whole(line), least, finished.is_some())
            }
            in_set::HANDICAP => finished.map(|[home, away]| handicap(i64::from(home) - i64::from(away), line, spec)),
            in_set::ODD_EVEN => finished.map(|[home, away]| odd_even(u16::from(home) + u16::from(away))),
            _ => None,
        }
    }
}

/// 0 where home is meant, 1 where away is.
fn side(is_home: bool) -> u16 {
    u16::from(!is_home)
}

/// Under (0) or over (1) `line` and a half, of a count that is `least` or more, or that exactly.
pub fn over_under(line: u16, least: u16, is_exact: bool) -> Option<u16> {
    if least > line { Some(1) } else { is_exact.then_some(0) }
}

/// The side that is ahead with the handicap of a line.
fn handicap(ahead: i64, line: u16, spec: &KindSpec) -> u16 {
    side(ahead + spec.given(line) >= 0)
}

/// Odd (0) or even (1).
pub fn odd_even(count: u16) -> u16 {
    u16::from(count.is_multiple_of(2))
}

/// The answer's index of a final score in sets: first the scores of matches to two sets, then to three, then to four.
pub fn set_score_place(need: u8, [home, away]: [u8; 2]) -> u16 {
    let (need, first) = (u16::from(need), u16::from(need) * (u16::from(need) - 1) - 2);
    if home > away { first + u16::from(away) } else { first + 2 * need - 1 - u16::from(home) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::kind::{Answers, Line};

    /// Totals from 12.5 and 30 handicaps.
    fn of_match(record: &Record, kind: u16, line: u16, fewest: u16) -> Option<u16> {
        let rule = if kind == in_match::TOTAL { Line::Half(12) } else { Line::None };
        record.of_match(&KindSpec::of(1, Answers::UnderOver, rule, 30), kind, line, fewest)
    }

    fn record(sets: [u8; 2], scores: &[[u8; 2]]) -> Record {
        Record { sets, scores: scores.to_vec(), is_begun: true, ..Record::new(2) }
    }

    #[test]
    fn what_was_played_decides_and_nothing_else() {
        let mut running = record([1, 0], &[[6, 4], [3, 5]]);
        let ask = |record: &Record, kind, line| of_match(record, kind, line, 10);
        assert_eq!(ask(&running, in_match::WINNER, 0), None);
        assert_eq!(ask(&running, in_match::HOME_SET, 0), Some(0));
        assert_eq!(ask(&running, in_match::TOTAL, 7), Some(1), "ten and ten are more than 19.5");
        assert_eq!(ask(&running, in_match::TOTAL, 8), None, "20.5");
        assert_eq!(ask(&running, in_match::SETS, 1), Some(1), "two sets at least");
        assert_eq!(ask(&running, in_match::SETS, 2), None);
        assert_eq!(
            running.of_set(&KindSpec::of(1, Answers::UnderOver, Line::Half(6), 12), 0, in_set::WINNER, 0, 0),
            Some(0)
        );
        assert_eq!(
            running.of_set(&KindSpec::of(1, Answers::UnderOver, Line::Half(6), 12), 1, in_set::WINNER, 0, 9),
            None
        );
        assert_eq!(
            running.of_set(&KindSpec::of(1, Answers::UnderOver, Line::Half(6), 12), 1, in_set::TOTAL, 2, 9),
            Some(1),
            "over 8.5"
        );
        running.retire(0);
        assert_eq!(ask(&running, in_match::WINNER, 0), Some(1), "the other wins");
        assert_eq!(ask(&running, in_match::SET_SCORE, 0), None);
        let mut early = record([0, 0], &[[5, 0]]);
        early.retire(1);
        assert_eq!(ask(&early, in_match::WINNER, 0), None, "no set was finished");
    }

    #[test]
    fn a_whole_match_decides_all() {
        let over = record([1, 2], &[[6, 4], [3, 6], [6, 7]]);
        let ask = |kind, line| of_match(&over, kind, line, 0);
        assert_eq!(ask(in_match::WINNER, 0), Some(1));
        assert_eq!(ask(in_match::SET_SCORE, 0), Some(2));
        assert_eq!(ask(in_match::SETS, 2), Some(1));
        assert_eq!(ask(in_match::TOTAL, 19), Some(1), "32 games are over 31.5");
        assert_eq!(ask(in_match::TOTAL, 20), Some(0), "and under 32.5");
        assert_eq!(ask(in_match::HANDICAP, 15 + 1), Some(1), "15 and 17: +1.5 is too little");
        assert_eq!(ask(in_match::HANDICAP, 15 + 2), Some(0));
        assert_eq!(ask(in_match::ODD_EVEN, 0), Some(1));
        assert_eq!(ask(in_match::FIRST_AND_MATCH, 0), Some(1));
        assert_eq!(ask(in_match::EXACT_SETS, 0), Some(1));
    }

    #[test]
    fn final_scores_have_places_of_their_own() {
        let mut places: Vec<u16> = Vec::new();
        for need in 2..=4 {
            places.extend((0..need).map(|away| set_score_place(need, [need, away])));
            places.extend((0..need).rev().map(|home| set_score_place(need, [home, need])));
        }
        assert_eq!(places, (0..18).collect::<Vec<u16>>());
    }
}
