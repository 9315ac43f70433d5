//! The markets of a match of snooker, with their probabilities and results.

use super::frame_chances::Chances;
use super::play::Snooker;
use crate::catalogue::SNOOKER;
use crate::catalogue::questions::SnookerQuestion as Kind;
use crate::pricing::book::{Book, Spread};
use crate::simulator::race::{Format, Standing, first_to, forecast, score_place};
use crate::simulator::settled::{odd_even, over, three_way, yes};

/// The number of frames of the market on the leader.
const EARLY: usize = 4;

/// The probability that there is no further break of a hundred in a match, by its score at the start of a frame. `next`
/// has the probabilities of a frame, by the player who breaks off.
pub(super) fn no_hundred(format: Format, first: usize, next: &[Chances; 2]) -> Vec<f64> {
    let mut chances = vec![1.0; format.standings()];
    for place in (0..format.standings()).rev() {
        let standing = format.standing(place);
        chances[place] = no_hundred_from(&chances, format, standing, &next[standing.starter(first)]);
    }
    chances
}

/// The same where the frame being played has these chances.
fn no_hundred_from(later: &[f64], format: Format, standing: Standing, now: &Chances) -> f64 {
    let after = |side: usize| {
        let after = standing.won_by(side, format);
        if after.winner(format).is_some() { 1.0 } else { later[format.place(after)] }
    };
    now.home_no_hundred * after(0) + (now.no_hundred - now.home_no_hundred) * after(1)
}

/// Fills the book.
pub(super) fn price(play: &Snooker, book: &mut Book) {
    let now = play.rules.chances.now(play.on, play.side, play.ahead(), play.made);
    price_frame(play, &now, book);
    price_match(play, &now, book);
}

fn price_frame(play: &Snooker, now: &Chances, book: &mut Book) {
    let (rules, frame) = (&play.rules, play.frames.len());
    book.only_line(Kind::Frame as u16, frame, &[now.home, 1.0 - now.home]);
    if play.frame.fifty.is_none() {
        let (none, home) = (now.no_fifty, now.home_fifty);
        book.only_line(Kind::Fifty as u16, frame, &[1.0 - none, none]);
        book.only_line(Kind::FirstFifty as u16, frame, &[home, none, f64::max(1.0 - none - home, 0.0)]);
    }
    if !play.frame.is_hundred {
        book.only_line(Kind::Hundred as u16, frame, &[1.0 - now.no_hundred, now.no_hundred]);
        if !play.frames.iter().any(|frame| frame.is_hundred) {
            let none = no_hundred_from(&rules.no_hundred, rules.format, play.standing, now);
            book.two_way(Kind::MatchHundred as u16, 1.0 - none);
        }
    }
    // The next frame, if there is one.
    let last = |side: usize| play.standing.won_by(side, rules.format).winner(rules.format).is_some();
    if !(last(0) && last(1)) {
        let home = rules.next[play.standing.won_by(0, rules.format).starter(rules.first)].home;
        book.only_line(Kind::NextFrame as u16, frame + 1, &[home, 1.0 - home]);
    }
}

fn price_match(play: &Snooker, now: &Chances, book: &mut Book) {
    let (format, first, standing) = (play.rules.format, play.rules.first, play.standing);
    let next = [play.rules.next[0].home, play.rules.next[1].home];
    let ahead = forecast(format, standing, first, now.home, next);
    let played = play.frames.len();
    book.two_way(Kind::Winner as u16, ahead.home());
    book.totals(Kind::Frames as u16, played, &ahead.legs, Spread::both(2));
    ahead.handicaps(book, Kind::Handicap as u16, Spread::both(2));
    ahead.scores(book, Kind::Score as u16);
    let frames = ahead.legs.iter().enumerate();
    let odd: f64 = frames.filter(|(frames, _)| (frames + played) % 2 == 1).map(|(_, chance)| chance).sum();
    book.two_way(Kind::OddEven as u16, odd);
    let lines = (2..format.legs).filter(|frames| standing.legs.iter().all(|won| won < frames));
    let lines = lines.map(|frames| (usize::from(frames) - 1, first_to(frames, standing, first, now.home, next)));
    book.closest_balanced(Kind::FirstTo as u16, lines);
    let decider = ahead.of_score(|score| score[0].min(score[1]));
    book.two_way(Kind::Decider as u16, decider.get(usize::from(format.legs) - 1).copied().unwrap_or(0.0));
    if let Some(left) = EARLY.checked_sub(played).filter(|left| *left > 0) {
        book.single(Kind::AfterFour as u16, &leads(standing, first, left, now.home, next));
    }
    for (kind, side) in [(Kind::HomeFrames, 0), (Kind::AwayFrames, 1)] {
        book.totals(kind as u16, 0, &ahead.of_score(|score| score[side]), Spread::both(1));
    }
}

