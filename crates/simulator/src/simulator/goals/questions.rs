//! The questions of the markets of goal sports, and the table rows that several of them share. A row is a question with
//! its kind of market; a sport's table is the list of its rows.

use crate::pricing::answers::{RESULT_TWICE, RESULT_UNDER_OVER, SCORE};
use crate::pricing::kind::{Answers, KindSpec, Line, Quad, same};

/// The question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    Result(Scope),
    DoubleChance(Scope),
    /// A draw gives the stake back.
    DrawNoBet(Scope),
    Total(Scope),
    /// Goals of one side.
    TotalOf(usize),
    Handicap(Scope),
    ThreeWayHandicap,
    OddEven(Scope),
    BothScore(Scope),
    /// Scores with up to this number of goals of each side have their own answer.
    CorrectScore(u8),
    /// Line n: the side that scores goal n + 1 of regular time.
    NextGoal,
    LastGoal,
    /// Line n: the first side to reach the n-th of these numbers of goals.
    RaceTo(&'static [u8]),
    ResultAndTotal,
    /// The result of the first period and of the match.
    PeriodAndMatch,
    /// The period with the most goals; the last answer is that there is no such one.
    MostGoals,
    /// The winner, with overtime and shoot-out.
    Winner,
    Overtime,
    ShootOut,
    OvertimeResult,
    OvertimeTotal,
}

/// Of which part of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Regular time.
    Match,
    /// One period, from 0.
    Period(u8),
}

/// A line of a sport's table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) question: Question,
    pub(super) spec: KindSpec,
}

/// The kinds of a table.
pub(super) const fn kinds<const N: usize>(rows: [Row; N]) -> [KindSpec; N] {
    let mut kinds = [rows[0].spec; N];
    let mut index = 0;
    while index < N {
        kinds[index] = rows[index].spec;
        index += 1;
    }
    kinds
}

impl Row {
    pub(super) const fn new(question: Question, spec: KindSpec) -> Row {
        Row { question, spec }
    }

    /// The same with lines.
    pub(super) const fn lines(self, line: Line, lines: u16) -> Row {
        Row { spec: self.spec.with_lines(line, lines), ..self }
    }

    /// The same with another margin.
    pub(super) const fn margin(self, margin: f64) -> Row {
        Row { spec: self.spec.with_margin(margin), ..self }
    }
}

pub(super) const MAIN: Quad = ["1.Glavno", "1.Main", "1.Glavno", "1.Главно"];
pub(super) const GOALS: Quad = ["2.Golovi", "2.Goals", "2.Golovi", "2.Голови"];
pub(super) const HALVES: Quad = ["3.Poluvrijeme", "3.Halves", "3.Poluvrijeme", "3.Полувреме"];
pub(super) const PERIODS: Quad = ["3.Trećine", "3.Periods", "3.Trećine", "3.Трећине"];
pub(super) const HANDICAP: Quad = ["4.Hendikep", "4.Handicap", "4.Hendikep", "4.Хендикеп"];
pub(super) const COMBINED: Quad = ["5.Kombinacije", "5.Combined", "5.Kombinacije", "5.Комбинације"];
pub(super) const FINAL: Quad = ["6.Prolaz", "6.To qualify", "6.Prolaz", "6.Пролаз"];

use Question as Q;
use Scope::{Match, Period};

const ONE_X_TWO: Quad = same("1X2");

