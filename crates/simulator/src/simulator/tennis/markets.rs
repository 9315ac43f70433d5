//! The prices and verdicts of a tennis match. Every point is won with a probability that depends only on the server, so
//! every probability here is exact. Called by [`super::play`].

use super::super::sets::markets::push_lines;
use super::super::sets::other;
use super::super::sets::record::over_under;
use super::super::sets::tree::Count;
use super::super::sport::Ask;
use super::kinds::{BLOCKS, in_match, in_set};
use super::play::{GameEnd, TennisPlay};
use super::set::{SetOutlook, fewest, had_tie_break, is_over, score_place};
use crate::catalogue::TENNIS;
use crate::pricing::book::{Book, DECIDED, Spread};
use crate::pricing::kind::KindSpec;

/// The numbers of games of the markets on the first side to reach them.
const FIRSTS: [u8; 4] = [2, 3, 4, 5];

impl TennisPlay {
    /// Prices all that is open.
    pub(super) fn price_all(&self, book: &mut Book) {
        let tie_break = self.in_tie_break().then(|| self.tie_break_outlook());
        let outlook = self.set_outlook(tie_break.as_ref());
        let (model, record) = (&self.model, &self.record);
        model.prospects.price_match(book, record, &outlook.ends);
        model.prospects.price_sets(book, BLOCKS, record, &outlook.ends);
        self.price_match(book, &outlook);
        self.price_set(book, &outlook);
        match tie_break {
            None => self.price_games(book),
            Some(tie_break) => {
                let place = |kind: u16| BLOCKS.place(record.finished(), kind);
                book.two_way(place(in_set::TIE_BREAK_WINNER), tie_break.home_wins());
                let mut points = vec![0.0; 80];
                for ([home, away], chance) in &tie_break.ends {
                    let most = points.len() - 1;
                    points[(usize::from(*home) + usize::from(*away)).min(most)] += chance;
                }
                book.totals(place(in_set::TIE_BREAK_POINTS), 0, &points, Spread::both(2));
            }
        }
    }

    fn price_match(&self, book: &mut Book, outlook: &SetOutlook) {
        let (model, record) = (&self.model, &self.record);
        let tree = &model.prospects.tree;
        let counted = record.counted();
        for (side, kind) in [in_match::HOME_GAMES, in_match::AWAY_GAMES].into_iter().enumerate() {
            let games = model.games_of[side].from(tree, record.sets, &outlook.ends).from_zero();
            book.totals(kind, usize::from(counted[side]), &games, Spread::both(2));
        }
        let had = self.tie_breaks.iter().take(record.finished()).flatten().count();
        let tie_breaks = model.tie_breaks.from(tree, record.sets, &outlook.ends).from_zero();
        let none = if had > 0 { 0.0 } else { tie_breaks[0] };
        book.two_way(in_match::TIE_BREAK, 1.0 - none);
        book.totals(in_match::TIE_BREAKS, had, &tie_breaks, Spread::both(1));
        if !self.had_set_to_nil() {
            let to_nil = model.to_nil.from(tree, record.sets, &outlook.ends).from_zero();
            book.two_way(in_match::TO_NIL, 1.0 - to_nil[0]);
        }
        let home = model.home[self.server];
        book.only_line(in_match::POINT, self.all_points.len(), &[home, 1.0 - home]);
    }

    fn had_set_to_nil(&self) -> bool {
        self.record.scores.iter().take(self.record.finished()).any(|score| score.contains(&0))
    }

    fn price_set(&self, book: &mut Book, outlook: &SetOutlook) {
        let place = |kind: u16| BLOCKS.place(self.record.finished(), kind);
        let mut scores = [0.0; 14];
        for end in &outlook.ends {
            scores[usize::from(score_place(end.score))] += end.chance;
        }
        book.single(place(in_set::SCORE), &scores);
        book.two_way(place(in_set::TIE_BREAK), outlook.ends_with(had_tie_break));
        for (side, kind) in [in_set::HOME_GAMES, in_set::AWAY_GAMES].into_iter().enumerate() {
            let measure = [|[home, _]: [u8; 2]| i32::from(home), |[_, away]: [u8; 2]| i32::from(away)][side];
            book.totals(place(kind), 0, &Count::of(&outlook.ends, measure).from_zero(), Spread::both(1));
        }
        let [home, away] = self.record.running();
        let open = FIRSTS.into_iter().filter(|count| *count > home.max(away));
        let firsts: Vec<(usize, f64)> = open.map(|count| (usize::from(count) - 1, outlook.first_to(count))).collect();
        push_lines(book, place(in_set::FIRST_TO), &firsts);
    }

