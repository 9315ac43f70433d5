//! The markets that only snooker has, with their probabilities and results.

use super::frame_chances::Chances;
use super::play::Snooker;
use crate::catalogue::SNOOKER;
use crate::catalogue::questions::SetsQuestion;
use crate::pricing::book::Book;
use crate::simulator::settled::yes;

/// The probability that there is no further break of a hundred, from those after the frame with these chances, if home
/// or away wins it.
pub(super) fn no_hundred([home, away]: [&f64; 2], now: &Chances) -> f64 {
    now.home_no_hundred * home + (now.no_hundred - now.home_no_hundred) * away
}

/// Fills the book.
pub(super) fn price(play: &Snooker, book: &mut Book) {
    let now = play.rules.chances.now(play.on, play.side, play.ahead(), play.made);
    play.score.price(book, now.home);
    let frame = play.frames.len();
    if play.frame.fifty.is_none() {
        let (none, home) = (now.no_fifty, now.home_fifty);
        book.line(SNOOKER.kind(SetsQuestion::Fifty), frame, &[1.0 - none, none]);
        let first = [home, none, f64::max(1.0 - none - home, 0.0)];
        book.line(SNOOKER.kind(SetsQuestion::FirstFifty), frame, &first);
    }
    if !play.frame.is_hundred {
        book.line(SNOOKER.kind(SetsQuestion::Hundred), frame, &[1.0 - now.no_hundred, now.no_hundred]);
        if !play.frames.iter().any(|frame| frame.is_hundred) {
            let none = no_hundred(play.rules.no_hundred.after(play.score.standing()), &now);
            book.two_way(SNOOKER.kind(SetsQuestion::MatchHundred), 1.0 - none);
        }
    }
}

/// The index of the right answer, if it is decided.
pub(super) fn right(play: &Snooker, kind: u16, line: u16) -> Option<usize> {
    let number = usize::from(line);
    let played = play.frames.get(number);
    // The frame that the line names, being played or over.
    let frame = played.or((number == play.frames.len()).then_some(&play.frame));
    match SNOOKER.question(kind)? {
        SetsQuestion::Fifty => frame.and_then(|frame| yes(frame.fifty.is_some(), played.is_some())),
        SetsQuestion::Hundred => frame.and_then(|frame| yes(frame.is_hundred, played.is_some())),
        SetsQuestion::FirstFifty => frame.and_then(|frame| match frame.fifty {
            Some(side) => Some(2 * side),
            None => played.map(|_| 1),
        }),
        SetsQuestion::MatchHundred => {
            let is_made = play.frame.is_hundred || play.frames.iter().any(|frame| frame.is_hundred);
            yes(is_made, play.score.winner().is_some())
        }
        _ => play.score.record.right(&SNOOKER, kind, line),
    }
}
