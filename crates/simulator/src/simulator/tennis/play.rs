//! A match of tennis, point by point: games, sets, tie-breaks, serve and duration. Its prices and results are in
//! `super::markets`.

use super::super::random::Random;
use super::super::sets::other;
use super::super::sets::race::{Race, RaceOutlook};
use super::super::sets::record::{Record, by_set};
use super::super::sport::{Board, Pairing, Play, Step, side_number};
use super::game::{called, counted, is_over as game_is_over};
use super::model::{Model, Rules};
use super::set::GAMES;
use crate::pricing::book::Book;
use kvota_domain::facts::{Fact, Topic};
use std::borrow::Cow;
use std::sync::Arc;

/// A match.
#[derive(Clone, Debug)]
pub struct TennisPlay {
    pub(super) model: Arc<Model>,
    /// Sets and games.
    pub(super) record: Record,
    /// Points of home and away in the running game or tie-break.
    pub(super) points: [u8; 2],
    /// The server, and the first server of the current tie-break.
    pub(super) server: usize,
    pub(super) tie_first: usize,
    /// Games that are over, by set; tie-breaks are apart.
    pub(super) games: Vec<Vec<GameEnd>>,
    /// The points of a set's tie-break, if it has one.
    pub(super) tie_breaks: Vec<Option<[u8; 2]>>,
    /// The winner of each point of the match.
    pub(super) all_points: Vec<u8>,
    /// The number of points after each set that is over.
    set_ends: Vec<usize>,
    /// Whether a player is being treated.
    is_treated: bool,
}

/// A game that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The winner.
    pub winner: u8,
    /// The loser's points; 3 if there was deuce.
    pub less: u8,
    /// The player who served.
    pub server: u8,
}

/// The effect of a point.
enum After {
    Point,
    Game,
    Set,
}

impl TennisPlay {
    /// A match that is about to begin.
    pub fn new(pairing: &Pairing, random: &mut Random) -> TennisPlay {
        let rules = Rules::of(pairing.tournament);
        TennisPlay {
            model: Arc::new(Model::new(rules, pairing)),
            record: Record::new(rules.need, [GAMES; 2]),
            points: [0; 2],
            server: random.side(0.5),
            tie_first: 0,
            games: vec![Vec::new()],
            tie_breaks: vec![None],
            all_points: Vec::new(),
            set_ends: Vec::new(),
            is_treated: false,
        }
    }

    /// Whether a tie-break is being played.
    pub(super) fn in_tie_break(&self) -> bool {
        self.tie_breaks.get(self.record.finished()).is_some_and(Option::is_some)
    }

    /// The rules of the current set's tie-break.
    pub(super) fn tie_break(&self) -> Race {
        self.model.rules.tie_break(self.record.is_last())
    }

    /// The probabilities of the current tie-break.
    pub(super) fn tie_break_outlook(&self) -> RaceOutlook {
        self.tie_break().outlook(|_, server| self.model.home[server], self.points, self.tie_first, self.server)
    }

    /// Points of server and receiver.
    pub(super) fn by_server(&self) -> [u8; 2] {
        [self.points[self.server], self.points[other(self.server)]]
    }

    /// How likely home wins the running game.
    pub(super) fn home_wins_game(&self) -> f64 {
        let held = self.model.games[self.server].held(self.by_server());
        if self.server == 0 { held } else { 1.0 - held }
    }

    /// The probabilities of the current set.
    pub(super) fn set_outlook(&self, tie_break: Option<&RaceOutlook>) -> RaceOutlook {
        let wins = self.model.wins(self.record.is_last());
        let (server, now) = match tie_break {
            Some(outlook) => (self.tie_first, outlook.home_wins()),
            None => (self.server, self.home_wins_game()),
        };
        let score = self.record.running();
        let first = if (score[0] + score[1]).is_multiple_of(2) { server } else { other(server) };
        GAMES.outlook(|games, by| if games == score { now } else { wins.chance(games, by) }, score, first, server)
    }

    /// Adds a point for its winner.
    fn point(&mut self, winner: usize) -> After {
        self.all_points.push(winner as u8);
        self.points[winner] = self.points[winner].saturating_add(1);
        if self.in_tie_break() {
            if let Some(told) = self.tie_breaks.last_mut() {
                *told = Some(self.points);
            }
            if !self.tie_break().is_over(self.points) {
                self.server = self.tie_break().server(self.tie_first, self.points, winner);
                return After::Point;
            }
            // The player who served first in the tie-break receives first in the next set.
            self.server = self.tie_first;
        } else {
            self.points = counted(self.points);
            if !game_is_over(self.points) {
                return After::Point;
            }
            let less = self.points[other(winner)].min(3);
            if let Some(games) = self.games.last_mut() {
                games.push(GameEnd { winner: winner as u8, less, server: self.server as u8 });
            }
        }
        self.game_won(winner)
    }

    fn game_won(&mut self, winner: usize) -> After {
        self.points = [0; 2];
        self.server = other(self.server);
        let is_set = self.record.point(winner);
        let games = self.record.running();
        if is_set {
            self.set_ends.push(self.all_points.len());
            if !self.record.win_set(winner) {
                self.games.push(Vec::new());
                self.tie_breaks.push(None);
            }
            return After::Set;
        }
        if games == [6, 6] {
            self.tie_first = self.server;
            if let Some(tie_break) = self.tie_breaks.last_mut() {
                *tie_break = Some([0; 2]);
            }
        }
        After::Game
    }

