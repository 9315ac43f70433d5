//! A match of a sport of points and sets, point by point: [`RallySport`] begins matches by a sport's rules, and the
//! play lets one point happen in a step. Breaks, timeouts and treatments are pauses after a point.

use super::super::random::Random;
use super::super::sets::markets::Prospects;
use super::super::sets::record::{Record, by_set};
use super::super::sport::{Board, Pairing, Play, Profile, Sport, Step};
use super::rules::Rules;
use crate::pricing::book::Book;
use kvota_domain::facts::{Fact, Topic};
use std::sync::Arc;

/// A sport of points and sets.
#[derive(Debug)]
pub struct RallySport {
    /// Its rules.
    pub rules: &'static Rules,
}

impl Sport for RallySport {
    fn profile(&self) -> &'static Profile {
        &self.rules.data.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(RallyPlay::new(self.rules, &pairing, random))
    }
}

/// A match.
#[derive(Clone, Debug)]
struct RallyPlay {
    rules: &'static Rules,
    prospects: Arc<Prospects>,
    /// The probability that home wins a point, by server.
    home: [f64; 2],
    record: Record,
    /// The side that served first in the current set, and the current server.
    first: usize,
    server: usize,
    /// Whether a player is being treated.
    is_treated: bool,
}

impl RallyPlay {
    fn new(rules: &'static Rules, pairing: &Pairing, random: &mut Random) -> RallyPlay {
        let need = rules.need(pairing.tournament);
        let home = rules.chances(pairing);
        let first = random.side(0.5);
        RallyPlay {
            rules,
            prospects: Arc::new(rules.prospects(need, home)),
            home,
            record: Record::new(need, [rules.set, rules.last]),
            first,
            server: first,
            is_treated: false,
        }
    }

    /// One point more; whether the set is over with it.
    fn point(&mut self, winner: usize) -> bool {
        let is_over = self.record.point(winner);
        self.server = self.record.race().server(self.first, self.record.running(), winner);
        is_over
    }

    /// One point more, and what follows from it.
    fn rally(&mut self, winner: usize, random: &mut Random) {
        if self.point(winner) && !self.record.win_set(winner) {
            self.begin_set(winner, random);
        }
    }

    fn begin_set(&mut self, winner: usize, random: &mut Random) {
        let coin = self.rules.is_tossed() && self.record.is_last();
        self.first = if coin { random.side(0.5) } else { self.rules.next_first(self.first, winner) };
        self.server = self.first;
    }

    /// From one point to the end of the next one.
    fn pause(&mut self, random: &mut Random) -> Step {
        let pace = &self.rules.pace;
        let mut seconds = random.between(pace.between_s.0, pace.between_s.1) + random.wait(pace.rally_s).min(75.0);
        let score = self.record.running();
        let played = u16::from(score[0]) + u16::from(score[1]);
        let every = if self.record.is_last() { pace.every.1 } else { pace.every.0 };
        if every > 0 && played > 0 && played.is_multiple_of(every) {
            seconds += pace.every_s;
        }
        let leads = score[0].max(score[1]) == pace.rest_at && score[0].min(score[1]) < pace.rest_at;
        let is_new = self.record.winners.last().and_then(|winners| winners.last()).is_some_and(|winner| {
            let (winner, loser) = (usize::from(*winner), 1 - usize::from(*winner));
            score[winner] > score[loser]
        });
        if pace.rest_at > 0 && leads && is_new {
            seconds += pace.rest_s;
        }
        if random.chance(pace.timeout.0) {
            seconds += pace.timeout.1;
        }
        if random.chance(pace.treated) {
            self.is_treated = true;
            seconds = random.between(90.0, 300.0);
        }
        Step::after_s(seconds)
    }
}

impl Play for RallyPlay {
    fn step(&mut self, random: &mut Random) -> Step {
        if self.record.is_over {
            return Step::Over;
        }
        if !self.record.is_begun || self.is_treated {
            self.record.is_begun = true;
            self.is_treated = false;
            return self.pause(random);
        }
        let winner = random.side(self.home[self.server]);
        let sets = self.record.sets;
        self.rally(winner, random);
        if self.record.is_over {
            return Step::Over;
        }
        if self.record.sets == sets {
            return self.pause(random);
        }
        Step::after_s(self.rules.pace.break_s * random.between(0.9, 1.3))
    }

