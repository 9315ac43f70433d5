//! Counts constructions in comments and documents that people do not write or search for, so that there are never more.

use crate::problem::Problem;

/// Words that an ordinary sentence of this project does not need.
const WORDS: &[&str] = &[
    "told",
    "tell",
    "tells",
    "whoever",
    "whose",
    "whom",
    "nobody",
    "nobody's",
    "somebody",
    "anew",
    "stranger",
    "strangers",
    "wish",
    "wishes",
    "wished",
];
/// The same for several words in a row.
const PHRASES: &[&str] = &["for ever", "by turns", "is none", "in the place of", "as it is now", "who has", "who is"];

/// The comment in a line of a file with this extension; in a document, the line itself.
fn prose<'a>(line: &'a str, extension: &str) -> Option<&'a str> {
    let line = line.trim_start();
    match extension {
        "rs" | "ts" | "tsx" | "css" | "mjs" => {
            ["//!", "///", "//", "/**", "/*", "* "].iter().find_map(|mark| line.strip_prefix(mark))
        }
        "sh" | "toml" => line.strip_prefix('#'),
        "md" => Some(line),
        _ => None,
    }
}

/// A line without the code in backticks: a name is not a sentence.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// How many lines of a file have such a construction.
pub(crate) fn constructions(text: &str, extension: &str) -> usize {
    let has_one = |line: &&str| {
        let words: Vec<String> = without_code(line)
            .split(|letter: char| !letter.is_alphabetic() && letter != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let joined = format!(" {} ", words.join(" "));
        words.iter().any(|word| WORDS.contains(&word.as_str()))
            || PHRASES.iter().any(|phrase| joined.contains(&format!(" {phrase} ")))
    };
    text.lines().filter_map(|line| prose(line, extension)).filter(has_one).count()
}

/// The folders with more constructions than their limit.
pub(crate) fn above_limits(counts: &[(String, usize)], limits: &[(&str, usize)]) -> Vec<Problem> {
    let above = counts.iter().filter_map(|(folder, count)| {
        let limit = limits.iter().find(|(known, _)| known == folder).map_or(0, |(_, limit)| *limit);
        (*count > limit).then(|| {
            let message = format!(
                "{count} lines of comments or documents have words such as \"told\", \"whoever\", \"nobody\" or \"anew\"; the \
                 limit is {limit}. Write ordinary sentences with a subject and a verb (tests/tidy/english.rs)"
            );
            Problem::new(folder, 1, message)
        })
    });
    above.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructions_are_counted_in_comments_alone() {
        let code = "//! Who is told of it.\nlet told = 1;\n// Published to all subscribers.\n/// Kept for ever, whoever asks.\n";
        assert_eq!(constructions(code, "rs"), 2);
        assert_eq!(constructions("# nobody\nx = \"told\"\n", "toml"), 1);
        assert_eq!(constructions("Somebody is told.\n\nAn ordinary sentence.\n", "md"), 1);
        assert_eq!(constructions("told", "png"), 0);
    }

    #[test]
    fn folder_above_its_limit_is_a_problem() {
        let counts = [("crates/store/src".to_owned(), 3), ("docs".to_owned(), 2), ("src/new".to_owned(), 1)];
        let problems = above_limits(&counts, &[("crates/store/src", 3), ("docs", 1)]);
        assert_eq!(problems.len(), 2);
    }
}
