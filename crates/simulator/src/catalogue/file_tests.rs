//! Tests of what is said about a mistake in a file.

use super::file::{Sheet, common, sheet};
use super::questions::ClockQuestion;

const COMMON: &str = r#"
[tags]
main = { hr = "1.Glavno", en = "1.Main", sr = "1.Главно" }
[texts]
winner = { name = { hr = "Pobjednik", en = "Winner", sr = "Победник" }, short = "W" }
"#;

const SPORT: &str = r#"
[sport]
id = 90
key = "test"
order = 90
name = "Test"
entrants = ["clubs"]
minutes = 10
interrupted = 0.0
retired = 0.0
corrected = 0.0
share = 1

[[column]]
name = "Winner"
fields = "one_two"
market = 1

[[market]]
number = 1
question = "winner"
text = "winner"
answers = "one_two"
tags = ["main"]

[[market]]
number = 2
question = { total = "match" }
name = "Total"
short = "T"
line = "half"
lines = 9
answers = "under_over"
tags = ["main"]
"#;

fn problem(text: &str) -> String {
    let common = common(COMMON).expect("what sports share");
    let read: Result<Sheet<ClockQuestion>, String> = sheet(text, &common);
    read.map(|_| ()).err().unwrap_or_default()
}

#[test]
fn mistakes_are_named_with_their_row() {
    assert_eq!(problem(SPORT), "");
    for (right, wrong, message) in [
        ("number = 2", "number = 1", "line 27, market 1: the number is not unique"),
        ("text = \"winner\"", "text = \"victor\"", "line 20, market 1: it needs a name and a short name"),
        ("tags = [\"main\"]", "tags = [\"mian\"]", "line 20, market 1: there is no group mian"),
        ("{ total = \"match\" }", "{ sum = \"match\" }", "unknown variant `sum`, expected one of `winner`, `result`"),
        (
            "total = \"match\"",
            "total = \"all\"",
            "a scope is \"match\", periods such as [0, 2], { corners = [0, 2] } or { cards = [0, 2] }",
        ),
        ("{ total = \"match\" }", "\"winner\"", "market 2: another market has the same question"),
        ("lines = 9", "rows = 9", "unknown field `rows`"),
        ("lines = 9\n", "", "line 27, market 2: a line has a number of lines"),
        ("name = \"Total\"", "name = { hr = \"Ukupno\", en = \"Total\" }", "a text is a string, or { hr, en, sr }"),
        ("answers = \"one_two\"", "answers = [\"1\"]", "line 20, market 1: it needs two answers"),
        ("market = 1\n", "market = 3\n", "column Winner: market 3 does not exist"),
        ("share = 1", "share = 1\nleader = 7", "the leader's market 7 does not exist"),
    ] {
        assert!(SPORT.contains(right), "{right}");
        let told = problem(&SPORT.replacen(right, wrong, 1));
        assert!(told.contains(message), "{wrong}: {told}");
    }
    assert!(
        problem(&SPORT.replacen("lines = 9", "rows = 9", 1)).contains("line 3"),
        "errors of the format have a line"
    );
}