    fn board(&self) -> Board {
        let record = &self.record;
        Board {
            status: record.status().into(),
            score: Some(record.sets.map(i64::from)),
            scores: record.shown(),
            serving: (record.is_begun && !record.is_over).then_some(self.server),
            suspended: self.is_treated && !record.is_over,
            over: record.is_over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        Fact::of_records(Topic::Rallies, by_set(&self.record.winners)).into_iter().collect()
    }

    fn price(&self, book: &mut Book) {
        if self.record.is_over {
            return;
        }
        let (race, score) = (self.record.race(), self.record.running());
        let running = self.rules.outlook(race, self.home, score, self.first, self.server);
        self.prospects.price(book, &self.record, &running);
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        self.record.right(self.rules.data, kind, line)
    }

    fn retire(&mut self, side: usize) {
        self.record.retire(side);
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::badminton::BADMINTON;
    use super::super::table_tennis::TABLE_TENNIS;
    use super::super::volleyball::VOLLEYBALL;
    use super::*;
    use crate::catalogue::questions::SetQuestion;

    /// A match with these points, as `(winner, number of points)`. Home serves first.
    fn played(sport: &RallySport, points: &[(usize, usize)]) -> RallyPlay {
        let mut random = Random::new(3, 3);
        let pairing = Pairing { strengths: [0.0; 2], tournament: 0 };
        let mut play = RallyPlay { first: 0, server: 0, ..RallyPlay::new(sport.rules, &pairing, &mut random) };
        play.record.is_begun = true;
        for (winner, times) in points {
            for _ in 0..*times {
                play.rally(*winner, &mut random);
            }
        }
        play
    }

    #[test]
    fn the_fifth_set_of_volleyball_is_to_fifteen() {
        let level = [(0, 25), (1, 25), (0, 25), (1, 25)];
        let fifth = played(&VOLLEYBALL, &level).board();
        assert_eq!((&*fifth.status, fifth.score, fifth.scores.len()), ("set_5", Some([2, 2]), 5));
        let deuce = played(&VOLLEYBALL, &[&level[..], &[(0, 14), (1, 15)]].concat());
        assert!(!deuce.board().over, "14:15");
        let over = played(&VOLLEYBALL, &[&level[..], &[(0, 14), (1, 16)]].concat()).board();
        assert!(over.over);
        assert_eq!((over.score, over.scores.last()), (Some([2, 3]), Some(&[14, 16])));
    }

    #[test]
    fn who_wins_a_rally_of_volleyball_serves() {
        assert_eq!(played(&VOLLEYBALL, &[(1, 1)]).board().serving, Some(1));
        assert_eq!(played(&VOLLEYBALL, &[(1, 1), (0, 2)]).board().serving, Some(0));
        assert_eq!(played(&VOLLEYBALL, &[(0, 25)]).board().serving, Some(1), "the other begins the second set");
    }

    #[test]
    fn badminton_ends_at_thirty_and_its_winner_serves_on() {
        let level: Vec<(usize, usize)> = [(0, 20), (1, 20)].into_iter().chain((0..18).map(|n| (n % 2, 1))).collect();
        let at_29 = played(&BADMINTON, &level);
        assert_eq!(at_29.board().scores, [[29, 29]]);
        let won = played(&BADMINTON, &[&level[..], &[(1, 1)]].concat()).board();
        assert_eq!((won.scores, won.serving), (vec![[29, 30], [0, 0]], Some(1)));
    }

    #[test]
    fn serves_of_table_tennis_change_every_two_points() {
        let serving = |points: usize| played(&TABLE_TENNIS, &[(0, points)]).board().serving;
        assert_eq!([0, 1, 2, 3, 4].map(serving), [0, 0, 1, 1, 0].map(Some));
        assert_eq!(serving(11), Some(1), "who received first serves first in the second set");
    }

    #[test]
    fn a_point_that_was_not_played_is_void() {
        let mut play = played(&VOLLEYBALL, &[(0, 3)]);
        play.retire(0);
        let right = |question, line| {
            let kind = VOLLEYBALL.rules.data.kind_of_set(0, question).unwrap();
            play.right(kind, line)
        };
        assert_eq!(right(SetQuestion::Point, 2), Some(0));
        assert_eq!(right(SetQuestion::Point, 3), None);
        assert_eq!(right(SetQuestion::FirstTo, 2), Some(0));
        assert_eq!(right(SetQuestion::FirstTo, 4), None);
        assert_eq!(right(SetQuestion::Extra, 0), None);
    }
}
