//! The kinds of markets of tennis: those of all sports with sets, six more about the match and ten more about each set.
//! Indexes must never change, because bets refer to them.
//!
//! | numbers | kinds |
//! |---|---|
//! | 30, 31 | games of home, of away |
//! | 32 to 35 | a tie-break, number of tie-breaks, a set to nil, next point |
//! | 104 to 108 | of the first set: score, a tie-break, winner of a game, its score, whether it comes to deuce |
//! | 109 to 113 | of the first set: winner of the tie-break, its points, games of home, of away, race to games |
//! | 204 … | of the second set … |

use super::super::sets::kinds::{
    Blocks, Shape, TAG_MAIN, TAG_SETS, TAG_TOTALS, TAGS_OF_SETS, Unit, by_set, in_match as common_match,
    in_set as common, match_columns, match_row, of_each_set, set_number, set_row,
};
use super::super::sport::Column;
use super::set::score_at;
use crate::pricing::kind::{Answers, KindSpec, Line};

/// Indexes of the kinds about the match, after the common ones.
pub mod in_match {
    use super::common_match;
    /// How many games home has.
    pub const HOME_GAMES: u16 = common_match::KINDS;
    /// How many games away has.
    pub const AWAY_GAMES: u16 = common_match::KINDS + 1;
    /// Whether there is a tie-break.
    pub const TIE_BREAK: u16 = common_match::KINDS + 2;
    /// How many tie-breaks there are.
    pub const TIE_BREAKS: u16 = common_match::KINDS + 3;
    /// Whether a set is won to nil.
    pub const TO_NIL: u16 = common_match::KINDS + 4;
    /// The winner of a point, by its number in the match.
    pub const POINT: u16 = common_match::KINDS + 5;
    /// How many kinds are about the match.
    pub const KINDS: u16 = common_match::KINDS + 6;
}

/// Indexes of the kinds about a set, after the common ones.
pub mod in_set {
    use super::common;
    /// The set's score.
    pub const SCORE: u16 = common::KINDS;
    /// Whether it has a tie-break.
    pub const TIE_BREAK: u16 = common::KINDS + 1;
    /// The winner of a game, by its number.
    pub const GAME: u16 = common::KINDS + 2;
    /// The winner of the game, and the loser's points.
    pub const GAME_SCORE: u16 = common::KINDS + 3;
    /// Whether it comes to deuce.
    pub const DEUCE: u16 = common::KINDS + 4;
    /// The winner of the tie-break.
    pub const TIE_BREAK_WINNER: u16 = common::KINDS + 5;
    /// How many points the tie-break has.
    pub const TIE_BREAK_POINTS: u16 = common::KINDS + 6;
    /// How many games home has.
    pub const HOME_GAMES: u16 = common::KINDS + 7;
    /// How many games away has.
    pub const AWAY_GAMES: u16 = common::KINDS + 8;
    /// The first player with a number of games.
    pub const FIRST_TO: u16 = common::KINDS + 9;
    /// How many kinds a set has.
    pub const KINDS: u16 = common::KINDS + 10;
}

/// The most sets a match can have.
const SETS: usize = 5;
/// The position of the kinds about sets in the table.
pub const BLOCKS: Blocks = Blocks { first: in_match::KINDS, kinds: in_set::KINDS };
/// The lines.
pub const SHAPE: Shape =
    Shape { total: (12, 50), handicap_lines: 36, set_handicap_lines: 8, set_total: (6, 7), set_handicap: 12 };
/// The total of a tie-break's points begins at this and a half.
pub const TIE_BREAK_POINTS_FROM: u16 = 7;

const COUNT: usize = in_match::KINDS as usize + SETS * in_set::KINDS as usize;

/// The table.
pub static KINDS: [KindSpec; COUNT] = {
    let mut all = [match_row(common_match::WINNER, Unit::Games, &SHAPE); COUNT];
    let mut at = 0;
    while at < COUNT {
        let kind = at as u16;
        all[at] = if kind < common_match::KINDS {
            match_row(kind, Unit::Games, &SHAPE)
        } else if kind < BLOCKS.first {
            own_match_row(kind)
        } else {
            let within = kind - BLOCKS.first;
            own_set_row((within / BLOCKS.kinds) as usize, within % BLOCKS.kinds)
        };
        at += 1;
    }
    all
};

