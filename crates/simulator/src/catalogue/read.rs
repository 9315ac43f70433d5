//! Makes a sport's tables from its file. What a file says lives as long as the program.

use super::file::{
    AnswerRow, AnswersRow, ColumnRow, Common, Fields, LineRow, MarketRow, NamedAnswers, NamedLine, Sheet, Text, sheet,
};
use super::{Profile, SportData};
use crate::pricing::columns::Column;
use crate::pricing::kind::{Answer, Answers, KindSpec, Line, NO, OVER, Quad, UNDER, YES, same};
use kvota_domain::lang::Lang;
use serde::de::DeserializeOwned;

/// The margin of a market that names none.
const USUAL_MARGIN: f64 = 0.06;
/// Any score that is not listed.
const OTHER: Quad = ["Ostalo", "Other", "Ostalo", "Остало"];

/// Reads the file of a sport. One of a sport with sets also has markets about each set.
///
/// # Panics
/// If the file is wrong; the build script checks it.
pub(super) fn sport<Q: DeserializeOwned + PartialEq + 'static>(text: &str, common: &Common) -> SportData<Q> {
    let sheet: Sheet<Q> = sheet(text, common).unwrap_or_else(|problem| panic!("{problem}"));
    let sets = sheet.sets.as_ref().map_or(0, |sets| sets.count);
    let mut kinds: Vec<KindSpec> = sheet.market.iter().map(|row| spec(row, &sheet, common)).collect();
    for set in 1..=sets {
        kinds.extend(sheet.set_market.iter().map(|row| of_set(spec(row, &sheet, common), set, common)));
    }
    let columns = sheet.column.iter().map(|row| column(row, &kinds, sets)).collect::<Vec<Column>>();
    let sport = &sheet.sport;
    let profile = Profile {
        id: sport.id,
        key: keep(&sport.key),
        order: sport.order,
        name: quad(&sport.name),
        columns: columns.leak(),
        entrants: sport.entrants.clone().leak(),
        minutes: sport.minutes,
        interrupted: sport.interrupted,
        retired: sport.retired,
        corrected: sport.corrected,
        share: sport.share,
        leader_kind: sport.leader.map(|number| place(&kinds, number)),
        kinds: kinds.leak(),
    };
    SportData {
        profile,
        questions: sheet.market.into_iter().map(|row| row.question).collect(),
        of_set: sheet.set_market.into_iter().map(|row| row.question).collect(),
    }
}

fn keep(text: &str) -> &'static str {
    text.to_owned().leak()
}

fn quad(text: &Text) -> Quad {
    text.quad().map(keep)
}

/// The index of a number.
fn place(kinds: &[KindSpec], number: i64) -> u16 {
    kinds.iter().position(|kind| kind.number == number).expect("the build script checks numbers") as u16
}

fn spec<Q, A>(row: &MarketRow<Q>, sheet: &Sheet<A>, common: &Common) -> KindSpec {
    let (name, short) = row.names(common).expect("the build script checks texts");
    let (line, lines) = line(row);
    let tag = |tag: &String| quad(sheet.tags.get(tag).or_else(|| common.tags.get(tag)).expect("a checked group"));
    KindSpec {
        number: *row.number.get_ref(),
        name: quad(name),
        short: quad(short),
        line,
        lines,
        answers: answers(&row.answers),
        margin: row.margin.unwrap_or(USUAL_MARGIN),
        tags: row.tags.iter().map(tag).collect::<Vec<Quad>>().leak(),
    }
}

/// The kind for a set, from 1. Each set has a group of its own, after those of the match.
fn of_set(kind: KindSpec, set: u16, common: &Common) -> KindSpec {
    let filled = |text: Quad| text.map(|text| keep(&text.replace("{n}", &set.to_string())));
    let group = quad(&common.tags["set"]).map(|text| keep(&text.replace("{group}", &(set + 3).to_string())));
    KindSpec {
        number: kind.number + 100 * i64::from(set),
        name: filled(kind.name),
        short: filled(kind.short),
        tags: vec![filled(group)].leak(),
        ..kind
    }
}

