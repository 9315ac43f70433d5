//! Answers that several sports share, beyond those in [`Answers`]: scores, and a result combined with something else.
//! Indexes never change, because bets refer to them. Must not contain anything of a single sport.

use super::kind::{AnswerText, Answers, NO, OVER, Quad, UNDER, YES};
use kvota_domain::lang::Lang;

/// Any score that is not listed.
pub const OTHER: Quad = ["Ostalo", "Other", "Ostalo", "Остало"];

const RESULT: [&str; 3] = ["1", "X", "2"];

/// `1/1`, `1/X` … `2/2`: the result of a part and of the whole.
pub const RESULT_TWICE: Answers =
    Answers::Plain(9, |place| format!("{}/{}", RESULT[usize::from(place / 3)], RESULT[usize::from(place % 3)]));

/// `1`, `X`, `2`, each with yes and no.
pub const RESULT_YES_NO: Answers =
    Answers::Rendered(6, 1, |place, lang| with_result([(YES, "yes"), (NO, "no")], place, lang));

/// `1`, `X`, `2`, each with under and over.
pub const RESULT_UNDER_OVER: Answers =
    Answers::Rendered(6, 1, |place, lang| with_result([(UNDER, "under"), (OVER, "over")], place, lang));

/// `h:a` at `10 h + a` up to 9 each, any other at 100.
pub const SCORE: Answers = Answers::Rendered(101, 1, |place, lang| score(place, 10, lang));

/// `h:a` at `6 h + a` up to 5 each, any other at 36.
pub const SHORT_SCORE: Answers = Answers::Rendered(37, 1, |place, lang| score(place, 6, lang));

fn with_result(of: [(Quad, &str); 2], place: u16, lang: Lang) -> AnswerText {
    let result = RESULT[usize::from(place / 2)];
    let (quad, alias) = of[usize::from(place % 2)];
    AnswerText { text: format!("{result} & {}", quad[lang.index()]), alias: Some(format!("{result}/{alias}")) }
}

fn score(place: u16, base: u16, lang: Lang) -> AnswerText {
    if place < base * base {
        AnswerText { text: format!("{}:{}", place / base, place % base), alias: None }
    } else {
        AnswerText { text: OTHER[lang.index()].to_owned(), alias: Some("other".to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_reads_as_its_place_says() {
        for (answers, place, text, alias) in [
            (RESULT_TWICE, 1, "1/X", None),
            (RESULT_YES_NO, 3, "X & No", Some("X/no")),
            (RESULT_UNDER_OVER, 5, "2 & Over", Some("2/over")),
            (SCORE, 31, "3:1", None),
            (SCORE, 100, "Other", Some("other")),
            (SHORT_SCORE, 31, "5:1", None),
            (SHORT_SCORE, 36, "Other", Some("other")),
        ] {
            let expected = AnswerText { text: text.to_owned(), alias: alias.map(str::to_owned) };
            assert_eq!(answers.text(place, Lang::En), expected);
        }
    }
}
