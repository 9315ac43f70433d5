//! Table rows that several sports share: questions with their names. In sports with overtime the name says whether
//! overtime counts.

use super::question::{Part, Question, Scope};
use super::rules::Row;
use crate::pricing::kind::{Answers, KindSpec, Line, Quad};

/// The group of the main markets.
pub const MAIN: Quad = ["1.Glavno", "1.Main", "1.Glavno", "1.Главно"];
/// The group of points.
pub const POINTS: Quad = ["2.Poeni", "2.Points", "2.Poeni", "2.Поени"];
/// The group of handicaps.
pub const HANDICAP: Quad = ["3.Hendikep", "3.Handicap", "3.Hendikep", "3.Хендикеп"];
/// The group of halves.
pub const HALVES: Quad = ["4.Poluvrijeme", "4.Halves", "4.Poluvrijeme", "4.Полувреме"];
/// The group of quarters.
pub const QUARTERS: Quad = ["5.Četvrtine", "5.Quarters", "5.Četvrtine", "5.Четвртине"];
/// The group of races and next scores.
pub const RACES: Quad = ["6.Tijek igre", "6.Play", "6.Tok igre", "6.Ток игре"];
/// The group of what does not fit elsewhere.
pub const SPECIAL: Quad = ["7.Posebno", "7.Specials", "7.Posebno", "7.Посебно"];

/// A row as a sport calls it.
pub const fn row(asks: Question, number: i64, name: Quad, short: Quad, answers: Answers, tags: &'static [Quad]) -> Row {
    Row { asks, spec: KindSpec::one(number, name, short, answers, tags) }
}

impl Row {
    /// The same with lines.
    pub const fn with_lines(self, line: Line, lines: u16) -> Row {
        Row { spec: self.spec.with_lines(line, lines), ..self }
    }

    /// The same with another margin.
    pub const fn with_margin(self, margin: f64) -> Row {
        Row { spec: self.spec.with_margin(margin), ..self }
    }
}

/// The winner, with overtime.
pub const fn winner() -> Row {
    let name = [
        "Pobjednik (s produžecima)",
        "Winner (incl. overtime)",
        "Pobjednik (s produžecima)",
        "Победник (са продужецима)",
    ];
    let short = ["Pobjednik", "Winner", "Pobjednik", "Победник"];
    row(Question::Winner, 60, name, short, Answers::OneTwo, &[MAIN]).with_margin(0.05)
}

/// The result after regular time.
pub const fn result(scope: Scope) -> Row {
    let name = [
        "Konačni ishod (regularni dio)",
        "Result (regular time)",
        "Konačan ishod (regularni dio)",
        "Коначан исход (регуларни део)",
    ];
    row(Question::Result(scope), 1, name, ["1X2", "1X2", "1X2", "1Х2"], Answers::OneXTwo, &[MAIN])
}

/// Two of three after regular time.
pub const fn double_chance(scope: Scope) -> Row {
    let name = [
        "Dvostruka šansa (regularni dio)",
        "Double chance (regular time)",
        "Dvostruka šansa (regularni dio)",
        "Двострука шанса (регуларни део)",
    ];
    row(Question::DoubleChance(scope), 2, name, ["DŠ", "DC", "DŠ", "ДШ"], Answers::DoubleChance, &[MAIN])
}

/// The winner after regular time; a draw is void.
pub const fn draw_no_bet(scope: Scope) -> Row {
    let name = [
        "Pobjednik regularnog dijela (neriješeno: povrat uloga)",
        "Draw no bet (regular time)",
        "Pobjednik regularnog dijela (neriješeno: povrat uloga)",
        "Победник регуларног дела (нерешено: повраћај улога)",
    ];
    row(Question::DrawNoBet(scope), 3, name, ["Bez X", "DNB", "Bez X", "Без Х"], Answers::OneTwo, &[MAIN])
}