pub(super) const RESULT: Row = Row::new(
    Q::Result(Match),
    KindSpec::one(
        1,
        ["Konačni ishod", "Full-time result", "Konačan ishod", "Коначан исход"],
        ONE_X_TWO,
        Answers::OneXTwo,
        &[MAIN],
    ),
)
.margin(0.055);
pub(super) const DOUBLE_CHANCE: Row = Row::new(
    Q::DoubleChance(Match),
    KindSpec::one(
        2,
        ["Dvostruka šansa", "Double chance", "Dvostruka šansa", "Двострука шанса"],
        ["DŠ", "DC", "DŠ", "ДШ"],
        Answers::DoubleChance,
        &[MAIN],
    ),
);
pub(super) const DRAW_NO_BET: Row = Row::new(
    Q::DrawNoBet(Match),
    KindSpec::one(
        3,
        [
            "Pobjednik (neriješeno: povrat uloga)",
            "Draw no bet",
            "Pobjednik (neriješeno: povrat uloga)",
            "Победник (нерешено: повраћај улога)",
        ],
        ["Bez X", "DNB", "Bez X", "Без X"],
        Answers::OneTwo,
        &[MAIN],
    ),
);
pub(super) const NEXT_GOAL: Row = Row::new(
    Q::NextGoal,
    KindSpec::one(
        7,
        ["Sljedeći gol", "Next goal", "Sljedeći gol", "Следећи гол"],
        ["Slj. gol", "Next goal", "Slj. gol", "Сл. гол"],
        Answers::OneNoneTwo,
        &[MAIN, GOALS],
    ),
);
pub(super) const THREE_WAY_HANDICAP: Row = Row::new(
    Q::ThreeWayHandicap,
    KindSpec::one(
        8,
        ["Europski hendikep", "European handicap", "Evropski hendikep", "Европски хендикеп"],
        ["EH", "EH", "EH", "ЕХ"],
        Answers::OneXTwo,
        &[HANDICAP],
    ),
);
pub(super) const HANDICAP_ROW: Row = Row::new(
    Q::Handicap(Match),
    KindSpec::one(
        9,
        ["Hendikep", "Handicap", "Hendikep", "Хендикеп"],
        ["Hend.", "Hcp", "Hend.", "Хенд."],
        Answers::OneTwo,
        &[MAIN, HANDICAP],
    ),
)
.margin(0.055);
pub(super) const BOTH_SCORE: Row = Row::new(
    Q::BothScore(Match),
    KindSpec::one(
        10,
        ["Obje momčadi daju gol", "Both teams to score", "Obje ekipe daju gol", "Обе екипе дају гол"],
        ["Obje", "BTTS", "Obje", "Обе"],
        Answers::YesNo,
        &[GOALS],
    ),
);
pub(super) const CORRECT_SCORE: Row = Row::new(
    Q::CorrectScore(4),
    KindSpec::one(
        11,
        ["Točan rezultat", "Correct score", "Tačan rezultat", "Тачан резултат"],
        ["Rezultat", "Score", "Rezultat", "Резултат"],
        SCORE,
        &[GOALS],
    ),
)
.margin(0.16);
pub(super) const ODD_EVEN: Row = Row::new(
    Q::OddEven(Match),
    KindSpec::one(
        12,
        ["Golovi par/nepar", "Goals odd/even", "Golovi par/nepar", "Голови пар/непар"],
        ["Par/nepar", "Odd/even", "Par/nepar", "Пар/непар"],
        Answers::OddEven,
        &[GOALS],
    ),
);
pub(super) const LAST_GOAL: Row = Row::new(
    Q::LastGoal,
    KindSpec::one(
        15,
        ["Tko daje posljednji gol", "Last team to score", "Ko daje posljednji gol", "Ко даје последњи гол"],
        ["Posljednji gol", "Last", "Posljednji gol", "Последњи гол"],
        Answers::OneNoneTwo,
        &[GOALS],
    ),
);
pub(super) const TOTAL: Row = Row::new(
    Q::Total(Match),
    KindSpec::one(
        18,
        ["Ukupno golova", "Total goals", "Ukupno golova", "Укупно голова"],
        ["Golovi", "Goals", "Golovi", "Голови"],
        Answers::UnderOver,
        &[MAIN, GOALS],
    ),
)
.margin(0.055);
pub(super) const HOME_TOTAL: Row = Row::new(
    Q::TotalOf(0),
    KindSpec::one(
        19,
        ["Golovi domaćina", "Home total goals", "Golovi domaćina", "Голови домаћина"],
        ["Gol. dom.", "Home goals", "Gol. dom.", "Гол. дом."],
        Answers::UnderOver,
        &[GOALS],
    ),
);
pub(super) const AWAY_TOTAL: Row = Row::new(
    Q::TotalOf(1),
    KindSpec::one(
        20,
        ["Golovi gosta", "Away total goals", "Golovi gosta", "Голови госта"],
        ["Gol. gost", "Away goals", "Gol. gost", "Гол. гост"],
        Answers::UnderOver,
        &[GOALS],
    ),
);
pub(super) const RESULT_AND_TOTAL: Row = Row::new(
    Q::ResultAndTotal,
    KindSpec::one(
        28,
        ["Ishod i ukupno golova", "Result and total goals", "Ishod i ukupno golova", "Исход и укупно голова"],
        ["1X2 i golovi", "1X2 & goals", "1X2 i golovi", "1X2 и голови"],
        RESULT_UNDER_OVER,
        &[COMBINED],
    ),
)
.margin(0.1);
/// Lines and races are the sport's own.
pub(super) const RACE_TO: KindSpec = KindSpec::one(
    70,
    ["Golovi: utrka do", "Goals: race to", "Golovi: trka do", "Голови: трка до"],
    ["Prvi do", "Race to", "Prvi do", "Први до"],
    Answers::OneNoneTwo,
    &[GOALS],
);

