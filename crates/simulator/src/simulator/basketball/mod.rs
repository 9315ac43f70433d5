//! Basketball: four quarters of 10 or 12 minutes, and overtimes of 5 minutes until one is won. Sides attack in turn.
//! Contains only rules and the table of markets; [`super::points`] plays and prices a match.

use super::points::game::Game;
use super::points::question::{Part, Question, part};
use super::points::rules::{Overtime, PeriodRules, Row, Rules, ScoreKind, Shape, Tempo, questions, specs};
use super::points::words::{self, SPECIAL, margin_answers, row};
use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_TWO, ONE_X_TWO, UNDER_OVER};
use crate::pricing::kind::{Answers, KindSpec, Line};
use crate::pricing::maths::exp;
use crate::simulator::names::Entrants;
use crate::simulator::random::Random;

/// The sport.
#[derive(Debug)]
pub struct Basketball;

const ALL: Part = Part { from: 0, to: 4 };
const FIRST_HALF: Part = Part { from: 0, to: 2 };
const QUARTERS: &[Part] =
    &[Part { from: 0, to: 1 }, Part { from: 1, to: 2 }, Part { from: 2, to: 3 }, Part { from: 3, to: 4 }];
const MARGINS: &[i64] = &[5, 10, 15, 20];
const MARGIN_ANSWERS: Answers =
    margin_answers!(["1-5", "1_5"; "6-10", "6_10"; "11-15", "11_15"; "16-20", "16_20"; "21+", "21"]);

/// Lines of a quarter: 22.5 and more points, and up to a dozen given.
const fn quarter_points(quarter: usize) -> Row {
    words::quarter_total(part(quarter, quarter + 1), quarter).with_lines(Line::HalfFrom(22), 50)
}

const fn quarter_given(quarter: usize) -> Row {
    words::quarter_handicap(part(quarter, quarter + 1), quarter).with_lines(Line::Handicap, 24)
}

const fn all_quarters(side: usize) -> Row {
    let home = [
        "Domaćin dobiva sve četvrtine",
        "Home to win all quarters",
        "Domaćin dobija sve četvrtine",
        "Домаћин добија све четвртине",
    ];
    let away = [
        "Gost dobiva sve četvrtine",
        "Away to win all quarters",
        "Gost dobija sve četvrtine",
        "Гост добија све четвртине",
    ];
    let asks = Question::EachPeriod(ALL, side);
    match side {
        0 => row(asks, 120, home, ["Dom. sve", "Home all", "Dom. sve", "Дом. све"], Answers::YesNo, &[SPECIAL]),
        _ => row(asks, 121, away, ["Gost sve", "Away all", "Gost sve", "Гост све"], Answers::YesNo, &[SPECIAL]),
    }
}

const ROWS: [Row; 32] = [
    words::winner(),
    words::total_match().with_lines(Line::HalfFrom(120), 150),
    words::handicap_match().with_lines(Line::Handicap, 90),
    words::result(part(0, 4)),
    words::double_chance(part(0, 4)),
    words::draw_no_bet(part(0, 4)),
    words::side_match(0).with_lines(Line::HalfFrom(55), 90),
    words::side_match(1).with_lines(Line::HalfFrom(55), 90),
    words::odd_even(super::points::question::Scope::Match),
    words::margin(super::points::question::Scope::Match, MARGINS, MARGIN_ANSWERS),
    words::half_full(FIRST_HALF, ALL),
    words::half_result(part(0, 2), 0),
    words::half_total(part(0, 2), 0).with_lines(Line::HalfFrom(55), 80),
    words::half_handicap(part(0, 2)).with_lines(Line::Handicap, 44),
    words::half_result(part(2, 4), 1),
    words::half_total(part(2, 4), 1).with_lines(Line::HalfFrom(55), 80),
    words::quarter_result(),
    quarter_points(0),
    quarter_points(1),
    quarter_points(2),
    quarter_points(3),
    quarter_given(0),
    quarter_given(1),
    quarter_given(2),
    quarter_given(3),
    words::highest_quarter(QUARTERS),
    words::first_of_quarter(),
    words::race(ALL, 16),
    all_quarters(0),
    all_quarters(1),
    words::overtime(ALL),
    odd_even_first_half(),
];