/// Points of both, overtime included.
pub const fn total_match() -> Row {
    let name = [
        "Ukupno poena (s produžecima)",
        "Total points (incl. overtime)",
        "Ukupno poena (s produžecima)",
        "Укупно поена (са продужецима)",
    ];
    row(Question::Total(Scope::Match), 18, name, POENI, Answers::UnderOver, &[MAIN, POINTS])
}

/// Points of both in regular time.
pub const fn total_regular(scope: Scope) -> Row {
    let name = [
        "Ukupno poena (regularni dio)",
        "Total points (regular time)",
        "Ukupno poena (regularni dio)",
        "Укупно поена (регуларни део)",
    ];
    row(Question::Total(scope), 18, name, POENI, Answers::UnderOver, &[MAIN, POINTS])
}

const POENI: Quad = ["Poeni", "Points", "Poeni", "Поени"];

/// Points of a side, overtime included.
pub const fn side_match(side: usize) -> Row {
    let home = [
        "Poeni domaćina (s produžecima)",
        "Home total points (incl. overtime)",
        "Poeni domaćina (s produžecima)",
        "Поени домаћина (са продужецима)",
    ];
    let away = [
        "Poeni gosta (s produžecima)",
        "Away total points (incl. overtime)",
        "Poeni gosta (s produžecima)",
        "Поени госта (са продужецима)",
    ];
    side_row(Scope::Match, side, home, away)
}

/// Points of a side in regular time.
pub const fn side_regular(scope: Scope, side: usize) -> Row {
    let home = [
        "Poeni domaćina (regularni dio)",
        "Home total points (regular time)",
        "Poeni domaćina (regularni dio)",
        "Поени домаћина (регуларни део)",
    ];
    let away = [
        "Poeni gosta (regularni dio)",
        "Away total points (regular time)",
        "Poeni gosta (regularni dio)",
        "Поени госта (регуларни део)",
    ];
    side_row(scope, side, home, away)
}

const fn side_row(scope: Scope, side: usize, home: Quad, away: Quad) -> Row {
    let asks = Question::SideTotal(scope, side);
    let short = ["Poeni dom.", "Home points", "Poeni dom.", "Поени дом."];
    let short_away = ["Poeni gost", "Away points", "Poeni gost", "Поени гост"];
    match side {
        0 => row(asks, 19, home, short, Answers::UnderOver, &[POINTS]),
        _ => row(asks, 20, away, short_away, Answers::UnderOver, &[POINTS]),
    }
}

const HEND: Quad = ["Hend.", "Hcp", "Hend.", "Хенд."];

/// Handicaps, overtime included.
pub const fn handicap_match() -> Row {
    let name = [
        "Hendikep (s produžecima)",
        "Handicap (incl. overtime)",
        "Hendikep (s produžecima)",
        "Хендикеп (са продужецима)",
    ];
    row(Question::Handicap(Scope::Match), 9, name, HEND, Answers::OneTwo, &[MAIN, HANDICAP])
}

/// Handicaps in regular time.
pub const fn handicap_regular(scope: Scope) -> Row {
    let name =
        ["Hendikep (regularni dio)", "Handicap (regular time)", "Hendikep (regularni dio)", "Хендикеп (регуларни део)"];
    row(Question::Handicap(scope), 9, name, HEND, Answers::OneTwo, &[MAIN, HANDICAP])
}

/// Points odd or even; of all of the match overtime counts.
pub const fn odd_even(scope: Scope) -> Row {
    let short = ["Par/nepar", "Odd/even", "Par/nepar", "Пар/непар"];
    let name = match scope {
        Scope::Match => [
            "Poeni par/nepar (s produžecima)",
            "Points odd/even (incl. overtime)",
            "Poeni par/nepar (s produžecima)",
            "Поени пар/непар (са продужецима)",
        ],
        Scope::Part(_) => [
            "Poeni par/nepar (regularni dio)",
            "Points odd/even (regular time)",
            "Poeni par/nepar (regularni dio)",
            "Поени пар/непар (регуларни део)",
        ],
    };
    row(Question::OddEven(scope), 12, name, short, Answers::OddEven, &[POINTS])
}

