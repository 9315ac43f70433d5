//! The kinds of markets of all sports with sets. A sport's table has first the kinds about the match, then the sport's
//! own kinds, then the kinds for each set; it is built from the rows here. Indexes must never change, because bets
//! refer to them.
//!
//! | numbers | kinds |
//! |---|---|
//! | 18 | total of points or games |
//! | 20 to 23 | winner, score in sets, total of sets, handicap in sets |
//! | 24 to 29 | handicap in points or games, odd or even, home and away win a set, first set and match, number of sets |
//! | 30 and up | the sport's own |
//! | 100 to 103 | of the first set: winner, total, handicap, odd or even; from 104 the sport's own |
//! | 200 to 203 … | of the second set … |

use super::super::sport::Column;
use super::record::set_score_place;
use crate::pricing::kind::{Answers, KindSpec, Line, Quad};

/// Indexes of the kinds about the match.
pub mod in_match {
    /// The winner of the match.
    pub const WINNER: u16 = 0;
    /// The score in sets.
    pub const SET_SCORE: u16 = 1;
    /// How many sets.
    pub const SETS: u16 = 2;
    /// The handicap in sets.
    pub const SET_HANDICAP: u16 = 3;
    /// How many points or games.
    pub const TOTAL: u16 = 4;
    /// The side with more of them, after a handicap.
    pub const HANDICAP: u16 = 5;
    /// Whether their number is odd.
    pub const ODD_EVEN: u16 = 6;
    /// Whether home wins a set.
    pub const HOME_SET: u16 = 7;
    /// Whether away wins a set.
    pub const AWAY_SET: u16 = 8;
    /// The winners of the first set and of the match.
    pub const FIRST_AND_MATCH: u16 = 9;
    /// How many sets exactly.
    pub const EXACT_SETS: u16 = 10;
    /// How many these are.
    pub const KINDS: u16 = 11;
}

/// Indexes of the kinds about a set, within the kinds of that set.
pub mod in_set {
    /// The winner of the set.
    pub const WINNER: u16 = 0;
    /// How many points or games it has.
    pub const TOTAL: u16 = 1;
    /// The side with more of them, after a handicap.
    pub const HANDICAP: u16 = 2;
    /// Whether their number is odd.
    pub const ODD_EVEN: u16 = 3;
    /// How many these are.
    pub const KINDS: u16 = 4;
}

/// The lines of a sport's kinds.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The total's first line, and how many there are.
    pub total: (u16, u16),
    /// Lines of the handicap, an even number.
    pub handicap_lines: u16,
    /// Lines of the handicap in sets, an even number.
    pub set_handicap_lines: u16,
    /// A set's total's first line, and how many there are.
    pub set_total: (u16, u16),
    /// Lines of a set's handicap, an even number.
    pub set_handicap: u16,
}

/// The position of the kinds about sets in a sport's table.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The first set's first kind.
    pub first: u16,
    /// How many kinds a set has.
    pub kinds: u16,
}

impl Blocks {
    /// A kind of a set, from 0.
    pub const fn place(&self, set: usize, kind: u16) -> u16 {
        self.first + set as u16 * self.kinds + kind
    }

    /// The set and the kind at an index; `None` if it is a kind about the match.
    pub fn find(&self, place: u16) -> Option<(usize, u16)> {
        let within = place.checked_sub(self.first)?;
        Some((usize::from(within / self.kinds), within % self.kinds))
    }
}

/// What a set is played for: points or games. Used in the names of markets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Points.
    Points,
    /// Games.
    Games,
}

/// The groups.
pub static TAG_MAIN: [Quad; 1] = [["1.Glavno", "1.Main", "1.Glavno", "1.Главно"]];
/// The tag of markets about whole sets.
pub static TAG_SETS: [Quad; 1] = [["2.Setovi", "2.Sets", "2.Setovi", "2.Сетови"]];
/// The tag of markets about the match's points or games.
pub static TAG_TOTALS: [Quad; 1] = [["3.Ukupno", "3.Totals", "3.Ukupno", "3.Укупно"]];

macro_rules! of_each_set {
    ($($name:ident: [$hr:literal, $en:literal, $bs:literal, $sr:literal];)*) => {
        $(
            /// A text of each set.
            pub static $name: [$crate::pricing::kind::Quad; 7] = [
                of_each_set!(1, $hr, $en, $bs, $sr),
                of_each_set!(2, $hr, $en, $bs, $sr),
                of_each_set!(3, $hr, $en, $bs, $sr),
                of_each_set!(4, $hr, $en, $bs, $sr),
                of_each_set!(5, $hr, $en, $bs, $sr),
                of_each_set!(6, $hr, $en, $bs, $sr),
                of_each_set!(7, $hr, $en, $bs, $sr),
            ];
        )*
    };
    ($set:literal, $hr:literal, $en:literal, $bs:literal, $sr:literal) => {
        [
            concat!($set, ". set", $hr),
            concat!("Set ", $set, $en),
            concat!($set, ". set", $bs),
            concat!($set, ". сет", $sr),
        ]
    };
}
pub(crate) use of_each_set;

