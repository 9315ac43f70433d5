//! American football: four quarters of 15 minutes; after a draw, overtimes of 10 minutes until the first score.
//! Touchdowns with one or two points after them, field goals, safeties. Contains only rules and the table of markets;
//! [`super::points`] plays and prices a match.

use super::points::game::Game;
use super::points::question::{Part, Question, Scope, part};
use super::points::rules::{Overtime, PeriodRules, Row, Rules, ScoreKind, Shape, Tempo, questions, specs};
use super::points::words::{self, POINTS, margin_answers, row};
use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_NONE_TWO, ONE_TWO, ONE_X_TWO, UNDER_OVER};
use crate::pricing::kind::{Answers, KindSpec, Line};
use crate::pricing::maths::exp;
use crate::simulator::names::Entrants;
use crate::simulator::random::Random;

/// The sport.
#[derive(Debug)]
pub struct AmericanFootball;

const ALL: Part = Part { from: 0, to: 4 };
const REGULAR: Scope = Scope::Part(ALL);
const FIRST_HALF: Part = Part { from: 0, to: 2 };
const QUARTERS: &[Part] =
    &[Part { from: 0, to: 1 }, Part { from: 1, to: 2 }, Part { from: 2, to: 3 }, Part { from: 3, to: 4 }];
const TOUCHDOWNS: &[usize] = &[0];
const MARGINS: &[i64] = &[6, 13, 20];
const MARGIN_ANSWERS: Answers = margin_answers!(["1-6", "1_6"; "7-13", "7_13"; "14-20", "14_20"; "21+", "21"]);
const WAYS: Answers = Answers::Words(&[
    (["Touchdown", "Touchdown", "Touchdown", "Тачдаун"], "touchdown"),
    (["Field goal", "Field goal", "Field goal", "Филд гол"], "field_goal"),
    (["Safety", "Safety", "Safety", "Сејфти"], "safety"),
    (["Nitko", "None", "Niko", "Нико"], "none"),
]);

const fn quarter_points(quarter: usize) -> Row {
    words::quarter_total(part(quarter, quarter + 1), quarter).with_lines(Line::Half, 50)
}

