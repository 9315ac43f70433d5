//! The table of markets of mixed martial arts. Numbers, order, lines and indexes must never change, because bets refer
//! to them.

use super::judges::ROUNDS_MAX;
use crate::pricing::kind::{AnswerText, Answers, KindSpec, Line, Quad, same};
use kvota_domain::lang::Lang;

/// A kind, by its index in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The winner; a draw returns the stake.
    Winner,
    /// The winner, or a draw.
    Result,
    /// How it ends.
    Method,
    /// The winner and the method.
    WinnerAndMethod,
    /// How many rounds it takes.
    Rounds,
    /// Whether the judges have to decide.
    Distance,
    /// In which round it ends.
    RoundOfEnd,
    /// The round, and the fighter who ends the bout in it.
    RoundAndWinner,
    /// Whether it ends in the round being fought.
    EndsInRound,
    /// The fighter who ends the bout in that round.
    WhoEndsInRound,
    /// Whether a later round begins.
    RoundBegins,
    /// How the judges decide.
    Decision,
    /// Whether home ends it early.
    HomeEarly,
    /// Whether away does.
    AwayEarly,
}

const ALL: [Kind; 14] = [
    Kind::Winner,
    Kind::Result,
    Kind::Method,
    Kind::WinnerAndMethod,
    Kind::Rounds,
    Kind::Distance,
    Kind::RoundOfEnd,
    Kind::RoundAndWinner,
    Kind::EndsInRound,
    Kind::WhoEndsInRound,
    Kind::RoundBegins,
    Kind::Decision,
    Kind::HomeEarly,
    Kind::AwayEarly,
];

/// The kind at an index of the table.
pub(super) fn kind(place: u16) -> Kind {
    ALL.get(usize::from(place)).copied().unwrap_or(Kind::Winner)
}

const MAIN: Quad = ["1.Glavno", "1.Main", "1.Glavno", "1.Главно"];
const METHODS: Quad = ["2.Način pobjede", "2.Method", "2.Način pobjede", "2.Начин победе"];
const ROUNDS: Quad = ["3.Runde", "3.Rounds", "3.Runde", "3.Рунде"];

/// A knock-out, technical or not.
pub(super) const KO: Quad = ["Nokaut", "KO/TKO", "Nokaut", "Нокаут"];
/// A submission.
pub(super) const SUBMISSION: Quad = ["Predaja", "Submission", "Predaja", "Предаја"];
/// The judges decide.
pub(super) const DECISION: Quad = ["Odluka", "Decision", "Odluka", "Одлука"];
const DRAW: Quad = ["Neriješeno", "Draw", "Neriješeno", "Нерешено"];

const WINNER_AND_METHOD: &[(Quad, &str)] = &[
    (["1 nokaut", "1 KO/TKO", "1 nokaut", "1 нокаут"], "home_ko"),
    (["1 predaja", "1 submission", "1 predaja", "1 предаја"], "home_submission"),
    (["1 odluka", "1 decision", "1 odluka", "1 одлука"], "home_decision"),
    (DRAW, "draw"),
    (["2 nokaut", "2 KO/TKO", "2 nokaut", "2 нокаут"], "away_ko"),
    (["2 predaja", "2 submission", "2 predaja", "2 предаја"], "away_submission"),
    (["2 odluka", "2 decision", "2 odluka", "2 одлука"], "away_decision"),
];

const DECISIONS: &[(Quad, &str)] = &[
    (["Jednoglasna", "Unanimous", "Jednoglasna", "Једногласна"], "unanimous"),
    (["Podijeljena", "Split", "Podijeljena", "Подељена"], "split"),
    (["Većinska", "Majority", "Većinska", "Већинска"], "majority"),
    (DRAW, "draw"),
    (["Bez odluke", "No decision", "Bez odluke", "Без одлуке"], "none"),
];

fn decision(lang: Lang) -> AnswerText {
    AnswerText { text: DECISION[lang.index()].to_owned(), alias: Some("decision".to_owned()) }
}

/// `3. runda`.
fn round(place: u16, lang: Lang) -> AnswerText {
    const WORDS: Quad = ["{}. runda", "Round {}", "{}. runda", "{}. рунда"];
    if usize::from(place) == ROUNDS_MAX {
        return decision(lang);
    }
    let number = (place + 1).to_string();
    AnswerText { text: WORDS[lang.index()].replace("{}", &number), alias: Some(format!("round_{number}")) }
}

/// `1 u 3. rundi`, the decision between home and away.
fn round_and_winner(place: u16, lang: Lang) -> AnswerText {
    const WORDS: Quad = ["{} u {r}. rundi", "{} in round {r}", "{} u {r}. rundi", "{} у {r}. рунди"];
    let rounds = ROUNDS_MAX as u16;
    if place == rounds {
        return decision(lang);
    }
    let (side, number) = if place < rounds { (1, place + 1) } else { (2, place - rounds) };
    let text = WORDS[lang.index()].replace("{r}", &number.to_string()).replace("{}", &side.to_string());
    AnswerText { text, alias: Some(format!("{side}_round_{number}")) }
}

