//! Compares the numbers of markets that the client's *decided soon* uses with the catalogue and the rules of the
//! sports. Run with `KVOTA_BLESS=1` to rewrite the client's file; the review shows the difference.

use super::clock::rules::Rules;
use crate::catalogue::questions::{ClockQuestion, Part, Scope};
use crate::catalogue::{self, SportData};
use std::collections::BTreeMap;
use std::fmt::{Debug, Write};
use std::path::Path;

/// What the end of a period decides.
#[derive(Default)]
struct Ends {
    types: Vec<i64>,
    /// These only if the score is not level, because overtime counts.
    unless_level: Vec<i64>,
    /// These for the line that is the number of the period.
    by_line: Vec<i64>,
}

/// By the index of the period.
type Periods = BTreeMap<usize, Ends>;

/// `last` is the last period of an overtime.
fn against_the_clock(rules: &Rules, last: usize) -> Periods {
    let mut periods = Periods::new();
    let regular = rules.periods.len();
    for (question, spec) in rules.data.questions.iter().zip(rules.data.profile.kinds) {
        let scope = match *question {
            ClockQuestion::PeriodResult | ClockQuestion::FirstOfPeriod => {
                (0..regular).for_each(|period| periods.entry(period).or_default().by_line.push(spec.number));
                continue;
            }
            ClockQuestion::ShootOut | ClockQuestion::Within(_) => continue,
            ClockQuestion::Winner => Scope::Match,
            ClockQuestion::Result(scope)
            | ClockQuestion::DrawNoBet(scope)
            | ClockQuestion::DoubleChance(scope)
            | ClockQuestion::Total(scope)
            | ClockQuestion::SideTotal { scope, .. }
            | ClockQuestion::Handicap(scope)
            | ClockQuestion::OddEven(scope)
            | ClockQuestion::Next(scope)
            | ClockQuestion::Margin { scope, .. } => scope,
            ClockQuestion::Race { periods, .. }
            | ClockQuestion::HalfFull { periods, .. }
            | ClockQuestion::EachPeriod { periods, .. }
            | ClockQuestion::Count { periods, .. }
            | ClockQuestion::MoreOf { periods, .. }
            | ClockQuestion::First(periods)
            | ClockQuestion::TotalBands { periods, .. }
            | ClockQuestion::CleanSheet { periods, .. }
            | ClockQuestion::WinToNil { periods, .. }
            | ClockQuestion::ResultAndBothScore(periods)
            | ClockQuestion::ScoresInEach { periods, .. }
            | ClockQuestion::MoreIn([_, periods])
            | ClockQuestion::NextKind(periods)
            | ClockQuestion::Overtime(periods)
            | ClockQuestion::ThreeWayHandicap(periods)
            | ClockQuestion::BothScore(periods)
            | ClockQuestion::CorrectScore { periods, .. }
            | ClockQuestion::ResultAndTotal(periods)
            | ClockQuestion::RaceTo { periods, .. }
            | ClockQuestion::Last(periods)
            | ClockQuestion::RedCard(periods) => Scope::Part(periods),
            ClockQuestion::Highest(parts) => Scope::Part(*parts.last().expect("some parts")),
        };
        match scope {
            Scope::Match => {
                for period in [regular - 1, last] {
                    periods.entry(period).or_default().unless_level.push(spec.number);
                }
            }
            Scope::Part(Part { to, .. }) | Scope::Corners(Part { to, .. }) | Scope::Cards(Part { to, .. }) => {
                periods.entry(to - 1).or_default().types.push(spec.number)
            }
        }
    }
    periods
}

fn list(numbers: &[i64]) -> String {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.iter().map(i64::to_string).collect::<Vec<String>>().join(", ")
}

/// `name: { status: { types: […] } },`
fn periods(text: &mut String, name: &str, statuses: &[&str], periods: &Periods) {
    let _ = writeln!(text, "  {name}: {{");
    for (period, ends) in periods {
        let status = statuses[*period];
        let by_line =
            if ends.by_line.is_empty() { String::new() } else { format!(", byLine: [{}]", list(&ends.by_line)) };
        let unless_level = match &ends.unless_level[..] {
            [] => String::new(),
            numbers => format!(", unlessLevel: [{}]", list(numbers)),
        };
        let _ = writeln!(text, "    {status}: {{ types: [{}]{unless_level}{by_line} }},", list(&ends.types));
    }
    let _ = writeln!(text, "  }},");
}

