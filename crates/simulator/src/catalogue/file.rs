//! The format of the files in `catalogue/`: the markets and columns of a sport, and what sports share. The build script
//! reads them as well, so this file must not import anything of the crate.

use super::questions::SetQuestion;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;

/// A text in the four languages.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "a text is a string, or { hr, en, sr } with bs if it differs from hr")]
pub enum Text {
    /// The same in every language.
    Same(String),
    /// One for each language.
    Each(Languages),
}

/// The languages of a text.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Languages {
    hr: String,
    en: String,
    /// The Croatian one if it is absent.
    bs: Option<String>,
    sr: String,
}

impl Text {
    /// Croatian, English, Bosnian and Serbian.
    pub fn quad(&self) -> [&str; 4] {
        match self {
            Text::Same(text) => [text; 4],
            Text::Each(Languages { hr, en, bs, sr }) => [hr, en, bs.as_ref().unwrap_or(hr), sr],
        }
    }
}

/// `common.toml`: what sports share.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// Groups of markets: `group.name`; the part after the dot is shown.
    pub tags: BTreeMap<String, Text>,
    /// Names of markets.
    pub texts: BTreeMap<String, Names>,
}

/// The names of a market.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// The name.
    pub name: Text,
    /// The short one, for narrow columns.
    pub short: Text,
}

/// A sport's file: `Q` are the questions about a match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "Q: DeserializeOwned")]
pub struct Sheet<Q> {
    /// The sport itself.
    pub sport: SportRow,
    /// Groups of this sport alone.
    #[serde(default)]
    pub tags: BTreeMap<String, Text>,
    /// The preferred columns, in the order of the selector.
    pub column: Vec<ColumnRow>,
    /// The markets about a match.
    pub market: Vec<MarketRow<Q>>,
    /// The number of sets.
    pub sets: Option<Sets>,
    /// The markets about each set.
    #[serde(default)]
    pub set_market: Vec<MarketRow<SetQuestion>>,
}

/// A sport.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SportRow {
    /// Its id in the offer.
    pub id: u64,
    /// Its name on the command line.
    pub key: String,
    /// Its position in the list.
    pub order: i64,
    /// Its name.
    pub name: Text,
    /// What takes part in it, drawn with equal chances.
    pub entrants: Vec<Entrants>,
    /// About how long a match takes, its breaks included, in minutes.
    pub minutes: u32,
    /// The probability that a match is interrupted.
    pub interrupted: f64,
    /// The probability that a side gives up.
    pub retired: f64,
    /// The probability that a score is corrected.
    pub corrected: f64,
    /// Its number of matches among 100 of all sports.
    pub share: u32,
    /// The number of the winner's market, in sports with a clock in which only the score decides the leader.
    pub leader: Option<i64>,
}

/// What takes part in a sport.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entrants {
    /// Clubs: a word and a town, "Sloga Mirograd".
    Clubs,
    /// Clubs of one country, American style: city and nickname.
    NationalClubs,
    /// Men, one a side.
    Men,
    /// Women, one a side.
    Women,
    /// Men or women, one a side.
    Mixed,
    /// Two surnames: "Vidrić / Lozanec".
    Pairs,
}

/// The sets of a sport.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sets {
    /// The most that a match can have.
    pub count: u16,
}

/// A preferred column (contract 0).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnRow {
    /// The name in the selector.
    pub name: Text,
    /// The headings.
    pub fields: Fields,
    /// The market, whatever the status of the match.
    pub market: Option<i64>,
    /// The market of the running set.
    pub of_set: Option<i64>,
    /// The market for each status; the first that fits counts.
    #[serde(default)]
    pub markets: Vec<ColumnMarketRow>,
    /// How the line is shown: not at all, `{sbv}`, `{+sbv}`.
    #[serde(default)]
    pub format: String,
    /// Whether the selector hides the column.
    #[serde(default)]
    pub hidden: bool,
}

/// A market of a column.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnMarketRow {
    /// Its number.
    pub number: i64,
    /// The status in which it is shown; any if it is absent.
    #[serde(default)]
    pub status: String,
}

/// The headings of a column.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "headings are the name of some answers, such as \"one_x_two\", or a list of texts")]
pub enum Fields {
    /// Those of these answers.
    Of(NamedAnswers),
    /// These texts.
    Texts(Vec<Text>),
}

/// A market.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "Q: DeserializeOwned")]
pub struct MarketRow<Q> {
    /// Its number in the offer; of a market about a set, that of the first set less 100.
    pub number: Spanned<i64>,
    /// The question that decides it.
    pub question: Q,
    /// Its names, if it shares them with other sports …
    pub text: Option<String>,
    /// … or its name …
    pub name: Option<Text>,
    /// … and its short name.
    pub short: Option<Text>,
    /// What its lines are.
    pub line: Option<LineRow>,
    /// The number of its first line.
    pub first: Option<u16>,
    /// After how many lines the texts begin again, because they are about the next over or innings.
    pub repeat: Option<u16>,
    /// The largest number of lines over a match's life.
    pub lines: Option<u16>,
    /// Its answers.
    pub answers: AnswersRow,
    /// The sum of the inverse prices of a balanced market, minus one; 0.06 if it is absent.
    pub margin: Option<f64>,
    /// Its groups.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// The lines of a market.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a line is half, ordinal, handicap, whole_handicap, count or tens, or a list of texts")]
pub enum LineRow {
    /// A rule.
    Named(NamedLine),
    /// These texts.
    Texts(Vec<String>),
}

/// How a line is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedLine {
    /// 0.5, 1.5 …
    Half,
    /// 1, 2 …
    Ordinal,
    /// … -0.5, 0.5 …; the middle one gives the home side half a point.
    Handicap,
    /// … 0:1, 0:0, 1:0 …
    WholeHandicap,
    /// 10, 20 …
    Tens,
}