pub(super) const FIRST_HALF_RESULT: Row = Row::new(
    Q::Result(Period(0)),
    KindSpec::one(
        4,
        ["Ishod prvog poluvremena", "First-half result", "Ishod prvog poluvremena", "Исход првог полувремена"],
        ["1. pol.", "1st half", "1. pol.", "1. пол."],
        Answers::OneXTwo,
        &[HALVES],
    ),
);
pub(super) const SECOND_HALF_RESULT: Row = Row::new(
    Q::Result(Period(1)),
    KindSpec::one(
        5,
        ["Ishod drugog poluvremena", "Second-half result", "Ishod drugog poluvremena", "Исход другог полувремена"],
        ["2. pol.", "2nd half", "2. pol.", "2. пол."],
        Answers::OneXTwo,
        &[HALVES],
    ),
);
pub(super) const HALF_AND_FULL: Row = Row::new(
    Q::PeriodAndMatch,
    KindSpec::one(
        6,
        ["Poluvrijeme/kraj", "Half-time/full-time", "Poluvrijeme/kraj", "Полувреме/крај"],
        ["Pol./kraj", "HT/FT", "Pol./kraj", "Пол./крај"],
        RESULT_TWICE,
        &[HALVES, COMBINED],
    ),
)
.margin(0.12);
pub(super) const FIRST_HALF_TOTAL: Row = Row::new(
    Q::Total(Period(0)),
    KindSpec::one(
        21,
        ["Golovi u prvom poluvremenu", "First-half goals", "Golovi u prvom poluvremenu", "Голови у првом полувремену"],
        ["Gol. 1. pol.", "1H goals", "Gol. 1. pol.", "Гол. 1. пол."],
        Answers::UnderOver,
        &[GOALS, HALVES],
    ),
);
pub(super) const SECOND_HALF_TOTAL: Row = Row::new(
    Q::Total(Period(1)),
    KindSpec::one(
        22,
        [
            "Golovi u drugom poluvremenu",
            "Second-half goals",
            "Golovi u drugom poluvremenu",
            "Голови у другом полувремену",
        ],
        ["Gol. 2. pol.", "2H goals", "Gol. 2. pol.", "Гол. 2. пол."],
        Answers::UnderOver,
        &[GOALS, HALVES],
    ),
);
pub(super) const FIRST_HALF_HANDICAP: Row = Row::new(
    Q::Handicap(Period(0)),
    KindSpec::one(
        71,
        [
            "Hendikep u prvom poluvremenu",
            "First-half handicap",
            "Hendikep u prvom poluvremenu",
            "Хендикеп у првом полувремену",
        ],
        ["Hend. 1. pol.", "1H hcp", "Hend. 1. pol.", "Хенд. 1. пол."],
        Answers::OneTwo,
        &[HANDICAP, HALVES],
    ),
);
pub(super) const FIRST_HALF_ODD_EVEN: Row = Row::new(
    Q::OddEven(Period(0)),
    KindSpec::one(
        36,
        [
            "Golovi prvog poluvremena par/nepar",
            "First-half goals odd/even",
            "Golovi prvog poluvremena par/nepar",
            "Голови првог полувремена пар/непар",
        ],
        ["P/N 1. pol.", "1H O/E", "P/N 1. pol.", "П/Н 1. пол."],
        Answers::OddEven,
        &[HALVES],
    ),
);
pub(super) const MOST_GOALS_HALF: Row = Row::new(
    Q::MostGoals,
    KindSpec::one(
        32,
        ["Poluvrijeme s više golova", "Half with more goals", "Poluvrijeme s više golova", "Полувреме са више голова"],
        ["Više golova", "More goals", "Više golova", "Више голова"],
        Answers::Words(&[
            (["1. pol.", "1st half", "1. pol.", "1. пол."], "first"),
            (["2. pol.", "2nd half", "2. pol.", "2. пол."], "second"),
            (["Jednako", "Equal", "Jednako", "Једнако"], "equal"),
        ]),
        &[HALVES],
    ),
)
.margin(0.08);