    /// Prices the current game, and the next one if it is certain to be played.
    fn price_games(&self, book: &mut Book) {
        let place = |kind: u16| BLOCKS.place(self.record.finished(), kind);
        let [home, away] = self.record.running();
        let line = usize::from(home + away);
        let mut games = vec![(line, self.home_wins_game())];
        let goes_on = |games: [u8; 2]| !is_over(games) && games != [6, 6];
        if goes_on([home + 1, away]) && goes_on([home, away + 1]) {
            let wins = self.model.wins(self.record.is_last());
            games.push((line + 1, wins.game[other(self.server)]));
        }
        // The running game is the one that counts, as long as it is open.
        let is_open = (1.0 - DECIDED..DECIDED).contains(&games[0].1);
        for (at, (line, chance)) in games.into_iter().enumerate() {
            let balanced = (at == 0) == is_open;
            book.line(place(in_set::GAME), line, balanced, &[chance, 1.0 - chance]);
        }
        let points = self.by_server();
        let mut ends = self.model.games[self.server].ends(points);
        let deuce = if points[0].min(points[1]) >= 3 { 1.0 } else { ends[3] + ends[7] };
        if self.server == 1 {
            ends.rotate_left(4);
        }
        book.only_line(place(in_set::GAME_SCORE), line, &ends);
        book.only_line(place(in_set::DEUCE), line, &[deuce, 1.0 - deuce]);
    }

    /// The index of the winning answer; `None` if it is not decided.
    pub(super) fn right(&self, ask: Ask) -> Option<u16> {
        let record = &self.record;
        let complete = record.is_complete();
        let yes_no = |yes: bool, no: bool| yes.then_some(0).or(no.then_some(1));
        let Some((set, kind)) = BLOCKS.find(ask.kind) else {
            let counted = record
                .scores
                .iter()
                .fold([0_u16; 2], |[home, away], [h, a]| [home + u16::from(*h), away + u16::from(*a)]);
            let tie_breaks = self.tie_breaks.iter().flatten().count();
            return match ask.kind {
                in_match::HOME_GAMES => over_under(ask.line, counted[0], complete),
                in_match::AWAY_GAMES => over_under(ask.line, counted[1], complete),
                in_match::TIE_BREAK => yes_no(tie_breaks > 0, complete),
                in_match::TIE_BREAKS => over_under(ask.line, tie_breaks as u16, complete),
                in_match::TO_NIL => yes_no(self.had_set_to_nil(), complete),
                in_match::POINT => self.all_points.get(usize::from(ask.line)).map(|winner| u16::from(*winner)),
                kind => record.of_match(TENNIS.spec(kind), kind, ask.line, fewest(record.running())),
            };
        };
        self.right_of_set(set, (kind, TENNIS.spec(ask.kind)), ask.line)
    }

    fn right_of_set(&self, set: usize, (kind, spec): (u16, &KindSpec), line: u16) -> Option<u16> {
        let record = &self.record;
        let (ended, score) = (record.set(set), record.scores.get(set).copied());
        let games = self.games.get(set).map_or(&[][..], Vec::as_slice);
        let game: Option<&GameEnd> = games.get(usize::from(line));
        let tie_break = self.tie_breaks.get(set).copied().flatten();
        let count = |side: usize| {
            let games = score.map(|score| u16::from(score[side]))?;
            over_under(line, games, ended.is_some())
        };
        match kind {
            in_set::SCORE => ended.map(score_place),
            in_set::TIE_BREAK => tie_break.map(|_| 0).or(ended.map(|_| 1)),
            in_set::GAME => game.map(|game| u16::from(game.winner)),
            in_set::GAME_SCORE => game.map(|game| u16::from(game.winner) * 4 + u16::from(game.less)),
            in_set::DEUCE => {
                let is_running = set == record.finished() && usize::from(line) == games.len() && tie_break.is_none();
                let at_deuce = is_running && self.points[0].min(self.points[1]) >= 3;
                game.map(|game| u16::from(game.less < 3)).or(at_deuce.then_some(0))
            }
            in_set::TIE_BREAK_WINNER => {
                ended.filter(|_| tie_break.is_some()).map(|[home, away]| u16::from(away > home))
            }
            in_set::TIE_BREAK_POINTS => {
                let [home, away] = tie_break?;
                over_under(spec.whole(line), u16::from(home) + u16::from(away), ended.is_some())
            }
            in_set::HOME_GAMES => count(0),
            in_set::AWAY_GAMES => count(1),
            in_set::FIRST_TO => {
                let mut left = [line + 1; 2];
                games.iter().find_map(|game| {
                    let side = usize::from(game.winner);
                    left[side] = left[side].saturating_sub(1);
                    (left[side] == 0).then_some(u16::from(game.winner))
                })
            }
            _ => {
                let fewest = if ended.is_none() { score.map_or(0, fewest) } else { 0 };
                record.of_set(spec, set, kind, line, fewest)
            }
        }
    }
}