macro_rules! tags_of_sets {
    ($($group:literal $set:literal),*) => {
        [$([[
            concat!($group, ".", $set, ". set"),
            concat!($group, ".Set ", $set),
            concat!($group, ".", $set, ". set"),
            concat!($group, ".", $set, ". сет"),
        ]]),*]
    };
}

/// The groups of the sets.
pub static TAGS_OF_SETS: [[Quad; 1]; 7] = tags_of_sets!(4 1, 5 2, 6 3, 7 4, 8 5, 9 6, 10 7);

of_each_set! {
    SET: ["", "", "", ""];
    SET_WINNER: [": pobjednik", ": winner", ": pobjednik", ": победник"];
    SET_POINTS: [": ukupno poena", ": total points", ": ukupno poena", ": укупно поена"];
    SET_GAMES: [": ukupno gemova", ": total games", ": ukupno gemova", ": укупно гемова"];
    SET_HANDICAP: [": hendikep", ": handicap", ": hendikep", ": хендикеп"];
    SET_ODD_EVEN: [": par/nepar", ": odd/even", ": par/nepar", ": пар/непар"];
}

/// A row about the match.
pub const fn match_row(kind: u16, unit: Unit, shape: &Shape) -> KindSpec {
    let total = matches!(unit, Unit::Points);
    match kind {
        in_match::WINNER => KindSpec::one(
            20,
            ["Pobjednik", "Winner", "Pobjednik", "Победник"],
            ["Pobj.", "Winner", "Pobj.", "Поб."],
            Answers::OneTwo,
            &TAG_MAIN,
        ),
        in_match::SET_SCORE => KindSpec::one(
            21,
            [
                "Točan rezultat u setovima",
                "Correct score in sets",
                "Tačan rezultat u setovima",
                "Тачан резултат у сетовима",
            ],
            ["Rezultat", "Score", "Rezultat", "Резултат"],
            Answers::Plain(18, set_score),
            &TAG_SETS,
        )
        .with_margin(0.09),
        in_match::SETS => KindSpec::one(
            22,
            ["Ukupno setova", "Total sets", "Ukupno setova", "Укупно сетова"],
            ["Setovi", "Sets", "Setovi", "Сетови"],
            Answers::UnderOver,
            &TAG_SETS,
        )
        .with_lines(Line::Half, 8),
        in_match::SET_HANDICAP => KindSpec::one(
            23,
            ["Hendikep u setovima", "Set handicap", "Hendikep u setovima", "Хендикеп у сетовима"],
            ["Hend. setova", "Set hcp", "Hend. setova", "Хенд. сетова"],
            Answers::OneTwo,
            &TAG_SETS,
        )
        .with_lines(Line::Handicap, shape.set_handicap_lines),
        in_match::TOTAL => KindSpec::one(
            18,
            if total {
                ["Ukupno poena", "Total points", "Ukupno poena", "Укупно поена"]
            } else {
                ["Ukupno gemova", "Total games", "Ukupno gemova", "Укупно гемова"]
            },
            ["Ukupno", "Total", "Ukupno", "Укупно"],
            Answers::UnderOver,
            &TAG_TOTALS,
        )
        .with_lines(Line::HalfFrom(shape.total.0), shape.total.1),
        in_match::HANDICAP => KindSpec::one(
            24,
            if total {
                ["Hendikep u poenima", "Points handicap", "Hendikep u poenima", "Хендикеп у поенима"]
            } else {
                ["Hendikep u gemovima", "Games handicap", "Hendikep u gemovima", "Хендикеп у гемовима"]
            },
            ["Hendikep", "Handicap", "Hendikep", "Хендикеп"],
            Answers::OneTwo,
            &TAG_TOTALS,
        )
        .with_lines(Line::Handicap, shape.handicap_lines),
        in_match::ODD_EVEN => KindSpec::one(
            25,
            if total {
                ["Poeni par/nepar", "Points odd/even", "Poeni par/nepar", "Поени пар/непар"]
            } else {
                ["Gemovi par/nepar", "Games odd/even", "Gemovi par/nepar", "Гемови пар/непар"]
            },
            ["Par/nepar", "Odd/even", "Par/nepar", "Пар/непар"],
            Answers::OddEven,
            &TAG_TOTALS,
        ),
        in_match::HOME_SET => KindSpec::one(
            26,
            [
                "Domaćin osvaja barem jedan set",
                "Home to win a set",
                "Domaćin osvaja bar jedan set",
                "Домаћин осваја бар један сет",
            ],
            ["1: set", "1: set", "1: set", "1: сет"],
            Answers::YesNo,
            &TAG_SETS,
        ),
        in_match::AWAY_SET => KindSpec::one(
            27,
            [
                "Gost osvaja barem jedan set",
                "Away to win a set",
                "Gost osvaja bar jedan set",
                "Гост осваја бар један сет",
            ],
            ["2: set", "2: set", "2: set", "2: сет"],
            Answers::YesNo,
            &TAG_SETS,
        ),
        in_match::FIRST_AND_MATCH => KindSpec::one(
            28,
            ["Prvi set/pobjednik", "First set/winner", "Prvi set/pobjednik", "Први сет/победник"],
            ["Set/kraj", "Set/match", "Set/kraj", "Сет/крај"],
            Answers::Plain(4, first_and_match),
            &TAG_SETS,
        )
        .with_margin(0.09),
        _ => KindSpec::one(
            29,
            ["Točan broj setova", "Number of sets", "Tačan broj setova", "Тачан број сетова"],
            ["Broj setova", "No. of sets", "Broj setova", "Бр. сетова"],
            Answers::Plain(6, number_of_sets),
            &TAG_SETS,
        )
        .with_margin(0.08),
    }
}

