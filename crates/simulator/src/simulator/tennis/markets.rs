//! The prices and results of the markets that only tennis has. Every point is won with a probability that depends only
//! on the server, so every probability here is exact. Called by [`super::play`].

use super::super::sets::other;
use super::super::sets::race::RaceOutlook;
use super::super::settled::{over, yes};
use super::play::{GameEnd, TennisPlay};
use super::set::{GAMES, had_tie_break, score_place};
use crate::catalogue::TENNIS;
use crate::catalogue::questions::{SetQuestion, SetsQuestion};
use crate::pricing::book::{Book, Spread};

impl TennisPlay {
    /// Prices all that is open.
    pub(super) fn price_all(&self, book: &mut Book) {
        let tie_break = self.in_tie_break().then(|| self.tie_break_outlook());
        let running = self.set_outlook(tie_break.as_ref());
        self.model.prospects.price(book, &self.record, &running);
        self.price_match(book, &running);
        let mut scores = [0.0; 14];
        for end in &running.ends {
            scores[usize::from(score_place(end.score))] += end.chance;
        }
        book.single(self.kind_of_set(SetQuestion::Score), &scores);
        book.two_way(self.kind_of_set(SetQuestion::TieBreak), running.ends_with(had_tie_break));
        match tie_break {
            None => self.price_games(book),
            Some(tie_break) => {
                book.two_way(self.kind_of_set(SetQuestion::TieBreakWinner), tie_break.home_wins());
                let mut points = vec![0.0; 80];
                for end in &tie_break.ends {
                    let most = points.len() - 1;
                    points[(usize::from(end.score[0]) + usize::from(end.score[1])).min(most)] += end.chance;
                }
                book.totals(self.kind_of_set(SetQuestion::TieBreakPoints), 0, &points, Spread::both(2));
            }
        }
    }

    /// A kind about the running set.
    fn kind_of_set(&self, question: SetQuestion) -> Option<u16> {
        TENNIS.kind_of_set(self.record.finished(), question)
    }

    fn price_match(&self, book: &mut Book, running: &RaceOutlook) {
        let (model, record) = (&self.model, &self.record);
        let tree = &model.prospects.tree;
        let had = self.tie_breaks.iter().take(record.finished()).flatten().count();
        let tie_breaks = model.tie_breaks.from(tree, record.sets, &running.ends).from_zero();
        let none = if had > 0 { 0.0 } else { tie_breaks[0] };
        book.two_way(TENNIS.kind(SetsQuestion::TieBreak), 1.0 - none);
        book.totals(TENNIS.kind(SetsQuestion::TieBreaks), had, &tie_breaks, Spread::both(1));
        if !self.had_set_to_nil() {
            let to_nil = model.to_nil.from(tree, record.sets, &running.ends).from_zero();
            book.two_way(TENNIS.kind(SetsQuestion::ToNil), 1.0 - to_nil[0]);
        }
        let home = model.home[self.server];
        book.line(TENNIS.kind(SetsQuestion::Point), self.all_points.len(), &[home, 1.0 - home]);
    }

    fn had_set_to_nil(&self) -> bool {
        self.record.scores.iter().take(self.record.finished()).any(|score| score.contains(&0))
    }

    /// Prices the current game, and the next one if it is certain to be played.
    fn price_games(&self, book: &mut Book) {
        let [home, away] = self.record.running();
        let line = usize::from(home + away);
        let mut games = vec![(line, self.home_wins_game())];
        let goes_on = |games: [u8; 2]| !GAMES.is_over(games) && games != [6, 6];
        if goes_on([home + 1, away]) && goes_on([home, away + 1]) {
            let wins = self.model.wins(self.record.is_last());
            games.push((line + 1, wins.game[other(self.server)]));
        }
        book.lines(self.kind_of_set(SetQuestion::Game), games.into_iter());
        let points = self.by_server();
        let mut ends = self.model.games[self.server].ends(points);
        let deuce = if points[0].min(points[1]) >= 3 { 1.0 } else { ends[3] + ends[7] };
        if self.server == 1 {
            ends.rotate_left(4);
        }
        book.line(self.kind_of_set(SetQuestion::GameScore), line, &ends);
        book.line(self.kind_of_set(SetQuestion::Deuce), line, &[deuce, 1.0 - deuce]);
    }

    /// The index of the right answer; `None` if it is not decided.
    pub(super) fn result(&self, kind: u16, line: u16) -> Option<usize> {
        if let Some((set, question)) = TENNIS.question_of_set(kind) {
            return self.result_of_set(set, question, (kind, line));
        }
        let complete = self.record.is_complete();
        let tie_breaks = self.tie_breaks.iter().flatten().count();
        match TENNIS.question(kind)? {
            SetsQuestion::TieBreak => yes(tie_breaks > 0, complete),
            SetsQuestion::TieBreaks => over(tie_breaks, line, complete),
            SetsQuestion::ToNil => yes(self.had_set_to_nil(), complete),
            SetsQuestion::Point => self.all_points.get(usize::from(line)).map(|winner| usize::from(*winner)),
            _ => self.record.right(&TENNIS, kind, line),
        }
    }

    fn result_of_set(&self, set: usize, question: SetQuestion, (kind, line): (u16, u16)) -> Option<usize> {
        let number = usize::from(line);
        let ended = self.record.set(set);
        let games = self.games.get(set).map_or(&[][..], Vec::as_slice);
        let game: Option<&GameEnd> = games.get(number);
        let tie_break = self.tie_breaks.get(set).copied().flatten();
        match question {
            SetQuestion::Score => ended.map(|score| score_place(score).into()),
            SetQuestion::TieBreak => yes(tie_break.is_some(), ended.is_some()),
            SetQuestion::Game => game.map(|game| usize::from(game.winner)),
            SetQuestion::GameScore => game.map(|game| usize::from(game.winner) * 4 + usize::from(game.less)),
            SetQuestion::Deuce => {
                let is_running = set == self.record.finished() && number == games.len() && tie_break.is_none();
                let at_deuce = is_running && self.points[0].min(self.points[1]) >= 3;
                game.map(|game| usize::from(game.less < 3)).or(at_deuce.then_some(0))
            }
            SetQuestion::TieBreakWinner => {
                ended.filter(|_| tie_break.is_some()).map(|[home, away]| usize::from(away > home))
            }
            SetQuestion::TieBreakPoints => {
                let [home, away] = tie_break?;
                let points = usize::from(home) + usize::from(away);
                over(points, TENNIS.spec(kind).whole(line), ended.is_some())
            }
            _ => self.record.right(&TENNIS, kind, line),
        }
    }
}
