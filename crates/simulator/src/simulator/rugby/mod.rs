//! Rugby union: two halves of 40 minutes. In a knock-out tournament there are overtimes of 20 minutes until one is won;
//! elsewhere a draw is final. Tries with conversions, penalties, drop goals. After a yellow card a side is a player
//! short for ten minutes of play. Contains only rules and the table of markets; [`super::points`] plays and prices a
//! match.

use super::points::game::Game;
use super::points::question::{Part, Question, Scope, part};
use super::points::rules::{CardRules, Overtime, PeriodRules, Row, Rules, ScoreKind, Shape, Tempo, questions, specs};
use super::points::words::{self, DRAW, HALVES, POINTS, SPECIAL, margin_answers, row};
use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_NONE_TWO, ONE_TWO, ONE_X_TWO, UNDER_OVER};
use crate::pricing::kind::{Answers, KindSpec, Line};
use crate::pricing::maths::exp;
use crate::simulator::names::Entrants;
use crate::simulator::random::Random;

/// The sport.
#[derive(Debug)]
pub struct Rugby;

const ALL: Part = Part { from: 0, to: 2 };
const FIRST_HALF: Part = Part { from: 0, to: 1 };
const REGULAR: Scope = Scope::Part(ALL);
const EACH_HALF: &[Part] = &[FIRST_HALF, Part { from: 1, to: 2 }];
const TRIES: &[usize] = &[0];
const MARGINS: &[i64] = &[7, 14, 21];
const MARGIN_ANSWERS: Answers = margin_answers!(["1-7", "1_7"; "8-14", "8_14"; "15-21", "15_21"; "22+", "22"] DRAW);
const WAYS: Answers = Answers::Words(&[
    (["Esej", "Try", "Esej", "Есеј"], "try"),
    (["Kazneni udarac", "Penalty", "Kazneni udarac", "Казнени ударац"], "penalty"),
    (["Drop gol", "Drop goal", "Drop gol", "Дроп гол"], "drop_goal"),
    (["Nitko", "None", "Niko", "Нико"], "none"),
]);

const ROWS: [Row; 27] = [
    words::result(REGULAR),
    words::total_regular(REGULAR).with_lines(Line::Half, 130),
    words::handicap_regular(REGULAR).with_lines(Line::Handicap, 120),
    words::next(ALL).with_lines(Line::Ordinal, 40),
    words::double_chance(REGULAR),
    words::draw_no_bet(REGULAR),
    words::winner(),
    words::side_regular(REGULAR, 0).with_lines(Line::Half, 100),
    words::side_regular(REGULAR, 1).with_lines(Line::Half, 100),
    words::odd_even(REGULAR),
    words::margin(REGULAR, MARGINS, MARGIN_ANSWERS),
    words::half_full(FIRST_HALF, ALL),
    words::half_result(part(0, 1), 0),
    words::half_total(part(0, 1), 0).with_lines(Line::Half, 80),
    words::half_handicap(part(0, 1)).with_lines(Line::Handicap, 60),
    words::half_result(part(1, 2), 1),
    words::half_total(part(1, 2), 1).with_lines(Line::Half, 80),
    higher_half(),
    both_halves(0),
    both_halves(1),
    words::race(ALL, 8),
    words::next_kind(ALL, WAYS).with_lines(Line::Ordinal, 40),
    row(
        Question::Count(ALL, TRIES),
        125,
        [
            "Ukupno eseja (regularni dio)",
            "Total tries (regular time)",
            "Ukupno eseja (regularni dio)",
            "Укупно есеја (регуларни део)",
        ],
        ["Eseji", "Tries", "Eseji", "Есеји"],
        Answers::UnderOver,
        &[POINTS],
    )
    .with_lines(Line::Half, 30),
    row(
        Question::MoreOf(ALL, TRIES),
        126,
        [
            "Više eseja (regularni dio)",
            "Most tries (regular time)",
            "Više eseja (regularni dio)",
            "Више есеја (регуларни део)",
        ],
        ["Više eseja", "Most tries", "Više eseja", "Више есеја"],
        Answers::OneXTwo,
        &[POINTS],
    ),
    row(
        Question::Cards(ALL),
        50,
        [
            "Ukupno kartona (regularni dio)",
            "Total cards (regular time)",
            "Ukupno kartona (regularni dio)",
            "Укупно картона (регуларни део)",
        ],
        ["Kartoni", "Cards", "Kartoni", "Картони"],
        Answers::UnderOver,
        &[SPECIAL],
    )
    .with_lines(Line::Half, 15),
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
    row(Question::OddEven(part(0, 1)), 102, name, short, Answers::OddEven, &[HALVES])
}

const fn higher_half() -> Row {
    const ANSWERS: Answers = Answers::Words(&[
        (["1. poluvrijeme", "1st half", "1. poluvrijeme", "1. полувреме"], "first_half"),
        (["2. poluvrijeme", "2nd half", "2. poluvrijeme", "2. полувреме"], "second_half"),
        (["Jednako", "Equal", "Jednako", "Једнако"], "equal"),
    ]);
    let name =
        ["Poluvrijeme s više poena", "Half with more points", "Poluvrijeme s više poena", "Полувреме са више поена"];
    let short = ["Više poena", "More points", "Više poena", "Више поена"];
    row(Question::Highest(EACH_HALF), 119, name, short, ANSWERS, &[HALVES])
}