const fn own_match_row(kind: u16) -> KindSpec {
    match kind {
        in_match::HOME_GAMES => KindSpec::one(
            30,
            ["Gemovi 1. igrača", "Player 1 games", "Gemovi 1. igrača", "Гемови 1. играча"],
            ["1: gemovi", "1: games", "1: gemovi", "1: гемови"],
            Answers::UnderOver,
            &TAG_TOTALS,
        )
        .with_lines(Line::Half, 34),
        in_match::AWAY_GAMES => KindSpec::one(
            31,
            ["Gemovi 2. igrača", "Player 2 games", "Gemovi 2. igrača", "Гемови 2. играча"],
            ["2: gemovi", "2: games", "2: gemovi", "2: гемови"],
            Answers::UnderOver,
            &TAG_TOTALS,
        )
        .with_lines(Line::Half, 34),
        in_match::TIE_BREAK => KindSpec::one(
            32,
            ["Tie-break u meču", "Tie-break in the match", "Tie-break u meču", "Тај-брејк у мечу"],
            ["Tie-break", "Tie-break", "Tie-break", "Тај-брејк"],
            Answers::YesNo,
            &TAG_SETS,
        ),
        in_match::TIE_BREAKS => KindSpec::one(
            33,
            ["Ukupno tie-breakova", "Total tie-breaks", "Ukupno tie-breakova", "Укупно тај-брејкова"],
            ["Tie-breakovi", "Tie-breaks", "Tie-breakovi", "Тај-брејкови"],
            Answers::UnderOver,
            &TAG_SETS,
        )
        .with_lines(Line::Half, 5),
        in_match::TO_NIL => KindSpec::one(
            34,
            ["Set do nule", "Any set to nil", "Set do nule", "Сет до нуле"],
            ["Set 6:0", "Set 6:0", "Set 6:0", "Сет 6:0"],
            Answers::YesNo,
            &TAG_SETS,
        ),
        _ => KindSpec::one(
            35,
            ["Sljedeći poen", "Next point", "Sljedeći poen", "Следећи поен"],
            ["Poen", "Point", "Poen", "Поен"],
            Answers::OneTwo,
            &TAG_MAIN,
        )
        .with_lines(Line::Ordinal, 300),
    }
}

of_each_set! {
    SCORE: [": točan rezultat", ": correct score", ": tačan rezultat", ": тачан резултат"];
    TIE_BREAK: [": tie-break", ": tie-break", ": tie-break", ": тај-брејк"];
    GAME: [": pobjednik gema", ": game winner", ": pobjednik gema", ": победник гема"];
    GAME_SCORE: [": rezultat gema", ": game score", ": rezultat gema", ": резултат гема"];
    DEUCE: [": gem do izjednačenja", ": game to deuce", ": gem do izjednačenja", ": гем до изједначења"];
    TIE_BREAK_WINNER: [": pobjednik tie-breaka", ": tie-break winner", ": pobjednik tie-breaka", ": победник тај-брејка"];
    TIE_BREAK_POINTS: [": poeni tie-breaka", ": tie-break points", ": poeni tie-breaka", ": поени тај-брејка"];
    HOME_GAMES: [": gemovi 1. igrača", ": player 1 games", ": gemovi 1. igrača", ": гемови 1. играча"];
    AWAY_GAMES: [": gemovi 2. igrača", ": player 2 games", ": gemovi 2. igrača", ": гемови 2. играча"];
    FIRST_TO: [": gemovi, utrka do", ": games, race to", ": gemovi, trka do", ": гемови, трка до"];
}

