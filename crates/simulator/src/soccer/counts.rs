//! Markets on corners and cards of the 90 minutes.

use super::kinds::Kind;
use super::markets::{COUNTS, NARROW, next};
use super::outlook::Outlook;
use super::state::Situation;
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::{Difference, even, poisson, sum};
use crate::pricing::maths::exp;

/// Adds the corners' markets.
pub(super) fn corners(book: &mut Book, outlook: &Outlook, situation: &Situation) {
    let [home, away] = situation.corners;
    let counted = home.saturating_add(away);
    let each = outlook.corners.map(|mean| poisson(mean, COUNTS));
    let both = sum(&each[0], &each[1]);
    book.totals(Kind::Corners.at(), usize::from(counted), &both, Spread::both(2));
    book.single(Kind::MostCorners.at(), &most(&each, situation.corners));
    book.only_line(Kind::NextCorner.at(), usize::from(counted) + 1, &next(outlook.corners));
    let more_even = even(&both);
    let ends_even = if counted.is_multiple_of(2) { more_even } else { 1.0 - more_even };
    book.single(Kind::CornersOddEven.at(), &[1.0 - ends_even, ends_even]);
    book.totals(Kind::HomeCorners.at(), usize::from(home), &each[0], NARROW);
    book.totals(Kind::AwayCorners.at(), usize::from(away), &each[1], NARROW);
    if situation.phase.is_before_half_time() {
        let [home, away] = situation.corners_first;
        let first = poisson(outlook.corners_first.iter().sum(), COUNTS);
        book.totals(Kind::FirstHalfCorners.at(), usize::from(home.saturating_add(away)), &first, NARROW);
    }
}

/// Adds the cards' markets.
pub(super) fn cards(book: &mut Book, outlook: &Outlook, situation: &Situation) {
    let counted = situation.cards();
    let [home, away] = counted.map(usize::from);
    let each = outlook.cards.map(|mean| poisson(mean, COUNTS));
    let both = sum(&each[0], &each[1]);
    book.totals(Kind::Cards.at(), home + away, &both, NARROW);
    book.single(Kind::MostCards.at(), &most(&each, counted));
    book.totals(Kind::HomeCards.at(), home, &each[0], NARROW);
    book.totals(Kind::AwayCards.at(), away, &each[1], NARROW);
    if situation.red == [0, 0] {
        book.two_way(Kind::RedCard.at(), 1.0 - exp(-outlook.red_cards));
    }
}

fn most(each: &[Vec<f64>; 2], counted: [u8; 2]) -> [f64; 3] {
    Difference::of(&each[0], &each[1]).three_way(i64::from(counted[0]) - i64::from(counted[1]))
}