/// The table.
pub(super) static KINDS: [KindSpec; 14] = [
    KindSpec::one(
        11_701,
        ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        ["Pobj.", "Win", "Pobj.", "Поб."],
        Answers::OneTwo,
        &[MAIN],
    ),
    KindSpec::one(
        11_702,
        ["Konačni ishod", "Result", "Konačan ishod", "Коначан исход"],
        same("1X2"),
        Answers::OneXTwo,
        &[MAIN],
    ),
    KindSpec::one(
        11_703,
        ["Način pobjede", "Method of victory", "Način pobjede", "Начин победе"],
        ["Način", "Method", "Način", "Начин"],
        Answers::Words(&[(KO, "ko"), (SUBMISSION, "submission"), (DECISION, "decision")]),
        &[MAIN, METHODS],
    ),
    KindSpec::one(
        11_704,
        ["Pobjednik i način", "Winner and method", "Pobjednik i način", "Победник и начин"],
        ["Pobj. i način", "Win & method", "Pobj. i način", "Поб. и начин"],
        Answers::Words(WINNER_AND_METHOD),
        &[METHODS],
    )
    .with_margin(0.1),
    KindSpec::one(
        11_705,
        ["Ukupno rundi", "Total rounds", "Ukupno rundi", "Укупно рунди"],
        ["Runde", "Rounds", "Runde", "Рунде"],
        Answers::UnderOver,
        &[MAIN, ROUNDS],
    )
    .with_lines(Line::Half, ROUNDS_MAX as u16),
    KindSpec::one(
        11_706,
        ["Borba ide do kraja", "Goes the distance", "Borba ide do kraja", "Борба иде до краја"],
        ["Do kraja", "Distance", "Do kraja", "До краја"],
        Answers::YesNo,
        &[MAIN],
    ),
    KindSpec::one(
        11_707,
        ["Runda završetka", "Round of the finish", "Runda završetka", "Рунда завршетка"],
        ["Kraj", "Finish", "Kraj", "Крај"],
        Answers::Rendered(ROUNDS_MAX as u16 + 1, 1, round),
        &[ROUNDS],
    )
    .with_margin(0.1),
    KindSpec::one(
        11_708,
        ["Pobjednik i runda", "Winner and round", "Pobjednik i runda", "Победник и рунда"],
        ["Pobj. i runda", "Win & round", "Pobj. i runda", "Поб. и рунда"],
        Answers::Rendered(2 * ROUNDS_MAX as u16 + 1, 1, round_and_winner),
        &[ROUNDS],
    )
    .with_margin(0.14),
    KindSpec::one(
        11_709,
        ["Kraj u rundi", "Ends in round", "Kraj u rundi", "Крај у рунди"],
        ["Kraj u r.", "Ends in r.", "Kraj u r.", "Крај у р."],
        Answers::YesNo,
        &[ROUNDS],
    )
    .with_lines(Line::Ordinal, ROUNDS_MAX as u16),
    KindSpec::one(
        11_710,
        [
            "Tko završava borbu u rundi",
            "Who ends the fight in round",
            "Ko završava borbu u rundi",
            "Ко завршава борбу у рунди",
        ],
        ["Tko u r.", "Who in r.", "Ko u r.", "Ко у р."],
        Answers::OneNoneTwo,
        &[ROUNDS],
    )
    .with_lines(Line::Ordinal, ROUNDS_MAX as u16),
    KindSpec::one(
        11_711,
        ["Počinje runda", "Start of round", "Počinje runda", "Почиње рунда"],
        ["Počinje", "Begins", "Počinje", "Почиње"],
        Answers::YesNo,
        &[ROUNDS],
    )
    .with_lines(Line::Ordinal, ROUNDS_MAX as u16),
    KindSpec::one(
        11_712,
        ["Odluka sudaca", "Judges' decision", "Odluka sudija", "Одлука судија"],
        ["Suci", "Judges", "Sudije", "Судије"],
        Answers::Words(DECISIONS),
        &[METHODS],
    )
    .with_margin(0.1),
    KindSpec::one(
        11_713,
        [
            "1. borac pobjeđuje prije kraja",
            "Fighter 1 wins inside the distance",
            "1. borac pobjeđuje prije kraja",
            "1. борац побеђује пре краја",
        ],
        ["1 prije kraja", "1 inside", "1 prije kraja", "1 пре краја"],
        Answers::YesNo,
        &[METHODS],
    ),
    KindSpec::one(
        11_714,
        [
            "2. borac pobjeđuje prije kraja",
            "Fighter 2 wins inside the distance",
            "2. borac pobjeđuje prije kraja",
            "2. борац побеђује пре краја",
        ],
        ["2 prije kraja", "2 inside", "2 prije kraja", "2 пре краја"],
        Answers::YesNo,
        &[METHODS],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_stands_at_its_place() {
        assert!(ALL.iter().enumerate().all(|(place, kind)| *kind as usize == place));
    }

    #[test]
    fn rounds_read_as_people_say_them() {
        assert_eq!(round(2, Lang::Hr).text, "3. runda");
        assert_eq!(round(5, Lang::En).text, "Decision");
        assert_eq!(round_and_winner(0, Lang::Hr).text, "1 u 1. rundi");
        assert_eq!(round_and_winner(10, Lang::En).text, "2 in round 5");
        assert_eq!(round_and_winner(6, Lang::En).alias.as_deref(), Some("2_round_1"));
    }
}