/// The winner and the margin; for the whole match overtime counts.
pub const fn margin(scope: Scope, bands: &'static [i64], answers: Answers) -> Row {
    let short = ["Razlika", "Margin", "Razlika", "Разлика"];
    let name = match scope {
        Scope::Match => [
            "Razlika pobjede (s produžecima)",
            "Winning margin (incl. overtime)",
            "Razlika pobjede (s produžecima)",
            "Разлика победе (са продужецима)",
        ],
        Scope::Part(_) => [
            "Razlika pobjede (regularni dio)",
            "Winning margin (regular time)",
            "Razlika pobjede (regularni dio)",
            "Разлика победе (регуларни део)",
        ],
    };
    row(Question::Margin(scope, bands), 100, name, short, answers, &[HANDICAP]).with_margin(0.1)
}

/// Half-time and full-time result.
pub const fn half_full(first: Part, all: Part) -> Row {
    let name = [
        "Poluvrijeme/kraj (regularni dio)",
        "Half-time/full-time (regular time)",
        "Poluvrijeme/kraj (regularni dio)",
        "Полувреме/крај (регуларни део)",
    ];
    let short = ["Pol./kraj", "HT/FT", "Pol./kraj", "Пол./крај"];
    let answers = Answers::Plain(9, half_full_text);
    row(Question::HalfFull(first, all), 6, name, short, answers, &[HALVES]).with_margin(0.1)
}

fn half_full_text(place: u16) -> String {
    const SIGNS: [&str; 3] = ["1", "X", "2"];
    format!("{}/{}", SIGNS[usize::from(place / 3 % 3)], SIGNS[usize::from(place % 3)])
}

/// The winner of the first or the second half.
pub const fn half_result(scope: Scope, half: usize) -> Row {
    match half {
        0 => row(
            Question::Result(scope),
            4,
            ["Ishod prvog poluvremena", "First-half result", "Ishod prvog poluvremena", "Исход првог полувремена"],
            ["1. pol.", "1st half", "1. pol.", "1. пол."],
            Answers::OneXTwo,
            &[HALVES],
        ),
        _ => row(
            Question::Result(scope),
            5,
            [
                "Ishod drugog poluvremena (bez produžetaka)",
                "Second-half result (regular time)",
                "Ishod drugog poluvremena (bez produžetaka)",
                "Исход другог полувремена (без продужетака)",
            ],
            ["2. pol.", "2nd half", "2. pol.", "2. пол."],
            Answers::OneXTwo,
            &[HALVES],
        ),
    }
}

/// Points in the first or the second half.
pub const fn half_total(scope: Scope, half: usize) -> Row {
    match half {
        0 => row(
            Question::Total(scope),
            21,
            [
                "Poeni u prvom poluvremenu",
                "First-half points",
                "Poeni u prvom poluvremenu",
                "Поени у првом полувремену",
            ],
            ["Poeni 1. pol.", "1H points", "Poeni 1. pol.", "Поени 1. пол."],
            Answers::UnderOver,
            &[HALVES, POINTS],
        ),
        _ => row(
            Question::Total(scope),
            22,
            [
                "Poeni u drugom poluvremenu (bez produžetaka)",
                "Second-half points (regular time)",
                "Poeni u drugom poluvremenu (bez produžetaka)",
                "Поени у другом полувремену (без продужетака)",
            ],
            ["Poeni 2. pol.", "2H points", "Poeni 2. pol.", "Поени 2. пол."],
            Answers::UnderOver,
            &[HALVES, POINTS],
        ),
    }
}

/// Handicaps of the first half.
pub const fn half_handicap(scope: Scope) -> Row {
    let name = [
        "Hendikep prvog poluvremena",
        "First-half handicap",
        "Hendikep prvog poluvremena",
        "Хендикеп првог полувремена",
    ];
    let short = ["Hend. 1. pol.", "1H hcp", "Hend. 1. pol.", "Хенд. 1. пол."];
    row(Question::Handicap(scope), 101, name, short, Answers::OneTwo, &[HALVES, HANDICAP])
}

