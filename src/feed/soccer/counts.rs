//! Markets on corners and cards of the 90 minutes.

use super::book::{Book, Spread};
use super::kinds::Kind;
use super::markets::{NARROW, next};
use super::outlook::Outlook;
use super::poisson::{BOTH_COUNTS, COUNTS, difference, even, poisson, sum, three_way};
use super::state::Situation;

/// Adds the corners' markets.
pub(super) fn corners(book: &mut Book, outlook: &Outlook, situation: &Situation) {
    let [home, away] = situation.corners;
    let counted = home.saturating_add(away);
    let each: [[f64; COUNTS]; 2] = outlook.corners.map(poisson);
    let both: [f64; BOTH_COUNTS] = sum(&each[0], &each[1]);
    book.totals(Kind::Corners, counted, &both, Spread::both(2));
    book.single(Kind::MostCorners, &most(&each, situation.corners));
    book.only_line(Kind::NextCorner, usize::from(counted) + 1, &next(outlook.corners));
    let more_even = even(&both);
    let ends_even = if counted.is_multiple_of(2) { more_even } else { 1.0 - more_even };
    book.single(Kind::CornersOddEven, &[1.0 - ends_even, ends_even]);
    book.totals(Kind::HomeCorners, home, &each[0], NARROW);
    book.totals(Kind::AwayCorners, away, &each[1], NARROW);
    if situation.phase.is_before_half_time() {
        let [home, away] = situation.corners_first;
        let first: [f64; COUNTS] = poisson(outlook.corners_first.iter().sum());
        book.totals(Kind::FirstHalfCorners, home.saturating_add(away), &first, NARROW);
    }
}

/// Adds the cards' markets.
pub(super) fn cards(book: &mut Book, outlook: &Outlook, situation: &Situation) {
    let counted = situation.cards();
    let each: [[f64; COUNTS]; 2] = outlook.cards.map(poisson);
    let both: [f64; BOTH_COUNTS] = sum(&each[0], &each[1]);
    book.totals(Kind::Cards, counted[0].saturating_add(counted[1]), &both, NARROW);
    book.single(Kind::MostCards, &most(&each, counted));
    book.totals(Kind::HomeCards, counted[0], &each[0], NARROW);
    book.totals(Kind::AwayCards, counted[1], &each[1], NARROW);
    if situation.red == [0, 0] {
        book.yes_no(Kind::RedCard, 1.0 - (-outlook.red_cards).exp());
    }
}

fn most(each: &[[f64; COUNTS]; 2], counted: [u8; 2]) -> [f64; 3] {
    let apart: [f64; BOTH_COUNTS] = difference(&each[0], &each[1]);
    three_way(&apart, i64::from(counted[0]) - i64::from(counted[1]))
}