fn line<Q>(row: &MarketRow<Q>) -> (Line, u16) {
    let lines = row.lines.unwrap_or(1);
    let repeat = row.repeat.unwrap_or(lines);
    let listed = |text: &dyn Fn(u16) -> String| {
        let texts = (0..lines).map(|line| text(line % repeat));
        (Line::List(texts.collect::<Vec<String>>().leak()), lines)
    };
    let named = match &row.line {
        None => return (Line::None, 1),
        Some(LineRow::Texts(texts)) => return (Line::List(texts.clone().leak()), texts.len() as u16),
        Some(LineRow::Named(named)) => *named,
    };
    let level = Line::level(lines);
    let rule = match named {
        NamedLine::Half => Line::Half(row.first.unwrap_or_default()),
        NamedLine::Ordinal => Line::Ordinal,
        NamedLine::Handicap => Line::Handicap,
        NamedLine::Tens => return listed(&|line| (10 * (line + 1)).to_string()),
        NamedLine::WholeHandicap => {
            return listed(&|line| match i64::from(line) - level {
                given @ 0.. => format!("{given}:0"),
                taken => format!("0:{}", -taken),
            });
        }
    };
    if row.repeat.is_none() { (rule, lines) } else { listed(&|line| rule.sbv(line, lines).unwrap_or_default()) }
}

fn answers(row: &AnswersRow) -> Answers {
    let listed = |answers: Vec<Answer>| Answers::List(answers.leak());
    match row {
        AnswersRow::List(rows) => listed(rows.iter().map(answer).collect()),
        AnswersRow::Named(named) => match named {
            NamedAnswers::OneTwo => Answers::OneTwo,
            NamedAnswers::OneXTwo => Answers::OneXTwo,
            NamedAnswers::DoubleChance => Answers::DoubleChance,
            NamedAnswers::OneNoneTwo => Answers::OneNoneTwo,
            NamedAnswers::UnderOver => Answers::UnderOver,
            NamedAnswers::YesNo => Answers::YesNo,
            NamedAnswers::OddEven => Answers::OddEven,
            NamedAnswers::ResultYesNo => listed(with_result([(YES, "yes"), (NO, "no")])),
            NamedAnswers::ResultUnderOver => listed(with_result([(UNDER, "under"), (OVER, "over")])),
            NamedAnswers::Score => listed(scores(10).chain([other()]).collect()),
            NamedAnswers::ShortScore => listed(scores(6).chain([other()]).collect()),
            NamedAnswers::LongScore => listed(scores(11).collect()),
        },
    }
}

fn answer(row: &AnswerRow) -> Answer {
    match row {
        AnswerRow::Plain(text) => Answer { text: same(keep(text)), alias: None },
        AnswerRow::Word(word) => Answer { text: quad(&word.text), alias: Some(keep(&word.alias)) },
    }
}

/// `1`, `X`, `2`, each with both.
fn with_result(both: [(Quad, &str); 2]) -> Vec<Answer> {
    let one = |result: &str, (text, alias): (Quad, &str)| Answer {
        text: text.map(|text| keep(&format!("{result} & {text}"))),
        alias: Some(keep(&format!("{result}/{alias}"))),
    };
    ["1", "X", "2"].into_iter().flat_map(|result| both.map(|with| one(result, with))).collect()
}

/// Scores with fewer goals of each side than `base`: `h:a` at `base * h + a`.
fn scores(base: u16) -> impl Iterator<Item = Answer> {
    let score = move |place| Answer { text: same(keep(&format!("{}:{}", place / base, place % base))), alias: None };
    (0..base * base).map(score)
}

fn other() -> Answer {
    Answer { text: OTHER, alias: Some("other") }
}

fn column(row: &ColumnRow, kinds: &[KindSpec], sets: u16) -> Column {
    let given = row.markets.iter().map(|market| (place(kinds, market.number), keep(&market.status)));
    let only = row.market.map(|number| (place(kinds, number), ""));
    // Before the match it is about the first set.
    let of_set = row.of_set.into_iter().flat_map(|number| {
        let of = move |set: u16| place(kinds, number + 100 * i64::from(set));
        std::iter::once((of(1), "not_started")).chain((1..=sets).map(move |set| (of(set), keep(&format!("set_{set}")))))
    });
    let fields = match &row.fields {
        Fields::Of(named) => headings(answers(&AnswersRow::Named(*named))),
        Fields::Texts(texts) => texts.iter().map(quad).collect(),
    };
    Column {
        name: quad(&row.name),
        fields: fields.leak(),
        markets: given.chain(only).chain(of_set).collect::<Vec<(u16, &str)>>().leak(),
        format: keep(&row.format),
        hidden: row.hidden,
    }
}

fn headings(answers: Answers) -> Vec<Quad> {
    (0..answers.places()).map(|place| Lang::ALL.map(|lang| keep(&answers.text(place, lang).text))).collect()
}
