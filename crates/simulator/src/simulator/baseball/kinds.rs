//! The table of baseball's kinds of markets, and their indexes by name. Runs of extra innings count if the name says
//! so. Indexes must never change, because bets refer to them.

use crate::pricing::kind::{Answers, KindSpec, Line, Quad};
use crate::simulator::points::words::{MAIN, POINTS, margin_answers};

/// The winner, extra innings included.
pub const WINNER: u16 = 0;
/// Runs of both, extra innings included.
pub const TOTAL: u16 = 1;
/// Handicaps, extra innings included.
pub const HANDICAP: u16 = 2;
/// The side that scores the next run.
pub const NEXT_RUN: u16 = 3;
/// The side that leads after nine innings.
pub const NINE: u16 = 4;
/// Runs of home …
pub const HOME_TOTAL: u16 = 5;
/// … and away.
pub const AWAY_TOTAL: u16 = 6;
/// Runs odd or even.
pub const ODD_EVEN: u16 = 7;
/// The winner and the margin.
pub const MARGIN: u16 = 8;
/// Whether there are extra innings.
pub const EXTRA: u16 = 9;
/// The side that leads after five innings.
pub const FIVE: u16 = 10;
/// Runs in five innings.
pub const FIVE_TOTAL: u16 = 11;
/// Handicaps of five innings.
pub const FIVE_HANDICAP: u16 = 12;
/// The side that leads after five innings; a draw is void.
pub const FIVE_NO_DRAW: u16 = 13;
/// Runs in five innings odd or even.
pub const FIVE_ODD_EVEN: u16 = 14;
/// Runs of home in five innings …
pub const FIVE_HOME: u16 = 15;
/// … and of away.
pub const FIVE_AWAY: u16 = 16;
/// The winner of an inning.
pub const INNING: u16 = 17;
/// Whether there is a run in an inning.
pub const INNING_RUN: u16 = 18;
/// Runs in a half-inning.
pub const HALF_RUNS: u16 = 19;
/// How the next batter fares.
pub const BATTER: u16 = 20;

/// The number of innings with a market on the winner. The ninth has none, because home may not bat in it.
pub const WHOLE_INNINGS: usize = 8;
/// Bands of a margin.
pub const MARGINS: &[i64] = &[1, 3];

const FIVE_TAG: Quad = ["3.Prvih 5 izmjena", "3.First 5 innings", "3.Prvih 5 ininga", "3.Првих 5 ининга"];
const INNING_TAG: Quad = ["4.Izmjene", "4.Innings", "4.Ininzi", "4.Ининзи"];

