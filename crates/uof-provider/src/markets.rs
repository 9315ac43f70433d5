//! Which of our markets is which of the provider's. The best known ones have the provider's ids; all others have ids of
//! their own beyond them. The texts are those of the catalogue.

use kvota_domain::Text;
use kvota_domain::ids::{OddId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::market::{Market, Odd};
use kvota_simulator::pricing::catalogue::AnswerWords;
use kvota_simulator::simulator::sports::{Entry, table};
use std::collections::BTreeMap;

/// Markets without an id of the provider begin here: the sport, then our number.
const OWN_IDS: i64 = 100_000;

/// A well-known market: the sports, our number, the provider's id, the key of its line, and its outcomes in our order.
struct Known(&'static [u64], i64, i64, &'static str, &'static [&'static str]);

const RESULT: &[&str] = &["1", "2", "3"];
const TWO: &[&str] = &["4", "5"];
const HANDICAP: &[&str] = &["1714", "1715"];
/// Under, then over: the order of our catalogue.
const UNDER_OVER: &[&str] = &["13", "12"];
const DOUBLE_CHANCE: &[&str] = &["9", "10", "11"];
const YES_NO: &[&str] = &["74", "76"];
const RALLIES: &[u64] = &[20, 23, 31, 34, 37];

const KNOWN: &[Known] = &[
    Known(&[1, 4, 6, 12, 29, 2, 16], 1, 1, "", RESULT),
    Known(&[1, 4, 6, 12, 29], 18, 18, "total", UNDER_OVER),
    Known(&[1, 4, 6, 12, 29], 2, 10, "", DOUBLE_CHANCE),
    Known(&[1, 4, 6, 12, 29], 9, 16, "hcp", HANDICAP),
    Known(&[1], 10, 29, "", YES_NO),
    Known(&[2, 16], 60, 219, "", TWO),
    Known(&[2, 16], 18, 225, "total", UNDER_OVER),
    Known(&[2, 16], 9, 223, "hcp", HANDICAP),
    Known(&[3], 60, 251, "", TWO),
    Known(&[3], 18, 258, "total", UNDER_OVER),
    Known(&[3], 9, 256, "hcp", HANDICAP),
    Known(&[4], 60, 406, "", TWO),
    Known(&[5], 20, 186, "", TWO),
    Known(&[5], 18, 189, "total", UNDER_OVER),
    Known(&[5], 24, 187, "hcp", HANDICAP),
    Known(RALLIES, 20, 186, "", TWO),
    Known(RALLIES, 18, 238, "total", UNDER_OVER),
    Known(RALLIES, 24, 237, "hcp", HANDICAP),
    Known(&[19], 1901, 186, "", TWO),
    Known(&[21], 2101, 186, "", TWO),
    Known(&[22], 2201, 186, "", TWO),
    Known(&[117], 11_701, 186, "", TWO),
];

/// A line of the provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// The market id.
    pub(crate) market: i64,
    /// `total=2.5`, or empty.
    pub(crate) specifiers: String,
    /// The ids of our odds, with those of the provider's outcomes.
    pub(crate) outcomes: Vec<(OddId, String)>,
}

/// A market of our offer as a line of the provider.
pub(crate) fn line(sport: SportId, market: &Market) -> Line {
    let known = known(sport, market.kind);
    let key = known.map_or("line", |Known(.., key, _)| key);
    let specifiers = market.sbv.as_ref().map(|sbv| format!("{key}={sbv}")).unwrap_or_default();
    let outcomes = market.odds.iter().map(|odd| (odd.id, outcome(sport, market.kind, odd))).collect();
    Line { market: market_of(sport, market.kind), specifiers, outcomes }
}

fn known(sport: SportId, kind: i64) -> Option<&'static Known> {
    KNOWN.iter().find(|Known(sports, ours, ..)| *ours == kind && sports.contains(&sport.get()))
}

fn market_of(sport: SportId, kind: i64) -> i64 {
    known(sport, kind).map_or(sport.get() as i64 * OWN_IDS + kind, |Known(_, _, theirs, ..)| *theirs)
}

/// The outcome of an odd, by its place among the answers of its market.
fn outcome(sport: SportId, kind: i64, odd: &Odd) -> String {
    let name = odd.alias.as_ref().or(odd.kind.as_ref());
    let place = entry(sport).and_then(|entry| {
        let answers = answers(entry, kind, Lang::En)?;
        answers.iter().position(|answer| Some(answer.alias.as_ref().unwrap_or(&answer.kind)) == name)
    });
    let Some(place) = place else { return name.map_or_else(String::new, |name| name.to_string()) };
    outcome_at(sport, kind, place)
}

fn outcome_at(sport: SportId, kind: i64, place: usize) -> String {
    let known = known(sport, kind).and_then(|Known(.., outcomes)| outcomes.get(place));
    known.map_or_else(|| (place + 1).to_string(), |id| (*id).to_owned())
}

fn entry(sport: SportId) -> Option<&'static Entry> {
    table().iter().find(|entry| entry.id == sport)
}

fn answers(entry: &'static Entry, kind: i64, lang: Lang) -> Option<&'static [AnswerWords]> {
    let at = entry.profile.kinds.iter().position(|spec| spec.number == kind)?;
    Some(&entry.catalogue.words(lang, u16::try_from(at).ok()?).answers)
}

/// The description of a market in a language.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    pub(crate) id: i64,
    pub(crate) name: Text,
    pub(crate) groups: String,
    /// The key of the line, if it has lines.
    pub(crate) specifier: Option<&'static str>,
    /// Id, full name and short label.
    pub(crate) outcomes: Vec<(String, String, String)>,
}

/// The descriptions of all markets in a language, by their ids.
pub(crate) fn descriptions(lang: Lang) -> Vec<Description> {
    let mut all: BTreeMap<i64, Description> = BTreeMap::new();
    for entry in table() {
        for (at, spec) in (0_u16..).zip(entry.profile.kinds) {
            let words = entry.catalogue.words(lang, at);
            let known = known(entry.id, spec.number);
            let id = market_of(entry.id, spec.number);
            let outcomes = words.answers.iter().enumerate().map(|(place, answer)| {
                let label = label(answer);
                (outcome_at(entry.id, spec.number, place), full_name(answer, known), label)
            });
            let description = Description {
                id,
                name: Text::clone(&words.name),
                groups: format!("all|{}", if known.is_some() { "score" } else { "rapid_market" }),
                specifier: entry.catalogue.sbv(at, 0).map(|_| known.map_or("line", |Known(.., key, _)| *key)),
                outcomes: outcomes.collect(),
            };
            // Sports share the well-known markets, and the first sport names them.
            all.entry(id).or_insert(description);
        }
    }
    all.into_values().collect()
}

/// The provider's short labels are in lower case and in English.
fn label(answer: &AnswerWords) -> String {
    answer.alias.as_ref().unwrap_or(&answer.kind).to_lowercase()
}

/// The provider names the sides by their names, and the line with the outcome.
fn full_name(answer: &AnswerWords, known: Option<&Known>) -> String {
    let side = match label(answer).as_str() {
        "1" => "{$competitor1}",
        "2" => "{$competitor2}",
        _ => "",
    };
    match (side, known.map_or("", |Known(.., key, _)| key)) {
        ("", "total") => format!("{} {{total}}", answer.kind),
        ("", _) => answer.kind.to_string(),
        ("{$competitor2}", "hcp") => format!("{side} ({{-hcp}})"),
        (side, "hcp") => format!("{side} ({{+hcp}})"),
        (side, _) => side.to_owned(),
    }
}