const fn odd_even_first_half() -> Row {
    let name = [
        "Poeni prvog poluvremena par/nepar",
        "First-half points odd/even",
        "Poeni prvog poluvremena par/nepar",
        "Поени првог полувремена пар/непар",
    ];
    let short = ["P/N 1. pol.", "1H O/E", "P/N 1. pol.", "П/Н 1. пол."];
    row(Question::OddEven(part(0, 2)), 102, name, short, Answers::OddEven, &[words::HALVES])
}

static KINDS: [KindSpec; ROWS.len()] = specs(&ROWS);
static QUESTIONS: [Question; ROWS.len()] = questions(&ROWS);

static COLUMNS: [Column; 6] = [
    Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: ONE_TWO,
        markets: &[(0, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Ukupno poena", "Total points", "Ukupno poena", "Укупно поена"],
        fields: UNDER_OVER,
        markets: &[(1, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Hendikep", "Handicap", "Hendikep", "Хендикеп"],
        fields: ONE_TWO,
        markets: &[(2, "")],
        format: "{+sbv}",
        hidden: false,
    },
    Column {
        name: ["Konačni ishod", "Result", "Konačan ishod", "Коначан исход"],
        fields: ONE_X_TWO,
        markets: &[(3, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Četvrtina", "Quarter", "Četvrtina", "Четвртина"],
        fields: ONE_X_TWO,
        markets: &[(16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Poeni u četvrtini", "Quarter points", "Poeni u četvrtini", "Поени у четвртини"],
        fields: UNDER_OVER,
        markets: &[(17, "quarter_1"), (18, "quarter_2"), (19, "quarter_3"), (20, "quarter_4"), (1, "")],
        format: "{sbv}",
        hidden: false,
    },
];

static RULES: Rules = Rules {
    profile: Profile {
        id: 2,
        key: "basketball",
        order: 2,
        name: ["Košarka", "Basketball", "Košarka", "Кошарка"],
        kinds: &KINDS,
        columns: &COLUMNS,
        entrants: &[Entrants::Clubs, Entrants::NationalClubs],
        minutes: 100,
        interrupted: 0.002,
        retired: 0.0,
        corrected: 0.001,
        share: 14,
        leader_kind: None,
    },
    questions: &QUESTIONS,
    scores: &[
        ScoreKind { weight: 0.30, points: 2, more: &[] },
        ScoreKind { weight: 0.115, points: 3, more: &[] },
        // A basket and a free throw.
        ScoreKind { weight: 0.02, points: 2, more: &[(0, 0.25), (1, 0.75)] },
        // Two free throws.
        ScoreKind { weight: 0.10, points: 0, more: &[(0, 0.06), (1, 0.36), (2, 0.58)] },
    ],
    periods: &[
        PeriodRules { status: "quarter_1", pause: "pause", pause_s: (120.0, 150.0) },
        PeriodRules { status: "quarter_2", pause: "half_time", pause_s: (840.0, 900.0) },
        PeriodRules { status: "quarter_3", pause: "pause", pause_s: (120.0, 150.0) },
        PeriodRules { status: "quarter_4", pause: "pause", pause_s: (120.0, 150.0) },
    ],
    overtime: ["overtime", "overtime"],
    tick_s: (24.0, 24.0),
    // Out of bounds, a foul that gives no free throws, a timeout.
    stop: (0.45, (10.0, 80.0)),
    after_score_s: (0.0, 0.0),
    more_s: (18.0, 32.0),
    holds: false,
    cards: None,
};

/// How likely an attack of an average side scores.
const ATTACK_SCORES: f64 = 0.535;
/// What playing at home adds to it, in parts.
const HOME: f64 = 0.013;
/// The effect on scoring if a side is stronger by one.
const STRONGER: f64 = 0.026;

impl Sport for Basketball {
    fn profile(&self) -> &'static Profile {
        &RULES.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let [home, away] = pairing.strengths;
        // Two of five leagues play the longer quarters.
        let is_long = pairing.tournament % 5 < 2;
        let edge = STRONGER * (home - away) + HOME;
        let level = ATTACK_SCORES * random.between(0.97, 1.03);
        let scores = [level * exp(edge), level * exp(-edge)];
        let (minutes, attacks, overtime) = match is_long {
            true => (12, 24 + random.below(3) as usize, 10),
            false => (10, 17 + random.below(3) as usize, 9),
        };
        let tempo = Tempo::Turns { period: attacks, overtime, scores };
        Box::new(Game::new(&RULES, Shape::new(&RULES, minutes * 60_000, Overtime::Rounds { ms: 300_000 }, tempo)))
    }
}