/// The answers of a market.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "answers have a name, such as \"one_x_two\", or are a list of texts or { alias, text }")]
pub enum AnswersRow {
    /// Those of many markets.
    Named(NamedAnswers),
    /// These.
    List(Vec<AnswerRow>),
}

/// Answers of many markets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedAnswers {
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
    /// `1`, `X`, `2`, each with yes and no.
    ResultYesNo,
    /// `1`, `X`, `2`, each with under and over.
    ResultUnderOver,
    /// Scores up to 9:9, any other.
    Score,
    /// Scores up to 5:5, any other.
    ShortScore,
    /// Scores up to 10:10.
    LongScore,
}

/// An answer.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "an answer is a string, or { alias, text }")]
pub enum AnswerRow {
    /// The same in every language.
    Plain(String),
    /// A word.
    Word(WordRow),
}

/// An answer that is a word.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordRow {
    /// The language-neutral form.
    pub alias: String,
    /// The text.
    pub text: Text,
}

/// Reads `common.toml`.
///
/// # Errors
/// What is wrong, with the line.
pub fn common(text: &str) -> Result<Common, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

/// Reads and checks a sport's file.
///
/// # Errors
/// What is wrong, with the line.
pub fn sheet<Q: DeserializeOwned + PartialEq>(text: &str, common: &Common) -> Result<Sheet<Q>, String> {
    let sheet: Sheet<Q> = toml::from_str(text).map_err(|error| error.to_string())?;
    let problems = problems(&sheet, common, text);
    if problems.is_empty() { Ok(sheet) } else { Err(problems.join("\n")) }
}

fn problems<Q: PartialEq>(sheet: &Sheet<Q>, common: &Common, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for row in &sheet.market {
        problems.extend(row.problems(&mut seen, sheet, common, text));
    }
    let mut in_set = BTreeSet::new();
    for row in &sheet.set_market {
        problems.extend(row.problems(&mut in_set, sheet, common, text));
    }
    problems.extend(twice(&sheet.market).chain(twice(&sheet.set_market)));
    if sheet.sets.is_none() != sheet.set_market.is_empty() {
        problems.push("[sets] and [[set_market]] need each other".to_owned());
    }
    if let Some(leader) = sheet.sport.leader.filter(|leader| !seen.contains(leader)) {
        problems.push(format!("the leader's market {leader} does not exist"));
    }
    for column in &sheet.column {
        let name = column.name.quad()[1];
        let numbers = column.markets.iter().map(|market| market.number).chain(column.market);
        let missing = numbers.filter(|number| !seen.contains(number));
        let missing = missing.chain(column.of_set.filter(|number| !in_set.contains(number)));
        problems.extend(missing.map(|number| format!("column {name}: market {number} does not exist")));
        let given = [column.market.is_some(), column.of_set.is_some(), !column.markets.is_empty()];
        if given.into_iter().filter(|given| *given).count() != 1 {
            problems.push(format!("column {name}: needs one of market, of_set and markets"));
        }
    }
    problems
}

/// Markets that ask what an earlier one asks: an engine would find the earlier one.
fn twice<Q: PartialEq>(rows: &[MarketRow<Q>]) -> impl Iterator<Item = String> {
    let later = rows.iter().enumerate().filter(|(at, row)| rows[..*at].iter().any(|one| one.question == row.question));
    later.map(|(_, row)| format!("market {}: another market has the same question", row.number.get_ref()))
}

impl<Q> MarketRow<Q> {
    /// The name and the short name.
    pub fn names<'a>(&'a self, common: &'a Common) -> Option<(&'a Text, &'a Text)> {
        match (&self.text, &self.name, &self.short) {
            (Some(text), None, None) => common.texts.get(text).map(|names| (&names.name, &names.short)),
            (None, Some(name), Some(short)) => Some((name, short)),
            _ => None,
        }
    }

    fn problems<A>(&self, seen: &mut BTreeSet<i64>, sheet: &Sheet<A>, common: &Common, text: &str) -> Vec<String> {
        let number = *self.number.get_ref();
        let Range { start, .. } = self.number.span();
        let line = text[..start].lines().count();
        let tags = self.tags.iter().filter(|tag| !sheet.tags.contains_key(*tag) && !common.tags.contains_key(*tag));
        let mut problems: Vec<String> = tags.map(|tag| format!("there is no group {tag}")).collect();
        let mut expect = |holds: bool, otherwise: &str| {
            if !holds {
                problems.push(otherwise.to_owned());
            }
        };
        expect(seen.insert(number), "the number is not unique");
        let names = self.names(common);
        expect(names.is_some(), "it needs a name and a short name, or a text of common.toml");
        let texts = names.into_iter().flat_map(|(name, short)| name.quad().into_iter().chain(short.quad()));
        expect(!texts.into_iter().any(str::is_empty), "a text is empty");
        let margin = self.margin.unwrap_or(0.06);
        expect((0.0..0.3).contains(&margin), "the margin is not from 0 to 0.3");
        expect(!matches!(&self.answers, AnswersRow::List(list) if list.len() < 2), "it needs two answers");
        let is_named = matches!(self.line, Some(LineRow::Named(_)));
        expect(is_named == self.lines.is_some_and(|lines| lines > 0), "a line has a number of lines, a list has none");
        let has_first = self.first.is_some();
        expect(
            !has_first || matches!(self.line, Some(LineRow::Named(NamedLine::Half))),
            "only half lines have a first",
        );
        expect(self.repeat != Some(0), "lines cannot be repeated after 0");
        problems.into_iter().map(|problem| format!("line {line}, market {number}: {problem}")).collect()
    }
}
