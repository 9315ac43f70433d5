//! The kinds of markets of sports with points and sets: those of all sports with sets, and four more about each set.
//! Indexes must never change, because bets refer to them.

use super::super::sets::kinds::{
    Blocks, TAGS_OF_SETS, Unit, in_match, in_set as common, match_columns, match_row, of_each_set, set_number, set_row,
};
use super::super::sport::Column;
use super::rules::Rules;
use crate::pricing::kind::{Answers, KindSpec, Line};

/// Indexes of the kinds about a set, after those of [`common`].
pub mod in_set {
    use super::common;
    /// The first side to reach a number of points.
    pub const FIRST_TO: u16 = common::KINDS;
    /// Whether both come within a point of the target.
    pub const EXTRA: u16 = common::KINDS + 1;
    /// The winner of a point, by its number.
    pub const POINT: u16 = common::KINDS + 2;
    /// The winning margin in points.
    pub const MARGIN: u16 = common::KINDS + 3;
    /// How many kinds a set has.
    pub const KINDS: u16 = common::KINDS + 4;
}

/// The position of the kinds about sets in the table.
pub const BLOCKS: Blocks = Blocks { first: in_match::KINDS, kinds: in_set::KINDS };

/// The number of kinds, for matches with at most `sets` sets.
pub const fn number(sets: usize) -> usize {
    in_match::KINDS as usize + sets * in_set::KINDS as usize
}

of_each_set! {
    FIRST_TO: [": poeni, utrka do", ": points, race to", ": poeni, trka do", ": поени, трка до"];
    EXTRA: [": igra na razliku", ": extra points", ": igra na razliku", ": игра на разлику"];
    POINT: [": sljedeći poen", ": next point", ": sljedeći poen", ": следећи поен"];
    MARGIN: [": pobjednička razlika", ": winning margin", ": pobjednička razlika", ": победничка разлика"];
}

/// A table of `N` kinds: [`number`] of the sport's sets.
pub const fn table<const N: usize>(rules: &Rules) -> [KindSpec; N] {
    let shape = &rules.shape;
    let mut all = [match_row(in_match::WINNER, Unit::Points, shape); N];
    let mut at = 0;
    while at < N {
        let kind = at as u16;
        all[at] = if kind < BLOCKS.first {
            match_row(kind, Unit::Points, shape)
        } else {
            let within = kind - BLOCKS.first;
            row((within / BLOCKS.kinds) as usize, within % BLOCKS.kinds, rules)
        };
        at += 1;
    }
    all
}

const fn row(set: usize, kind: u16, rules: &Rules) -> KindSpec {
    let (number, tags) = (set_number(set, kind), &TAGS_OF_SETS[set]);
    match kind {
        in_set::FIRST_TO => {
            let short = ["Utrka", "Race", "Trka", "Трка"];
            let lines = match rules.firsts {
                [.., most] => *most as u16,
                [] => 1,
            };
            KindSpec::one(number, FIRST_TO[set], short, Answers::OneTwo, tags).with_lines(Line::Ordinal, lines)
        }
        in_set::EXTRA => {
            let short = ["Razlika", "Extra", "Razlika", "Разлика"];
            KindSpec::one(number, EXTRA[set], short, Answers::YesNo, tags)
        }
        in_set::POINT => {
            let short = ["Poen", "Point", "Poen", "Поен"];
            KindSpec::one(number, POINT[set], short, Answers::OneTwo, tags).with_lines(Line::Ordinal, rules.points)
        }
        in_set::MARGIN => {
            let short = ["Za koliko", "Margin", "Za koliko", "За колико"];
            KindSpec::one(number, MARGIN[set], short, Answers::Plain(8, margin), tags).with_margin(0.1)
        }
        _ => set_row(set, kind, Unit::Points, &rules.shape),
    }
}

/// How many points ahead a set is won, home's first: up to 2, up to 4, up to 6, more.
pub fn margin_place([home, away]: [u8; 2]) -> u16 {
    let by = match home.abs_diff(away) {
        0..=2 => 0,
        3..=4 => 1,
        5..=6 => 2,
        _ => 3,
    };
    if home > away { by } else { 4 + by }
}

fn margin(place: u16) -> String {
    let by = ["1-2", "3-4", "5-6", "7+"][usize::from(place % 4)];
    format!("{} ({by})", place / 4 + 1)
}

/// A column's markets: kinds by status.
pub type BySet = &'static [(u16, &'static str)];

/// The columns: those about the match, then the running set's winner, its total and its next point.
pub const fn columns(winners: BySet, totals: BySet, points: BySet) -> [Column; 6] {
    let [winner, total, handicap] = match_columns(Unit::Points);
    let set_total = ["Set: ukupno poena", "Set: total points", "Set: ukupno poena", "Сет: укупно поена"];
    let point = ["Sljedeći poen", "Next point", "Sljedeći poen", "Следећи поен"];
    [
        winner,
        total,
        handicap,
        Column { name: ["Set", "Set", "Set", "Сет"], markets: winners, ..winner },
        Column { name: set_total, markets: totals, ..total },
        Column { name: point, markets: points, ..winner },
    ]
}