/// `name: { question: number },` of these questions; those of sets are numbered from the first market of the set.
fn numbers<Q: Debug>(text: &mut String, name: &str, data: &SportData<Q>, questions: &[&str], in_set: &[(&str, i64)]) {
    let find = |wanted: &&str| {
        let at = data.questions.iter().position(|question| format!("{question:?}") == **wanted);
        let number = data.profile.kinds[at.expect("a question of the file")].number;
        let (first, rest) = wanted.split_at(1);
        format!("{}{rest}: {number}", first.to_lowercase())
    };
    let in_set = in_set.iter().map(|(name, place)| {
        let first_set = data.profile.kinds[data.questions.len()].number;
        let number = data.profile.kinds[data.questions.len() + *place as usize].number;
        assert_eq!(first_set, 100, "the first set's first market");
        format!("{name}: {}", number - 100)
    });
    let all: Vec<String> = questions.iter().map(find).chain(in_set).collect();
    let _ = writeln!(text, "  {name}: {{ {} }},", all.join(", "));
}

fn file() -> String {
    let mut text = "// Generated from the simulator's catalogue: KVOTA_BLESS=1 cargo test -p kvota-simulator client_tests\n\n\
                    /** What the end of a period decides, by market type; `unlessLevel` only if the score is not level. */\n\
                    export const DECIDED_BY = {\n"
        .to_owned();
    let halves = ["first_half", "second_half", "first_extra", "second_extra"];
    periods(&mut text, "soccer", &halves, &against_the_clock(&super::soccer::RULES, 3));
    for (name, rules) in [
        ("iceHockey", super::goals::hockey::HOCKEY.rules),
        ("handball", super::goals::handball::HANDBALL.rules),
        ("futsal", super::goals::futsal::FUTSAL.rules),
        ("basketball", &super::basketball::RULES),
        ("rugby", &super::rugby::RULES),
        ("americanFootball", &super::american_football::RULES),
    ] {
        let regular = rules.periods.iter().map(|period| period.status);
        let statuses: Vec<&str> = regular.chain([rules.overtime[1]]).collect();
        periods(&mut text, name, &statuses, &against_the_clock(rules, rules.periods.len()));
    }
    text.push_str("} as const\n\n/** Market types; those of a set are counted from the first market of the set. */\nexport const TYPES = {\n");
    numbers(&mut text, "tennis", &catalogue::TENNIS, &["Point"], &[("setWinner", 0), ("setTotal", 1), ("setGame", 6)]);
    let in_set = [("setWinner", 0), ("setTotal", 1), ("setPoint", 6)];
    numbers(&mut text, "rally", &catalogue::VOLLEYBALL, &[], &in_set);
    let of_cricket = ["Winner", "FirstRuns", "SecondRuns", "OverRuns", "OverWicket"];
    numbers(&mut text, "cricket", &catalogue::CRICKET, &of_cricket, &[]);
    numbers(&mut text, "darts", &catalogue::DARTS, &["Leg", "MaximumInLeg"], &[]);
    numbers(&mut text, "snooker", &catalogue::SNOOKER, &["Leg", "Fifty"], &[]);
    numbers(&mut text, "mma", &catalogue::MMA, &["EndsInRound"], &[]);
    let of_baseball = ["Inning", "Nine", "NextRun", "Handicap", "Total", "Winner"];
    numbers(&mut text, "baseball", &catalogue::BASEBALL, &of_baseball, &[]);
    text.push_str("} as const\n");
    text
}

#[test]
fn the_client_knows_what_decides_markets() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/features/soon/marketTypes.ts");
    let now = file();
    if std::env::var_os("KVOTA_BLESS").is_some() {
        std::fs::write(&path, &now).expect("the file of the client");
    }
    let held = std::fs::read_to_string(&path).expect("the file of the client");
    // The client's formatter breaks long lines.
    let squeezed = |text: &str| text.split_whitespace().collect::<String>().replace(",]", "]").replace(",}", "}");
    assert_eq!(squeezed(&held), squeezed(&now), "the catalogue has changed: see the head of this file");
}