/// The probabilities of the leader after `left` more frames. None of them may decide the match.
fn leads(standing: Standing, first: usize, left: usize, now: f64, next: [f64; 2]) -> [f64; 3] {
    let [home, away] = standing.legs;
    if left == 0 {
        return match home.cmp(&away) {
            std::cmp::Ordering::Greater => [1.0, 0.0, 0.0],
            std::cmp::Ordering::Equal => [0.0, 1.0, 0.0],
            std::cmp::Ordering::Less => [0.0, 0.0, 1.0],
        };
    }
    let after = |legs: [u8; 2]| {
        let standing = Standing { legs, ..standing };
        leads(standing, first, left - 1, next[standing.starter(first)], next)
    };
    let (won, lost) = (after([home + 1, away]), after([home, away + 1]));
    [0, 1, 2].map(|place| now * won[place] + (1.0 - now) * lost[place])
}

/// The index of the winning answer, if it is decided.
pub(super) fn result(play: &Snooker, place: u16, line: usize) -> Option<u16> {
    let is_final = play.winner().is_some();
    let score = play.standing.legs;
    let [home, away] = score.map(i64::from);
    let played = play.frames.get(line);
    // The frame that the line names, being played or over.
    let frame = played.or((line == play.frames.len()).then_some(&play.frame));
    match SNOOKER.question(place)? {
        Kind::Winner => play.winner().map(|side| side as u16),
        Kind::Frames => over(play.frames.len(), line, is_final),
        Kind::Handicap => {
            let given = SNOOKER.spec(place).given(line as u16);
            is_final.then_some(u16::from(home - away + given < 0))
        }
        Kind::Score => is_final.then_some(score_place(score)),
        Kind::Frame | Kind::NextFrame => played.and_then(|frame| frame.winner).map(|side| side as u16),
        Kind::Fifty => frame.and_then(|frame| yes(frame.fifty.is_some(), played.is_some())),
        Kind::Hundred => frame.and_then(|frame| yes(frame.is_hundred, played.is_some())),
        Kind::FirstFifty => frame.and_then(|frame| match frame.fifty {
            Some(side) => Some(2 * side as u16),
            None => played.map(|_| 1),
        }),
        Kind::MatchHundred => yes(play.frame.is_hundred || play.frames.iter().any(|frame| frame.is_hundred), is_final),
        Kind::OddEven => odd_even(play.frames.len(), is_final),
        Kind::FirstTo => first(play, line + 1),
        Kind::Decider => yes(score.iter().all(|won| *won + 1 >= play.rules.format.legs), is_final),
        Kind::AfterFour => {
            let early: Vec<usize> = play.frames.iter().take(EARLY).filter_map(|frame| frame.winner).collect();
            let away: usize = early.iter().sum();
            three_way(early.len() - away, away, early.len() == EARLY)
        }
        Kind::HomeFrames => over(usize::from(score[0]), line, is_final),
        Kind::AwayFrames => over(usize::from(score[1]), line, is_final),
    }
}

/// The side that was first to reach this number of frames.
fn first(play: &Snooker, frames: usize) -> Option<u16> {
    let mut won = [0; 2];
    let mut winners = play.frames.iter().filter_map(|frame| frame.winner);
    let first = winners.find(|winner| {
        won[*winner] += 1;
        won[*winner] == frames
    });
    first.map(|side| side as u16)
}