pub(super) const WINNER: Row = Row::new(
    Q::Winner,
    KindSpec::one(
        60,
        [
            "Pobjednik s produžecima i raspucavanjem",
            "Winner including overtime and shoot-out",
            "Pobjednik s produžecima i raspucavanjem",
            "Победник са продужецима и распуцавањем",
        ],
        ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        Answers::OneTwo,
        &[MAIN, FINAL],
    ),
)
.margin(0.05);
pub(super) const OVERTIME: Row = Row::new(
    Q::Overtime,
    KindSpec::one(
        61,
        ["Igraju se produžeci", "Overtime played", "Igraju se produžeci", "Играју се продужеци"],
        ["Produžeci", "Overtime", "Produžeci", "Продужеци"],
        Answers::YesNo,
        &[FINAL],
    ),
);
pub(super) const SHOOT_OUT: Row = Row::new(
    Q::ShootOut,
    KindSpec::one(
        62,
        ["Odlučuje raspucavanje", "Decided by a shoot-out", "Odlučuje raspucavanje", "Одлучује распуцавање"],
        ["Raspuc.", "Shoot-out", "Raspuc.", "Распуц."],
        Answers::YesNo,
        &[FINAL],
    ),
)
.margin(0.08);
pub(super) const OVERTIME_RESULT: Row = Row::new(
    Q::OvertimeResult,
    KindSpec::one(
        63,
        ["Ishod produžetaka", "Extra-time result", "Ishod produžetaka", "Исход продужетака"],
        ["1X2 prod.", "ET 1X2", "1X2 prod.", "1X2 прод."],
        Answers::OneXTwo,
        &[MAIN, FINAL],
    ),
);
pub(super) const OVERTIME_TOTAL: Row = Row::new(
    Q::OvertimeTotal,
    KindSpec::one(
        64,
        ["Golovi u produžecima", "Extra-time goals", "Golovi u produžecima", "Голови у продужецима"],
        ["Gol. prod.", "ET goals", "Gol. prod.", "Гол. прод."],
        Answers::UnderOver,
        &[MAIN, FINAL],
    ),
);

/// The text of a whole handicap of a kind with `LINES` lines: `1:0` if home has a start of one goal.
pub(super) fn whole_handicap<const LINES: u16>(line: u16) -> String {
    match i64::from(line) - Line::level(LINES) {
        given @ 0.. => format!("{given}:0"),
        taken => format!("0:{}", -taken),
    }
}
