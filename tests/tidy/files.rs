//! Rules for single files: the header, the length, and forbidden text. Called by `tests/tidy.rs`.

use crate::problem::Problem;

/// A longer file usually has more than one subject.
const LINES_MAX: usize = 500;

/// Markers of unfinished work, which belongs in an issue.
const MARKERS: &[&str] = &["TODO", "FIXME", "XXX"];

/// A Rust file of the repository.
#[derive(Clone)]
pub(crate) struct Source {
    /// The path from the root of the repository, with forward slashes.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// Every Rust file states its purpose in its first line.
pub(crate) fn beginnings(sources: &[Source]) -> Vec<Problem> {
    let without = sources.iter().filter(|source| !source.text.starts_with("//! "));
    without.map(|source| Problem::new(&source.path, 1, "the file must begin with `//! ` and its purpose")).collect()
}

/// A file of the program has at most 500 lines before its tests.
pub(crate) fn lengths(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources {
        let count = source.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
        if count > LINES_MAX {
            let what = format!("{count} lines before the tests, of at most {LINES_MAX}; split the file by subject");
            problems.push(Problem::new(&source.path, LINES_MAX + 1, what));
        }
    }
    problems
}

/// Ignored tests, and sleeps that should wait for a condition.
pub(crate) fn skipped_tests_and_sleeps(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources {
        let in_tests = source.path.starts_with("tests/") || source.path.contains("/tests/");
        for (number, line) in (1..).zip(source.text.lines()) {
            let code = line.split("//").next().unwrap_or_default().trim_start();
            if code.starts_with("#[ignore") {
                problems.push(Problem::new(
                    &source.path,
                    number,
                    "an ignored test proves nothing; delete it or run it",
                ));
            }
            let sleeps = code.contains("thread::sleep")
                || (in_tests && (code.contains("time::sleep(") || code.contains("clock::sleep(")));
            if sleeps {
                problems.push(Problem::new(&source.path, number, "wait for a condition with a limit, not for time"));
            }
        }
    }
    problems
}

/// Markers of unfinished work in any text, as whole words.
pub(crate) fn markers(path: &str, text: &str) -> Vec<Problem> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for word in line.split(|c| !is_word(c)).filter(|word| MARKERS.contains(word)) {
            problems.push(Problem::new(path, number, format!("`{word}` marks unfinished work; finish it or file it")));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> [Source; 1] {
        [Source { path: path.to_owned(), text: text.to_owned() }]
    }

    fn lines(problems: &[Problem]) -> Vec<usize> {
        problems.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn a_file_without_its_purpose_is_reported() {
        assert_eq!(lines(&beginnings(&source("src/a.rs", "// A.\n//! B."))), [1]);
        assert_eq!(beginnings(&source("src/a.rs", "//! A.\nuse b;")), []);
    }

    #[test]
    fn a_long_file_is_reported_and_its_tests_do_not_count() {
        let long = format!("//! A.\n{}", "fn f() {}\n".repeat(500));
        let tested = format!("//! A.\n{}#[cfg(test)]\n{}", "fn f() {}\n".repeat(499), "fn f() {}\n".repeat(900));
        assert_eq!(lines(&lengths(&source("src/a.rs", &long))), [501]);
        assert_eq!(lengths(&source("src/a.rs", &tested)), []);
    }

    #[test]
    fn unfinished_work_is_reported() {
        let text = format!("// {}: a\nlet b = 1;\n// {}S", MARKERS[0], MARKERS[0]);
        assert_eq!(lines(&markers("src/a.rs", &text)), [1]);
    }

    #[test]
    fn an_ignored_test_is_reported() {
        let found = skipped_tests_and_sleeps(&source("tests/a.rs", "#[test]\n#[ignore]\nfn a() {}\nfn ignore() {}"));
        assert_eq!(lines(&found), [2]);
    }

    #[test]
    fn a_sleep_is_reported() {
        let text = "std::thread::sleep(d);\n// thread::sleep\ntokio::time::sleep(d);\nuse tokio::time::sleep_until;";
        assert_eq!(lines(&skipped_tests_and_sleeps(&source("tests/a.rs", text))), [1, 3]);
        assert_eq!(lines(&skipped_tests_and_sleeps(&source("src/a.rs", text))), [1]);
    }
}