/// A row about a set, from 0.
pub const fn set_row(set: usize, kind: u16, unit: Unit, shape: &Shape) -> KindSpec {
    let (number, tags) = (set_number(set, kind), &TAGS_OF_SETS[set]);
    match kind {
        in_set::WINNER => KindSpec::one(number, SET_WINNER[set], SET[set], Answers::OneTwo, tags),
        in_set::TOTAL => {
            let name = if matches!(unit, Unit::Points) { SET_POINTS[set] } else { SET_GAMES[set] };
            let short = ["Ukupno", "Total", "Ukupno", "Укупно"];
            KindSpec::one(number, name, short, Answers::UnderOver, tags)
                .with_lines(Line::HalfFrom(shape.set_total.0), shape.set_total.1)
        }
        in_set::HANDICAP => {
            let short = ["Hendikep", "Handicap", "Hendikep", "Хендикеп"];
            KindSpec::one(number, SET_HANDICAP[set], short, Answers::OneTwo, tags)
                .with_lines(Line::Handicap, shape.set_handicap)
        }
        _ => {
            let short = ["Par/nepar", "Odd/even", "Par/nepar", "Пар/непар"];
            KindSpec::one(number, SET_ODD_EVEN[set], short, Answers::OddEven, tags)
        }
    }
}

/// The number in the offer of a kind about a set.
pub const fn set_number(set: usize, kind: u16) -> i64 {
    (set as i64 + 1) * 100 + kind as i64
}

fn set_score(place: u16) -> String {
    let places =
        (2..=4_u8).flat_map(|need| (0..need).flat_map(move |less| [[need, less], [less, need]].map(|s| (need, s))));
    let found = places.into_iter().find(|(need, score)| set_score_place(*need, *score) == place);
    found.map(|(_, [home, away])| format!("{home}:{away}")).unwrap_or_default()
}

fn first_and_match(place: u16) -> String {
    format!("{}/{}", place / 2 + 1, place % 2 + 1)
}

fn number_of_sets(place: u16) -> String {
    (place + 2).to_string()
}

/// The headings of a column of two sides.
pub static ONE_TWO: [Quad; 2] = [["1"; 4], ["2"; 4]];
/// The headings of a column of totals.
pub static UNDER_OVER: [Quad; 2] = [["Manje", "Under", "Manje", "Мање"], ["Više", "Over", "Više", "Више"]];

/// For each status the kind of the current set; before the match, of the first set. `N` is the maximum number of sets
/// plus 1.
pub const fn by_set<const N: usize>(blocks: &Blocks, kind: u16) -> [(u16, &'static str); N] {
    const STATUSES: [&str; 8] = ["not_started", "set_1", "set_2", "set_3", "set_4", "set_5", "set_6", "set_7"];
    let mut all = [(blocks.place(0, kind), STATUSES[0]); N];
    let mut at = 1;
    while at < N {
        all[at] = (blocks.place(at - 1, kind), STATUSES[at]);
        at += 1;
    }
    all
}

/// The columns about the match: winner, total, handicap.
pub const fn match_columns(unit: Unit) -> [Column; 3] {
    let column = Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: &ONE_TWO,
        markets: &[(in_match::WINNER, "")],
        format: "",
        hidden: false,
    };
    let total = match unit {
        Unit::Points => ["Ukupno poena", "Total points", "Ukupno poena", "Укупно поена"],
        Unit::Games => ["Ukupno gemova", "Total games", "Ukupno gemova", "Укупно гемова"],
    };
    let handicap = ["Hendikep", "Handicap", "Hendikep", "Хендикеп"];
    [
        column,
        Column { name: total, fields: &UNDER_OVER, markets: &[(in_match::TOTAL, "")], format: "{sbv}", ..column },
        Column { name: handicap, markets: &[(in_match::HANDICAP, "")], format: "{+sbv}", ..column },
    ]
}