    /// From one point to the end of the next one.
    fn pause(&mut self, after: &After, random: &mut Random) -> Step {
        let rally_s = 3.0 + random.wait(6.0).min(40.0);
        let [home, away] = self.record.running();
        let played = home + away;
        let wait_s = match after {
            After::Point => {
                let turned = self.in_tie_break() && (self.points[0] + self.points[1]).is_multiple_of(6);
                random.between(14.0, 23.0) + if turned { 15.0 } else { 0.0 }
            }
            // Players sit down after odd games, but not after a set's first.
            After::Game if played % 2 == 1 && played > 1 => random.between(75.0, 95.0),
            After::Game => random.between(22.0, 32.0),
            After::Set => random.between(120.0, 150.0),
        };
        if !matches!(after, After::Point) && random.chance(0.004) {
            self.is_treated = true;
            return Step::after_s(random.between(180.0, 360.0));
        }
        Step::after_s(wait_s + rally_s)
    }
}

impl Play for TennisPlay {
    fn step(&mut self, random: &mut Random) -> Step {
        if self.record.is_over {
            return Step::Over;
        }
        if !self.record.is_begun || self.is_treated {
            self.record.is_begun = true;
            self.is_treated = false;
            return self.pause(&After::Point, random);
        }
        let winner = random.side(self.model.home[self.server]);
        let after = self.point(winner);
        if self.record.is_over { Step::Over } else { self.pause(&after, random) }
    }

    fn board(&self) -> Board {
        let record = &self.record;
        let in_play = record.is_begun && !record.is_over;
        let game: [Cow<'static, str>; 2] = if self.in_tie_break() {
            self.points.map(|points| points.to_string().into())
        } else {
            called(self.points).map(Cow::from)
        };
        Board {
            status: record.status().into(),
            score: Some(record.sets.map(i64::from)),
            scores: record.shown(),
            game: in_play.then_some(game),
            serving: in_play.then_some(self.server),
            tiebreak: in_play.then(|| self.in_tie_break()),
            suspended: self.is_treated && !record.is_over,
            over: record.is_over,
            ..Board::default()
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let mut games: Vec<[i32; 1]> = Vec::new();
        for (set, (held, tie_break)) in self.games.iter().zip(&self.tie_breaks).enumerate() {
            games.extend((set > 0).then_some([0]));
            games.extend(held.iter().map(|game| {
                let is_break = game.winner != game.server;
                [side_number(usize::from(game.winner)) + 10 * i32::from(game.less) + 100 * i32::from(is_break)]
            }));
            let is_over = self.set_ends.len() > set;
            games
                .extend(tie_break.filter(|_| is_over).map(|[home, away]| [side_number(usize::from(home < away)) + 40]));
        }
        let mut begin = 0;
        let played = self.all_points.len();
        let running = (!self.record.is_complete()).then_some(&played);
        let ends = self.set_ends.iter().chain(running);
        let sets: Vec<&[u8]> = ends.map(|end| &self.all_points[std::mem::replace(&mut begin, *end)..*end]).collect();
        let rallies = Fact::of_records(Topic::Rallies, by_set(&sets));
        rallies.into_iter().chain(Fact::of_records(Topic::Games, games.into_iter())).collect()
    }

    fn price(&self, book: &mut Book) {
        if !self.record.is_over {
            self.price_all(book);
        }
    }

    fn right(&self, kind: u16, line: u16) -> Option<usize> {
        self.result(kind, line)
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
    use super::*;

    /// A best of three with these points, as `(winner, number of points)`. Home serves first.
    fn played(points: &[(usize, usize)]) -> TennisPlay {
        let mut random = Random::new(1, 1);
        let pairing = Pairing { strengths: [0.0; 2], tournament: 1 << 8 };
        let mut play = TennisPlay { server: 0, ..TennisPlay::new(&pairing, &mut random) };
        play.record.is_begun = true;
        for (winner, times) in points {
            for _ in 0..*times {
                play.point(*winner);
            }
        }
        play
    }

    fn game(play: &TennisPlay) -> Option<[String; 2]> {
        play.board().game.map(|game| game.map(|points| points.to_string()))
    }

    #[test]
    fn points_make_games_and_games_sets() {
        let deuce = played(&[(0, 3), (1, 3)]);
        assert_eq!(game(&deuce), Some(["40".into(), "40".into()]));
        let again = played(&[(0, 3), (1, 4), (0, 1)]);
        assert_eq!(game(&again), Some(["40".into(), "40".into()]));
        let advantage = played(&[(0, 3), (1, 4)]);
        assert_eq!(game(&advantage), Some(["40".into(), "AD".into()]));
        let set = played(&[(0, 24)]);
        let board = set.board();
        assert_eq!((board.score, board.scores), (Some([1, 0]), vec![[6, 0], [0, 0]]));
        assert_eq!((&*board.status, board.serving), ("set_2", Some(0)), "six games on, the same serves");
        assert!(played(&[(0, 48)]).board().over);
    }

    #[test]
    fn a_tie_break_is_played_at_six_all() {
        let games: Vec<(usize, usize)> = (0..12).map(|game| (game % 2, 4)).collect();
        let begun = played(&games);
        let board = begun.board();
        assert_eq!((board.scores, board.tiebreak, board.serving), (vec![[6, 6]], Some(true), Some(0)));
        let mut servers = Vec::new();
        let mut play = begun;
        for point in 0..13 {
            servers.push(play.server);
            play.point(usize::from(point % 2 == 1));
        }
        assert_eq!(servers, [0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0]);
        assert_eq!(game(&play), Some(["7".into(), "6".into()]));
        play.point(0);
        assert_eq!(play.board().scores, [[7, 6], [0, 0]]);
        assert_eq!(play.board().serving, Some(1), "who served first in it receives");
        assert_eq!(play.board().tiebreak, Some(false));
    }
}