const ROWS: [Row; 30] = [
    words::winner(),
    words::total_match().with_lines(Line::Half, 120),
    words::handicap_match().with_lines(Line::Handicap, 100),
    words::next(ALL).with_lines(Line::Ordinal, 40),
    words::result(REGULAR),
    words::double_chance(REGULAR),
    words::draw_no_bet(REGULAR),
    words::side_match(0).with_lines(Line::Half, 80),
    words::side_match(1).with_lines(Line::Half, 80),
    words::odd_even(Scope::Match),
    words::margin(Scope::Match, MARGINS, MARGIN_ANSWERS),
    words::half_full(FIRST_HALF, ALL),
    words::half_result(part(0, 2), 0),
    words::half_total(part(0, 2), 0).with_lines(Line::Half, 80),
    words::half_handicap(part(0, 2)).with_lines(Line::Handicap, 60),
    words::half_result(part(2, 4), 1),
    words::half_total(part(2, 4), 1).with_lines(Line::Half, 80),
    words::quarter_result(),
    quarter_points(0),
    quarter_points(1),
    quarter_points(2),
    quarter_points(3),
    words::highest_quarter(QUARTERS),
    words::first_of_quarter(),
    words::race(ALL, 8),
    words::next_kind(ALL, WAYS).with_lines(Line::Ordinal, 40),
    row(
        Question::Count(ALL, TOUCHDOWNS),
        125,
        [
            "Ukupno touchdowna (regularni dio)",
            "Total touchdowns (regular time)",
            "Ukupno touchdowna (regularni dio)",
            "Укупно тачдауна (регуларни део)",
        ],
        ["Touchdowni", "Touchdowns", "Touchdowni", "Тачдауни"],
        Answers::UnderOver,
        &[POINTS],
    )
    .with_lines(Line::Half, 25),
    row(
        Question::MoreOf(ALL, TOUCHDOWNS),
        126,
        [
            "Više touchdowna (regularni dio)",
            "Most touchdowns (regular time)",
            "Više touchdowna (regularni dio)",
            "Више тачдауна (регуларни део)",
        ],
        ["Više TD", "Most TDs", "Više TD", "Више ТД"],
        Answers::OneXTwo,
        &[POINTS],
    ),
    row(
        Question::Count(ALL, &[1]),
        127,
        [
            "Ukupno field goalova (regularni dio)",
            "Total field goals (regular time)",
            "Ukupno field goalova (regularni dio)",
            "Укупно филд голова (регуларни део)",
        ],
        ["Field golovi", "Field goals", "Field golovi", "Филд голови"],
        Answers::UnderOver,
        &[POINTS],
    )
    .with_lines(Line::Half, 25),
    words::overtime(ALL),
];

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
        name: ["Sljedeći poeni", "Next score", "Sljedeći poeni", "Следећи поени"],
        fields: ONE_NONE_TWO,
        markets: &[(3, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Konačni ishod", "Result", "Konačan ishod", "Коначан исход"],
        fields: ONE_X_TWO,
        markets: &[(4, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Četvrtina", "Quarter", "Četvrtina", "Четвртина"],
        fields: ONE_X_TWO,
        markets: &[(17, "")],
        format: "{sbv}",
        hidden: false,
    },
];

static RULES: Rules = Rules {
    profile: Profile {
        id: 16,
        key: "american-football",
        order: 16,
        name: ["Američki nogomet", "American football", "Američki fudbal", "Амерички фудбал"],
        kinds: &KINDS,
        columns: &COLUMNS,
        entrants: &[Entrants::NationalClubs],
        minutes: 185,
        interrupted: 0.003,
        retired: 0.0,
        corrected: 0.02,
        share: 3,
        leader_kind: None,
    },
    questions: &QUESTIONS,
    scores: &[
        // A touchdown with a kick, or now and then a second attempt to score.
        ScoreKind { weight: 0.57, points: 6, more: &[(0, 0.08), (1, 0.85), (2, 0.07)] },
        ScoreKind { weight: 0.42, points: 3, more: &[] },
        ScoreKind { weight: 0.01, points: 2, more: &[] },
    ],
    periods: &[
        PeriodRules { status: "quarter_1", pause: "pause", pause_s: (110.0, 140.0) },
        PeriodRules { status: "quarter_2", pause: "half_time", pause_s: (720.0, 840.0) },
        PeriodRules { status: "quarter_3", pause: "pause", pause_s: (110.0, 140.0) },
        PeriodRules { status: "quarter_4", pause: "pause", pause_s: (150.0, 200.0) },
    ],
    overtime: ["overtime", "overtime"],
    tick_s: (18.0, 42.0),
    // The clock stops after most plays that end out of bounds or incomplete, and for penalties and timeouts.
    stop: (0.8, (20.0, 95.0)),
    after_score_s: (60.0, 160.0),
    more_s: (35.0, 60.0),
    holds: true,
    cards: None,
};

/// Scores of an average side in a match.
const SCORES: f64 = 4.3;
/// What playing at home is worth, as a logarithm of the share.
const HOME: f64 = 0.04;
/// The effect on scoring if a side is stronger by one.
const STRONGER: f64 = 0.11;

impl Sport for AmericanFootball {
    fn profile(&self) -> &'static Profile {
        &RULES.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let quarter_ms = 15 * 60_000;
        let [home, away] = pairing.strengths;
        let edge = STRONGER * (home - away) + HOME;
        let level = SCORES * random.between(0.88, 1.12) / (4 * quarter_ms) as f64;
        let tempo = Tempo::Moments { per_ms: [level * exp(edge), level * exp(-edge)] };
        let overtime = Overtime::Sudden { ms: 10 * 60_000 };
        Box::new(Game::new(&RULES, Shape::new(&RULES, quarter_ms, overtime, tempo)))
    }
}