/// The winner of a quarter.
pub const fn quarter_result() -> Row {
    let name = ["Ishod četvrtine", "Quarter result", "Ishod četvrtine", "Исход четвртине"];
    let short = ["Četvrtina", "Quarter", "Četvrtina", "Четвртина"];
    row(Question::PeriodResult, 110, name, short, Answers::OneXTwo, &[QUARTERS]).with_lines(Line::Ordinal, 4)
}

/// Points in a quarter, from 0.
pub const fn quarter_total(scope: Scope, quarter: usize) -> Row {
    let (name, short) = match quarter {
        0 => (
            ["Poeni u 1. četvrtini", "1st-quarter points", "Poeni u 1. četvrtini", "Поени у 1. четвртини"],
            ["Poeni 1. čet.", "Q1 points", "Poeni 1. čet.", "Поени 1. чет."],
        ),
        1 => (
            ["Poeni u 2. četvrtini", "2nd-quarter points", "Poeni u 2. četvrtini", "Поени у 2. четвртини"],
            ["Poeni 2. čet.", "Q2 points", "Poeni 2. čet.", "Поени 2. чет."],
        ),
        2 => (
            ["Poeni u 3. četvrtini", "3rd-quarter points", "Poeni u 3. četvrtini", "Поени у 3. четвртини"],
            ["Poeni 3. čet.", "Q3 points", "Poeni 3. čet.", "Поени 3. чет."],
        ),
        _ => (
            ["Poeni u 4. četvrtini", "4th-quarter points", "Poeni u 4. četvrtini", "Поени у 4. четвртини"],
            ["Poeni 4. čet.", "Q4 points", "Poeni 4. čet.", "Поени 4. чет."],
        ),
    };
    row(Question::Total(scope), 111 + quarter as i64, name, short, Answers::UnderOver, &[QUARTERS, POINTS])
}

/// Handicaps of a quarter, from 0.
pub const fn quarter_handicap(scope: Scope, quarter: usize) -> Row {
    let (name, short) = match quarter {
        0 => (
            ["Hendikep 1. četvrtine", "1st-quarter handicap", "Hendikep 1. četvrtine", "Хендикеп 1. четвртине"],
            ["Hend. 1. čet.", "Q1 hcp", "Hend. 1. čet.", "Хенд. 1. чет."],
        ),
        1 => (
            ["Hendikep 2. četvrtine", "2nd-quarter handicap", "Hendikep 2. četvrtine", "Хендикеп 2. четвртине"],
            ["Hend. 2. čet.", "Q2 hcp", "Hend. 2. čet.", "Хенд. 2. чет."],
        ),
        2 => (
            ["Hendikep 3. četvrtine", "3rd-quarter handicap", "Hendikep 3. četvrtine", "Хендикеп 3. четвртине"],
            ["Hend. 3. čet.", "Q3 hcp", "Hend. 3. čet.", "Хенд. 3. чет."],
        ),
        _ => (
            ["Hendikep 4. četvrtine", "4th-quarter handicap", "Hendikep 4. četvrtine", "Хендикеп 4. четвртине"],
            ["Hend. 4. čet.", "Q4 hcp", "Hend. 4. čet.", "Хенд. 4. чет."],
        ),
    };
    row(Question::Handicap(scope), 115 + quarter as i64, name, short, Answers::OneTwo, &[QUARTERS, HANDICAP])
}

/// Which quarter has the most points.
pub const fn highest_quarter(quarters: &'static [Part]) -> Row {
    const ANSWERS: Answers = Answers::Words(&[
        (["1. četvrtina", "1st quarter", "1. četvrtina", "1. четвртина"], "quarter_1"),
        (["2. četvrtina", "2nd quarter", "2. četvrtina", "2. четвртина"], "quarter_2"),
        (["3. četvrtina", "3rd quarter", "3. četvrtina", "3. четвртина"], "quarter_3"),
        (["4. četvrtina", "4th quarter", "4. četvrtina", "4. четвртина"], "quarter_4"),
        (["Jednako", "Equal", "Jednako", "Једнако"], "equal"),
    ]);
    let name = [
        "Četvrtina s najviše poena",
        "Highest-scoring quarter",
        "Četvrtina s najviše poena",
        "Четвртина са највише поена",
    ];
    let short = ["Najviše poena", "Highest", "Najviše poena", "Највише поена"];
    row(Question::Highest(quarters), 119, name, short, ANSWERS, &[QUARTERS]).with_margin(0.1)
}