/// The table.
pub static KINDS: [KindSpec; 21] = [
    KindSpec::one(
        60,
        [
            "Pobjednik (s dodatnim izmjenama)",
            "Winner (incl. extra innings)",
            "Pobjednik (s dodatnim ininzima)",
            "Победник (са додатним ининзима)",
        ],
        ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        Answers::OneTwo,
        &[MAIN],
    )
    .with_margin(0.05),
    KindSpec::one(
        18,
        [
            "Ukupno poena (s dodatnim izmjenama)",
            "Total runs (incl. extra innings)",
            "Ukupno poena (s dodatnim ininzima)",
            "Укупно поена (са додатним ининзима)",
        ],
        ["Poeni", "Runs", "Poeni", "Поени"],
        Answers::UnderOver,
        &[MAIN, POINTS],
    )
    .with_lines(Line::Half, 50),
    KindSpec::one(
        9,
        [
            "Hendikep (s dodatnim izmjenama)",
            "Run line (incl. extra innings)",
            "Hendikep (s dodatnim ininzima)",
            "Хендикеп (са додатним ининзима)",
        ],
        ["Hend.", "Run line", "Hend.", "Хенд."],
        Answers::OneTwo,
        &[MAIN],
    )
    .with_lines(Line::Handicap, 50),
    KindSpec::one(
        7,
        ["Tko postiže poen broj", "Team to score run number", "Ko postiže poen broj", "Ко постиже поен број"],
        ["Sljedeći", "Next run", "Sljedeći", "Следећи"],
        Answers::OneNoneTwo,
        &[MAIN],
    )
    .with_lines(Line::Ordinal, 60),
    KindSpec::one(
        1,
        ["Ishod nakon 9 izmjena", "Result after 9 innings", "Ishod nakon 9 ininga", "Исход након 9 ининга"],
        ["1X2", "1X2", "1X2", "1Х2"],
        Answers::OneXTwo,
        &[MAIN],
    ),
    KindSpec::one(
        19,
        [
            "Poeni domaćina (s dodatnim izmjenama)",
            "Home total runs (incl. extra innings)",
            "Poeni domaćina (s dodatnim ininzima)",
            "Поени домаћина (са додатним ининзима)",
        ],
        ["Poeni dom.", "Home runs", "Poeni dom.", "Поени дом."],
        Answers::UnderOver,
        &[POINTS],
    )
    .with_lines(Line::Half, 40),
    KindSpec::one(
        20,
        [
            "Poeni gosta (s dodatnim izmjenama)",
            "Away total runs (incl. extra innings)",
            "Poeni gosta (s dodatnim ininzima)",
            "Поени госта (са додатним ининзима)",
        ],
        ["Poeni gost", "Away runs", "Poeni gost", "Поени гост"],
        Answers::UnderOver,
        &[POINTS],
    )
    .with_lines(Line::Half, 40),
    KindSpec::one(
        12,
        [
            "Poeni par/nepar (s dodatnim izmjenama)",
            "Runs odd/even (incl. extra innings)",
            "Poeni par/nepar (s dodatnim ininzima)",
            "Поени пар/непар (са додатним ининзима)",
        ],
        ["Par/nepar", "Odd/even", "Par/nepar", "Пар/непар"],
        Answers::OddEven,
        &[POINTS],
    ),
    KindSpec::one(
        100,
        [
            "Razlika pobjede (s dodatnim izmjenama)",
            "Winning margin (incl. extra innings)",
            "Razlika pobjede (s dodatnim ininzima)",
            "Разлика победе (са додатним ининзима)",
        ],
        ["Razlika", "Margin", "Razlika", "Разлика"],
        margin_answers!(["1", "1"; "2-3", "2_3"; "4+", "4"]),
        &[POINTS],
    )
    .with_margin(0.09),
    KindSpec::one(
        61,
        ["Igraju se dodatne izmjene", "Extra innings played", "Igraju se dodatni ininzi", "Играју се додатни ининзи"],
        ["Dodatne", "Extra", "Dodatni", "Додатни"],
        Answers::YesNo,
        &[INNING_TAG],
    ),
    KindSpec::one(
        130,
        ["Ishod prvih 5 izmjena", "First 5 innings result", "Ishod prvih 5 ininga", "Исход првих 5 ининга"],
        ["1X2 5 izm.", "F5 1X2", "1X2 5 in.", "1Х2 5 ин."],
        Answers::OneXTwo,
        &[FIVE_TAG],
    ),
    KindSpec::one(
        131,
        ["Poeni u prvih 5 izmjena", "First 5 innings runs", "Poeni u prvih 5 ininga", "Поени у првих 5 ининга"],
        ["Poeni 5 izm.", "F5 runs", "Poeni 5 in.", "Поени 5 ин."],
        Answers::UnderOver,
        &[FIVE_TAG, POINTS],
    )
    .with_lines(Line::Half, 35),
    KindSpec::one(
        132,
        ["Hendikep prvih 5 izmjena", "First 5 innings run line", "Hendikep prvih 5 ininga", "Хендикеп првих 5 ининга"],
        ["Hend. 5 izm.", "F5 line", "Hend. 5 in.", "Хенд. 5 ин."],
        Answers::OneTwo,
        &[FIVE_TAG],
    )
    .with_lines(Line::Handicap, 36),
    KindSpec::one(
        133,
        [
            "Pobjednik prvih 5 izmjena (neriješeno: povrat uloga)",
            "First 5 innings draw no bet",
            "Pobjednik prvih 5 ininga (neriješeno: povrat uloga)",
            "Победник првих 5 ининга (нерешено: повраћај улога)",
        ],
        ["Bez X 5 izm.", "F5 DNB", "Bez X 5 in.", "Без Х 5 ин."],
        Answers::OneTwo,
        &[FIVE_TAG],
    ),
    KindSpec::one(
        134,
        [
            "Poeni prvih 5 izmjena par/nepar",
            "First 5 innings runs odd/even",
            "Poeni prvih 5 ininga par/nepar",
            "Поени првих 5 ининга пар/непар",
        ],
        ["P/N 5 izm.", "F5 O/E", "P/N 5 in.", "П/Н 5 ин."],
        Answers::OddEven,
        &[FIVE_TAG],
    ),
    KindSpec::one(
        135,
        [
            "Poeni domaćina u prvih 5 izmjena",
            "First 5 innings home runs",
            "Poeni domaćina u prvih 5 ininga",
            "Поени домаћина у првих 5 ининга",
        ],
        ["Dom. 5 izm.", "F5 home", "Dom. 5 in.", "Дом. 5 ин."],
        Answers::UnderOver,
        &[FIVE_TAG],
    )
    .with_lines(Line::Half, 30),
    KindSpec::one(
        136,
        [
            "Poeni gosta u prvih 5 izmjena",
            "First 5 innings away runs",
            "Poeni gosta u prvih 5 ininga",
            "Поени госта у првих 5 ининга",
        ],
        ["Gost 5 izm.", "F5 away", "Gost 5 in.", "Гост 5 ин."],
        Answers::UnderOver,
        &[FIVE_TAG],
    )
    .with_lines(Line::Half, 30),
    KindSpec::one(
        137,
        ["Ishod izmjene", "Inning result", "Ishod ininga", "Исход ининга"],
        ["Izmjena", "Inning", "Ining", "Ининг"],
        Answers::OneXTwo,
        &[INNING_TAG],
    )
    .with_lines(Line::Ordinal, WHOLE_INNINGS as u16),
    KindSpec::one(
        138,
        ["Poen u izmjeni", "A run in inning", "Poen u iningu", "Поен у инингу"],
        ["Poen u izm.", "Inning run", "Poen u in.", "Поен у ин."],
        Answers::YesNo,
        &[INNING_TAG],
    )
    .with_lines(Line::Ordinal, WHOLE_INNINGS as u16),
    KindSpec::one(
        139,
        ["Poeni u poluizmjeni", "Runs in half-inning", "Poeni u poluiningu", "Поени у полуинингу"],
        ["Poluizmjena", "Half-inning", "Poluining", "Полуининг"],
        Answers::Plain(4, runs_text),
        &[INNING_TAG],
    )
    // The ninth's first half is the last one that is always played.
    .with_lines(Line::Text(half_text), 2 * WHOLE_INNINGS as u16 + 1)
    .with_margin(0.08),
    KindSpec::one(
        140,
        ["Sljedeći udarač", "Next batter", "Sljedeći udarač", "Следећи ударач"],
        ["Udarač", "Batter", "Udarač", "Ударач"],
        Answers::Words(&[
            (["Isključen", "Out", "Isključen", "Искључен"], "out"),
            (["Besplatna baza", "Walk", "Besplatna baza", "Бесплатна база"], "walk"),
            (["Udarac", "Hit", "Udarac", "Ударац"], "hit"),
            (["Home run", "Home run", "Home run", "Хоум ран"], "home_run"),
        ]),
        &[MAIN, INNING_TAG],
    )
    .with_lines(Line::Ordinal, 170)
    .with_margin(0.09),
];

fn runs_text(place: u16) -> String {
    if place == 3 { "3+".to_owned() } else { place.to_string() }
}

/// `▲5` is the half-inning in which away bats, `▼5` home's.
fn half_text(line: u16) -> String {
    let half = if line.is_multiple_of(2) { '▲' } else { '▼' };
    format!("{half}{}", line / 2 + 1)
}