const fn both_halves(side: usize) -> Row {
    let home = [
        "Domaćin dobiva oba poluvremena",
        "Home to win both halves",
        "Domaćin dobija oba poluvremena",
        "Домаћин добија оба полувремена",
    ];
    let away = [
        "Gost dobiva oba poluvremena",
        "Away to win both halves",
        "Gost dobija oba poluvremena",
        "Гост добија оба полувремена",
    ];
    let asks = Question::EachPeriod(ALL, side);
    match side {
        0 => row(asks, 120, home, ["Dom. oba", "Home both", "Dom. oba", "Дом. оба"], Answers::YesNo, &[HALVES]),
        _ => row(asks, 121, away, ["Gost oba", "Away both", "Gost oba", "Гост оба"], Answers::YesNo, &[HALVES]),
    }
}

static KINDS: [KindSpec; ROWS.len()] = specs(&ROWS);
static QUESTIONS: [Question; ROWS.len()] = questions(&ROWS);

static COLUMNS: [Column; 6] = [
    Column {
        name: ["Konačni ishod", "Result", "Konačan ishod", "Коначан исход"],
        fields: ONE_X_TWO,
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
        name: ["Sljedeći poeni", "Next score", "Sljedeći poeni", "Следећи поени"],
        fields: ONE_NONE_TWO,
        markets: &[(3, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Poluvrijeme", "Half", "Poluvrijeme", "Полувреме"],
        fields: ONE_X_TWO,
        markets: &[(12, "first_half"), (15, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: ONE_TWO,
        // Of a match that is drawn the overtime's winner is asked for.
        markets: &[(6, "awaiting_extra_time"), (6, "first_extra"), (6, "second_extra"), (5, "")],
        format: "",
        hidden: false,
    },
];

static RULES: Rules = Rules {
    profile: Profile {
        id: 12,
        key: "rugby",
        order: 12,
        name: ["Ragbi", "Rugby", "Ragbi", "Рагби"],
        kinds: &KINDS,
        columns: &COLUMNS,
        entrants: &[Entrants::Clubs, Entrants::NationalClubs],
        minutes: 112,
        interrupted: 0.004,
        retired: 0.0,
        corrected: 0.01,
        share: 3,
        leader_kind: None,
    },
    questions: &QUESTIONS,
    scores: &[
        // A try and its conversion.
        ScoreKind { weight: 0.55, points: 5, more: &[(0, 0.28), (2, 0.72)] },
        ScoreKind { weight: 0.42, points: 3, more: &[] },
        ScoreKind { weight: 0.03, points: 3, more: &[] },
    ],
    periods: &[
        PeriodRules { status: "first_half", pause: "half_time", pause_s: (660.0, 780.0) },
        PeriodRules { status: "second_half", pause: "awaiting_extra_time", pause_s: (240.0, 330.0) },
    ],
    overtime: ["first_extra", "second_extra"],
    tick_s: (30.0, 50.0),
    // An injury, a scrum that is set again, a look at the pictures.
    stop: (0.12, (25.0, 90.0)),
    after_score_s: (15.0, 40.0),
    more_s: (45.0, 80.0),
    holds: true,
    cards: Some(CardRules { yellow: 0.9, red: 0.03, bin_ms: 600_000, own: 0.8 }),
};

/// Scores of an average side in a match.
const SCORES: f64 = 4.8;
/// What playing at home is worth, as a logarithm of the share.
const HOME: f64 = 0.06;
/// The effect on scoring if a side is stronger by one.
const STRONGER: f64 = 0.13;

impl Sport for Rugby {
    fn profile(&self) -> &'static Profile {
        &RULES.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let half_ms = 40 * 60_000;
        let [home, away] = pairing.strengths;
        let edge = STRONGER * (home - away) + HOME;
        let level = SCORES * random.between(0.85, 1.15) / (2 * half_ms) as f64;
        let tempo = Tempo::Moments { per_ms: [level * exp(edge), level * exp(-edge)] };
        // One of three tournaments is a knock-out.
        let overtime =
            if pairing.tournament.is_multiple_of(3) { Overtime::Rounds { ms: 20 * 60_000 } } else { Overtime::None };
        Box::new(Game::new(&RULES, Shape::new(&RULES, half_ms, overtime, tempo)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::dist::mean;

    #[test]
    fn a_try_is_worth_five_or_seven() {
        let worths = RULES.worths();
        let of = |points: usize| worths.iter().find(|held| held.0 == points).map(|held| held.1);
        assert!(of(5).is_some_and(|chance| (chance - 0.55 * 0.28).abs() < 1e-12));
        assert!(of(7).is_some_and(|chance| (chance - 0.55 * 0.72).abs() < 1e-12));
        assert!(of(3).is_some_and(|chance| (chance - 0.45).abs() < 1e-12));
        assert!((mean(&RULES.more(0)) - 1.44).abs() < 1e-12);
        assert_eq!(RULES.more(1), [1.0]);
    }
}