fn tens(line: u16) -> String {
    (10 * (u32::from(line) + 1)).to_string()
}

/// The first side to reach 10, 20 … points.
pub const fn race(among: Part, lines: u16) -> Row {
    let name = [
        "Poeni (regularni dio): utrka do",
        "Points (regular time): race to",
        "Poeni (regularni dio): trka do",
        "Поени (регуларни део): трка до",
    ];
    let short = ["Utrka", "Race", "Trka", "Трка"];
    row(Question::Race(among, 10), 122, name, short, Answers::OneNoneTwo, &[RACES]).with_lines(Line::Text(tens), lines)
}

/// The first side to score in a quarter.
pub const fn first_of_quarter() -> Row {
    let name =
        ["Prvi poeni u četvrtini", "First points of quarter", "Prvi poeni u četvrtini", "Први поени у четвртини"];
    let short = ["Prvi poeni", "First points", "Prvi poeni", "Први поени"];
    row(Question::FirstOfPeriod, 123, name, short, Answers::OneNoneTwo, &[QUARTERS, RACES]).with_lines(Line::Ordinal, 4)
}

/// The side that makes the next score.
pub const fn next(among: Part) -> Row {
    let name = [
        "Tko postiže sljedeće poene (regularni dio)",
        "Next team to score (regular time)",
        "Ko postiže sljedeće poene (regularni dio)",
        "Ко постиже следеће поене (регуларни део)",
    ];
    let short = ["Sljedeći", "Next", "Sljedeći", "Следећи"];
    row(Question::Next(among), 7, name, short, Answers::OneNoneTwo, &[MAIN, RACES])
}

/// How the next score is made.
pub const fn next_kind(among: Part, answers: Answers) -> Row {
    let name = [
        "Način postizanja sljedećih poena (regularni dio)",
        "Method of the next score (regular time)",
        "Način postizanja sljedećih poena (regularni dio)",
        "Начин постизања следећих поена (регуларни део)",
    ];
    let short = ["Način", "Method", "Način", "Начин"];
    row(Question::NextKind(among), 124, name, short, answers, &[RACES])
}

/// Whether an overtime is played.
pub const fn overtime(regular: Part) -> Row {
    let name = ["Igraju se produžeci", "Overtime played", "Igraju se produžeci", "Играју се продужеци"];
    let short = ["Produžeci", "Overtime", "Produžeci", "Продужеци"];
    row(Question::Overtime(regular), 61, name, short, Answers::YesNo, &[SPECIAL])
}

/// Answers of a margin: bands of home, then the answer between (a draw, if one is possible), then bands of away.
macro_rules! margin_answers {
    ([$($band:literal, $alias:literal);+] $($between:expr)?) => {
        $crate::pricing::kind::Answers::Words(&[
            $((
                [
                    concat!("Domaćin ", $band),
                    concat!("Home ", $band),
                    concat!("Domaćin ", $band),
                    concat!("Домаћин ", $band),
                ],
                concat!("home_", $alias),
            ),)+
            $($between,)?
            $((
                [concat!("Gost ", $band), concat!("Away ", $band), concat!("Gost ", $band), concat!("Гост ", $band)],
                concat!("away_", $alias),
            ),)+
        ])
    };
}
pub(in crate::simulator) use margin_answers;

/// The answer between home's and away's bands of a margin.
pub const DRAW: (Quad, &str) = (["Neriješeno", "Draw", "Neriješeno", "Нерешено"], "draw");
