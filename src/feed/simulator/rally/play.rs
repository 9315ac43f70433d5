//! A match of a sport of points and sets, point by point: [`RallySport`] begins matches by a sport's rules, and the
//! play lets one point happen in a step. Breaks, timeouts and treatments are pauses after a point.

use super::super::random::Random;
use super::super::sets::markets::{Prospects, push_lines};
use super::super::sets::race::{Race, RaceOutlook};
use super::super::sets::record::Record;
use super::super::sport::{Ask, Board, Pairing, Play, Profile, Sport, Step, Verdict};
use super::kinds::{BLOCKS, in_set, margin_place};
use super::rules::Rules;
use crate::feed::pricing::book::Book;
use std::sync::Arc;

/// A sport of points and sets.
#[derive(Debug)]
pub struct RallySport {
    /// Its rules.
    pub rules: &'static Rules,
    /// What it is.
    pub profile: &'static Profile,
}

impl Sport for RallySport {
    fn profile(&self) -> &'static Profile {
        self.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let need = self.rules.need(pairing.tournament);
        let home = self.rules.chances(&pairing);
        let first = random.side(0.5);
        Box::new(RallyPlay {
            rules: self.rules,
            prospects: Arc::new(self.rules.prospects(need, home)),
            home,
            record: Record::new(need),
            points: vec![Vec::new()],
            first,
            server: first,
            is_treated: false,
        })
    }
}

/// A match.
#[derive(Clone, Debug)]
struct RallyPlay {
    rules: &'static Rules,
    prospects: Arc<Prospects>,
    /// How likely home wins a point, by who serves.
    home: [f64; 2],
    record: Record,
    /// Who won each point, by set.
    points: Vec<Vec<u8>>,
    /// Who served first in the running set, and who serves now.
    first: usize,
    server: usize,
    /// Somebody is being treated.
    is_treated: bool,
}

impl RallyPlay {
    fn race(&self) -> Race {
        self.rules.race(self.record.is_last())
    }

    /// What may come of the running set.
    fn outlook(&self) -> RaceOutlook {
        self.race().outlook(self.home, self.record.running(), self.first, self.server)
    }

    /// One point more; whether the set is over with it.
    fn point(&mut self, winner: usize) -> bool {
        let race = self.race();
        self.record.score(winner);
        if let Some(points) = self.points.last_mut() {
            points.push(winner as u8);
        }
        let score = self.record.running();
        self.server = race.server(self.first, score, winner);
        race.is_over(score)
    }

    fn begin_set(&mut self, winner: usize, random: &mut Random) {
        let coin = self.rules.is_tossed() && self.record.is_last();
        self.first = if coin { random.side(0.5) } else { self.rules.next_first(self.first, winner) };
        self.server = self.first;
        self.points.push(Vec::new());
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
        let is_new = self.points.last().and_then(|points| points.last()).is_some_and(|winner| {
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

    /// Which answer is right; nothing where that is not decided.
    fn right(&self, ask: Ask) -> Option<u16> {
        let fewest = self.race().fewest(self.record.running());
        let Some((set, kind)) = BLOCKS.find(ask.kind) else {
            return self.record.of_match(&self.rules.shape, ask.kind, ask.line, fewest);
        };
        let points = self.points.get(set).map_or(&[][..], Vec::as_slice);
        let ended = self.record.set(set);
        match kind {
            in_set::FIRST_TO => {
                let mut left = [usize::from(ask.line) + 1; 2];
                points.iter().find_map(|winner| {
                    left[usize::from(*winner)] -= 1;
                    (left[usize::from(*winner)] == 0).then_some(u16::from(*winner))
                })
            }
            in_set::EXTRA => {
                let short = self.set_race(set).to - 1;
                let score = self.record.scores.get(set).copied().unwrap_or_default();
                (score[0].min(score[1]) >= short).then_some(0).or(ended.map(|_| 1))
            }
            in_set::POINT => points.get(usize::from(ask.line)).map(|winner| u16::from(*winner)),
            in_set::MARGIN => ended.map(margin_place),
            _ => {
                let is_running = set == self.record.finished();
                let fewest = if is_running { fewest } else { 0 };
                self.record.of_set(&self.rules.shape, set, kind, ask.line, fewest)
            }
        }
    }

    /// What a set is, from 0.
    fn set_race(&self, set: usize) -> Race {
        self.rules.race(set + 1 == 2 * usize::from(self.record.need) - 1)
    }

    fn price_set(&self, book: &mut Book, outlook: &RaceOutlook) {
        let set = self.record.finished();
        let place = |kind: u16| BLOCKS.place(set, kind);
        let (race, score) = (self.race(), self.record.running());
        let open = self.rules.firsts.iter().filter(|count| **count < race.to && **count > score[0].max(score[1]));
        let firsts: Vec<(usize, f64)> = open.map(|count| (usize::from(*count) - 1, outlook.first_to(*count))).collect();
        push_lines(book, place(in_set::FIRST_TO), &firsts);
        let short = race.to - 1;
        let extra = if score[0].min(score[1]) >= short { 1.0 } else { outlook.passes([short; 2]) };
        book.two_way(place(in_set::EXTRA), extra);
        let home = self.home[self.server];
        let played = usize::from(score[0]) + usize::from(score[1]);
        book.only_line(place(in_set::POINT), played, &[home, 1.0 - home]);
        let mut margins = [0.0; 8];
        for (end, chance) in &outlook.ends {
            margins[usize::from(margin_place(*end))] += chance;
        }
        book.single(place(in_set::MARGIN), &margins);
    }
}

impl Play for RallyPlay {
    fn step(&mut self, random: &mut Random) -> Step {
        if !self.record.is_begun {
            self.record.is_begun = true;
            return self.pause(random);
        }
        if self.record.is_over {
            return Step::Over;
        }
        if self.is_treated {
            self.is_treated = false;
            return self.pause(random);
        }
        let winner = random.side(self.home[self.server]);
        if !self.point(winner) {
            return self.pause(random);
        }
        if self.record.win_set(winner) {
            return Step::Over;
        }
        self.begin_set(winner, random);
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

    fn price(&self, book: &mut Book) {
        if self.record.is_over {
            return;
        }
        let outlook = self.outlook();
        let ends = self.rules.ends(&outlook, self.first);
        self.prospects.price_match(book, &self.record, &ends);
        self.prospects.price_sets(book, BLOCKS, &self.record, &ends);
        self.price_set(book, &outlook);
    }

    fn verdict(&self, ask: Ask) -> Verdict {
        self.right(ask).map_or(Verdict::Void, |right| Verdict::of(right == ask.answer))
    }

    fn retire(&mut self, side: usize) {
        self.record.retire(side);
    }

    fn copied(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}