const fn own_set_row(set: usize, kind: u16) -> KindSpec {
    let (number, tags) = (set_number(set, kind), &TAGS_OF_SETS[set]);
    match kind {
        in_set::SCORE => {
            let short = ["Rezultat", "Score", "Rezultat", "Резултат"];
            KindSpec::one(number, SCORE[set], short, Answers::Plain(14, score), tags).with_margin(0.1)
        }
        in_set::TIE_BREAK => {
            let short = ["Tie-break", "Tie-break", "Tie-break", "Тај-брејк"];
            KindSpec::one(number, TIE_BREAK[set], short, Answers::YesNo, tags)
        }
        in_set::GAME => {
            let short = ["Gem", "Game", "Gem", "Гем"];
            KindSpec::one(number, GAME[set], short, Answers::OneTwo, tags).with_lines(Line::Ordinal, 13)
        }
        in_set::GAME_SCORE => {
            let short = ["Rez. gema", "Game score", "Rez. gema", "Рез. гема"];
            KindSpec::one(number, GAME_SCORE[set], short, Answers::Plain(8, game_score), tags)
                .with_lines(Line::Ordinal, 13)
                .with_margin(0.09)
        }
        in_set::DEUCE => {
            let short = ["40:40", "Deuce", "40:40", "40:40"];
            KindSpec::one(number, DEUCE[set], short, Answers::YesNo, tags).with_lines(Line::Ordinal, 13)
        }
        in_set::TIE_BREAK_WINNER => {
            let short = ["Tie-break", "Tie-break", "Tie-break", "Тај-брејк"];
            KindSpec::one(number, TIE_BREAK_WINNER[set], short, Answers::OneTwo, tags)
        }
        in_set::TIE_BREAK_POINTS => {
            let short = ["Poeni", "Points", "Poeni", "Поени"];
            KindSpec::one(number, TIE_BREAK_POINTS[set], short, Answers::UnderOver, tags)
                .with_lines(Line::HalfFrom(TIE_BREAK_POINTS_FROM), 20)
        }
        in_set::HOME_GAMES => {
            let short = ["1: gemovi", "1: games", "1: gemovi", "1: гемови"];
            KindSpec::one(number, HOME_GAMES[set], short, Answers::UnderOver, tags).with_lines(Line::Half, 7)
        }
        in_set::AWAY_GAMES => {
            let short = ["2: gemovi", "2: games", "2: gemovi", "2: гемови"];
            KindSpec::one(number, AWAY_GAMES[set], short, Answers::UnderOver, tags).with_lines(Line::Half, 7)
        }
        in_set::FIRST_TO => {
            let short = ["Utrka", "Race", "Trka", "Трка"];
            KindSpec::one(number, FIRST_TO[set], short, Answers::OneTwo, tags).with_lines(Line::Ordinal, 5)
        }
        _ => set_row(set, kind, Unit::Games, &SHAPE),
    }
}

fn score(place: u16) -> String {
    let [home, away] = score_at(place);
    format!("{home}:{away}")
}

/// A game's winner, and the loser's points; 40 means after deuce.
fn game_score(place: u16) -> String {
    format!("{} (:{})", place / 4 + 1, ["0", "15", "30", "40"][usize::from(place % 4)])
}

static WINNERS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::WINNER);
static GAMES: [(u16, &str); SETS + 1] = by_set(&BLOCKS, in_set::GAME);
static SET_TOTALS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::TOTAL);

/// The columns: those about the match, then the running set's winner and total, the running game, the next point.
pub static COLUMNS: [Column; 7] = {
    let [winner, total, handicap] = match_columns(Unit::Games);
    let set_total = ["Set: ukupno gemova", "Set: total games", "Set: ukupno gemova", "Сет: укупно гемова"];
    let point = ["Sljedeći poen", "Next point", "Sljedeći poen", "Следећи поен"];
    [
        winner,
        Column { name: ["Set", "Set", "Set", "Сет"], markets: &WINNERS, ..winner },
        Column { name: ["Gem", "Game", "Gem", "Гем"], markets: &GAMES, ..winner },
        total,
        handicap,
        Column { name: set_total, markets: &SET_TOTALS, ..total },
        Column { name: point, markets: &[(in_match::POINT, "")], ..winner },
    ]
};
