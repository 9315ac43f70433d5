//! The definition of a kind of market: a row of a sport's table. The kind's number (`type` of a market in CONTRACT 0),
//! the order of the table, the number of lines and the indexes of answers never change, because bets refer to them.

use kvota_domain::lang::Lang;

/// A text in Croatian, English, Bosnian and Serbian.
pub type Quad = [&'static str; 4];

/// A text that reads the same in every language.
pub const fn same(text: &'static str) -> Quad {
    [text; 4]
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// The kind's number in the offer.
    pub number: i64,
    /// The market's name.
    pub name: Quad,
    /// The short name, for narrow columns.
    pub short: Quad,
    /// The meaning of its lines.
    pub line: Line,
    /// The largest number of lines over a match's life, at least 1.
    pub lines: u16,
    /// Its answers.
    pub answers: Answers,
    /// The margin: the sum of the inverse prices of a balanced market, minus one.
    pub margin: f64,
    /// The groups for filtering: `group.name`; the part after the dot is shown.
    pub tags: &'static [Quad],
}

impl KindSpec {
    /// The whole part of a total's line: 2 for 2.5.
    pub fn whole(&self, line: u16) -> u16 {
        if let Line::Half(first) = self.line { first + line } else { line }
    }

    /// The start that a handicap's line gives the home side; a half comes on top, unless a draw is possible.
    pub fn given(&self, line: u16) -> i64 {
        i64::from(line) - Line::level(self.lines)
    }
}

#[cfg(test)]
impl KindSpec {
    /// A kind for tests.
    pub(crate) const fn of(number: i64, answers: Answers, line: Line, lines: u16) -> KindSpec {
        KindSpec { number, name: same("name"), short: same("short"), line, lines, answers, margin: 0.06, tags: &[] }
    }
}

/// The line of a market, and how its number (from 0) is written as sbv.
#[derive(Clone, Copy, Debug)]
pub enum Line {
    /// There is only one market of the kind.
    None,
    /// Line n is `n.5` with this number more: a total.
    Half(u16),
    /// Line n is `n + 1`: the first, the second …
    Ordinal,
    /// Line [`Line::level`] + h gives the home side h and a half: `0.5`, `1.5`; line level - 1 is `-0.5`. The middle of
    /// the kind's lines is the level.
    Handicap,
    /// These texts.
    List(&'static [String]),
}

impl Line {
    /// The line with a start of half a point for home, of a kind with `lines` lines.
    pub const fn level(lines: u16) -> i64 {
        lines as i64 / 2
    }

    /// The text of a line; `None` if the kind has no lines.
    pub fn sbv(&self, line: u16, lines: u16) -> Option<String> {
        Some(match self {
            Line::None => return None,
            Line::Half(first) => format!("{}.5", u32::from(*first) + u32::from(line)),
            Line::Ordinal => (u32::from(line) + 1).to_string(),
            Line::Handicap => match i64::from(line) - Line::level(lines) {
                given @ 0.. => format!("{given}.5"),
                // Half a point given and `taken` points taken: -1 and a half is -0.5.
                taken => format!("-{}.5", -taken - 1),
            },
            Line::List(texts) => texts.get(usize::from(line))?.clone(),
        })
    }
}

/// The answers of a market, by index.
#[derive(Clone, Copy, Debug)]
pub enum Answers {
    /// `1`, `2`.
    OneTwo,
    /// `1`, `X`, `2`.
    OneXTwo,
    /// `1X`, `12`, `X2`.
    DoubleChance,
    /// `1`, neither, `2`.
    OneNoneTwo,
    /// Under, over.
    UnderOver,
    /// Yes, no.
    YesNo,
    /// Odd, even.
    OddEven,
    /// These.
    List(&'static [Answer]),
}

/// An answer of a list.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The text.
    pub text: Quad,
    /// The language-neutral form, if the text is a word.
    pub alias: Option<&'static str>,
}

/// An answer in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerText {
    /// The text that is shown.
    pub text: String,
    /// The language-neutral form, if the shown text is a word.
    pub alias: Option<String>,
}

/// Below the line.
pub const UNDER: Quad = ["Manje", "Under", "Manje", "Мање"];
/// Above the line.
pub const OVER: Quad = ["Više", "Over", "Više", "Више"];
/// It happens.
pub const YES: Quad = ["Da", "Yes", "Da", "Да"];
/// It does not.
pub const NO: Quad = ["Ne", "No", "Ne", "Не"];
/// Odd in number.
pub const ODD: Quad = ["Nepar", "Odd", "Nepar", "Непар"];
/// Even in number.
pub const EVEN: Quad = ["Par", "Even", "Par", "Пар"];
/// Neither side.
pub const NOBODY: Quad = ["Nitko", "None", "Niko", "Нико"];

impl Answers {
    /// The number of answers.
    pub const fn places(self) -> u16 {
        match self {
            Answers::OneTwo | Answers::UnderOver | Answers::YesNo | Answers::OddEven => 2,
            Answers::OneXTwo | Answers::OneNoneTwo | Answers::DoubleChance => 3,
            Answers::List(answers) => answers.len() as u16,
        }
    }

    /// The number of winning answers, which is the sum of the answers' probabilities.
    pub const fn winners(self) -> usize {
        match self {
            Answers::DoubleChance => 2,
            _ => 1,
        }
    }

    /// The text of the answer with an index below [`Answers::places`].
    pub fn text(self, place: u16, lang: Lang) -> AnswerText {
        let at = usize::from(place);
        let plain = |text: &str| AnswerText { text: text.to_owned(), alias: None };
        let word = |words: &[(Quad, &str)], at: usize| {
            let (quad, alias) = words[at];
            AnswerText { text: quad[lang.index()].to_owned(), alias: Some(alias.to_owned()) }
        };
        match self {
            Answers::OneTwo => plain(["1", "2"][at]),
            Answers::OneXTwo => plain(["1", "X", "2"][at]),
            Answers::DoubleChance => plain(["1X", "12", "X2"][at]),
            Answers::OneNoneTwo if place == 1 => word(&[(NOBODY, "none")], 0),
            Answers::OneNoneTwo => plain(["1", "", "2"][at]),
            Answers::UnderOver => word(&[(UNDER, "under"), (OVER, "over")], at),
            Answers::YesNo => word(&[(YES, "yes"), (NO, "no")], at),
            Answers::OddEven => word(&[(ODD, "odd"), (EVEN, "even")], at),
            Answers::List(answers) => {
                let Answer { text, alias } = answers[at];
                AnswerText { text: text[lang.index()].to_owned(), alias: alias.map(str::to_owned) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_as_the_contract_says() {
        for (line, lines, number, text) in [
            (Line::Half(0), 9, 2, "2.5"),
            (Line::Half(100), 200, 65, "165.5"),
            (Line::Ordinal, 5, 0, "1"),
            (Line::Handicap, 14, 7, "0.5"),
            (Line::Handicap, 14, 6, "-0.5"),
            (Line::Handicap, 14, 5, "-1.5"),
            (Line::Handicap, 14, 9, "2.5"),
        ] {
            assert_eq!(line.sbv(number, lines).as_deref(), Some(text));
        }
        assert_eq!(Line::None.sbv(0, 1), None);
    }
}
